"""Lessons, courses and programs that attack the tutor, one a file (attack.py says how to read them). Each ends within its budget
and its memory, in words that name its line; no file is touched, nothing commands the terminal, and the tutor goes on."""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "terminal")]
from attack import BACKSTOP, EVIL, STOPPED, Outcome, attacks_in, snapshot
from talk import CLEAR, Plain, Screen
from terminal import CTRL_C, ENTER, ESC, NORMTUTOR, PATIENCE, Terminal, children_of

CLASSES = ("loops", "memory", "errors", "reach", "late", "text", "names", "files")
IN_TERMINAL = {  # a sample of each class; the rest is shown by `show`
    "loops": ("backtracking", "closing-while-stopped", "in-a-hole"),
    "memory": ("caught", "view-of-itself", "giant-words"),
    "errors": ("not-a-text", "giant-message", "not-utf8", "many-lines"),
    "reach": ("no-io", "libraries-changed"),
    "late": ("parts", "made-view"),
    "text": ("escapes", "escapes-raised", "bidirectional", "combining", "wide", "deep-quotes", "html"),
    "names": ("program-path", "program-escapes", "step-paths"),
    "files": ("leaving", "a-link", "a-fifo", "escaping"),
}
F3 = "\x1bOR"
TYPED_MAX = 990  # bytes of a line
SECONDS_MAX, MIB_MAX = 2.6, 256 + 96  # the worker's, and what the tutor itself takes
COMMANDS = re.compile(rb"\x1b(?:\[[0-9;?>]*[A-Za-z@`]|[()][0-9AB]|[=>78M])")
EVIL_BYTES = (b"\x1b]", b"\x1bP", b"\x1bc", b"\x1b[66;66H", b"\x1b[31;46m", b"owned\x07", b"\x7f", b"\xc2\x9b", b"\xc2\x9d")
GOOD = 'return lesson "good" { format = 1, title = "Good", step "s" { text = "All is well." } }\n'


def lesson_attacks():
    return {folder: attacks_in(folder) for folder in CLASSES}


def make_odd_files(folder):
    """What is no file and what leads out, for files/."""
    os.symlink("../../canary/precious", folder + "/link.txt")
    os.symlink("/etc", folder + "/linked")
    os.symlink("/dev/zero", folder + "/zero")
    os.mkfifo(folder + "/fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        at = os.getcwd()
        os.chdir(folder)
        bound.bind("socket")
        os.chdir(at)
    with open(folder + "/large", "wb") as file:
        file.truncate(1 << 30)


class Ground:
    """A copy of the attacks with something precious beside them, and an empty home."""

    def __init__(self):
        self.at = tempfile.mkdtemp(prefix="normtutor-hostile.")
        self.home = self.at + "/home"
        os.mkdir(self.home)
        os.mkdir(self.at + "/canary")
        for name in ("precious", "evil.lua", "leaving.lua"):
            with open(f"{self.at}/canary/{name}", "w") as file:
                file.write("precious\n")
        shutil.copytree(HERE, self.at + "/attacks", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        make_odd_files(self.at + "/attacks/files/files")
        self.attacks = self.at + "/attacks"
        self.before = snapshot(self.at)

    def touched(self):
        """What is no longer as it was."""
        now = snapshot(self.at)
        return sorted(path for path in {*now, *self.before} if now.get(path) != self.before.get(path))

    def clear(self):
        shutil.rmtree(self.at)

    def show(self, attack, *options):
        """Once more when the machine was too busy to say anything."""
        folder = os.path.dirname(f"{self.attacks}/{attack.name}")
        for _ in range(3):
            outcome = Outcome([NORMTUTOR, "show", attack.file, *options, *attack.arguments], folder, self.home)
            if BACKSTOP not in outcome.text:
                break
        return outcome


class Case(unittest.TestCase):
    def calm(self, text, what):
        found = EVIL.search(text)
        self.assertIsNone(found, f"{what} holds {found and found[0]!r}")

    def bounded(self, outcome):
        self.assertLess(outcome.seconds, SECONDS_MAX, "its time")
        self.assertLess(outcome.mib, MIB_MAX, "its memory")

    def no_commands(self, terminal):
        """The bytes that came are what curses writes, and no more."""
        for evil in EVIL_BYTES:
            self.assertNotIn(evil, terminal.raw)
        rest = COMMANDS.sub(b"", terminal.raw)
        self.assertNotIn(b"\x1b", rest)
        self.calm(re.sub(rb"[\r\n\x08\x0e\x0f\t]", b"", rest).decode(errors="replace"), "the screen")

    def leave(self, terminal):
        workers = terminal.workers()
        terminal.send(CTRL_C)
        terminal.wait_end(0)
        self.assertTrue(terminal.restored(), "the terminal is not as it was")
        self.no_commands(terminal)
        for worker in workers:
            self.assertFalse(os.path.exists(f"/proc/{worker}"), "a worker is left")


class Shown(Case):
    """Every lesson by `show`: test_CLASS_NAME."""

    @classmethod
    def setUpClass(cls):
        cls.ground = Ground()
        cls.addClassCleanup(cls.ground.clear)
        every = [attack for attacks in lesson_attacks().values() for attack in attacks]
        with ThreadPoolExecutor(2) as pool:
            cls.outcomes = dict(zip((attack.name for attack in every), pool.map(cls.ground.show, every)))

    def judge(self, attack):
        outcome = self.outcomes[attack.name]
        self.bounded(outcome)
        self.calm(outcome.text, "what is shown")
        self.assertEqual(outcome.raw.decode(), outcome.text)
        if attack.ends_in_words():
            self.assertTrue(attack.is_message(outcome.text), f"\n{outcome.text}\nnot {attack}")
            self.assertEqual(outcome.status, 1)
        else:
            self.assertIn(attack.words, outcome.text)
            self.assertEqual(outcome.status, 0)

    def test_no_file_is_touched(self):
        self.assertEqual(self.ground.touched(), [])


for group in lesson_attacks().values():
    for one in group:
        setattr(Shown, "test_" + re.sub(r"\W", "_", one.name), lambda self, attack=one: self.judge(attack))


class AllowListAlone(Case):
    """The same without the cage around the process."""

    def test_it_holds(self):
        ground = Ground()
        self.addCleanup(ground.clear)
        for folder in ("reach", "errors", "late", "names", "files"):
            for attack in attacks_in(folder):
                with self.subTest(attack.name):
                    outcome = ground.show(attack, "--no-cage")
                    self.calm(outcome.text, "what is shown")
                    self.bounded(outcome)
                    self.assertTrue(attack.is_message(outcome.text) if attack.ends_in_words() else attack.words in outcome.text,
                                    f"\n{outcome.text}\nnot {attack}")
        self.assertEqual(ground.touched(), [])


class Played(Case):
    """A sample in a real terminal, each class a course with a good lesson at its end."""

    def setUp(self):
        self.ground = Ground()
        self.addCleanup(self.ground.clear)

    def course(self, folder):
        attacks = [attack for attack in attacks_in(folder) if os.path.basename(attack.name) in IN_TERMINAL[folder]]
        self.assertEqual(len(attacks), len(IN_TERMINAL[folder]))
        path = f"{self.ground.attacks}/{folder}"
        with open(path + "/good.lua", "w") as file:
            file.write(GOOD)
        with open(path + "/course.lua", "w") as file:
            names = ", ".join(f'"{os.path.basename(attack.name)}"' for attack in attacks)
            file.write(f'return course "{folder}" {{ format = 1, title = "Attacks", lessons = {{ {names}, "good" }} }}\n')
        return attacks, path

    def goes_on(self, terminal, good):
        """The good lesson opens, and back to the list."""
        terminal.send("k" * 30, "j" * good, ENTER)
        terminal.wait("All is well.")
        terminal.send(ESC)
        terminal.wait("Enter open")

    def open(self, terminal, number, attack):
        """The message, or the page, of the lesson of that number; then back."""
        terminal.send("k" * 30, "j" * number)
        terminal.settle()
        terminal.send(ENTER)
        limit = time.monotonic() + 3 * PATIENCE
        while not self.is_there(terminal, attack):
            if time.monotonic() > limit:
                self.fail(f"waited in vain for {attack} of {attack.name}; the screen is\n{terminal.text}")
            terminal.read(0.1)
            if "Enter begin" in terminal.text:
                terminal.send(ENTER)
                terminal.wait_gone("Enter begin")
        terminal.settle()
        self.assertNotIn("lost", terminal.notice)
        if "Enter open" not in terminal.text:
            terminal.send(ESC)
            terminal.wait("Enter open")

    @staticmethod
    def is_there(terminal, attack):
        """A path may be broken anywhere, and a long message is cut: its place and how it begins must be there."""
        if BACKSTOP in terminal.notice:
            return True
        if not attack.ends_in_words():
            return "step 1 of " in terminal.text
        packed = re.sub(r"\s|▍", "", terminal.text)
        places = [f"{attack.file}:{line}:" for line in attack.lines] or [attack.file + ":"]
        return any(place in packed for place in places) and \
            (attack.words.replace(" ", "")[:12] in packed or attack.words == "" and "wasstopped" in packed)

    def play(self, folder):
        attacks, path = self.course(folder)
        before = snapshot(path, self.ground.at + "/canary")
        with Terminal(["play", path + "/good.lua"], 100, 30, home=self.ground.home) as terminal:
            terminal.wait("All is well.")
            terminal.send(ESC)
            terminal.wait("Enter open")
            for number, attack in enumerate(attacks):
                with self.subTest(attack.name):
                    self.open(terminal, number, attack)
                    self.goes_on(terminal, len(attacks))
            self.leave(terminal)
        self.assertEqual(snapshot(path, self.ground.at + "/canary"), before)
        strays = [path for path in snapshot(self.ground.at) if "evil" in path and "/canary/" not in path]
        self.assertEqual(strays, [], "a file bears the name that a lesson gave it")


for folder in CLASSES:
    setattr(Played, "test_" + folder, lambda self, which=folder: self.play(which))


class Courses(Case):
    """A course.lua that attacks; its folder is one of the learner's courses, and the built-in course stays at hand."""

    @classmethod
    def setUpClass(cls):
        cls.ground = Ground()
        cls.addClassCleanup(cls.ground.clear)
        cls.attacks = attacks_in("courses")
        for attack in cls.attacks:
            folder = cls.folder_of(attack)
            os.makedirs(folder)
            shutil.copy(attack.path, folder + "/course.lua")
            with open(folder + "/good.lua", "w") as file:
                file.write(GOOD)

    @classmethod
    def folder_of(cls, attack):
        return f"{cls.ground.at}/{attack.name}/data/normtutor/courses/{os.path.basename(attack.name)}"

    def judge(self, attack):
        home = f"{self.ground.at}/{attack.name}"
        before = snapshot(self.ground.at + "/canary", self.folder_of(attack))
        for _ in range(3):
            outcome = Outcome([NORMTUTOR, "list"], self.folder_of(attack), home)
            if BACKSTOP not in outcome.text:
                break
        self.calm(outcome.text, "the list")
        self.assertLess(outcome.mib, MIB_MAX)
        self.assertIn("epsilon", outcome.text)
        if attack.ends_in_words():
            self.assertTrue(attack.is_message(outcome.text, "course.lua"), f"\n{outcome.text}\nnot {attack}")
        else:
            self.assertIn(attack.words, outcome.text)
        self.assertEqual(snapshot(self.ground.at + "/canary", self.folder_of(attack)), before)

    def test_all_of_them_at_once_in_a_terminal(self):
        home = self.ground.at + "/all"
        os.makedirs(home + "/data/normtutor/courses")
        for attack in self.attacks:
            shutil.copytree(self.folder_of(attack), f"{home}/data/normtutor/courses/{os.path.basename(attack.name)}")
        with Terminal([], 100, 60, home=home) as terminal:
            terminal.wait("Enter open")
            terminal.send(ENTER)
            terminal.wait("Enter begin", seconds=3 * PATIENCE)
            terminal.send(ESC)
            terminal.wait("Enter open")
            self.leave(terminal)


for one in attacks_in("courses"):
    setattr(Courses, "test_" + re.sub(r"\W", "_", one.name), lambda self, attack=one: self.judge(attack))


class Programs(Case):
    """Attacks typed as learner's code: by `show`, and all of them saved one after the other in the file of one tutor."""

    @classmethod
    def setUpClass(cls):
        cls.ground = Ground()
        cls.addClassCleanup(cls.ground.clear)
        cls.attacks = attacks_in("programs")
        for attack in cls.attacks:  # as the header makes them
            with open(f"{cls.ground.attacks}/{attack.name}.lua", "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(attack.text)
        cls.before = snapshot(cls.ground.at)
        with ThreadPoolExecutor(2) as pool:
            cls.outcomes = dict(zip((attack.name for attack in cls.attacks), pool.map(cls.show, cls.attacks)))
        cls.after = snapshot(cls.ground.at)

    @classmethod
    def show(cls, attack):
        command = [NORMTUTOR, "show", "mend.lua", "--answer", f"@{attack.name}.lua", "--size", "200x400"]
        for _ in range(3):
            outcome = Outcome(command, cls.ground.attacks, cls.ground.home)
            if BACKSTOP not in outcome.text:
                break
        return outcome

    @staticmethod
    def verdict(attack, text):
        """Is what must come there? `text` has no newlines and no doubled blanks."""
        if attack.kind in ("right", "wrong"):
            return ("✓ Right." in text) == (attack.kind == "right") and "layer_norm.lua:" not in text and ("✗" in text or "✓ Right." in text)
        if attack.kind == "refused":
            return attack.words in text
        return attack.is_message(text, "layer_norm.lua")

    @staticmethod
    def words(text):
        """The text without the view beside it."""
        return " ".join(line.split("│")[0].strip() for line in text.split("\n")).replace("  ", " ")

    def judge(self, attack):
        outcome = self.outcomes[attack.name]
        self.bounded(outcome)
        self.calm(outcome.text, "what is shown")
        self.assertTrue(self.verdict(attack, self.words(outcome.text)), f"\n{outcome.text[:4000]}\nnot {attack}")

    def test_no_file_is_touched(self):
        self.assertEqual(self.after, self.before)

    def test_saved_one_after_the_other(self):
        with Screen(["play", self.ground.attacks + "/mend.lua"], 120, 60, home=self.ground.home) as terminal:
            place = terminal.place().replace("~", self.ground.home, 1)
            right = next(attack for attack in self.attacks if attack.name == "programs/right")
            for attack in self.attacks:
                with self.subTest(attack.name):
                    self.save(terminal, place, attack, 20)
                    self.save(terminal, place, right, 5)
            self.leave(terminal)
        self.assertEqual(snapshot(self.ground.at + "/canary").keys(), {self.ground.at + "/canary/" + name for name in ("precious", "evil.lua", "leaving.lua")})

    def save(self, terminal, place, attack, seconds):
        with open(place + "~", "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(attack.text)
        os.replace(place + "~", place)
        terminal.until(lambda text: self.verdict(attack, self.words(text)) or BACKSTOP in terminal.notice, repr(attack), PATIENCE + seconds)


for one in attacks_in("programs"):
    setattr(Programs, "test_" + re.sub(r"\W", "_", one.name), lambda self, attack=one: self.judge(attack))


def typed_attacks():
    """{name: (line, words that come of it or None when its time is up)}"""
    typed = {}
    for attack in attacks_in("typed"):
        typed[attack.name] = attack.line(), None if attack.kind == "stops" else attack.words
    for attack in attacks_in("programs"):
        line = attack.line() + " print(layer_norm(x))"
        if attack.typed == "no" or not attack.ends_in_words() and not attack.typed or len(line) > TYPED_MAX:
            continue
        typed[attack.name] = line, attack.typed or (None if attack.kind == "stops" else attack.words)
    return typed


class Typed(Case):
    """Attacks typed into the scratchpad of an open question: in plain lines, and all of them in one tutor on the screen."""

    @classmethod
    def setUpClass(cls):
        cls.ground = Ground()
        cls.addClassCleanup(cls.ground.clear)
        cls.said, cls.after, cls.seconds, cls.workers = {}, {}, {}, set()
        with Plain(["play", cls.ground.attacks + "/typed.lua", "--plain"], home=cls.ground.home) as plain:
            for name, (line, _) in typed_attacks().items():
                before = cls.used(plain)
                cls.said[name] = plain.say("= " + line)
                if BACKSTOP in cls.said[name]:
                    cls.said[name] = plain.say("= " + line)
                after = cls.used(plain)
                cls.seconds[name] = after[1] - (before[1] if before[0] == after[0] else 0)
                cls.after[name] = plain.say("= 1 + 1").strip()
            cls.status = plain.end()[0]
        strays = snapshot(cls.ground.at)
        cls.strays = sorted(path for path in strays if not path.startswith(cls.ground.home) and strays[path] != cls.ground.before.get(path))

    @staticmethod
    def used(plain):
        """The worker and its seconds of CPU time."""
        worker = max(children_of(plain.process.pid))  # one may be on its way out
        with open(f"/proc/{worker}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        with open(f"/proc/{worker}/status") as file:
            peak = int(re.search(r"VmHWM:\s*(\d+)", file.read())[1]) / 1024
        assert peak < MIB_MAX, f"{peak} MiB"
        return worker, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def judge(self, name):
        _, words = typed_attacks()[name]
        said = " ".join(self.said[name].split())
        self.calm(self.said[name].replace("\t", " "), "what is said")
        self.assertTrue(STOPPED.search(said) if words is None else words in said, f"\n{said[:1000]}\nnot {words or 'stopped'}")
        self.assertLess(self.seconds[name], SECONDS_MAX)
        self.assertEqual(self.after[name], "2", "the tutor does not go on")

    def test_nothing_is_touched(self):
        self.assertEqual(self.strays, [])
        self.assertEqual(self.status, 0)

    @staticmethod
    def type(terminal, line, condition):
        """Computed it is when an empty line waits for the next."""
        terminal.send(CLEAR + line)
        terminal.until(lambda text: terminal.line != "=", f"{line} to be typed")
        terminal.send(ENTER)
        terminal.until(lambda text: terminal.line == "=" and condition(text), f"what comes of {line}")

    def test_on_the_screen(self):
        with Screen(["play", self.ground.attacks + "/typed.lua"], 100, 40, home=self.ground.home) as terminal:
            terminal.wait("What follows")
            terminal.send(F3)
            terminal.wait("Enter compute")
            for number, (name, (line, _)) in enumerate(typed_attacks().items(), 1):
                with self.subTest(name):
                    self.type(terminal, line, lambda text: True)
                    self.type(terminal, f"{number} + 7000", lambda text: f"    {number + 7000}" in text)
            self.leave(terminal)


for one in typed_attacks():
    setattr(Typed, "test_" + re.sub(r"\W", "_", one), lambda self, name=one: self.judge(name))


class Files(Case):
    """Files that change while they are read."""

    def setUp(self):
        self.ground = Ground()
        self.addCleanup(self.ground.clear)

    def test_changed_meanwhile(self):
        """A lesson, its file and a link in its place take turns while `show` reads them: each answer is one or the other."""
        folder = self.ground.at + "/turns"
        os.makedirs(folder + "/files")
        lesson = 'return lesson "turns" {{ format = 1, title = "{0}", files = {{ "a.txt" }}, step "s" {{ text = file "a.txt" }} }}\n'

        def put(path, text=None):
            if text is None:
                os.symlink("../../canary/precious", path + "~")
            else:
                with open(path + "~", "w") as file:
                    file.write(text)
            os.replace(path + "~", path)

        put(folder + "/files/a.txt", "one")
        put(folder + "/turns.lua", lesson.format("One"))
        turn = ("import os, sys\nwhile os.getppid() == int(sys.argv[1]):\n"
                " for text in ('one', None, 'two', ''):\n"
                "  for path in ('files/a.txt', 'turns.lua') if text else ('files/a.txt',):\n"
                "   if text is None: os.symlink('../../canary/precious', 'files/l~'); os.replace('files/l~', 'files/a.txt'); continue\n"
                "   with open(path + '~', 'w') as f: f.write(text if path[0] == 'f' else sys.argv[2].replace('One', text))\n"
                "   os.replace(path + '~', path)\n")
        other = subprocess.Popen([sys.executable, "-c", turn, str(os.getpid()), lesson.format("One")], cwd=folder)
        try:
            for _ in range(60):
                outcome = Outcome([NORMTUTOR, "show", "turns.lua"], folder, self.ground.home)
                self.calm(outcome.text, "what is shown")
                self.assertIn(outcome.status, (0, 1))
                self.assertNotIn("precious", outcome.text)
        finally:
            other.kill()
            other.wait()

    def test_bytecode(self):
        path = self.ground.at + "/binary.lua"
        with open(path, "wb") as file:
            file.write(b"\x1bLuaT\0\x19\x93\r\n\x1a\n" + bytes(range(256)))
        outcome = Outcome([NORMTUTOR, "show", path], self.ground.at, self.ground.home)
        self.assertEqual(outcome.status, 1)
        self.assertIn("binary.lua", outcome.text)
        self.calm(outcome.text, "what is shown")

    def test_no_regular_file(self):
        """A lesson that is a pipe, a device, a folder, or too long."""
        os.mkfifo(self.ground.at + "/pipe.lua")
        os.symlink("/dev/zero", self.ground.at + "/zero.lua")
        os.mkdir(self.ground.at + "/folder.lua")
        with open(self.ground.at + "/long.lua", "wb") as file:
            file.truncate(1 << 30)
        for name in ("pipe", "zero", "folder", "long"):
            with self.subTest(name):
                outcome = Outcome([NORMTUTOR, "show", f"{self.ground.at}/{name}.lua"], self.ground.at, self.ground.home)
                self.assertEqual(outcome.status, 1, outcome.text)
                self.assertIn(name + ".lua", outcome.text)
                self.bounded(outcome)


if __name__ == "__main__":
    unittest.main()
