from arithmetic import divided, mean, normalized, plus, shape, std, times
from . import Question


def scaled(x, g):
    return [value * g for value in x]


def shifted(x, b):
    return [value + b for value in x]


def output(x, g, b):
    return shifted(scaled(normalized(x), g), b)


ANSWERS = {
    "fresh": None,
    "vector": Question(("g", "b", "x"), lambda g, b, x: output(x, g, b), {
        "before": lambda g, b, x: shifted(normalized(scaled(x, g)), b),
        "bias-first": lambda g, b, x: scaled(shifted(normalized(x), b), g),
        "sign": lambda g, b, x: output(x, -g, b),
        "swapped": lambda g, b, x: output(x, b, g),
        "plain": lambda g, b, x: normalized(x),
        "no-bias": lambda g, b, x: scaled(normalized(x), g),
        "raw": lambda g, b, x: shifted(scaled(x, g), b),
        "moments": lambda g, b, x: [b, g],
        "divided": lambda g, b, x: shifted(divided(normalized(x), g), b),
    }, {"#x": lambda g, b, x: [len(x)], "x": lambda g, b, x: x, "g": lambda g, b, x: [g], "b": lambda g, b, x: [b],
        "x:mean()": lambda g, b, x: [mean(x)], "x:std()": lambda g, b, x: [std(x)]},
        {"swapped": lambda g, b, x: g != b}),
    "moments": Question(("g", "b"), lambda g, b: [b, g], {
        "normal": lambda g, b: [0, 1],
        "swapped": lambda g, b: [g, b],
        "variance": lambda g, b: [b, g * g],
        "still": lambda g, b: [b, 1],
        "centred": lambda g, b: [0, g],
        "scaled": lambda g, b: [b * g, g],
        "scaled-variance": lambda g, b: [b * g, g * g],
    }, {"g": lambda g, b: [g], "b": lambda g, b: [b], "g * g": lambda g, b: [g * g]}),
    "mean": Question(("n", "g", "b"), lambda n, g, b: mean(plus(times(n, g), b)), {
        "bias": lambda n, g, b: mean(b),
        "zero": lambda n, g, b: 0,
        "no-bias": lambda n, g, b: mean(times(n, g)),
        "bias-whole": lambda n, g, b: mean(times(n, g)) + sum(b),
        "bias-first": lambda n, g, b: mean(times(plus(n, b), g)),
        "sum": lambda n, g, b: sum(plus(times(n, g), b)),
        "scales": lambda n, g, b: mean(g) + mean(b),
    }, {"#n": lambda n, g, b: [len(n)]}, {"bias-first": lambda n, g, b: sum(times(b, g)) != len(n) * sum(b)}),
    "shape": Question(("x.shape",), lambda s: shape(s[2]), {
        "positions": lambda s: shape(s[1]),
        "tokens": lambda s: shape(s[1], 1),
        "statistics": lambda s: shape(s[0], s[1], 1),
        "every": lambda s: shape(*s),
        "table": lambda s: shape(s[1], s[2]),
        "one": lambda s: shape(1),
        "both": lambda s: shape(2, s[2]),
    }, {"T": lambda s: [s[1]], "F": lambda s: [s[2]]}),
    "trained": None,
}
