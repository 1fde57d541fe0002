"""What the tests know of the two lessons: how each question is answered right, and how each of its mistakes is made,
worked out here in Python from the numbers that the learner sees. The words come from the lessons' files."""

import collections
import math
import re

from terminal import ROOT

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
            made += r"(\[[^\]]*\]|[-\u2212]?\d[\d.e+-]*\d|\S+?)"
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
}


def typed(value):
    """An answer as a learner types it."""
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
    return found and [found[name] if name == "x" else found[name][0] for name in question.reads]
