"""The curriculum's figures in the lesson axis."""

import re
import unittest

from arithmetic import shape
from figures import Figures, row, show
from questions import flat


class Axis(Figures):
    def test_how_many_share_a_mean(self):
        for over, means, kept in (("feature", 6, (2, 3, 1)), ("batch-token", 4, (1, 1, 4)), ("batch", 12, (1, 3, 4)), ("token", 8, (2, 1, 4)),
                                  ("token-feature", 2, (2, 1, 1)), ("all", 1, (1, 1, 1))):
            with self.subTest(over=over):
                frame = show("axis", "three-axes", "--set", "over=" + over)
                self.assertRegex(frame, re.escape(shape(*kept)) + rf" +{means} ")
                self.assertEqual(frame.count("‹") + 1, 24 // means + frame.count("‹ "), "how many are lit")

    def test_the_number_of_means(self):
        self.check("axis", "count", ((2, 3, 4),), 6, {
            "batch-token": 4, "batch": 12, "token": 8, "samples": 2, "one": 1, "positions": 3, "every": 24,
        })

    def test_their_shape(self):
        self.check("axis", "kept", ((2, 3, 4),), "(2, 3, 1)", {"dropped": "(2, 3)", "feature": "(4,)", "batch-token": "(1, 1, 4)"})
        self.assertIn("x, (2, 3, 4), has means of the shape (2, 3, 1).", flat(show("axis", "kept", "--give-up")))

    def test_what_is_learned(self):
        self.check("axis", "parameters", ((2, 3, 4),), 8, {"one": 4, "tokens": 24, "every": 48})
        self.assertIn("x of shape (2, 3, 4) needs 8.", flat(show("axis", "parameters", "--give-up")))

    def test_tokens_first(self):
        frame = show("axis", "layout", "--answer", "no")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "difference"), [0, 0, 0, 0])


if __name__ == "__main__":
    unittest.main()
