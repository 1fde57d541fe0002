"""The scratchpad: computed with a step's facts, earlier lines, completion, a result sent into the answer, and attacks."""

import os
import tempfile
import time
import unittest

from talk import Plain, Screen
from terminal import CTRL_C, DOWN, ENTER, ESC, F1, TAB, UP

F3, F5, CLEAR, PAGE_UP = "\x1bOR", "\x1b[15~", "\x05\x15", "\x1b[5~"
ATTACKS = {
    "while true do end": "this takes too long",
    "while true do pcall(function() while true do end end) end": "this takes too long",
    "local t = {} for i = 1, 1e9 do t[i] = {} end": "more memory than it may have",
    "local s = 'x' while true do s = s .. s end": "memory",
    "string.rep('x', 2^40)": "string.rep would make more than",
    "error('\\27]0;owned\\7')": "]0;owned",
    "io.open('/etc/passwd')": "unknown name `io`",
    "os.exit()": "unknown name `os`",
    "(function() return debug end)()": "unknown name `debug`",
    "setmetatable({}, { __gc = print })": "__gc",
}


class Scratchpad(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normtutor-scratch.")
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def open(self, *arguments, columns=80, rows=24):
        screen = Screen(["play", *arguments], columns, rows, home=self.home)
        self.addCleanup(screen.close)
        return screen

    def at_vector(self, **size):
        screen = self.open("normalize", "--step", "vector", "--seed", "3", **size)
        screen.wait("Normalize [3, 9, 11, 17, 20]", "F3 scratchpad")
        screen.send(F3)
        screen.wait("Scratchpad", "At hand: ", "Enter compute")
        return screen

    def compute(self, screen, text, *words, seconds=None):
        screen.send(CLEAR + text + ENTER)
        screen.until(lambda shown: screen.line == "=" and any(line.split("│")[0].strip() == "= " + text for line in screen.lines), text,
                     seconds)
        screen.wait(*words, seconds=seconds)

    def leave(self, screen):
        screen.send(CTRL_C)
        screen.wait_end(0)
        self.assertTrue(screen.restored())

    def test_computed_and_sent_into_the_answer(self):
        screen = self.at_vector()
        self.compute(screen, "x:mean()", "12")
        self.compute(screen, "x", "[3, 9, 11, 17, 20]")
        self.compute(screen, "c", "`c` is not at hand while the question is open")
        self.compute(screen, "answer", "unknown name `answer`")
        self.compute(screen, "sqrt(", "✗ unexpected symbol")
        screen.send(F5)
        screen.wait_notice("There is no result")
        self.compute(screen, "(x - x:mean()) / sqrt(x:var() + 1e-5)", "[-1.500, -0.500, -0.167, 0.833, 1.333]")
        screen.wait("F5 into the answer")
        screen.send(F5)
        screen.wait("› [-1.4999997", "Esc out of the field")
        screen.send(ENTER)
        screen.see(screen.is_right, "right")
        screen.send("s")
        screen.wait("Enter compute")
        self.compute(screen, "c", "[-9, -3, -1, 5, 8]")  # it is answered: all is told
        self.leave(screen)

    def test_earlier_lines_and_names(self):
        screen = self.at_vector()
        self.compute(screen, "1 + 1", "2")
        self.compute(screen, "2 + 2", "4")
        screen.send(UP, UP)
        screen.until(lambda text: screen.line == "= 1 + 1", "the first line")
        screen.send(DOWN, DOWN, "tens" + TAB + ".z" + TAB + "{2}" + ENTER)
        screen.wait("= tensor.zeros{2}", "[0, 0]")
        screen.send("x:me" + TAB + "()" + ENTER)
        screen.wait("= x:mean()", "12")
        screen.send("x:m" + TAB)
        screen.wait("max  mean  min")
        screen.send(ESC)
        screen.wait("Esc out of the field")
        screen.send(F3)
        screen.wait("= x:mean()", "max  mean  min")  # as it was left
        screen.send(ESC)
        screen.wait("Esc out of the field")
        screen.send(ESC, "b")
        screen.wait("step 4 of")
        screen.send("s")
        screen.wait("Scratchpad")
        self.assertNotIn("max  mean  min", screen.text)
        screen.send(UP, UP)
        screen.until(lambda text: screen.line == "= tensor.zeros{2}", "a line of the step before")
        self.leave(screen)

    def test_letters_are_text_and_help_is_there(self):
        screen = self.at_vector()
        screen.send("nhsb?")
        screen.until(lambda text: screen.line == "= nhsb?", "the letters")
        screen.send(F1)
        screen.wait("You are in the scratchpad")
        screen.send(ESC)
        screen.wait("= nhsb?", "Enter compute")
        self.leave(screen)

    def test_with_a_knob_and_a_program(self):
        screen = self.open("epsilon", "--step", "curve", "--seed", "2", columns=120, rows=32)
        screen.wait("step ", "? help")
        screen.send("s")
        screen.wait("Scratchpad", "At hand: ")
        self.compute(screen, "2/3", "0.6667")
        screen.send(F5)
        screen.wait_notice("No answer is to be typed here")
        self.leave(screen)
        screen = self.open("which-axis", "--step", "mend", columns=120, rows=32)
        screen.wait("i edit", "Esc course")
        screen.send("i")
        screen.wait("Ctrl-S run probes")
        screen.send(F3)
        screen.wait("Scratchpad")
        self.compute(screen, "bug", "`bug` is a word, and not at hand")
        screen.send(ESC)
        screen.wait("Ctrl-S run probes")
        self.leave(screen)

    def test_resized(self):
        screen = self.at_vector()
        for columns, rows in ((120, 32), (40, 12), (39, 11), (200, 50), (80, 24)):
            screen.resize(columns, rows)
            screen.settle()
            if columns >= 40:
                self.compute(screen, f"{columns} * 10", str(columns * 10))
        screen.send(PAGE_UP)
        screen.settle()
        self.leave(screen)

    def test_attacks_end_in_a_line(self):
        screen = self.at_vector()
        for text, words in ATTACKS.items():
            with self.subTest(text):
                self.compute(screen, text, words)
                self.assertNotIn(b"\x1b]0;owned", screen.raw)
        self.compute(screen, "x:mean()", "12")
        screen.send(ESC)
        screen.wait("Esc out of the field")
        screen.send("1 2 3 4 5" + ENTER)
        screen.wait("✗")
        self.leave(screen)

    def test_given_up_by_a_key(self):
        screen = self.at_vector()
        screen.send("while true do end" + ENTER)
        screen.wait("stop computing")
        screen.send(ESC)
        screen.wait_notice("Given up")
        screen.wait("✗ Given up")
        self.compute(screen, "1 + 1", "2")
        self.leave(screen)

    def test_a_worker_that_dies_is_replaced(self):
        screen = self.at_vector()
        (worker,) = screen.workers()
        os.kill(worker, 9)
        time.sleep(0.2)
        self.compute(screen, "x:mean()", "12")
        self.leave(screen)


class InPlainLines(unittest.TestCase):
    def test_computed(self):
        with Plain(["play", "normalize", "--step", "vector", "--seed", "3", "--plain"]) as plain:
            self.assertEqual(plain.say("= x:mean()").strip(), "12")
            self.assertEqual(plain.say("=1, 2").strip(), "1\t2")
            for text, words in ATTACKS.items():
                plain.say("= " + text)
                plain.see_words(words)
            self.assertNotIn(b"\x1b", plain.all)
            plain.say("= c")
            plain.see_words("not at hand")
            plain.say("=")
            plain.see_words("Type an expression")
            self.assertEqual(plain.say("= x:mean()").strip(), "12")
            self.assertEqual(plain.end()[0], 0)


if __name__ == "__main__":
    unittest.main()
