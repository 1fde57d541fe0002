"""What the tests know of the lessons: how each question is answered right, and how each of its mistakes is made,
worked out here in Python from the numbers that the learner sees. The words come from the lessons' files."""

import collections
import math
import re

from terminal import ROOT

LESSONS = ["normalize", "axis", "epsilon", "residual", "which-axis"]  # in the course's order
EPS = 1e-5
MARKUP = re.compile(r"[*`]")
STRING = r'"((?:[^"\\]|\\.)*)"|\[\[\n?(.*?)\]\]'


# ---- the lessons' words ----

class Step:
    """A step as its file has it: text, and for a question what is said about each mistake or option."""

    def __init__(self, kind, name, body):
        self.kind, self.id, self.body = kind, name, body
        self.text = words_of(re.search(r"\n    text\s*=\s*(?:" + STRING + ")", body, re.S))
        self.why = words_of(re.search(r"\n    why\s*=\s*(?:" + STRING + ")", body, re.S))
        self.says = {}      # of each mistake, or wrong option
        self.options = []   # of a choice, in order
        self.right = None
        self.hints = len(re.findall(r'"(?:[^"\\]|\\.)+"', section(body, "hints")))
        for what, name, inner in re.findall(r'\n    (mistake|option) "([\w-]+)"\s*\{(.*?)\},?(?=\n    \w)', body, re.S):
            say = words_of(re.search(r"say\s*=\s*(?:" + STRING + ")", inner, re.S))
            if what == "option":
                self.options.append(name)
                if "right = true" in inner:
                    self.right = name
            if say:
                self.says[name] = say


def section(body, name):
    found = re.search(r"\n    " + name + r"\s*=\s*\{(.*?)\n?\s*\},\n    \w", body, re.S)
    return found[1] if found else ""


def words_of(match):
    if not match:
        return ""
    return (match[1] or match[2] or "").replace('\\"', '"').replace("\\n", "\n")


def read_lesson(name):
    """The steps of lessons/NAME.lua, in order."""
    with open(f"{ROOT}/lessons/{name}.lua", encoding="utf-8") as file:
        source = file.read()
    found = re.findall(r'\n  (step|ask\.\w+) "([\w-]+)" \{(.*?\n)  \},', source, re.S)
    return [Step(kind, name, body) for kind, name, body in found]


def flat(text):
    return " ".join(text.split())


def pattern(words):
    """A pattern for the words on any screen: a hole is a group, and what is not ASCII may be shown in another way."""
    pieces = re.split(r"(\{[^{}]+\})", MARKUP.sub("", flat(words)))
    made = ""
    for piece in pieces:
        if piece.startswith("{"):
            made += r"(\[[^\]]*\]|\([^)]*\)|[-\u2212]?\d[\d.e+-]*\d|\S+?)"
        else:
            made += r".{1,20}?".join(re.escape(part) for part in re.split(r"[^\x00-\x7f]+", piece))
    return re.compile(made)


def holes(words):
    return [hole[1:-1].split("|")[0].strip() for hole in re.findall(r"\{[^{}]+\}", words)]


def numbers(text):
    """The numbers in what stands for one hole."""
    found = re.findall(r"[-\u2212]?(?:nan|inf|\d[\d.]*(?:e[-+]?\d+)?)", text)
    return [float(number.replace("\u2212", "-").rstrip(".")) for number in found]


def filled(words, text):
    """{hole: its numbers} of words as they stand in a text; None: they do not stand there."""
    found = pattern(words).search(MARKUP.sub("", flat(text)))
    return dict(zip(holes(words), map(numbers, found.groups()))) if found else None


# ---- arithmetic on one token ----

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


# ---- the questions ----

# reads: the holes of the question's text that hold what the formulas take. mistakes: id -> formula. tells: what stands in
# the holes of the feedback. when: whether a mistake can be made with these numbers.
Question = collections.namedtuple("Question", "reads answer mistakes tells when", defaults=({}, {}))

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

OF_SHAPE = {
    "B": lambda s: [s[0]],
    "T": lambda s: [s[1]],
    "F": lambda s: [s[2]],
}


# A choice whose right option depends on what is shown: from all that is on the screen to its id.
Choice = collections.namedtuple("Choice", "right")


def bug_named(text):
    """Over which axes the module averages, by the probes' table; None while it is not there."""
    sample = re.search(r"other samples changed.{1,60}?(moves by|stays)", text)
    later = re.search(r"a later token changed.{1,60}?(moves by|stays)", text)
    feature = re.search(r"one feature elsewhere.{1,60}?(1 of|all) \d", text)
    if not (sample and later and feature):
        return None
    if sample[1] == later[1]:
        return "batch-token" if feature[1] == "1 of" else "all"
    return "batch" if sample[1] == "moves by" else "token"


# What a learner's file may hold instead of the right program: mistakes: id -> a program that makes it.
Program = collections.namedtuple("Program", "answer mistakes")


def program(over='{ "feature" }', mean="over", var="over"):
    """A layer norm in Lua, not written as the lesson writes it."""
    return f"""
function layer_norm(x, scale, bias, eps)
  local over = {over}
  local centred = x - x:mean({mean})
  return bias + scale * centred / sqrt(eps + x:var({var}))
end
"""


RIGHT_PROGRAM = """
-- by hand, token by token
function layer_norm(x, scale, bias, eps)
  local y = x * 1
  for s = 1, x.shape[1] do
    for t = 1, x.shape[2] do
      local token = x[s][t]
      y:set({ s, t }, (token - token:mean()) / sqrt(token:var() + eps) * scale + bias)
    end
  end
  return y
end
"""

QUESTIONS = {
    "normalize": {
        "mean": Question(("x",), mean, {
            "middle": lambda x: x[2],
            "sum": sum,
            "less": lambda x: sum(x) / (len(x) - 1),
            "ends": lambda x: (x[0] + x[-1]) / 2,
        }, OF_TOKEN),
        "variance": Question(("x",), var, {
            "unbiased": unbiased,
            "deviation": std,
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
    },
    "epsilon": {
        "whisper": None,
        "near": Question(("k", "eps"), lambda k, eps: math.sqrt(k / (k + 1)), {
            "no-eps": lambda k, eps: 1,
            "variance": lambda k, eps: k / (k + 1),
            "alone": lambda k, eps: math.sqrt(k),
            "outside": lambda k, eps: math.sqrt(k * eps) / (math.sqrt(k * eps) + eps),
        }, {"k": lambda k, eps: [k]}, {"alone": lambda k, eps: k != 1}),
        "half": Question(("eps", "share"), lambda eps, share: math.sqrt(eps * share / (1 - share)), {
            "variance": lambda eps, share: eps * share / (1 - share),
            "deviation": lambda eps, share: share * math.sqrt(eps / (1 - share * share)),
            "turned": lambda eps, share: math.sqrt(eps * (1 - share) / share),
            "half": lambda eps, share: math.sqrt(eps),
        }, {"share": lambda eps, share: [share]}, {
            "turned": lambda eps, share: share != 0.5,
            "half": lambda eps, share: share != 0.5,
        }),
        "flat": Question(("x",), lambda x: [0] * len(x), {
            "nan": lambda x: [math.nan] * len(x),
            "ones": lambda x: [1] * len(x),
            "same": lambda x: x,
        }, {"x:mean()": lambda x: [mean(x)]}),
        "row": Question(("x", "eps"), normalized, {
            "no-eps": lambda x, eps: normalized(x, 0),
            "outside": lambda x, eps: divided(centred(x), std(x) + eps),
            "unbiased": lambda x, eps: divided(centred(x), math.sqrt(unbiased(x) + eps)),
            "no-root": lambda x, eps: divided(centred(x), var(x) + eps),
            "sign": lambda x, eps: [-value for value in normalized(x, eps)],
            "rms": lambda x, eps: divided(x, math.sqrt(mean_square(x) + eps)),
        }, {"#x": lambda x, eps: [len(x)], "#x - 1": lambda x, eps: [len(x) - 1], "var": lambda x, eps: [var(x)],
            "eps": lambda x, eps: [eps]}),
    },
    "axis": {
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
    },
    "residual": {
        "silent": None,
        "dropout": Question(("x", "u", "rate", "mask"), lambda x, u, rate, mask: plus(x, dropped(u, mask, rate)), {
            "unscaled": lambda x, u, rate, mask: plus(x, times(u, mask)),
            "sum": lambda x, u, rate, mask: dropped(plus(x, u), mask, rate),
            "sum-unscaled": lambda x, u, rate, mask: times(plus(x, u), mask),
            "none": lambda x, u, rate, mask: plus(x, u),
            "x": lambda x, u, rate, mask: x,
            "swapped": lambda x, u, rate, mask: plus(x, dropped(u, [1 - keep for keep in mask], rate)),
            "all": lambda x, u, rate, mask: plus(x, divided(u, 1 - rate)),
            "times": lambda x, u, rate, mask: plus(x, [(1 - rate) * value for value in times(u, mask)]),
            "by-p": lambda x, u, rate, mask: plus(x, divided(times(u, mask), rate)),
            "no-skip": lambda x, u, rate, mask: dropped(u, mask, rate),
        }, {"rate": lambda x, u, rate, mask: [rate], "1 - rate": lambda x, u, rate, mask: [1 - rate],
            "mask": lambda x, u, rate, mask: mask}, {"by-p": lambda x, u, rate, mask: rate != 0.5}),
        "narrow": Question(("x.shape", "u.shape"), lambda x, u: "error", {
            "filled": lambda x, u: shape(*x),
            "cut": lambda x, u: shape(*u),
            "joined": lambda x, u: shape(x[0], x[1], x[2] + u[2]),
        }, {"F": lambda x, u: [x[2]], "F - 1": lambda x, u: [u[2]]}),
        "single": Question(("x.shape", "u.shape"), lambda x, u: shape(*x), {
            "error": lambda x, u: "error",
            "one": lambda x, u: shape(*u),
            "joined": lambda x, u: shape(x[0], x[1], x[2] + 1),
        }, {"F": lambda x, u: [x[2]]}),
        "back": Question(("y", "u", "v"), lambda y, u, v: [a - b - c for a, b, c in zip(y, u, v)], {
            "second": lambda y, u, v: [a - c for a, c in zip(y, v)],
            "first": lambda y, u, v: [a - b for a, b in zip(y, u)],
            "added": lambda y, u, v: plus(y, u, v),
            "end": lambda y, u, v: y,
            "updates": lambda y, u, v: plus(u, v),
        }),
        "change": Question(("s", "n"), lambda s, n: (1 + s) ** n, {
            "plain": lambda s, n: s ** n,
            "added": lambda s, n: 1 + n * s,
            "one": lambda s, n: 1,
            "layer": lambda s, n: 1 + s,
            "many": lambda s, n: (1 + s) * n,
        }, {"s": lambda s, n: [s], "n": lambda s, n: [n]}),
    },
    "which-axis": {
        "token-bug": None,
        "order": None,
        "name-it": Choice(bug_named),
        "mend": Program(RIGHT_PROGRAM, {
            "batch": program(over='{ "batch" }'),
            "token": program(over='{ "token" }'),
            "all": program(over='"all"'),
            "batch-token": program(over='{ "batch", "token" }'),
            "token-feature": program(over='{ -1, -2 }'),
            "batch-feature": program(over='{ "batch", "feature" }'),
            "var-only": program(var='{ "batch" }'),
            "mean-only": program(mean='{ "batch" }'),
        }),
    },
}


def typed(value):
    """An answer as a learner types it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return " ".join(typed(part) for part in value)
    return f"{value:.7g}"


def close(shown, wanted):
    """Is what is shown the number meant, to the digits that are shown?"""
    return len(shown) == len(wanted) and all(
        a == b or abs(a - b) <= max(1e-3 * abs(b), 6e-4 if abs(b) > 0.01 else 0) for a, b in zip(shown, wanted))


def question_numbers(step, question, text):
    """What the learner sees in the question's text, as the formulas take it; None while it is not there."""
    pieces = re.split(r"(\{[^{}]+\})", step.text)
    last = max(i for i, piece in enumerate(pieces) if piece.startswith("{") and holes(piece)[0] in question.reads)
    found = filled("".join(pieces[:last + 1]) + pieces[last + 1][:40], text)
    return found and [found[name] if len(found[name]) > 1 else found[name][0] for name in question.reads]
