"""A learner goes through the lessons whole: every question wrong in every way the lesson knows, then right.

WALK="axis epsilon" in the environment: through these lessons only, for who is writing them."""

import os
import unittest

from answers import Choice, Program
from questions import LESSONS, QUESTIONS, close, filled, holes, question_numbers, read_lesson, typed
from talk import Plain, Screen, lessons_of

WALK = os.environ.get("WALK", "").split()
TRIES = 40  # new numbers until every mistake can be made


class Walk:
    """The walk itself; what `learner` is, a screen or plain lines, is said below."""

    def test_every_lesson(self):
        with self.learner() as learner:
            self.assertEqual([lesson["id"] for lesson in lessons_of(learner.home)], LESSONS)
            for number, name in enumerate(LESSONS, 1):
                if WALK and name not in WALK:
                    continue
                learner.begin(number)
                for at, step in enumerate(read_lesson(name), 1):
                    learner.on_step(at)
                    self.take(learner, name, step)
                    learner.next()
                learner.see_words("remember")
                if number < len(LESSONS) or WALK:
                    learner.back_to_list()
            if WALK:
                return
            learner.next()
            learner.see_words(f"{len(LESSONS)} of {len(LESSONS)}", "done")
            self.assertEqual([(lesson["questions"], lesson["seen"]) for lesson in lessons_of(learner.home)],
                             [(lesson["right"], lesson["steps"]) for lesson in lessons_of(learner.home)])

    def take(self, learner, lesson, step):
        if step.kind == "step":
            return
        question = QUESTIONS[lesson][step.id]
        if question is None:
            self.predict(learner, step)
        elif isinstance(question, Choice):
            self.choose(learner, step, question)
        else:
            self.assertEqual(set(question.mistakes), set(step.says), f"mistakes of {step.id}")
            take = self.mend if isinstance(question, Program) else self.answer
            take(learner, step, question)

    def answer(self, learner, step, question):
        for _ in range(TRIES):
            numbers = learner.see(lambda words: question_numbers(step, question, words), f"the numbers of {step.id}")
            if all(may(*numbers) for may in question.when.values()):
                break
            learner.new_numbers()
        for mistake, formula in question.mistakes.items():
            what = f"what {step.id} says about {mistake}"
            found = learner.answer(typed(formula(*numbers)), lambda words: filled(step.says[mistake], words), what)
            for hole, shown in found.items():
                if hole in question.tells:
                    self.assertTrue(close(shown, question.tells[hole](*numbers)), f"{what}: {hole} is {shown}")
            for hole in holes(step.says[mistake]):
                self.assertTrue(hole == "got" or hole in question.tells, f"what stands in {{{hole}}}, in {what}?")
        learner.answer(typed(question.answer(*numbers)), learner.is_right, f"{step.id} right")

    def predict(self, learner, step):
        for option in [option for option in step.options if option != step.right]:
            self.assertIn(option, step.says)
            learner.predict(step.options.index(option) + 1, lambda words: filled(step.says[option], words),
                           f"what {step.id} says about {option}")
            learner.ask_again()
        learner.predict(step.options.index(step.right) + 1, learner.is_right, f"{step.id} right")

    def choose(self, learner, step, question):
        right = learner.see_all(question.right, f"what {step.id} is to be told by")
        for option in [option for option in step.options if option != right] + [right]:
            see = learner.is_right if option == right else lambda words: filled(step.says[option], words)
            learner.choose(step.options.index(option) + 1, see, f"what {step.id} says about {option}")

    def mend(self, learner, step, question):
        place = learner.place()
        for mistake, program in question.mistakes.items():
            learner.save(place, program, lambda words: filled(step.says[mistake], words), f"what {step.id} says about {mistake}")
        learner.save(place, question.answer, learner.is_right, f"{step.id} right")


class OnScreen(Walk):
    columns, rows = 80, 24

    def learner(self):
        return Screen(columns=self.columns, rows=self.rows)


class Small(OnScreen, unittest.TestCase):
    pass


class Large(OnScreen, unittest.TestCase):
    columns, rows = 120, 32


class Lines(Walk, unittest.TestCase):
    def learner(self):
        return Plain()


if __name__ == "__main__":
    unittest.main()
