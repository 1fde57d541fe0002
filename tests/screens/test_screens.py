"""What `normtutor show` draws, against the golden screens that somebody has looked at."""

import difflib
import os
import re
import unittest

import frames


def visible(line):
    return line.replace("\x1b", "␛")


class Golden(unittest.TestCase):
    def compare(self, wanted):
        for name, arguments in wanted.items():
            with self.subTest(screen=name):
                self.assertTrue(os.path.exists(frames.path_of(name)), f"there is no golden screen {name}; look at what make-golden makes")
                with open(frames.path_of(name), encoding="utf-8", newline="") as file:
                    golden = file.read()
                screen = frames.show(*arguments)
                if screen != golden:
                    changes = difflib.unified_diff(golden.split("\n"), screen.split("\n"), "golden", "now", lineterm="", n=2)
                    self.fail(f"{name} has changed; if it is meant, look at it and run tests/screens/make-golden {name}\n"
                              + "\n".join(visible(line) for line in changes))

    def test_normalize(self):
        self.compare(frames.of_lesson("normalize"))

    def test_epsilon(self):
        self.compare(frames.of_lesson("epsilon"))

    def test_lessons_side_by_side(self):
        self.compare(frames.of_wide())

    def test_views(self):
        self.compare(frames.of_views())

    def test_kinds_of_question_and_blocks(self):
        self.compare(frames.of_kinds())

    def test_odd_sizes(self):
        self.compare(frames.of_odd_sizes())

    def test_no_golden_screen_is_left_over(self):
        kept = {name.removesuffix(".txt") for name in os.listdir(frames.GOLDEN)}
        self.assertEqual(kept - set(frames.all_frames()), set())


class Promises(unittest.TestCase):
    """What holds for every screen, golden or not."""

    def test_every_line_fits(self):
        for name, arguments in frames.all_frames().items():
            with self.subTest(screen=name):
                size = arguments[arguments.index("--size") + 1] if "--size" in arguments else "80x24"
                columns, rows = map(int, size.split("x"))
                lines = frames.show(*[argument for argument in arguments if argument != "--ansi"]).removesuffix("\n").split("\n")
                self.assertEqual(len(lines), rows)
                wide = sum(ord(letter) >= 0x4E00 for letter in "".join(lines))
                self.assertLessEqual(max(map(len, lines)), columns, f"{wide} wide letters")
                self.assertFalse([letter for line in lines for letter in line if letter < " "], "control bytes")

    def test_ascii_is_ascii(self):
        for name, arguments in {**frames.of_wide(), **frames.of_lesson("epsilon")}.items():
            with self.subTest(screen=name):
                self.assertTrue(frames.show(*arguments, "--ascii").isascii())

    def test_no_view_shows_the_answer_beside_its_question(self):
        for lesson in frames.QUESTIONS:
            for step in frames.read_lesson(lesson):
                question = frames.QUESTIONS[lesson].get(step.id)
                if not question or not re.search(r"\n    hide +=", step.body):
                    continue
                page = frames.show(lesson, "--step", step.id, "--seed", frames.SEED, "--size", "160x60")
                text = "\n".join(line.split("│")[0] for line in page.split("\n"))
                view = "\n".join(line.partition("│")[2] for line in page.split("\n"))
                answer = question.answer(*frames.question_numbers(step, question, text))
                for value in answer if isinstance(answer, list) else [answer]:
                    if value:
                        self.assertNotRegex(view, rf"(?<![\d.]){abs(value):.3f}(?!\d)", f"{step.id} shows {value}")


if __name__ == "__main__":
    unittest.main()
