"""The curriculum's figures in the lesson batch-norm."""

import unittest

from figures import Figures, row, show


class BatchNorm(Figures):
    def test_one_sample_in_many_batches(self):
        """The figures are those of very many draws; the lesson makes some hundreds."""
        for size, spread in ((2, 0.73), (8, 0.41), (32, 0.22), (256, 0.08)):
            frame = show("batch-norm", "spread", "--seed", "3", "--answer", "falls", "--set", f"batch={size}")
            self.assertAlmostEqual(row(frame, "batch norm")[3] / spread, 1, delta=0.1, msg=f"a batch of {size}")
            own = row(frame, "layer norm")
            self.assertEqual((own[0], own[0], 0), (own[1], own[2], own[3]))

    def test_a_batch_of_one(self):
        frame = show("batch-norm", "alone", "--answer", "zeros")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "batch norm"), [0, 0, 0, 0])
        self.assertNotEqual(row(frame, "layer norm"), [0, 0, 0, 0])

    def test_the_running_variance(self):
        self.check("batch-norm", "stored", (6, 4, 1, 0.1), 1.38, {
            "biased": 1.3, "turned": 4.42, "turned-biased": 3.7, "batch": 4.8, "given": 4,
        })

    def test_what_is_stored_comes_near_the_batches(self):
        start, end = (show("batch-norm", "running", "--set", f"batches={n}") for n in (0, 40))
        self.assertEqual(row(start, "evaluation: running")[:2], [0, 1])
        mean, variance, _ = row(end, "evaluation: running")
        self.assertTrue(2.5 < mean < 3.8 and 2.5 < variance < 6, (mean, variance))
        self.assertEqual(row(start, "layer norm, in both"), row(end, "layer norm, in both"))
        last = show("batch-norm", "running", "--set", "batches=40", "--set", "momentum=1")
        self.assertEqual(row(last, "evaluation: running")[0], row(last, "training: this batch")[0])

    def test_evaluation_uses_the_current_input(self):
        self.assertIn("Right.", show("batch-norm", "evaluation", "--answer", "current"))
        self.assertIn("Right.", show("batch-norm", "small", "--answer", "other"))

    def test_gradients_of_small_batches(self):
        by_size = {size: row(show("batch-norm", "few", "--set", f"size={size}"), "gradient") for size in (1, 2, 4, 8, 16)}
        for size, (*_, mean, spread, times) in by_size.items():
            self.assertAlmostEqual(mean, by_size[1][3], delta=0.002)
            self.assertAlmostEqual(spread * size ** 0.5, times, delta=0.01)
            self.assertAlmostEqual(times / by_size[1][5], 1, delta=0.1)


if __name__ == "__main__":
    unittest.main()
