"""The golden screens: what each is called, and with which arguments `normtutor show` draws it."""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GOLDEN = HERE + "/golden"
sys.path.insert(1, ROOT + "/tests/terminal")

from answers import Program  # noqa: E402 (found by the line above)
from questions import QUESTIONS, flat, question_numbers, read_lesson, typed  # noqa: E402 (found by the line above)

NORMTUTOR = os.environ.get("NORMTUTOR", ROOT + "/build/normtutor")
SEED = "3"
VIEWS = ("tokens", "pipeline", "bars", "plot", "table", "row", "column", "axes", "heat", "compare", "leak", "probes", "precision", "text")
LOOKS = {"80x24": (), "120x32": ("--size", "120x32"), "60x20": ("--size", "60x20"), "40x12": ("--size", "40x12"),
         "ascii": ("--ascii",), "ansi": ("--ansi",), "wide-ansi": ("--ansi", "--size", "120x32")}


def show(*arguments):
    """The frame, or AssertionError with what was said instead."""
    with tempfile.TemporaryDirectory(prefix="normtutor-home.") as home:
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": home, "LC_ALL": "C.UTF-8",
                       **{name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}}
        done = subprocess.run([NORMTUTOR, "show", *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=environment, cwd=ROOT)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"normtutor show {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode()


def of_question(lesson, step):
    """(what is done, arguments) of a question's screens after the first: one wrong answer, the right one, all hints."""
    question = QUESTIONS[lesson][step.id]
    if step.kind == "ask.choice":
        right = step.right or question.right(flat(show(lesson, "--step", step.id, "--seed", SEED, "--size", "80x60")))
        wrong = next(option for option in step.options if option != right)
        return [("wrong", ("--answer", wrong)), ("right", ("--answer", right, "--sure", "3"))]
    if isinstance(question, Program):
        wrong = next(iter(question.mistakes.values()))
        return [("wrong", ("--answer", wrong)), ("right", ("--answer", question.answer)), ("given-up", ("--give-up",)),
                ("hints", ("--hints", str(step.hints)))]
    page = show(lesson, "--step", step.id, "--seed", SEED, "--size", "100x200")
    numbers = question_numbers(step, question, "\n".join(line.split("│")[0] for line in page.split("\n")))
    if not numbers:
        raise AssertionError(f"the numbers of {lesson}/{step.id} cannot be read from\n{page}")
    mistake = next(formula for name, formula in question.mistakes.items() if question.when.get(name, lambda *_: True)(*numbers))
    answers = [("wrong", ("--answer", typed(mistake(*numbers)))), ("right", ("--answer", typed(question.answer(*numbers)))),
               ("given-up", ("--give-up",))]
    return answers + [("hints", ("--hints", str(step.hints)))] * (step.hints > 0)


def of_lesson(lesson):
    """{name: arguments} for every step at 80x24."""
    frames = {}
    for step in read_lesson(lesson):
        arguments = (lesson, "--step", step.id, "--seed", SEED)
        frames[f"{lesson}.{step.id}"] = arguments
        if step.kind != "step":
            frames.update({f"{lesson}.{step.id}.{what}": arguments + more for what, more in of_question(lesson, step)})
    return frames


def of_views():
    """{name: arguments} for every kind of view in every look."""
    return {f"view.{view}.{look}": (HERE + "/lessons/views.lua", "--step", view, *more) for view in VIEWS for look, more in LOOKS.items()}


def of_kinds():
    """{name: arguments} for what the built-in lessons do not ask yet, and for blocks."""
    kinds = HERE + "/lessons/kinds.lua"
    several = (kinds, "--step", "several", "--seed", SEED)
    steps = (kinds, "--step", "steps", "--seed", SEED)
    guess = (kinds, "--step", "guess", "--seed", SEED)
    block = (kinds, "--step", "block", "--seed", SEED)
    right = "mean centre var root"
    frames = {"kinds.several": several, "kinds.several.missing": several + ("--answer", "shape"),
              "kinds.several.wrong": several + ("--answer", "shape mean"), "kinds.several.right": several + ("--answer", "first shape"),
              "kinds.several.given-up": several + ("--give-up",), "kinds.several.ascii": several + ("--answer", "shape", "--ascii"),
              "kinds.order": steps, "kinds.order.wrong": steps + ("--answer", "var root"), "kinds.order.nearly": steps + ("--answer", "mean centre root var"),
              "kinds.order.unread": steps + ("--answer", "mean mean"), "kinds.order.right": steps + ("--answer", right),
              "kinds.order.given-up": steps + ("--answer", "var root", "--give-up"), "kinds.order.hints": steps + ("--answer", "var", "--hints", "2"),
              "kinds.order.ascii": steps + ("--answer", "var root", "--ascii"), "kinds.order.40x12": steps + ("--answer", "mean var", "--size", "40x12"),
              "kinds.order.120x32": steps + ("--answer", "mean var", "--size", "120x32"), "kinds.guess": guess,
              "kinds.guess.right": guess + ("--answer", "two one three", "--sure", "3")}
    for order in ("post", "pre", "output", "sandwich", "none"):
        frames[f"block.{order}"] = block + ("--set", f"order={order}")
    frames["block.stage-2"] = block + ("--set", "stage=2")
    frames["block.120x32"] = block + ("--set", "order=sandwich", "--size", "120x32")
    frames["block.40x12"] = block + ("--set", "order=pre", "--size", "40x12")
    return frames


def of_stages():
    """{name: arguments} for the pipeline with its cursor at one number."""
    lesson = HERE + "/lessons/stages.lua"

    def at(step, stage, *more):
        return (lesson, "--step", step, "--seed", SEED, "--set", f"stage={stage}", *more)

    frames = {f"pipeline.stage-{stage}": at("pipeline", stage) for stage in range(1, 8)}
    frames.update({f"pipeline.{what}.{look}": at(step, stage, *LOOKS[look]) for what, step, stage in (("var", "pipeline", 5), ("shifted", "affine", 9))
                   for look in ("120x32", "40x12", "ascii", "ansi")})
    return {**frames, "pipeline.shifted": at("affine", 9), "pipeline.scaled": at("affine", 8), "pipeline.long": at("long", 5),
            "pipeline.long.120x32": at("long", 3, "--size", "120x32"), "pipeline.hidden": at("hidden", 5), "pipeline.hidden.source": at("hidden", 6),
            "pipeline.hidden.right": at("hidden", 5, "--answer", "25")}


def of_stacks():
    """{name: arguments} for the gradient's way back through a stack of 64 layers, and through few."""
    lesson = HERE + "/lessons/stages.lua"

    def stack(*settings, look="80x24"):
        return (lesson, "--step", "stack", "--seed", SEED, *(word for setting in settings for word in ("--set", setting)), *LOOKS[look])

    frames = {f"stack.{order}.{look}": stack(f"order={order}", "final=on", "rate=0.3", look=look)
              for order in ("pre", "post", "none") for look in ("80x24", "120x32", "40x12", "ascii", "ansi")}
    frames.update({f"stack.{what}": stack("final=on", *settings) for what, settings in (
        ("end", ("cursor.layer=64",)), ("off", ("depth=5", "off=2,4", "cursor.layer=2")), ("forward", ("depth=4", "stage=2")),
        ("back", ("depth=4", "stage=7")), ("deep-forward", ("stage=40",)), ("deep-back", ("stage=100",)))})
    dark = (lesson, "--step", "dark", "--seed", SEED)
    return {**frames, "stack.no-final-norm": stack("depth=4"), "stack.one": stack("depth=1"), "stack.hidden": dark,
            "stack.given-up": (*dark, "--give-up")}


def of_wide():
    """{name: arguments} for every step of the lessons, side by side."""
    return {f"{lesson}.{step.id}.120x32": (lesson, "--step", step.id, "--seed", SEED, "--size", "120x32")
            for lesson in QUESTIONS for step in read_lesson(lesson)}


def of_odd_sizes():
    return {"size.too-small": ("normalize", "--step", "vector", "--seed", SEED, "--size", "39x11"),
            "size.one": ("normalize", "--step", "vector", "--seed", SEED, "--size", "1x1"),
            "size.least": ("normalize", "--step", "vector", "--seed", SEED, "--size", "40x12"),
            "size.flat": ("epsilon", "--step", "three", "--seed", SEED, "--size", "200x12"),
            "size.high": ("epsilon", "--step", "curve", "--seed", SEED, "--size", "60x70")}


def all_frames():
    frames = {**of_views(), **of_kinds(), **of_stages(), **of_stacks(), **of_wide(), **of_odd_sizes()}
    for lesson in QUESTIONS:
        frames.update(of_lesson(lesson))
    return frames


def path_of(name):
    return f"{GOLDEN}/{name}.txt"
