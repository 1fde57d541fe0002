"""The progress file cannot be written, is locked, damaged, newer or shared: it is said once, in words, the tutor goes on, and what
was stored is not lost."""

import contextlib
import glob
import os
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

from places import BACKSPACE, CTRL_C, ENTER, NORMTUTOR, TROUBLES, Terminal

NOBODY = 65534


class StoreFaults(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="normtutor-store.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.folder = self.home + "/state/normtutor"
        self.file = self.folder + "/progress.db"

    def open(self, step="number", **more):
        return Terminal(["play", TROUBLES, "--step", step, "--seed", "5"], home=self.home, **more)

    def total(self, terminal):
        row = terminal.text.partition("sum of [")[2].partition("]")[0]
        return str(sum(int(number) for number in row.split(",")))

    def answer(self, terminal, text=None):
        """Answers wrong with `text`, or right."""
        terminal.wait("What is the sum of [")
        text = text or self.total(terminal)
        terminal.send(BACKSPACE * 12, text)
        terminal.wait("› " + text)
        terminal.send(ENTER)
        terminal.wait(f"✗ {text} is not it" if text != self.total(terminal) else "Right.")
        terminal.settle(0.02)

    def leave(self, terminal):
        terminal.send(CTRL_C)
        terminal.wait_end(0)
        self.assertTrue(terminal.restored())

    def answers(self):
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            return [row[0] for row in database.execute("SELECT answer FROM answer ORDER BY id")]

    def one_answer_is_stored(self):
        with self.open() as terminal:
            self.answer(terminal, "4")
            self.leave(terminal)
        self.assertEqual(self.answers(), ["4"])

    def said_once(self, terminal, words):
        """The words come as a notice, go with a key, and do not come again while the learner works."""
        terminal.wait_notice("Progress is not saved", words)
        terminal.send(BACKSPACE)
        terminal.until(lambda text: not terminal.notice, "the notice to go")
        for text in ("1", "2", "3"):
            self.answer(terminal, text)
            self.assertEqual(terminal.notice, "", "once is enough")

    def test_a_folder_that_cannot_be_written(self):
        if os.geteuid() == 0 and not shutil.which("setpriv"):
            self.skipTest("root may write everywhere, and there is no setpriv to be another user with")
        os.makedirs(self.home + "/state")
        os.chmod(self.home, 0o755)
        os.chmod(self.home + "/state", 0o555)
        program, arguments = NORMTUTOR, ["play", TROUBLES, "--step", "number", "--seed", "5"]
        if os.geteuid() == 0:
            arguments = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", program, *arguments]
            program = shutil.which("setpriv")
            probe = subprocess.run([program, *arguments[:3], "test", "-x", NORMTUTOR, "-a", "-r", TROUBLES])
            if probe.returncode != 0:
                self.skipTest("another user than root cannot reach the built program")
        with Terminal(arguments, home=self.home, program=program) as terminal:
            self.said_once(terminal, "Permission denied")
            self.answer(terminal)
            self.leave(terminal)
        self.assertEqual(os.listdir(self.home + "/state"), [])

    def test_a_full_disk(self):
        os.makedirs(self.folder)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", self.folder], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("no small file system can be mounted here: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "-l", self.folder])
        self.one_answer_is_stored()
        filler = self.folder + "/filler"
        with self.open() as terminal:
            self.answer(terminal, "5")
            with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(b"\0" * 1024)
            for number in range(60, 160):  # what there is room for in the log is still taken
                self.answer(terminal, str(number))
                if terminal.notice:
                    break
            terminal.wait_notice("Progress is not saved", "the disk is full")
            self.answer(terminal, "6")
            self.assertEqual(terminal.notice, "")
            os.unlink(filler)
            self.answer(terminal, "8")
            terminal.wait_notice("Progress is saved again")
            self.leave(terminal)
        self.assertEqual(self.answers(), ["4", "5", *[str(n) for n in range(60, number + 1)], "6", "8"])

    def test_a_locked_file(self):
        self.one_answer_is_stored()
        with contextlib.closing(sqlite3.connect(self.file, isolation_level=None)) as other, self.open() as terminal:
            self.answer(terminal, "5")
            other.execute("BEGIN IMMEDIATE")
            self.answer(terminal, "6")
            terminal.wait_notice("Progress is not saved", "another program keeps it locked")
            self.answer(terminal, "7")
            self.assertEqual(terminal.notice, "")
            other.execute("COMMIT")
            self.answer(terminal, "8")
            terminal.wait_notice("Progress is saved again")
            self.leave(terminal)
        self.assertEqual(self.answers(), ["4", "5", "6", "7", "8"])

    def test_a_file_locked_from_the_start(self):
        self.one_answer_is_stored()
        with contextlib.closing(sqlite3.connect(self.file, isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
            with self.open() as terminal:
                self.said_once(terminal, "locked")
                self.leave(terminal)
            other.execute("COMMIT")
        self.assertEqual(self.answers(), ["4"])

    def test_a_damaged_file(self):
        self.one_answer_is_stored()
        with open(self.file, "r+b") as file:
            file.write(b"no database " * 50)
        with self.open() as terminal:
            terminal.wait_notice("The progress file was damaged", "kept as")
            self.answer(terminal, "5")
            self.assertEqual(terminal.notice, "")
            self.leave(terminal)
        self.assertIn("5", self.answers())
        kept = [path for path in glob.glob(self.file + ".damaged-*") if not path.endswith(("-wal", "-shm"))]
        self.assertEqual(len(kept), 1, "it is put aside, not thrown away")
        with open(kept[0], "rb") as file:
            self.assertTrue(file.read(12) == b"no database ")

    def test_what_can_be_read_of_a_damaged_file(self):
        with self.open() as terminal:
            for number in range(60, 90):
                self.answer(terminal, str(number))
            self.leave(terminal)
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            size = database.execute("PRAGMA page_size").fetchone()[0]
            root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'answer_of_step'").fetchone()[0]
        with open(self.file, "r+b") as file:
            file.seek((root - 1) * size)
            file.write(b"\xff" * size)
        with self.open() as terminal:
            terminal.wait_notice("damaged", "the 30 answers", "kept as")
            self.leave(terminal)
        self.assertEqual(self.answers(), [str(n) for n in range(60, 90)])

    def test_a_file_of_a_newer_version(self):
        self.one_answer_is_stored()
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            database.execute("PRAGMA user_version = 9999")
        with open(self.file, "rb") as file:
            before = file.read()
        with self.open() as terminal:
            self.said_once(terminal, "newer normtutor")
            self.leave(terminal)
        with open(self.file, "rb") as file:
            self.assertEqual(file.read(), before, "not a byte of it is touched")

    def test_two_tutors_at_once(self):
        with self.open() as one, self.open() as two:
            for number in range(60, 70):
                self.answer(one, str(number))
                self.answer(two, str(number + 100))
            for terminal in (one, two):
                self.assertEqual(terminal.notice, "")
                self.leave(terminal)
        self.assertEqual(sorted(self.answers()), sorted(str(n) for k in range(60, 70) for n in (k, k + 100)))

    def test_two_tutors_in_the_same_moment(self):
        with self.open() as one, self.open() as two:
            for terminal in (one, two):
                terminal.wait("What is the sum of [")
            for number in range(60, 70):
                for terminal in (one, two):
                    terminal.send(BACKSPACE * 4, str(number))
                for terminal in (one, two):
                    terminal.wait(f"› {number}")
                one.send(ENTER)
                two.send(ENTER)
                for terminal in (one, two):
                    terminal.wait(f"{number} is not it")
            for terminal in (one, two):
                self.assertEqual(terminal.notice, "")
                self.leave(terminal)
        self.assertEqual(sorted(self.answers()), sorted(str(n) for n in range(60, 70) for _ in (1, 2)))


if __name__ == "__main__":
    unittest.main()
