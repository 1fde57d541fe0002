"""scripts/claims: every claim that the course is to teach has its step and its question, and the table in the guide says where."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The ids that lessons were planned by.
IDS = """two-jobs per-token formula scale-and-bias biased-variance after-training epsilon-small-variance residual-update additive-path
    old-stays post-norm-original pre-norm-final order-changes-paths weights-not-portable rms-norm current-statistics mixed-precision
    two-batches sources""".split()
SENTENCES = 34  # how many the page has


def claims(*arguments):
    return subprocess.run([sys.executable, ROOT + "/scripts/claims", *arguments], capture_output=True, text=True)


class TheCourse(unittest.TestCase):
    def test_every_claim_is_taught_and_asked_and_the_table_says_where(self):
        done = claims("--check")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("", "", 0))

    def test_the_sentences_are_all_there(self):
        with open(ROOT + "/lessons/claims.txt", encoding="utf-8") as file:
            found = re.findall(r"^([\w-]+): \S.*[^.\n]$", file.read(), re.M)
        self.assertEqual(len(found), SENTENCES)
        self.assertEqual(sorted(set(found)), sorted(IDS))


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normtutor-claims.")
        self.addCleanup(folder.cleanup)
        self.lessons = folder.name + "/lessons"
        os.makedirs(self.lessons)
        self.write("claims.txt", "# A comment.\n\none: the first\ntwo: the second\none: more of it\n")
        self.write("course.lua", 'return course "c" {\n  lessons  = { "a", "b" },\n}\n')
        self.write("a.lua", 'return lesson "a" {\n  step "see" {\n    teaches = { "one" },\n  },\n\n  ask.number "n" {\n    teaches = { "two", "one" },\n  },\n}\n')
        self.write("b.lua", 'return lesson "b" {\n  ask.choice "q" {\n    teaches = {\n      "two",\n    },\n  },\n}\n')
        self.write("README.md", "Before.\n<!-- claims: made by scripts/claims -->\n\nold\n\n<!-- end of claims -->\nAfter.\n")

    def write(self, name, text):
        with open(f"{self.lessons}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def change(self, name, old, new):
        with open(f"{self.lessons}/{name}", encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        self.write(name, text.replace(old, new))

    def guide(self):
        with open(self.lessons + "/README.md", encoding="utf-8") as file:
            return file.read()

    def assert_said(self, done, *lines):
        self.assertEqual(done.stdout.splitlines(), list(lines), done.stderr)
        self.assertEqual(done.returncode, 1 if lines else 0)

    def test_it_makes_the_table_between_its_lines(self):
        self.assert_said(claims(self.lessons))
        self.assertEqual(self.guide(), """Before.
<!-- claims: made by scripts/claims -->

| claim | sentence | lesson: steps | lesson: questions |
| --- | --- | --- | --- |
| `one` | the first | [a](a.lua): see | [a](a.lua): n |
| `two` | the second | – | [a](a.lua): n; [b](b.lua): q |
| `one` | more of it | [a](a.lua): see | [a](a.lua): n |

<!-- end of claims -->
After.
""")
        self.assert_said(claims("--check", self.lessons))

    def test_a_table_that_is_not_in_step(self):
        before = self.guide()
        self.assert_said(claims("--check", self.lessons), "lessons/README.md: the table of claims is not in step: run scripts/claims")
        self.assertEqual(self.guide(), before)
        claims(self.lessons)
        self.change("a.lua", '"n"', '"m"')
        self.assert_said(claims("--check", self.lessons), "lessons/README.md: the table of claims is not in step: run scripts/claims")

    def test_a_claim_without_a_step_or_a_question(self):
        self.change("claims.txt", "two:", "three:")
        self.change("a.lua", '"two", "one"', "")
        self.change("b.lua", '      "two",\n', "")
        lines = 'lessons/claims.txt:3: no question asks "one"', 'lessons/claims.txt:4: no step teaches "three"'
        self.assert_said(claims(self.lessons), *lines)
        self.assert_said(claims("--check", self.lessons), *lines)

    def test_a_lesson_that_is_not_in_the_course_does_not_count(self):
        self.change("course.lua", '"a", ', "")
        self.assert_said(claims(self.lessons), 'lessons/claims.txt:3: no step teaches "one"')

    def test_an_unknown_claim(self):
        self.change("b.lua", '"two"', '"tow"')
        self.assert_said(claims(self.lessons), 'lessons/b.lua:3: `teaches` names "tow", which is not in claims.txt')

    def test_a_place_that_cannot_be_read(self):
        self.change("b.lua", "  ask.choice", "    ask.choice")
        self.assert_said(claims(self.lessons), "lessons/b.lua: a `teaches` stands in no step that is written as the others are")

    def test_the_lines_must_be_there(self):
        self.change("README.md", "<!-- end of claims -->\n", "")
        done = claims(self.lessons)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("are not there", done.stderr)

    def test_what_is_not_its_own_stays(self):
        shutil.copy(ROOT + "/lessons/README.md", self.lessons)
        claims(self.lessons)
        with open(ROOT + "/lessons/README.md", encoding="utf-8") as file:
            ours = file.read()
        for half in (0, 1):
            mark = "<!-- claims: made by" if half == 0 else "<!-- end of claims"
            self.assertEqual(self.guide().split(mark)[half], ours.split(mark)[half])


if __name__ == "__main__":
    unittest.main()
