"""What the tests compute for themselves, in Python's doubles: one token's statistics, rows, shapes."""

import math

EPS = 1e-5


# ---- one token ----

def mean(x):
    return sum(x) / len(x)


def centred(x):
    return [value - mean(x) for value in x]


def squares(x):
    return sum(value * value for value in centred(x))


def var(x):
    return squares(x) / len(x)


def unbiased(x):
    return squares(x) / (len(x) - 1)


def std(x):
    return math.sqrt(var(x))


def mean_square(x):
    return mean([value * value for value in x])


def mean_distance(x):
    return mean([abs(value) for value in centred(x)])


def divided(x, by):
    return [value / by for value in x]


def normalized(x, eps=EPS):
    return divided(centred(x), math.sqrt(var(x) + eps))


def kept(deviation, eps):
    return deviation / math.sqrt(deviation * deviation + eps)


# ---- rows and shapes ----

def plus(x, *more):
    return [sum(values) for values in zip(x, *more)]


def times(x, y):
    return [a * b for a, b in zip(x, y)]


def shape(*sizes):
    """A shape as it is typed."""
    return "(" + ", ".join(f"{size:g}" for size in sizes) + ")"


def dropped(u, mask, rate):
    return divided(times(u, mask), 1 - rate)
