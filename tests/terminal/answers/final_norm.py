import math

from . import Choice, Question


def stream(n, u):
    """The variance of a row of variance 1 to which n updates have been added."""
    return 1 + n * u


ANSWERS = {
    "grows": None,
    "variance": Question(("n", "u"), stream, {
        "multiplied": lambda n, u: (1 + u) ** n,
        "one": lambda n, u: 1,
        "updates": lambda n, u: n * u,
        "less": lambda n, u: stream(n - 1, u),
        "each": lambda n, u: n * (1 + u),
        "deviation": lambda n, u: math.sqrt(stream(n, u)),
        "deviations": lambda n, u: (1 + n * math.sqrt(u)) ** 2,
    }, {"n": lambda n, u: [n], "n - 1": lambda n, u: [n - 1], "u": lambda n, u: [u]}),
    "share": Question(("k", "u"), lambda k, u: math.sqrt(u / stream(k - 1, u)), {
        "variances": lambda k, u: u / stream(k - 1, u),
        "with": lambda k, u: math.sqrt(u / stream(k, u)),
        "first": lambda k, u: math.sqrt(u),
        "one": lambda k, u: 1,
        "updates": lambda k, u: math.sqrt(1 / (k - 1)),
        "turned": lambda k, u: math.sqrt(stream(k - 1, u) / u),
        "half": lambda k, u: math.sqrt(u) / stream(k - 1, u),
    }, {"k": lambda k, u: [k], "k - 1": lambda k, u: [k - 1], "u": lambda k, u: [u]}, {"one": lambda k, u: u != 1}),
    "logits": None,
    "copied": None,
    "loaded": Choice(lambda text: "other"),
    "why-pre": Choice(lambda text: "steady"),
}
