"""For the tests of the figures that the curriculum gives for its fixed examples (test_figures_*): are they what the lessons' own
views and answers say?"""

import functools
import re
import tempfile
import unittest

from questions import QUESTIONS, close, filled, flat, numbers, question_numbers, read_lesson, typed
from talk import tutor

SEEDS = 3000  # until the example is what is asked about


@functools.lru_cache(maxsize=None)
def steps(lesson):
    return {step.id: step for step in read_lesson(lesson)}


def show(lesson, step, *more):
    """The frame, with the whole view above the whole text."""
    with tempfile.TemporaryDirectory(prefix="normtutor-home.") as home:
        done = tutor("show", lesson, "--step", step, "--size", "80x60", *more, home=home)
    if done.returncode != 0:
        raise AssertionError(f"show {lesson} {step} {more}: {done.stderr}")
    return done.stdout


@functools.lru_cache(maxsize=None)
def seed_of(lesson, step, *wanted):
    """A seed with which the question is about the numbers wanted."""
    for seed in map(str, range(SEEDS)):
        about = question_numbers(steps(lesson)[step], QUESTIONS[lesson][step], flat(show(lesson, step, "--seed", seed)))
        if tuple(tuple(value) if isinstance(value, list) else value for value in about) == wanted:
            return seed
    raise AssertionError(f"{lesson} {step} never asks about {wanted}")


def row(frame, label):
    """The numbers after a label of the view."""
    return numbers(re.search(r"^[ ▸]*" + re.escape(label) + r"  +(.*)", frame, re.M)[1])


class Figures(unittest.TestCase):
    def assert_close(self, shown, wanted):
        self.assertTrue(close(shown, wanted), f"{shown} is not {wanted}")

    def ask(self, lesson, step, *about):
        """The question about these very numbers: a function from an answer to the frame."""
        seed = seed_of(lesson, step, *about)
        return lambda answer: flat(show(lesson, step, "--seed", seed, "--answer", typed(answer)))

    def check(self, lesson, step, about, right, wrong):
        """wrong: answer -> the mistake by which it is known."""
        ask = self.ask(lesson, step, *about)
        self.assertIn("Right.", ask(right))
        for mistake, answer in wrong.items():
            self.assertIsNotNone(filled(steps(lesson)[step].says[mistake], ask(answer)), f"{answer} is not known as {mistake}")
