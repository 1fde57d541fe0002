"""The curriculum's figures in the lesson gradient-paths."""

import math
import re
import unittest

from figures import Figures, row, show
from questions import flat

SEEDS = [str(seed) for seed in range(1, 9)]


class GradientPaths(Figures):
    def test_fifty_layers_without_skips(self):
        self.check("gradient-paths", "plain", (50, 0.9), 0.00515, {"added": 45})
        for seed in SEEDS:
            found = row(show("gradient-paths", "back", "--seed", seed), "gradient")
            self.assert_close(found[2:], [1, 0.9 ** 50])
            self.assertTrue(0.0005 < found[0] < 0.02, found)

    def test_three_stacks(self):
        """Random matrices: the middle of eight runs, and what none of them leaves."""
        at_x = {"F(x)": [], "x + F(x)": [], "x + F(x)/√L": []}
        for seed in SEEDS:
            frame = show("gradient-paths", "three", "--seed", seed)
            for stack, found in at_x.items():
                found.append(row(frame, stack)[0])
        for stack, (low, wanted, high) in {"F(x)": (0.0005, 0.9 ** 50, 0.02), "x + F(x)": (3e5, 1.81 ** 25, 1.5e7),
                                           "x + F(x)/√L": (1, (1 + 0.81 / 50) ** 25, 2)}.items():
            found = sorted(at_x[stack])
            self.assertTrue(low < found[0] and found[-1] < high, (stack, found))
            self.assertTrue(0.4 < math.sqrt(found[3] * found[4]) / wanted < 2, (stack, found))

    def test_skips_alone_do_not_keep_a_size(self):
        for seed in SEEDS[:3]:
            frame = show("gradient-paths", "guess", "--seed", seed, "--answer", "grows")
            self.assertIn("Right.", frame)
            self.assertGreater(row(frame, "gradient")[0], 1e5)
            found = re.search(r"1\.81\^25 = (\S+); .* 1\.9\^50 = ([\d.e]+)\.", flat(frame))
            self.assert_close([float(found[1]), float(found[2])], [1.81 ** 25, 1.9 ** 50])

    def test_a_branch_less_kills_a_plain_gradient_alone(self):
        frame = show("gradient-paths", "three", "--set", "off=20")
        self.assertEqual(row(frame, "F(x)")[0], 0)
        self.assertGreater(row(frame, "x + F(x)")[0], 1e5)
        self.assertGreater(row(frame, "x + F(x)/√L")[0], 1)

    def test_paths(self):
        self.check("gradient-paths", "pairs", (54,), 1431, {"one": 54, "all": 2.0 ** 54})
        self.assert_close(row(show("gradient-paths", "delete"), "paths"), [2.0 ** 54])
        frame = show("gradient-paths", "delete", "--answer", "half")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "share of the paths"), [0.5])
        self.assertIn("share of the layers", flat(show("gradient-paths", "delete", "--answer", "layers")))

    def test_their_lengths(self):
        frame = show("gradient-paths", "length", "--answer", "short")
        self.assertIn("Right.", frame)
        self.assert_close(row(frame, "sublayers on average"), [27, 54 * 0.256 / 1.256])
        self.assertEqual(row(show("gradient-paths", "length"), "sublayers on average"), [27, 27])


if __name__ == "__main__":
    unittest.main()
