"""view.pipeline, stage by stage: where the cursor stands, what is lit, and the formula with the numbers put in."""

import math
import re
import unittest

from talk import Plain
from terminal import DOWN, LEFT, RIGHT, ROOT, UP
from test_learner import Base

STAGES = ROOT + "/tests/screens/lessons/stages.lua"
NUMBER = r"-?\d[\d.]*(?:e-?\d+)?"


def lit(screen, opening="‹", closing="›"):
    """(row, number) of what stands between these marks in the table; the bars below begin with their own x1."""
    found = []
    for line in screen.lines:
        label = re.search(r"(?:^|│ ?)[ ▸>]*(x\d+|mean) ", line)
        if label and not re.search(r"[█#]", line):
            found += [(label[1], float(number)) for number in re.findall(re.escape(opening) + f"({NUMBER})" + re.escape(closing), line)]
    return found


def stages_of(x, feature, eps=1e-5):
    """What each stage shows of a token, by Python: (number under the cursor, those that it comes from, formula)."""
    n = len(x)
    mean = sum(x) / n
    centred = [value - mean for value in x]
    squared = [value * value for value in centred]
    var = sum(squared) / n
    rstd = 1 / math.sqrt(var + eps)
    at, here = feature - 1, f"x{feature}"
    every = [f"x{i + 1}" for i in range(n)]
    yield (here, x[at]), [], f"x{feature} ="
    yield ("mean", mean), list(zip(every, x)), "mean = sum of x / n ="
    yield (here, centred[at]), [(here, x[at]), ("mean", mean)], f"centred {feature} = x{feature} − mean ="
    yield (here, squared[at]), [(here, centred[at])], f"squared {feature} = (centred {feature})² ="
    yield ("mean", var), list(zip(every, squared)), "var = sum of squared / n ="
    yield ("mean", rstd), [("mean", var)], "1/√(var+ε) = 1/√("
    yield (here, centred[at] * rstd), [(here, centred[at]), ("mean", rstd)], f"normalized {feature} = centred {feature} × 1/√(var+ε) ="


def same(got, wanted):
    return sorted(label for label, _ in got) == sorted(label for label, _ in wanted) and all(
        any(label == other and abs(number - value) <= 2e-3 * abs(value) + 1e-9 for other, number in got) for label, value in wanted)


class Pipeline(Base, unittest.TestCase):
    def stepped_to(self, screen, stage):
        cursor, sources, formula = stage
        screen.until(lambda text: formula in text, formula)
        screen.settle()
        self.assertTrue(same(lit(screen, "[", "]"), [cursor]), (cursor, screen.text))
        self.assertTrue(same(lit(screen), sources), (sources, screen.text))
        written = next(line for line in screen.lines if formula in line)
        self.assertRegex(written, re.escape(f"{lit(screen, '[', ']')[0][1]:g}") + "$")
        self.assertNotIn("*", screen.text, "a number that was not there before is marked as changed")

    def test_a_token_goes_through_every_stage_and_back(self):
        screen = self.open("play", STAGES, "--step", "pipeline")
        screen.wait("normalized", "1.4", "Esc ", ", . stage")
        self.assertEqual(lit(screen), [])
        stages = list(stages_of([1, 7, 9, 15], 2))
        for stage in stages:
            screen.send(".")
            self.stepped_to(screen, stage)
        for stage in reversed(stages[:-1]):
            screen.send(",")
            self.stepped_to(screen, stage)
        screen.send(",")  # the whole again
        screen.until(lambda text: "1.4" in text and "x2 =" not in text, "the whole")
        self.assertEqual(lit(screen), [])
        screen.send(",")  # and from its other end
        self.stepped_to(screen, stages[-1])
        self.leave(screen)

    def test_the_cursor_goes_along_the_features(self):
        screen = self.open("play", STAGES, "--step", "pipeline")
        screen.wait("normalized", "1.4", "Esc ")
        screen.send(".", ".", ".", RIGHT)
        self.stepped_to(screen, list(stages_of([1, 7, 9, 15], 3))[2])
        screen.send(DOWN)
        self.stepped_to(screen, list(stages_of([1, 7, 9, 15], 4))[2])
        screen.send(UP, LEFT, LEFT)
        self.stepped_to(screen, list(stages_of([1, 7, 9, 15], 1))[2])
        screen.send("=")
        screen.wait_notice("x1, centred: -7")
        screen.send("e")
        screen.wait("x[1] = ")
        screen.send("5\r")
        screen.wait("centred 1 = x1 − mean = 5 − 9 = -4")
        self.leave(screen)

    def test_several_tokens(self):
        screen = self.open("play", STAGES, "--step", "long", "--seed", "3")
        screen.wait("token 2", "normalized", "Esc ")
        x = [float(number) for number in re.findall(r"x\d\s+(-?[\d.]+)", screen.text.split("mean")[0])]
        self.assertEqual(len(x), 9)
        screen.send(".", ".", ".", ".", ".", ".", ".")
        self.stepped_to(screen, list(stages_of(x, 8, 0.01))[6])
        self.leave(screen)

    def test_scale_and_bias(self):
        screen = self.open("play", STAGES, "--step", "affine")
        screen.wait("+ bias", "1.4", "Esc ")
        screen.send(",")
        self.stepped_to(screen, (("x3", 0.05), [("x3", -0.2)], "shifted 3 = scaled 3 + bias 3 = -0.2 + 0.25 ="))
        screen.send(",")
        self.stepped_to(screen, (("x3", -0.2), [("x3", 0.2)], "scaled 3 = normalized 3 × scale 3 = 0.2 × (-1)"))
        self.leave(screen)

    def test_what_is_hidden_stays_so(self):
        screen = self.open("play", STAGES, "--step", "hidden")
        screen.wait("What is the variance?", "out of the field")
        screen.send("\t", ".", ".", ".", ".", ".")
        screen.wait("var = ?", "‹49›")
        screen.send(".")
        screen.wait("1/√(var+ε) = ?")
        screen.send(".")
        screen.wait("normalized 1 = ?")
        self.assertNotIn("25", screen.text)
        self.leave(screen)


class Wide(Pipeline):
    columns, rows = 120, 32


class Ascii(Base, unittest.TestCase):
    def test_lit_without_colour_and_in_ascii(self):
        screen = self.open("play", STAGES, "--step", "pipeline", LC_ALL="C", NO_COLOR="1")
        screen.wait("normalized", "1.4", "Esc ")
        screen.send(".", ".", ".")
        screen.wait("centred 2 = x2 - mean = 7 - 8 = -1")
        self.assertEqual(lit(screen, "<", ">"), [("x2", 7), ("mean", 8)])
        self.assertEqual(lit(screen, "[", "]"), [("x2", -1)])
        self.leave(screen)


class InPlainLines(unittest.TestCase):
    def test_a_sentence_says_from_what_the_number_comes(self):
        with Plain(("play", STAGES, "--plain", "--step", "pipeline")) as tutor:
            self.assertNotIn("under the cursor", tutor.all.decode())
            self.assertIn("stage N", tutor.all.decode())
            said = tutor.say("stage 3")
            self.assertIn("The number under the cursor: centred 2 = x2 - mean = 7 - 8 = -1.", said)
            self.assertNotIn("normalized", said.split("\n  x")[1])
            self.assertIn("The number under the cursor: centred 4 = x4 - mean = 15 - 8 = 7.", tutor.say("feature 4"))
            self.assertIn("The number under the cursor: mean = sum of x / n = (1 + 7 + 9 + 15) / 4 = 8.", tutor.say("stage 2"))
            self.assertIn("You look here: mean 8.", tutor.say("view"))
            self.assertNotIn("under the cursor", tutor.say("stage 0"))
            status, _, errors = tutor.end()
            self.assertEqual((status, errors), (0, ""))


if __name__ == "__main__":
    unittest.main()
