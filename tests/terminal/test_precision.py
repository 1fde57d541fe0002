"""view.precision beside Python's own conversions: bits of a number in each type, variances rounded at every operation."""

import math
import os
import re
import struct
import tempfile
import unittest

from talk import Plain, tutor

NUMBERS = [1.0, -0.1, 65504.0, 65519.0, 65520.0, 1e-8, 6e-8, 6.1e-5, 5e-324, 3.14159274, -2.0 ** -24, 1e38, 3.3e38, 2049.0, 2051.0, 1e-40, 0.0]
NUMBER = r"(-?[\d.]+(?:e-?\d+)?|-?inf|nan)"


def nearest(kind, value):
    """Its nearest in the type, ties to even, and its bits: by Python's struct; bfloat16 by float32's bits."""
    if kind == "float16":
        try:
            raw = struct.pack(">e", value)
        except OverflowError:
            raw = struct.pack(">e", math.copysign(math.inf, value))
        return struct.unpack(">e", raw)[0], f"{int.from_bytes(raw, 'big'):016b}", (1, 6)
    try:
        raw = struct.pack(">f", value)
    except OverflowError:
        raw = struct.pack(">f", math.copysign(math.inf, value))
    if kind == "float32":
        return struct.unpack(">f", raw)[0], f"{int.from_bytes(raw, 'big'):032b}", (1, 9)
    whole = int.from_bytes(raw, "big")
    upper = (whole + 0x7FFF + (whole >> 16 & 1)) >> 16
    return struct.unpack(">f", (upper << 16).to_bytes(4, "big"))[0], f"{upper:016b}", (1, 9)


def round_to(kind):
    return lambda value: value if math.isnan(value) else nearest(kind, value)[0]


def one_pass(r, x):
    total = squares = 0.0
    for value in map(r, x):
        total, squares = r(total + value), r(squares + r(value * value))
    mean = r(total / r(len(x)))
    return r(r(squares / r(len(x))) - r(mean * mean))


def two_pass(r, x):
    total = squares = 0.0
    for value in map(r, x):
        total = r(total + value)
    mean = r(total / r(len(x)))
    for value in map(r, x):
        squares = r(squares + r(r(value - mean) * r(value - mean)))
    return r(squares / r(len(x)))


class Precision(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normtutor-precision.")
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def show(self, row, *arguments, fields=""):
        path = os.path.join(self.home, "bits.lua")
        with open(path, "w") as file:
            file.write(f'return lesson "bits" {{ format = 1, title = "Bits", step "s" {{ text = "t",\n'
                       f'show = view.precision {{ "{{ {", ".join(map(repr, row))} }}"{fields} }} }} }}\n')
        return tutor("show", path, "--size", "100x30", *arguments, home=self.home)

    def test_bits(self):
        for number in NUMBERS:
            number = nearest("float32", number)[0]
            shown = self.show([number]).stdout
            for kind in ("float32", "float16", "bfloat16"):
                with self.subTest(number=number, kind=kind):
                    stored, bits, (first, second) = nearest(kind, number)
                    found = re.search(kind + r" +" + NUMBER + " +" + NUMBER + r" +([01] [01]+ [01]+)", shown)
                    self.assertIsNotNone(found, shown)
                    self.assertEqual(found[3], f"{bits[:first]} {bits[first:second]} {bits[second:]}")
                    self.assertEqual(nearest("float32", float(found[1]))[0], stored)
                    off = 0.0 if stored == number else stored - number
                    self.assertTrue(float(found[2]) == off or abs(float(found[2]) - off) <= 6e-4 * abs(off), found[0])

    def test_variances(self):
        for row in ([40000, 40001, 40002, 40003], [300, 100, -200, 50], [1, 2, 4, 8, 16], [0.001, 0.002, 0.004], [1] * 40 + [3] * 40):
            shown = self.show(row).stdout
            mean = sum(row) / len(row)
            exact = sum((value - mean) ** 2 for value in row) / len(row)
            self.assertAlmostEqual(float(re.search("exact +" + NUMBER, shown)[1]), exact, delta=6e-4 * exact)
            for name, method in (("one-pass", one_pass), ("two-pass", two_pass)):
                found = re.search(name + (" +" + NUMBER) * 6, shown)
                self.assertIsNotNone(found, shown)
                for i, kind in enumerate(("float32", "float16", "bfloat16")):
                    with self.subTest(row=row[:5], method=name, kind=kind):
                        want = method(round_to(kind), [float(value) for value in row])
                        got, off = float(found[2 * i + 1]), float(found[2 * i + 2])
                        if math.isnan(want) or math.isinf(want):
                            self.assertEqual(repr(got), repr(want))
                            continue
                        self.assertAlmostEqual(got, want, delta=6e-4 * abs(want))
                        self.assertAlmostEqual(off, want - exact, delta=6e-4 * abs(want - exact) + 1e-6 * abs(want))

    def test_in_plain_lines_each_number_of_the_row(self):
        self.show([0.1, 2049, 65520])
        with Plain(("play", os.path.join(self.home, "bits.lua"), "--step", "s", "--plain")) as learner:
            learner.see_words("float16: is kept as 0.0999755859, off float32 by -2.442e-5, sign 0, exponent 01011, fraction 1001100110.",
                              "x1: float32 0.100000001, float16 0.0999755859, bfloat16 0.100097656.",
                              "x2: float32 2049, float16 2048, bfloat16 2048.", "x3: float32 65520, float16 inf, bfloat16 65536.")

    def test_without_methods(self):
        shown = self.show([0.1], fields=", methods = {}").stdout
        self.assertNotIn("variance", shown)
        self.assertIn("0 01011 1001100110", shown)

    def test_what_is_refused(self):
        for fields, words in ((', types = { "float8" }', "float8"), (', methods = { "fast" }', 'no method "fast"'),
                              (', types = {}', "names one to 4"), (', kinds = { "float16" }', "has no field `kinds`")):
            done = self.show([1], fields=fields)
            with self.subTest(fields):
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)
                self.assertRegex(done.stderr, r"bits\.lua:[12]: ")

    def test_hidden(self):
        path = os.path.join(self.home, "hidden.lua")
        with open(path, "w") as file:
            file.write('return lesson "hidden" { format = 1, title = "Hidden", data = function(random) return { x = random:normal { 8 } } end,\n'
                       'ask.number "q" { text = "t", answer = "1", why = "w", hide = { "value", "error" }, show = view.precision { "x" } } }\n')
        shown = tutor("show", path, home=self.home).stdout
        self.assertNotRegex(shown.split("t  a whole")[0].split("variance")[1], r"\d\.\d")
        self.assertIn("?", shown)


if __name__ == "__main__":
    unittest.main()
