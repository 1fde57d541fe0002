"""Courses as files: packed, installed, played and removed, and archives that somebody made to do harm."""

import bz2
import fcntl
import gzip
import io
import lzma
import os
import re
import signal
import stat
import subprocess
import tarfile
import unittest
import zipfile

from terminal import CTRL_C, ENTER, NORMTUTOR, TAB, Terminal, home_environment
from test_commands import Base

COURSE = 'return course "{id}" {{\n  format = 1, title = "{title}", author = "{author}", licence = "MIT", version = "{version}",\n' \
         '  lessons = {{ {lessons} }},\n}}\n'
LESSON = 'return lesson "{id}" {{\n  format = 1, title = "{title}", {more}\n  step "look" {{ text = "{title} says hello." }},\n' \
         '  ask.number "sum" {{ text = "What is 1 + 1?", answer = 2, why = "Two." }},\n}}\n'


def setUpModule():
    done = subprocess.run([NORMTUTOR, "install", "--yes", "/dev/null"], capture_output=True, text=True)
    if "libarchive" in done.stderr:
        raise unittest.SkipTest(done.stderr.strip())


def head(name="blocks", version="1.0", author="A. Author", title="Blocks", lessons=("one", "two")):
    return COURSE.format(id=name, version=version, author=author, title=title, lessons=", ".join(f'"{lesson}"' for lesson in lessons))


def lesson(name, title=None, more=""):
    return LESSON.format(id=name, title=title or name.capitalize(), more=more)


def course(**about):
    """The files of a course that is well."""
    return {"course.lua": head(**about), "one.lua": lesson("one"), "two.lua": lesson("two", more='files = { "poem.txt" },'),
            "shared/blocks.lua": "return {}\n", "files/poem.txt": "Roses\n"}


def entry(name, data=b"", **fields):
    """(what the header says, what follows it)"""
    info = tarfile.TarInfo(name)
    data = data.encode() if isinstance(data, str) else data
    info.size = len(data)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


def entries(files, top="blocks"):
    return [entry(f"{top}/{name}", text) for name, text in files.items()]


def tar(members, **how):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", **{"format": tarfile.GNU_FORMAT, **how}) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data) if info.isreg() else None)
    return out.getvalue()


def packed(*more, files=None, **how):
    return gzip.compress(tar(entries(files or course()) + list(more), **how), mtime=0)


def raw_header(name, kind=b"0", size=0, data=b"", magic=b"ustar\x0000", link=b""):
    """A block as no library would write it, with a checksum that fits."""
    block = bytearray(512)
    for at, field in ((0, name), (100, b"0000644\0"), (108, b"0000000\0"), (116, b"0000000\0"), (124, b"%011o\0" % size),
                      (136, b"00000000000\0"), (148, b" " * 8), (156, kind), (157, link), (257, magic)):
        block[at:at + len(field)] = field
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + data + b"\0" * (-len(data) % 512)


def raw(*blocks):
    """A well-formed course, and behind it these blocks."""
    plain = tar(entries(course())).rstrip(b"\0")
    return gzip.compress(plain + b"\0" * (-len(plain) % 512) + b"".join(blocks) + b"\0" * 1024, mtime=0)


def pax(records, name=b"blocks/files/innocent"):
    body = b""
    for key, value in records.items():
        value = value if isinstance(value, bytes) else value.encode()
        for length in range(len(key) + len(value) + 4, len(key) + len(value) + 16):
            record = b"%d %s=%s\n" % (length, key.encode(), value)
            if len(record) == length:
                body += record
                break
    return raw_header(b"PaxHeader", b"x", len(body), body) + raw_header(name, size=4, data=b"harm")


def snapshot(folder):
    """Everything below it, links not followed."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            status = os.lstat(path)
            what = os.readlink(path) if stat.S_ISLNK(status.st_mode) else open(path, "rb").read() if stat.S_ISREG(status.st_mode) else ""
            found[os.path.relpath(path, folder)] = (status.st_mode, what)
    return found


class Packages(Base):
    def setUp(self):
        super().setUp()
        self.courses = self.home + "/data/normtutor/courses"
        os.mkdir(self.home + "/data")

    def put(self, name="blocks", files=None, **about):
        for path, text in (files or course(**about)).items():
            os.makedirs(os.path.dirname(f"{self.home}/{name}/{path}"), exist_ok=True)
            self.write(f"{name}/{path}", text)
        return f"{self.home}/{name}"

    def archive(self, data, name="blocks.tar.gz"):
        path = f"{self.home}/{name}"
        with open(path, "wb") as file:
            file.write(data)
        return path

    def pack(self, name="blocks", to="blocks.tar.gz", **about):
        self.run_tutor("pack", self.put(name, **about), "-o", f"{self.home}/{to}")
        return f"{self.home}/{to}"

    def install(self, path, *more):
        return self.run_tutor("install", "--yes", path, *more)

    @staticmethod
    def contents(folder):
        return {name: (stat.S_IFMT(mode), what) for name, (mode, what) in snapshot(folder).items()}

    def installed(self):
        """What is in the courses' folder: by name, the version."""
        found = {}
        for name in os.listdir(self.courses) if os.path.isdir(self.courses) else ():
            with open(f"{self.courses}/{name}/course.lua", encoding="utf-8") as file:
                found[name] = re.search(r'version = "(.*?)"', file.read())[1]
        return found

    def refused(self, path, words, *more, status=1):
        """Nothing anywhere is other than it was; what was said."""
        before = snapshot(self.home)
        said = self.trouble("install", "--yes", path, *more, status=status)
        self.assertRegex(said, words)
        self.assertTrue(snapshot(self.home) == before, "something was left or taken")
        return said


class Pack(Packages):
    def test_it_lists_what_is_in_it_and_what_is_not(self):
        folder = self.put(files={**course(), "README.md": "x", "draft.lua": "x", "shared/notes.txt": "x", "files/a/b.txt": "b",
                                    "lang/de/one.lua": "return {}\n", ".git/config": "x"})
        said = self.run_tutor("pack", folder, "-o", self.home + "/a.tar.gz")
        with tarfile.open(self.home + "/a.tar.gz") as archive:
            names = archive.getnames()
        inside = sorted([*course(), "files/a/b.txt", "lang/de/one.lua"])
        self.assertEqual(names, ["blocks/" + name for name in inside])
        self.assertEqual(re.findall(r"^ +\d+  (.*)$", said, re.M), inside)
        self.assertEqual(re.findall(r"left out:  (.*)", said), [".git", "README.md", "draft.lua", "shared/notes.txt"])

    def test_the_same_course_gives_the_same_bytes(self):
        first = open(self.pack(), "rb").read()
        files = dict(reversed(course().items()))
        self.put("again", files=files)
        for name in files:
            os.utime(f"{self.home}/again/{name}", (10**9, 10**9))
            os.chmod(f"{self.home}/again/{name}", 0o600)
        self.run_tutor("pack", self.home + "/again/", "-o", self.home + "/again.tar.gz")
        self.assertEqual(open(self.home + "/again.tar.gz", "rb").read(), first)
        self.assertEqual(first[4:8], bytes(4))  # the time of packing
        with tarfile.open(self.home + "/again.tar.gz") as archive:
            for member in archive:
                self.assertEqual((member.mode, member.uid, member.gid, member.uname, member.gname, member.mtime, member.type),
                                 (0o644, 0, 0, "", "", 0, tarfile.REGTYPE))

    def test_the_file_is_called_by_the_id_and_replaces_an_older_one(self):
        self.put("elsewhere")
        for _ in range(2):
            done = subprocess.run([NORMTUTOR, "pack", "."], cwd=self.home + "/elsewhere", capture_output=True, text=True,
                                  env=home_environment(self.home))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(set(os.listdir(self.home + "/elsewhere")) - {*course()}), ["blocks.tar.gz", "files", "shared"])
        self.install(self.home + "/elsewhere/blocks.tar.gz")
        self.assertEqual(self.installed(), {"blocks": "1.0"})

    def test_a_lesson_that_does_not_load_is_named_with_its_line(self):
        folder = self.put(files={**course(), "two.lua": 'return lesson "two" {\n  format = 1, title = "T",\n  step "a" { txt = "A" },\n}\n'})
        self.assertRegex(self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1), rf"\A{folder}/two\.lua:3: .*txt")
        self.put(files={"course.lua": "return course {\n"})
        self.assertRegex(self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1), rf"\A{folder}/course\.lua:\d")
        self.put(files={"course.lua": head(lessons=("one", "three"))})
        self.assertIn("three.lua", self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1))
        self.assertFalse(os.path.exists(self.home + "/a.tar.gz"))

    def test_links_hidden_files_and_what_is_no_file_are_refused(self):
        secret = self.write("secret.txt", "secret")
        for name, make in (("files/link", lambda path: os.symlink(secret, path)),
                           ("files/folder", lambda path: os.symlink(self.home, path)),
                           ("files/pipe", os.mkfifo),
                           ("files/.hidden", lambda path: open(path, "w", encoding="utf-8").close()),
                           ("shared/.x.lua.swp", lambda path: open(path, "w", encoding="utf-8").close()),
                           ("shared/x.lua", lambda path: os.symlink(secret, path)),
                           ("lang", lambda path: os.symlink(self.home, path)),
                           ("files/b\\c", lambda path: open(path, "w", encoding="utf-8").close()),
                           ("files/esc\x1b", lambda path: open(path, "w", encoding="utf-8").close())):
            with self.subTest(name=name):
                folder = self.put()
                make(f"{folder}/{name}")
                said = self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1)
                self.assertIn(f"{folder}/{name} cannot be packed: ".replace("\x1b", "␛"), said)
                self.assertFalse(os.path.exists(self.home + "/a.tar.gz"))
                os.unlink(f"{folder}/{name}")
        os.rename(folder + "/one.lua", self.home + "/one.lua")
        os.symlink(self.home + "/one.lua", folder + "/one.lua")
        self.assertIn("one.lua cannot be packed: it is a link", self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1))

    def test_what_could_not_be_installed_is_not_packed(self):
        folder = self.put(files={**course(), "files/A.txt": "", "files/a.txt": ""})
        self.assertIn("capitals", self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1))
        folder = self.put("other", files={**course(name="norms")})
        self.assertIn("built-in", self.trouble("pack", folder, "-o", self.home + "/a.tar.gz", status=1))

    def test_where_it_cannot_be_written(self):
        folder = self.put()
        os.mkdir(self.home + "/taken")
        for to in (self.home + "/taken", "/dev/null", self.home + "/no/where.tar.gz"):
            self.assertIn(to, self.trouble("pack", folder, "-o", to, status=1))
        self.assertEqual(os.listdir(self.home + "/taken"), [])

    def test_wrong_usage(self):
        for arguments in (("pack",), ("pack", "a", "b"), ("pack", "--flurb"), ("pack", self.home), ("pack", "no/where"),
                          ("install",), ("install", "a", "b", "--yes"), ("install", "--yes", "no.tar.gz"), ("install", self.pack()),
                          ("remove",), ("remove", "a", "b", "--yes"), ("remove", "flurb", "--yes"), ("remove", "norms", "--yes"),
                          ("remove", "blocks"), ("install", "--yes", "--flurb", "x")):
            with self.subTest(arguments=arguments):
                self.trouble(*arguments, status=2)
        self.assertEqual(self.installed(), {})


class Install(Packages):
    def test_from_packing_to_removing(self):
        said = self.install(self.pack())
        for words in ("Blocks (blocks)", "A. Author", "MIT", "1.0", "5 files", "normtutor play blocks/one"):
            self.assertIn(words, said)
        self.assertEqual(self.contents(self.courses + "/blocks"), self.contents(self.home + "/blocks"))
        self.assertIn("Blocks\n  1  one  One", self.run_tutor("list"))
        self.assertIn("One says hello.", self.run_tutor("show", "blocks/one"))
        self.assertIn("progress", self.run_tutor("remove", "blocks", "--yes"))
        self.assertFalse(os.path.exists(self.courses))
        self.assertNotIn("Blocks", self.run_tutor("list"))

    def test_archives_that_others_made(self):
        for name, data in (("gnu", packed()), ("pax", packed(format=tarfile.PAX_FORMAT)), ("ustar", packed(format=tarfile.USTAR_FORMAT)),
                           ("folders", packed(entry("blocks/", type=tarfile.DIRTYPE), entry("blocks/files", type=tarfile.DIRTYPE))),
                           ("another top folder", gzip.compress(tar(entries(course(), top="blocks-1.0")))),
                           ("with a comment", packed(format=tarfile.PAX_FORMAT, pax_headers={"comment": "a commit"}))):
            with self.subTest(name=name):
                self.install(self.archive(data), "--replace")
                self.assertEqual(self.installed(), {"blocks": "1.0"})

    def test_another_version_takes_its_place_and_progress_stays(self):
        self.install(self.pack())
        with Terminal(["play", "blocks/one"], home=self.home) as t:
            t.wait("Enter begin") if "Enter begin" in t.settle() else None
            t.wait("One says hello.")
            t.send(ENTER)
            t.wait("What is 1 + 1?")
            t.send("2", ENTER)
            t.wait("Right.")
        self.assertIn("1 of 1 right", self.run_tutor("list"))
        said = self.install(self.pack(version="1.1", to="new.tar.gz"))
        self.assertIn("1.1", said)
        self.assertIn("In the place of: Blocks, version 1.0", said)
        self.assertEqual(self.installed(), {"blocks": "1.1"})
        self.assertIn("1 of 1 right", self.run_tutor("list"))
        self.run_tutor("remove", "blocks", "--yes")
        self.install(self.home + "/blocks.tar.gz")
        self.assertIn("1 of 1 right", self.run_tutor("list"))

    def test_what_the_new_version_does_not_have_is_gone(self):
        self.install(self.archive(packed(files={**course(), "files/old.txt": "old"})))
        self.install(self.archive(packed(files=course(version="2"))))
        self.assertEqual(sorted(os.listdir(self.courses + "/blocks/files")), ["poem.txt"])
        self.assertEqual(os.listdir(self.courses), ["blocks"])

    def test_another_author_s_course_does_not_slip_into_its_place(self):
        self.install(self.pack())
        path = self.pack("theirs", "theirs.tar.gz", author="B. Other", title="Bricks", version="9")
        self.refused(path, r'its id "blocks" belongs to Blocks, version 1\.0, by A\. Author.*--replace')
        self.install(path, "--replace")
        self.assertEqual(self.installed(), {"blocks": "9"})
        nameless = self.pack("nameless", "nameless.tar.gz", author="", title="Nobody's")
        self.refused(nameless, "--replace")
        self.install(nameless, "--replace")
        self.install(self.pack("nameless", "nameless.tar.gz", author="", title="Nobody's", version="2"))
        self.refused(self.pack("nameless", "more.tar.gz", author="", title="Nobody else's"), "by nobody named.*--replace")

    def test_the_built_in_id_and_ids_that_are_taken(self):
        self.refused(self.archive(packed(files=course(name="norms"))), "built-in", "--replace")
        os.makedirs(self.courses + "/mine")
        self.write("data/normtutor/courses/mine/course.lua", head(lessons=("one",)))
        self.refused(self.pack(), r"courses/mine has the course \"blocks\" already", "--replace")

    def test_what_stands_in_its_place_and_is_no_course(self):
        path = self.pack()
        os.makedirs(self.courses)
        os.symlink(self.home + "/blocks", self.courses + "/blocks")
        os.mkdir(self.home + "/elsewhere")
        self.refused(path, "move it away", "--replace")
        os.unlink(self.courses + "/blocks")
        os.mkdir(self.courses + "/blocks")
        self.write("data/normtutor/courses/blocks/precious.txt", "mine")
        self.refused(path, "move it away", "--replace")
        self.write("data/normtutor/courses/blocks/course.lua", "return nonsense\n")
        self.refused(path, "cannot be loaded.*--replace")
        self.install(path, "--replace")
        self.assertEqual(self.installed(), {"blocks": "1.0"})

    def test_a_course_that_does_not_load(self):
        broken = 'return lesson "two" {\n  format = 1, title = "T",\n  step "a" { txt = "A" },\n}\n'
        for files, words in (({"two.lua": broken}, r"\A\S*blocks\.tar\.gz/two\.lua:3: .*txt"),
                             ({"course.lua": "return {\n"}, r"\A\S*blocks\.tar\.gz/course\.lua:\d"),
                             ({"course.lua": "while true do end\n"}, r"too long"),
                             ({"one.lua": 'return lesson "one" { format = 99, title = "T", step "a" { text = "A" } }\n'}, r"one\.lua:1: .*99"),
                             ({"course.lua": head(lessons=("one", "three"))}, r'names the lesson "three"'),
                             ({"course.lua": head(lessons=("one", "../two"))}, r"\.\./two"),
                             ({"course.lua": head(name="../../out")}, r"course\.lua:1: "),
                             ({"course.lua": head(name="x" * 60)}, r"too long"),
                             ({"two.lua": lesson("two", more='files = { "none.txt" },')}, r"files/none\.txt cannot be read")):
            with self.subTest(words=words):
                self.refused(self.archive(packed(files={**course(), **files})), words)
        self.install(self.archive(packed()))
        self.refused(self.archive(packed(files={**course(version="2"), "two.lua": broken})), r"two\.lua:3")
        self.assertEqual(self.installed(), {"blocks": "1.0"})

    def test_words_of_a_course_do_not_steer_the_terminal(self):
        said = self.install(self.archive(packed(files=course(title=r"T\27[2J\n\7", author="A" * 5000))))
        self.assertNotRegex(said, "[\x1b\x07]")
        self.assertLess(len(said), 2000)

    def test_one_at_a_time(self):
        path = self.pack()
        os.makedirs(self.courses)
        folder = os.open(self.courses, os.O_RDONLY)
        self.addCleanup(os.close, folder)
        fcntl.flock(folder, fcntl.LOCK_EX)
        self.refused(path, "another normtutor")
        self.assertTrue(os.path.isdir(self.courses))

    def test_what_died_half_way_is_put_in_order(self):
        path = self.pack()
        self.install(path)
        for name in (".new-1", ".gone-2"):
            os.makedirs(f"{self.courses}/{name}/files")
            self.write(f"data/normtutor/courses/{name}/files/x", "x")
        os.rename(self.courses + "/blocks", self.courses + "/.old-blocks")
        self.assertNotIn("Blocks", self.run_tutor("list"))
        self.install(self.archive(packed(files=course(name="other")), "other.tar.gz"))
        self.assertEqual(self.installed(), {"blocks": "1.0", "other": "1.0"})

    def test_a_full_disk_or_a_folder_that_cannot_be_written_leaves_nothing(self):
        path = self.archive(packed(files={**course(), "files/big.bin": os.urandom(3 << 20)}))
        before = snapshot(self.home)
        done = subprocess.run(["/bin/sh", "-c", f'ulimit -f 2048; exec "{NORMTUTOR}" install --yes "{path}"'], capture_output=True,
                              text=True, env=home_environment(self.home))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("cannot unpack", done.stderr)
        self.assertEqual(snapshot(self.home), before)
        os.makedirs(self.home + "/data/normtutor")
        self.write("data/normtutor/courses", "in the way")
        self.refused(path, "not a folder")

    def test_killed_while_it_asks(self):
        path = self.pack()
        before = snapshot(self.home)
        for how in (CTRL_C, signal.SIGTERM, signal.SIGHUP):
            with Terminal(["install", path], home=self.home) as t:
                t.wait("[y/N]")
                t.send(how) if isinstance(how, str) else t.kill(how)
                t.wait_end(1)
                t.wait("was not installed")
            self.assertEqual(snapshot(self.home), before)
        with Terminal(["install", path], home=self.home) as t:
            t.wait("[y/N]")
            t.kill()
            t.wait_end(-signal.SIGKILL)
        self.install(path)
        self.assertEqual(os.listdir(self.courses), ["blocks"])


class Asked(Packages):
    def ask(self, *arguments, answer, status, see=()):
        with Terminal(arguments, home=self.home, columns=100) as t:
            t.wait("[y/N]", *see)
            t.send(answer)
            t.wait_end(status)
            return t.text

    def test_in_a_terminal_from_install_to_play_to_remove(self):
        path = self.pack()
        before = snapshot(self.home)
        for no in (ENTER, "n" + ENTER, "yeah" + ENTER, "\x04"):
            text = self.ask("install", path, answer=no, status=1, see=("Blocks (blocks)", "A. Author", "MIT", "1.0", "5 files", "Install it?"))
            self.assertIn("was not installed", text)
            self.assertEqual(snapshot(self.home), before)
        self.ask("install", path, answer="y" + ENTER, status=0)
        self.assertEqual(self.installed(), {"blocks": "1.0"})
        with Terminal(home=self.home) as t:
            t.wait("Enter open")
            t.send(TAB)
            t.wait("Blocks", "Course 2 of 2")
            t.wait("One", "Two")
            t.send(ENTER)
            t.settle()
            t.send(ENTER) if "says hello" not in t.text else None
            t.wait("One says hello.")
            t.send(ENTER)
            t.wait("What is 1 + 1?")
            t.send("2", ENTER)
            t.wait("Right.")
        text = self.ask("remove", "blocks", answer="n" + ENTER, status=1, see=("Blocks, version 1.0", "courses/blocks", "progress stays"))
        self.assertIn("was not removed", text)
        self.assertEqual(self.installed(), {"blocks": "1.0"})
        self.ask("remove", "blocks", answer="yes" + ENTER, status=0)
        self.assertEqual(self.installed(), {})

    def test_it_says_what_it_replaces(self):
        self.install(self.pack())
        self.ask("install", self.pack(version="1.1", to="b.tar.gz"), answer="y" + ENTER, status=0,
                 see=("In the place of: Blocks, version 1.0, by A. Author", "progress stays"))
        other = self.pack("theirs", "c.tar.gz", author="B", version="3")
        self.ask("install", other, answer="n" + ENTER, status=1, see=("another course", "does not count here"))
        self.assertEqual(self.installed(), {"blocks": "1.1"})
        self.ask("install", other, answer="y" + ENTER, status=0)
        self.assertEqual(self.installed(), {"blocks": "3"})


class Remove(Packages):
    def test_links_are_not_followed(self):
        canary = self.home + "/canary"
        os.makedirs(canary + "/in")
        self.write("canary/in/precious.txt", "mine")
        before = snapshot(canary)
        self.install(self.pack())
        os.symlink(canary, self.courses + "/blocks/files/out")
        os.symlink(canary + "/in/precious.txt", self.courses + "/blocks/files/one")
        self.run_tutor("remove", "blocks", "--yes")
        self.assertEqual(snapshot(canary), before)
        self.assertFalse(os.path.exists(self.courses))
        os.makedirs(self.courses)
        os.symlink(self.home + "/blocks", self.courses + "/blocks")
        kept = snapshot(self.home)
        self.assertIn("is a link", self.trouble("remove", "blocks", "--yes", status=1))
        self.assertEqual(snapshot(self.home), kept)

    def test_names_that_lead_elsewhere(self):
        self.install(self.pack())
        before = snapshot(self.home)
        for name in ("..", ".", "../courses/blocks", "/", "", self.courses + "/blocks", "blocks/", "norms", "\x1b[2J"):
            with self.subTest(name=name):
                self.assertNotIn("\x1b", self.trouble("remove", name, "--yes", status=2))
        self.assertEqual(snapshot(self.home), before)
        self.assertIn('"blocks"', self.trouble("remove", "block", "--yes", status=2))

    def test_a_course_that_cannot_be_loaded_goes_by_its_folder(self):
        self.install(self.pack())
        self.write("data/normtutor/courses/blocks/course.lua", "nonsense\n")
        self.run_tutor("remove", "blocks", "--yes")
        self.assertFalse(os.path.exists(self.courses))

    def test_a_course_that_was_copied_there_goes_by_its_id(self):
        os.makedirs(self.courses)
        os.rename(self.put(), self.courses + "/My Course")
        self.run_tutor("remove", "blocks", "--yes")
        self.assertFalse(os.path.exists(self.courses))


class Hostile(Packages):
    """Nothing of any of these reaches the disk."""

    def hostile(self, attacks):
        for name, (data, words) in attacks.items():
            with self.subTest(name=name):
                said = self.refused(self.archive(data), words)
                self.assertNotRegex(said, "[\x00-\x09\x0b-\x1f\x7f]")
        self.assertEqual(sorted(os.listdir(self.home)), ["blocks.tar.gz", "data"])

    def test_names(self):
        attacks = {}
        for name, words in (("/etc/cron.d/x", "begins at the root"), ("../../x", r'"\.\."'), ("blocks/../../x", r'"\.\."'),
                            ("blocks/files/../../../x", r'"\.\."'), ("..", r'"\.\."'), ("blocks/files/./x", r'"\."'), ("./x", r'"\."'),
                            ("blocks//files/x", "empty"), ("blocks/files/x\x1b[2J", "control byte"), ("blocks/files/x\n", "control byte"),
                            ("blocks/files/x\x7f", "control byte"), ("blocks/files\\..\\x", "backslash"), ("C:\\x", "backslash"),
                            ("blocks/files/\u202etxt.exe", "beyond ASCII|cannot be read"), ("blocks/files/\xe9", "beyond ASCII|cannot be read"),
                            ("blocks/files/.ssh", "hidden"), ("blocks/.git/hooks/post-checkout", "hidden"), (".blocks/x.lua", "hidden"),
                            ("blocks/files/" + "a" * 101, "too long"), ("blocks/files/" + "a" * 3000, "too long"),
                            ("blocks/files" + "/a" * 80, "too long"), ("blocks/files" + "/a" * 9, "too many folders"),
                            ("other/course.lua", "more than one folder"), ("stray.lua", "more than one folder"),
                            ("blocks/bin/normtutor", "no place"), ("blocks/README.md", "no place"), ("blocks/shared/a/b.lua", "no place"),
                            ("blocks/lang/one.lua", "no place"), ("blocks/shared/x.so", "no place")):
            attacks[name] = packed(entry(name, "harm")), words
        self.hostile(attacks)
        self.hostile({"first in it": (gzip.compress(tar([entry("../x", "harm")] + entries(course()))), r'"\.\."'),
                      "without a folder": (gzip.compress(tar([entry(name, text) for name, text in course().items()])), "one folder|no folder"),
                      "a folder above": (packed(entry("..", type=tarfile.DIRTYPE)), r'"\.\."'),
                      "a folder elsewhere": (packed(entry("/tmp/x/", type=tarfile.DIRTYPE)), "root"),
                      "a folder of no place": (packed(entry("blocks/bin/", type=tarfile.DIRTYPE)), "no place"),
                      "no course": (gzip.compress(tar([entry("blocks/one.lua", "return 1")])), "no course.lua"),
                      "nothing": (gzip.compress(tar([])), "no course.lua|not a tar")})

    def test_kinds(self):
        attacks = {}
        for name, kind, words in (("symbolic", tarfile.SYMTYPE, "a symbolic link"), ("hard", tarfile.LNKTYPE, "a link to another file"),
                                  ("pipe", tarfile.FIFOTYPE, "a pipe"), ("character", tarfile.CHRTYPE, "a device"),
                                  ("block", tarfile.BLKTYPE, "a device")):
            for target in ("/etc/passwd", "../../..", "course.lua"):
                attacks[name, target] = packed(entry("blocks/files/x", type=kind, linkname=target)), words
        attacks["through a link"] = packed(entry("blocks/files/x", type=tarfile.SYMTYPE, linkname="/tmp"),
                                           entry("blocks/files/x/y", "harm")), "a symbolic link"
        attacks["the top is a link"] = gzip.compress(tar([entry("blocks", type=tarfile.SYMTYPE, linkname="/tmp")] + entries(course()))), \
            "a symbolic link"
        self.hostile(attacks)

    def test_twins(self):
        self.hostile({"twice": (packed(entry("blocks/one.lua", "harm")), "twice"),
                      "capitals": (packed(entry("blocks/ONE.lua", "harm")), "capitals"),
                      "capitals of a folder": (packed(entry("blocks/files/A/x", ""), entry("blocks/files/a/y", "")), "capitals"),
                      "capitals of the top": (packed(entry("Blocks/files/x", "")), "more than one folder"),
                      "file and folder": (packed(entry("blocks/files/x", ""), entry("blocks/files/x-", ""), entry("blocks/files/x/y", "")),
                                          "a file and a folder"),
                      "folder and file": (packed(entry("blocks/files/x/y", ""), entry("blocks/files/x", "")), "a file and a folder"),
                      "the top as a file": (packed(entry("blocks", "")), "in no folder")})

    def test_sizes(self):
        zeros = gzip.compress(tar(entries(course()) + [entry("blocks/files/zero", b"\0" * (31 << 20))]))
        bomb = io.BytesIO()
        with gzip.open(bomb, "wb") as out:
            for _ in range(64):
                out.write(b"\0" * (1 << 20))
        self.hostile({"well packed": (zeros, "more than 200 times"),
                      "a bomb": (bomb.getvalue(), "more than 200 times"),
                      "large": (packed(*(entry(f"blocks/files/{i}", (os.urandom(1000) + bytes(39000)) * 400) for i in range(3))),
                                "more than 32 MiB"),
                      "many": (packed(*(entry(f"blocks/files/{i}") for i in range(3000))), "more than 2000"),
                      "a large archive": (os.urandom(1 << 20) * 33, "longer than")})

    def test_gzip(self):
        good = packed()
        self.hostile({**{f"cut to {part}": (good[:int(len(good) * part)], "cut off|damaged") for part in (0.02, 0.1, 0.5, 0.9, 0.99)},
                      "cut by one byte": (good[:-1], "cut off|damaged"),
                      "something behind it": (good + b"harm", "cut off|damaged"),
                      "two of them": (good + good, "cut off|damaged"),
                      "a wrong checksum": (good[:-8] + b"\0\0\0\0" + good[-4:], "cut off|damaged"),
                      "packed twice": (gzip.compress(good), "more than once"),
                      "no tar": (gzip.compress(os.urandom(4096)), "tar"),
                      "an empty one": (gzip.compress(b""), "nothing in it|cut off"),
                      "empty": (b"", "it is empty")})

    def test_a_bit_that_is_wrong(self):
        good = packed()
        for at in range(10, len(good), 41):
            data = bytearray(good)
            data[at] ^= 4
            with self.subTest(at=at):
                self.refused(self.archive(bytes(data)), "cannot be installed")

    def test_tar(self):
        plain = tar(entries(course()))
        body = plain.rstrip(b"\0")
        body += b"\0" * (-len(body) % 512)
        huge = raw_header(b"blocks/files/x", size=8**11 - 1)
        negative = bytearray(raw_header(b"blocks/files/x"))
        negative[124:136] = b"\xff" * 12
        negative[148:156] = b" " * 8
        negative[148:156] = b"%06o\0 " % sum(negative)
        self.hostile({"without an end": (gzip.compress(body), "cut off"),
                      "half a block": (gzip.compress(plain[:-100]), "cut off"),
                      "a file that is cut": (gzip.compress(body + raw_header(b"blocks/files/x", size=5000, data=b"x" * 2000) + b"\0" * 1024),
                                             "cut off|damaged"),
                      "larger than all": (raw(huge), "larger than the whole"),
                      "a negative size": (raw(bytes(negative)), "larger than the whole|damaged"),
                      "a wrong checksum": (gzip.compress(body[:148] + b"0000000\0" + body[156:] + b"\0" * 1024), "not a tar"),
                      "rubbish behind": (raw(b"x" * 512), "damaged"),
                      "a name that never ends": (raw(raw_header(b"x" * 100, magic=b"ustar\x0000" + b"r" * 8 + b"g" * 80 + b"p" * 155)),
                                                 "more than one folder|too long"),
                      "a folder with a size": (raw(raw_header(b"blocks/files/x/", b"5", size=512, data=b"x" * 512)),
                                               "larger than the whole|damaged")})

    def test_extended_headers(self):
        long_name = raw_header(b"././@LongLink", b"L", 11, b"../../harm\0") + raw_header(b"blocks/files/x", size=4, data=b"harm")
        long_link = raw_header(b"././@LongLink", b"K", 12, b"/etc/passwd\0") + raw_header(b"blocks/files/x", b"2")
        self.hostile({"a path above": (raw(pax({"path": "../../harm"})), r'"\.\."'),
                      "a path from the root": (raw(pax({"path": "/tmp/harm"})), "root"),
                      "a path with a newline": (raw(pax({"path": "blocks/files/a\nb"})), "control byte"),
                      "a path with escapes": (raw(pax({"path": "blocks/files/\x1b]0;x\x07"})), "control byte"),
                      "bytes that are no text": (raw(pax({"path": b"blocks/files/\xff\xfe"})), "damaged|beyond ASCII"),
                      "a name in bytes": (raw(pax({"hdrcharset": "BINARY", "path": b"blocks/files/\xff"})), "damaged|beyond ASCII"),
                      "an endless size": (raw(pax({"size": "99999999999999"})), "larger than the whole"),
                      "a negative size": (raw(pax({"size": "-1"})), "damaged"),
                      "a sparse file": (raw(pax({"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "blocks/files/x",
                                                 "GNU.sparse.realsize": "1099511627776"})), "damaged"),
                      "an old sparse file": (raw(self.old_sparse()), "holes"),
                      "a sparse map": (raw(pax({"GNU.sparse.size": "1000", "GNU.sparse.numblocks": "1", "GNU.sparse.map": "900,4"})), "holes"),
                      "a header that lies": (raw(raw_header(b"PaxHeader", b"x", 20, b"99999 path=blocks/x\n"), raw_header(b"blocks/files/x")),
                                             "damaged"),
                      "a long name": (raw(long_name), r'"\.\."'),
                      "a long link": (raw(long_link), "link")})

    def test_extended_headers_that_change_nothing(self):
        """They are not heeded: what comes of them is a plain file."""
        for name, records in {"a link's path": {"linkpath": "/etc/passwd"},
                              "attributes": {"SCHILY.xattr.user.x": "y", "SCHILY.acl.access": "user::rwx"},
                              "an owner": {"uid": "0", "uname": "root"},
                              "a path with a zero": {"path": b"blocks/files/innocent\0/../x"}}.items():
            with self.subTest(name=name):
                self.install(self.archive(raw(pax(records))), "--replace")
                mode, content = snapshot(self.courses + "/blocks")["files/innocent"]
                self.assertTrue(stat.S_ISREG(mode) and not mode & 0o7111, oct(mode))
                self.assertEqual(content, b"harm")
                self.run_tutor("remove", "blocks", "--yes")

    @staticmethod
    def old_sparse():
        block = bytearray(raw_header(b"blocks/files/x", b"S", size=4, data=b"harm", magic=b"ustar  \0"))
        block[386:410] = b"%011o\0%011o\0" % (1 << 29, 4)
        block[483:495] = b"%011o\0" % ((1 << 29) + 4)
        block[148:156] = b" " * 8
        block[148:156] = b"%06o\0 " % sum(block[:512])
        return bytes(block)

    def test_other_formats(self):
        zipped = io.BytesIO()
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("blocks/course.lua", head())
        cpio = gzip.compress(b"070701" + b"0" * 104 + b"TRAILER!!!\0" + b"\0" * 1024)
        ar = gzip.compress(b"!<arch>\nx/              0           0     0     644     4         `\nharm" + b"\0" * 4096)
        self.hostile({"zip": (zipped.getvalue(), "a zip archive"), "xz": (lzma.compress(tar(entries(course()))), "packed with xz"),
                      "bzip2": (bz2.compress(tar(entries(course()))), "packed with bzip2"),
                      "tar": (tar(entries(course())), "not compressed"), "text": (b"return {}\n", "not a .tar.gz"),
                      "cpio": (cpio, "tar"), "ar": (ar, "tar"), "a zip in it": (gzip.compress(zipped.getvalue()), "tar")})

    def test_what_is_no_file(self):
        os.mkfifo(self.home + "/pipe")
        os.mkdir(self.home + "/folder")
        for name in ("pipe", "folder"):
            self.refused(f"{self.home}/{name}", "not a")
        self.assertIn("not a regular file", self.trouble("install", "--yes", "/dev/zero", status=1))


if __name__ == "__main__":
    unittest.main()
