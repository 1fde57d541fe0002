"""The learner's notes: on the screen, in plain lines and as a command."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from clock import later
from talk import Plain, Screen, tutor
from terminal import CTRL_C, DOWN, ENTER, ESC, NORMTUTOR, PATIENCE, ROOT, TAB, UP, home_environment

DEEDS = ROOT + "/tests/terminal/lessons/deeds"
SEAL = re.compile(r"\n<!--normtutor-notes:(\d+):[0-9a-f]{16}-->\n\Z")
DAY = r"\d{4}-\d\d-\d\d"
TURNED = '''function layer_norm(x, scale, bias, eps)
  local over = { "token" }
  return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias
end
'''
MENDED = TURNED.replace("token", "feature")


HANGING = "What is {n} + 0?", "What is {n} + 0?{('a'):rep(60):find(('a-'):rep(60) .. 'b') or ''}"


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="normtutor-home.")
        self.addCleanup(self.folder.cleanup)
        self.home = self.folder.name
        self.place = self.home + "/state/normtutor/notes.md"

    def install(self):
        shutil.copytree(DEEDS, self.home + "/data/normtutor/courses/deeds")

    def say(self, lesson, *lines, **environment):
        with Plain(("play", lesson, "--seed", "7", "--plain"), home=self.home, **environment) as learner:
            for line in lines:
                learner.say(line)
            self.assertEqual(learner.end()[0], 0)

    def command(self, *arguments, status=0, **environment):
        done = tutor("notes", *arguments, home=self.home, **environment)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def notes(self, **environment):
        done = self.command(**environment)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def written(self):
        with open(self.place, encoding="utf-8") as file:
            return file.read()

    def assert_in_order(self, text, *parts):
        """Each of the patterns, after the one before."""
        at = 0
        for part in parts:
            found = re.compile(part).search(text, at)
            self.assertTrue(found, f"no {part!r} behind\n{text[:at]}<<HERE>>\n{text[at:]}")
            at = found.end()

    def change(self, *changes):
        """The lesson "answers" is another from now on."""
        path = self.home + "/data/normtutor/courses/deeds/answers.lua"
        with open(path, encoding="utf-8") as file:
            lesson = file.read()
        for old, new in changes:
            self.assertIn(old, lesson)
            lesson = lesson.replace(old, new)
        with open(path, "w", encoding="utf-8") as file:
            file.write(lesson)

    def number(self):
        """That the question of "answers" asks for."""
        return int(re.search(r"What is (\d+) \+ 0", tutor("show", "deeds/answers", "--step", "number", "--seed", "7", home=self.home).stdout)[1])


class Command(Base):
    def test_nothing_done_yet(self):
        done = self.command(status=1)
        self.assertEqual((done.stdout, done.stderr), ("", "there is nothing to write down yet: no lesson was begun\n"))
        self.command("-o", self.home + "/mine.md", status=1)
        self.assertFalse(os.path.exists(self.home + "/mine.md"))
        self.say("normalize")  # the first page says only what the lesson is for
        self.command(status=1)

    def test_wrong_usage(self):
        for arguments in (["x"], ["--flurb"], ["-o"]):
            done = self.command(*arguments, status=2)
            self.assertRegex(done.stderr, r"\Anormtutor: [^\n]+\n\Z")

    def test_a_step_that_was_seen_is_a_beginning(self):
        self.say("normalize", "next")
        text = self.notes()
        self.assert_in_order(text, r"\A# Layer normalization and residual connections\n\nNotes of " + DAY + r": 0 of \d+ lessons done\.\n",
                             r"\n## \d+\. Normalize one token\n\n1 of \d+ steps seen, 0 of \d+ questions settled\.\n", SEAL.pattern)
        self.assertNotIn("###", text)
        self.assertEqual(text.count("\n# "), 0)

    def test_wrong_then_right(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n + 50}", f"answer {n}")
        self.assert_in_order(self.notes(), r"\A# Deeds & \\\*other\\\* things\n\nby A\. Author\n\n", "\n## 1. Answers\n", r"\n### A number\n",
                             rf"\n\*{DAY}\*\n\n> What is {n} \+ 0\?\n\n",
                             rf"- `{n + 1}`: \*\*Wrong\.\*\* {n + 1} is one more than {n}\.\n- `{n + 50}`: \*\*Wrong\.\*\*",
                             rf"\n- `{n}`: \*\*Right\.\*\*\n\nNothing was added to {n}\.\n", SEAL.pattern)

    def test_an_open_question_gives_nothing_away(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}")
        text = self.notes()
        self.assertIn("is one more than", text)
        self.assertNotIn("Nothing was added", text)
        self.assertNotIn("The answer", text)

    def test_the_answer_was_shown(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", "show answer")
        self.assert_in_order(self.notes(), rf"- `{n + 1}`: \*\*Wrong", r"\n- You had the answer shown to you\.\n",
                             rf"\nThe answer: \*\*{n}\*\*\n\nNothing was added to {n}\.\n")

    def test_other_numbers_and_reviews_stand_apart(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}", "new", "answer 5")
        text = self.notes()
        self.assert_in_order(text, rf"> What is {n} \+ 0", rf"\*{DAY}, with other numbers\*\n\n> What is \d+ \+ 0\?\n\n- `5`: \*\*Wrong")
        self.assertEqual(text.count("### A number"), 1)
        self.assertEqual(text.count("Nothing was added"), 1)

    def test_predictions_say_how_sure(self):
        self.install()
        self.say("deeds/answers", "next", "next", "sure 3", "answer 1", "new", "sure 1", "answer 2")
        self.assert_in_order(self.notes(), r"### A guess\n", r"> Where does it end\?\n>\n> 1\. at \*forty\*\n> 2\. at \*eighty\*\n",
                             r"- at \*forty\* \(certain\): \*\*Wrong\.\*\* It went on\.\n\nThe answer: \*\*at \*eighty\*\*\*\n\nIt was told to\.\n",
                             r", with other numbers\*", r"- at \*eighty\* \(a guess\): \*\*Right\.\*\*\n\nIt was told to\.\n")

    def test_several_options_and_an_order(self):
        self.install()
        self.say("deeds/answers", "next", "next", "next", "answer 1 2", "answer 1 3", "next", "answer 1 2", "answer 2 1")
        text = self.notes()
        self.assert_in_order(text, r"### Question 1\n", r"\n- [^\n]*2[^\n]*3[^\n]*: \*\*Wrong\.\*\* 3 is odd\.", r"\n- [^\n]*2[^\n]*4[^\n]*: \*\*Right\.\*\*",
                             r"### Question 2\n", r"\n- [^\n]*then this[^\n]*: \*\*Wrong\.\*\* The other way round\.",
                             r"\n- [^\n]*this[^\n]*then this[^\n]*: \*\*Right")

    def program(self, *texts):
        with Plain(("play", "deeds/answers", "--step", "code", "--seed", "7", "--plain"), home=self.home) as learner:
            place = learner.place()
            for text in texts:
                learner.save(place, text, lambda words: "Wrong" in words or "Right" in words or None, "a verdict")
            learner.say("show answer")
            self.assertEqual(learner.end()[0], 0)

    def test_a_program(self):
        self.install()
        self.program(TURNED, MENDED)
        text = self.notes()
        self.assert_in_order(text, r"### A program\n", "> Mend `layer_norm`\\.\n", r"\n- Your program: \*\*Wrong\.\*\* It averages over the tokens\.\n",
                             r"- Your program: \*\*Right\.\*\*\n\n  ```\n  function layer_norm\(.*\n    local over = \{ \"feature\" \}\n",
                             r"  end\n  ```\n\nOver features, and over nothing else\.\n")
        self.assertNotIn('{ "token" }', text, "only the last program")

    def test_a_program_that_was_shown(self):
        self.install()
        self.program(TURNED)
        self.assert_in_order(self.notes(), r"- Your program: \*\*Wrong\.\*\* It averages over the tokens\.\n\n  ```\n",
                             r'over = \{ "token" \}', r"\n- You had the answer shown to you\.\n\nOne that does it right:\n\n```\nfunction layer_norm",
                             r'over = \{ "feature" \}', r"\n```\n\nOver features")

    def test_key_points_once_the_lesson_is_finished(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n}")
        self.assertNotIn("What to remember", self.notes())
        self.say("deeds/answers", *["next"] * 9)
        self.assert_in_order(self.notes(), r"## 1\. Answers\n\n6 of 6 steps seen, 1 of 5 questions settled\.\n\n### What to remember\n\n",
                             rf"- Adding nothing to {n} leaves {n}\.\n- \*Once\* more\.\n\n- Source: A\. Author: On \\<nothing>, 2001\n\n### A number")

    def test_all_courses_are_in_it(self):
        self.install()
        self.say("epsilon", "next")
        self.say("deeds/answers", "next")
        text = self.notes()
        self.assert_in_order(text, r"\A# Layer norm", r"\n## \d+\. Epsilon", r"\n# Deeds", r"\n## 1\. Answers", SEAL.pattern)
        self.assertNotIn("Untouched", text)
        self.assertNotIn("Wild", text)

    def test_in_german(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}")
        self.assert_in_order(self.notes(LANGUAGE="de", LC_ALL="C.UTF-8"), r"Notizen vom " + DAY, r"`: \*\*Falsch\.\*\* \d+ is one more", r"`: \*\*Richtig\.\*\*")

    def test_wild_words_stay_where_they_are(self):
        self.install()
        self.say("deeds/wild", "answer 1", "answer -->`` # [x](y) ", "answer 2")
        self.say("deeds/answers", "next")
        text = self.notes()
        self.assertFalse([c for c in text if ord(c) < 32 and c != "\n" or 0x7f <= ord(c) < 0xa0 or ord(c) == 0x202e], "control characters")
        self.assertEqual(re.findall(r"^#+ .*", text, re.M),
                         ["# Deeds & \\*other\\* things", "## 1. Answers", "## 2. \\# \\<Wild> \\*words\\*", "### Title \\<x> \\<!-- ␛[31m"])
        self.assertFalse(re.search(r"(?<!\\)<(?!!--normtutor-notes)", text.replace("`", "")), "something that looks like HTML")
        fences = re.findall(r"^(?:> |  )?(`{3,})$", text, re.M)
        self.assertEqual(fences, ["```"] * 4, "one listing in the question, one in what was said")
        self.assertEqual(len(SEAL.findall(text)), 1)

    def test_a_lesson_that_is_broken_now(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}", "next", "sure 2", "answer 1")
        self.change(("remember =", "forget ="))
        self.assert_in_order(self.notes(), r"## 1\. answers\n\nThe lesson's own words cannot be had now: .*answers\.lua:\d+: ",
                             rf"- `{n + 1}`: \*\*Wrong\.\*\* {n + 1} is one more than {n}\.\n- `{n}`: \*\*Right", SEAL.pattern)

    def test_a_question_that_is_gone_or_cannot_be_drawn(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}", "next", "sure 2", "answer 1", "next", "answer 1 2")
        self.change(('"number" {', '"another" {'), ('"Which are even?"', "\"Which {error('no more')} are even?\""))
        text = self.notes()
        self.assert_in_order(text, r"### A guess\n", r"at \*forty\* \(I think so\): \*\*Wrong", r"### Question 2\n\n.*\n\n.*answers\.lua:\d+.*no more",
                             r"- `[a-z ]+`: \*\*Wrong", r"### Question 3\n\n.*\n\nThe lesson no longer has this question\.\n",
                             rf"- `{n + 1}`: \*\*Wrong\.\*\* {n + 1} is one more than {n}\.")

    def test_a_loop_costs_one_lesson_its_words(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}", "next", "sure 2", "answer 1")
        self.change(HANGING)
        self.assert_in_order(self.notes(), r"### A number\n", r"took longer than 2 s", rf"- `{n}`: \*\*Right", r"### A guess\n", "The words of this question cannot be had now", "- `low`",
                             SEAL.pattern)


class Review(Base):
    def test_a_review_is_called_one(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}", **later("+0"))
        with Screen(home=self.home, environment=later("+2d")) as t:
            t.wait("Enter open")
            t.send(TAB)
            t.wait("Deeds")
            t.send("r")
            t.see_words("What is")
            m = t.see(lambda words: re.search(r"What is (\d+) \+ 0", words), "the question")[1]
            t.answer(m, lambda words: t.is_right(words) or None, "that it is right")
            t.send(CTRL_C)
            t.wait_end(0)
        self.assert_in_order(self.notes(), rf"- `{n}`: \*\*Right", rf"\*{DAY}, in review\*\n\n> What is {m} \+ 0\?\n\n- `{m}`: \*\*Right")


class Files(Base):
    def setUp(self):
        super().setUp()
        self.install()
        self.n = self.number()
        self.say("deeds/answers", "next", f"answer {self.n + 1}", f"answer {self.n}")

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def beside(self, path):
        return sorted(name for name in os.listdir(os.path.dirname(path)) if name.startswith(os.path.basename(path)))

    def test_o_names_a_file(self):
        path = self.home + "/mine.md"
        done = self.command("-o", path)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), self.notes())
        self.command("-o", path)
        self.assertEqual(self.beside(path), ["mine.md"])

    def test_what_somebody_else_wrote_is_kept(self):
        path = self.home + "/mine.md"
        for count, text in enumerate(("My own.\n", "", self.notes() + "One line more.\n", self.notes().replace("Wrong", "wrong")), 1):
            self.write(path, text)
            done = self.command("-o", path)
            kept = path + "~" + (str(count) if count > 1 else "")
            self.assertIn(os.path.basename(kept), done.stdout)
            with open(kept, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), self.notes())

    def test_notes_with_more_in_them_are_kept(self):
        path = self.home + "/mine.md"
        self.command("-o", path)
        shutil.rmtree(self.home + "/state")
        self.say("deeds/answers", "next", f"answer {self.n}")
        self.command("-o", path)
        self.assertEqual(self.beside(path), ["mine.md", "mine.md~"])

    def test_a_link_stays_one(self):
        os.makedirs(self.home + "/papers")
        os.symlink("papers/mine.md", self.home + "/mine.md")
        self.write(self.home + "/papers/mine.md", "My own.\n")
        self.command("-o", self.home + "/mine.md")
        self.assertTrue(os.path.islink(self.home + "/mine.md"))
        self.assertEqual(sorted(os.listdir(self.home + "/papers")), ["mine.md", "mine.md~"])

    def test_a_folder_is_in_the_way(self):
        os.makedirs(self.home + "/mine.md")
        self.assertIn("not a regular file", self.command("-o", self.home + "/mine.md", status=1).stderr)
        self.assertIn("cannot write", self.command("-o", self.home + "/no/where.md", status=1).stderr)

    def full(self, path):
        """The command where no file may be longer than a few bytes."""
        return subprocess.run(["/bin/sh", "-c", f'ulimit -f 0; exec "{NORMTUTOR}" notes -o "{path}"'], capture_output=True, text=True,
                              timeout=3 * PATIENCE, env=home_environment(self.home))

    def test_a_full_disk_leaves_what_is_there(self):
        path = self.home + "/mine.md"
        for text in ("My own.\n", self.notes()):
            self.write(path, text)
            done = self.full(path)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"cannot write {path}", done.stderr)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
            self.assertEqual(self.beside(path), ["mine.md"])

    def test_standard_output_that_takes_nothing(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([NORMTUTOR, "notes"], stdout=full, stderr=subprocess.PIPE, text=True, env=home_environment(self.home))
        self.assertEqual(done.returncode, 1)
        self.assertIn("standard output", done.stderr)


class InLines(Base):
    def test_from_the_list(self):
        with Plain(home=self.home) as learner:
            self.assertIn("nothing to write down yet", learner.say("notes"))
            self.assertNotIn("notes", learner.say("list"))
            learner.begin(1)
            self.assertIn("notes, help, quit", learner.say("list"))
            self.assertIn("Your notes: ~/state/normtutor/notes.md\n", learner.say("notes"))
            self.assertEqual(self.written(), self.notes())
            self.assertIn("notes: writes down", learner.say("help"))

    def test_trouble_is_said(self):
        with Plain(home=self.home) as learner:
            learner.begin(1)
            learner.say("list")
            os.makedirs(self.place)
            self.assertIn("~/state/normtutor/notes.md is there, and is not a regular file", learner.say("notes"))


class OnScreen(Base):
    def open(self, columns=80, rows=24, **environment):
        t = Screen(columns=columns, rows=rows, home=self.home, environment=environment)
        self.addCleanup(t.close)
        t.wait("Enter open")
        return t

    def leave(self, t):
        t.send(CTRL_C)
        t.wait_end(0)

    def test_nothing_done_yet(self):
        t = self.open()
        self.assertNotIn("n notes", t.text)
        t.send("n")
        t.wait_notice("nothing to write down yet")
        self.assertFalse(os.path.exists(self.place))
        self.leave(t)

    def test_it_is_written_and_its_place_is_shown(self):
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}", "next", "sure 3", "answer 2")
        self.say("normalize", "next", "next", "answer 1")
        t = self.open()
        t.wait("n notes")
        t.send("n")
        t.wait_notice("Your notes: ~/state/normtutor/notes.md")
        self.assertEqual(self.written(), self.notes())
        self.assertEqual(os.stat(self.place).st_mode & 0o077, os.stat(self.place).st_mode & 0o044, "nobody else may write to it")
        t.send(DOWN)
        t.until(lambda text: not t.notice, "the notice to go")
        t.send("n")
        t.wait_notice("Your notes: ~/state/normtutor/notes.md")
        self.assertNotIn("what was there", t.notice)
        with open(self.place, "a", encoding="utf-8") as file:
            file.write("And my own words.\n")
        t.send(DOWN, "n")
        t.wait_notice("Your notes: ~/state/normtutor/notes.md; what was there: notes.md~")
        with open(self.place + "~", encoding="utf-8") as file:
            self.assertTrue(file.read().endswith("And my own words.\n"))
        t.send(ENTER)
        t.see_words("Enter")
        self.leave(t)

    def test_help_speaks_of_it(self):
        t = self.open()
        t.send("?")
        t.wait("more below")
        t.see_words("may be taken in any order", "writes down what you have done")
        t.send(DOWN * 60)
        t.see_words("Ctrl-C leaves safely")
        t.wait_gone("may be taken in any order")
        t.send(UP * 60)
        t.see_words("may be taken in any order")
        t.send(ESC)
        t.wait("Enter open")
        self.leave(t)

    def test_trouble_is_said_whole(self):
        self.say("normalize", "next")
        t = self.open()
        os.makedirs(self.place)
        t.send("n")
        t.wait_notice("~/state/normtutor/notes.md is there, and is not a regular file")
        self.leave(t)

    def hold(self):
        """A lesson that takes its time when its question is drawn again."""
        self.install()
        n = self.number()
        self.say("deeds/answers", "next", f"answer {n + 1}", f"answer {n}")
        self.change(HANGING)

    def test_the_list_is_alive_meanwhile(self):
        self.hold()
        t = self.open()
        t.send("n")
        t.wait_notice("are being written")
        t.send(DOWN)
        t.until(lambda text: "▸ 2 " in t.flat, "the next lesson")
        t.send(ENTER)
        t.wait_notice("Esc stops that")
        t.wait_notice("Your notes: ~/state/normtutor/notes.md")
        self.assertIn("is one more than", self.written())
        self.leave(t)

    def test_esc_stops_it(self):
        self.hold()
        t = self.open()
        t.send("n")
        t.wait_notice("are being written")
        t.send(ESC)
        t.wait_notice("were not written")
        self.assertFalse(os.path.exists(self.place))
        t.send(ENTER)
        t.see_words("Enter begin")
        self.leave(t)

    def test_leaving_meanwhile(self):
        self.hold()
        t = self.open()
        t.send("n")
        t.wait_notice("are being written")
        self.leave(t)
        self.assertFalse(os.path.exists(self.place))


if __name__ == "__main__":
    unittest.main()
