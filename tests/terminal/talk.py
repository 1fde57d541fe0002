"""A learner at the tutor, on its screen or in plain lines, with the same words for both."""

import json
import os
import re
import select
import subprocess
import tempfile
import time

from questions import flat
from terminal import ENTER, ESC, F4, NORMTUTOR, PATIENCE, ROOT, Terminal, home_environment

PLACE = r"[Ff]ile: (~.*?\.lua)"
PAGE_DOWN = "\x1b[6~"
CLEAR = "\x05\x15"  # to the end of the line, and all of it gone


def is_there(found):
    return found is not None and found is not False


def tutor(*arguments, home, stdin=subprocess.DEVNULL, **environment):
    """One command without a terminal; what came of it, as text."""
    return subprocess.run([NORMTUTOR, *arguments], stdin=stdin, capture_output=True, text=True, timeout=3 * PATIENCE, cwd=ROOT,
                          env=home_environment(home, **environment))


def lessons_of(home, **environment):
    """What `list --json` says."""
    return json.loads(tutor("list", "--json", home=home, **environment).stdout)


def write(home, shown, program):
    """As most editors do: beside it first, then in its place."""
    path = shown.replace("~", home, 1)
    if not os.path.exists(path):
        raise AssertionError(f"there is no {path}")
    with open(path + "~", "w", encoding="utf-8") as file:
        file.write(program)
    os.replace(path + "~", path)


class Screen(Terminal):
    """The tutor in a terminal; `words` is the text of the page without the view beside it."""

    @property
    def words(self):
        lines = self.lines
        rule = next((line.index("┬") for line in lines[:3] if "┬" in line), None)
        return flat("\n".join(line[:rule] if line[rule:rule + 1] in "│├┤" else line for line in lines)) if rule else self.flat

    @property
    def flat(self):
        return flat(self.text)

    @property
    def line(self):
        """The line that is being typed, without the view beside it."""
        return self.lines[self.screen.cursor.y].split("│")[0].strip()

    def see(self, condition, what):
        """Until condition(words) gives something, {} included; what it gave."""
        found = []
        self.until(lambda text: found.append(condition(self.words)) or is_there(found[-1]), what)
        self.settle(0.005)  # the rest of that frame
        now = condition(self.words)
        return now if is_there(now) else found[-1]

    def see_words(self, *words):
        self.see(lambda text: all(word in text for word in words), words)

    def begin(self, lesson):
        """From the course list to the first step."""
        self.wait("Enter open")
        self.send("k" * 99, "j" * (lesson - 1))
        self.until(lambda text: f"▸ {lesson} " in self.flat, f"lesson {lesson} to be pointed at")
        self.send(ENTER)
        self.see_words("Enter begin")
        self.send(ENTER)
        self.see_words("step 1 of ")

    def on_step(self, number):
        self.see_words(f"step {number} of ")

    def next(self):
        self.send(ENTER)

    def retype(self, text):
        self.send(CLEAR + text)
        self.wait("› " + text[-40:] if len(text) < 40 else text[-30:])

    def answer(self, text, see, what):
        self.retype(text)
        self.send(ENTER)
        return self.see(see, what)

    def choose(self, option, see, what):
        self.send(str(option))
        self.wait(f"› {option} ")
        self.send(ENTER)
        return self.see(see, what)

    def predict(self, option, see, what):
        found = self.choose(option, see, what)
        self.send("[")  # any key ends the knob's journey
        return found

    def see_all(self, condition, what):
        """As see, with the view."""
        self.until(lambda text: is_there(condition(self.flat)), what)
        return condition(self.flat)

    def place(self):
        """Of the learner's program, as shown; further down where there is no room for it."""
        self.wait("p probes")
        if not re.search(PLACE, self.words):
            self.send(PAGE_DOWN)
        return self.see(lambda words: re.search(PLACE, words), "the place of the file")[1].replace(" ", "")

    def save(self, place, program, see, what):
        """The folder is watched: nothing more is to be done."""
        write(self.home, place, program)
        return self.see(see, what)

    def ask_again(self):
        self.send("n")
        self.see(lambda words: "How sure?" in words and "You said" not in words, "the question anew")

    def new_numbers(self):
        """Other numbers; a draw that gives the same ones again is drawn anew."""
        before = self.words.split("›")[0]
        for _ in range(20):
            self.send(F4)
            try:
                self.until(lambda text: "›" in text and self.words.split("›")[0] != before, "new numbers", seconds=2)
                return
            except AssertionError:
                continue
        raise AssertionError(f"no new numbers; the screen is\n{self.text}")

    def back_to_list(self):
        self.send(ESC)
        self.wait("Enter open")

    is_right = staticmethod(lambda words: "✓ Right." in words)


class Plain:
    """The tutor in plain lines, over pipes."""

    def __init__(self, arguments=("--plain",), home=None, **environment):
        self.own = None if home else tempfile.TemporaryDirectory(prefix="normtutor-home.")
        self.home = home or self.own.name
        self.process = subprocess.Popen([NORMTUTOR, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=home_environment(self.home, **environment), cwd=ROOT)
        self.all = b""
        self.words = ""
        self._take()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        if self.process.poll() is None:
            self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()
        self.process.wait()
        if self.own:
            self.own.cleanup()

    def _take(self):
        """What is said up to the next prompt, or the end."""
        said, limit = b"", time.monotonic() + PATIENCE
        while not (said == b"> " or said.endswith(b"\n> ")):
            if not select.select([self.process.stdout], [], [], max(limit - time.monotonic(), 0))[0]:
                raise AssertionError(f"waited in vain for the prompt after\n{said.decode(errors='replace')}")
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                break
            said += piece
        self.all += said
        self.words = flat(said.decode().removesuffix("> "))
        return said.decode().removesuffix("> ")

    def say(self, line):
        """Types a line; what is answered."""
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self._take()

    def end(self, line="quit"):
        """Leaves; (exit status, all that was said, what stands on standard error)."""
        if line is not None:
            self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.close()
        self.all += self.process.stdout.read()
        errors = self.process.stderr.read().decode()
        return self.process.wait(PATIENCE), self.all.decode(), errors

    def see(self, condition, what):
        found = condition(self.words)
        if not is_there(found):
            raise AssertionError(f"no {what} in\n{self.words}")
        return found

    def see_words(self, *words):
        self.see(lambda text: all(word in text for word in words), words)

    def begin(self, lesson):
        self.say(str(lesson))
        self.say("next")

    def on_step(self, number):
        self.see_words(f"Step {number} of ")

    def next(self):
        self.say("next")

    def answer(self, text, see, what):
        self.say("answer " + text)
        return self.see(see, what)

    def choose(self, option, see, what):
        self.say(f"answer {option}")
        return self.see(see, what)

    predict = choose
    see_all = see

    def place(self):
        return self.see(lambda words: re.search(PLACE, words), "the place of the file")[1]

    def save(self, place, program, see, what):
        write(self.home, place, program)
        self.say("probes")
        return self.see(see, what)

    def ask_again(self):
        self.say("new")
        self.see_words("This is a prediction")

    def new_numbers(self):
        self.say("new")

    def back_to_list(self):
        self.say("list")

    is_right = staticmethod(lambda words: "Right." in words)
