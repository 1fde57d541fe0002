"""The curriculum's figures in the lesson scale-bias."""

import unittest

from figures import Figures, row, show

NORMALIZED = [-1.4, -0.2, 0.2, 1.4]


class ScaleBias(Figures):
    def test_one_scale_and_one_bias_for_all(self):
        frame = show("scale-bias", "sliders", "--set", "scale=2", "--set", "bias=1")
        self.assertEqual(row(frame, "x"), [1, 7, 9, 15])
        self.assert_close(row(frame, "normalized"), NORMALIZED)
        self.assert_close(row(frame, "output"), [-1.8, 0.6, 1.4, 3.8])
        self.assertEqual((row(frame, "its mean"), row(frame, "its deviation")), ([1], [2]))

    def test_by_hand(self):
        self.check("scale-bias", "vector", (2, 1, (1, 7, 9, 15)), [-1.8, 0.6, 1.4, 3.8], {
            "before": [-0.4, 0.8, 1.2, 2.4], "bias-first": [-0.8, 1.6, 2.4, 4.8], "sign": [3.8, 1.4, 0.6, -1.8],
        })

    def test_with_deviation_and_mean_x_is_back(self):
        frame = show("scale-bias", "sliders", "--set", "scale=5", "--set", "bias=8")
        self.assert_close(row(frame, "output"), row(frame, "x"))

    def test_the_mean_with_unequal_scales(self):
        self.check("scale-bias", "mean", (tuple(NORMALIZED), (0.5, 1, 2, 4), (0, 0, 0, 1)), 1.525, {"bias": 0.25, "zero": 0})

    def test_mean_and_deviation(self):
        for seed in range(300):
            frame = show("scale-bias", "moments", "--seed", str(seed), "--answer", "1, 2")
            if "The scale is 2 and the bias 1, for" in frame:
                self.assertIn("Right.", frame)
                return
        self.fail("scale 2 and bias 1 are never asked about")

    def test_training_leaves_one_and_zero(self):
        before = show("scale-bias", "curve", "--seed", "3")
        self.assertEqual((row(before, "scale"), row(before, "bias")), ([1] * 4, [0] * 4))
        after = show("scale-bias", "trained", "--seed", "3", "--answer", "both")
        self.assertGreater(abs(row(after, "mean")[0]), 0.2)
        self.assertGreater(abs(row(after, "variance")[0] - 1), 0.5)


if __name__ == "__main__":
    unittest.main()
