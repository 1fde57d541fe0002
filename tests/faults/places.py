"""Every kind of step of lessons/troubles.lua, as the tests of the worker's death go there in a terminal."""

import contextlib
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "terminal"))
from terminal import (BACKSPACE, CTRL_C, CTRL_Z, DOWN, ENTER, ESC, F1, F2, LEFT, NORMTUTOR, RIGHT, TAB,
                      Terminal)

TROUBLES = HERE + "/lessons/troubles.lua"
LOOP, MEMORY, PATTERN, RUBBISH = range(4)


class Place:
    """A kind of step. `ready`: the learner has turned or typed something; `turn` then has the worker do something."""

    def __init__(self, name, words, ready, turn, turned, step=None, arrive=(), arrived=()):
        self.name, self.words, self.step = name, words, step or name
        self.arrive, self.arrived = arrive, arrived
        self.ready, self.is_ready = ready
        self.turn, self.turned = turn, turned

    def open(self, program=NORMTUTOR, home=None):
        return Terminal(["play", TROUBLES, "--step", self.step, "--seed", "5"], program=program, home=home)

    def get_ready(self, terminal):
        terminal.wait(self.words)
        terminal.send(*self.arrive)
        terminal.wait(*self.arrived)
        terminal.send(*self.ready)
        terminal.wait(self.is_ready)

    def trouble(self, which):
        """(keys that set the stage, keys that have the worker get into that trouble)."""
        if self.step in ("tell", "code") or self.name == "travelled":
            return ["]" * (which + 1)], [" "]
        if self.step in ("choice", "travel"):
            return [str(which + 3)], [ENTER]
        number = ("1001", "1002", "1003", "666")[which]
        typed = self.ready[0]
        return [BACKSPACE * len(typed), number + (" 0 0" if self.step == "tensor" else "")], [ENTER]

    def after_trouble(self, which):
        """The keys back from the stage of that trouble to where `turn` turns."""
        if self.step in ("tell", "code") or self.name == "travelled":
            return ["[" * (which + 1)]
        if self.step in ("choice", "travel"):
            return ["2"]
        return [BACKSPACE * 10, *self.ready]


PLACES = [
    Place("tell", "The row", ([RIGHT], "times 3 "), [RIGHT], "times 4 "),
    Place("number", "What is the sum", (["7"], "› 7"), [ENTER], "✗"),
    Place("tensor", "Twice", (["1 2 3"], "= 1  2  3"), [ENTER], "✗"),
    Place("shape", "How many axes", (["7 7"], "= (7, 7)"), [ENTER], "✗"),
    Place("choice", "Which is it", ([DOWN, DOWN], "› 2"), [ENTER], "It is the first"),
    Place("travel", "What becomes", ([DOWN, DOWN], "› 2"), [ENTER], "It is multiplied"),
    Place("travelled", "What becomes", ([LEFT], "gain     8 "), [LEFT], "gain     7 ", step="travel",
          arrive=["1", ENTER], arrived=["Nine times", "gain     9 "]),
    Place("hidden", "Guess the largest", (["7"], "› 7"), [ENTER], "The answer"),
    Place("code", "Mend it", ([RIGHT], "times 3 "), [RIGHT], "times 4 "),
]


@contextlib.contextmanager
def everywhere(program=NORMTUTOR):
    """A terminal at each of the places, ready: [(place, terminal)]."""
    with contextlib.ExitStack() as stack:
        there = []
        for place in PLACES:
            terminal = stack.enter_context(place.open(program))
            there.append((place, terminal))
        for place, terminal in there:
            place.get_ready(terminal)
        yield there


def picture(terminal):
    """The screen once it stands still: without a notice, without what is marked for a moment."""
    terminal.send(F1)
    terminal.wait("back to the lesson")
    terminal.send(F1)
    terminal.wait_gone("back to the lesson")
    terminal.until(lambda text: "*" not in text, "the marks to go")
    return terminal.settle(0.05)


def gone(pid, seconds=10):
    """Does the process end?"""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.005)
    return False
