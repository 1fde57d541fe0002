"""`play --watch`: what an author saves is on the screen, whatever way it is saved; what is wrong in it is said, and the
version before goes on working."""

import os
import shutil
import time
import unittest

from talk import Plain, Screen
from terminal import DOWN, ENTER, ESC, RIGHT, TAB
from test_commands import Base

COURSE = 'return course "blocks" {{ format = 1, title = "Blocks", lessons = {{ {lessons} }} }}\n'
LESSON = '''local words = {words}
return lesson "{name}" {{
  format = 1,
  title  = "Watched",
  data   = function(random) return {{ x = random:integers {{ 3, from = 10, to = 99, distinct = true }}, said = {said} }} end,
  step "look" {{
    text  = "First words. {{said}}",
    knobs = {{ knob.int "shift" {{ 0, 9, at = 0 }} }},
    edit  = {{ "x" }},
    show  = view.bars {{ "x + shift" }},
  }},
  ask.number "sum" {{ text = "The sum of {{x}}?", answer = "x:sum()", hints = {{ "Add." }}, why = "Added.",
    mistake "first" {{ by = "x[1]", say = "Only the first." }} }},
  ask.choice "pick" {{ text = "Which?", option "a" {{ "This one", right = true }}, option "b" {{ "That one", say = "No." }}, why = "This." }},
  ask.code "mend" {{
    text     = "Mend it.",
    solution = "function layer_norm(x, scale, bias, eps)\\n  local over = {{ 'feature' }}\\n" ..
               "  return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias\\nend\\n",
    broken   = "batch", probes = {{ "companion", "value" }}, why = "Features.",
    mistake "batch" {{ by = replace {{ "'feature'", "'batch'" }}, say = "Batch." }},
  }},
}}
'''


def in_place(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def beside(path, text):
    in_place(path + ".new", text)
    os.replace(path + ".new", path)


def with_backup(path, text):
    os.rename(path, path + "~")
    in_place(path, text)
    os.unlink(path + "~")


class Watched(Base):
    def setUp(self):
        super().setUp()
        self.lesson = self.write("watched.lua", LESSON.format(name="watched", words='"Second words."', said="words"))

    def put(self, old, new, how=beside, path=None):
        path = path or self.lesson
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        how(path, text.replace(old, new))

    def course(self, words='use "words"', said="words"):
        os.makedirs(self.home + "/course/shared")
        self.write("course/course.lua", COURSE.format(lessons='"one", "two"'))
        self.write("course/shared/words.lua", 'return "Shared words."')
        for name in ("one", "two"):
            self.write(f"course/{name}.lua", LESSON.format(name=name, words=words, said=said))
        return self.home + "/course/two.lua"

    def play(self, path=None, *more):
        return Screen(["play", "--watch", path or self.lesson, "--seed", "7", *more], home=self.home)


class OnTheScreen(Watched):
    @staticmethod
    def bars(screen):
        """Without the marks of what has just changed."""
        return [line.replace("*", " ").rstrip() for line in screen.lines[2:5]]

    def test_the_words_change_and_all_that_is_set_stays(self):
        with self.play() as t:
            t.wait("First words")
            t.send(RIGHT * 4)
            t.wait("shift  4")
            t.send(TAB, DOWN)
            t.wait("▸ x2")
            bars = self.bars(t)
            for n, how in enumerate((in_place, beside, with_backup)):
                with self.subTest(how=how.__name__):
                    self.put("First words." if n == 0 else f"Words {n}.", f"Words {n + 1}.", how)
                    t.wait(f"Words {n + 1}. Second words.")
                    t.settle()
                    self.assertEqual(self.bars(t), bars)  # the same numbers, the same knob, the same cursor
                    self.assertIn("shift  4", t.text)
                    self.assertIn("loaded again", t.text)
            t.send(ENTER)
            t.wait("The sum of")
            self.put("The sum of", "The whole of")
            t.wait("The whole of")

    def test_an_error_is_said_with_its_line_and_the_version_before_goes_on(self):
        with open(self.lesson, encoding="utf-8") as file:
            well = file.read()
        with self.play() as t:
            t.wait("First words")
            for old, new, words in (('title  = "Watched"', 'titel  = "Watched"', "watched.lua:4: "), ("x + shift", "x + shfit", "watched.lua:10: "),
                                    ("why = \"Added.\"", "why = ", "watched.lua:12: "), ("x:sum()", "x:summ()", "watched.lua:12: ")):
                with self.subTest(new=new):
                    self.put(old, new)
                    t.until(lambda text: words in t.flat.replace(" ▍ ", ""), words)
                    t.send(RIGHT)
                    t.settle()
                    self.assertIn(words, t.flat.replace(" ▍ ", ""), "a key has taken it away")
                    t.send(ENTER)
                    t.wait("The sum of")
                    t.send(ESC, "b")
                    t.wait("First words")
                    self.write("watched.lua", well)
                    t.until(lambda text: words not in t.flat, "the error to go")
                    t.wait("loaded again")

    def test_an_error_that_only_what_is_set_brings_out(self):
        with self.play() as t:
            t.wait("First words")
            t.send(RIGHT * 4)
            t.wait("shift  4")
            self.put("First words.", "First words. {x[1 + 9 * shift]}")
            t.until(lambda text: "watched.lua:7: " in t.flat.replace(" ▍ ", ""), "the error")
            t.send(RIGHT)
            t.wait("shift  5")
            self.assertIn("First words. Second words.", t.text)
            self.put(" {x[1 + 9 * shift]}", " Mended.")
            t.wait("First words. Mended. Second words.")
            self.assertIn("shift  5", t.text)

    def test_half_a_file_is_nothing_yet(self):
        with open(self.lesson, encoding="utf-8") as file:
            text = file.read().replace("First words.", "Whole words.")
        with self.play() as t:
            t.wait("First words")
            with open(self.lesson, "w", encoding="utf-8") as file:
                file.write(text[:300])
                file.flush()
                time.sleep(0.7)
                t.settle()
                self.assertNotIn("watched.lua:", t.text)
                self.assertIn("First words", t.text)
                file.write(text[300:])
            t.wait("Whole words")

    def test_a_writer_that_pauses_for_long_and_a_file_that_is_gone(self):
        with open(self.lesson, encoding="utf-8") as file:
            text = file.read().replace("First words.", "Whole words.")
        with self.play() as t:
            t.wait("First words")
            in_place(self.lesson, text[:300])
            t.wait("watched.lua:")
            self.assertIn("First words", t.text)
            os.unlink(self.lesson)
            t.wait("No such file")
            self.assertIn("First words", t.text)
            in_place(self.lesson, text)
            t.wait("Whole words")
            self.assertNotIn("No such file", t.text)

    def test_what_is_typed_and_the_hints_stay(self):
        with self.play() as t:
            t.wait("First words")
            t.send(ENTER)
            t.wait("The sum of")
            t.send("12 + 3")
            t.send(b"\x1bOQ")  # F2
            t.wait("Hint 1")
            self.put("The sum of", "All of")
            t.wait("All of")
            t.wait("› 12 + 3")
            self.assertIn("Hint 1", t.text)
            t.send("0", ENTER)
            t.wait("12 + 30")
            t.wait("✗")
            self.put('"Add."', '"Add them."')
            t.wait("Add them.")
            self.assertIn("✗", t.text)

    def test_options_that_are_others(self):
        with self.play(self.lesson, "--step", "pick") as t:
            t.wait("That one")
            more = 'option "c" { "The third", say = "No." }, why = "This."'
            self.put('why = "This."', more)
            t.wait("The third")
            t.send("3")
            t.wait("› 3")
            self.put(more, 'why = "This."')
            t.until(lambda text: "The third" not in text, "one option less")
            t.send("1", ENTER)
            t.wait("Right.")

    def test_steps_that_come_and_go(self):
        with self.play(self.lesson, "--step", "sum") as t:
            t.wait("step 2 of 4")
            self.put('ask.number "sum"', 'step "new" { text = "New." },\n  ask.number "sum"')
            t.wait("step 3 of 5")
            self.assertIn("The sum of", t.text)
            self.put('step "new" { text = "New." },\n', "")
            t.wait("step 2 of 4")
            self.put('ask.number "sum"', 'ask.number "total"')  # another step at its place
            t.wait("loaded again")
            t.wait("step 2 of 4")
            self.put('step "look"', 'step "see"')
            t.wait("loaded again")
            self.assertIn("step 2 of 4", t.text)

    def test_the_pages_before_and_after(self):
        with self.play() as t:
            t.wait("First words")
            self.put('format = 1,', 'format = 1, goal = "The goal.", remember = "To keep.",')
            t.wait("loaded again")
            t.send("b")
            t.wait("The goal.")
            self.put("The goal.", "Another goal.")
            t.wait("Another goal.")
            self.put("Another goal", "{nope}")
            t.wait("watched.lua:3: ")
            self.assertIn("Another goal.", t.text)

    def test_a_lesson_that_is_broken_from_the_start(self):
        self.put("First words. {said}", "First words. {sad}")
        with self.play() as t:
            t.wait("watched.lua:7: ")
            self.put("{sad}", "{said}")
            t.wait("First words. Second words.")

    def test_what_is_beside_it(self):
        """shared/, files/ and course.lua, and what comes into the folder later."""
        with self.play(self.course()) as t:
            t.wait("Shared words.")
            self.assertTrue(t.lines[0].startswith(" 2 "))
            self.put("Shared", "Divided", path=self.home + "/course/shared/words.lua")
            t.wait("Divided words.")
            self.put('"Divided words."', "nope", path=self.home + "/course/shared/words.lua")
            t.wait("shared/words.lua:1: ")
            self.put("nope", '"Healed words."', path=self.home + "/course/shared/words.lua")
            t.wait("Healed words.")
            self.put('"one", "two"', '"two", "one"', path=self.home + "/course/course.lua", how=in_place)
            t.until(lambda text: t.lines[0].startswith(" 1 "), "the lesson to be the first")
            self.put('"two", ', "", path=self.home + "/course/course.lua")
            t.until(lambda text: 'no longer lists "two"' in t.flat, "words about a lesson that is in no course")
            self.put('"one"', '"one", "two"', path=self.home + "/course/course.lua")
            t.until(lambda text: t.lines[0].startswith(" 2 "), "the lesson to be the second")
            t.send(ESC)
            t.wait("Enter open")
            self.put('"Blocks"', '"Stones"', path=self.home + "/course/course.lua")
            t.wait("Stones")
            self.put('"Stones"', "nope", path=self.home + "/course/course.lua")
            t.wait("course.lua:1: ")

    def test_a_folder_that_is_made_later(self):
        path = self.course(said='file "words.txt"')
        with self.play(path) as t:
            t.wait("two.lua:5: ")
            self.put("format = 1,", 'format = 1, files = { "words.txt" },', path=path)
            t.wait("words.txt")
            os.mkdir(self.home + "/course/files")
            self.write("course/files/words.txt", "Words of a file.")
            t.wait("Words of a file.")
            self.write("course/files/words.txt", "Other words.")
            t.wait("Other words.")

    def test_where_the_watch_sees_nothing_the_files_are_looked_at(self):
        path = self.course()
        with self.play(path) as t:
            t.wait("Shared words.")
            shutil.copytree(self.home + "/course", self.home + "/other")
            self.put("First words", "Other words", path=self.home + "/other/two.lua")
            os.rename(self.home + "/course", self.home + "/gone")
            os.rename(self.home + "/other", self.home + "/course")
            t.wait("Other words")

    def test_a_program_stays(self):
        with self.play(self.lesson, "--step", "mend") as t:
            t.wait("p probes")
            t.send("i")
            t.wait("Esc")
            t.send("-- mine\r")
            self.put("Mend it.", "Mend this.")
            t.wait("loaded again")
            t.wait("-- mine")
            t.send("more")
            t.wait("more")
            self.assertIn("-- mine", t.text)
            t.send(ESC, "\x1b[5~")
            t.wait("Mend this.")

    def test_an_answer_counts_once(self):
        with self.play(self.course(words='"W"'), "--step", "pick") as t:
            t.wait("That one")
            t.send("1", ENTER)
            t.wait("Right.")
            for n in range(3):
                self.put("Which" if n == 0 else f"Which{n}", f"Which{n + 1}", path=self.home + "/course/two.lua")
                t.wait(f"Which{n + 1}?")
                self.assertIn("Right.", t.text)
        import sqlite3
        rows = sqlite3.connect(self.home + "/state/normtutor/progress.db").execute("SELECT step, verdict FROM answer").fetchall()
        self.assertEqual(rows, [("pick", 1)])

    def test_without_it_nothing_is_loaded_again(self):
        with Screen(["play", self.lesson], home=self.home) as t:
            t.wait("First words")
            self.put("First words", "Other words")
            time.sleep(1.5)
            t.send(RIGHT)
            t.wait("shift  1")
            self.assertIn("First words", t.text)


class InPlainLines(Watched):
    def test_it_is_said_while_a_line_is_awaited(self):
        with Plain(("play", "--watch", self.lesson, "--plain"), home=self.home) as learner:
            learner.see_words("First words. Second words.")
            learner.say("shift 4")
            learner.see_words("shift")
            self.put("First words", "Other words")
            learner._take()
            learner.see_words("Saved, and loaded again.", "Other words.", "Step 1 of 4")
            self.assertIn("4", learner.words)
            self.put("x + shift", "x + shfit")
            learner._take()
            learner.see_words("watched.lua:10: ", "shfit")
            learner.say("look")
            learner.see_words("Other words.")
            learner.say("next")
            learner.see_words("The sum of")
            self.put("x + shfit", "x + shift")
            learner._take()
            learner.see_words("Saved, and loaded again.", "The sum of")
            self.assertEqual(learner.end()[0], 0)

    def test_lines_that_come_all_at_once_and_the_end_of_them(self):
        with Plain(("play", "--watch", self.lesson, "--plain"), home=self.home) as learner:
            learner.process.stdin.write(b"next\nback\nnext\n")
            learner.process.stdin.flush()
            for words in ("The sum of", "First words", "The sum of"):
                if words not in learner.words:
                    learner._take()
            self.assertEqual(learner.end(None)[0], 0)


if __name__ == "__main__":
    unittest.main()
