import re

from arithmetic import normalized, plus
from . import Choice, Question

GIVEN = re.compile(r"gets x = \[(.*?)\] and computes F\(x\) = \[(.*?)\]\. It returns \[(.*?)\]")


def what_was_done(text):
    """Which of the four comes to what is returned; None while it is not there."""
    found = GIVEN.search(text)
    if not found:
        return None
    x, u, returned = ([float(number) for number in row.replace("\u2212", "-").split(",")] for row in found.groups())
    made = {"add": plus(x, u), "norm": normalized(x), "replace": u, "both": normalized(plus(x, u))}
    return min(made, key=lambda kind: max(abs(a - b) for a, b in zip(made[kind], returned)))


ANSWERS = {
    "which": Choice(what_was_done),
    "deep": None,
    "stack": Question(("n", "g"), lambda n, g: g ** n, {
        "added": lambda n, g: g * n,
        "linear": lambda n, g: 1 + n * (g - 1),
        "one": lambda n, g: 1,
        "less": lambda n, g: g ** (n - 1),
        "more": lambda n, g: (1 + g) ** n,
        "swapped": lambda n, g: n ** g,
        "layer": lambda n, g: g,
        "root": lambda n, g: g ** (n / 2),
    }, {"g": lambda n, g: [g], "n": lambda n, g: [n], "g - 1": lambda n, g: [g - 1], "n / 2": lambda n, g: [n / 2], "1 + g": lambda n, g: [1 + g]}),
    "rate": None,
    "left": Choice(lambda text: "labels"),
}
