"""`normtutor check`: what it says of lessons with one fault each, and of those that are good."""

import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT + "/tests/terminal")
from terminal import NORMTUTOR, PATIENCE, Terminal, home_environment  # noqa: E402

BROKEN = sorted(glob.glob(ROOT + "/tests/check/broken/*.lua"))
SEEDS = "12"
GOOD = """return lesson "good" {{
  format = 1,
  title  = "Good",

  ask.number "mean" {{
    data   = function(random) return {{ x = random:integers {{ 4, from = 1, to = 9, distinct = true }} }} end,
    text   = "What is the mean of {{x}}?",
    answer = "x:mean()",
    mistake "sum" {{ by = "x:sum()", say = "That is the sum." }},
    why    = "It is {{answer}}.",{more}
  }},
}}
"""


def expected(path):
    """(line, words) of the message that the lesson names."""
    with open(path, encoding="utf-8") as file:
        marked = [(number, line) for number, line in enumerate(file, 1) if "--! " in line]
    number, line = marked[0]
    assert len(marked) == 1, path
    return number, line.split("--! ")[1].rstrip("\n")


class Base(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        home = tempfile.TemporaryDirectory(prefix="normtutor-check.")
        self.addCleanup(home.cleanup)
        self.home = home.name

    def check(self, *arguments, status=0):
        done = subprocess.run([NORMTUTOR, "check", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20 * PATIENCE,
                              cwd=ROOT, env=home_environment(self.home))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def write(self, name, text):
        path = f"{self.home}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def good(self, more=""):
        return self.write("good.lua", GOOD.format(more=more))


class Broken(Base):
    """One message each, with its file and its line."""

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(BROKEN), 30)

    def judge(self, path):
        line, words = expected(path)
        name = os.path.relpath(path, ROOT)
        done = self.check(name, "--seeds", SEEDS, status=1)
        messages = done.stdout.splitlines()[:-1]
        self.assertEqual(len(messages), 1, done.stdout)
        self.assertTrue(messages[0].startswith(f"{name}:{line}: "), messages[0])
        self.assertIn(words, messages[0])
        self.assertRegex(done.stdout.splitlines()[-1], r", 1 fault$")
        self.assertEqual(done.stderr, "")


for path in BROKEN:
    name = os.path.basename(path)[:-4]
    setattr(Broken, "test_" + re.sub(r"\W", "_", name), lambda self, path=path: self.judge(path))


class Unloaded(Base):
    def test_that_nothing_was_tried_is_said(self):
        done = self.check("tests/check/broken/syntax.lua", "--seeds", SEEDS, status=1)
        self.assertEqual(done.stdout.splitlines()[-1], "nothing was tried, since no lesson could be loaded, 1 fault")


class Order(Base):
    def test_all_of_them_at_once_and_the_same_words_each_time(self):
        quick = [path for path in BROKEN if os.path.basename(path) not in ("loop.lua", "text-loops.lua", "bomb.lua")]
        first = self.check(*quick, "--seeds", SEEDS, status=1).stdout
        self.assertEqual(len(first.splitlines()), len(quick) + 1)
        self.assertEqual([line.split(":")[0] for line in first.splitlines()[:-1]], quick)
        self.assertEqual(self.check(*quick, "--seeds", SEEDS, status=1).stdout, first)

    def test_what_loops_does_not_keep_the_rest_from_being_tried(self):
        good = self.good(more='\n    hints = { "{x:prod()}" },')
        done = self.check("tests/check/broken/loop.lua", "tests/check/broken/bomb.lua", good, "--seeds", SEEDS, status=1)
        self.assertEqual(len(done.stdout.splitlines()), 4, done.stdout)
        self.assertIn("good.lua:11: ", done.stdout)


class Good(Base):
    def test_a_lesson_without_a_fault(self):
        done = self.check(self.good(), "--seeds", "40")
        self.assertEqual(done.stdout, "1 lesson, 1 question, 1 mistake and 0 views under 40 seeds: 80 answers judged, 64 frames drawn, no fault\n")

    def test_two_hundred_seeds_where_none_are_named(self):
        self.assertIn(" under 200 seeds: ", self.check(self.good()).stdout)

    def test_a_fault_under_some_seeds_names_one_and_how_many(self):
        path = self.write("some.lua", GOOD.format(more='\n    hints = { "{pick(x)}" },').replace('"good"', '"some"')
                          .replace('"Good",', '"Some", define = { pick = function(x) if x[1] ~= 5 then return x end end },'))
        done = self.check(path, "--seeds", "100", status=1)
        found = re.match(r".*some\.lua:11: `hints\.1`: .* \(seed (\d+), and (\d+) more of 100\)$", done.stdout.splitlines()[0])
        self.assertTrue(found, done.stdout)
        self.assertLess(int(found[2]), 40)

    def test_needs_that_are_not_there_only_advise(self):
        path = self.write("needy.lua", GOOD.format(more="").replace('"good"', '"needy"').replace('"Good",', '"Needy",\n  needs = { "nothing" },'))
        done = self.check(path, "--seeds", "3")
        self.assertIn('needy.lua:4: advice: `needs`: there is no lesson "nothing" in this course', done.stdout)
        self.assertIn("no fault, 1 piece of advice", done.stdout)

    def test_a_mistake_that_never_counts_is_advice(self):
        path = self.good(more='\n    mistake "never" { by = "99", say = "Never.", when = "x:sum() > 100" },')
        self.assertIn('good.lua:11: advice: mistake "never"', self.check(path, "--seeds", "20").stdout)

    def test_a_mistake_of_another_shape_is_advice(self):
        text = GOOD.format(more="").replace("ask.number", "ask.tensor").replace('"x:mean()"', '"x - x:mean()"')
        path = self.write("good.lua", text.replace('by = "x:sum()"', 'by = "x * tensor.ones { 1, 4 }"'))
        done = self.check(path, "--seeds", "3")
        self.assertIn('good.lua:9: advice: mistake "sum": `by` has the shape (1, 4) where the answer has (4,)', done.stdout)

    def test_names_for_what_a_knob_brings(self):
        more = '\n    knobs = { knob.int "k" { 1, 4 } },\n    show = view.bars { "tensor.ones { k }", names = { "a", "b", "c", "d" } },'
        self.check(self.good(more=more), "--seeds", "3")

    def test_a_short_number_of_the_text_is_not_given_away(self):
        text = GOOD.format(more="").replace('"x:mean()"', '"#x + 764"').replace("mean of {x}", "size of a row of {#x + 764}")
        self.check(self.write("good.lua", text), "--seeds", "20")

    def test_an_answer_that_is_never_a_number_is_advice(self):
        text = GOOD.format(more="").replace('"x:mean()"', '"(x - x):mean() / 0"')
        done = self.check(self.write("good.lua", text), "--seeds", "3")
        self.assertIn("good.lua:8: advice: `answer` is nan or infinite, or has such a number in it, under every seed", done.stdout)

    def test_a_program_that_is_no_mistake_for_these_numbers_is_none(self):
        with open(ROOT + "/tests/check/broken/programs-alike.lua", encoding="utf-8") as file:
            text = file.read().replace('"programs-alike"', '"code"')
        self.assertIn('mistake "again"', self.check(self.write("code.lua", text), "--seeds", "3", status=1).stdout)
        path = self.write("code.lua", text.replace('"It averages over the batch." }, --!', '"So it does.", when = "false" }, --'))
        self.check(path, "--seeds", "3")

    def test_a_number_to_be_found_among_others_is_not_given_away(self):
        text = GOOD.format(more='\n    show = view.bars { "x" },')
        text = text.replace('"x:mean()"', '"x:max()"').replace("mean of", "largest of").replace('by = "x:sum()"', 'by = "x:max() + 10"')
        self.check(self.write("good.lua", text), "--seeds", "20")


class Course(Base):
    def course(self, *lessons):
        self.write("course/course.lua", 'return course "mine" { format = 1, title = "Mine", lessons = { %s } }' % ", ".join(f'"{name}"' for name in lessons))

    def test_a_folder_is_its_lessons_in_their_order(self):
        self.course("second", "first")
        for name in ("first", "second"):
            self.write(f"course/{name}.lua", GOOD.format(more="").replace('"good"', f'"{name}"').replace("x:mean()", "x:men()"))
        done = self.check(self.home + "/course/", "--seeds", "3", status=1)
        self.assertEqual([os.path.basename(line.split(":")[0]) for line in done.stdout.splitlines()[:-1]], ["second.lua", "first.lua"])

    def test_a_lesson_that_is_not_there(self):
        self.course("nowhere")
        done = self.check(self.home + "/course", status=1)
        self.assertRegex(done.stdout.splitlines()[0], r"course/nowhere\.lua: ")

    def test_a_fault_in_a_shared_module_is_there(self):
        self.course("one")
        self.write("course/shared/half.lua", "return {\n  half = function(x)\n    return x / nil\n  end,\n}")
        self.write("course/one.lua", GOOD.format(more='\n    hints = { "{half(x)}" },').replace('"good"', '"one"')
                   .replace('"Good",', '"One", define = { half = (use "half").half },'))
        done = self.check(self.home + "/course", "--seeds", "3", status=1)
        self.assertEqual(len(done.stdout.splitlines()), 2, done.stdout)
        self.assertRegex(done.stdout, r"^\S+/course/shared/half\.lua:3: ")

    def test_a_lesson_that_is_not_listed_is_advice(self):
        self.course("one")
        for name in ("one", "two"):
            self.write(f"course/{name}.lua", GOOD.format(more="").replace('"good"', f'"{name}"'))
        done = self.check(self.home + "/course", "--seeds", "3")
        self.assertRegex(done.stdout.splitlines()[0], r"course/course\.lua: advice: two\.lua lies beside it and is not in `lessons`$")

    def test_a_former_id_is_one_lessons(self):
        self.course("one", "two", "three", "four")
        for name, former in (("one", ""), ("two", "one"), ("three", "old"), ("four", "old")):
            self.write(f"course/{name}.lua", GOOD.format(more="").replace('"good"', f'"{name}"')
                       .replace('"Good",', f'"Good",\n  renamed_from = "{former}",' if former else '"Good",'))
        lines = self.check(self.home + "/course", "--seeds", "2", status=1).stdout.splitlines()
        self.assertRegex(lines[0], r'course/two\.lua:4: `renamed_from`: the lesson "one" is still in this course')
        self.assertRegex(lines[1], r'course/four\.lua:4: `renamed_from`: the lesson "three" was called "old" already')
        self.assertEqual(len(lines), 3)

    def test_lessons_by_their_ids(self):
        self.assertRegex(self.check("axis", "norms/epsilon", "axis", "lessons/axis.lua", "--seeds", "2").stdout, r"^2 lessons, ")

    def test_a_broken_course_file(self):
        self.write("course/course.lua", 'return course "mine" {\n  format = 1, title = "Mine", lesons = { "one" } }')
        done = self.check(self.home + "/course", status=1)
        self.assertRegex(done.stdout.splitlines()[0], r"course/course\.lua:2: .*`lesons`; did you mean `lessons`\?")


class Usage(Base):
    def trouble(self, *arguments):
        done = self.check(*arguments, status=2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        return done.stderr

    def test_wrong_usage(self):
        self.assertIn("check takes lessons", self.trouble())
        self.assertIn("--seeds takes a whole number", self.trouble("lessons", "--seeds", "0"))
        self.assertIn("no option --sed", self.trouble("lessons", "--sed", "3"))
        self.assertIn("no lesson", self.trouble("nowhere"))
        self.assertIn("no file", self.trouble("./nowhere.lua"))
        self.assertIn("no course.lua in", self.trouble(self.home))

    def test_json(self):
        told = json.loads(self.check("tests/check/broken/hole-nil.lua", "--seeds", "5", "--json", status=1).stdout)
        self.assertEqual({key: told[key] for key in ("seeds", "lessons", "questions", "mistakes")}, {"seeds": 5, "lessons": 1, "questions": 1, "mistakes": 1})
        finding, = told["findings"]
        what = finding.pop("what")
        self.assertIn("comes to nothing", what)
        self.assertEqual(finding, {"kind": "fault", "lesson": "hole-nil", "file": "tests/check/broken/hole-nil.lua", "line": 13, "seed": 1, "seeds": 5})
        self.assertEqual(json.loads(self.check(self.good(), "--seeds", "2", "--json").stdout)["findings"], [])


class AtATerminal(Base):
    def test_a_bar_that_goes_away(self):
        with Terminal(["check", ROOT + "/lessons/normalize.lua"], 100, 24, home=self.home) as terminal:
            terminal.wait("checking [")
            terminal.wait("no fault")
            self.assertNotIn("checking [", terminal.text)

    def test_no_bar_into_a_pipe(self):
        self.assertEqual(self.check(self.good(), "--seeds", "3").stderr, "")

    def test_ctrl_c(self):
        process = subprocess.Popen([NORMTUTOR, "check", "lessons", "--seeds", "20000"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=ROOT, env=home_environment(self.home))
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, out), (1, ""))
        self.assertEqual(error, "normtutor: check: stopped\n")


class BuiltIn(Base):
    def test_every_lesson_for_two_hundred_seeds(self):
        done = self.check("lessons", "--seeds", "20" if "asan" in NORMTUTOR else "200")
        found = re.search(r"(\d+) lessons, (\d+) questions, (\d+) mistakes and (\d+) views under \d+ seeds: \d+ answers judged, \d+ frames drawn, no fault\n$",
                          done.stdout)
        self.assertTrue(found, done.stdout)
        for number, least in zip(found.groups(), (5, 27, 100, 20)):
            self.assertGreaterEqual(int(number), least)


if __name__ == "__main__":
    unittest.main()
