"""The built-in lessons keep to one measure: what a learner may expect of each of them."""

import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(1, ROOT + "/tests/terminal")

from questions import LESSONS, read_lesson  # noqa: E402 (found by the line above)


def asked(lesson):
    """(questions that are checked until they are right, predictions)"""
    questions = [step for step in read_lesson(lesson) if step.kind != "step"]
    predictions = [step for step in questions if re.search(r"^    predict +=", step.body, re.M)]
    return [step for step in questions if step not in predictions], predictions


class Measure(unittest.TestCase):
    def each(self):
        for lesson in LESSONS:
            with self.subTest(lesson=lesson), open(f"{ROOT}/lessons/{lesson}.lua", encoding="utf-8") as file:
                yield lesson, file.read()

    def test_thirteen_lessons_of_five_to_ten_minutes(self):
        self.assertEqual(len(LESSONS), 13)
        for lesson, source in self.each():
            self.assertIn(int(re.search(r"^  minutes +=\s*(\d+)", source, re.M)[1]), range(5, 11))

    def test_the_readme_lists_them_in_their_order(self):
        titles = [re.search(r'^  title +=\s*"(.*)"', source, re.M)[1] for _, source in self.each()]
        with open(ROOT + "/README.md", encoding="utf-8") as file:
            self.assertEqual(re.findall(r"^\* \*\*(.+?)\*\*:", file.read(), re.M), titles)

    def test_each_begins_with_a_goal_and_ends_with_what_to_remember(self):
        for lesson, source in self.each():
            for field in ("goal", "remember"):
                self.assertRegex(source, rf"(?m)^  {field} +=")
            self.assertIn("You will be able to", re.search(r"goal += \[\[(.*?)\]\]", source, re.S)[1].replace("you will be able", "You will be able"))

    def test_each_has_something_to_turn(self):
        for lesson, source in self.each():
            self.assertIn("knob.", source)

    def test_each_asks_two_to_four_questions_and_has_something_to_predict(self):
        for lesson, _ in self.each():
            checked, predictions = asked(lesson)
            self.assertIn(len(checked), range(2, 5))
            self.assertGreaterEqual(len(predictions), 1)

    def test_every_wrong_answer_has_words_of_its_own(self):
        for lesson, _ in self.each():
            for step in sum(asked(lesson), []):
                words = list(step.says.values())
                self.assertTrue(words, step.id)
                self.assertEqual(len(words), len(set(words)), f"the same words twice in {step.id}")
                self.assertFalse(set(step.options) - set(step.says) - {step.right}, step.id)


if __name__ == "__main__":
    unittest.main()
