"""The curriculum's figures in the lesson which-axis."""

import itertools
import re
import unittest

from figures import Figures, row, show
from questions import flat


BUGS = {"batch", "token", "batch-token", "token-feature", "all"}


def movers(frame):
    """(sample, token) whose output it is, and those that move it, by the leak table."""
    (own,) = re.findall(r"who moves token \((\d), (\d)\)", frame)
    rows = re.findall(r"sample (\d) ((?: *\[?[■·▣◆]\]?){3})", frame)
    signs = {(int(sample), token): sign for sample, line in rows for token, sign in enumerate(re.findall("[■·▣◆]", line), 1)}
    return tuple(map(int, own)), {place for place, sign in signs.items() if sign in "▣◆"}


class WhichAxis(Figures):
    def test_the_experiment(self):
        for over in BUGS | {"feature"}:
            for seed in "1", "2", "3":
                difference = row(show("which-axis", "experiment", "--seed", seed, "--set", "over=" + over), "difference")
                self.assertEqual(difference == [0, 0, 0], over == "feature", over)

    def test_two_tests_and_what_they_see(self):
        seen = {"feature": (0, 0), "token": (0, 1), "token-feature": (0, 1), "batch": (1, 0), "batch-token": (1, 1), "all": (1, 1)}
        for over, moves in seen.items():
            with self.subTest(over=over):
                frame = show("which-axis", "token-bug", "--answer", "token", "--set", "over=" + over)
                by_samples, by_token = row(frame, "other samples exchanged"), row(frame, "the next token exchanged")
                self.assertEqual((by_samples[0] > 0, by_token[0] > 0), tuple(map(bool, moves)))
                features = 3 if over in ("token-feature", "all") else 1
                self.assertEqual([by_samples[1:], by_token[1:]], [[moved * features, 3] for moved in moves])
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

    def test_another_order_and_everything_times_ten_clear_nothing(self):
        for seed in "1", "2", "3":
            frame = show("which-axis", "which-test", "--seed", seed, "--answer", "token")
            self.assertIn("Right.", frame)
            was, *tests = [row(frame, name) for name in ("as it was", "the samples in reverse order", "the whole tensor times 10")]
            self.assertEqual(tests, [was, was])
            self.assertNotEqual(row(frame, "the first token times 10"), was)

    def test_only_an_earlier_token_moves_it(self):
        for seed in itertools.count():
            frame = flat(show("which-axis", "name-it", "--seed", str(seed), "--answer", "so-far"))
            if "Right." in frame:
                for what, moved in ("other samples", False), ("a later token", False), ("an earlier token", True):
                    self.assertIn(what + " changed " + ("✗ fails moves by" if moved else "✓ passes stays stays"), frame)
                return

    def test_what_moves_a_token_in_a_causal_model(self):
        for seed in "1", "2", "3":
            for token in 1, 2, 3:
                (sample, own), moving = movers(show("which-axis", "causal", "--seed", seed, "--set", f"token={token}"))
                self.assertEqual((own, moving), (token, {(sample, earlier) for earlier in range(1, token)}))
                frame = show("which-axis", "leak", "--seed", seed, "--answer", "later", "--set", f"token={token}")
                self.assertIn("Right.", frame)
                (sample, own), moving = movers(frame)
                self.assertEqual(moving, {(sample, other) for other in (1, 2, 3) if other != token})

    def test_what_a_learner_begins_with(self):
        begun = set()
        for seed in range(200):
            frame = show("which-axis", "mend", "--seed", str(seed))
            (over,) = re.findall(r"local over = \{ (.*) \}", frame)
            names = over.replace('"', "").replace(", ", "-")
            begun.add("all" if names == "batch-token-feature" else names)
            self.assertIn("✗ fails", frame)
            if begun == BUGS:
                return
        self.fail(f"never {BUGS - begun}")


if __name__ == "__main__":
    unittest.main()
