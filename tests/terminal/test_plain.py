"""The tutor in plain lines, through pipes."""

import os
import re
import subprocess
import unittest

from arithmetic import mean, normalized, var
from questions import LESSONS, QUESTIONS, close, question_numbers, read_lesson, typed
from talk import Plain, write
from terminal import NORMTUTOR, PATIENCE, ROOT, home_environment

DESK = ROOT + "/tests/terminal/lessons/desk.lua"
STEPS = {step.id: step for step in read_lesson("normalize")}


def at(step, lesson=DESK, seed="7", **more):
    return Plain(("play", lesson, "--step", step, "--seed", seed, "--plain"), **more)




class Lines(unittest.TestCase):
    def test_only_lines_come_out(self):
        script = b"1\nnext\nhelp\nnext\nanswer 1\nhint\nview\nnext\nquit\n"
        for environment in ({}, {"TERM": "dumb"}, {"LC_ALL": "C"}, {"TERM": None}):
            with self.subTest(environment=environment), Plain(()) as home:
                done = subprocess.run([NORMTUTOR], input=script, capture_output=True, timeout=3 * PATIENCE,
                                      env=home_environment(home.home, **environment))
                self.assertEqual(done.returncode, 0)
                control = [byte for byte in done.stdout if (byte < 0x20 and byte != 0x0A) or byte == 0x7F]
                self.assertFalse(control, "control bytes in plain lines")
                self.assertFalse(re.search("[\u0080-\u009f\u2500-\u28ff]", done.stdout.decode()), "drawn characters in plain lines")
                if environment.get("LC_ALL") == "C":
                    self.assertTrue(done.stdout.isascii())
                self.assertIn(b"plain lines, because", done.stderr)
                self.assertIn(b"Commands: next", done.stdout)

    def test_asked_for_it_says_nothing_about_it(self):
        with Plain(("--plain",)) as learner:
            status, said, errors = learner.end()
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(f"0 of {len(LESSONS)} lessons done", said)

    def test_the_end_of_the_input_leaves(self):
        for arguments in (("--plain",), ("play", DESK, "--plain")):
            with Plain(arguments) as learner:
                status, said, errors = learner.end(line=None)
            self.assertEqual((status, errors), (0, ""))
            self.assertTrue(said.endswith("> \n"), repr(said[-20:]))

    def test_a_last_line_without_a_newline_counts(self):
        with Plain(("play", DESK, "--plain")) as learner:
            learner.process.stdin.write(b"next")
            status, said, _ = learner.end(line=None)
            self.assertEqual(status, 0)
            self.assertIn("Step 1 of 4", said)

    def test_lines_that_end_as_elsewhere(self):
        with at("places") as learner:
            learner.say("answer 1\r")
            learner.see_words("Wrong")
            learner.say("   back\t")
            learner.see_words("Step 1 of 4")


class Answering(unittest.TestCase):
    def test_wrong_then_right(self):
        step, question = STEPS["variance"], QUESTIONS["normalize"]["variance"]
        with at("variance", "normalize") as learner:
            (x,) = question_numbers(step, question, learner.words)
            learner.say("answer " + typed(question.mistakes["unbiased"](x)))
            learner.see_words("Wrong: ", f"n - 1 = {len(x) - 1}")
            learner.say(typed(var(x)))  # a bare line answers too
            learner.see_words("Right.")
            learner.say(typed(var(x)))
            learner.see_words("no command here")
            learner.say("answer 5")
            self.assertNotIn("Wrong", learner.words)

    def test_a_vector_an_expression_and_rubbish(self):
        step, question = STEPS["vector"], QUESTIONS["normalize"]["vector"]
        with at("vector", "normalize") as learner:
            (x,) = question_numbers(step, question, learner.words)
            for rubbish in ("answer sqrt(", "answer [1, 2", "answer \x01\x1b[2J"):
                learner.say(rubbish)
                learner.see_words("Could not read that, so it did not count.")
                self.assertNotIn("\x1b", learner.all.decode())
            learner.say("answer 1 2")
            learner.see_words("2 numbers")
            learner.say("answer [" + ", ".join(f"{value - mean(x):g}/sqrt({var(x):g})" for value in x) + "]")
            learner.see_words("Right.")

    def test_hints_then_the_answer(self):
        with at("places") as learner:
            n = re.search(r"What is (\d+)", learner.words)[1]
            learner.say("hint")
            learner.see_words("Hint 1 of 2: Look at it.")
            self.assertNotIn("Hint 2 of 2", learner.words)
            learner.say("hint")
            learner.see_words(f"Hint 2 of 2: It is {n}.")
            self.assertNotIn("Hint 1 of 2", learner.words)
            learner.say("hints")
            learner.see_words("Hint 1 of 2: Look at it.", "Hint 2 of 2")
            learner.say("hint")
            learner.see_words("That was the last hint.")
            learner.say("answer 1")  # what comes between takes the offer back
            learner.say("hint")
            learner.see_words("That was the last hint.")
            learner.say("hint")
            learner.see_words(f"The answer: {n}", "Nothing was added.")

    def test_show_answer_and_new_numbers(self):
        with at("places") as learner:
            before = re.search(r"What is (\d+)", learner.words)[1]
            learner.say("show answer")
            learner.see_words(f"The answer: {before}")
            learner.say("new")
            after = re.search(r"What is (\d+)", learner.words)[1]
            self.assertNotEqual(before, after)
            learner.say(after)
            learner.see_words("Right.")

    def test_a_prediction(self):
        with at("guess") as learner:
            learner.see_words("1 a guess, 2 I think so, 3 certain")
            learner.say("far 3")
            learner.see_words("once the prediction is made")
            learner.say("sure 9")
            learner.see_words("sure takes 1")
            learner.say("sure 3")
            learner.say("answer 1")
            learner.see_words("You said: at 40 (certain).", "Wrong: It went on.", "The answer: at 80", "ten times: 800", "Knob far = 80")
            self.assertLess(learner.words.index("It was told to."), learner.words.index("View:"))
            learner.say("far 3")
            learner.see_words("Knob far = 3 ", "ten times: 30")
            self.assertTrue(learner.words.startswith("far = 3 (was 80)."), learner.words)
            self.assertNotIn("You said", learner.words)
            learner.say("new")
            learner.say("answer high")
            learner.see_words("Right.")

    def test_an_option_by_its_words(self):
        with at("guess") as learner:
            learner.say("At 40.")
            learner.see_words("You said: at 40")

    def test_it_is_remembered(self):
        with at("places") as learner:
            n = re.search(r"What is (\d+)", learner.words)[1]
            learner.say("answer 1")
            learner.say("hint")
            with Plain(("play", DESK, "--plain"), home=learner.home) as again:
                again.see_words("Step 2 of 4", f"What is {n} + 0", "Wrong", "Hint 1 of 2")


class Mending(unittest.TestCase):
    def learner(self):
        return at("batch", ROOT + "/tests/terminal/lessons/mend.lua")

    def test_a_program_that_does_not_run(self):
        with self.learner() as learner:
            write(learner.home, learner.place(), "function layer_norm(x, scale\n")
            learner.say("probes")
            self.assertTrue(learner.words.startswith("Could not run it"), learner.words)
            for line in ("view", "look"):
                learner.say(line)
                self.assertEqual(learner.words.count("Could not run it"), 1)
                self.assertNotIn("fails", learner.words)

    def test_the_solution_is_no_file_of_the_learner(self):
        with self.learner() as learner:
            learner.say("show answer")
            learner.see_words("The answer, a program that does it right: 1: ", "Your own program is as you left it. File: ")


class Moving(unittest.TestCase):
    def test_knobs_by_name(self):
        with at("places") as learner:
            learner.say("first 7")
            learner.see_words("first = 7 (was 5).", "Knob first = 7", "first: 700")
            learner.say("FIRST=2.5")
            learner.see_words("first: 250")
            learner.say("first")
            learner.see_words("Knob first = 2.5 (0 to 10)")
            self.assertNotIn("View", learner.words)
            learner.say("second on")
            learner.see_words("Knob second = on")
            learner.say("first 99")
            learner.see_words("first goes from 0 to 10")
            learner.say("first much")
            learner.see_words("first takes a number")
            learner.say("token 2")
            self.assertTrue(learner.words.startswith("token = 2 (was 1)."), learner.words)
            learner.say("reset")
            learner.see_words("Reset: first, second, token.", "Knob first = 5", "Knob second = off", "one (you look here)")
            learner.say("reset")
            learner.see_words("nothing to reset")

    def test_looking_at_a_token(self):
        with at("places") as learner:
            learner.see_words("one (you look here)", "x1 (you look here): before 1,")
            learner.say("token 2")
            learner.see_words("two (you look here)", "x1 (you look here): before 2,")
            for wrong in ("token 3", "token two", "token 0"):
                learner.say(wrong)
                learner.see_words("token goes from 1 to 2")
            learner.say("view")
            learner.see_words("two (you look here)")

    def test_cells_by_name(self):
        with at("places") as learner:
            learner.say("x[2][3] = 3")
            self.assertTrue(learner.words.startswith("x[2][3] = 3 (was "), learner.words)
            learner.see_words("x3 (you look here)")
            (line,) = re.findall(r"two \(you look here\): ([^.]*(?:\.\d[^.]*)*)\.", learner.words)
            after = [float(number) for number in re.findall(r"after (-?[\d.]+\d)", learner.words)]
            self.assertTrue(close(after, normalized([2, 4, 3])), learner.words)
            self.assertIn("mean 3,", line)
            for wrong, words in (("x[3][1] = 1", "the index 3 is outside"), ("x[0][1] 1", "names no cell"), ("x[1] = 1", "2 indices"),
                                 ("x[1][1] = many", "takes a number")):
                learner.say(wrong)
                learner.see_words(words)
                self.assertNotIn("(you look here)", learner.words)
            learner.say("view")
            self.assertIn("mean 3,", learner.words)
            learner.say("reset")
            learner.see_words("mean 5,")

    def test_back_and_forth_look_and_list(self):
        with Plain() as learner:
            learner.say("open axis")
            learner.say("next")
            learner.see_words(f"Lesson {LESSONS.index('axis') + 1}, ", "Step 1 of 7")
            learner.say("back")
            learner.see_words("Commands: next, help, quit")
            learner.say("back")
            learner.see_words("where the lesson begins")
            learner.say("next")
            learner.say("look")
            learner.see_words("Step 1 of 7")
            learner.say("list")
            learner.see_words(f"0 of {len(LESSONS)} lessons done")
            learner.say("open normalize")
            learner.see_words(f"Lesson {LESSONS.index('normalize') + 1}, ")
            learner.say(f"open {len(LESSONS) + 1}")
            learner.see_words("list shows them")

    def test_a_step_by_its_number(self):
        with Plain() as learner:
            learner.say("open axis")
            learner.say("step 3")
            learner.see_words("Step 3 of 7")
            learner.say("step 8")
            learner.see_words("1 to 7")
            learner.say("step 7")
            learner.say("next")
            learner.see_words("Questions still open, by their steps: ", '"step ')
            learner.say("view")
            learner.see_words("There is no view here.")
            learner.say("list")
            learner.see_words("still open")

    def test_other_words_for_quit(self):
        with Plain() as learner:
            for word in ("q", "exit"):
                learner.say(word)
                learner.see_words("quit leaves.")

    def test_notes_from_within_a_lesson(self):
        with at("places") as learner:
            learner.say("answer 1")
            learner.say("notes")
            learner.see_words("notes.md")

    def test_what_is_no_command(self):
        with Plain() as learner:
            learner.say("flurb")
            learner.see_words("no command here")
            learner.say("")
            self.assertEqual(learner.words, "")
            learner.say("99")
            learner.see_words("list shows them")
            learner.say("open normalize")
            learner.say("next")
            learner.say("flurb")
            learner.see_words("no command here; help says what is")
            learner.say("answer")
            learner.see_words("answer what?")
            learner.say("new")
            learner.see_words("new numbers are for questions")
            learner.say("x" * 20000)
            learner.see_words("too long")
            learner.say("help")
            learner.see_words("next, back", "quit", "x[1] VALUE")
            status, _, errors = learner.end()
            self.assertEqual((status, errors), (0, ""))

    def test_help_names_what_the_step_has(self):
        with at("places") as learner:
            learner.say("help")
            learner.see_words("first VALUE", "second VALUE", "token N", "x[1][1] VALUE", "hint", "sure N")


class Ends(unittest.TestCase):
    def test_output_nobody_can_take(self):
        with Plain() as home, open("/dev/full", "w") as full:
            done = subprocess.run([NORMTUTOR, "--plain"], input=b"1\nnext\n", stdout=full, stderr=subprocess.PIPE,
                                  timeout=3 * PATIENCE, env=home_environment(home.home))
            self.assertNotEqual(done.returncode, 0)

    def test_a_reader_that_goes_away(self):
        with Plain() as home:
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run([NORMTUTOR, "--plain"], input=b"1\n" * 50, stdout=writer, stderr=subprocess.PIPE,
                                  timeout=3 * PATIENCE, env=home_environment(home.home))
            os.close(writer)
            self.assertNotEqual(done.returncode, 0)
            self.assertGreater(done.returncode, 0, "died of a signal")


if __name__ == "__main__":
    unittest.main()
