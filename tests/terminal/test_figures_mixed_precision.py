"""The curriculum's figures in the lesson mixed-precision."""

import itertools
import re
import unittest

from figures import Figures, row, show
from questions import flat, numbers

LOUD = [300, 100, -200, 50]


class MixedPrecision(Figures):
    def test_ones_in_float16(self):
        frame = show("mixed-precision", "adding")
        self.assertEqual(row(frame, "n")[0], 4096)
        self.assertEqual(row(frame, "sum"), [4096, 2048, 256])
        self.assertEqual(row(frame, "mean"), [1, 0.5, 0.0625])
        self.check("mixed-precision", "sum", (4096, 11, 1), 2048, {"exact": 4096})

    def test_a_tiny_epsilon(self):
        frame = show("mixed-precision", "tiny", "--answer", "nan")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "ε")[:2], [1e-8, 0])
        self.assertRegex(frame, r"normalized +\[0, 0, 0\] +\[nan, nan, nan\] +\[0, 0, 0\]")
        bits = show("mixed-precision", "bits", "--set", "cursor.feature=4")
        self.assertRegex(bits, r"float16 +0 +-1e-8 +0 00000 0000000000")

    def test_one_pass_in_float32(self):
        frame = show("mixed-precision", "variance")
        self.assertEqual([row(frame, name)[0] for name in ("m", "exact", "one-pass", "two-pass", "welford")], [40000, 1.25, -128, 1.25, 1.25])
        x = (40000, 40001, 40002, 40003)
        self.check("mixed-precision", "one-pass", (x, 1600119936, 1600120002.25), -128, {"exact": 1.25, "fused": -66.25})
        self.assertIn("it would be -66.25 or 61.75", self.ask("mixed-precision", "one-pass", x, 1600119936, 1600120002.25)(-128))

    def test_rms_norm_in_float16(self):
        for seed in itertools.count():
            frame = show("mixed-precision", "squares", "--seed", str(seed), "--answer", "zeros")
            if numbers(re.search(r"x is (\[.*?\])", flat(frame))[1]) == LOUD:
                break
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "RMSNorm"), [0] * 4)
        wide = show("mixed-precision", "squares", "--seed", str(seed), "--answer", "zeros", "--set", "type=float32")
        self.assert_close(row(wide, "RMSNorm"), [1.589, 0.530, -1.060, 0.265])


if __name__ == "__main__":
    unittest.main()
