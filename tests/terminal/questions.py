"""What the tests know of the lessons: their words, which come from the lessons' files, and how their questions are answered,
worked out in Python from the numbers that the learner sees (answers/)."""

import importlib
import re

from terminal import ROOT

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


# ---- the questions ----

def course():
    """The lessons' ids, in the course's order."""
    with open(ROOT + "/lessons/course.lua", encoding="utf-8") as file:
        listed = re.search(r"lessons\s*=\s*\{(.*?)\}", file.read(), re.S)[1]
    return re.findall(r'"([\w-]+)"', listed)


LESSONS = course()
QUESTIONS = {lesson: importlib.import_module("answers." + lesson.replace("-", "_")).ANSWERS for lesson in LESSONS}


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
