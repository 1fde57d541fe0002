"""The terminal misbehaves, cannot do much or is not there, and lessons try to command it."""

import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from places import (CTRL_C, CTRL_Z, DOWN, ENTER, ESC, F1, F2, HERE, LEFT, NORMTUTOR, PLACES, RIGHT, TAB, TROUBLES,
                    Terminal, everywhere, gone, picture)

HOSTILE = HERE + "/lessons/hostile.lua"
COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")
EVIL = (b"\x1b]", b"66;66H\x1b", b"\x1b[66;66H", b"\x1b[31;46m", b"\xc2\x9b", b"\xe2\x80\xae", b"\x07", b"\x7f")


def press(terminal, *steps):
    """(key, words to wait for), one after another."""
    for key, words in steps:
        terminal.send(key)
        terminal.wait(words)


class Sizes(unittest.TestCase):
    def storm(self, terminal, keys):
        chance = random.Random(7)
        for _ in range(60):
            terminal.resize(chance.randint(1, 200), chance.randint(1, 60))
            terminal.send(chance.choice(keys))
            terminal.read(chance.choice((0, 0, 0.005, 0.02)))
        terminal.resize(200, 60)
        terminal.settle(0.1)
        terminal.resize(80, 24)
        terminal.until(lambda text: "─" * 80 in text, "the whole screen")
        terminal.settle()
        if "back to the lesson" in terminal.text:
            terminal.send(F1)
            terminal.wait_gone("back to the lesson")

    def test_a_storm_of_sizes_in_a_lesson(self):
        for place in PLACES:
            with self.subTest(place.name), place.open() as terminal:
                place.get_ready(terminal)
                before = picture(terminal)
                self.storm(terminal, [F1, ""])
                self.assertEqual(picture(terminal), before)
                terminal.send(*place.turn)
                terminal.wait(place.turned)
                terminal.send(CTRL_C)
                terminal.wait_end(0)
                self.assertTrue(terminal.restored())

    def test_a_storm_of_sizes_in_the_list(self):
        with Terminal() as terminal:
            terminal.wait("q quit")
            self.storm(terminal, [DOWN, "k", "?" + ESC, "/x" + ESC])
            terminal.wait("normtutor")
            terminal.send(CTRL_C)
            terminal.wait_end(0)
            self.assertTrue(terminal.restored())

    def test_knobs_turned_in_a_storm(self):
        with PLACES[0].open() as terminal:
            PLACES[0].get_ready(terminal)
            self.storm(terminal, [RIGHT, LEFT])
            terminal.send("0")
            terminal.wait("times 2 ")

    def test_there_and_back(self):
        """The window is as large as before, but what stood in it is gone."""
        with PLACES[0].open() as terminal:
            PLACES[0].get_ready(terminal)
            before = picture(terminal)
            for _ in range(5):
                terminal.resize(7, 3)
                terminal.resize(80, 24)
                terminal.until(lambda text: text == before, "the whole screen again")

    def test_too_small(self):
        for columns, rows in ((39, 24), (80, 11), (20, 5), (1, 1)):
            with self.subTest(columns=columns, rows=rows), PLACES[1].open() as terminal:
                PLACES[1].get_ready(terminal)
                before = picture(terminal)
                terminal.resize(columns, rows)
                terminal.until(lambda text: "─" not in text and text.startswith("Too small" if columns > 9 else ""), "one line about it")
                terminal.settle(0.05)
                self.assertEqual(terminal.text.rstrip().count("\n"), 0, "it is one line")
                terminal.send("1", ENTER)
                terminal.settle(0.05)
                terminal.resize(80, 24)
                terminal.until(lambda text: text == before, "it to go on as it was")
                terminal.resize(columns, rows)
                terminal.settle(0.05)
                terminal.send(CTRL_C)
                terminal.wait_end(0)
                self.assertTrue(terminal.restored())

    def test_the_smallest_that_will_do(self):
        with Terminal(["play", TROUBLES, "--step", "number"], columns=40, rows=12) as terminal:
            terminal.wait("What is the sum of")

    def test_starts_too_small(self):
        with Terminal(["play", TROUBLES, "--step", "number"], columns=10, rows=4) as terminal:
            terminal.wait("Too sm")
            terminal.resize(80, 24)
            terminal.wait("What is the sum of")

    def test_lines_and_columns_exported(self):
        with Terminal(["play", TROUBLES, "--step", "number"], environment={"LINES": "14", "COLUMNS": "50"}) as terminal:
            terminal.wait("What is the sum of")
            self.assertIn("─" * 80, terminal.text)
            terminal.resize(120, 32)
            terminal.wait("┬")
            self.assertIn("─" * 60, terminal.text)


class PlainLines(unittest.TestCase):
    def falls_back(self, why, environment):
        with Terminal(["play", TROUBLES, "--step", "number", "--seed", "5"], environment=environment) as terminal:
            terminal.wait("plain lines, because " + why, "What is the sum of", "\n>")
            terminal.send("15\n")
            terminal.wait("Right.")
            terminal.send("quit\n")
            terminal.wait_end(0)
            self.assertNotIn(b"\x1b", terminal.raw)
            self.assertTrue(terminal.restored())

    def test_a_terminal_that_cannot_move_its_cursor(self):
        self.falls_back('the terminal "dumb" cannot move its cursor', {"TERM": "dumb"})

    def test_a_terminal_that_nobody_knows(self):
        self.falls_back('there is no description of the terminal "vt9999"', {"TERM": "vt9999"})

    def test_a_terminal_without_a_name(self):
        self.falls_back("TERM is not set", {"TERM": None})
        self.falls_back("TERM is not set", {"TERM": ""})

    def test_a_terminal_with_a_hostile_name(self):
        with Terminal(["play", TROUBLES], environment={"TERM": "\x1b]0;owned\x07"}) as terminal:
            terminal.wait("plain lines, because there is no description", "\n>")
            self.assertNotIn(b"\x1b", terminal.raw)

    def test_input_or_output_is_no_terminal(self):
        for redirection in ("</dev/null", "| cat"):
            with self.subTest(redirection):
                line = f"'{NORMTUTOR}' play '{TROUBLES}' --step number {redirection}"
                with Terminal(["-c", line], program="/bin/sh") as terminal:
                    terminal.wait("because input and output are not both a terminal", "What is the sum of")
                    if redirection == "| cat":
                        terminal.send("quit\n")
                    terminal.wait_end(0)
                    self.assertNotIn(b"\x1b", terminal.raw)


class Keys(unittest.TestCase):
    def ends(self, terminal):
        workers = terminal.workers()
        terminal.send(CTRL_C)
        terminal.wait_end(0)
        self.assertTrue(terminal.restored())
        self.assertTrue(all(gone(worker) for worker in workers))

    def test_ctrl_c_at_every_step(self):
        with everywhere() as there:
            for place, terminal in there:
                with self.subTest(place.name):
                    self.ends(terminal)

    def test_ctrl_c_in_every_mode(self):
        lesson, number = ["play", TROUBLES, "--step", "tell"], ["play", TROUBLES, "--step", "number"]
        modes = {
            "list": ([], "q quit"),
            "help of the list": ([], "q quit", ("?", "back to the list")),
            "find": ([], "q quit", ("/", "all lessons")),
            "goal": (["play", TROUBLES], "You will be where you were"),
            "help": (lesson, "The row", ("?", "back to the lesson")),
            "view": (lesson, "The row", (TAB, "Enter next")),
            "cell": (lesson, "The row", ("e", "x[1]")),
            "verdict": (number, "What is the sum", ("7\r", "✗")),
            "hint": (number, "What is the sum", (F2, "Add them")),
            "out of the field": (number, "What is the sum", (ESC, "b back")),
            "computing": (lesson, "The row", ("]]] ", "computing")),
            "help while computing": (lesson, "The row", ("]]] ", "computing"), ("?", "back to the lesson")),
            "notice": (number, "What is the sum", (ENTER, "Type an answer")),
        }
        for name, (arguments, words, *steps) in modes.items():
            with self.subTest(name), Terminal(arguments) as terminal:
                terminal.wait(words)
                press(terminal, *steps)
                self.ends(terminal)

    def test_ctrl_c_while_knobs_travel(self):
        place = PLACES[4]
        with place.open() as terminal:
            place.get_ready(terminal)
            terminal.send(ENTER)
            self.ends(terminal)

    def test_ctrl_c_in_plain_lines(self):
        with Terminal(["play", TROUBLES, "--step", "number", "--plain"]) as terminal:
            terminal.wait("\n>")
            workers = terminal.workers()
            terminal.send(CTRL_C)
            self.assertIn(terminal.wait_end(), (-signal.SIGINT, 0, 130))
            self.assertTrue(terminal.restored())
            self.assertTrue(all(gone(worker) for worker in workers))

    def test_ctrl_z_and_fg(self):
        for place in (PLACES[0], PLACES[1], PLACES[5]):
            with self.subTest(place.name), Terminal(["-i"], program="/bin/sh", environment={"PS1": "ready$ "}) as terminal:
                terminal.wait("ready$")
                terminal.send(f"'{NORMTUTOR}' play '{TROUBLES}' --step {place.step} --seed 5\r")
                place.get_ready(terminal)
                before = picture(terminal)
                for _ in range(2):
                    terminal.send(CTRL_Z)
                    terminal.wait("ready$")
                    self.assertGreater(terminal.raw.rfind(b"\x1b[?1049l"), terminal.raw.rfind(b"\x1b[?1049h"))
                    terminal.send("stty -a | grep -o '[-]*icanon'; echo still here\r")
                    terminal.until(lambda text: "\nicanon\n" in text, "the terminal in its usual mode")
                    terminal.send("fg\r")
                    terminal.until(lambda text: text == before, "the tutor as it was")
                terminal.send(*place.turn)
                terminal.wait(place.turned)
                terminal.send(CTRL_C)
                terminal.wait("ready$")
                terminal.send("exit\r")
                terminal.wait_end(0)

    def test_resized_while_it_was_stopped(self):
        with Terminal(["-i"], program="/bin/sh", environment={"PS1": "ready$ "}) as terminal:
            terminal.wait("ready$")
            terminal.send(f"'{NORMTUTOR}' play '{TROUBLES}' --step number --seed 5\r")
            terminal.wait("What is the sum")
            terminal.send(CTRL_Z)
            terminal.wait("ready$")
            terminal.resize(120, 32)
            terminal.send("fg\r")
            terminal.wait("┬", "What is the sum")

    def test_the_terminal_is_closed(self):
        modes = {
            "list": ([], "q quit"),
            "lesson": (["play", TROUBLES, "--step", "number"], "What is the sum"),
            "computing": (["play", TROUBLES, "--step", "tell"], "The row", ("]]] ", "computing")),
            "plain": (["play", TROUBLES, "--step", "number", "--plain"], "\n>"),
        }
        for name, (arguments, words, *steps) in modes.items():
            with self.subTest(name), Terminal(arguments) as terminal:
                terminal.wait(words)
                press(terminal, *steps)
                workers = terminal.workers()
                terminal.hang_up()
                terminal.wait_end()
                self.assertTrue(all(gone(worker) for worker in workers))

    def test_the_terminal_is_closed_and_no_signal_comes(self):
        """As for a tutor that nohup began: the end of the input is the end."""
        line = f"trap '' HUP; exec '{NORMTUTOR}' play '{TROUBLES}' --step number"
        for plain in ("", " --plain"):
            with self.subTest(plain), Terminal(["-c", line + plain], program="/bin/sh") as terminal:
                terminal.wait("What is the sum")
                workers = terminal.workers()
                terminal.hang_up()
                terminal.wait_end()
                self.assertTrue(all(gone(worker) for worker in workers))


class Bytes(unittest.TestCase):
    def tour(self, environment, lesson=HOSTILE):
        """Everything that the lesson shows once, as raw bytes."""
        with Terminal(["play", lesson, "--seed", "5"], environment=environment) as terminal:
            terminal.wait("Goal ")
            terminal.send(ENTER)
            terminal.wait("Text ")
            press(terminal, ("?", "back to the lesson"), ("x", "Text "), ("e", "x[1]"), (ENTER, "Text "), (TAB, "Text "))
            terminal.resize(120, 40)
            terminal.wait("Text ", "step 1 of 3")
            terminal.resize(80, 24)
            terminal.wait("Text ")
            press(terminal, (ENTER, "Which?"), ("h", "Hint"), ("2", "right"), (ENTER, "Say "), ("1", "Which?"), (ENTER, "Why "))
            press(terminal, (ENTER, "How many?"), ("5" + ENTER, "Error "), ("\x7f4" + ENTER, "Four "), ("\x7f3" + ENTER, "Because "))
            press(terminal, (ENTER, "Remember "))
            terminal.settle()
            terminal.send(CTRL_C)
            terminal.wait_end(0)
            self.assertTrue(terminal.restored())
            self.assertIn(b"66;66H", terminal.raw, "what a lesson says is shown")
            return terminal.raw

    def test_a_lesson_cannot_command_the_terminal(self):
        raw = self.tour({})
        for evil in EVIL:
            self.assertNotIn(evil, raw)
        self.assertEqual(raw.count(b"\x1b[?1049l"), 1, "the tutor alone leaves its screen")

    def test_a_lesson_cannot_command_it_in_plain_lines(self):
        with Terminal(["play", HOSTILE, "--plain"]) as terminal:
            for line in ("next", "look", "help", "view", "next", "hint", "2", "1", "next", "hint", "5", "4", "3", "next", "list"):
                terminal.wait("\n>")
                terminal.send(line + "\n")
                terminal.settle(0.05)
            terminal.send("quit\n")
            terminal.wait_end(0)
            self.assertIn(b"66;66H", terminal.raw)
            self.assertNotIn(b"\x1b", terminal.raw)
            for evil in EVIL[4:]:
                self.assertNotIn(evil, terminal.raw)

    def test_only_ascii_where_the_locale_has_no_more(self):
        for environment in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX"}, {"LC_ALL": None}, {"LC_ALL": "de_DE.ISO-8859-1", "LANGUAGE": "en"}):
            with self.subTest(environment):
                raw = self.tour(environment)
                self.assertTrue(all(byte < 0x80 for byte in raw), bytes(byte for byte in raw if byte >= 0x80)[:20])
                for evil in EVIL:
                    self.assertNotIn(evil, raw)

    def test_only_ascii_in_latin_1(self):
        folder = tempfile.mkdtemp(prefix="normtutor-locale.")
        self.addCleanup(shutil.rmtree, folder)
        if not shutil.which("localedef"):
            self.skipTest("there is no localedef to make a Latin-1 locale with")
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "ISO-8859-1", folder + "/de_DE.ISO-8859-1"], capture_output=True)
        if not os.path.isdir(folder + "/de_DE.ISO-8859-1"):
            self.skipTest("a Latin-1 locale cannot be made: " + made.stderr.decode(errors="replace").strip()[:100])
        raw = self.tour({"LC_ALL": "de_DE.ISO-8859-1", "LOCPATH": folder, "LANGUAGE": "en"})
        self.assertTrue(all(byte < 0x80 for byte in raw), bytes(byte for byte in raw if byte >= 0x80)[:20])

    def test_a_utf_8_locale_that_is_not_installed(self):
        self.assertIn("─".encode(), self.tour({"LC_ALL": "xx_YY.UTF-8"}))

    def test_no_colour(self):
        self.assertRegex(self.tour({}), COLOUR)
        self.assertNotRegex(self.tour({"NO_COLOR": "1"}), COLOUR)
        self.assertRegex(self.tour({"NO_COLOR": ""}), COLOUR)


if __name__ == "__main__":
    unittest.main()
