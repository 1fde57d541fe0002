from arithmetic import var
from . import Choice, Question


def multiple(value):
    """As float32 keeps it between 2^30 and 2^31."""
    return 128 * round(value / 128)


ANSWERS = {
    "tiny": None,
    "sum": Question(("n", "digits", "v"), lambda n, digits, v: 2 ** digits * v, {
        "exact": lambda n, digits, v: n * v,
        "fraction": lambda n, digits, v: 2 ** (digits - 1) * v,
        "last": lambda n, digits, v: (2 ** digits - 1) * v,
        "next": lambda n, digits, v: 2 ** (digits + 1) * v,
        "other": lambda n, digits, v: 2 ** (19 - digits) * v,
        "count": lambda n, digits, v: 2 ** digits,
        "largest": lambda n, digits, v: 65504,
    }, {"type": lambda n, digits, v: [16], "digits": lambda n, digits, v: [digits], "digits - 1": lambda n, digits, v: [digits - 1],
        "2 ^ digits - 1": lambda n, digits, v: [2 ** digits - 1],
        "19 - digits": lambda n, digits, v: [19 - digits], "v": lambda n, digits, v: [v]}, {
        "last": lambda n, digits, v: v != 0.25,
        "next": lambda n, digits, v: (n, digits) != (4096, 11),
        "count": lambda n, digits, v: v != 1,
        "largest": lambda n, digits, v: digits == 11,
    }),
    "squares": None,
    "one-pass": Question(("x", "kept", "square"), lambda x, kept, square: kept - multiple(square), {
        "exact": lambda x, kept, square: var(x),
        "fused": lambda x, kept, square: kept - square,
        "sign": lambda x, kept, square: multiple(square) - kept,
        "zero": lambda x, kept, square: 0,
    }, {"square": lambda x, kept, square: [square]}),
    "recipe": Choice(lambda _: "two-pass"),
}
