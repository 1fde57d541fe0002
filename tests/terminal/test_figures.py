"""The figures that the curriculum gives for its fixed examples are what the lessons' own views and answers say."""

import functools
import itertools
import math
import re
import tempfile
import unittest

from questions import QUESTIONS, centred, close, divided, filled, flat, numbers, question_numbers, read_lesson, shape, std, typed, unbiased, var
from talk import tutor

SEEDS = 3000  # until the example is what is asked about
BY_HAND, BY_HAND_NORMALIZED = (1, 3, 5, 9, 12), [-1.25, -0.75, -0.25, 0.75, 1.5]


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
        if tuple(map(tuple, about)) == wanted:
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


class Normalize(Figures):
    def test_the_page_s_own_row(self):
        frame = show("normalize", "columns")
        self.assert_close([row(frame, name)[-1] for name in ("x1", "x2", "x3")], [-1.225, 0, 1.225])

    def test_the_variance_by_hand(self):
        self.check("normalize", "variance", (BY_HAND,), 16, {"unbiased": 20, "deviation": 4, "sum": 80, "uncentred": 52})

    def test_the_row_by_hand(self):
        c, v = centred(BY_HAND), var(BY_HAND)
        self.check("normalize", "vector", (BY_HAND,), BY_HAND_NORMALIZED, {
            "unbiased": divided(c, math.sqrt(unbiased(BY_HAND))), "no-root": divided(c, v), "uncentred": divided(BY_HAND, std(BY_HAND)),
            "sign": [-value for value in BY_HAND_NORMALIZED],
        })

    def test_the_largest_of_four(self):
        frame = show("normalize", "far", "--answer", "limit", "--set", "far=1e6")
        (shown,) = re.findall(r"-0\.577, -0\.577, -0\.577, ([\d.]+)\]", frame)
        self.assert_close([float(shown)], [math.sqrt(3)])
        self.assertIn("Right.", frame)


class Epsilon(Figures):
    def test_the_deviation_afterwards(self):
        frame = show("epsilon", "curve", "--set", "s=1")
        self.assert_close(row(frame, "s")[:4], [1, 0.01, math.sqrt(1e-5), 0.001])
        self.assert_close(row(frame, "deviation after")[:4], [1, 0.953, 0.7071, 0.3015])

    def test_a_quiet_token(self):
        found = re.search(r"the quiet token (\[.*?\]) gives (\[.*?\])", flat(show("epsilon", "three")))
        self.assertEqual(numbers(found[1]), [0.001, 0.002, 0.004])
        self.assert_close(numbers(found[2]), [-0.392, -0.098, 0.490])

    def test_a_constant_token(self):
        self.check("epsilon", "flat", ((5, 5, 5),), [0, 0, 0], {"nan": [math.nan] * 3, "ones": [1, 1, 1]})


class Axis(Figures):
    def test_how_many_share_a_mean(self):
        for over, means, kept in (("feature", 6, (2, 3, 1)), ("batch-token", 4, (1, 1, 4)), ("batch", 12, (1, 3, 4)), ("token", 8, (2, 1, 4)),
                                  ("token-feature", 2, (2, 1, 1)), ("all", 1, (1, 1, 1))):
            with self.subTest(over=over):
                frame = show("axis", "three-axes", "--set", "over=" + over)
                self.assertRegex(frame, re.escape(shape(*kept)) + rf" +{means} ")
                self.assertEqual(frame.count("‹") + 1, 24 // means + frame.count("‹ "), "how many are lit")

    def test_the_number_of_means(self):
        self.check("axis", "count", ((2, 3, 4),), 6, {
            "batch-token": 4, "batch": 12, "token": 8, "samples": 2, "one": 1, "positions": 3, "every": 24,
        })

    def test_their_shape(self):
        self.check("axis", "kept", ((2, 3, 4),), "(2, 3, 1)", {"dropped": "(2, 3)", "feature": "(4,)", "batch-token": "(1, 1, 4)"})
        self.assertIn("x, (2, 3, 4), has means of the shape (2, 3, 1).", flat(show("axis", "kept", "--give-up")))

    def test_what_is_learned(self):
        self.check("axis", "parameters", ((2, 3, 4),), 8, {"one": 4, "tokens": 24, "every": 48})
        self.assertIn("x of shape (2, 3, 4) needs 8.", flat(show("axis", "parameters", "--give-up")))

    def test_tokens_first(self):
        frame = show("axis", "layout", "--answer", "no")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "difference"), [0, 0, 0, 0])


class Residual(Figures):
    def test_shapes(self):
        self.check("residual", "narrow", ((2, 3, 4), (2, 3, 3)), "error", {"filled": "(2, 3, 4)"})
        self.check("residual", "single", ((2, 3, 4), (2, 3, 1)), "(2, 3, 4)", {"error": "error"})
        for update, u, total in (("narrow", "(2, 3, 3)", "error"), ("one", "(2, 3, 1)", "(2, 3, 4)")):
            frame = show("residual", "shapes", "--set", "update=" + update)
            self.assertRegex(frame, r" update +" + re.escape(u))
            self.assertRegex(frame, r"x \+ update +" + re.escape(total))

    def test_dropout_on_the_update(self):
        frame = show("residual", "by-hand")
        self.assertEqual(row(frame, "p")[0], 0.5)
        for label, values in (("x", [1, 2, 3, 4]), ("update", [0.5, -0.5, 1, 0]), ("kept: 1", [1, 0, 0, 0]), ("x + that", [2, 2, 3, 4])):
            self.assertRegex(frame, r"[│ ] " + re.escape(label) + r" +\[" + ", ".join(rf"{value:g}(\.0+)?" for value in values) + r"\]")

    def test_a_sublayer_that_returns_nothing(self):
        frame = show("residual", "stream", "--set", "off=1", "--set", "cursor.layer=1")
        self.assertEqual(row(frame, "before"), row(frame, "after"))
        self.assertEqual(set(row(frame, "update")), {0})
        for seed in ("1", "2", "3"):
            frame = show("residual", "silent", "--seed", seed, "--answer", "others", "--set", "silent=on")
            self.assertIn("Right.", frame)
            (layer,) = (int(found) for found in re.findall(r"Layer (\d) breaks", flat(frame)))
            skips, plain = row(frame, "x + F(x)"), row(frame, "F(x)")
            self.assertEqual(skips[layer], skips[layer - 1])
            self.assertEqual(plain[layer:], [0] * (7 - layer))


class WhichAxis(Figures):
    def test_two_tests_and_what_they_see(self):
        seen = {"feature": (0, 0), "token": (0, 1), "token-feature": (0, 1), "batch": (1, 0), "batch-token": (1, 1), "all": (1, 1)}
        for over, moves in seen.items():
            with self.subTest(over=over):
                frame = show("which-axis", "one-thing", "--set", "over=" + over)
                (samples,), (token,) = row(frame, "other samples exchanged"), row(frame, "the next token exchanged")
                self.assertEqual((samples > 0, token > 0), tuple(map(bool, moves)))
                (line,) = re.findall(r"samples: " + ("moves" if moves[0] else "stays") + r"  +(\S.*?)  +(\S.*)", frame)
                name = over.replace("-", ", ")
                self.assertEqual(tuple(map(str.strip, line)), ("-", name) if moves[1] else (name, "-"))

    def test_another_sample_moves_it_a_later_token_does_not(self):
        for seed in itertools.count():
            frame = flat(show("which-axis", "name-it", "--seed", str(seed), "--answer", "batch"))
            if re.search(r"other samples changed ✗ fails moves by [\d.]+ stays", frame) and "a later token changed ✓ passes stays" in frame:
                self.assertIn("Right.", frame)
                return
            self.assertNotIn("Right.", frame)

    def test_another_order_clears_nothing(self):
        frame = show("which-axis", "order", "--answer", "nothing")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "difference"), [0, 0, 0])
        moved = show("which-axis", "experiment", "--set", "over=batch")
        self.assertNotEqual(row(moved, "difference"), [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
