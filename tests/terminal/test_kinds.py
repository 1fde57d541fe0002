"""Options that are picked, pieces that are put in order, stages, all the digits of a number, and a pasted answer."""

import re
import unittest

from talk import Plain
from terminal import BACKSPACE, DOWN, ENTER, ESC, ROOT, TAB, UP
from test_learner import Base

KINDS = ROOT + "/tests/screens/lessons/kinds.lua"
SEED = "3"  # of the golden screens: 1 squares, 2 mean, 3 softmax, 4 subtract, 5 root
SQUARES, MEAN, SOFTMAX, SUBTRACT, ROOT_PIECE = "12345"
ORDER_LINES = ("take the mean of the squares", "take the mean, 8", "make the features sum to 1", "subtract it", "divide by")


def order_shown(screen):
    """The numbers of the pieces that are in the order, and of the others."""
    lines = screen.lines
    try:
        start = next(i for i, line in enumerate(lines) if "In order, from the first on:" in line)
    except StopIteration:
        return None
    used, rest, into = [], [], None
    into = used
    for line in lines[start + 1:]:
        found = re.match(r"  [› ↕] ?(\d)  \S", line)
        if "Not used:" in line:
            into = rest
        elif found:
            into.append(found[1])
        elif not re.match(r"  {6,}", line):
            break
    return "".join(used), "".join(rest)


class Kinds(Base, unittest.TestCase):
    def at_kind(self, step, lesson=KINDS):
        screen = self.open("play", lesson, "--step", step, "--seed", SEED)
        screen.wait("step ", " of ", " help", "Esc ")
        return screen

    def see_order(self, screen, used, rest):
        screen.until(lambda text: order_shown(screen) == (used, rest), f"the order {used} and {rest} left")

    def test_space_puts_pieces_in_one_after_the_other(self):
        screen = self.at_kind("steps")
        self.see_order(screen, "", "12345")
        screen.wait("nothing yet", "Space put it in")
        screen.send(" ")
        self.see_order(screen, "1", "2345")
        screen.send(" ", " ")
        self.see_order(screen, "123", "45")
        screen.send(ENTER)
        screen.wait("The first piece is not \"take the mean of the squares\".")
        self.leave(screen)

    def test_a_piece_is_taken_up_and_carried(self):
        screen = self.at_kind("steps")
        screen.send(SQUARES, MEAN, SUBTRACT)
        self.see_order(screen, "124", "35")
        screen.send(UP, UP)  # from 4 to the first, 1
        screen.wait("› 1", "Space take it up")
        screen.send(" ")
        screen.wait("↕ 1", "carry it", "Space set it down")
        screen.send(DOWN)
        self.see_order(screen, "214", "35")
        screen.send(DOWN)
        self.see_order(screen, "241", "35")
        screen.send(" ")
        screen.wait("› 1", "Space take it up")
        screen.send(DOWN, DOWN)  # past 3 to 5
        screen.wait("› 5", "Space put it in")
        screen.send(" ", ENTER)
        screen.wait("✓ Right.")
        self.assertIn("In order", screen.text)
        self.leave(screen)

    def test_a_piece_carried_past_the_end_is_out_again(self):
        screen = self.at_kind("steps")
        screen.send(SOFTMAX, MEAN)
        self.see_order(screen, "32", "145")
        screen.send(" ")
        screen.wait("↕ 2")
        screen.send(DOWN)
        self.see_order(screen, "3", "1245")
        screen.send(BACKSPACE)
        self.see_order(screen, "", "12345")
        screen.send(ENTER)
        screen.wait_notice("Pick something first")
        screen.send(SUBTRACT, SUBTRACT)
        self.see_order(screen, "", "12345")
        screen.send(SUBTRACT, " ")
        screen.wait("↕ 4")
        screen.send(ESC)  # sets it down, and no more
        screen.wait("› 4")
        self.see_order(screen, "4", "1235")
        self.leave(screen)

    def test_the_last_order_lies_there_again(self):
        screen = self.at_kind("steps")
        screen.send(SQUARES, ROOT_PIECE, ENTER)
        screen.wait("Nothing is centred: that is RMSNorm.")
        self.leave(screen)
        screen = self.open("play", KINDS)
        screen.wait("Nothing is centred: that is RMSNorm.")
        self.see_order(screen, "15", "234")
        screen.send("h")
        screen.wait("Where is the middle?")
        screen.send("n")
        self.see_order(screen, "", "12345")
        self.leave(screen)

    def test_several_are_picked_and_taken_back(self):
        screen = self.at_kind("several")
        screen.wait("› 1 □", "Space pick")
        screen.send(" ")
        screen.wait("› 1 ■", "Space not this")
        screen.send("4", ENTER)
        screen.wait("  4 ■", "✓ Right.", "You said: the shape of [1, 7, 9, 15]; which feature is the largest.")
        self.leave(screen)
        screen = self.open("play", KINDS)
        screen.wait("✓ Right.")
        self.leave(screen)

    def test_several_say_what_is_missing_or_too_much(self):
        screen = self.at_kind("several")
        screen.send(ENTER)
        screen.wait_notice("Pick something first")
        screen.send("1", ENTER)
        screen.wait("One more is right.")
        screen.send(ENTER)
        screen.wait_notice("just judged")
        screen.send("2", ENTER)
        screen.wait("The mean becomes 0.")
        screen.send("2", DOWN, " ", ENTER)
        screen.wait("› 3 ■", "The deviation becomes 1.")
        screen.send(" ", "4", ENTER)
        screen.wait("✓ Right.")
        self.leave(screen)

    def test_an_order_may_be_predicted(self):
        screen = self.at_kind("guess")
        screen.wait("How sure?", "put it in")
        self.assertNotIn("x1", screen.text)
        screen.send("2", "3", "1", "\x1bOC", ENTER)
        screen.wait("(certain)", "✓ Right.", "x1")
        self.leave(screen)

    def test_stages_are_played_and_stepped(self):
        screen = self.at_kind("block")
        screen.wait("LN(x + F(x))", "-0.333")
        screen.send(".")
        screen.until(lambda text: "153" not in text, "the first stage alone")
        screen.send(".")
        screen.until(lambda text: "153" in text and "144" not in text, "two stages")
        screen.send(",")
        screen.until(lambda text: "153" not in text, "the first stage again")
        screen.send(" ")  # plays to the end
        screen.until(lambda text: "153" in text and "144" not in text, "two stages, played")
        screen.until(lambda text: "-0.333" in text, "the last stage")
        self.leave(screen)

    def test_all_the_digits(self):
        screen = self.at_kind("block")
        screen.send("=")
        screen.wait_notice("1 of 4", "x1, x: 1")
        screen.send("=", "=", "=")
        screen.wait_notice("4 of 4", "x1, LN(x + F(x)): -0.3333333", "exactly -0.3333333")
        screen.send(TAB, DOWN)
        screen.wait("▸ x2")
        screen.send("=")
        screen.wait_notice("1 of 4", "x2, x: 7")
        self.leave(screen)
        screen = self.at_kind("several")
        screen.send("=")
        screen.wait_notice("There is no number under the cursor.")
        self.leave(screen)

    def test_a_row_is_pasted_as_lines(self):
        screen = self.at_kind("pre", "post-or-pre")
        screen.wait("x = [9, 15, 7, 1]")
        screen.send("\x1b[200~[10.6,\r\n 13.8,\r\n 5.4,\r\n 2.2]\r\n\x1b[201~")
        screen.wait("2.2]")
        self.assertNotIn("✓", screen.text)
        screen.send(ENTER)
        screen.wait("✓ Right.")
        self.leave(screen)


class Wide(Kinds):
    columns, rows = 120, 32

    test_a_row_is_pasted_as_lines = None  # the text and its wrapping are the same


class PlainKinds(unittest.TestCase):
    def test_options_by_their_words(self):
        with Plain(("play", KINDS, "--plain", "--seed", SEED)) as tutor:
            self.assertIn("it did not count", tutor.say("answer the shape, the weather"))
            self.assertIn("One more is right.", tutor.say("Which feature is the largest."))
            self.assertIn("Right.", tutor.say("answer which feature is the largest, the shape of [1, 7, 9, 15]"))
            tutor.say("next")
            self.assertIn("Nothing is centred", tutor.say("take the mean of the squares; divide by sqrt(that + eps)"))
            self.assertIn("Right.", tutor.say("take the mean, 8, subtract it, take the mean of the squares, divide by √(that + ε)"))

    def test_in_plain_lines(self):
        with Plain(("play", KINDS, "--plain", "--seed", SEED)) as tutor:
            self.assertIn("Expected: all that are right.", tutor.all.decode())
            self.assertIn("One more is right.", tutor.say("answer 1"))
            self.assertIn("The mean becomes 0.", tutor.say("1 2"))
            self.assertIn("Right.", tutor.say("answer 1, 4"))
            tutor.say("next")
            self.assertIn("Nothing is centred", tutor.say("answer 1 5"))
            self.assertIn("it did not count", tutor.say("answer 2 2"))
            self.assertIn("just judged", tutor.say("2 2"))
            self.assertIn("two neighbours", tutor.say("2 4 5 1"))
            self.assertIn("Right.", tutor.say("mean centre var root"))
            tutor.say("next")
            tutor.say("next")
            self.assertRegex(tutor.say("exact"), r"x1, LN\(x \+ F\(x\)\): -0\.3333333\d*, exactly -0\.3333333\d{10}")
            self.assertIn("F(x) 8.", tutor.say("stage 2"))
            self.assertIn("x + F(LN(x)) -0.6", tutor.say("stage 0") + tutor.say("order pre"))
            self.assertIn("stage N", tutor.say("help"))
            status, _, errors = tutor.end()
            self.assertEqual((status, errors), (0, ""))


if __name__ == "__main__":
    unittest.main()
