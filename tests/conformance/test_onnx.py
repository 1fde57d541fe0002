"""The core against ONNX's own cases of normalization: their inputs, attributes and outputs.

    make conformance ONNX=FOLDER
    ONNX=FOLDER tests/run conformance

FOLDER has manifest.json and a folder a case with its tensors as .npy. A case whose name ends in _expanded is an
operation spelt out in smaller ones; the operation itself must give what it gives. An output is right within four
units in the last place of max(1, |y|), and what ONNX's own float32 values are off by.
"""
import collections
import json
import os
import subprocess
import sys
import unittest

HELPER = os.path.join(os.path.dirname(os.environ.get("NORMTUTOR", "build/normtutor")), "tests/conformance/onnx_case")
UNIT = 2.0 ** -23  # in the last place of 1
NO_OPERATION = 77
folder = os.environ.get("ONNX", "")


def read_cases():
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        cases = {case["case"]: case for case in json.load(file)["cases"]}
    for case in cases.values():
        case["base"] = cases.get(case.get("expanded_of"), case)
    return cases


def files(case, which):
    return [os.path.join(folder, case["case"], tensor["file"]) for tensor in case[which]]


def run(case):
    """(None or why the case is left out, the largest error of each output)"""
    base = case["base"]
    if "op" not in base:
        return "the manifest does not say of which operation it is", []
    odd = [t["dtype"] for t in case["inputs"] + case["outputs"] if t["dtype"] not in ("float32", "float16")]
    if odd:
        return f"tensors of type {odd[0]}", []
    attributes = [f"{name}={value!r}" for name, value in base["attributes"].items() if not isinstance(value, (list, str))]
    if len(attributes) != len(base["attributes"]):
        return "an attribute that is not a number", []
    done = subprocess.run([HELPER, base["op"], *attributes, "inputs", *files(case, "inputs"), "outputs", *files(case, "outputs")],
                          capture_output=True, text=True)
    if done.returncode == NO_OPERATION:
        return f"the core has no {base['op']}", []
    if done.returncode:
        raise AssertionError(f"{case['case']}: {done.stdout}{done.stderr}")
    return None, [float(line) for line in done.stdout.split()]


def bound(case):
    return 4 * UNIT + case["base"].get("max_abs_diff_vs_float64_reference", 0)


class Onnx(unittest.TestCase):
    def check(self, case):
        left_out, errors = run(case)
        if left_out:
            self.skipTest(left_out)
        self.assertEqual(len(errors), len(case["outputs"]))
        for tensor, error in zip(case["outputs"], errors):
            self.assertLessEqual(error, bound(case), f"output {tensor['name']}")


def a_test(case):
    return lambda self: self.check(case)


if folder:
    for name, a_case in read_cases().items():
        setattr(Onnx, name, a_test(a_case))
else:
    setattr(Onnx, "test_onnx", unittest.skip("ONNX names no folder")(lambda self: None))


def main():
    """The same as a table."""
    passed, failed, left_out = collections.Counter(), [], collections.defaultdict(list)
    for name, case in read_cases().items():
        operation = case["base"].get("op", "?") + (", spelt out" if case["expanded"] else "")
        try:
            reason, errors = run(case)
        except AssertionError as error:
            failed.append(str(error))
            continue
        if reason:
            left_out[reason].append(name)
        elif len(errors) == len(case["outputs"]) and max(errors) <= bound(case):
            passed[operation] += 1
        else:
            failed.append(f"{name}: {errors}")
    for operation, count in sorted(passed.items()):
        print(f"{count:4} passed  {operation}")
    for line in failed:
        print(f"  FAILED  {line}")
    for reason, names in left_out.items():
        print(f"{len(names):4} left out: {reason}: {', '.join(names)}")
    print(f"{sum(passed.values())} passed, {len(failed)} failed, {sum(map(len, left_out.values()))} left out")
    return 1 if failed else 0


if __name__ == "__main__":
    if not folder:
        print("skipped: make conformance ONNX=FOLDER")
    sys.exit(main() if folder else 0)
