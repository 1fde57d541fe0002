"""A learner at the tutor in a real terminal, at 80x24 and at 120x32."""

import re
import signal
import tempfile
import unittest

from arithmetic import centred, mean, normalized, unbiased, var
from questions import LESSONS, QUESTIONS, close, filled, question_numbers, read_lesson, typed
from talk import Screen
from terminal import BACKSPACE, CTRL_C, DOWN, ENTER, ESC, F1, F2, F4, LEFT, RIGHT, ROOT, TAB, UP

DESK = ROOT + "/tests/terminal/lessons/desk.lua"
PAGE_DOWN, PAGE_UP = "\x1b[6~", "\x1b[5~"
STEPS = {name: {step.id: step for step in read_lesson(name)} for name in ("normalize", "epsilon")}
NORMALIZE, EPSILON = LESSONS.index("normalize") + 1, LESSONS.index("epsilon") + 1


def row(screen, label):
    """The numbers of a row of a table or a knob, and the marks around them."""
    for line in screen.lines:
        line = line[line.find("│") + 1:] if "┬" in screen.lines[1] and "│" in line[:52] else line
        found = re.match(r" *▸? *" + re.escape(label) + r"\s+(.*)", line)
        if found:
            return found[1]
    return None


def row_numbers(screen, label):
    return [float(number) for number in re.findall(r"(?<![\w.])-?\d[\d.]*(?:e[-+]?\d+)?", row(screen, label) or "")]


class Base:
    columns, rows = 80, 24

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="normtutor-home.")
        self.home = self.folder.name

    def tearDown(self):
        self.folder.cleanup()

    def open(self, *arguments, **environment):
        screen = Screen(arguments, self.columns, self.rows, home=self.home, environment=environment)
        self.addCleanup(screen.close)
        return screen

    def at(self, step, lesson="normalize", seed="7"):
        screen = self.open("play", lesson, "--step", step, "--seed", seed)
        screen.wait("step ", " of ", " help", "Esc ")  # the last of them: all of it is there
        return screen

    def leave(self, screen):
        screen.send(CTRL_C)
        screen.wait_end(0)
        self.assertTrue(screen.restored(), "the terminal is not as it was")

    def numbers(self, screen, step, lesson="normalize"):
        return screen.see(lambda words: question_numbers(STEPS[lesson][step], QUESTIONS[lesson][step], words), f"numbers of {step}")


class Learning(Base):
    def told(self, screen, step, mistake):
        """Makes the mistake; what stands in the holes of its words."""
        question = QUESTIONS["normalize"][step]
        numbers = self.numbers(screen, step)
        wrong = typed(question.mistakes[mistake](*numbers))
        found = screen.answer(wrong, lambda words: filled(STEPS["normalize"][step].says[mistake], words), f"feedback on {mistake}")
        screen.wait("✗")
        self.assertNotIn("✓ Right.", screen.text)
        self.assertIn(wrong[-20:], screen.flat, "the typed line is gone")
        return numbers, found

    def test_wrong_in_a_known_way_then_right_then_back_tomorrow(self):
        first = self.open()
        first.begin(NORMALIZE)
        first.send(ENTER)
        first.on_step(2)
        first.send(ESC, ENTER)  # the mean is left for later
        first.on_step(3)
        (x,), found = self.told(first, "variance", "unbiased")
        self.assertTrue(close(found["#x - 1"], [4]) and close(found["#x"], [5]), found)
        first.answer(typed(var(x)), first.is_right, "right")
        first.wait("■□■□□□□□")
        first.send(ENTER)
        first.on_step(4)
        first.send(TAB, ENTER)
        first.on_step(5)
        (x,), found = self.told(first, "vector", "unbiased")
        self.assertTrue(close(found["divided(x, 'less')"], [unbiased(x)]) and close(found["x:var()"], [var(x)]), found)
        self.leave(first)

        second = self.open()
        second.see_words(f"▸ {NORMALIZE} ", "1 of 6")
        second.send(ENTER)
        second.on_step(5)
        self.assertEqual(self.numbers(second, "vector"), [x])
        self.assertTrue(filled(STEPS["normalize"]["vector"].says["unbiased"], second.words), "yesterday's feedback is gone")
        second.answer(typed(normalized(x)), second.is_right, "right")
        self.leave(second)

        third = self.open()
        third.see_words(f"▸ {NORMALIZE} ", "2 of 6")
        third.send(ENTER)
        third.on_step(5)
        third.see(third.is_right, "that it was right")
        self.leave(third)

    def test_a_right_answer_in_many_spellings(self):
        def spellings(x):
            y = normalized(x)
            yield "[" + ", ".join(f"{value:.3f}" for value in y) + "]"
            yield " ".join(f"{value:.8f}" for value in y)
            yield "(" + ",".join(f"{value:.4f}" for value in y).replace("-", "\u2212") + ")"
            yield "{" + "; ".join(f"{value:g}/sqrt({var(x):g} + 1e-5)" for value in centred(x)) + "}"
        for i in range(4):
            screen = self.at("vector", seed=str(20 + i))
            (x,) = self.numbers(screen, "vector")
            screen.answer(list(spellings(x))[i], screen.is_right, "right")

    def test_new_numbers(self):
        screen = self.at("mean")
        (before,) = self.numbers(screen, "mean")
        screen.retype("12")
        screen.send(F4)
        screen.see(lambda words: question_numbers(STEPS["normalize"]["mean"], QUESTIONS["normalize"]["mean"], words) != [before],
                   "other numbers")
        screen.wait_gone("› 12")
        (after,) = self.numbers(screen, "mean")
        screen.answer(typed(mean(after)), screen.is_right, "right")
        self.leave(screen)
        again = self.open("play", "normalize")
        again.on_step(2)
        self.assertEqual(self.numbers(again, "mean"), [after], "new numbers are forgotten")

    def test_hints_one_at_a_time_then_the_answer(self):
        screen = self.at("variance")
        (x,) = self.numbers(screen, "variance")
        for hint in (1, 2, 3):
            screen.wait(f"F2 hint {hint} of 3")
            self.assertNotIn(f"Hint {hint} ", screen.flat)
            screen.send(F2)
            screen.see_words(f"Hint {hint} ")
        screen.wait("F2 show the answer")
        screen.send(F2)
        screen.wait("F2 once more shows the answer")
        self.assertNotIn("The answer:", screen.text)
        screen.retype("1")  # what comes between takes the offer back
        screen.send(F2)
        screen.wait("F2 once more shows the answer")
        screen.send(F2)
        screen.see_words(f"The answer: {var(x):g}")
        screen.on_step(3)
        self.leave(screen)
        again = self.open("play", "normalize")
        again.see_words(f"The answer: {var(x):g}")

    def test_a_prediction_and_the_knob_that_travels(self):
        screen = self.at("guess", DESK)
        screen.wait("moves after your answer", "‹ I think so ›")
        screen.send(TAB, RIGHT, "2", "[", RIGHT)  # nothing moves before
        screen.settle()
        self.assertEqual(row_numbers(screen, "far")[0], 0)
        screen.send(TAB)
        screen.wait("Enter commit")
        screen.send(RIGHT, RIGHT)
        screen.wait("‹ certain ›")
        screen.send("1")
        screen.wait("› 1 ")
        stops = []
        screen.send(ENTER)
        screen.until(lambda text: stops.append(row_numbers(screen, "far")[:1]) or stops[-1] == [80.0], "the knob's journey")
        between = [stop[0] for stop in stops if stop and 0 < stop[0] < 80]
        self.assertTrue(between and between == sorted(between), f"the knob did not travel: {stops}")
        screen.see_words("You said: at 40 (certain)", "✗ It went on.", "The answer: at 80", "It was told to.")
        screen.wait("800")
        screen.send(RIGHT)
        screen.until(lambda text: row_numbers(screen, "far")[0] == 81, "the knob to be the learner's")
        screen.wait("810")
        screen.on_step(3)
        self.leave(screen)
        again = self.open("play", DESK)
        again.see_words("You said: at 40 (certain)")
        again.wait("800")

    def test_a_key_ends_the_journey(self):
        screen = self.at("guess", DESK)
        screen.send("2", ENTER)
        screen.see_words("✓ Right.")
        screen.send(LEFT)
        screen.until(lambda text: row_numbers(screen, "far")[0] == 80, "the end of the journey")

    def test_nothing_moves_on_by_itself_and_back_is_free(self):
        screen = self.at("places", DESK)
        n = re.search(r"What is (\d+)", screen.flat)[1]
        screen.answer(n, screen.is_right, "right")
        screen.settle(0.5)
        screen.on_step(2)
        screen.send("b")
        screen.on_step(1)
        screen.send("b")
        screen.wait("You will have seen every place.")
        screen.send(ENTER, ENTER)
        screen.on_step(2)
        screen.see(screen.is_right, "that it was right")
        screen.send(ENTER)
        screen.on_step(3)
        screen.send(TAB, ENTER)  # out of the question, on to the next step
        screen.on_step(4)
        screen.send(ENTER)
        screen.wait("All places.")
        screen.send("b")
        screen.on_step(4)


class Touching(Base):
    def test_a_cell_is_edited_and_every_number_follows_in_the_same_frame(self):
        screen = self.at("columns")
        screen.wait("[1]")
        screen.send("e")
        screen.wait("x[1] = 1", "Enter set the value")
        screen.send(BACKSPACE, "7", ENTER)
        screen.until(lambda text: row_numbers(screen, "x1")[:1] == [7], "the new number")
        screen.settle(0.005)  # the rest of that frame
        x = [7, 2, 3]
        for i, name in enumerate(("x1", "x2", "x3")):
            self.assertTrue(close(row_numbers(screen, name), [x[i], centred(x)[i], centred(x)[i] ** 2, normalized(x)[i]]),
                            f"{name}: {row(screen, name)}")
        self.assertTrue(close(row_numbers(screen, "mean"), [mean(x), var(x), 1 / (var(x) + 1e-5) ** 0.5]), row(screen, "mean"))
        self.assertIn("*", row(screen, "x2"), "what changed is not marked")
        screen.until(lambda text: "*" not in row(screen, "x2"), "the marks to go")
        screen.send(RIGHT, "e", "x")
        screen.wait("x[2] = x")
        screen.send(ENTER)
        screen.wait("A cell holds a number")
        screen.send(ESC)
        screen.wait_gone("x[2] =")
        self.assertEqual(row_numbers(screen, "x2")[0], 2)
        screen.send("0")
        screen.until(lambda text: row_numbers(screen, "x1")[0] == 1, "the cell as the lesson has it")

    def test_the_cursor_goes_along_tokens(self):
        screen = self.at("places", DESK)
        screen.send(ESC, TAB)
        screen.wait("▸ one", "one, by feature")
        screen.send(DOWN)
        screen.wait("▸ two", "two, by feature")
        self.assertNotIn("▸ one", screen.text)
        screen.send(RIGHT, RIGHT, "e")
        screen.wait("x[2][3] = 9")
        screen.send(ESC, UP)
        screen.wait("▸ one", "one, by feature")

    def test_knobs_turn_and_brackets_choose_one(self):
        screen = self.at("places", DESK)
        screen.send(ESC)
        screen.wait("← → turn first")
        screen.send(RIGHT)
        screen.until(lambda text: row_numbers(screen, "first")[0] == 6, "the knob")
        screen.wait("600")
        screen.send("]")
        screen.wait("turn second")
        screen.send(" ")
        screen.until(lambda text: "[on]" in row(screen, "second"), "the switch")
        screen.send("[", "0")
        screen.wait("500")

    def test_tab_goes_round(self):
        screen = self.at("places", DESK)
        for here, there in (("Enter answer", "Tab knob"), ("turn first", "Tab view"), ("e edit cell", "Tab text"),
                            ("↑↓ scroll", "Tab answer")):
            screen.wait(here, there)
            screen.send(TAB)
        screen.wait("Enter answer")
        screen.send("\x1b[Z")
        screen.wait("↑↓ scroll")

    def test_letters_are_text_in_a_field(self):
        screen = self.at("places", DESK)
        n = re.search(r"What is (\d+)", screen.flat)[1]
        for text, echo in (("nan", "nan"), ("sqrt(25)", "5"), ("n", n), ("s", None), ("?", None), ("b e h q", None), ("-inf", "-inf")):
            screen.retype(text)
            if echo:
                screen.wait(f"= {echo}")
            self.assertEqual(re.search(r"What is (\d+)", screen.flat)[1], n, f"{text} was a command")
            screen.on_step(2)
            self.assertNotIn("Help", screen.text)
        screen.retype("?")
        screen.send(ENTER)
        screen.see_words("It did not count")
        self.assertIn("› ?", screen.flat)

    def test_esc_peels_one_layer(self):
        screen = self.open()
        screen.wait("Enter open")
        screen.send("/", "e")
        screen.wait("Esc all lessons")
        screen.send(ESC)
        screen.wait("/ find")
        screen.begin(NORMALIZE)
        screen.next()
        screen.on_step(2)
        screen.wait("Esc out of the field")
        screen.send(F1)
        screen.wait("Esc back to the lesson")
        screen.send(ESC)
        screen.wait("Esc out of the field")
        screen.send(ESC)
        screen.wait("Esc course")
        screen.on_step(2)
        screen.send(ESC)
        screen.wait("Enter open")
        screen.send(ESC)
        screen.wait("q leaves the tutor")
        screen.send("q")
        screen.wait_end(0)
        self.assertTrue(screen.restored())

    def test_enter_before_the_lesson_is_there_begins_it(self):
        for lesson in ("normalize", "final-norm"):
            screen = self.open()
            screen.wait("Enter open")
            screen.send("j" * LESSONS.index(lesson), ENTER, ENTER)
            screen.on_step(1)

    def test_help_on_every_screen(self):
        screen = self.open()
        screen.wait("Enter open")
        screen.send("?")
        screen.wait("Help", "Esc back to the list")
        screen.send(ESC, "j" * (NORMALIZE - 1), ENTER)
        screen.wait("Enter begin")
        screen.send("?")
        screen.wait("Help", "what the lesson is for")
        screen.send(ESC)
        screen.wait("Enter begin")
        for step in ("long", "places", "guess", "last"):
            lesson = self.at(step, DESK)
            lesson.wait("F1 help" if step == "places" else "? help")
            before = lesson.text
            lesson.send(F1)
            lesson.wait("Help", "Esc back to the lesson")
            lesson.send(ESC)
            lesson.wait_gone("Esc back to the lesson")
            self.assertEqual(lesson.text, before)
        lesson.send(ENTER)
        lesson.wait("All places.")
        lesson.send("?")
        lesson.wait("Help", "what to take away")

    def test_find_on_the_course_list(self):
        screen = self.open()
        screen.wait("Normalize one token", "Epsilon and quiet")
        screen.send("/qUIet")
        screen.see_words(f"▸ {EPSILON} Epsilon", "/ qUIet")
        self.assertNotIn("Normalize one token", screen.text)
        screen.send("zz")
        screen.wait("No lesson has that")
        screen.send(BACKSPACE, BACKSPACE)
        screen.see_words(f"▸ {EPSILON} Epsilon")
        screen.send(ESC)
        screen.see_words(f"{NORMALIZE} Normalize one token", f"{EPSILON} Epsilon and quiet tokens")
        screen.send("/", "quiet", ENTER)
        screen.wait("Enter begin", "Epsilon and quiet tokens")

    def test_a_long_text_scrolls(self):
        screen = self.at("long", DESK)
        screen.wait("First line.", "more below ↓")
        self.assertNotIn("Last line.", screen.text)
        screen.send(DOWN)
        screen.wait("more above ↑")
        seen = set()
        for _ in range(10):
            seen |= set(re.findall(r"line \d\d", screen.text))
            if "Last line." in screen.text:
                break
            before = screen.text
            screen.send(PAGE_DOWN)
            screen.until(lambda text: text != before, "another page")
        self.assertEqual(len(seen), 34, f"lines were skipped: {sorted(seen)}")
        screen.wait("Last line.", "more above ↑")
        for home, end in (("\x1b[1~", "\x1b[4~"), ("\x1bOH", "\x1bOF"), ("\x1b[H", "\x1b[F")):  # whatever the terminal says
            screen.send(home)
            screen.wait("First line.")
            screen.send(end)
            screen.wait("Last line.")

    def test_home_and_end_as_tmux_sends_them(self):
        screen = self.open("play", DESK, "--step", "places", TERM="xterm-256color")
        screen.wait("Enter answer")
        screen.retype("234")
        screen.send("\x1b[1~", "1", "\x1b[4~", "5")
        screen.wait("› 12345")

    def test_keys_nobody_knows_do_nothing(self):
        screen = self.at("places", DESK)
        screen.send("12")
        screen.wait("› 12")
        screen.send("\x1b[1;7Z", "\x1b[201~", "\x1bOy", "\x1b[24;5~", "\x1b[<0;1;1M")
        screen.send("3")
        screen.wait("› 123", "Esc out of the field")

    def test_resizing_while_typing(self):
        screen = self.at("places", DESK)
        screen.send("sqrt(")
        screen.wait("› sqrt(")
        for columns, rows in ((120, 32), (60, 20), (44, 14), (80, 24), (200, 50)):
            screen.resize(columns, rows)
            screen.wait("› sqrt(", "Enter answer")
        screen.resize(30, 8)
        screen.wait_gone("sqrt(")
        screen.resize(80, 24)
        screen.wait("› sqrt(")
        screen.send("16)")
        screen.wait("› sqrt(16)", "= 4")
        self.leave(screen)

    def test_windows_of_any_size_harm_nothing(self):
        screen = self.at("places", DESK)
        for columns, rows in ((1, 1), (2, 40), (300, 2), (80, 24)):
            screen.resize(columns, rows)
            screen.settle()
        screen.wait("Enter answer")


class Leaving(Base):
    def places(self):
        """A way to each kind of place where Ctrl-C may be pressed."""
        yield "list", self.open(), ("Enter open",), ()
        yield "find", self.open(), ("Enter open",), ("/", "a")
        yield "list help", self.open(), ("Enter open",), ("?",)
        for step in ("long", "places", "guess"):
            yield step, self.open("play", DESK, "--step", step), ("step ",), ()
        yield "typing", self.open("play", DESK, "--step", "places"), ("step 2",), ("sqrt(",)
        yield "help", self.open("play", DESK, "--step", "places"), ("step 2",), (F1,)
        yield "cell", self.open("play", DESK, "--step", "places"), ("step 2",), (ESC, "e")
        yield "journey", self.open("play", DESK, "--step", "guess"), ("step 3",), (ENTER,)

    def test_ctrl_c_leaves_safely_everywhere(self):
        for name, screen, words, keys in self.places():
            with self.subTest(place=name):
                screen.wait(*words)
                screen.send(*keys)
                screen.send(CTRL_C)
                screen.wait_end(0)
                self.assertTrue(screen.restored(), "the terminal is not as it was")

    def test_signals_leave_the_terminal_as_it_was(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                screen = self.at("places", DESK)
                screen.kill(number)
                screen.wait_end(128 + number)
                self.assertTrue(screen.restored())


class Surroundings(Base, unittest.TestCase):
    def test_without_colour(self):
        coloured, plain = self.open(), self.open(NO_COLOR="1")
        for screen in (coloured, plain):
            screen.wait("Enter open")
        colour = re.compile(rb"\x1b\[[\d;]*\b(?:3[0-8]|4[0-8]|9[0-7])\b[\d;]*m")
        self.assertTrue(colour.search(coloured.raw), "there is no colour to leave out")
        self.assertFalse(colour.search(plain.raw), "NO_COLOR is not respected")

    def test_stand_ins_in_a_locale_without_unicode(self):
        screen = self.open("play", "epsilon", "--step", "three", LC_ALL="C")
        screen.wait("step 6 of 7", "Tab view")
        self.assertFalse([byte for byte in screen.raw if byte >= 0x80])
        self.assertIn("eps", screen.text)

    def test_lines_and_columns_in_the_environment_do_not_defeat_resizing(self):
        screen = self.open("play", DESK, "--step", "places", LINES="10", COLUMNS="40")
        screen.wait("step 2 of 4", "Enter answer")
        screen.resize(120, 32)
        screen.wait("┬")

    def test_an_unknown_terminal_falls_back_to_lines(self):
        screen = self.open("play", DESK, TERM="no-such-terminal")
        screen.wait("plain lines, because", "Commands: next")
        screen.send("quit\r")
        screen.wait_end(0)

    def test_a_dumb_terminal_falls_back_to_lines(self):
        screen = self.open(TERM="dumb")
        screen.wait("plain lines, because", "Commands: NUMBER")
        screen.send("quit\r")
        screen.wait_end(0)
        self.assertNotIn(b"\x1b", screen.raw)


class LearningSmall(Learning, unittest.TestCase):
    pass


class LearningLarge(Learning, unittest.TestCase):
    columns, rows = 120, 32


class TouchingSmall(Touching, unittest.TestCase):
    pass


class TouchingLarge(Touching, unittest.TestCase):
    columns, rows = 120, 32


class LeavingSmall(Leaving, unittest.TestCase):
    pass


if __name__ == "__main__":
    unittest.main()
