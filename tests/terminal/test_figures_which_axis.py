"""The curriculum's figures in the lesson which-axis."""

import itertools
import re
import unittest

from figures import Figures, row, show
from questions import flat


class WhichAxis(Figures):
    def test_two_tests_and_what_they_see(self):
        seen = {"feature": (0, 0), "token": (0, 1), "token-feature": (0, 1), "batch": (1, 0), "batch-token": (1, 1), "all": (1, 1)}
        for over, moves in seen.items():
            with self.subTest(over=over):
                frame = show("which-axis", "one-thing", "--set", "over=" + over)
                (samples,), (token,) = row(frame, "other samples exchanged"), row(frame, "the next token exchanged")
                self.assertEqual((samples > 0, token > 0), tuple(map(bool, moves)))
                (line,) = re.findall(r"samples: " + ("moves" if moves[0] else "stays") + r"  +(\S.*?)  +(\S.*)", frame)
                name = over.replace("-", ", ")
                self.assertEqual(tuple(map(str.strip, line)), ("-", name) if moves[1] else (name, "-"))

    def test_another_sample_moves_it_a_later_token_does_not(self):
        for seed in itertools.count():
            frame = flat(show("which-axis", "name-it", "--seed", str(seed), "--answer", "batch"))
            if re.search(r"other samples changed ✗ fails moves by [\d.]+ stays", frame) and "a later token changed ✓ passes stays" in frame:
                self.assertIn("Right.", frame)
                return
            self.assertNotIn("Right.", frame)

    def test_another_order_clears_nothing(self):
        frame = show("which-axis", "order", "--answer", "nothing")
        self.assertIn("Right.", frame)
        self.assertEqual(row(frame, "difference"), [0, 0, 0])
        moved = show("which-axis", "experiment", "--set", "over=batch")
        self.assertNotEqual(row(moved, "difference"), [0, 0, 0])


if __name__ == "__main__":
    unittest.main()
