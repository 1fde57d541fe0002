"""The console of eval: lines that build on each other, completion, earlier lines, what is stopped, and the terminal afterwards."""

import os
import signal
import tempfile
import time
import unittest

from talk import tutor
from terminal import CTRL_C, CTRL_Z, DOWN, ENTER, LEFT, NORMTUTOR, TAB, UP, Terminal

CTRL_D, CLEAR = "\x04", "\x05\x15"


class Console(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normtutor-console.")
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def open(self, *arguments, **environment):
        terminal = Terminal(["eval", *arguments], 80, 40, home=self.home, environment=environment)
        self.addCleanup(terminal.close)
        terminal.wait("Ctrl-D leaves", "1>")
        return terminal

    def on_line(self, terminal, number, sign=">"):
        """Until the prompt of that line is the last that stands there."""
        terminal.until(lambda text: text.rstrip("\n").split("\n")[-1].startswith(f"{number}{sign}"), f"line {number}")

    def type(self, terminal, *lines, first=1):
        """Types them; the lines of the screen after the first of their prompts."""
        for number, line in enumerate(lines, first):
            self.on_line(terminal, number)
            terminal.send(line + ENTER)
        self.on_line(terminal, first + len(lines))
        text = [line for line in terminal.lines if line]
        return text[next(i for i, line in enumerate(text) if line.startswith(f"{first}>")):]

    def leave(self, terminal, status=0):
        terminal.send(CTRL_D)
        terminal.wait_end(status)
        self.assertTrue(terminal.restored())

    def test_what_a_line_leaves_behind_is_there_for_the_next(self):
        terminal = self.open()
        shown = self.type(terminal, "x = tensor{1, 2, 3}", "x:mean()", "local y, s = nn.layer_norm(x)", "y", "function twice(x) return 2 * x end",
                          "twice(x), s.mean")
        self.assertEqual(shown, ["1> x = tensor{1, 2, 3}", "2> x:mean()", "2", "3> local y, s = nn.layer_norm(x)", "4> y",
                                 "[-1.225, 0.000, 1.225]", "5> function twice(x) return 2 * x end", "6> twice(x), s.mean",
                                 "[2, 4, 6]       [2]", "7>"])
        self.leave(terminal)

    def test_a_tensor_is_shown_in_rows_under_the_names_of_its_axes(self):
        terminal = self.open()
        shown = self.type(terminal, "tensor{{1, 2.5}, {3, -40}}", "tensor.zeros({2, 1, 3}, {'sample', 'head', 'width'}):cast('float16')",
                          "{ b = 1, a = tensor{1} }", "tensor.zeros{500, 500}")
        self.assertEqual(shown[:13], ["1> tensor{{1, 2.5}, {3, -40}}", "token 2, feature 2", "    1.0    2.5", "    3.0  -40.0",
                                      "2> tensor.zeros({2, 1, 3}, {'sample', 'head', 'width'}):cast('float16')",
                                      "sample 2, head 1, width 3, float16", "sample 1", "  0  0  0", "sample 2", "  0  0  0",
                                      "3> { b = 1, a = tensor{1} }", "a = [1]", "b = 1"])
        self.assertLess(len(shown), 40)
        self.assertIn("token 500, feature 500", shown)
        self.leave(terminal)

    def test_an_input_goes_on_until_it_is_complete(self):
        terminal = self.open()
        for number, line in enumerate(("function f(x)", "return x:sum() +", "", "1 end"), 1):
            self.on_line(terminal, number, ">" if number == 1 else "|")
            terminal.send(line + ENTER)
        self.on_line(terminal, 5)
        terminal.send("f(tensor{" + ENTER)
        self.on_line(terminal, 6, "|")
        terminal.send("1, 2})" + ENTER)
        self.on_line(terminal, 7)
        self.assertIn("\n4\n", terminal.text)
        self.leave(terminal)

    def test_an_error_has_its_line_and_undoes_nothing(self):
        terminal = self.open()
        shown = self.type(terminal, "function f() return g() end", "x = 1; f()", "x", "1 +* 2", "tenser{1}")
        self.assertIn("line:1: unknown name `g`", shown)
        self.assertEqual(shown[shown.index("3> x") + 1], "1")
        self.assertRegex(shown[shown.index("4> 1 +* 2") + 1], r"\Aline:4: ")
        self.assertEqual(shown[-2], "line:5: unknown name `tenser`; did you mean `tensor`?")
        self.leave(terminal)

    def test_names_are_completed(self):
        terminal = self.open()
        self.type(terminal, "width = 4", "y, stats = nn.layer_norm(tensor{1, 2})")
        for typed, whole in (("wid", "width"), ("nn.lay", "nn.layer_norm"), ("random:norm", "random:normal"), ("stats.rs", "stats.rstd")):
            terminal.send(CLEAR + typed + TAB)
            terminal.wait("\n3> " + whole)
        terminal.send(CLEAR + "y:m" + TAB)
        terminal.wait("matmul", "max", "mean", "min")
        terminal.send(CLEAR + TAB + "1" + ENTER)
        self.on_line(terminal, 4)
        self.leave(terminal)

    def test_earlier_lines_come_back_also_in_the_next_session(self):
        terminal = self.open()
        self.type(terminal, "first = 1", "second = 2")
        terminal.send(UP)
        terminal.wait("\n3> second = 2")
        terminal.send(UP)
        terminal.wait("\n3> first = 1")
        terminal.send(DOWN)
        terminal.wait("\n3> second = 2")
        terminal.send(LEFT + "4" + ENTER)
        self.assertIn("42", self.type(terminal, "second", first=4))
        self.leave(terminal)
        place = self.home + "/state/normtutor/console"
        self.assertEqual(os.stat(place).st_mode & 0o077, 0)
        terminal = self.open()
        terminal.send(UP + UP)
        terminal.wait("\n1> second = 42")
        terminal.send(CLEAR)
        self.leave(terminal)

    def test_a_broken_file_of_earlier_lines_does_no_harm(self):
        os.makedirs(self.home + "/state/normtutor")
        with open(self.home + "/state/normtutor/console", "wb") as file:
            file.write(b"whole = 1\na = \xff\x1b[2J\x07\xe2\x80\xae1\n" + b"x" * 9000 + b"\nlast = 2\n\x00\nno end")
        terminal = self.open()
        terminal.send(UP)
        terminal.wait("1> last = 2")
        terminal.send(UP + UP + UP)
        terminal.wait("1> whole = 1")
        self.assertNotIn("\u202e".encode(), terminal.raw)
        self.assertNotIn(b"\x1b[2J", terminal.raw)
        terminal.send(CTRL_C)
        self.on_line(terminal, 1)
        self.leave(terminal)

    def test_ctrl_c_gives_up_the_line(self):
        terminal = self.open()
        terminal.send("x = {" + ENTER)
        self.on_line(terminal, 2, "|")
        terminal.send("1, 2")
        terminal.wait("1, 2")
        terminal.send(CTRL_C)
        self.on_line(terminal, 2)
        self.assertIn("unknown name `x`", "\n".join(self.type(terminal, "x", first=2)))
        self.leave(terminal)

    def test_ctrl_c_stops_a_computation_and_nothing_else_is_lost(self):
        terminal = self.open("--timeout", "600")
        self.type(terminal, "x = tensor{1, 2}", "calls = 0", "calls = calls + 1")
        terminal.send("calls = 7 while true do end" + ENTER)
        terminal.wait("4> calls = 7 while")
        terminal.settle()
        terminal.send(CTRL_C)
        terminal.wait("stopped")
        shown = self.type(terminal, "x:sum(), calls", first=5)
        self.assertEqual(shown[1].split(), ["3", "1"])
        self.leave(terminal)

    def test_what_takes_too_long_leaves_nothing_behind(self):
        terminal = self.open("--timeout", "0.4")
        shown = self.type(terminal, "x = 1", "x = 2 while true do end", "x", "x = 3 while true do pcall(string.rep, 'x', 10) end", "x")
        self.assertIn("line:2: this takes too long and was stopped", shown)
        self.assertEqual(shown[shown.index("3> x") + 1], "1")
        self.assertEqual(shown[shown.index("5> x") + 1], "1")
        self.leave(terminal)

    def test_a_worker_that_dies_is_replaced_and_the_lines_are_run_again(self):
        started = time.monotonic()
        tutor("eval", "-e", "for i = 1, 2e7 do end", home=self.home)
        seconds = time.monotonic() - started
        slow = "for i = 1, 2e7 do end"
        terminal = self.open("--timeout", f"{4 * seconds:.2f}")  # enough for each of the lines, not for all of them together
        self.type(terminal, "x = tensor{1, 2}", "n = 0", "n = n + 1", *[slow] * 5)
        for worker in terminal.workers():
            os.kill(worker, signal.SIGKILL)
        self.assertEqual(self.type(terminal, "x:sum(), n", first=9)[1].split(), ["3", "1"])
        self.type(terminal, "t = tensor.zeros{10000, 100000}", first=10)
        self.assertIn("memory", terminal.text)
        self.assertEqual(self.type(terminal, "x:sum(), n", first=11)[1].split(), ["3", "1"])
        self.leave(terminal)

    def test_control_bytes_never_reach_the_terminal_raw(self):
        terminal = self.open()
        self.type(terminal, r"print('\27]0;owned\7\u{202e}')", r"error('\27[2J\7')", r"{ ['\27[2J'] = '\7' }")
        terminal.send("x = '\u202e\u0085\x16\x07'" + ENTER)
        self.on_line(terminal, 5)
        for bad in (b"\x1b[2J", b"\x1b]0", "\u202e".encode(), "\u0085".encode()):
            self.assertNotIn(bad, terminal.raw)
        self.leave(terminal)

    def test_the_terminal_is_given_back_whatever_ends_it(self):
        for number, status in ((signal.SIGTERM, 128 + 15), (signal.SIGHUP, 128 + 1)):
            terminal = self.open()
            terminal.send("x = 1")
            terminal.wait("x = 1")
            terminal.kill(number)
            terminal.wait_end(status)
            self.assertTrue(terminal.restored())
        if "/asan/" in NORMTUTOR:  # a sanitizer's own handler stays
            return
        terminal = self.open()
        terminal.kill(signal.SIGSEGV)
        terminal.wait_end()
        self.assertTrue(terminal.restored())

    def test_it_can_be_stopped_and_goes_on(self):
        shell = Terminal(["-i"], 80, 30, home=self.home, program="/bin/sh", environment={"PS1": "ready$ "})
        self.addCleanup(shell.close)
        shell.wait("ready$")
        shell.send(f"'{NORMTUTOR}' eval" + ENTER)
        self.on_line(shell, 1)
        shell.send("x = 4")
        shell.wait("1> x = 4")
        for _ in range(2):
            shell.send(CTRL_Z)
            shell.until(lambda text: text.rstrip().endswith("ready$"), "the shell")
            shell.send("clear; stty -a | grep -o '[-]*icanon'" + ENTER)
            shell.until(lambda text: "icanon" in shell.lines, "the terminal in its usual mode")
            shell.send("clear; fg" + ENTER)
            shell.wait("1> x = 4")
        shell.send("2" + ENTER)
        self.assertIn("42", self.type(shell, "x", first=2))
        shell.send(CTRL_D)
        shell.until(lambda text: text.rstrip().endswith("ready$"), "the shell")

    def test_another_size_of_the_window(self):
        terminal = self.open()
        terminal.send("x = 1234")
        terminal.wait("x = 1234")
        terminal.resize(30, 10)
        terminal.send("5" + ENTER)
        self.assertIn("12345", self.type(terminal, "x", first=2))
        self.leave(terminal)

    def test_a_terminal_that_cannot_move_its_cursor(self):
        for name in ("dumb", None):
            terminal = Terminal(["eval"], home=self.home, environment={"TERM": name})
            self.addCleanup(terminal.close)
            terminal.wait("1>")
            terminal.send("x = 20\n")
            terminal.wait("2>")
            terminal.send("x + 22\n")
            terminal.wait("42", "3>")
            terminal.send(CTRL_C)
            terminal.wait("^C")
            terminal.send(CTRL_D)
            terminal.wait_end(0)
            self.assertNotIn(b"\x1b", terminal.raw)

    def test_without_a_terminal_the_code_is_read(self):
        path = self.home + "/code.lua"
        with open(path, "w", encoding="utf-8") as file:
            file.write("x = 1\nprint(x + 1)\n")
        with open(path, encoding="utf-8") as file:
            done = tutor("eval", home=self.home, stdin=file)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "2\n", ""))
        self.assertFalse(os.path.exists(self.home + "/state/normtutor"))


if __name__ == "__main__":
    unittest.main()
