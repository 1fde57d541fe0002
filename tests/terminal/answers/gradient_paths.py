from . import Question

ANSWERS = {
    "plain": Question(("n", "f"), lambda n, f: f ** n, {
        "added": lambda n, f: n * f,
        "one": lambda n, f: f,
        "taken": lambda n, f: n * f - n + 1,
        "turned": lambda n, f: n ** f,
        "lost": lambda n, f: 1 - f ** n,
        "skips": lambda n, f: (1 + f) ** n,
    }, {"n": lambda n, f: [n], "f": lambda n, f: [f], "1 - f": lambda n, f: [1 - f]}, {"taken": lambda n, f: n * f - n + 1 >= 0}),
    "change": Question(("n", "s"), lambda n, s: (1 + s) ** n, {
        "plain": lambda n, s: s ** n,
        "added": lambda n, s: 1 + n * s,
        "one": lambda n, s: 1,
        "two-ways": lambda n, s: 1 + s ** n,
        "layer": lambda n, s: 1 + s,
        "many": lambda n, s: (1 + s) * n,
    }, {"n": lambda n, s: [n], "s": lambda n, s: [s]}),
    "guess": None,
    "pairs": Question(("n",), lambda n: n * (n - 1) / 2, {
        "twice": lambda n: n * (n - 1),
        "one": lambda n: n,
        "square": lambda n: n ** 2,
        "next": lambda n: n - 1,
        "all": lambda n: 2 ** n,
        "half": lambda n: n / 2,
    }, {"n": lambda n: [n]}),
    "delete": None,
    "length": None,
}
