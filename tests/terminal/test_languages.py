"""The tutor in German, on a system where no German locale has been generated."""

import os
import re
import shutil
import unittest

from questions import LESSONS, read_lesson
from talk import Screen, tutor
from terminal import ENTER, ESC, ROOT, Terminal
from test_commands import Base

GERMAN = {"LC_ALL": None, "LANG": "de_DE.UTF-8"}
ROW = r"\[([-0-9., ]+)\]"


def rows(words):
    return [[float(number) for number in row.split(",")] for row in re.findall(ROW, words)]


def mean(x):
    return sum(x) / len(x)


def var(x):
    return mean([(v - mean(x)) ** 2 for v in x])


class German(Screen):
    is_right = staticmethod(lambda words: "✓ Richtig." in words)

    def numbers(self, before):
        """The row that the question is about."""
        return self.see(lambda words: next((rows(words[words.index(before):])[:1] or [None] for _ in "1" if before in words), [None])[0],
                        f"a row after {before}")


class Walk(unittest.TestCase):
    """The whole lesson, by somebody who speaks no English."""

    def test_the_whole_lesson(self):
        with German(environment=GERMAN) as learner:
            learner.wait("Enter öffnen", "Layer Normalization und Residualverbindungen", "Ein Token normalisieren", "q beenden")
            learner.send("j" * LESSONS.index("normalize"), ENTER)
            learner.see_words("Danach kannst du ein Token von Hand normalisieren", "8 Schritte, 6 Fragen, etwa 9 Minuten")
            learner.send(ENTER)
            learner.see_words("Schritt 1 von 8", "Spalte für Spalte", "Layer Norm macht aus dem Token", "normalisiert")
            learner.send(ENTER)

            x = learner.numbers("was ist der Mittelwert von ")
            learner.answer(f"{sum(x):g}", lambda words: "ist die Summe aller 5 Zahlen" in words, "the sum recognised")
            learner.answer("x", lambda words: "ist hier kein Name" in words or "Namen können hier nicht" in words, "what cannot be read")
            learner.answer(f"{mean(x):g}", self.right, "the mean right")
            learner.see_words("Die Summe ist")
            learner.send(ENTER)

            learner.see_words("Schritt 3 von 8")
            x = learner.numbers("Ein Token ist ")
            learner.send("\x1bOQ")
            learner.see_words("Beginne mit dem Mittelwert")
            learner.answer(f"{var(x) * 5 / 4:g}", lambda words: "durch n - 1 = 4 geteilt" in words, "n - 1 recognised")
            learner.answer(f"{var(x) + 1:g}", lambda words: "ist es nicht" in words, "nothing recognised")
            learner.answer(f"{var(x):g}", self.right, "the variance right")
            learner.send(ENTER)

            learner.see_words("Schritt 4 von 8", "alle näher an 0 liegen", "Wie sicher?", "glaube ich")
            learner.predict(3, self.right, "the divisor right")
            learner.see_words("Die Standardabweichung danach")
            learner.send(ENTER)

            learner.see_words("Schritt 5 von 8")
            x = learner.numbers("Normalisiere ")
            learner.answer(" ".join(f"{(v - mean(x)) / var(x):.4f}" for v in x), lambda words: "durch die Varianz geteilt" in words, "no root")
            learner.answer(" ".join(f"{(v - mean(x)) / var(x) ** 0.5:.4f}" for v in x), self.right, "the row right")
            learner.send(ENTER)
            learner.see_words("Schritt 6 von 8", "x, nach Merkmalen", "Mittel")
            learner.send(ENTER)
            learner.see_words("Schritt 7 von 8", "beliebig weit")
            learner.predict(1, lambda words: "Die Standardabweichung wächst mit" in words, "endless recognised")
            learner.send(ENTER)

            learner.see_words("Schritt 8 von 8")
            n = int(learner.see(lambda words: re.search(r"Ein Token hat (\d+) Merkmale", words), "how many features")[1])
            learner.answer(f"sqrt({n})", lambda words: "Länge der ganzen normalisierten Zeile" in words, "the length recognised")
            learner.answer(f"sqrt({n - 1})", self.right, "the farthest right")
            learner.send(ENTER)
            learner.see_words("Was zu behalten ist", "die verzerrte", "Enter nächste Lektion")
            learner.send(ESC)
            learner.wait("Enter öffnen", "fertig", "6 von 6 Fragen erledigt")
            learner.send("q")
            learner.wait_end(0)

    def right(self, words):
        return True if German.is_right(words) else None


class Screens(Base):
    """Frames, and what fits into them."""

    def test_every_way_to_say_it(self):
        for environment in ({"LC_ALL": None, "LANG": "de_DE.UTF-8"}, {"LANGUAGE": "de"}, {"LANGUAGE": "de:en"},
                            {"LC_ALL": "de_AT.UTF-8@euro"}, {"LC_ALL": None, "LC_MESSAGES": "de_DE", "LC_CTYPE": "C.UTF-8"}):
            shown = " ".join(self.run_tutor("show", "normalize", "--step", "mean", **environment).split())
            self.assertIn("was ist der Mittelwert von", shown, environment)
            self.assertIn("Schritt 2 von 8", shown, environment)
        self.assertIn("step 2 of 8", self.run_tutor("show", "normalize", "--step", "mean", LANGUAGE="en:de"))
        self.assertIn("step 2 of 8", self.run_tutor("show", "normalize", "--step", "mean", LANGUAGE="de", LC_ALL="C"))
        self.assertIn("step 2 of 8", self.run_tutor("show", "normalize", "--step", "mean", LANGUAGE="xx"))
        self.assertIn("step 2 of 8", self.run_tutor("show", "normalize", "--step", "mean", "--lang", "en", LANGUAGE="de"))

    def test_numbers_and_verdicts_are_the_same(self):
        for step in read_lesson("normalize"):
            for seed in "1", "2", "3":
                if step.kind != "step":
                    own, german = (self.run_tutor("show", "normalize", "--step", step.id, "--seed", seed, "--answer", "1", "--lang", language,
                                                  "--size", "200x60") for language in ("en", "de"))
                    for pattern in r"-?\d+\.\d{3}", r"\[[-0-9., ]+\]", "[✓✗]":
                        self.assertEqual(re.findall(pattern, own), re.findall(pattern, german), (step.id, seed, pattern))

    def test_the_keys_fit(self):
        for lesson in LESSONS:
            for step in read_lesson(lesson):
                shown = self.run_tutor("show", lesson, "--step", step.id, "--lang", "de").split("\n")
                self.assertLessEqual(max(map(len, shown)), 80)
                rules = [number for number, line in enumerate(shown) if line.startswith("────")]
                self.assertLessEqual(len([line for line in shown[rules[-1] + 1:] if line.strip()]), 2, (lesson, step.id))
                self.assertRegex(" ".join(shown[rules[-1]:]), r"Esc (Kurs|aus dem Feld|aus dem Code)", (lesson, step.id))

    def test_errors_and_usage(self):
        self.assertIn("es gibt keine Lektion", self.trouble("show", "nope", status=2, **GERMAN))
        self.assertIn("es gibt keinen Befehl", self.trouble("flurb", "--lang", "de", status=2))
        self.assertIn("Ein interaktiver Tutor", self.run_tutor("--help", "--lang=de"))
        path = self.write("short.lua", 'return lesson "short" {\nformat = 1, title = "t",\nstep "a" { text = "{y}" } }\n')
        self.assertRegex(self.trouble("show", path, status=1, **GERMAN), r"short\.lua:3: .*unbekannter Name `y`")
        self.assertIn("--lang", self.trouble("list", "--lang", "../de", status=2))
        self.assertIn("--lang", self.trouble("list", "--lang", status=2))

    def test_without_a_catalogue_it_is_english(self):
        """The lessons stand beside the program; the catalogues do not."""
        os.makedirs(self.home + "/build")
        shutil.copy(os.environ.get("NORMTUTOR", ROOT + "/build/normtutor"), self.home + "/build/normtutor")
        shutil.copytree(ROOT + "/lessons", self.home + "/lessons")
        with Terminal(["play", "normalize", "--step", "mean"], program=self.home + "/build/normtutor",
                      home=self.home, environment=GERMAN) as terminal:
            terminal.wait("was ist der Mittelwert von", "step 2 of 8", "F2 hint")

    def test_plain_lines(self):
        said = tutor("play", "normalize", "--plain", "--lang", "de", home=self.home, stdin=None).stdout
        self.assertIn("Befehle: next, help, quit", said)


class Translate(Base):
    """normtutor translate, and what becomes of what it makes."""
    LESSON = ('return lesson "short" { format = 1, title = "Short",\n'
              '  data = function(random) return { n = random:integer(1, 9) } end,\n'
              '  step "one" { text = "It is {n}." },\n'
              '  ask.number "two" { text = "Twice {n}?", answer = "2 * n", why = "Two times {n}.",\n'
              '    mistake "same" { by = "n", say = "That is once." } } }\n')

    def setUp(self):
        super().setUp()
        self.lesson = self.write("short.lua", self.LESSON)
        self.german = self.home + "/lang/de/short.lua"

    def read(self):
        with open(self.german, encoding="utf-8") as file:
            return file.read()

    def change(self, old, new):
        text = self.read()
        self.assertIn(old, text)
        self.write("lang/de/short.lua", text.replace(old, new))

    def test_there_and_back(self):
        self.assertIn("lang/de/short.lua: 5 new\n", self.run_tutor("translate", self.lesson, "de"))
        self.change('["one.text"] = { ""', '["one.text"] = { "Es ist {n}."')
        self.change('["two.same.say"] = { ""', '["two.same.say"] = { "Das ist einmal."')
        self.assertIn(": 2 kept, 3 still to translate\n", self.run_tutor("translate", self.lesson, "de"))
        before = self.read()
        self.run_tutor("translate", self.lesson, "de")
        self.assertEqual(self.read(), before)
        self.assertIn("Es ist ", self.run_tutor("show", self.lesson, "--lang", "de"))
        self.assertIn("Twice ", self.run_tutor("show", self.lesson, "--step", "two", "--lang", "de"))

        self.write("short.lua", self.LESSON.replace("It is {n}.", "It may be {n}.").replace('"same"', '"once"'))
        self.assertIn(": 1 changed, 1 found under another key, 3 still to translate\n", self.run_tutor("translate", self.lesson, "de"))
        self.assertIn("It may be ", self.run_tutor("show", self.lesson, "--lang", "de"))
        self.assertRegex(self.read(), r"--: CHANGED.*\n  --: It may be \{n\}\.\n  \[\"one.text\"\] = \{ \"Es ist \{n\}\.\", of = ")
        self.assertIn('["two.once.say"] = { "Das ist einmal.", of = ', self.read())
        self.change(re.search(r'"Es ist \{n\}\.", of = "\w+"', self.read())[0], '"Es mag {n} sein."')
        self.assertIn(": 2 kept, 3 still to translate\n", self.run_tutor("translate", self.lesson, "de"))
        self.assertIn("Es mag ", self.run_tutor("show", self.lesson, "--lang", "de"))
        self.assertEqual(sorted(os.listdir(self.home + "/lang/de")), ["short.lua"])

    def test_what_is_refused(self):
        self.assertIn("language", self.trouble("translate", self.lesson, "../x", status=2))
        self.assertIn("written in the language en", self.trouble("translate", self.lesson, "en", status=2))
        self.assertIn("translate takes", self.trouble("translate", self.lesson, status=2))
        os.makedirs(self.home + "/lang/de")
        self.write("lang/de/short.lua", "return {\n  ['one.text'] = { 'Es ist {m}.' },\n}\n")
        self.write("lang/de/short.lua", "local a = 1\nreturn { title = { 'Kurz' } }\n")
        self.assertIn("would be lost", self.trouble("translate", self.lesson, "de", status=1))
        os.remove(self.german)
        os.symlink("/etc/passwd", self.german)
        self.assertIn("Links wird nicht gefolgt", self.trouble("show", self.lesson, "--lang", "de", status=1))
        self.assertIn("links are not followed", self.trouble("translate", self.lesson, "de", status=1))
        self.assertTrue(os.path.islink(self.german))

    def test_what_is_broken_is_shown_in_the_lesson_s_own_words(self):
        os.makedirs(self.home + "/lang/de")
        whole = "  title = { 'Kurz' },\n  ['two.text'] = { 'Zweimal {n}?' },\n"
        for entry in ("{ 'Es ist {m}.' }", "{ 'Es ist es.' }", "{ 'Es ist {n' }", "{ 'Es ist {} {n}.' }", "'Es ist {n}.'", "{ 'Es ist {n}.', of = 1 }"):
            self.write("lang/de/short.lua", "return {\n" + whole + f"  ['one.text'] = {entry},\n}}\n")
            one = self.run_tutor("show", self.lesson, "--lang", "de", "--step", "one")
            self.assertIn("Kurz", one, entry)
            self.assertIn("It is ", one, entry)
            self.assertIn("Zweimal ", self.run_tutor("show", self.lesson, "--lang", "de", "--step", "two"), entry)
        for text in "return {\n" + whole, "return 1\n", "error('no')\n", "return { [1] = { 'x' } }\n", "return { [1] = 2 }\n":
            self.write("lang/de/short.lua", text)
            self.assertIn("It is ", self.run_tutor("show", self.lesson, "--lang", "de", "--step", "one"), text)

    def test_translate_and_pack_say_what_is_broken(self):
        self.write("course.lua", 'return course "kurs" { format = 1, title = "Kurs", lessons = { "short" } }\n')
        os.makedirs(self.home + "/lang/de")
        self.write("lang/de/short.lua", "return { ['one.text'] = { 'Es ist {m}.' } }\n")
        said = self.run_tutor("translate", self.lesson, "de")
        line = 1 + self.read().split("\n").index(next(line for line in self.read().split("\n") if "Es ist" in line))
        self.assertIn(f"lang/de/short.lua:{line}: `one.text` lacks the hole {{n}} that the lesson's words have\n", said)
        self.assertIn(f"lang/de/short.lua:{line}: `one.text` lacks the hole {{n}}", self.trouble("pack", self.home, status=1))
        self.write("lang/de/short.lua", "return {\n  title = {\n")
        self.assertRegex(self.trouble("pack", self.home, status=1), r"lang/de/short\.lua:\d: ")
        os.remove(self.german)
        self.write("lang/de/course.lua", "return {\n  title = 1,\n}\n")
        self.assertIn("lang/de/course.lua:2: `title` must be a list", self.trouble("pack", self.home, status=1))
        os.remove(self.home + "/lang/de/course.lua")
        self.run_tutor("pack", self.home, "-o", self.home + "/kurs.tar.gz")

    def test_a_course_and_its_own_language(self):
        self.write("course.lua", 'return course "kurs" { format = 1, title = "Kurs", language = "de", lessons = { "short" } }\n')
        self.run_tutor("translate", self.lesson, "en")
        with open(self.home + "/lang/en/short.lua", encoding="utf-8") as file:
            text = file.read()
        self.write("lang/en/short.lua", text.replace('["title"] = { ""', '["title"] = { "Brief"'))
        for language, title in ("en", "Brief"), ("de", "Short"), ("fr", "Short"):
            self.assertIn(title, self.run_tutor("show", self.lesson, "--lang", language), language)
        self.assertIn("language de", self.trouble("translate", self.lesson, "de", status=2))
        self.assertIn("course.lua: 1 new", self.run_tutor("translate", self.home + "/course.lua", "en"))

    def test_check_says_how_they_stand(self):
        def check(status):
            done = tutor("check", self.lesson, "--seeds", "1", home=self.home)
            self.assertEqual(done.returncode, status, done.stdout + done.stderr)
            return re.sub(r"(?m)^\S*/", "", done.stdout)
        self.assertNotIn("short.lua:", check(0))
        self.run_tutor("translate", self.lesson, "de")
        self.assertIn("short.lua:7: advice: 5 texts are not translated, the first is `title`\n", check(0))
        self.change('["one.text"] = { ""', '["one.text"] = { "Es ist {n}."')
        self.write("short.lua", self.LESSON.replace("It is {n}.", "It may be {n}."))
        self.assertRegex(check(0), r"short\.lua:10: advice: `one\.text` was translated when")
        self.write("short.lua", self.LESSON)
        self.write("lang/de/short.lua", "return {\n  ['one.text'] = { 'Es ist {m}.' },\n  ['three.text'] = { 'Drei' },\n}\n")
        said = check(1)
        self.assertIn("short.lua:2: `one.text` lacks the hole {n}", said)
        self.assertIn("short.lua:3: `three.text` names nothing in the lesson", said)
        self.write("lang/de/short.lua", "return {\n  title = {\n")
        self.assertRegex(check(1), r"short\.lua:\d: ")

    def test_the_german_lesson_is_in_step(self):
        """What the repository has of translations is whole: `translate` has nothing to add."""
        folder = self.home + "/lessons"
        shutil.copytree(ROOT + "/lessons", folder)
        for lesson in os.listdir(ROOT + "/lessons/lang/de"):
            said = self.run_tutor("translate", f"{folder}/{lesson}", "de")
            self.assertRegex(said, r": \d+ kept\n\Z")
            with open(f"{folder}/lang/de/{lesson}") as after, open(f"{ROOT}/lessons/lang/de/{lesson}") as before:
                self.assertEqual(after.read(), before.read(), lesson)


if __name__ == "__main__":
    unittest.main()
