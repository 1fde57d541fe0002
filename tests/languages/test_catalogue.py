"""The tutor's own words: marked where they are written, and all of them in every catalogue."""

import glob
import os
import re
import shutil
import subprocess
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[A-Za-z_]\w*|[(){},;\[\]]|\n|\S', re.S)
# Words for a person, as far as can be told: two of them with a blank between.
WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [A-Za-z(%]")
# Folders that speak to people, and what in them is no speech: SQL, programs, options, standards.
FOLDERS = "app", "archive", "base", "cage", "check", "cmd", "engine", "store", "tensor", "ui"
FILES_OF_OTHERS = {"src/store/schema.c", "src/ui/standin.c", "src/cmd/help.c", "src/cmd/version.c", "src/engine/fields.c"}
CALLS_OF_OTHERS = {"strcmp", "fill_in", "strncmp", "strstr", "strcasecmp", "luaL_checkstack", "lua_pushliteral", "run", "ask", "frame_greeting", "check_keys",
                   "read_table", "read_options", "raise_unknown", "type_argument", "damaged", "limit", "expected", "judge_first", "watch",
                   "luaL_argcheck", "refuse", "dgettext", "__attribute__"}
NOT_SPEECH = re.compile(r"SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|COMMIT|ROLLBACK|^return |local _ENV|^--: |  --|^normtutor |"
                        r"^return|grad |sqrt |^tensor %s$|^kind of|tensors: %s|show answer|start over|^view all$|Up Down|an error$|by $|"
                        r"cannot (add|subtract|multiply|divide|raise|take)|to the power|does not fit|plain C|%s is$|^New (course|lesson)$|^%zu KiB$|%llu|^SQLite|^next, |^(next, )?(back, )?help, |help, quit|^, (list|off|stage|view|new|edit)[a-z ,N]*(\\\\n)?$")


def sinks():
    """Functions whose format is said in the language, with the number of that argument."""
    with open(ROOT + "/scripts/translations") as file:
        said = re.search(r'^said="(.*)"', file.read(), re.M)[1]
    return {name: int(number) for name, number in (one.split(":") for one in said.split())} | {"add": 4}


def literals(path):
    """(line, call, argument, text) of each string; `call` is the innermost around it."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    stack, line, before = [], 1, None
    for found in TOKEN.finditer(source):
        token = found.group()
        if token == "\n":
            line += 1
            continue
        line += token.count("\n")
        if token.startswith(("/*", "//")):
            continue
        if token == "(":
            stack.append([before if before and re.fullmatch(r"[A-Za-z_]\w*", before) else "(", 1])
        elif token in ("{", "["):
            stack.append([token, 1])
        elif token in (")", "}", "]") and stack:
            stack.pop()
        elif token == "," and stack:
            stack[-1][1] += 1
        elif token.startswith('"') and before != "include":
            call = next((entry for entry in reversed(stack) if entry[0] not in "(["), ["{", 0])
            yield line, call[0], call[1], token[1:-1]
        before = token


class Catalogue(unittest.TestCase):
    maxDiff = None

    def test_words_are_marked(self):
        said, unmarked = sinks(), []
        for folder in FOLDERS:
            for path in sorted(glob.glob(f"{ROOT}/src/{folder}/*.c")):
                name = os.path.relpath(path, ROOT)
                if name in FILES_OF_OTHERS:
                    continue
                for line, call, argument, text in literals(path):
                    if not WORDS.search(text) or NOT_SPEECH.search(text) or call in CALLS_OF_OTHERS:
                        continue
                    if call in ("_", "N_", "language_count") or said.get(call) == argument:
                        continue
                    unmarked.append(f"{name}:{line}: {call}: {text}")
        self.assertEqual(unmarked, [], "unmarked: put _( ) or N_( ) around what a person reads (src/base/language.h)")

    @unittest.skipUnless(shutil.which("xgettext") and shutil.which("msgmerge"), "gettext's programs are not here")
    def test_catalogues_are_complete(self):
        done = subprocess.run([ROOT + "/scripts/translations", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"run scripts/translations, and translate what is missing:\n{done.stdout}{done.stderr}")

    @unittest.skipUnless(shutil.which("msgfmt"), "msgfmt is not here")
    def test_formats_are_safe(self):
        for catalogue in glob.glob(ROOT + "/po/*.po"):
            done = subprocess.run(["msgfmt", "--check-format", "-o", os.devnull, catalogue], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), catalogue)


if __name__ == "__main__":
    unittest.main()
