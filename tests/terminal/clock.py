"""Another time of day for a program: the environment that makes it so, by the package faketime."""

import functools
import shutil
import subprocess
import unittest

from terminal import NORMTUTOR


@functools.cache
def library():
    if "/asan/" in NORMTUTOR:
        raise unittest.SkipTest("a program with the address sanitizer hangs under faketime")
    if not shutil.which("faketime"):
        raise unittest.SkipTest("faketime is not installed")
    said = subprocess.run(["faketime", "-f", "+0", "printenv", "LD_PRELOAD"], capture_output=True, text=True, check=True)
    return said.stdout.strip()


def later(offset):
    """`offset` such as "+7d" or "-2h", as faketime has it; the clock goes on from there."""
    return {"LD_PRELOAD": library(), "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
