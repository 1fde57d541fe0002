"""The curriculum's figures in the lesson rms-norm."""

import re
import unittest

from figures import SEEDS, Figures, row, show

BY_RMS = [0.4629, 0.9258, 1.3887]


class RmsNorm(Figures):
    def test_the_root_mean_square(self):
        self.check("rms-norm", "rms", ((1, 2, 3),), 2.160, {"deviation": 0.816, "length": 3.742, "no-root": 4.667})

    def test_the_row(self):
        frame = show("rms-norm", "columns")
        self.assert_close(row(frame, "layer norm"), [-1.2247, 0, 1.2247])
        self.check("rms-norm", "vector", ((1, 2, 3),), BY_RMS, {"layer": [-1.2247, 0, 1.2247], "length": [0.2673, 0.5345, 0.8018]})

    def test_a_hundred_more(self):
        for seed in map(str, range(SEEDS)):
            if "each number of [1, 2, 3]" in show("rms-norm", "shift", "--seed", seed):
                break
        before, after = show("rms-norm", "shift", "--seed", seed), show("rms-norm", "shift", "--seed", seed, "--answer", "ones", "--set", "shift=100")
        self.assertIn("Right.", after)
        self.assert_close(row(before, "RMSNorm"), BY_RMS)
        self.assert_close(row(after, "RMSNorm"), [0.990, 1.000, 1.010])
        self.assert_close(row(after, "layer norm"), row(before, "layer norm"))

    def test_equal_where_the_mean_is_zero(self):
        for seed in ("1", "2", "3", "4"):
            mean = float(re.search(r"\]  +(-?\d+) ", show("rms-norm", "meet", "--seed", seed))[1])
            frame = show("rms-norm", "meet", "--seed", seed, "--set", f"shift={-mean:g}")
            self.assertEqual(row(frame, "layer norm"), row(frame, "RMSNorm"))
            self.assertNotEqual(row(show("rms-norm", "meet", "--seed", seed, "--set", "shift=20"), "difference"), [0, 0, 0, 0])


if __name__ == "__main__":
    unittest.main()
