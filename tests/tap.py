"""Runs one unittest file and says in TAP how each test went: tap.py FILE [--count]"""

import os
import sys
import unittest


class TapResult(unittest.TestResult):
    """One line a test; a failing subtest fails its test once."""

    def __init__(self):
        super().__init__()
        self.number = 0
        self.failing = set()
        self.reason = None   # why a whole class or module was skipped
        self.broken = False  # a class or module could not be set up or cleared away

    def startTest(self, test):
        super().startTest(test)
        self.before, self.part_skipped = self.number, None

    def stopTest(self, test):
        super().stopTest(test)
        if self.number == self.before and self.part_skipped:
            self.say(True, test.id(), f" # SKIP {self.part_skipped}")

    def say(self, good, name, remark="", details=""):
        self.number += 1
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}{remark}", flush=True)
        for line in details.rstrip("\n").split("\n") if details else ():
            print("# " + line, flush=True)

    def fail(self, test, details):
        if test.id() not in self.failing:
            self.failing.add(test.id())
            self.say(False, test.id(), details=details)
        else:
            print("# " + details.replace("\n", "\n# "), flush=True)

    def addSuccess(self, test):
        if test.id() not in self.failing:
            self.say(True, test.id())

    def addFailure(self, test, err):
        self.fail(test, self._exc_info_to_string(err, test))

    def addError(self, test, err):
        if isinstance(test, unittest.TestCase):
            self.fail(test, self._exc_info_to_string(err, test))
        else:
            # The tests of a failed set-up stay unsaid, and who reads this counts them as failed.
            self.broken = True
            details = self._exc_info_to_string(err, unittest.TestCase("run"))
            print(f"# {test.id()}\n# " + details.replace("\n", "\n# "), flush=True)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.fail(test, f"{subtest}\n" + self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        if hasattr(test, "test_case"):
            self.part_skipped = reason
        elif isinstance(test, unittest.TestCase):
            self.say(True, test.id(), f" # SKIP {reason}")
        else:
            self.reason = reason

    def addExpectedFailure(self, test, err):
        self.say(True, test.id())

    def addUnexpectedSuccess(self, test):
        self.fail(test, "it was expected to fail")


def main():
    folder, name = os.path.split(os.path.abspath(sys.argv[1]))
    sys.path[0] = folder
    tests = unittest.TestLoader().loadTestsFromName(name.removesuffix(".py"))
    count = tests.countTestCases()
    print(f"1..{count}", flush=True)
    if "--count" in sys.argv[2:]:
        return 0
    result = TapResult()
    tests.run(result)
    while result.reason and result.number < count:
        result.say(True, "a test of this file", f" # SKIP {result.reason}")
    return 1 if result.number < count or result.failing or result.broken else 0


if __name__ == "__main__":
    sys.exit(main())
