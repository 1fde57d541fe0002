"""Whose a course is, where it can be read up, and what to do about a mistake in it: where learners find that."""

import os
import tempfile
import unittest

from talk import Plain, Screen, flat
from terminal import CTRL_C, DOWN, ENTER, ROOT, TAB

ONE = 'return lesson "{id}" {{ format = 1, title = "{id}", step "s" {{ text = "Words." }} }}\n'


class Course(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normtutor-home.")
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def install(self, head):
        folder = self.home + "/data/normtutor/courses/mine"
        os.makedirs(folder)
        for name, text in ("course", head), ("first", ONE.format(id="first")), ("last", ONE.format(id="last")):
            with open(f"{folder}/{name}.lua", "w", encoding="utf-8") as file:
                file.write(text)

    MINE = ('return course "mine" { format = 1, title = "Mine", author = "Ada", licence = "CC0", sources = { "A book", "B book" },\n'
            '  report = "Tell Ada.", lessons = { "first", "last" } }\n')
    SAID = ("This course is by Ada, CC0.", "Tell Ada.", "Its files are in ~/data/normtutor/courses/mine.", "Source: A book", "Source: B book")

    def help_of(self, known, *keys):
        with Screen(home=self.home) as t:
            t.wait("Enter open")
            t.send(*keys)
            t.wait("Enter open", known)
            t.send("?")
            t.wait("more below")
            t.send(DOWN * 60)
            t.wait("more above", "Ctrl-C leaves safely")
            words = t.flat
            t.send(CTRL_C)
            t.wait_end(0)
        return words

    def test_the_built_in_course(self):
        words = self.help_of("Normalize one token")
        for said in ("by the normtutor authors, MIT.", "If you find a mistake", f"Its files are in {ROOT}/lessons", "PyTorch documentation"):
            self.assertIn(said, words)
        with Plain(home=self.home) as learner:
            said = flat(learner.say("help"))
            self.assertIn("by the normtutor authors, MIT. It is for learning", said)
            self.assertNotIn("http", said, "no address that nobody keeps")

    def test_another_course_in_its_help(self):
        self.install(self.MINE)
        words = self.help_of(" last", TAB)
        for said in self.SAID:
            self.assertIn(said, words)

    def test_the_last_lesson_ends_with_it(self):
        self.install(self.MINE)
        with Screen(["play", "mine/last"], home=self.home) as t:
            t.see_words("Words.")
            t.send(ENTER)
            t.see_words(*self.SAID)
            t.send(CTRL_C)
            t.wait_end(0)
        with Plain(("play", "mine/last", "--plain"), home=self.home) as learner:
            self.assertIn("\n".join(self.SAID), learner.say("look"))
        with Plain(("play", "mine/first", "--plain"), home=self.home) as learner:
            self.assertNotIn("Ada", learner.say("next"))

    def test_a_course_that_says_nothing(self):
        self.install('return course "mine" { format = 1, title = "Mine", lessons = { "first", "last" } }\n')
        words = self.help_of(" last", TAB)
        self.assertIn("This course is by nobody named.", words)
        self.assertNotIn("Source:", words)

    def test_in_another_language(self):
        self.install(self.MINE)
        os.makedirs(self.home + "/data/normtutor/courses/mine/lang/de")
        with open(self.home + "/data/normtutor/courses/mine/lang/de/course.lua", "w", encoding="utf-8") as file:
            file.write('return { ["report"] = { "Sag es Ada." } }\n')
        with Plain(("play", "mine/last", "--plain"), home=self.home, LANGUAGE="de") as learner:
            self.assertIn("Dieser Kurs ist von Ada, CC0.\nSag es Ada.\nSeine Dateien liegen in ~/data", learner.say("next"))


if __name__ == "__main__":
    unittest.main()
