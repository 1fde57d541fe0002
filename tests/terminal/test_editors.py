"""A learner's program in a file of its own: saved by editors of every manner, probed, begun anew."""

import glob
import os
import re
import shlex
import signal
import tempfile
import termios
import time
import unittest

from talk import Plain, Screen, lessons_of, tutor
from terminal import CTRL_C, CTRL_Z, ENTER, NORMTUTOR, PATIENCE, ROOT, Terminal

MEND = ROOT + "/tests/terminal/lessons/mend.lua"
BROKEN, MENDED = '{ "batch" }', '{ "feature" }'

# What every editor of these tests does with the file that it is given last; `mend` makes of a text a better one.
MEND_IT = """#!/usr/bin/python3
import os, re, sys, time
path = sys.argv[-1]
def mend(text):
    return re.sub(r'local over = {.*}', 'local over = { "feature" }', text)
with open(path) as file:
    text = mend(file.read())
"""
BY_RENAMING = MEND_IT + """
with open(path + ".new", "w") as file:
    file.write(text)
os.rename(path, path + ".old")
time.sleep(0.2)
os.rename(path + ".new", path)
"""
IN_PLACE = MEND_IT + """
with open(path, "w") as file:
    half = text.index("over") + 2
    file.write(text[:half])
    file.flush()
    time.sleep(0.6)
    file.write(text[half:])
"""
FORKING = MEND_IT + """
if os.fork() == 0:
    os.setsid()
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    time.sleep(0.5)
    with open(path, "w") as file:
        file.write(text)
"""
MANNERS = {"by renaming": BY_RENAMING, "in place": IN_PLACE, "forking": FORKING}


class Base(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="normtutor-editors.")
        self.addCleanup(self.folder.cleanup)
        self.home = self.folder.name + "/home"
        os.mkdir(self.home)

    def place(self, name):
        return f"{self.folder.name}/{name}"

    def editor(self, text, name="editor"):
        """A program that is an editor, by its path."""
        with open(self.place(name), "w") as file:
            file.write(text)
        os.chmod(self.place(name), 0o755)
        return self.place(name)

    def open(self, *arguments, columns=80, rows=30, **environment):
        screen = Screen(["play", *arguments], columns, rows, home=self.home, environment=environment)
        self.addCleanup(screen.close)
        return screen

    def at_program(self, **environment):
        screen = self.open(MEND, "--step", "batch", "--seed", "7", **environment)
        screen.see_words("layer_norm.lua", "Esc ")
        return screen

    def program(self, where="alone/mend/batch.7"):
        return f"{self.home}/state/normtutor/work/{where}/layer_norm.lua"

    def programs(self, where):
        return sorted(glob.glob(self.program(where)))

    def text(self, path=None):
        with open(path or self.program()) as file:
            return file.read()

    def save(self, text, path=None):
        path = path or self.program()
        with open(path + ".new", "w") as file:
            file.write(text)
        os.rename(path + ".new", path)

    def leave(self, screen):
        screen.send(CTRL_C)
        screen.wait_end(0)
        self.assertTrue(screen.restored(), "the terminal is not as it was")

    def until(self, condition, what):
        limit = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), limit, f"waited in vain for {what}")
            time.sleep(0.02)

    def log(self, name="log"):
        self.until(lambda: os.path.exists(self.place(name)), f"the editor's {name}")
        return self.text(self.place(name))


class Manners(Base):
    def probe(self, screen, name):
        """Has the probe of that name passed?"""
        row = re.compile(re.escape(name) + r"\s+\*?([✓✗]) ")
        screen.until(row.search, name)
        return row.search(screen.text)[1] == "✓"

    def new_bug(self, screen):
        """The bug by which probes fail, and the file it is in."""
        files = self.programs("*/which-axis/mend.*")
        screen.send("n")
        self.until(lambda: self.programs("*/which-axis/mend.*") != files, "another file")
        (path,) = set(self.programs("*/which-axis/mend.*")) - set(files)
        shown = path.removeprefix(self.home)  # in two lines, perhaps
        screen.see(lambda text: shown in text.replace(" ", "") or None, shown)
        screen.settle()
        found = self.probe(screen, "other samples changed"), self.probe(screen, "a later token changed")
        alone = re.search(r"one feature elsewhere\s+\*?✗ fails\s+(1 of|all)", screen.text)[1] == "1 of"
        return {(False, True, True): "batch", (True, False, True): "token", (False, False, True): "batch-token",
                (True, False, False): "token-feature", (False, False, False): "all"}[(*found, alone)], path

    def test_five_bugs_and_three_editors(self):
        over = {"batch": '{ "batch" }', "token": '{ "token" }', "batch-token": '{ "batch", "token" }',
                "token-feature": '{ "token", "feature" }', "all": '{ "batch", "token", "feature" }'}
        for manner, text in MANNERS.items():
            with self.subTest(manner):
                screen = self.open("which-axis", "--step", "mend", columns=120, rows=50, VISUAL=self.editor(text))
                screen.see_words("Your file", "Esc ")
                left = set(over)
                for _ in range(100):
                    bug, path = self.new_bug(screen)
                    self.assertIn(f"local over = {over[bug]}", self.text(path))
                    if bug not in left:
                        continue
                    left.remove(bug)
                    screen.send("e")
                    screen.see(screen.is_right, "right")
                    self.assertTrue(self.probe(screen, "other samples changed") and self.probe(screen, "a later token changed"))
                    self.assertNotIn("✗", screen.text)
                    self.assertIn(MENDED, self.text(path))
                    if not left:
                        break
                self.assertEqual(left, set())
                self.leave(screen)
        counts = {lesson["id"]: lesson["right"] for lesson in lessons_of(self.home)}
        self.assertEqual(counts["which-axis"], 1)

    def test_a_slow_save_is_read_whole(self):
        screen = self.at_program(VISUAL=self.editor(IN_PLACE))
        screen.send("e")
        screen.see(screen.is_right, "right")
        self.assertNotIn("did not count", screen.raw.decode())
        path = self.program()
        text = self.text().replace(MENDED, BROKEN)
        with open(path, "w") as file:  # and in another window, while the tutor looks on
            file.write(text[:60])
            file.flush()
            screen.settle(0.5)
            file.write(text[60:])
        screen.see_words("It averages over the batch.")
        self.assertNotIn("did not count", screen.raw.decode())

    def test_any_program_may_save_it(self):
        screen = self.at_program(VISUAL="false")
        self.save(self.text().replace(BROKEN, '{ "token" }'))
        screen.see_words("It averages over the tokens.")
        self.save("function layer_norm(x")
        screen.see_words("layer_norm.lua:1:")
        self.save(self.text(MEND).split("[[\n")[1].split("]]")[0])
        screen.see(screen.is_right, "right")
        self.leave(screen)
        self.assertEqual(tutor("list", home=self.home).returncode, 0)

    def test_the_probes_run_on_a_key_with_fresh_inputs(self):
        screen = self.at_program()
        seen = set()
        for _ in range(3):
            screen.send("p")
            screen.see_words("It averages over the batch.")
            screen.settle()
            seen.add(re.search(r"moves by [\d.]+", screen.flat)[0])
        self.assertGreater(len(seen), 1)

    def test_a_link_is_not_followed_and_a_lost_file_is_told(self):
        screen = self.at_program()
        os.rename(self.program(), self.program() + "~")
        screen.wait_notice("is gone")
        os.symlink("layer_norm.lua~", self.program())
        screen.wait_notice("links are not followed")
        os.unlink(self.program())
        os.rename(self.program() + "~", self.program())
        self.save(self.text().replace(BROKEN, MENDED))
        screen.see(screen.is_right, "right")


class Running(Base):
    def test_arguments(self):
        self.editor(BY_RENAMING, "my editor")
        editor = self.editor(f"""#!/bin/sh
printf '%s\\n' "$#" "$1" "$2" > {self.place("log")}
exec '{self.place("my editor")}' "$3"
""")
        screen = self.at_program(VISUAL=f"{editor} --wait 'two words'", EDITOR="false")
        screen.send("e")
        screen.see(screen.is_right, "right")
        self.assertEqual(self.log(), "3\n--wait\ntwo words\n")

    def test_which_editor(self):
        screen = self.at_program(VISUAL="", EDITOR=self.editor(BY_RENAMING))
        screen.send("e")
        screen.see(screen.is_right, "right")
        os.mkdir(self.place("bin"))
        screen = self.at_program(PATH=self.place("bin"))
        screen.send("e")
        screen.wait_notice("Neither VISUAL nor EDITOR names an editor", "layer_norm.lua")
        self.editor(f"#!/bin/sh\necho this > {self.place('log')}\n", "bin/vi")
        screen.send("e")
        self.assertEqual(self.log(), "this\n")
        self.leave(screen)

    def test_an_editor_that_fails_is_told(self):
        for editor, words in ((self.place("none"), "cannot be started"), ("no-such-editor --wait", "cannot be started"),
                              (self.editor("#!/bin/sh\nexit 3\n", "three"), "ended with status 3"),
                              (self.editor("#!/bin/sh\nkill -9 $$\n", "killed"), "ended with status 137")):
            with self.subTest(words, editor=editor):
                screen = self.at_program(VISUAL=editor)
                screen.send("e")
                screen.wait_notice(words, "Any editor will do for", "the probes run")
                self.save(self.text().replace(BROKEN, MENDED))
                screen.see(screen.is_right, "right")
                screen.send("0", "0")
                screen.wait_notice("beside it as")
                self.leave(screen)

    def test_what_an_editor_is_born_with(self):
        screen = self.at_program(VISUAL=self.editor(f"""#!/bin/sh
grep -E 'Sig(Blk|Ign)' /proc/self/status > {self.place("log.new")}
stty -a >> {self.place("log.new")}
ls /proc/$$/fd > {self.place("files")}
mv {self.place("log.new")} {self.place("log")}
"""))
        screen.send("e")
        log = self.log()
        blocked, ignored = (int(found, 16) for found in re.findall(r"Sig\w+:\s(\w+)", log))
        self.assertEqual((blocked, ignored & 0x7fffffff), (0, 0))
        files = {int(file) for file in self.text(self.place("files")).split()}
        self.assertEqual({file for file in files if file < 10}, {0, 1, 2})  # above: the shell's own
        for mode in ("icanon", "isig", "echo", "icrnl", "opost"):
            self.assertRegex(log, rf"(?<![-\w]){mode}(?!\w)")
        self.leave(screen)

    def test_the_screen_is_left_and_entered_anew(self):
        screen = self.at_program(VISUAL=self.editor(f"""#!/bin/sh
printf '\\033[2J\\033[H\\033[31;44mThis is the editor.\\033[?25h'
while [ ! -e {self.place("go")} ]; do sleep 0.05; done
"""))
        before = screen.settle()
        screen.send("e")
        screen.wait("This is the editor.")
        self.assertGreater(screen.raw.rfind(b"\x1b[?1049l"), screen.raw.rfind(b"\x1b[?1049h"))
        screen.send("n" * 5)  # nobody is there to read it
        screen.resize(100, 40)
        open(self.place("go"), "w").close()
        screen.wait("Mend layer_norm", "Esc ")
        screen.until(lambda text: any(len(line) > 80 for line in screen.lines), "the new size")
        screen.settle()
        self.assertNotIn("This is the editor.", screen.text)
        self.assertEqual(glob.glob(self.program("alone/mend/batch.*")), [self.program()])
        screen.resize(80, 30)
        screen.until(lambda text: text == before, "the screen as it was")
        self.leave(screen)

    def test_ctrl_c_is_the_editors(self):
        screen = self.at_program(VISUAL=self.editor(f"""#!/bin/sh
trap 'echo interrupted > {self.place("log")}' INT
trap '' QUIT
echo waiting
while [ ! -e {self.place("log")} ]; do sleep 0.05; done
"""))
        screen.send("e")
        screen.wait("waiting")
        for number in (signal.SIGINT, signal.SIGQUIT):
            screen.kill(number)
        screen.send(CTRL_C, "\x1c")
        self.assertEqual(self.log(), "interrupted\n")
        screen.wait_gone("waiting")
        self.leave(screen)

    def test_told_to_end_while_the_editor_runs(self):
        editor = self.editor(f"""#!/bin/sh
trap 'echo told > {self.place("log")}; exit' TERM HUP
stty raw -echo
echo waiting
while true; do sleep 0.05; done
""")
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                screen = self.at_program(VISUAL=editor)
                workers = screen.workers()
                screen.send("e")
                screen.wait("waiting")
                screen.kill(number)
                screen.wait_end(128 + number)
                self.assertTrue(screen.restored(), "the terminal is not as it was")
                self.assertEqual(self.log(), "told\n")
                os.unlink(self.place("log"))
                for worker in workers:
                    self.until(lambda: not os.path.exists(f"/proc/{worker}"), "the worker's end")

    def test_an_editor_that_does_not_end_is_left(self):
        screen = self.at_program(VISUAL=self.editor(f"""#!/bin/sh
trap '' TERM
echo $$ > {self.place("log.new")}
mv {self.place("log.new")} {self.place("log")}
while true; do sleep 0.05; done
"""))
        screen.send("e")
        editor = int(self.log())
        self.addCleanup(os.kill, editor, signal.SIGKILL)
        screen.kill(signal.SIGTERM)
        screen.wait_end(128 + signal.SIGTERM)
        self.assertTrue(screen.restored())


class Stopped(Base):
    def shell(self, editor, *options):
        shell = Terminal(["-i"], 80, 30, home=self.home, program="/bin/sh", environment={"PS1": "ready$ ", "VISUAL": editor})
        self.addCleanup(shell.close)
        shell.wait("ready$")
        shell.send(" ".join(map(shlex.quote, [NORMTUTOR, "play", MEND, "--step", "batch", "--seed", "7", *options])) + "\r")
        shell.wait("Mend layer_norm")
        return shell

    def test_a_job_is_stopped_and_continued(self):
        stops = {"the whole job": "kill -TSTP 0", "its shell alone": "kill -STOP $PPID", "by its key": "cat > /dev/null"}
        self.editor(BY_RENAMING, "mend")
        for how, stop in stops.items():
            with self.subTest(how):
                editor = self.editor(f"#!/bin/sh\necho this is the editor\n{stop}\nexec {self.place('mend')} \"$1\"\n")
                shell = self.shell(editor)
                shell.settle()
                shell.send("e")
                shell.wait("this is the editor")
                if how == "by its key":
                    shell.send(CTRL_Z)
                shell.until(lambda text: text.rstrip().endswith("ready$"), "the shell")
                shell.send("echo still here\r")
                shell.until(lambda text: "\nstill here" in text, "the shell's answer")
                shell.send("fg\r")
                if how == "by its key":
                    time.sleep(0.3)
                    shell.send("\x04")
                shell.wait("✓ Right.")
                shell.send("0", "0")
                shell.wait_notice("beside it as")
                shell.send(CTRL_C)
                shell.until(lambda text: any(line.startswith("ready$") for line in shell.lines), "the shell")
                self.assertTrue(termios.tcgetattr(shell.slave)[3] & termios.ICANON)
                shell.send("exit\r")
                shell.wait_end()

    def test_stopped_where_nobody_can_continue_it(self):
        """The tutor is the terminal's first program: what stops goes on."""
        self.editor(BY_RENAMING, "mend")
        screen = self.at_program(VISUAL=self.editor(f"#!/bin/sh\nkill -STOP $PPID\nexec {self.place('mend')} \"$1\"\n"))
        screen.send("e")
        screen.see(screen.is_right, "right")
        self.leave(screen)


class Days(Base):
    def test_yesterdays_program_is_probed_today(self):
        screen = self.at_program()
        self.save(self.text().replace(BROKEN, '{ "token" }'))
        screen.see_words("It averages over the tokens.")
        self.leave(screen)
        screen = self.at_program()
        screen.see_words("It averages over the tokens.")
        self.leave(screen)
        self.save(self.text().replace('{ "token" }', MENDED))
        screen = self.at_program()
        screen.see(screen.is_right, "right")
        self.leave(screen)

    def test_start_over_asks_first_and_keeps_the_text(self):
        screen = self.at_program()
        start = self.text()
        self.save("-- mine")
        screen.see_words("did not count")
        screen.send("0")
        screen.wait_notice("0 once more")
        self.assertEqual(self.text(), "-- mine")
        screen.send("[", "0")
        screen.wait_notice("0 once more")
        self.assertEqual(self.text(), "-- mine")
        screen.send("0")
        screen.wait_notice("beside it as layer_norm.lua~.")
        screen.wait_gone("did not count")
        self.assertEqual((self.text(), self.text(self.program() + "~")), (start, "-- mine"))
        self.leave(screen)

    def test_given_up(self):
        screen = self.at_program()
        self.save("-- mine")
        screen.see_words("did not count")
        screen.send("h")
        screen.see_words("Look at over")
        screen.send("h", "h")
        screen.see_words("Over features, and over nothing else.")
        self.assertEqual(self.text(), "-- mine")
        self.save("-- still mine")
        screen.wait_notice("The answer is shown already")
        self.leave(screen)

    def test_other_numbers_have_another_file(self):
        screen = self.at_program()
        self.save("-- mine")
        screen.see_words("did not count")
        screen.send("n")
        second = self.program("alone/mend/batch.7.1")
        self.until(lambda: os.path.exists(second), "another file")
        screen.see_words("batch.7.1")
        self.save(self.text(second).replace(BROKEN, MENDED), second)
        screen.see(screen.is_right, "right")
        self.assertEqual(self.text(), "-- mine")
        screen.send("b", ENTER)
        self.leave(screen)

    def test_no_place_for_a_file(self):
        os.mkdir(self.home + "/state")
        open(self.home + "/state/normtutor", "w").close()
        screen = self.at_program()
        screen.wait_notice("your program has no file")
        screen.send("e")
        screen.wait_notice("your program has no file")
        self.leave(screen)

    def test_show_makes_no_file(self):
        answer = self.place("mine.lua")
        with open(answer, "w") as file:
            file.write('function layer_norm(x, scale, bias, eps)\n  return x\nend\n')
        shown = [tutor("show", MEND, "--step", "batch", "--answer", "@" + answer, "--size", "80x40", home=self.home) for _ in range(2)]
        self.assertEqual(shown[0].returncode, 0, shown[0].stderr)
        self.assertIn("✗", shown[0].stdout)
        self.assertEqual(shown[0].stdout, shown[1].stdout)
        missing = tutor("show", MEND, "--step", "batch", "--answer", "@none.lua", home=self.home)
        self.assertEqual(missing.returncode, 2)
        self.assertIn("none.lua", missing.stderr)
        self.assertEqual(glob.glob(self.home + "/state/normtutor/work*"), [])


class PlainLines(Base):
    def in_terminal(self, editor):
        terminal = Terminal(["play", MEND, "--step", "batch", "--seed", "7", "--plain"], 100, 60, home=self.home,
                            environment={"VISUAL": editor})
        self.addCleanup(terminal.close)
        terminal.wait("Commands: ", "\n>")
        return terminal

    def test_saved_between_commands(self):
        with Plain(["play", MEND, "--step", "batch", "--seed", "7", "--plain"], home=self.home) as plain:
            plain.see_words("~/state/normtutor/work/alone/mend/batch.7/layer_norm.lua", "probes")
            start = self.text()
            self.save(start.replace(BROKEN, '{ "token" }'))
            plain.say("probes")
            plain.see_words("Wrong: It averages over the tokens.")
            plain.say("edit")
            plain.see_words("There is no terminal for an editor here", self.program())
            self.save(start.replace(BROKEN, MENDED))
            plain.say("probes")
            plain.see(plain.is_right, "right")
            plain.say("start over")
            plain.see_words("start over once more")
            plain.say("start over")
            plain.see_words("beside it as layer_norm.lua~.")
            self.assertEqual(self.text(), start)
            plain.say("answer 3")
            plain.see_words("The answer is your program.")
            os.unlink(self.program())
            plain.say("probes")
            plain.see_words("is gone")
            self.assertEqual(plain.end()[0], 0)

    def test_an_editor(self):
        terminal = self.in_terminal(self.editor(BY_RENAMING))
        terminal.send("edit\r")
        terminal.wait("Right.")
        terminal.send("quit\r")
        terminal.wait_end(0)
        self.assertTrue(terminal.restored())

    def test_an_editor_that_does_not_exist(self):
        terminal = self.in_terminal("no-such-editor")
        terminal.send("edit\r")
        terminal.wait("cannot be started", "then say probes")
        self.save(self.text().replace(BROKEN, MENDED))
        terminal.send("probes\r")
        terminal.wait("Right.")

    def test_told_to_end_while_the_editor_runs(self):
        terminal = self.in_terminal(self.editor("#!/bin/sh\nstty raw -echo\necho waiting\nexec sleep 100\n"))
        terminal.send("edit\r")
        terminal.wait("waiting")
        terminal.kill(signal.SIGTERM)
        terminal.wait_end(-signal.SIGTERM)
        self.assertTrue(terminal.restored())


if __name__ == "__main__":
    unittest.main()
