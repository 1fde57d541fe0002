import math

from . import Choice, Question


def stored(old, new, momentum):
    return (1 - momentum) * old + momentum * new


ANSWERS = {
    "spread": None,
    "alone": None,
    "stored": Question(("n", "v", "r", "m"), lambda n, v, r, m: stored(r, v * n / (n - 1), m), {
        "biased": lambda n, v, r, m: stored(r, v, m),
        "turned": lambda n, v, r, m: stored(v * n / (n - 1), r, m),
        "turned-biased": lambda n, v, r, m: stored(v, r, m),
        "batch": lambda n, v, r, m: v * n / (n - 1),
        "given": lambda n, v, r, m: v,
        "added": lambda n, v, r, m: r + m * v * n / (n - 1),
        "smaller": lambda n, v, r, m: stored(r, v * (n - 1) / n, m),
    }, {"n": lambda n, v, r, m: [n], "n - 1": lambda n, v, r, m: [n - 1], "v": lambda n, v, r, m: [v], "m": lambda n, v, r, m: [m],
        "1 - m": lambda n, v, r, m: [1 - m]}),
    "evaluation": Choice(lambda text: "current"),
    "noise": Question(("s", "n"), lambda s, n: s / math.sqrt(n), {
        "by-n": lambda s, n: s / n,
        "same": lambda s, n: s,
        "times": lambda s, n: s * math.sqrt(n),
        "sum": lambda s, n: s * n,
        "less": lambda s, n: s / math.sqrt(n - 1),
        "variance": lambda s, n: s * s / n,
    }, {"n": lambda s, n: [n], "s": lambda s, n: [s]}, {"less": lambda s, n: n > 2}),
    "small": Choice(lambda text: "other"),
}
