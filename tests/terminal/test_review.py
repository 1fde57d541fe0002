"""What was answered wrongly comes back: the next day, a week later, in a real terminal and in plain lines."""

import glob
import tempfile
import unittest

from clock import later
from arithmetic import mean
from questions import LESSONS, QUESTIONS, filled, question_numbers, read_lesson, typed
from talk import Plain, Screen, lessons_of, tutor
from terminal import CTRL_C, ENTER, ESC, F2, F4, RIGHT

STEPS = {name: {step.id: step for step in read_lesson(name)} for name in ("normalize", "which-axis")}


def without_case(*words):
    return lambda text: all(word.lower() in text.lower() for word in words)


class OnScreen:
    """The learner of one day, at the course list."""

    def __init__(self, home, when, columns=80, rows=24, arguments=()):
        self.tutor = Screen(arguments, columns, rows, home=home, environment=later(when))
        if not arguments:
            self.tutor.wait("Enter open")

    def __enter__(self):
        return self

    def __exit__(self, kind, *unused):
        if kind is None and self.tutor.process.poll() is None:
            self.tutor.send(CTRL_C)
            self.tutor.wait_end(0)
        self.tutor.close()

    def see(self, *words):
        self.tutor.see(lambda text: without_case(*words)(text) or None, words)

    def review(self):
        self.tutor.send("r")

    def to_list(self):
        self.tutor.settle()
        self.tutor.send(ESC)  # out of the field, where the focus is in one
        self.tutor.settle()
        if "Enter open" not in self.tutor.text:
            self.tutor.back_to_list()

    def told(self, *words):
        self.tutor.wait_notice(*words)


class InLines:
    def __init__(self, home, when):
        self.tutor = Plain(home=home, **later(when))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.tutor.__exit__()

    def see(self, *words):
        self.tutor.see(lambda text: without_case(*words)(text) or None, words)

    def review(self):
        self.tutor.say("review")

    def to_list(self):
        self.tutor.back_to_list()

    told = see


def numbers(learner, step="mean"):
    """What the question asks about."""
    return learner.tutor.see(lambda words: question_numbers(STEPS["normalize"][step], QUESTIONS["normalize"][step], words),
                             f"numbers of {step}")[0]


def is_wrong(words):
    return "is not it" in words or "✗" in words or "Wrong:" in words or None


def answer_wrongly(learner, x):
    learner.tutor.answer(str(round(mean(x)) + 700), is_wrong, "that it is wrong")


def answer_rightly(learner, x):
    learner.tutor.answer(typed(mean(x)), lambda words: learner.tutor.is_right(words) or None, "that it is right")


def to_the_mean(learner):
    learner.tutor.begin(LESSONS.index("normalize") + 1)
    learner.tutor.next()
    learner.tutor.on_step(2)


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="normtutor-home.")
        self.addCleanup(self.folder.cleanup)
        self.home = self.folder.name
        # A seed whose draws differ: there are not many kinds of numbers for work by hand.
        tutor("play", "normalize", "--seed", "7", "--plain", home=self.home, **later("+0"))

    def due(self, when):
        return {lesson["id"]: lesson["due"] for lesson in lessons_of(self.home, **later(when)) if lesson["due"]}

    def wrong_on_the_first_day(self, learner):
        to_the_mean(learner)
        x = numbers(learner)
        answer_wrongly(learner, x)
        answer_rightly(learner, x)
        learner.to_list()
        return x


class Weeks:
    def day(self, when):
        raise NotImplementedError

    def test_wrong_today_and_back_tomorrow_and_a_week_later(self):
        with self.day("+0") as learner:
            first = self.wrong_on_the_first_day(learner)
            learner.see("review")
            learner.review()
            learner.told("Nothing is due; the next in 1 day.")
        self.assertEqual(self.due("+0"), {})
        self.assertEqual(self.due("+1d"), {"normalize": 1})

        with self.day("+1d") as learner:
            learner.see("review (1 due)", "review due", f"0 of {len(LESSONS)}")
            learner.review()
            learner.see("review 1 of 1")
            second = numbers(learner)
            self.assertNotEqual(second, first)
            answer_rightly(learner, second)
            learner.tutor.next()
            learner.told("That was the last one. Nothing is due; the next in 3 days.")
            learner.review()
            learner.told("Nothing is due; the next in 3 days.")
        with self.day("+2d") as learner:
            learner.see("1 of 6")
            learner.review()
            learner.told("Nothing is due; the next in 2 days.")  # and the lesson is where it was, with its own numbers
            learner.tutor.send(ENTER) if isinstance(learner, OnScreen) else learner.tutor.say("next")
            learner.tutor.on_step(2)
            self.assertEqual(numbers(learner), first)
            learner.tutor.see(lambda words: learner.tutor.is_right(words) or None, "that it was right")

        with self.day("+8d") as learner:
            learner.see("review (1 due)")
            learner.review()
            learner.see("review 1 of 1")
            third = numbers(learner)
            self.assertNotIn(third, (first, second))
            answer_wrongly(learner, third)
            answer_rightly(learner, third)  # with the feedback's help: it begins again all the same
            learner.tutor.next()
            learner.told("the next in 1 day.")
        with self.day("+9d") as learner:
            learner.review()
            answer_rightly(learner, numbers(learner))
            learner.tutor.next()
            learner.told("the next in 3 days.")
        with self.day("+12d") as learner:
            learner.review()
            answer_rightly(learner, numbers(learner))
            learner.tutor.next()
            learner.told("the next in 7 days.")
        self.assertEqual(self.due("+18d"), {})
        self.assertEqual(self.due("+19d"), {"normalize": 1})

    def test_a_clock_set_back(self):
        with self.day("+0") as learner:
            self.wrong_on_the_first_day(learner)
        with self.day("-2h") as learner:
            learner.review()
            learner.told("Nothing is due; the next in 1 day.")
        with self.day("-400d") as learner:  # the answer's own clock was wrong: better too early than in a year
            learner.see("review (1 due)")
            learner.review()
            answer_rightly(learner, numbers(learner))
            learner.tutor.next()
            learner.told("the next in 3 days.")
        self.assertEqual(self.due("+0"), {"normalize": 1})


class AtTheScreen(Weeks, Base):
    def day(self, when):
        return OnScreen(self.home, when)


class AtAWideScreen(Weeks, Base):
    def day(self, when):
        return OnScreen(self.home, when, 120, 32)


class Lines(Weeks, Base):
    def day(self, when):
        return InLines(self.home, when)

    def test_the_list_as_text(self):
        with self.day("+0") as learner:
            self.wrong_on_the_first_day(learner)
        self.assertIn("1 due for review", tutor("list", home=self.home, **later("+1d")).stdout)
        self.assertNotIn("review", tutor("list", home=self.home).stdout)

    def test_back_and_out(self):
        with self.day("+0") as learner:
            self.wrong_on_the_first_day(learner)
        with self.day("+1d") as learner:
            learner.review()
            learner.tutor.say("back")
            learner.see("the first question of this review")
            learner.tutor.say("list")
            learner.see("review (1 due)")


class Rounds(Base):
    def answered_at(self, step, act, lesson="normalize", columns=80, rows=24):
        """One sitting on the first day."""
        with OnScreen(self.home, "+0", columns, rows, ["play", lesson, "--step", step, "--seed", "7"]) as learner:
            learner.tutor.see_words("step ", "Esc ")
            return act(learner)

    def sure_and_wrong(self, learner):
        wrong = next(i for i, option in enumerate(STEPS["normalize"]["divisor"].options, 1)
                     if option != STEPS["normalize"]["divisor"].right)
        learner.tutor.send(RIGHT)
        learner.tutor.wait("certain ›")
        learner.tutor.predict(wrong, is_wrong, "that it is wrong")

    def day(self, when, **more):
        return OnScreen(self.home, when, **more)

    def test_one_after_the_other_and_sure_mistakes_first(self):
        self.answered_at("mean", lambda learner: answer_wrongly(learner, numbers(learner)))
        self.answered_at("divisor", self.sure_and_wrong)
        with self.day("+1d") as learner:
            learner.see("review (2 due)")
            learner.review()
            learner.see("review 1 of 2", "How sure?")
            right = STEPS["normalize"]["divisor"].options.index(STEPS["normalize"]["divisor"].right) + 1
            learner.tutor.predict(right, lambda words: learner.tutor.is_right(words) or None, "that it is right")
            learner.tutor.next()
            learner.see("review 2 of 2")
            x = numbers(learner)
            learner.tutor.send(ESC, "b")
            learner.see("review 1 of 2", "✓ Right.")
            learner.tutor.next()
            learner.see("review 2 of 2")
            self.assertEqual(numbers(learner), x)
            learner.tutor.settle()
            learner.tutor.send(ESC, ESC)
            learner.see("review (1 due)")

    def test_what_is_left_for_later_stays_due(self):
        self.answered_at("mean", lambda learner: answer_wrongly(learner, numbers(learner)))
        with self.day("+1d") as learner:
            learner.review()
            learner.see("review 1 of 1")
            learner.tutor.send(ESC)
            learner.see("Enter leave it for later")
            learner.tutor.next()
            learner.told("1 question is due")

    def test_killed_in_the_middle(self):
        first = self.answered_at("mean", lambda learner: (numbers(learner), answer_wrongly(learner, numbers(learner)))[0])
        with self.day("+1d") as learner:
            learner.review()
            learner.see("review 1 of 1")
            before = numbers(learner)
            learner.tutor.send(F4)
            learner.tutor.see(lambda words: numbers(learner) != before or None, "other numbers")
            x = numbers(learner)
            learner.tutor.send(F2)
            learner.see("Hint 1 ")
            learner.tutor.retype("12")
            learner.tutor.kill()
            learner.tutor.wait_end()
        with self.day("+1d") as learner:
            learner.see("review (1 due)")
            learner.review()
            learner.see("review 1 of 1", "Hint 1 ")
            self.assertEqual(numbers(learner), x, "other numbers after the kill")
            answer_wrongly(learner, x)
            learner.tutor.kill()
            learner.tutor.wait_end()
        with self.day("+1d") as learner:
            learner.review()
            learner.told("Nothing is due; the next in 1 day.")
        with self.day("+2d") as learner:
            learner.review()
            learner.see("review 1 of 1")
            again = numbers(learner)
            self.assertNotEqual(again, x)
            answer_rightly(learner, again)
            learner.tutor.kill()
            learner.tutor.wait_end()
        self.assertEqual((sum(self.due("+4d").values()), sum(self.due("+5d").values())), (0, 1))
        with self.day("+2d") as learner:
            learner.tutor.send(ENTER)
            learner.tutor.on_step(2)
            self.assertEqual(numbers(learner), first, "the lesson has other numbers")

    def test_help_says_what_it_is(self):
        self.answered_at("mean", lambda learner: answer_wrongly(learner, numbers(learner)))
        with self.day("+1d") as learner:
            learner.tutor.send("?")
            learner.see("after 1, 3, 7, 16 and 35 days")
            learner.tutor.send(ESC)
            learner.tutor.wait("Enter open")
            learner.review()
            learner.see("review 1 of 1")
            learner.tutor.settle()
            learner.tutor.send(ESC, "?")
            learner.see("This is a review")

    def test_a_program_is_mended_afresh(self):
        question = QUESTIONS["which-axis"]["mend"]
        mistake, wrong = next(iter(question.mistakes.items()))

        def mend(learner):
            place = learner.tutor.place()
            learner.tutor.save(place, wrong, lambda words: filled(STEPS["which-axis"]["mend"].says[mistake], words), "the mistake")
            return place
        place = self.answered_at("mend", mend, "which-axis", rows=40)
        with self.day("+1d", rows=40) as learner:
            learner.see("review (1 due)")
            learner.review()
            learner.see("review 1 of 1")
            fresh = learner.tutor.place()
            self.assertIn("/mend.7.review.1/", fresh)
            with open(fresh.replace("~", self.home, 1), encoding="utf-8") as file:
                self.assertNotEqual(file.read(), wrong)
            learner.tutor.save(fresh, question.answer, lambda words: learner.tutor.is_right(words) or None, "right")
            learner.tutor.next()
            learner.told("the next in 3 days.")
        with open(place.replace("~", self.home, 1), encoding="utf-8") as file:
            self.assertEqual(file.read(), wrong)
        self.assertEqual(len(glob.glob(self.home + "/state/normtutor/work/*/which-axis/*")), 2)


if __name__ == "__main__":
    unittest.main()
