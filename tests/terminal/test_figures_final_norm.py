"""The curriculum's figures in the lesson final-norm."""

import re
import unittest

from figures import Figures, filled, flat, numbers, show, steps


class FinalNorm(Figures):
    def about(self, step, words):
        """The question whose text has these words: a function from an answer to the frame."""
        seed = next(seed for seed in map(str, range(500)) if words in flat(show("final-norm", step, "--seed", seed)))
        return lambda answer: flat(show("final-norm", step, "--seed", seed, "--answer", answer))

    def test_twelve_layers(self):
        ask = self.about("variance", "goes into 12 pre-norm layers. Each adds an update of variance 0.5 ")
        self.assertIn("Right.", ask("7"))
        for answer, mistake in ("130", "multiplied"), ("1", "one"), ("6", "updates"):
            self.assertIsNotNone(filled(steps("final-norm")["variance"].says[mistake], ask(answer)), f"{answer} is not known as {mistake}")

    def test_the_share_of_the_last(self):
        ask = self.about("share", "variance 0.5, unrelated to what is there. What is the length of layer 48's update,")
        self.assertIn("Right.", ask("0.143"))
        self.assertIn("The first layer's share was 0.7071.", ask("0.143"))

    def test_what_random_stacks_come_to(self):
        frame = show("final-norm", "stack")
        shares, variances = (numbers(re.search(rf"^ *{name} +(\[.*?\])", frame, re.M)[1]) for name in ("update", "variance"))
        self.assertTrue(0.4 < shares[0] < 1.1 and 0.08 < shares[4] < 0.25, shares)
        self.assertTrue(2 < variances[1] < 7 and 16 < variances[4] < 40, variances)
        frame = show("final-norm", "logits", "--answer", "root")
        self.assertTrue(4 < float(re.search(r"^ *48 +[\d.]+ +([\d.]+)", frame, re.M)[1]) < 6.5, frame)
        frame = show("final-norm", "logits", "--answer", "root", "--set", "final=on")
        self.assertTrue(0.6 < float(re.search(r"^ *48 +[\d.]+ +([\d.]+)", frame, re.M)[1]) < 1.5, frame)

    def test_the_same_weights_in_the_other_order(self):
        cosines = [float(re.search(rf"^ *{depth} +([\d.]+)", show("final-norm", "copied", "--answer", "less", "--set", f"depth={depth}"), re.M)[1])
                   for depth in (6, 12, 24)]
        self.assertTrue(1 > cosines[0] > 0.75 and cosines[0] > cosines[1] > cosines[2] and cosines[2] < 0.65, cosines)


if __name__ == "__main__":
    unittest.main()
