"""`normtutor new`: what it writes runs, asks and can be packed as it is; what is there already stays."""

import os
import re
import resource
import signal
import statistics
import subprocess
import unittest

from talk import Plain, tutor
from terminal import NORMTUTOR, ROOT, home_environment
from test_commands import Base

TEMPLATES = ROOT + "/templates"
COURSE = ["course.lua", "files/layer_norm.lua", "first.lua", "from-files.lua", "shared/rows.lua"]
STEPS = {"new-lesson": ["look", "variance", "normalize", "times", "mend"], "from-files": ["program", "first"]}
SEEDS = range(1, 9)


def text_of(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def token(words):
    return [float(number) for number in re.search(r"token is \[(.*?)\]", words)[1].split(",")]


class Made(Base):
    def make(self, *arguments, status=0):
        """In the learner's home."""
        done = subprocess.run([NORMTUTOR, "new", *arguments], cwd=self.home, env=home_environment(self.home), capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (status, "") if status == 0 else (status, done.stderr), done.stdout)
        return done.stdout if status == 0 else done.stderr

    def refused(self, *arguments, status, words):
        before = {name: text_of(self.home + "/" + name) for name in files_below(self.home)}
        said = self.make(*arguments, status=status)
        self.assertRegex(said, r"\A[^\n]+\n\Z")
        self.assertRegex(said, words)
        self.assertEqual({name: text_of(self.home + "/" + name) for name in files_below(self.home)}, before)
        return said


class Course(Made):
    def test_every_file_of_the_template_with_the_ids_and_titles_put_in(self):
        said = self.make("course", "blocks-and-norms")
        self.assertEqual(files_below(self.home + "/blocks-and-norms"), COURSE)
        for name in COURSE:
            self.assertIn(f"  blocks-and-norms/{name}\n", said)
            template = text_of(f"{TEMPLATES}/{name.replace('first.lua', 'new-lesson.lua')}")
            for old, new in (("new-course", "blocks-and-norms"), ("New course", "Blocks and norms"), ("new-lesson", "first"),
                             ("New lesson", "First")):
                template = template.replace(old, new)
            self.assertEqual(text_of(f"{self.home}/blocks-and-norms/{name}"), template)

    def test_it_can_be_packed_installed_and_played(self):
        self.make("course", "blocks")
        done = tutor("pack", self.home + "/blocks", "-o", self.home + "/blocks.tar.gz", home=self.home)
        if "libarchive" in done.stderr:
            self.skipTest(done.stderr)
        self.assertNotIn("left out", done.stdout)
        self.run_tutor("install", "--yes", self.home + "/blocks.tar.gz")
        self.assertRegex(self.run_tutor("list"), r"Blocks\n  1  first +First .*\n  2  from-files +From files .*after 1\n")

    def test_a_path(self):
        os.mkdir(self.home + "/mine")
        self.make("course", "mine/blocks/")
        self.assertEqual(files_below(self.home + "/mine/blocks"), COURSE)
        self.assertIn('course "blocks"', text_of(self.home + "/mine/blocks/course.lua"))

    def test_what_is_there_stays(self):
        os.mkdir(self.home + "/empty")
        self.write("file", "mine")
        for name in ("empty", "file"):
            self.refused("course", name, status=1, words=f"^{name} is there already")
        self.make("course", "blocks")
        self.write("blocks/course.lua", "mine")
        self.refused("course", "blocks", status=1, words="^blocks is there already")

    def test_where_it_cannot_be_written(self):
        self.write("file", "mine")
        self.refused("course", "no/where", status=1, words="^cannot make no/where: No such")
        self.refused("course", "file/blocks", status=1, words="^cannot make file/blocks: Not a dir")

    def test_half_a_course_is_never_left(self):
        def small():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))  # less than the lesson

        for arguments, name in ((("course", "blocks"), "blocks/first.lua"), (("lesson", "one"), "one.lua")):
            done = subprocess.run([NORMTUTOR, "new", *arguments], cwd=self.home, env=home_environment(self.home), preexec_fn=small,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (1, f"cannot make {name}: File too large\n"))
            self.assertEqual(os.listdir(self.home), [])

    def test_a_name_that_is_no_id(self):
        for name, words in (("My Course", 'perhaps "my-course"'), ("a_b", 'perhaps "a-b"'), ("Été", 'perhaps "t"'), ("!", "a-z"), ("", "a-z"),
                            ("x" * 41, "at most 40"), ("norms", "built-in"), ("..", "a-z"), ("\x1b[2J", 'perhaps "2j"')):
            with self.subTest(name=name):
                self.assertNotIn("\x1b", self.refused("course", name, status=2, words=words))


class Lesson(Made):
    def test_the_template_with_its_id_and_title(self):
        said = self.make("lesson", "two-tokens")
        self.assertEqual(files_below(self.home), ["two-tokens.lua"])
        self.assertEqual(text_of(self.home + "/two-tokens.lua"),
                         text_of(TEMPLATES + "/new-lesson.lua").replace("new-lesson", "two-tokens").replace("New lesson", "Two tokens"))
        self.assertIn("normtutor play --watch two-tokens.lua", said)
        self.assertNotIn("course", said)
        self.assertIn("Two tokens", self.run_tutor("show", self.home + "/two-tokens.lua"))

    def test_in_a_course_it_says_what_to_write_there(self):
        self.make("course", "blocks")
        before = text_of(self.home + "/blocks/course.lua")
        said = self.make("lesson", "blocks/second.lua")
        line = re.search(r"^  (lessons .*)$", said, re.M)[1]
        self.assertEqual(text_of(self.home + "/blocks/course.lua"), before)
        self.write("blocks/course.lua", re.sub(r"lessons  = .*", line, before))
        self.assertIn("Second", self.run_tutor("show", self.home + "/blocks/second.lua"))
        self.run_tutor("pack", self.home + "/blocks", "-o", self.home + "/blocks.tar.gz")
        os.unlink(self.home + "/blocks/second.lua")
        self.assertNotIn("among the lessons", self.make("lesson", "blocks/second"))  # it is there already

    def test_in_a_course_that_does_not_load(self):
        self.make("course", "blocks")
        self.write("blocks/course.lua", "return course {")
        self.assertIn('put "second" among the lessons in blocks/course.lua', self.make("lesson", "blocks/second"))

    def test_what_is_there_stays(self):
        self.write("one.lua", "mine")
        for name in ("one", "one.lua"):
            self.refused("lesson", name, status=1, words=r"^one\.lua is there already")
        os.symlink(self.home + "/elsewhere", self.home + "/link.lua")
        self.assertIn("link.lua is there already", self.make("lesson", "link", status=1))
        self.assertFalse(os.path.exists(self.home + "/elsewhere"))

    def test_a_name_that_is_no_id(self):
        for name, words in (("Two Tokens", 'perhaps "two-tokens"'), ("course", "course.lua is the course"), (".lua", 'perhaps "lua"'), ("a/", "a-z")):
            with self.subTest(name=name):
                self.refused("lesson", name, status=2, words=words)

    def test_wrong_usage(self):
        for arguments, words in (((), "takes what to make"), (("lesson",), "one name"), (("course", "a", "b"), "one name"),
                                 (("lessen", "a"), 'did you mean "lesson"'), (("epsilon",), "normtutor new lesson epsilon"), (("--flurb",), "--flurb")):
            with self.subTest(arguments=arguments):
                self.refused(*arguments, status=2, words=words)


class Templates(Base):
    """They are lessons like any other."""

    def show_step(self, lesson, step, *more):
        return self.run_tutor("show", f"{TEMPLATES}/{lesson}.lua", "--step", step, *more)

    def test_every_step_fits_a_small_screen_for_every_seed(self):
        for lesson, steps in STEPS.items():
            for step in steps:
                for seed in SEEDS:
                    shown = self.show_step(lesson, step, "--seed", str(seed), "--ascii")
                    self.assertNotIn("taller", shown)
                    self.assertNotIn("more", shown)

    def test_answers_and_mistakes_worked_out_from_what_is_shown(self):
        for seed in SEEDS:
            seeded = ("--seed", str(seed))
            x = token(self.show_step("new-lesson", "variance", *seeded))
            mean, var = statistics.mean(x), statistics.pvariance(x)
            total = sum((v - mean) ** 2 for v in x)
            for typed, words in ((var, "Right."), (total, "sum of the squares"), (total / 3, "You divided by 3"), (var ** 0.5, "one step too far")):
                self.assertIn(words, self.show_step("new-lesson", "variance", *seeded, "--answer", f"{typed:.3f}"))
            x = token(self.show_step("new-lesson", "normalize", *seeded))
            mean, deviation = statistics.mean(x), statistics.pstdev(x)
            for row, words in (([(v - mean) / deviation for v in x], "Right."), ([(v - mean) / deviation ** 2 for v in x], "Divide by its root"),
                               ([v - mean for v in x], "Now divide"), ([v / deviation for v in x], "before you divide")):
                self.assertIn(words, self.show_step("new-lesson", "normalize", *seeded, "--answer", " ".join(f"{v:.3f}" for v in row)))
            x = token(self.show_step("from-files", "first", *seeded))
            mean, deviation = statistics.mean(x), statistics.pstdev(x)
            for typed, words in (((x[0] - mean) / deviation, "Right."), ((x[0] - mean) / deviation ** 2, "divides by its root"),
                                 ((mean - x[0]) / deviation, "sign is reversed")):
                self.assertIn(words, self.show_step("from-files", "first", *seeded, "--answer", f"{typed:.3f}"))

    def test_check_finds_nothing(self):
        for path in (TEMPLATES, TEMPLATES + "/new-lesson.lua"):
            self.assertIn("no fault", self.run_tutor("check", path))

    def test_learners_do_not_all_have_the_same_numbers(self):
        self.assertGreater(len({tuple(token(self.show_step("new-lesson", "variance", "--seed", str(seed)))) for seed in SEEDS}), 6)

    def test_the_program_and_the_prediction(self):
        with open(self.home + "/right.lua", "w", encoding="ascii") as file:
            file.write(text_of(TEMPLATES + "/files/layer_norm.lua"))
        for seed in SEEDS:
            self.assertIn("fails", self.show_step("new-lesson", "mend", "--seed", str(seed)))
        self.assertIn("Right.", self.show_step("new-lesson", "mend", "--answer", f"@{self.home}/right.lua"))
        self.assertIn("Right.", self.show_step("new-lesson", "times", "--answer", "stay"))

    def test_it_is_a_whole_lesson_for_a_learner(self):
        with Plain(("play", TEMPLATES + "/new-lesson.lua", "--plain")) as learner:
            learner.see_words("You will be able to find the variance")
            for number in range(1, 6):
                learner.next()
                learner.on_step(number)
            learner.next()
            learner.see_words("What to keep.")


if __name__ == "__main__":
    unittest.main()
