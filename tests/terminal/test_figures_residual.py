"""The curriculum's figures in the lesson residual."""

import re
import unittest

from figures import Figures, row, show
from questions import flat


class Residual(Figures):
    def test_shapes(self):
        self.check("residual", "narrow", ((2, 3, 4), (2, 3, 3)), "error", {"filled": "(2, 3, 4)"})
        self.check("residual", "single", ((2, 3, 4), (2, 3, 1)), "(2, 3, 4)", {"error": "error"})
        for update, u, total in (("narrow", "(2, 3, 3)", "error"), ("one", "(2, 3, 1)", "(2, 3, 4)")):
            frame = show("residual", "shapes", "--set", "update=" + update)
            self.assertRegex(frame, r" update +" + re.escape(u))
            self.assertRegex(frame, r"x \+ update +" + re.escape(total))

    def test_dropout_on_the_update(self):
        frame = show("residual", "by-hand")
        self.assertEqual(row(frame, "p")[0], 0.5)
        for label, values in (("x", [1, 2, 3, 4]), ("update", [0.5, -0.5, 1, 0]), ("mask (1: kept)", [1, 0, 0, 0]), ("x + that", [2, 2, 3, 4])):
            self.assertRegex(frame, r"[│ ] " + re.escape(label) + r" +\[" + ", ".join(rf"{value:g}(\.0+)?" for value in values) + r"\]")

    def test_a_sublayer_that_returns_nothing(self):
        frame = show("residual", "stream", "--set", "off=1", "--set", "cursor.layer=1")
        self.assertEqual(row(frame, "before"), row(frame, "after"))
        self.assertEqual(set(row(frame, "update")), {0})
        for seed in ("1", "2", "3"):
            frame = show("residual", "silent", "--seed", seed, "--answer", "others", "--set", "silent=on")
            self.assertIn("Right.", frame)
            (layer,) = (int(found) for found in re.findall(r"Layer (\d) breaks", flat(frame)))
            skips, plain = row(frame, "x + F(x)"), row(frame, "F(x)")
            self.assertEqual(skips[layer], skips[layer - 1])
            self.assertEqual(plain[layer:], [0] * (7 - layer))


if __name__ == "__main__":
    unittest.main()
