"""The tutor's own editor: a program typed, pasted, undone, saved as it is typed, and never lost."""

import glob
import os
import signal
import tempfile
import time
import unittest

from talk import Screen
from terminal import CTRL_C, CTRL_Z, DOWN, ENTER, ESC, F1, F2, LEFT, PATIENCE, RIGHT, ROOT, TAB, UP

MEND = ROOT + "/tests/terminal/lessons/mend.lua"
CTRL_E, CTRL_R, CTRL_S, CTRL_U, CTRL_Y, CTRL__ = "\x05", "\x12", "\x13", "\x15", "\x19", "\x1f"
CTRL_HOME, CTRL_END, CTRL_LEFT, HOME, END = "\x1b[1;5H", "\x1b[1;5F", "\x1b[1;5D", "\x1b[1~", "\x1b[4~"
DELETE, BACKTAB = "\x1b[3~", "\x1b[Z"


def paste(text):
    return "\x1b[200~" + text.replace("\n", "\r") + "\x1b[201~"


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="normtutor-pane.")
        self.addCleanup(self.folder.cleanup)
        self.home = self.folder.name + "/home"
        os.mkdir(self.home)

    def open(self, *arguments, columns=80, rows=24, **environment):
        screen = Screen(["play", *arguments], columns, rows, home=self.home, environment=environment)
        self.addCleanup(screen.close)
        return screen

    def at_program(self, **environment):
        """In the editor, the caret at the start."""
        screen = self.open(MEND, "--step", "batch", "--seed", "7", **environment)
        screen.wait("i edit", "Esc ")
        screen.send("i")
        screen.wait("Ctrl-S run probes")
        return screen

    def program(self):
        return f"{self.home}/state/normtutor/work/alone/mend/batch.7/layer_norm.lua"

    def text(self, path=None):
        with open(path or self.program(), newline="") as file:
            return file.read()

    def beside(self):
        return sorted(os.path.basename(path) for path in glob.glob(os.path.dirname(self.program()) + "/{*,.*}") +
                      glob.glob(os.path.dirname(self.program()) + "/*"))

    def until(self, screen, condition, what):
        limit = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), limit, f"waited in vain for {what}; the screen is\n{screen.text}")
            screen.read(0.02)

    def until_saved(self, screen, text):
        self.until(screen, lambda: self.text() == text, f"{text!r} in the file, which is {self.text()!r}")

    def leave(self, screen):
        screen.send(CTRL_C)
        screen.wait_end(0)
        self.assertTrue(screen.restored(), "the terminal is not as it was")
        self.assertGreater(screen.raw.rfind(b"\x1b[?2004l"), screen.raw.rfind(b"\x1b[?2004h"))


class Writing(Base):
    def test_typed_undone_and_done_again(self):
        screen = self.at_program()
        start = self.text()
        screen.send("local n = 1", ENTER)
        screen.wait("1  local n = 1", "2  -- Normalize", "edited  line 2 of 9")
        self.until_saved(screen, "local n = 1\n" + start)
        screen.send(CTRL__, CTRL__)
        screen.wait("1  local n = ")
        screen.send(CTRL_U * 10)
        screen.wait("1  -- Normalize", "line 1 of 8")
        screen.wait_gone("edited")
        self.until_saved(screen, start)
        screen.send(CTRL_Y * 20)
        self.until_saved(screen, "local n = 1\n" + start)
        self.assertEqual(self.beside(), ["layer_norm.lua"])
        self.leave(screen)

    def test_the_keys_of_an_editor(self):
        screen = self.at_program()
        screen.send(CTRL_END, "if x then", ENTER, TAB, "y()", ENTER, "é漢", LEFT, "_", END, ENTER, BACKTAB, "ende", "\x7f")
        screen.wait("line 11 of 11")
        self.until(screen, lambda: self.text().endswith("if x then\n  y()\n  é_漢\nend"), "the text")
        screen.send(UP, HOME, DELETE, CTRL_LEFT, CTRL_LEFT, "z", CTRL_HOME, DOWN, RIGHT, "!")
        self.until(screen, lambda: self.text().endswith("if x then\n  zy()\n  _漢\nend") and "\nf!unction" in self.text(), "the moves")
        screen.send("\x1b[6~" * 3)
        screen.wait("line 11 of 11")
        self.leave(screen)

    def test_letters_are_text_and_escape_comes_out(self):
        screen = self.at_program()
        screen.send("bnhsx?0 ")
        screen.wait("1  bnhsx?0 -- Normalize")
        screen.send(F1)
        screen.wait("You are writing the program.")
        screen.send(ESC)
        screen.wait("1  bnhsx?0 -- Normalize", "Ctrl-S")
        screen.send(F2)
        screen.wait("Look at over")
        screen.send(ESC)
        screen.wait("i edit")
        self.assertIn("bnhsx?0 -- Normalize", self.text())  # leaving saves at once
        screen.send(TAB)
        screen.wait("Ctrl-S run probes")
        screen.send(ESC, ESC)
        screen.wait_end(0)

    def test_200_lines_are_pasted_at_once(self):
        screen = self.at_program()
        start = self.text()
        lines = "".join(f"  local v{i} = {i} -- ε\n" for i in range(1, 201))
        screen.send(CTRL_END, paste("\x07\x1b[31m" + lines))
        screen.wait("line 208 of 208", "207    local v200 = 200 -- ε")
        self.until_saved(screen, start + "[31m" + lines)
        screen.send(CTRL__)
        screen.wait("line 8 of 8")
        self.until_saved(screen, start)
        self.leave(screen)

    def test_a_paste_that_comes_in_pieces(self):
        screen = self.at_program()
        for piece in ("\x1b[200~a", "b\r", "  c", "\x1b[201~"):
            screen.send(piece)
            screen.settle(0.1)
        screen.send("d")
        self.until(screen, lambda: self.text().startswith("ab\n  cd-- Normalize"), "the pieces")
        screen.send("\x1b[200~without an end")
        screen.settle(2.2)
        screen.send("!?")
        self.until(screen, lambda: "without an end!?" in self.text(), "what was pasted without an end")
        self.leave(screen)

    def test_more_than_fits_is_refused(self):
        screen = self.at_program()
        start = self.text()
        screen.send(paste("x" * 1000))
        for _ in range(7):
            screen.settle(0.05)
        self.until(screen, lambda: len(self.text()) == len(start) + 1000, "a thousand")
        for _ in range(80):
            screen.send(paste("y" * 999 + "\n"))
            screen.settle(0.01)
        screen.wait_notice("at most 64 KiB")
        screen.settle(0.7)
        self.assertLessEqual(len(self.text()), 65536)
        self.leave(screen)

    def test_pasted_into_a_field(self):
        screen = self.open("normalize", "--step", "vector", "--seed", "1")
        screen.wait("out of the field")
        screen.send(paste("1 2\t3\n"))
        screen.wait("› 1 2 3")
        self.leave(screen)

    def test_resized_while_it_is_written(self):
        screen = self.at_program()
        for columns, rows in ((120, 32), (40, 12), (100, 30), (39, 11), (200, 60), (80, 24)):
            screen.send("a")
            screen.resize(columns, rows)
            screen.settle()
            if columns >= 40:
                screen.wait("layer_norm.", "Ctrl-S")
        screen.wait("1  aaaaa-- Normalize")  # one was typed where the window was too small
        self.leave(screen)


class Keeping(Base):
    def test_killed_and_opened_again(self):
        screen = self.at_program()
        start = self.text()
        screen.send("-- kept", ENTER)
        screen.wait("1  -- kept")
        time.sleep(0.6)
        screen.settle()
        screen.kill(signal.SIGKILL)
        screen.wait_end()
        self.assertEqual(self.text(), "-- kept\n" + start)
        screen = self.at_program()
        screen.wait("1  -- kept", "2  -- Normalize")
        self.leave(screen)

    def test_whatever_ends_it_saves_first(self):
        ends = {"Ctrl-C": lambda s: s.send(CTRL_C), "SIGTERM": lambda s: s.kill(signal.SIGTERM), "SIGHUP": lambda s: s.kill(signal.SIGHUP),
                "a lost terminal": lambda s: s.hang_up(), "Esc": lambda s: s.send(ESC, ESC)}
        for n, (name, end) in enumerate(ends.items()):
            with self.subTest(name):
                screen = self.at_program()
                screen.send(f"-- {n}", ENTER)
                screen.wait(f"1  -- {n}")
                end(screen)
                screen.wait_end()
                self.assertTrue(self.text().startswith(f"-- {n}\n"), self.text())

    def test_who_goes_on_typing_is_saved_too(self):
        screen = self.at_program()
        start = self.text()
        limit = time.monotonic() + 3
        while self.text() == start:
            self.assertLess(time.monotonic(), limit, "nothing was saved")
            screen.send("x")
            screen.settle(0.05)
        self.leave(screen)

    def test_stopped_it_is_saved(self):
        screen = self.at_program()
        screen.send("-- before", ENTER)
        screen.wait("1  -- before")
        screen.send(CTRL_Z)  # the terminal's first program goes on at once
        self.until(screen, lambda: self.text().startswith("-- before\n"), "the save")
        self.until(screen, lambda: screen.raw.count(b"\x1b[?1049h") == 2, "the screen's return")
        screen.settle()
        screen.wait("1  -- before", "Ctrl-S")
        self.leave(screen)

    def test_another_program_saves_while_nothing_is_typed(self):
        screen = self.at_program()
        screen.send("-- mine", ENTER)
        screen.wait("1  -- mine")
        self.until(screen, lambda: self.text().startswith("-- mine\n"), "the save")
        mine = self.text()
        with open(self.program(), "w") as file:
            file.write(mine.replace('"batch"', '"token"'))
        screen.wait_notice("Another program has changed the file.")
        screen.wait('local over = { "token" }', "It averages over the tokens.")
        screen.send(CTRL__)
        screen.wait('local over = { "batch" }')
        self.until_saved(screen, mine)
        self.assertEqual(self.beside(), ["layer_norm.lua"])
        self.leave(screen)

    def test_another_program_saves_while_something_is_typed(self):
        screen = self.at_program()
        start = self.text()
        screen.send("-- mine", ENTER)
        screen.wait("1  -- mine")
        for n in (1, 2):
            screen.send("x")
            with open(self.program(), "w") as file:
                file.write(f"-- theirs {n}\n")
            screen.wait_notice("was changed by another program while you typed", "beside it as")
            self.until_saved(screen, "-- mine\n" + "x" * n + start)
        self.assertEqual(self.beside(), ["layer_norm.lua", "layer_norm.lua~", "layer_norm.lua~2"])
        self.assertEqual([self.text(self.program() + end) for end in ("~", "~2")], ["-- theirs 1\n", "-- theirs 2\n"])
        self.leave(screen)

    def test_the_file_is_taken_away(self):
        screen = self.at_program()
        start = self.text()
        os.unlink(self.program())
        screen.wait_notice("is gone")
        screen.send("-- ")
        self.until(screen, lambda: os.path.exists(self.program()), "the file")
        self.until_saved(screen, "-- " + start)
        os.unlink(self.program())
        screen.wait_notice("is gone")
        screen.send(CTRL_S)
        screen.wait("It averages over the batch.")
        self.assertEqual(self.text(), "-- " + start)
        self.leave(screen)

    def test_where_it_cannot_be_saved(self):
        os.mkdir(self.home + "/state")
        open(self.home + "/state/normtutor", "w").close()
        screen = self.open(MEND, "--step", "batch", "--seed", "7")
        screen.wait_notice("your program has no file")
        screen.send("i", "-- mine", ENTER)
        screen.wait("1  -- mine", "not saved")
        screen.wait_notice("your program has no file")
        screen.send(CTRL_S)  # it can be probed all the same
        screen.wait_gone("edited")
        screen.wait("It averages over the batch.")
        screen.send(ESC)
        screen.wait("Enter next")
        screen.send(ENTER)
        screen.wait_notice("could not be saved", "once more")
        screen.send(ENTER)
        screen.wait("Nothing is asked here.")
        self.leave(screen)


class Mending(Base):
    BUGS = {"batch": '{ "batch" }', "token": '{ "token" }', "batch-token": '{ "batch", "token" }', "token-feature": '{ "token", "feature" }',
            "all": '{ "batch", "token", "feature" }'}

    def test_five_bugs_without_another_editor(self):
        screen = self.open("which-axis", "--step", "mend", columns=120, rows=32)
        screen.wait("i edit", "Esc ")
        left = set(self.BUGS)
        for _ in range(100):
            screen.send("i")
            screen.wait("Ctrl-S run probes", "local over = {")
            (bug,) = (bug for bug, text in self.BUGS.items() if f"local over = {text}" in screen.text)
            if bug in left:
                left.remove(bug)
                screen.send(CTRL_HOME, DOWN, RIGHT, HOME, "\x0b", 'local over = { "feature" }')
                screen.wait('2    local over = { "feature" }')
                screen.send(CTRL_S)
                screen.see_all(screen.is_right, "right")
            if not left:
                break
            screen.send(ESC)
            screen.wait("Esc course")
            before = screen.text
            screen.send("n")
            screen.until(lambda text: "i edit" in text and "Right." not in text and text != before, "new numbers")
            screen.settle()
        self.assertEqual(left, set())
        self.leave(screen)

    def test_an_endless_loop_ends_on_its_line(self):
        screen = self.at_program()
        screen.send(DOWN, END, ENTER, "  while true do end")
        screen.wait("3    while true do end")
        screen.send(CTRL_S)
        screen.wait(" > 3    while true do end", "takes too long", "did not count")
        screen.send(UP, END, ENTER)
        screen.wait(" > 4    while true do end")
        screen.send(CTRL__ * 20, CTRL_S)
        screen.wait("It averages over the batch.")
        self.leave(screen)

    def test_probes_run_on_ctrl_s_alone(self):
        screen = self.at_program()
        screen.send(CTRL_END, "x = = 1")
        self.until(screen, lambda: self.text().endswith("x = = 1"), "the save")
        screen.settle(1.3)
        self.assertNotIn("did not count", screen.text)
        screen.send(CTRL_S)
        screen.wait("layer_norm.lua:8:", "did not count")
        self.leave(screen)

    def test_start_over_asks_and_can_be_undone(self):
        screen = self.at_program()
        start = self.text()
        screen.send("-- mine", ENTER, CTRL_R)
        screen.wait_notice("Ctrl-R once more")
        screen.send(LEFT, CTRL_R)
        screen.wait_notice("Ctrl-R once more")
        self.assertNotEqual(self.text(self.program()), "")
        screen.send(CTRL_R)
        screen.wait_notice("beside it as layer_norm.lua~.")
        screen.wait("1  -- Normalize")
        self.assertEqual((self.text(), self.text(self.program() + "~")), (start, "-- mine\n" + start))
        screen.send(CTRL__)
        screen.wait("1  -- mine")
        self.until_saved(screen, "-- mine\n" + start)
        self.leave(screen)

    def test_ones_own_editor_from_within(self):
        editor = self.folder.name + "/editor"
        with open(editor, "w") as file:
            file.write('#!/bin/sh\nsed -i s/batch\\"/feature\\"/ "$1"\n')
        os.chmod(editor, 0o755)
        screen = self.at_program(VISUAL=editor)
        screen.send("-- mine", ENTER, CTRL_E)
        screen.wait("✓ Right.")
        screen.wait("1  -- mine", '{ "feature" }')
        self.leave(screen)


if __name__ == "__main__":
    unittest.main()
