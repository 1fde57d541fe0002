import math

from arithmetic import centred, divided, mean, normalized, plus, std, unbiased, var
from . import Choice, Question


def F(h):
    return [h[0] + h[1], h[0] - h[1], h[2] + h[3], h[2] - h[3]]


def both(x):
    return plus(x, F(x))


def post(x):
    return normalized(both(x))


def pre(x):
    return plus(x, F(normalized(x)))


ANSWERS = {
    "post": Question(("x",), post, {
        "pre": pre,
        "no-skip": lambda x: normalized(F(x)),
        "no-norm": both,
        "sublayer": F,
        "output": lambda x: plus(x, normalized(F(x))),
        "both": lambda x: plus(normalized(x), normalized(F(x))),
        "read": lambda x: normalized(pre(x)),
        "centred": lambda x: centred(both(x)),
        "variance": lambda x: divided(centred(both(x)), var(both(x))),
        "unbiased": lambda x: divided(centred(both(x)), math.sqrt(unbiased(both(x)))),
    }, {"F(x)": F, "sum": both, "sum:mean()": lambda x: [mean(both(x))], "sum:std()": lambda x: [std(both(x))],
        "sum:var()": lambda x: [var(both(x))]}),
    "pre": Question(("x",), pre, {
        "post": post,
        "skip-normed": lambda x: plus(normalized(x), F(normalized(x))),
        "output-norm": lambda x: plus(x, normalized(F(x))),
        "no-skip": lambda x: F(normalized(x)),
        "no-norm": both,
        "no-sublayer": lambda x: plus(x, normalized(x)),
        "norm": normalized,
        "sandwich": lambda x: plus(x, normalized(F(normalized(x)))),
        "after": lambda x: normalized(pre(x)),
        "variance": lambda x: plus(x, F(divided(centred(x), var(x)))),
        "unbiased": lambda x: plus(x, F(divided(centred(x), math.sqrt(unbiased(x))))),
    }, {"x": lambda x: x, "x:var()": lambda x: [var(x)], "x:std()": lambda x: [std(x)]}),
    "constant": None,
    "gradient": None,
    "share": Question(("n", "d"), lambda n, d: d ** -n, {
        "pre": lambda n, d: 1,
        "one": lambda n, d: 1 / d,
        "times": lambda n, d: 1 / (n * d),
        "grown": lambda n, d: d ** n,
        "variance": lambda n, d: d ** (-n / 2),
        "rest": lambda n, d: 1 - d ** -n,
    }, {"n": lambda n, d: [n], "d": lambda n, d: [d]}),
    "paper": Choice(lambda _: "post-2017"),
}
