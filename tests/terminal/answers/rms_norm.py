import math

from arithmetic import centred, divided, mean, mean_square, normalized, std
from . import Choice, Question


def rms(x):
    return math.sqrt(mean_square(x))


def length(x):
    return math.sqrt(len(x)) * rms(x)


ANSWERS = {
    "rms": Question(("x",), rms, {
        "deviation": std,
        "length": length,
        "no-root": mean_square,
        "sum": lambda x: sum(value * value for value in x),
        "mean": mean,
        "less": lambda x: length(x) / math.sqrt(len(x) - 1),
    }, {"x:mean()": lambda x: [mean(x)], "#x": lambda x: [len(x)], "#x - 1": lambda x: [len(x) - 1]}),
    "vector": Question(("x",), lambda x: divided(x, rms(x)), {
        "layer": normalized,
        "length": lambda x: divided(x, length(x)),
        "no-root": lambda x: divided(x, mean_square(x)),
        "deviation": lambda x: divided(x, std(x)),
        "centred": lambda x: divided(centred(x), rms(x)),
        "mean": lambda x: divided(x, mean(x)),
        "minus": lambda x: divided(x, math.sqrt(mean([value * abs(value) for value in x]))),
        "positive": lambda x: [abs(value) / rms(x) for value in x],
    }, {"x:mean()": lambda x: [mean(x)], "(x * x):mean()": lambda x: [mean_square(x)], "x:std()": lambda x: [std(x)], "rms(x)": lambda x: [rms(x)],
        "x:min()": lambda x: [min(x)], "-(x:min() * x:min())": lambda x: [-min(x) ** 2]},
        {"minus": lambda x: min(x) < 0, "positive": lambda x: min(x) < 0}),
    "shift": None,
    "equal": Choice(lambda text: "zero"),
    "recipe": Choice(lambda text: "differs"),
}
