"""view.stack: the norms of the stream forward, those of the gradient back, branches switched off, 64 layers deep."""

import re
import unittest

from talk import Plain
from terminal import RIGHT, ROOT, TAB
from test_learner import Base, row_numbers

STAGES = ROOT + "/tests/screens/lessons/stages.lua"
HOME = "\x1bOH"


class Stack(Base, unittest.TestCase):
    def at_stack(self, **environment):
        screen = self.open("play", STAGES, "--step", "stack", "--seed", "3", **environment)
        screen.wait("gradient", "update", "Esc ")
        screen.settle()
        return screen

    def test_forward_and_back(self):
        screen = self.at_stack()
        screen.send(HOME, RIGHT, RIGHT, RIGHT)
        screen.until(lambda text: re.search(r"depth +4 ", text) and "more" not in text, "four layers")
        screen.settle()
        streams, gradients = row_numbers(screen, "length"), row_numbers(screen, "gradient")
        self.assertEqual((len(streams), len(gradients)), (5, 5))
        for stage in range(1, 10):
            screen.send(".")
            forward, back = min(stage, 4), max(stage - 4, 0)
            screen.until(lambda _: row_numbers(screen, "length") == streams[:forward + 1] and
                         row_numbers(screen, "gradient") == gradients[5 - back:], f"stage {stage}")
        screen.send(",", ",")
        screen.until(lambda _: row_numbers(screen, "gradient") == gradients[2:], "the gradient two points short of the start")
        self.leave(screen)

    def test_a_branch_off_lets_both_pass(self):
        screen = self.at_stack()
        screen.send(TAB, RIGHT, "x")
        screen.wait("▸2", "✕ off")
        screen.settle()
        for name in ("length", "gradient"):
            numbers = row_numbers(screen, name)
            self.assertEqual(numbers[1], numbers[2], name)
        self.assertEqual(row_numbers(screen, "update")[1], 0)
        self.leave(screen)

    def test_the_last_of_64_layers(self):
        screen = self.at_stack()
        screen.wait(" more")
        screen.send(TAB, *[RIGHT] * 63)
        screen.wait("▸64")
        screen.send("=")
        screen.wait_notice("stream: ")
        screen.send("=", "=")
        screen.wait_notice("gradient: ")
        self.leave(screen)

    def test_in_ascii_without_colour(self):
        screen = self.at_stack(LC_ALL="C", NO_COLOR="1")
        screen.wait("<-", ">1", "x-+", "+- F -")
        self.assertNotRegex(screen.raw.decode("latin-1"), r"\x1b\[[0-9;]*3[0-9]m")
        self.leave(screen)


class Wide(Stack):
    columns, rows = 120, 32


class InPlainLines(unittest.TestCase):
    def test_a_deep_one_is_read_by_its_ends(self):
        with Plain(("play", STAGES, "--plain", "--step", "stack", "--seed", "3")) as tutor:
            said = tutor.say("off 40")
            self.assertTrue(said.startswith("Layer 40: branch off (was on).\n"), said)
            self.assertEqual(re.findall(r"(?m)^  Layer (\d+)", said), ["1", "2", "40", "64"])
            self.assertIn('60 more layers are not read here; "view all" reads them.', said)
            self.assertEqual(len(re.findall(r"(?m)^  Layer (\d+)", tutor.say("view all"))), 64)
            self.assertNotRegex(tutor.say("stage 3"), r"(?m)^  Layer \d+[^:]*: \.$")
            self.assertTrue(tutor.say("stage 3").startswith("stage 3 of 129: layer 3.\n"))
            self.assertTrue(tutor.say("reset").startswith("Reset: stage, branches.\n"))

    def test_in_words(self):
        with Plain(("play", STAGES, "--plain", "--step", "stack", "--seed", "3")) as tutor:
            self.assertRegex(tutor.all.decode(), r"Layer 64: length of the stream [\d.]+, update over stream [\d.]+, length of the gradient [\d.]+\.")
            tutor.say("depth 3")
            said = tutor.say("final on")
            self.assertIn("Each layer: x + F(LN(x)), and a final norm at the end.", said)
            self.assertRegex(said, r"Norm of the stream before the first layer [\d.]+, of the gradient there [\d.]+\.")
            self.assertRegex(said, r"Length after the final norm [\d.]+, of the gradient there [\d.]+\.")
            self.assertIn("Each layer: LN(x + F(x))", tutor.say("order post"))
            self.assertIn("Each layer: x + F(x)", tutor.say("order none"))
            self.assertRegex(tutor.say("rate 0.5"), r"Layer 1 \(you look here\): .*share of the update kept [\d.]+ %, length of the gradient")
            self.assertIn("Layer 2, branch off: ", tutor.say("off 2"))
            self.assertNotIn("length of the gradient", tutor.say("stage 3"))
            self.assertRegex(tutor.say("stage 4"), r"Layer 3: .*length of the gradient")
            self.assertNotRegex(tutor.say("view"), r"Layer 2, branch off: .*length of the gradient")
            status, _, errors = tutor.end()
            self.assertEqual((status, errors), (0, ""))


if __name__ == "__main__":
    unittest.main()
