"""The curriculum's figures in the lesson normalize."""

import math
import re
import unittest

from arithmetic import centred, divided, std, unbiased, var
from figures import Figures, row, show

BY_HAND, BY_HAND_NORMALIZED = (1, 3, 5, 9, 12), [-1.25, -0.75, -0.25, 0.75, 1.5]


class Normalize(Figures):
    def test_the_page_s_own_row(self):
        frame = show("normalize", "columns")
        self.assert_close([row(frame, name)[-1] for name in ("x1", "x2", "x3")], [-1.225, 0, 1.225])

    def test_the_variance_by_hand(self):
        self.check("normalize", "variance", (BY_HAND,), 16, {"unbiased": 20, "deviation": 4, "sum": 80, "uncentred": 52})

    def test_the_row_by_hand(self):
        c, v = centred(BY_HAND), var(BY_HAND)
        self.check("normalize", "vector", (BY_HAND,), BY_HAND_NORMALIZED, {
            "unbiased": divided(c, math.sqrt(unbiased(BY_HAND))), "no-root": divided(c, v), "uncentred": divided(BY_HAND, std(BY_HAND)),
            "sign": [-value for value in BY_HAND_NORMALIZED],
        })

    def test_the_largest_of_four(self):
        frame = show("normalize", "far", "--answer", "limit", "--set", "far=1e6")
        (shown,) = re.findall(r"-0\.577, -0\.577, -0\.577, ([\d.]+)\]", frame)
        self.assert_close([float(shown)], [math.sqrt(3)])
        self.assertIn("Right.", frame)


if __name__ == "__main__":
    unittest.main()
