"""One attack: a file of this folder, whose first lines say what must come of it.

    -- What it does, in words.
    --> set: NAME=VALUE, --> answer: TEXT, --> step: ID     how it is shown
    --> says: WORDS             it ends in a message with these words, on a line of the file that ends in "-- here"
    --> says at PLACE: WORDS    … that begins with PLACE (beside the file), or on that line of a program, or (none) on no line
    --> stops                   it ends in the message that the time was up, on a line "-- here"
    --> draws: WORDS            nothing is wrong, and these words are on the page
    --> right, --> wrong        (programs) the verdict
    --> refused: WORDS          (programs) it is not even sent
    --> made: EXPRESSION        (programs, typed) Python's value of it is the program, the line
    --> typed: WORDS            (programs) typed into the scratchpad it ends in a message with these words; "no": it is not typed
"""

import ast
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
STOPPED = re.compile(r"this takes too long and was stopped|[Tt]he computation took longer than 2 s of processor time and was stopped")
BACKSTOP = "did not answer within 10 s"  # the machine is busy: that says nothing about the attack
MIB = 1 << 20
# C0 but the newline, DEL, C1, and what turns the direction of reading.
EVIL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
PLAIN = {"LC_ALL": "C.UTF-8", "TERM": "dumb", "PATH": os.environ.get("PATH", "/usr/bin:/bin")}


def made_of(expression):
    """Text, joined and repeated; or lines of a comprehension."""
    return eval(compile(ast.parse(expression, mode="eval"), "made", "eval"), {"__builtins__": {}, "range": range})


class Attack:
    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, HERE).removesuffix(".lua")
        self.file = os.path.basename(path)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            self.text = file.read()
        self.arguments, self.kind, self.words, self.place, self.typed = [], None, "", None, None
        for line in self.text.split("\n"):
            if not line.startswith("--"):
                break
            if not (said := re.fullmatch(r"--> (\w+)(?: at ([^ ]+))?(?:: (.*))?", line)):
                continue
            kind, place, words = said.groups()
            if kind in ("set", "answer", "step"):
                self.arguments += ["--" + kind, words]
            elif kind == "made":
                self.text = made_of(words)
            elif kind == "typed":
                self.typed = words
            else:
                self.kind, self.words, self.place = kind, words or "", place and place.removesuffix(":")
        assert self.kind, f"{path} does not say what must come of it"
        self.lines = [number for number, line in enumerate(self.text.split("\n"), 1) if line.endswith("-- here")]

    def line(self):
        """All of it on one line, as it is typed."""
        lines = (line.removesuffix("-- here").strip() for line in self.text.split("\n") if not line.startswith("--"))
        return " ".join(filter(None, lines))

    def ends_in_words(self):
        return self.kind in ("says", "stops")

    def is_message(self, text, file=None):
        """Is it the message that must come, at its place?"""
        good = STOPPED.search(text) if self.kind == "stops" else self.words in text
        file = file or self.file
        if self.place == "none":
            return bool(good)
        if self.place and ":" not in self.place and "." not in self.place:
            places = [f"{file}:{self.place}:"]
        elif self.place:
            places = [self.place + ":"]
        elif self.lines:
            places = [f"{file}:{line}:" for line in self.lines]
        else:
            places = [f"{file}:"]
        return bool(good) and any(place in text for place in places)

    def __repr__(self):
        return f"{self.kind}: {self.words} at {self.place or self.lines}"


def attacks_in(folder):
    path = f"{HERE}/{folder}"
    return [Attack(f"{path}/{name}") for name in sorted(os.listdir(path)) if name.endswith(".lua")]


class Outcome:
    """What a command did: its exit status, words, seconds of CPU time (the worker's too), largest resident memory in MiB."""

    def __init__(self, command, folder, home):
        environment = {**PLAIN, "HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_DATA_HOME": home + "/data"}
        with open(os.devnull) as nothing:
            process = subprocess.Popen(command, cwd=folder, env=environment, stdin=nothing, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT)
        with process.stdout:
            self.raw = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        self.status = process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = used.ru_utime + used.ru_stime
        self.mib = used.ru_maxrss * 1024 / MIB
        self.text = self.raw.decode(errors="surrogateescape")


def snapshot(*folders):
    """Everything below, as it is: what must not change."""
    seen = {}
    for folder in folders:
        for at, names, files in os.walk(folder):
            for name in names + files:
                path = os.path.join(at, name)
                state = os.lstat(path)
                seen[path] = (state.st_mode, state.st_size, state.st_mtime_ns, state.st_ino, state.st_nlink)
    return seen
