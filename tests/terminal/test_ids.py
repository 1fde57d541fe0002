"""Progress hangs on ids: what is renamed, moved or brought by somebody else."""

import glob
import os
import re
import unittest

from talk import Plain, Screen, lessons_of, tutor
from terminal import ENTER
from test_commands import Base

HEAD = 'return course "blocks" {{\n  format = 1, title = "{title}", author = "{author}", version = "{version}", lessons = {{ {lessons} }},\n}}\n'
LESSON = '''return lesson "{id}" {{
  format = 1, title = "Lesson", {more}
  data = function(random) return {{ x = random:integers {{ 4, from = 10, to = 999, distinct = true }} }} end,
  step "look" {{ text = "Look." }},
  ask.number "{sum}" {{ {renamed} text = "The sum of {{x}}?", answer = "x:sum()", why = "Added.",
    mistake "first" {{ by = "x[1]", say = "Only the first." }} }},
  ask.code "{mend}" {{
    {mended}
    text     = "Mend it.",
    solution = "function layer_norm(x, scale, bias, eps)\\n  local over = {{ 'feature' }}\\n" ..
               "  return (x - x:mean(over)) / sqrt(x:var(over) + eps) * scale + bias\\nend\\n",
    broken   = "batch", probes = {{ "companion", "value" }}, why = "Features.",
    mistake "batch" {{ by = replace {{ "'feature'", "'batch'" }}, say = "Batch." }},
  }},
  step "last" {{ text = "The last words." }},
}}
'''
NUMBERS = r"sum of \[(.*?)\]"


class Ids(Base):
    def setUp(self):
        super().setUp()
        self.folder_of_course = self.home + "/data/normtutor/courses/blocks"
        os.makedirs(self.folder_of_course)

    def course(self, lessons=("one", "two"), author="Ann", title="Blocks", version="1"):
        self.put("course", HEAD.format(author=author, title=title, version=version, lessons=", ".join(f'"{name}"' for name in lessons)))

    def put(self, name, text):
        with open(f"{self.folder_of_course}/{name}.lua", "w", encoding="utf-8") as file:
            file.write(text)

    def lesson(self, name, more="", step="sum", renamed="", mend="mend", mended=""):
        self.put(name, LESSON.format(id=name, more=more, sum=step, renamed=renamed, mend=mend, mended=mended))

    def start(self):
        self.course()
        self.lesson("one")
        self.lesson("two")

    def learn(self, name="blocks/two"):
        """Answers the question, writes a line into the program, and stops there; the numbers that were asked about."""
        with Screen(["play", name], home=self.home) as t:
            t.wait("Look.")
            t.send(ENTER)
            found = t.see(lambda words: re.search(NUMBERS, words), "the numbers")[1]
            t.answer(str(sum(int(n) for n in found.split(","))), t.is_right, "the verdict")
            t.send(ENTER)
            t.wait("Mend it.")
            t.send("i", "-- by me\r")
            t.wait("-- by me")
            t.wait("layer_norm")
            t.send("\x13")  # Ctrl-S
            t.wait("Batch.")
        return found

    def right(self):
        return {lesson["id"]: lesson["right"] for lesson in lessons_of(self.home) if lesson["course"] == "blocks"}

    def programs(self):
        return [path.removeprefix(self.home + "/state/normtutor/work/") for path in glob.glob(self.home + "/state/normtutor/work/**/*.lua", recursive=True)]


class Renamed(Ids):
    def test_a_lesson_and_its_steps(self):
        """Answer, numbers, place, program: all of it goes on under the new ids."""
        self.start()
        found = self.learn()
        self.assertEqual(self.right(), {"one": 0, "two": 1})
        (before,) = self.programs()
        self.course(lessons=("one", "second"))
        self.lesson("second", more='renamed_from = "two",', step="total", renamed='renamed_from = "sum",', mend="repair",
                    mended='renamed_from = "mend",')
        self.assertEqual(self.right(), {"one": 0, "second": 1})
        with Screen(["play", "blocks/second"], home=self.home) as t:
            t.wait("-- by me")
            t.wait("step 3 of 4")
            t.wait("Batch.")
            t.send("b")
            t.see_words("The sum of", found, "✓ Right.")
        self.assertEqual(self.programs(), [before.replace("/two/mend.", "/second/repair.")])
        with Screen(["play", "blocks/second"], home=self.home) as t:
            t.wait("step 2 of 4")

    def test_one_after_the_other(self):
        self.start()
        self.learn()
        self.course(lessons=("one", "second"))
        self.lesson("second", more='renamed_from = "two",')
        with Screen(["play", "blocks/second"], home=self.home) as t:
            t.wait("step 3 of 4")
            t.wait("-- by me")
        self.lesson("second", more='renamed_from = "two",', mend="repair", mended='renamed_from = "mend",')
        with Screen(["play", "blocks/second"], home=self.home) as t:
            t.wait("step 3 of 4")
            t.wait("-- by me")
        self.assertEqual(self.right(), {"one": 0, "second": 1})

    def test_in_plain_lines_from_the_list(self):
        self.start()
        self.learn()
        self.lesson("two", step="total", renamed='renamed_from = "sum",')
        with Plain(("play", "blocks/two", "--plain"), home=self.home) as learner:
            learner.see_words("Step 3 of 4")
            learner.say("back")
            learner.see_words("Right.")

    def test_an_id_that_is_still_there_keeps_what_it_has(self):
        self.start()
        self.learn()
        self.course(lessons=("two", "second"))
        self.lesson("second", more='renamed_from = "two",')
        self.assertEqual(self.right(), {"two": 1, "second": 0})

    def test_a_step_without_a_former_id_is_a_new_one(self):
        self.start()
        self.learn()
        self.lesson("two", step="total")
        self.assertEqual(self.right(), {"one": 0, "two": 0})
        self.lesson("two")
        self.assertEqual(self.right(), {"one": 0, "two": 1})

    def test_what_cannot_be_a_former_id(self):
        self.course()
        for more, words in (({"more": 'renamed_from = "A b",'}, r"one\.lua:2: .*a-z, 0-9"), ({"more": 'renamed_from = "one",'}, r"one\.lua:2: .*it has now"),
                            ({"renamed": 'renamed_from = "look",'}, r'one\.lua:5: .*"look" is still there, on line 4'),
                            ({"renamed": 'renamed_from = "x",', "mended": 'renamed_from = "x",'}, r'one\.lua:8: .*"x"; .*|one\.lua:8: .*"sum" on line 5'),
                            ({"more": "renamed_from = 7,"}, r"one\.lua:2: .*text")):
            with self.subTest(more=more):
                self.lesson("one", **more)
                self.assertRegex(self.trouble("show", f"{self.folder_of_course}/one.lua", status=1), words)


class Moved(Ids):
    def test_the_order_of_lessons_and_steps_is_nothing_to_progress(self):
        self.start()
        found = self.learn()
        self.course(lessons=("two", "three", "one"), version="2")
        self.lesson("three")
        with open(f"{self.folder_of_course}/two.lua", encoding="utf-8") as file:
            text = file.read()
        last = text[text.index('  step "last"'):text.rindex("}\n")]
        self.put("two", text.replace(last, "").replace('  step "look"', last + '  step "look"'))
        self.assertEqual([lesson["id"] for lesson in lessons_of(self.home) if lesson["course"] == "blocks"], ["two", "three", "one"])
        self.assertEqual(self.right(), {"two": 1, "three": 0, "one": 0})
        with Screen([], home=self.home) as t:
            t.wait("Enter open")
            t.send("\t")
            t.wait("Blocks")
            t.until(lambda text: "▸ 1 " in t.flat, "the lesson that was open last, where it is now")
            t.wait("by Ann, version 2")
            t.send(ENTER)
            t.wait("step 4 of 4")
            t.wait("-- by me")
            t.send("b")
            t.see_words("The sum of", found, "✓ Right.")


class Namesakes(Ids):
    def test_another_author_s_course_begins_at_nothing_and_leaves_the_other_s_alone(self):
        self.start()
        found = self.learn()
        self.course(author="Bob")
        self.assertEqual(self.right(), {"one": 0, "two": 0})
        self.assertNotEqual(self.learn(), found)
        self.assertEqual(self.right(), {"one": 0, "two": 1})
        mine, theirs = sorted(self.programs())
        self.assertTrue(theirs.startswith("blocks/two/") or mine.startswith("blocks/two/"))
        self.assertRegex(mine + theirs, r"blocks\.[0-9a-f]{8}/two/")
        for author, numbers in (("Ann", found),):
            self.course(author=author, version="3", title="Blocks again")
            with Plain(("play", "blocks/two", "--plain"), home=self.home) as learner:
                learner.see_words("Step 3 of 4", "-- by me")
                learner.say("back")
                learner.see_words(numbers, "Right.")

    def test_the_same_numbers_do_not_share_a_program(self):
        self.start()
        for author in ("Ann", "Bob"):
            self.course(author=author)
            with Screen(["play", "blocks/two", "--seed", "7", "--step", "mend"], home=self.home) as t:
                t.wait("Mend it.")
                self.assertNotIn("-- Ann", t.text)
                t.send("i", f"-- {author}\r", "\x13")
                t.wait("Batch.")
        self.assertEqual(len(self.programs()), 2)

    def test_a_name_that_comes_with_a_newer_version(self):
        self.course(author="")
        self.lesson("one")
        self.lesson("two")
        self.learn()
        self.course(author="Ann", version="2")
        self.assertEqual(self.right(), {"one": 0, "two": 1})

    def test_removed_and_installed_anew(self):
        self.start()
        self.learn()
        self.course(author="Bob")
        self.run_tutor("pack", self.folder_of_course, "-o", self.home + "/bob.tar.gz")
        self.course()
        self.run_tutor("pack", self.folder_of_course, "-o", self.home + "/ann.tar.gz")
        self.run_tutor("remove", "blocks", "--yes")
        self.run_tutor("install", "--yes", self.home + "/bob.tar.gz")
        self.assertEqual(self.right(), {"one": 0, "two": 0})
        self.run_tutor("install", "--yes", "--replace", self.home + "/ann.tar.gz")
        self.assertEqual(self.right(), {"one": 0, "two": 1})


class NewerFormat(Ids):
    WORDS = r"written in lesson format 2; this normtutor reads format 1: a newer one is needed"

    def test_every_command_says_so(self):
        self.start()
        for text in ('return lesson "two" {\n  format = 2, title = "T", step "a" { text = "A" },\n}\n',
                     'return lesson "two" {\n  format = 2, title = "T", ask.voice "a" { text = "A" },\n}\n',
                     '-- format = 1\nreturn lesson "two" { format = 2, { "a kind of text that is no Lua" } => 1 }\n'):
            self.put("two", text)
            place = r"two\.lua:2: .*"
            self.assertRegex(self.trouble("play", "blocks/two", "--plain", status=1), place + self.WORDS)
            self.assertRegex(self.trouble("show", "blocks/two", status=1), place + self.WORDS)
            self.assertRegex(self.trouble("pack", self.folder_of_course, "-o", self.home + "/a.tar.gz", status=1), place + self.WORDS)
            checked = tutor("check", f"{self.folder_of_course}/two.lua", home=self.home)
            self.assertEqual(checked.returncode, 1)
            self.assertRegex(checked.stdout + checked.stderr, place + self.WORDS)
            with Screen([], home=self.home) as t:
                t.wait("Enter open")
                t.send("\t")
                t.wait("cannot be loaded")
                t.send("j")
                t.until(lambda text: re.search(self.WORDS, t.flat), "why")
            with Plain((), home=self.home) as learner:
                learner.say("quit")

    def test_a_list_shows_the_rest(self):
        self.start()
        self.put("two", 'return lesson "two" {\n  format = 2, title = "T", step "a" { text = "A" },\n}\n')
        done = tutor("list", home=self.home)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, self.WORDS)
        self.assertRegex(done.stdout, r"1  one +Lesson.*\n  2  two +cannot be loaded")

    def test_a_course(self):
        self.start()
        self.put("course", 'return course "blocks" {\n  format = 2, title = "T", chapters = { "one" },\n}\n')
        self.assertRegex(self.trouble("play", f"{self.folder_of_course}/one.lua", "--plain", status=1), r"course\.lua:2: .*" + self.WORDS)
        self.assertRegex(self.trouble("pack", self.folder_of_course, status=1), r"course\.lua:2: .*" + self.WORDS)


if __name__ == "__main__":
    unittest.main()
