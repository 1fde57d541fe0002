import math

from arithmetic import centred, divided, mean, mean_distance, mean_square, normalized, squares, std, unbiased, var
from . import Question

OF_TOKEN = {
    "#x": lambda x: [len(x)],
    "#x - 1": lambda x: [len(x) - 1],
    "x:mean()": lambda x: [mean(x)],
    "x:sum()": lambda x: [sum(x)],
    "x:var()": lambda x: [var(x)],
    "s": lambda x: [std(x)],
    "abs(c):mean()": lambda x: [mean_distance(x)],
    "divided(x, 'less')": lambda x: [unbiased(x)],
}

ANSWERS = {
    "mean": Question(("x",), mean, {
        "middle": lambda x: x[2],
        "sum": sum,
        "less": lambda x: sum(x) / (len(x) - 1),
        "ends": lambda x: (x[0] + x[-1]) / 2,
    }, OF_TOKEN),
    "variance": Question(("x",), var, {
        "unbiased": unbiased,
        "deviation": std,
        "stdev": lambda x: math.sqrt(unbiased(x)),
        "sum": squares,
        "uncentred": mean_square,
        "distance": mean_distance,
        "zero": lambda x: 0,
    }, OF_TOKEN),
    "divisor": None,
    "vector": Question(("x",), normalized, {
        "unbiased": lambda x: divided(centred(x), math.sqrt(unbiased(x))),
        "no-root": lambda x: divided(centred(x), var(x)),
        "centred": centred,
        "uncentred": lambda x: divided(x, std(x)),
        "rms": lambda x: divided(x, math.sqrt(mean_square(x))),
        "sign": lambda x: [-value for value in normalized(x)],
        "sum": lambda x: divided(centred(x), math.sqrt(squares(x))),
        "distance": lambda x: divided(centred(x), mean_distance(x)),
        "min-max": lambda x: [(value - min(x)) / (max(x) - min(x)) for value in x],
    }, OF_TOKEN),
    "far": None,
    "farthest": Question(("n",), lambda n: math.sqrt(n - 1), {
        "length": math.sqrt,
        "no-root": lambda n: n - 1,
        "endless": lambda n: math.inf,
    }),
}
