from arithmetic import divided, dropped, plus, shape, times
from . import Question

ANSWERS = {
    "silent": None,
    "dropout": Question(("x", "u", "rate", "mask"), lambda x, u, rate, mask: plus(x, dropped(u, mask, rate)), {
        "unscaled": lambda x, u, rate, mask: plus(x, times(u, mask)),
        "sum": lambda x, u, rate, mask: dropped(plus(x, u), mask, rate),
        "sum-unscaled": lambda x, u, rate, mask: times(plus(x, u), mask),
        "none": lambda x, u, rate, mask: plus(x, u),
        "x": lambda x, u, rate, mask: x,
        "swapped": lambda x, u, rate, mask: plus(x, dropped(u, [1 - keep for keep in mask], rate)),
        "all": lambda x, u, rate, mask: plus(x, divided(u, 1 - rate)),
        "times": lambda x, u, rate, mask: plus(x, [(1 - rate) * value for value in times(u, mask)]),
        "by-p": lambda x, u, rate, mask: plus(x, divided(times(u, mask), rate)),
        "no-skip": lambda x, u, rate, mask: dropped(u, mask, rate),
    }, {"rate": lambda x, u, rate, mask: [rate], "1 - rate": lambda x, u, rate, mask: [1 - rate],
        "mask": lambda x, u, rate, mask: mask}, {"by-p": lambda x, u, rate, mask: rate != 0.5}),
    "narrow": Question(("x.shape", "u.shape"), lambda x, u: "error", {
        "filled": lambda x, u: shape(*x),
        "cut": lambda x, u: shape(*u),
        "joined": lambda x, u: shape(x[0], x[1], x[2] + u[2]),
    }, {"F": lambda x, u: [x[2]], "F - 1": lambda x, u: [u[2]]}),
    "single": Question(("x.shape", "u.shape"), lambda x, u: shape(*x), {
        "error": lambda x, u: "error",
        "one": lambda x, u: shape(*u),
        "joined": lambda x, u: shape(x[0], x[1], x[2] + 1),
    }, {"F": lambda x, u: [x[2]]}),
    "back": Question(("y", "u", "v"), lambda y, u, v: [a - b - c for a, b, c in zip(y, u, v)], {
        "second": lambda y, u, v: [a - c for a, c in zip(y, v)],
        "first": lambda y, u, v: [a - b for a, b in zip(y, u)],
        "added": lambda y, u, v: plus(y, u, v),
        "end": lambda y, u, v: y,
        "updates": lambda y, u, v: plus(u, v),
    }),
}
