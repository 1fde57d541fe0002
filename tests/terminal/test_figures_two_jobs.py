"""The curriculum's figures in the lesson two-jobs."""

import re
import unittest

from figures import Figures, filled, flat, row, show, steps


class TwoJobs(Figures):
    def test_twelve_layers(self):
        seed = next(seed for seed in map(str, range(300)) if "each of 12 residual layers makes the variance 1.5 times" in flat(show("two-jobs", "stack", "--seed", seed)))
        ask = lambda answer: flat(show("two-jobs", "stack", "--seed", seed, "--answer", answer))
        self.assertIn("Right.", ask("130"))
        self.assertIn("12 layers make 130 ", ask("130"))
        for answer, mistake in ("18", "added"), ("7", "linear"), ("1", "one"):
            self.assertIsNotNone(filled(steps("two-jobs")["stack"].says[mistake], ask(answer)), f"{answer} is not known as {mistake}")

    def test_a_random_stack_multiplies(self):
        for depth, least, most in (6, 3, 30), (12, 30, 500), (24, 1500, 2e5):
            variance, likeness = zip(*(row(show("two-jobs", "four", "--set", f"depth={depth}", "--set", "size=1"), name)
                                       for name in ("F(x)", "norm(F(x))", "x + F(x)", "norm(x + F(x))")))
            self.assertTrue(least < variance[2] < most, f"{variance[2]} after {depth} layers")
            self.assertTrue(variance[0] < 0.1)
            self.assertEqual([round(value, 2) for value in (variance[1], variance[3])], [1, 1])

    def test_what_neither_mends(self):
        frame = show("two-jobs", "rate", "--answer", "bursts")
        self.assertTrue(re.search(r"loss +[\d.]+ +\S*e\d+ +(nan|inf)", frame), frame)
        first, _, last = row(show("two-jobs", "limits", "--set", "goal=reversed"), "off the truth")
        self.assertGreater(last, first)


if __name__ == "__main__":
    unittest.main()
