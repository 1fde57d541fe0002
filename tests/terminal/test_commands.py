"""The command line, as its users and their scripts meet it."""

import json
import os
import re
import subprocess
import tempfile
import time
import unittest

from arithmetic import normalized, unbiased, var
from questions import LESSONS, QUESTIONS, close, numbers, question_numbers, read_lesson, typed
from talk import Plain, lessons_of, tutor
from terminal import NORMTUTOR, PATIENCE, ROOT, home_environment

DESK = ROOT + "/tests/terminal/lessons/desk.lua"
STEPS = {lesson: {step.id: step for step in read_lesson(lesson)} for lesson in LESSONS}


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="normtutor-home.")
        self.addCleanup(self.folder.cleanup)
        self.home = self.folder.name

    def run_tutor(self, *arguments, status=0, **more):
        done = tutor(*arguments, home=self.home, **more)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout}{done.stderr}")
        if status == 0:
            self.assertEqual(done.stderr, "")
        return done.stdout

    def trouble(self, *arguments, status, **more):
        """The one line that a command says on standard error, and nothing else."""
        done = tutor(*arguments, home=self.home, **more)
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout}{done.stderr}")
        self.assertRegex(done.stderr, r"\A[^\n]+\n\Z", f"{arguments}: not one line")
        self.assertEqual(done.stdout, "", arguments)
        return done.stderr

    def write(self, name, text):
        path = self.home + "/" + name
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def show(self, lesson, step, *more):
        return self.run_tutor("show", lesson, "--step", step, *more)


class WrongUsage(Base):
    COMMANDS = """
        --bogus
        -x
        flurb
        --plain extra
        play
        play a b
        play nolesson
        play no.lua
        play normalize --step
        play normalize --step nope
        play normalize --seed x
        play normalize --seed -1
        play normalize --flurb
        list x
        list --flurb
        show
        show normalize epsilon
        show nolesson
        show normalize --step nope
        show normalize --size 80
        show normalize --size 0x0
        show normalize --size 80x24x3
        show normalize --seed 1.5
        show normalize --sure 4
        show normalize --hints many
        show normalize --set x
        show normalize --step columns --set nope=1
        show normalize --step columns --set x[4]=1
        show normalize --step columns --set x[1]=a
        show normalize --step columns --set stage=99
        show normalize --step columns --answer 1
        show epsilon --step three --set cursor.token=9
        show epsilon --step three --set cursor.nope=1
        show epsilon --step curve --set s=loud
        eval -e
        eval a.lua b.lua
        eval -e 1 --timeout soon
        eval -e 1 --timeout 0
        --version x
        help flurb
    """

    def test_it_says_so_in_one_line_and_exits_2(self):
        for command in self.COMMANDS.strip().split("\n"):
            with self.subTest(command=command):
                self.assertTrue(self.trouble(*command.split(), status=2).startswith("normtutor: "))

    def test_it_offers_what_may_be_meant(self):
        self.assertIn('"normalize"', self.trouble("play", "normalise", status=2))
        self.assertIn('"play"', self.trouble("pley", status=2))
        self.assertIn('"variance"', self.trouble("show", "normalize", "--step", "varience", status=2))

    def test_a_name_with_control_bytes_does_not_reach_the_terminal(self):
        self.assertNotIn("\x1b", self.trouble("play", "\x1b[2J", status=2))


class Help(Base):
    def test_help_names_every_command_and_option(self):
        for text in (self.run_tutor("--help"), self.run_tutor("help")):
            for word in ("normtutor play", "normtutor list", "normtutor show", "normtutor eval", "normtutor new", "--watch", "--version", "--plain", "--no-cage", "--step",
                         "--seed", "--set", "--answer", "--size", "--ascii", "--ansi", "--json", "--timeout", "XDG_STATE_HOME"):
                self.assertIn(word, text)
        self.assertIn("--answer", self.run_tutor("show", "--help"))
        self.assertIn("--timeout", self.run_tutor("help", "eval"))

    def test_version_says_what_a_report_needs(self):
        text = self.run_tutor("--version")
        for words in (r"^normtutor \d", r"Lua 5\.\d", r"tensors: \w", r"ncurses \d", r"SQLite \d", r"msgpack-c \d", r"^cage: \w"):
            self.assertRegex(text, re.compile(words, re.M))


class List(Base):
    def test_json(self):
        lessons = lessons_of(self.home)
        self.assertEqual([(lesson["course"], lesson["id"]) for lesson in lessons], [("norms", name) for name in LESSONS])
        for lesson in lessons:
            steps = read_lesson(lesson["id"])
            self.assertTrue(lesson["title"])
            self.assertEqual(lesson["steps"], len(steps))
            self.assertEqual(lesson["questions"], sum(step.kind != "step" for step in steps))
            self.assertEqual((lesson["seen"], lesson["right"]), (0, 0))

    def lesson(self, name):
        return next(lesson for lesson in lessons_of(self.home) if lesson["id"] == name)

    def test_json_counts_what_the_learner_did(self):
        step, question = STEPS["normalize"]["mean"], QUESTIONS["normalize"]["mean"]
        with Plain(("play", "normalize", "--plain"), home=self.home) as learner:
            learner.say("next")
            learner.say("next")
            (x,) = question_numbers(step, question, learner.words)
            learner.say(typed(question.mistakes["sum"](x)))
            self.assertEqual(self.lesson("normalize")["right"], 0)
            learner.say(typed(question.answer(x)))
            learner.see_words("Right.")
        self.assertEqual((self.lesson("normalize")["seen"], self.lesson("normalize")["right"], self.lesson("axis")["seen"]), (2, 1, 0))
        self.assertIn("1 of 6", self.run_tutor("list"))

    def test_words(self):
        text = self.run_tutor("list")
        for lesson in lessons_of(self.home):
            self.assertIn(lesson["title"], text)

    def test_courses_of_the_learner(self):
        folder = self.home + "/data/normtutor/courses/mine"
        os.makedirs(folder)
        for name, text in (
                ("course", 'course "mine" { format = 1, title = "Tab\\there \\"q\\"", lessons = { "one", "broken" } }'),
                ("one", 'lesson "one" { format = 1, title = "One", step "a" { text = "A" } }'),
                ("broken", 'lesson "broken" { format = 1, title = "B",\n  step "a" { txt = "A" } }')):
            self.write(f"data/normtutor/courses/mine/{name}.lua", f"return {text}\n")
        done = tutor("list", "--json", home=self.home)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\A\S*broken\.lua:2: .*\n\Z")
        lessons = json.loads(done.stdout)
        self.assertEqual([lesson["id"] for lesson in lessons], LESSONS + ["one", "broken"])
        self.assertIn("broken.lua:2", lessons[-1]["error"])
        self.assertIn("A", tutor("show", "mine/one", home=self.home).stdout)


class Show(Base):
    def test_a_frame_is_what_was_asked_for(self):
        text = self.show("normalize", "columns")
        lines = text.removesuffix("\n").split("\n")
        self.assertEqual(len(lines), 24)
        self.assertLessEqual(max(map(len, lines)), 80)
        lines = self.show("normalize", "columns", "--size", "120x32").removesuffix("\n").split("\n")
        self.assertEqual(len(lines), 32)
        self.assertGreater(max(map(len, lines)), 80)
        self.assertEqual(self.run_tutor("show", "normalize").split("\n")[0], text.split("\n")[0])  # the first step
        self.assertEqual(self.run_tutor("show", ROOT + "/lessons/normalize.lua", "--step", "columns"), text)
        self.assertEqual(self.run_tutor("show", "norms/normalize", "--step", "columns"), text)

    def test_seeds(self):
        shown = [self.show("normalize", "mean", "--seed", seed) for seed in ("1", "1", "2", "3", "4", "5", str(2**64 - 1))]
        self.assertEqual(shown[0], shown[1])
        self.assertGreater(len(set(shown)), 2)

    def test_ascii_and_ansi(self):
        self.assertTrue(self.show("normalize", "columns", "--ascii").isascii())
        self.assertTrue(self.run_tutor("show", "normalize", "--step", "columns", LC_ALL="C").isascii())
        coloured = self.show("normalize", "columns", "--ansi")
        self.assertIn("\x1b[", coloured)
        bare = "\n".join(line.rstrip() for line in re.sub(r"\x1b\[[\d;]*m", "", coloured).split("\n"))
        self.assertEqual(bare, self.show("normalize", "columns"))
        self.assertNotIn("\x1b", self.show("normalize", "columns"))

    def test_answers_one_after_the_other(self):
        step, question = STEPS["normalize"]["variance"], QUESTIONS["normalize"]["variance"]
        (x,) = question_numbers(step, question, self.show("normalize", "variance"))
        wrong = self.show("normalize", "variance", "--answer", typed(unbiased(x)))
        self.assertIn("✗ You divided", wrong)
        self.assertIn("› " + typed(unbiased(x)), wrong)
        right = self.show("normalize", "variance", "--answer", typed(unbiased(x)), "--answer", typed(var(x)), "--size", "120x32")
        self.assertIn("✓ Right.", right)
        self.assertNotIn("✗", right)
        self.assertIn("It did not count", self.show("normalize", "variance", "--answer", "(("))

    def test_hints_and_giving_up(self):
        self.assertIn("Hint 2 ", self.show("normalize", "mean", "--hints", "2"))
        self.assertIn("The answer:", self.show("normalize", "mean", "--give-up"))

    def test_a_prediction(self):
        before = self.show(DESK, "guess")
        self.assertIn("moves after your answer", before)
        for answer in ("2", "high"):
            after = self.show(DESK, "guess", "--answer", answer, "--sure", "3")
            self.assertIn("You said: at 80 (certain).", after)
            self.assertIn("✓ Right.", after)
            self.assertRegex(after, r"far +80 ")

    def test_knobs_cells_cursor_and_stage(self):
        text = self.show(DESK, "places", "--set", "first=7", "--set", "second=on", "--set", "cursor.token=2", "--set", "x[2][3]=3")
        self.assertRegex(text, r"first +7 ")
        self.assertIn("[on]", text)
        self.assertIn("700", text)
        self.assertIn("▸ two", text)
        self.assertIn(f"{normalized([2, 4, 3])[1]:.3f}", text)
        staged = [self.show("normalize", "columns", "--set", f"stage={stage}") for stage in (1, 2, 6)]
        self.assertEqual(len(set(staged)), 3)

    def test_it_remembers_nothing(self):
        self.show("normalize", "mean", "--answer", "1")
        self.assertFalse(os.path.exists(self.home + "/state/normtutor"))


class Eval(Base):
    def test_layer_norm(self):
        text = self.run_tutor("eval", "-e", "print((nn.layer_norm(tensor{1,2,3})))")
        self.assertTrue(close(numbers(text), normalized([1, 2, 3])), text)

    def test_a_file_standard_input_and_code(self):
        path = self.write("a.lua", "print(tensor { 1, 2 } + 1, 1 + 1)\n")
        self.assertEqual(self.run_tutor("eval", path), "[2, 3]\t2\n")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(self.run_tutor("eval", "-", stdin=file), "[2, 3]\t2\n")
        self.assertEqual(self.run_tutor("eval", "-e", "print(nn.rms_norm ~= nil)"), "true\n")

    def test_what_goes_wrong_has_a_place(self):
        path = self.write("wrong.lua", "print('before')\n\nlocal x = tensor { 1, 2 } + tensor { 1, 2, 3 }\n")
        done = tutor("eval", path, home=self.home)
        self.assertEqual((done.returncode, done.stdout), (1, "before\n"))
        self.assertRegex(done.stderr, r"\A\S*wrong\.lua:3: .*\n\Z")
        self.assertRegex(self.trouble("eval", "-e", "x = = 1", status=1), r"\A-e:1: ")
        self.trouble("eval", self.home + "/nothing.lua", status=1)

    def test_the_world_outside_is_not_there(self):
        for name in ("io", "os.execute", "require", "load", "debug", "dofile"):
            self.trouble("eval", "-e", f"{name}('x')", status=1)

    def test_too_much_output_is_stopped_and_said(self):
        done = tutor("eval", "-e", "while true do print(('x'):rep(1000)) end", home=self.home)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\A[^\n]*printed[^\n]*\n\Z")
        self.assertTrue(1000 <= len(done.stdout) <= 1 << 20, len(done.stdout))

    def test_too_long_a_computation_is_stopped_and_said(self):
        started = time.monotonic()
        self.assertIn("too long", self.trouble("eval", "--timeout", "0.3", "-e", "while true do end", status=1))
        self.assertLess(time.monotonic() - started, PATIENCE)

    def test_control_bytes_are_made_visible(self):
        text = self.run_tutor("eval", "-e", r"print('\27[2J\7')")
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\x07", text)


class BrokenLessons(Base):
    BROKEN = {
        "syntax": ('return lesson "syntax" {\n  format = 1, title = "T",\n  step "a" { text = "A" \n', r"syntax\.lua:\d: "),
        "field": ('return lesson "field" {\n  format = 1, title = "T",\n  step "a" { txt = "A" },\n}\n', r"field\.lua:3: .*txt"),
        "name": ('return lesson "name" {\n  format = 1, title = "T",\n\n  step "a" { text = "A {nope}" },\n}\n', r"name\.lua:4: .*nope"),
        "nothing": ("", r"nothing\.lua:"),
    }

    def test_file_line_what_and_exit_1(self):
        for name, (text, words) in self.BROKEN.items():
            path = self.write(name + ".lua", text)
            for command in (("show", path), ("play", path), ("play", path, "--plain")):
                with self.subTest(command=command):
                    self.assertRegex(self.trouble(*command, status=1), words)


class NowhereToWrite(Base):
    def test_output_that_cannot_be_written_is_an_error(self):
        for arguments in (("--help",), ("--version",), ("list",), ("list", "--json"), ("show", "normalize"), ("eval", "-e", "print(1)")):
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([NORMTUTOR, *arguments], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=3 * PATIENCE, env=home_environment(self.home))
                self.assertEqual(done.returncode, 1)
                self.assertIn("standard output", done.stderr)

    def test_input_that_cannot_be_read_is_an_error(self):
        folder = os.open("/", os.O_RDONLY)
        self.addCleanup(os.close, folder)
        done = subprocess.run([NORMTUTOR, "--plain"], stdin=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              timeout=3 * PATIENCE, env=home_environment(self.home))
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard input", done.stderr)

    def test_closed_standard_descriptors(self):
        for closed in ((1,), (0, 1), (0, 1, 2)):
            done = subprocess.run([NORMTUTOR, "list"], stderr=None if 2 in closed else subprocess.PIPE, timeout=3 * PATIENCE,
                                  env=home_environment(self.home), preexec_fn=lambda: [os.close(fd) for fd in closed])
            self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
