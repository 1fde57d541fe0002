"""A lesson's files: shown in every way the tutor shows a lesson, opened by the tutor alone, and read as they are now."""

import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
import unittest

from terminal import ENTER, LEFT, NORMTUTOR, RIGHT, ROOT, Terminal, home_environment

POEM = ROOT + "/tests/lessons/poem.lua"

MINIMAL = """return lesson "mini" {{
  format = 1, title = "Mini", files = {{ {files} }},
  step "a" {{ text = {text}, knobs = {{ knob.int "k" {{ 1, 9 }} }} }},
}}
"""


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="normtutor-files.")
        self.addCleanup(shutil.rmtree, self.folder)
        os.mkdir(self.folder + "/files")

    def write(self, name, content):
        path = f"{self.folder}/{name}"
        with open(path, "wb") as file:  # in place: the same file, other bytes
            file.write(content.encode() if isinstance(content, str) else content)
        return path

    def lesson(self, files='"a.txt"', text='file "a.txt"'):
        return self.write("mini.lua", MINIMAL.format(files=files, text=text))

    def run_tutor(self, *arguments, keys="", status=0):
        done = subprocess.run([NORMTUTOR, *arguments], input=keys, capture_output=True, text=True, timeout=60,
                              env=home_environment(self.folder + "/home"))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def refused(self, words, files='"a.txt"', text='file "a.txt"'):
        """show, play and plain say the same; the list keeps the lesson, with its error."""
        path = self.lesson(files, text)
        for arguments in (["show", path, "--step", "a"], ["play", path, "--plain"]):
            self.assertEqual(self.run_tutor(*arguments, status=1).stderr, f"{path}: {words}\n")
        with Terminal(["play", path]) as t:
            self.assertEqual(t.wait_end(), 1)
            self.assertIn(words, t.text.replace("\n", ""))


class Shown(Files):
    def test_show_prints_the_text(self):
        out = self.run_tutor("show", POEM, "--step", "read").stdout
        for words in ("A poem of 2 lines", "Roses are red violets are blue", "Its first word is Roses; the note has 34 bytes."):
            self.assertIn(words, out)
        self.assertIn("The mean is subtracted first.", self.run_tutor("show", POEM, "--step", "note").stdout)

    def test_show_loads_an_array(self):
        """In the cage, where a file can be read but not asked about; longer than one read brings."""
        header = "{'descr': '>f8', 'fortran_order': False, 'shape': (20000,), }\n".encode()
        numbers = b"".join(struct.pack(">d", n) for n in range(20000))
        npy = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + numbers
        self.write("files/a.npy", npy)
        path = self.lesson('"a.npy"', '"{tensor.load(\'a.npy\').shape} {tensor.load(\'a.npy\'):max()}"')
        self.assertIn("(20000,) 19999", self.run_tutor("show", path, "--step", "a").stdout)
        self.write("files/a.npy", npy[:-1])
        done = self.run_tutor("show", path, "--step", "a", status=1)
        self.assertIn("files/a.npy is cut short: (20000,) elements of type >f8 take 160000 bytes, and there are 159999", done.stderr)

    def test_show_judges_by_it(self):
        self.assertIn("Right.", self.run_tutor("show", POEM, "--step", "count", "--answer", "2").stdout)
        self.assertIn("31 bytes in all.", self.run_tutor("show", POEM, "--step", "count", "--answer", "7").stdout)
        self.assertIn("line  2", self.run_tutor("show", POEM, "--step", "read", "--set", "line=2").stdout)

    def test_plain_says_it(self):
        out = self.run_tutor("play", POEM, "--plain", keys="next\nnext\n2\n").stdout
        for words in ("A poem of 2 lines", "Its first word is Roses", "The mean is subtracted first.", "Right."):
            self.assertIn(words, out)

    def test_the_screen_shows_it(self):
        with Terminal(["play", POEM]) as t:
            t.wait("Its first word is Roses")
            t.send(RIGHT)
            t.wait("line  2")
            t.send(ENTER)
            t.wait("The mean is subtracted first.")
            t.send(ENTER)
            t.wait("How many lines")
            t.send("2", ENTER)
            t.wait("Right.")

    def test_a_file_named_without_a_folder(self):
        self.write("files/a.txt", "seen")
        self.lesson()
        done = subprocess.run([NORMTUTOR, "show", "mini.lua", "--step", "a"], cwd=self.folder, capture_output=True, text=True,
                              env=home_environment(self.folder + "/home"))
        self.assertIn("seen", done.stdout)

    def test_a_lost_worker_is_given_them_again(self):
        with Terminal(["play", POEM]) as t:
            t.wait("Its first word is Roses")
            for key, shown in ((RIGHT, "line  2"), (LEFT, "line  1"), (RIGHT, "line  2")):
                for worker in t.workers():
                    os.kill(worker, 9)
                t.send(key)
                t.wait(shown, "Its first word is Roses")


class InACourse(Files):
    def course(self):
        self.write("course.lua", 'return course "c" { format = 1, title = "C", lessons = { "mini" } }\n')
        courses = self.folder + "/home/data/normtutor/courses"
        os.makedirs(courses)
        os.symlink(self.folder, courses + "/c")

    def listed(self, status=0):
        rows = json.loads(self.run_tutor("list", "--json", status=status).stdout)
        return next(row for row in rows if row["id"] == "mini")

    def test_the_catalogue_follows_the_files(self):
        self.course()
        self.write("mini.lua", """return lesson "mini" { format = 1, title = "Of {#file 'a.txt'} bytes", files = { "a.txt" },
          step "a" { text = "a" } }""")
        self.write("files/a.txt", "12345")
        for _ in range(2):
            self.assertEqual(self.listed()["title"], "Of 5 bytes")
        time.sleep(0.02)
        self.write("files/a.txt", "123456")
        self.assertEqual(self.listed()["title"], "Of 6 bytes")
        os.unlink(self.folder + "/files/a.txt")
        self.assertIn("mini.lua: files/a.txt cannot be read: there is no such file", self.listed(status=1)["error"])
        out = self.run_tutor("show", "mini", "--step", "a", status=1).stderr
        self.assertIn("mini.lua: files/a.txt cannot be read: there is no such file", out)

    def test_a_file_that_goes_is_missed_where_it_is_used(self):
        self.course()
        self.lesson()
        self.write("files/a.txt", "seen")
        with Terminal([], home=self.folder + "/home") as t:
            t.wait("Enter open")
            t.send("\t")
            t.wait("Mini")
            os.unlink(self.folder + "/files/a.txt")
            t.send(ENTER)
            t.wait("files/a.txt cannot be read: there is no such file")
            self.write("files/a.txt", "there again")
            t.send("\x1b")
            t.wait("Mini", "Enter open")
            t.send(ENTER)
            t.wait("there again")


class Attacked(Files):
    def test_what_is_missing_or_not_regular(self):
        self.write("secret", "secret")
        os.symlink("../secret", self.folder + "/files/link")
        os.symlink("/etc", self.folder + "/files/etc")
        os.mkfifo(self.folder + "/files/pipe")
        os.mkdir(self.folder + "/files/folder")
        for name, words in (("none", "there is no such file"), ("link", "it is a link, and links are not followed"),
                            ("etc/passwd", "a folder on the way is a link, and links are not followed"),
                            ("pipe", "it is not a regular file"), ("folder", "it is a folder, not a file")):
            with self.subTest(name):
                self.refused(f"files/{name} cannot be read: {words}", f'"{name}"', f'file "{name}"')

    def test_names_that_lead_elsewhere(self):
        self.write("secret", "secret")
        for name in ("../secret", "/etc/passwd", "a/../../secret", "."):
            with self.subTest(name):
                path = self.lesson(f'"{name}"', f'file "{name}"')
                out = self.run_tutor("show", path, "--step", "a", status=1)
                self.assertEqual(out.stderr, f'{path}:2: lesson "mini": `files`: "{name}" is not the name of a file below files/\n')
                self.assertNotIn("secret", out.stdout)

    def test_what_is_no_text(self):
        path = self.lesson()
        for content, words in ((b"x" * (256 * 1024 + 1), "files/a.txt is longer than the 256 KiB that a text may have"),
                               (b"\x7fELF\0\1", "files/a.txt is not a text: there is a NUL byte on its line 1"),
                               (b"\n\xff", "files/a.txt is not a text: its line 2 is not UTF-8")):
            with self.subTest(words):
                self.write("files/a.txt", content)
                self.assertEqual(self.run_tutor("show", path, "--step", "a", status=1).stderr, f"{path}:3: step: `text`: {words}\n")

    def test_control_bytes_do_not_reach_the_terminal(self):
        self.write("files/a.txt", b"a\x1b[2Jb\x07\x9b")
        out = self.run_tutor("show", self.lesson(), "--step", "a", status=1)
        self.assertNotIn("\x1b", out.stdout + out.stderr)  # 0x9b alone is not UTF-8
        self.write("files/a.txt", "a\x1b[2Jb\x07\u009b")
        out = self.run_tutor("show", self.lesson(), "--step", "a").stdout
        self.assertIn("a␛[2Jb␇", out)
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\u009b", out)

    def test_changed_between_two_requests(self):
        self.write("files/a.txt", "first it was this")
        with Terminal(["play", self.lesson(text='"{file \\"a.txt\\"}"')]) as t:
            t.wait("first it was this")
            time.sleep(0.02)
            self.write("files/a.txt", "then it was that")
            t.send(RIGHT)
            t.wait("then it was that")
            time.sleep(0.02)
            self.write("files/a.txt", b"\0")
            t.send(RIGHT)
            t.wait_notice("files/a.txt is not a text")
            time.sleep(0.02)
            self.write("files/a.txt", "and a text again")
            t.send(RIGHT)
            t.wait("and a text again")

    def test_replaced_by_a_link_after_listing(self):
        self.write("secret", "secret words")
        path = self.write("files/a.txt", "good words")
        with Terminal(["play", self.lesson()]) as t:
            t.wait("good words")
            os.unlink(path)
            os.symlink("../secret", path)
            t.send(RIGHT)
            t.wait("k  2")
            self.assertIn("good words", t.text)  # the file that was opened
            for worker in t.workers():
                os.kill(worker, 9)
            t.send(RIGHT)
            t.wait("k  3", "good words")
        with Terminal(["play", self.folder + "/mini.lua"]) as t:
            self.assertEqual(t.wait_end(), 1)
            self.assertNotIn("secret words", t.text)


if __name__ == "__main__":
    unittest.main()
