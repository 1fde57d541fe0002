"""The curriculum's figures in the lesson epsilon."""

import math
import re
import unittest

from figures import Figures, row, show
from questions import flat, numbers


class Epsilon(Figures):
    def test_the_deviation_afterwards(self):
        frame = show("epsilon", "curve", "--set", "s=1")
        self.assert_close(row(frame, "s")[:4], [1, 0.01, math.sqrt(1e-5), 0.001])
        self.assert_close(row(frame, "deviation after")[:4], [1, 0.953, 0.7071, 0.3015])
        self.assert_close(row(frame, "ε after the root")[:4], [1, 0.999, 0.9968, 0.9901])

    def test_a_quiet_token(self):
        found = re.search(r"the quiet token (\[.*?\]) gives (\[.*?\])", flat(show("epsilon", "three")))
        self.assertEqual(numbers(found[1]), [0.001, 0.002, 0.004])
        self.assert_close(numbers(found[2]), [-0.392, -0.098, 0.490])

    def test_a_constant_token(self):
        self.check("epsilon", "flat", ((5, 5, 5),), [0, 0, 0], {"nan": [math.nan] * 3, "ones": [1, 1, 1]})


if __name__ == "__main__":
    unittest.main()
