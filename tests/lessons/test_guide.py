"""lessons/README.md: every example runs and prints what it says; every name that a lesson can use is in it, and no other."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NORMTUTOR = os.environ.get("NORMTUTOR", ROOT + "/build/normtutor")
EXPOSED = os.path.join(os.path.dirname(NORMTUTOR), "tests/lessons/exposed")
GUIDE = ROOT + "/lessons/README.md"
# Where parts of lessons stand, as the guide says: with x, a row of four whole numbers, and eps.
PART = """return lesson "part" {
  format = 1, title = "Part",
  data = function(random) return { x = random:integers { 4, from = 1, to = 9, distinct = true }, eps = 1e-5 } end,
  accept = "x:var() % 1 ~= 0 and abs(x - x:mean()):min() > 0",
  @PART@
}
"""
QUIET = ("advice: ", "nothing is asked", "make no difference")


def tutor(*arguments, cwd=None):
    environment = {k: v for k, v in os.environ.items() if k in ("PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS")}
    with tempfile.TemporaryDirectory(prefix="normtutor-guide.") as home:
        return subprocess.run([NORMTUTOR, *arguments], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={**environment, "HOME": home, "LC_ALL": "C.UTF-8"})


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def fences(text):
    """(line, code) of each example in Lua."""
    for found in re.finditer(r"^```lua\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, found.start()) + 2, found[1]


def sections(text):
    """{heading: what stands below it, up to the next one}"""
    parts = re.split(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def exposed():
    """{sort: set of names}, as the engine has them; fields and quantities as {construct: set}."""
    found = {"global": set(), "method": set(), "program": set(), "probe": set(), "field": {}, "quantity": {}}
    for line in subprocess.run([EXPOSED], capture_output=True, text=True, check=True).stdout.split("\n"):
        sort, _, name = line.partition(" ")
        if sort in ("field", "quantity"):
            construct, _, field = name.partition(" ")
            found[sort].setdefault(construct, set()).add(field)
        elif sort:
            found[sort].add(name)
    return found


class Examples(unittest.TestCase):
    def setUp(self):
        self.text = read(GUIDE)

    def test_expressions_print_what_the_guide_says(self):
        count = 0
        for line, code in fences(self.text):
            for n, row in enumerate(code.split("\n")):
                example = re.fullmatch(r"(.+) --([>!]) (.+)", row)
                if not example:
                    continue
                count += 1
                with self.subTest(f"README.md:{line + n}: {row}"):
                    done = tutor("eval", "-e", example[1])
                    if example[2] == ">":
                        self.assertEqual((done.stdout.rstrip("\n").expandtabs(1), done.stderr), (example[3], ""))
                    else:
                        self.assertEqual(done.returncode, 1, done.stdout)
                        self.assertIn(example[3], done.stderr)
        self.assertGreater(count, 100)

    def test_lessons_and_parts_of_them_pass_check(self):
        with tempfile.TemporaryDirectory(prefix="normtutor-guide.") as folder:
            for name in ("shared", "files"):
                os.mkdir(f"{folder}/{name}")
            self.lay_files(folder)
            lessons = []
            for line, code in fences(self.text):
                first = code.split("\n")[0]
                if " --> " in code or " --! " in code:
                    continue
                if shared := re.match(r"-- (shared/\w+\.lua)\n", code):
                    self.write(f"{folder}/{shared[1]}", code)
                elif course := re.match(r'return course "', code):
                    self.write(f"{folder}/course.lua", code)
                elif lesson := re.search(r'^return lesson "([\w-]+)"', code, re.M):
                    lessons.append((line, lesson[1], code))
                elif first.startswith(("step", "ask", "view")):
                    part = code if not first.startswith("view") else 'step "view" { text = "x is {x}.", show = ' + code + "},"
                    lessons.append((line, "part", PART.replace("@PART@", re.sub(r"^}$", "},", part, flags=re.M))))
                else:
                    self.fail(f"README.md:{line}: what is this example?\n{code}")
            self.assertGreater(len(lessons), 20)
            for line, name, code in lessons:
                with self.subTest(f"README.md:{line}: {name}"):
                    self.write(f"{folder}/{name}.lua", code)
                    done = tutor("check", f"{name}.lua", "--seeds", "10", cwd=folder)
                    faults = [row for row in done.stdout.split("\n")[:-2] if not any(words in row for words in QUIET)]
                    self.assertEqual(faults, [], done.stdout + done.stderr)
                    self.assertEqual(done.stderr, "")
            self.write(f"{folder}/part.lua", PART.replace("@PART@", 'step "s" { text = "x is {x}" }'))
            done = tutor("check", ".", "--seeds", "4", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def lay_files(self, folder):
        head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
        head += " " * (63 - (len(head) + 10) % 64) + "\n"
        with open(f"{folder}/files/rows.npy", "wb") as file:
            import struct
            file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<6f", 1, 2, 3, 4, 6, 9))
        self.write(f"{folder}/files/note.txt", "nothing to note")

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_every_command_is_one(self):
        commands = set(re.findall(r"normtutor ([a-z]+)", re.sub(r"my-course.*|share/normtutor", "", self.text)))
        commands -= {"is", "in"}
        self.assertGreaterEqual(commands, {"play", "show", "check", "new", "eval", "pack", "install", "translate"})
        for command in commands:
            self.assertEqual(tutor("help", command).returncode, 0, command)

    def test_links_lead_somewhere(self):
        anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ (.+)$", self.text, re.M)}
        for link in re.findall(r"\]\(#([\w-]+)\)", self.text):
            self.assertIn(link, anchors)


class Names(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.text = read(GUIDE)
        self.sections = sections(self.text)
        self.exposed = exposed()

    def test_functions(self):
        """Each has a heading `name...`, and what has one is there."""
        said = set()
        for heading in self.sections:
            for name in re.findall(r"`([\w.]+(?::\w+)?)[^`]*`", heading):
                said.add(re.sub(r"^x:", "tensor:", name))
        lua = set(re.findall(r"[\w.]+", self.sections["Lua"]))
        libraries = {"string", "table", "math", "utf8"}
        functions = {n for n in self.exposed["global"] if "." not in n} | {n for n in self.exposed["global"] if n.startswith(("tensor.", "nn."))}
        functions |= self.exposed["method"]
        for name in sorted(self.exposed["global"]):
            library, _, member = name.partition(".")
            if library in libraries:
                self.assertIn(member or library, lua, f"{name} is not in the guide")
                functions.discard(name)
        words = {n for n in functions if re.search(rf"^### .*\b{n}\b", self.text, re.M)} | {"ask", "knob", "view", "nn"}
        missing = {n for n in functions - said - words if n not in lua}
        self.assertEqual(missing, set(), "not in the guide")
        self.assertEqual(said - self.exposed["global"] - self.exposed["method"], set(), "in the guide, and not there")

    def test_constructs(self):
        for name in self.exposed["global"]:
            if name.startswith(("ask.", "knob.", "view.")):
                self.assertRegex(self.text, rf"(?m)^### .*\b{re.escape(name)}\b")

    def test_fields(self):
        def of(heading):
            return {name for row in re.findall(r"^\| (`[^|]+) \|", self.sections[heading], re.M) for name in re.findall(r"`(\w+)`", row)}

        headings = {name: heading for heading in self.sections for name in re.findall(r"[\w.]+", heading) if " " not in name}
        step, asked = of("step"), of("Every question")
        for construct, fields in self.exposed["field"].items():
            base = construct.partition("(")[0]
            said = of(headings[base])
            if base == "ask.code":
                said -= self.exposed["probe"]
            if base.startswith("ask."):
                said |= step | asked
            if base == "knob.int":
                said.add("stops")
            self.assertEqual(said, fields, construct)

    def test_quantities(self):
        for construct, quantities in self.exposed["quantity"].items():
            hidden = re.search(r"^Can be hidden(?:, by name)?: (.+)\.$", self.sections[construct], re.M)
            self.assertEqual(set(re.findall(r"`([^`]+)`", hidden[1])), quantities, construct)

    def test_probes(self):
        self.assertEqual({n for n in re.findall(r"^\| `(\w+)` \|", self.sections["ask.code"], re.M) if n in self.exposed["probe"]}, self.exposed["probe"])

    def test_what_a_program_lacks(self):
        said = self.sections["ask.code"]
        for name in ("grad", "pcall", "utf8", "find", "gmatch", "gsub", "match"):
            self.assertIn(f"`{name}`", said)
        lacks = {n for n in self.exposed["global"] if "." not in n} - self.exposed["program"]
        self.assertLessEqual({"grad", "pcall", "utf8"}, lacks)

    def test_annotations(self):
        api = read(ROOT + "/lessons/api.lua")
        said = {name.replace("Tensor:", "tensor:").replace("Random:", "random:") for name in re.findall(r"^function ([\w.]+(?::\w+)?)\(", api, re.M)}
        said |= set(re.findall(r"^([a-z]\w*) = ", api, re.M)) | {"tensor" for _ in re.findall(r"^---@overload fun\(list", api, re.M)}
        ours = {n for n in self.exposed["global"] if n.split(".")[0] not in ("string", "table", "math", "utf8")} | self.exposed["method"]
        ours -= {"_VERSION", "assert", "error", "getmetatable", "ipairs", "pairs", "pcall", "rawequal", "rawlen", "select", "setmetatable",
                 "tonumber", "tostring", "type"}
        self.assertEqual(said, ours)
        asked = self.exposed["field"]["ask.choice"] - self.exposed["field"]["step"] - {"several", "shuffle"}
        for name, rows in re.findall(r"^---@class (\w+)[^\n]*\n((?:---@field[^\n]*\n)*)", api, re.M):
            fields = {row[0] for row in re.findall(r"---@field (\[?\w+\]?)(\??)", rows)}
            view = re.fullmatch("View(.+)", name)
            kind = "view." + view[1].lower() if view else {"Course": "course", "Lesson": "lesson", "Step": "step", "AskNumber": "ask.number", "AskShape": "ask.shape", "AskChoice": "ask.choice",
                    "AskOrder": "ask.order", "AskCode": "ask.code", "Mistake": "mistake"}.get(name)
            if kind:
                known = self.exposed["field"][kind] - {"1"}
                if name.startswith("Ask"):
                    known -= self.exposed["field"]["step"] | asked
                self.assertEqual({f for f in fields if not f.startswith("[")}, known, name)


@unittest.skipUnless(shutil.which("luacheck"), "luacheck is not here")
class Luacheck(unittest.TestCase):
    def luacheck(self, path):
        return subprocess.run(["luacheck", "--no-color", "--codes", path], cwd=ROOT + "/lessons", capture_output=True, text=True)

    def test_the_built_in_lessons_pass(self):
        done = self.luacheck(".")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_misspelt_name_does_not(self):
        with tempfile.TemporaryDirectory(prefix="normtutor-guide.") as folder:
            with open(folder + "/wrong.lua", "w", encoding="utf-8") as file:
                file.write('return leson "wrong" { format = 1, define = { f = function(x) return sqrt(x) + tenser { 1 } end } }\n')
            shutil.copy(ROOT + "/lessons/.luacheckrc", folder)
            done = subprocess.run(["luacheck", "--no-color", "."], cwd=folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        for name in ("leson", "tenser"):
            self.assertIn(name, done.stdout)
        self.assertNotIn("sqrt", done.stdout)

    def test_it_knows_all_names_and_no_other(self):
        names = {n for n in exposed()["global"] if "." not in n}
        with tempfile.TemporaryDirectory(prefix="normtutor-guide.") as folder:
            shutil.copy(ROOT + "/lessons/.luacheckrc", folder)
            with open(folder + "/all.lua", "w", encoding="utf-8") as file:
                file.write(f"return {{ {', '.join(sorted(names))} }}\n")
            self.assertEqual(subprocess.run(["luacheck", "."], cwd=folder, capture_output=True, text=True).returncode, 0)
            with open(folder + "/all.lua", "w", encoding="utf-8") as file:
                file.write("return { io, os, debug, require, load, next, print, coroutine }\n")
            done = subprocess.run(["luacheck", "--no-color", "."], cwd=folder, capture_output=True, text=True)
        self.assertIn("8 warnings", done.stdout)


if __name__ == "__main__":
    unittest.main()
