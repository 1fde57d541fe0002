"""The curriculum's figures in the lesson post-or-pre."""

import itertools
import unittest

from figures import Figures, row, show

BY_HAND = (1, 7, 9, 15)


class PostOrPre(Figures):
    def test_both_orders_side_by_side(self):
        post, pre = [-1 / 3, -1, 5 / 3, -1 / 3], [-0.6, 5.8, 10.6, 13.8]
        for order, wanted in (("post", post), ("pre", pre)):
            frame = show("post-or-pre", "two-orders", "--set", "order=" + order)
            rows = [row(frame, name) for name in ("x1", "x2", "x3", "x4")]
            self.assertEqual([numbers[0] for numbers in rows], list(BY_HAND))
            self.assert_close([numbers[-1] for numbers in rows], wanted)

    def test_post_norm_by_hand(self):
        self.check("post-or-pre", "post", (BY_HAND,), [-1 / 3, -1, 5 / 3, -1 / 3], {
            "pre": [-0.6, 5.8, 10.6, 13.8], "no-skip": [0.2425, -0.8893, 1.5361, -0.8893],
        })

    def test_pre_norm_by_hand(self):
        self.check("post-or-pre", "pre", (BY_HAND,), [-0.6, 5.8, 10.6, 13.8], {
            "skip-normed": [-3, -1.4, 1.8, 0.2], "output-norm": [1.2425, 6.1107, 10.5361, 14.1107], "post": [-1 / 3, -1, 5 / 3, -1 / 3],
        })

    def test_a_constant_is_erased_or_kept(self):
        for seed in itertools.count():
            frame = show("post-or-pre", "constant", "--seed", str(seed), "--answer", "pre")
            if row(frame, "x") == list(BY_HAND):
                break
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "F"), [10] * 4)
        self.assert_close(row(frame, "post-norm"), [-1.4, -0.2, 0.2, 1.4])
        self.assertEqual(row(frame, "pre-norm"), [11, 17, 19, 25])


if __name__ == "__main__":
    unittest.main()
