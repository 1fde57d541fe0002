from arithmetic import shape
from . import Question

OF_SHAPE = {
    "B": lambda s: [s[0]],
    "T": lambda s: [s[1]],
    "F": lambda s: [s[2]],
}

ANSWERS = {
    "count": Question(("shape",), lambda s: s[0] * s[1], {
        "batch-token": lambda s: s[2],
        "batch": lambda s: s[1] * s[2],
        "token": lambda s: s[0] * s[2],
        "samples": lambda s: s[0],
        "positions": lambda s: s[1],
        "one": lambda s: 1,
        "every": lambda s: s[0] * s[1] * s[2],
    }, OF_SHAPE),
    "kept": Question(("shape",), lambda s: shape(s[0], s[1], 1), {
        "dropped": lambda s: shape(s[0], s[1]),
        "feature": lambda s: shape(s[2]),
        "batch-token": lambda s: shape(1, 1, s[2]),
        "batch": lambda s: shape(1, s[1], s[2]),
        "token": lambda s: shape(s[0], 1, s[2]),
        "samples": lambda s: shape(s[0], 1, 1),
        "one": lambda s: shape(1, 1, 1),
        "same": lambda s: shape(*s),
    }, OF_SHAPE),
    "stripes": None,
    "layout": None,
    "documentation": None,
    "parameters": Question(("shape",), lambda s: 2 * s[2], {
        "one": lambda s: s[2],
        "tokens": lambda s: 2 * s[1] * s[2],
        "every": lambda s: 2 * s[0] * s[1] * s[2],
        "statistics": lambda s: 2 * s[0] * s[1],
        "two": lambda s: 2,
    }, OF_SHAPE),
}
