"""An instructor's hour, with no more than the guide says: from `new course` to a course that somebody else has installed and plays."""

import os
import re
import subprocess
import tempfile
import unittest

from talk import Plain, tutor
from terminal import NORMTUTOR, ROOT, home_environment

OWN = '''return lesson "spread" {
  format = 1,
  title  = "Spread",
  data   = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true } } end,
  accept = "x:var() > 1 and x:sum() % 4 == 0",

  ask.tensor "centre" {
    text   = "Take the mean away from each number of {x}.",
    answer = "x - x:mean()",
    mistake "sign" { by = "x:mean() - x", say = "You took the numbers away from the mean." },
    why    = "The mean is {x:mean()}: {answer}.",
  },
PREDICTION
}
'''
COURSE = '''return course "hour" {
  format  = 1,
  title   = "One hour",
  author  = "Ada",
  licence = "CC BY 4.0",
  version = "%s",
  lessons = { "mean", "spread", "mend" },
}
'''


def examples():
    with open(ROOT + "/lessons/README.md", encoding="utf-8") as file:
        return re.findall(r"```lua\n(.*?)```", file.read(), re.S)


def example(words):
    """The first of the guide's examples that begins so."""
    return next(text for text in examples() if text.startswith(words))


class Hour(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normtutor-hour.")
        self.addCleanup(folder.cleanup)
        self.home = folder.name + "/instructor"
        self.learner = folder.name + "/learner"
        os.mkdir(self.home)
        os.mkdir(self.learner)

    def run_tutor(self, *arguments, status=0):
        done = subprocess.run([NORMTUTOR, *arguments], cwd=self.home, env=home_environment(self.home), capture_output=True, text=True)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def write(self, name, text):
        with open(f"{self.home}/hour/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def make(self):
        """The course, checked and packed."""
        self.run_tutor("new", "course", "hour")
        for name in ("first.lua", "from-files.lua", "shared/rows.lua", "files/layer_norm.lua"):
            os.remove(f"{self.home}/hour/{name}")
        self.write("course.lua", COURSE % "1")
        self.write("mean.lua", example('return lesson "mean"'))
        self.write("spread.lua", OWN.replace("PREDICTION", example('ask.choice "guess"').rstrip() + ","))
        self.write("mend.lua", example('return lesson "mend"'))
        for step in ("centre", "guess"):
            self.assertIn("Spread", self.run_tutor("show", "hour/spread.lua", "--step", step, "--size", "80x24"))
        self.assertIn("no fault", self.run_tutor("check", "hour", "--seeds", "40"))
        self.run_tutor("translate", "hour/mean.lua", "de")
        with open(f"{self.home}/hour/lang/de/mean.lua", encoding="utf-8") as file:
            self.assertIn("The mean of a token", file.read())
        self.assertIn("no fault", self.run_tutor("check", "hour", "--seeds", "8"))
        self.run_tutor("pack", "hour")
        return self.home + "/hour.tar.gz"

    def installed(self, package, *more):
        done = tutor("install", package, "--yes", *more, home=self.learner)
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("Ada", "CC BY 4.0", "One hour"):
            self.assertIn(words, done.stdout)

    def numbers(self, plain):
        return [int(number) for number in re.search(r"\[([\d, ]+)\]", plain.words)[1].split(",")]

    def study(self):
        """All three lessons in plain lines, each answer once wrong in the way that is declared."""
        with Plain(["play", "hour/mean", "--plain", "--step", "mean"], home=self.learner) as plain:
            x = self.numbers(plain)
            plain.say(f"answer {sum(x)}")
            plain.see_words(f"{sum(x)} is the sum. Divide it by 4.")
            plain.say(f"answer {sum(x) / 4}")
            plain.see_words("Right.")
            self.assertEqual(plain.end()[0], 0)
        with Plain(["play", "hour/spread", "--plain"], home=self.learner) as plain:
            x = self.numbers(plain)
            plain.say("answer " + " ".join(str(sum(x) // 4 - number) for number in x))
            plain.see_words("You took the numbers away from the mean.")
            plain.say("answer " + " ".join(str(number - sum(x) // 4) for number in x))
            plain.see_words("Right.")
            plain.say("next")
            plain.see_words("The row", "multiplied by s = 1000")
            plain.say("answer 2")
            plain.see_words("which does not grow, makes a difference")
            self.assertEqual(plain.end()[0], 0)
        with Plain(["play", "hour/mend", "--plain"], home=self.learner) as plain:
            plain.see_words("averages over the wrong axis")
            plain.save(plain.place(), re.search(r"solution = \[\[\n(.*?)\]\]", example('return lesson "mend"'), re.S)[1],
                       lambda words: "Right." in words, "the verdict")
            self.assertEqual(plain.end()[0], 0)

    def state(self):
        """(lesson, its state) of the learner's list."""
        shown = tutor("list", home=self.learner).stdout
        return [line for line in shown.split("\n") if "done" in line]

    def test_from_nothing_to_a_learner_who_is_done(self):
        package = self.make()
        self.installed(package)
        self.study()
        before = self.state()
        self.write("course.lua", COURSE % "2")
        self.run_tutor("check", "hour", "--seeds", "8")
        self.run_tutor("pack", "hour", "-o", "hour-2.tar.gz")
        self.installed(self.home + "/hour-2.tar.gz")
        self.assertEqual(self.state(), before)  # a newer version loses nothing
        self.assertEqual(tutor("remove", "hour", "--yes", home=self.learner).returncode, 0)
        self.assertNotIn("One hour", tutor("list", home=self.learner).stdout)
        self.installed(package)
        self.assertEqual(self.state(), before)

    def test_what_the_checker_finds_is_mended(self):
        self.make()
        self.write("mean.lua", example('return lesson "mean"').replace('by = "x:sum()"', 'by = "x:mean()"'))
        said = self.run_tutor("check", "hour", "--seeds", "8", status=1)
        self.assertRegex(said, r"hour/mean\.lua:\d+: ")
        self.assertIn("sum", said)
        self.assertIn("none was fit", self.run_tutor("pack", "hour", "-o", "other.tar.gz", status=1))


if __name__ == "__main__":
    unittest.main()
