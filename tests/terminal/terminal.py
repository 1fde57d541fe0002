"""A real pseudo-terminal with a program in it, for tests: keys go in as bytes, the screen comes out as lines of text.

    with Terminal(["play", "epsilon"], columns=80, rows=24) as t:
        t.wait("Epsilon")          # until the words stand on the screen
        t.send(ENTER)
        t.wait_end(0)
"""

import errno
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import tempfile
import termios
import time

import pyte

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NORMTUTOR = os.environ.get("NORMTUTOR", ROOT + "/build/normtutor")
ENTER, ESC, TAB, BACKSPACE, CTRL_C, CTRL_Z = "\r", "\x1b", "\t", "\x7f", "\x03", "\x1a"
UP, DOWN, RIGHT, LEFT = "\x1bOA", "\x1bOB", "\x1bOC", "\x1bOD"
F1, F2, F4 = "\x1bOP", "\x1bOQ", "\x1bOS"
PATIENCE = float(os.environ.get("NORMTUTOR_TEST_PATIENCE", "20"))


def home_environment(home, **more):
    """An environment whose state and data live under `home`."""
    environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": home, "XDG_STATE_HOME": home + "/state",
                   "XDG_DATA_HOME": home + "/data", "LC_ALL": "C.UTF-8", "TERM": "screen-256color"}
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    environment.update(more)
    return {name: value for name, value in environment.items() if value is not None}


class Screen(pyte.Screen):
    """pyte's, with the scrolling of a region that curses asks for."""

    def _at_top_of_region(self, change, count):
        kept = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        change(count)
        self.cursor.x, self.cursor.y = kept

    def scroll_up(self, count=None, **unused):
        self._at_top_of_region(self.delete_lines, count)

    def scroll_down(self, count=None, **unused):
        self._at_top_of_region(self.insert_lines, count)


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down"}


class Terminal:
    """One program in one pseudo-terminal. Its home is a folder of its own unless `home` is given."""

    def __init__(self, arguments=(), columns=80, rows=24, home=None, environment=None, program=NORMTUTOR):
        self.own_home = None if home else tempfile.mkdtemp(prefix="normtutor-home.")
        self.home = home or self.own_home
        self.screen = Screen(columns, rows)
        self.stream = Stream(self.screen)
        self.raw = b""
        self.master, self.slave = pty.openpty()
        self.attributes = termios.tcgetattr(self.slave)
        self._set_size(columns, rows)
        self.process = subprocess.Popen([program, *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                        env=home_environment(self.home, **(environment or {})), close_fds=True,
                                        preexec_fn=self._take_terminal)

    def _take_terminal(self):
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP):
            signal.signal(number, signal.SIG_DFL)  # whoever runs the tests may ignore them
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def _set_size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for descriptor in (self.master, self.slave):
            if descriptor is not None:
                os.close(descriptor)
        if self.own_home:
            shutil.rmtree(self.own_home, ignore_errors=True)

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def hang_up(self):
        """The terminal goes away, as when its window is closed; nothing can be read or sent any more."""
        os.close(self.slave)
        os.close(self.master)
        self.master = self.slave = None

    def send(self, *keys):
        for key in keys:
            os.write(self.master, key if isinstance(key, bytes) else key.encode())

    def read(self, seconds=0.0):
        """Takes what the program has written, waiting at most `seconds` for the first of it; False when nothing came."""
        if self.master is None:
            time.sleep(seconds)
            return False
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError as error:
            if error.errno == errno.EIO:
                return False
            raise
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines)

    def until(self, condition, what, seconds=None):
        """Reads until condition(text) holds; AssertionError with the screen when it never does."""
        limit = time.monotonic() + (PATIENCE if seconds is None else seconds)
        while not condition(self.text):
            left = limit - time.monotonic()
            if left <= 0:
                raise AssertionError(f"waited in vain for {what}; the screen is\n{self.text}\n"
                                     f"(program: {self.process.poll()})")
            self.read(min(left, 0.1))
        return self.text

    def wait(self, *words, seconds=None):
        """Until all the words are on the screen at once."""
        return self.until(lambda text: all(word in text for word in words), words, seconds)

    @property
    def notice(self):
        """The line about what has happened, as one line again."""
        return " ".join(line[3:].strip() for line in self.lines if line.startswith((" ▍", " |")))

    def wait_notice(self, *words, seconds=None):
        return self.until(lambda text: all(word in self.notice for word in words), f"a notice with {words}", seconds)

    def wait_gone(self, words, seconds=None):
        return self.until(lambda text: words not in text, f"{words!r} to go", seconds)

    def settle(self, quiet=0.15):
        """Until nothing has been written for a while."""
        while self.read(quiet):
            pass
        return self.text

    def wait_end(self, status=None, seconds=None):
        """Until the program has ended; its exit status (negative: the signal)."""
        limit = time.monotonic() + (PATIENCE if seconds is None else seconds)
        while self.process.poll() is None:
            if time.monotonic() > limit:
                raise AssertionError(f"the program does not end; the screen is\n{self.text}")
            self.read(0.05)
        while self.read(0.05):
            pass
        if status is not None and self.process.returncode != status:
            raise AssertionError(f"exit status {self.process.returncode}, not {status}; the screen is\n{self.text}")
        return self.process.returncode

    def restored(self):
        """Is the terminal as it was: modes, alternate screen left, cursor shown?"""
        return termios.tcgetattr(self.slave) == self.attributes and \
            self.raw.rfind(b"\x1b[?1049l") >= self.raw.rfind(b"\x1b[?1049h") and \
            self.raw.rfind(b"\x1b[?25h") >= self.raw.rfind(b"\x1b[?25l")

    def workers(self):
        """Process ids of the tutor's workers."""
        return children_of(self.process.pid)

    def kill(self, number=signal.SIGKILL):
        os.kill(self.process.pid, number)


def children_of(parent):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == parent and fields[0] != "Z":
                found.append(int(name))
    return found
