"""The tutor dies just after a right answer: what was shown as right is in the store, and no worker is left."""

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import tempfile
import time
import unittest

from places import CTRL_C, ENTER, PATTERN, PLACES, TROUBLES, Terminal, gone

RUNS = 100
LATEST = 0.030  # seconds from the key to the kill


def stored_as_right(home):
    """How many right answers are in the store, read from a copy as a next tutor would find it."""
    with tempfile.TemporaryDirectory(prefix="normtutor-copy.") as copy:
        shutil.copytree(home + "/state/normtutor", copy, dirs_exist_ok=True)
        with contextlib.closing(sqlite3.connect(copy + "/progress.db")) as database:
            return database.execute("SELECT count(*) FROM answer WHERE verdict = 1").fetchone()[0]


class TutorDies(unittest.TestCase):
    def answer(self, terminal):
        """Everything up to the key that gives the right answer; the sum of the row is on the screen."""
        terminal.wait("What is the sum of [")
        row = terminal.text.partition("sum of [")[2].partition("]")[0]
        total = str(sum(int(number) for number in row.split(",")))
        terminal.send(total)
        terminal.wait("› " + total)
        return terminal.workers()

    def run_once(self, delay, end):
        """One tutor that is ended `delay` seconds after the key; was "right" shown?"""
        with Terminal(["play", TROUBLES, "--step", "number"]) as terminal:
            workers = self.answer(terminal)
            terminal.send(ENTER)
            until = time.monotonic() + delay
            while time.monotonic() < until:
                terminal.read(max(until - time.monotonic(), 0))
            end(terminal)
            if terminal.master is not None:
                terminal.settle(0.02)
            terminal.process.wait(timeout=20)
            shown = "Right." in terminal.text
            self.assertTrue(all(gone(worker) for worker in workers), "no worker is left")
            self.assertEqual(terminal.workers(), [])
            if shown:
                self.assertEqual(stored_as_right(terminal.home), 1, "what was shown as right is in the store")
            return shown

    def run_many(self, times, end, seed):
        moments = random.Random(seed)
        shown = sum(self.run_once(moments.uniform(0, LATEST), end) for _ in range(times))
        self.assertGreater(shown, 0, "it was shown at least once, or this tested nothing")

    def test_killed_a_hundred_times(self):
        self.run_many(RUNS, Terminal.kill, 1)

    def test_killed_at_the_very_frame(self):
        """The kill comes with the first byte after which "Right." can be read."""
        for _ in range(10):
            with Terminal(["play", TROUBLES, "--step", "number"]) as terminal:
                self.answer(terminal)
                terminal.send(ENTER)
                terminal.wait("Right.")
                terminal.kill()
                terminal.process.wait()
                self.assertEqual(stored_as_right(terminal.home), 1)

    def test_terminated(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                self.run_many(5, lambda terminal: terminal.kill(number), 2)

    def test_terminal_closed(self):
        self.run_many(5, Terminal.hang_up, 3)

    def test_the_terminal_is_given_back(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name), Terminal(["play", TROUBLES, "--step", "number"]) as terminal:
                self.answer(terminal)
                terminal.kill(number)
                terminal.wait_end(128 + number)
                self.assertTrue(terminal.restored())

    def test_workers_that_hang_or_spin_die_with_it(self):
        for how in ("stopped", "spinning"):
            for number in (signal.SIGKILL, signal.SIGTERM):
                with self.subTest(how, signal=number.name), PLACES[0].open() as terminal:
                    place = PLACES[0]
                    place.get_ready(terminal)
                    worker = terminal.workers()[0]
                    if how == "stopped":
                        os.kill(worker, signal.SIGSTOP)
                        terminal.send(*place.turn)
                    else:
                        stage, go = place.trouble(PATTERN)
                        terminal.send(*stage, *go)
                    terminal.wait("computing")
                    terminal.kill(number)
                    terminal.process.wait(timeout=20)
                    self.assertTrue(gone(worker), "the worker is gone")

    def test_reopening_finds_it(self):
        with Terminal(["play", TROUBLES, "--step", "number"]) as terminal:
            self.answer(terminal)
            terminal.send(ENTER)
            terminal.wait("Right.")
            question = next(line for line in terminal.lines if "sum of [" in line)
            terminal.kill()
            terminal.process.wait()
            with Terminal(["play", TROUBLES], home=terminal.home) as again:
                again.wait(question.strip(), "Right.")
                again.send(CTRL_C)
                again.wait_end(0)


if __name__ == "__main__":
    unittest.main()
