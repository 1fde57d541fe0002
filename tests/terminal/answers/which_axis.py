import re

from . import Choice, Program


def bug_named(text):
    """Over which axes the module averages, by the probes' table; None while it is not there."""
    sample = re.search(r"other samples changed.{1,60}?(moves by|stays)", text)
    later = re.search(r"a later token changed.{1,60}?(moves by|stays)", text)
    earlier = re.search(r"an earlier token changed.{1,60}?(moves by|stays)", text)
    feature = re.search(r"one feature elsewhere.{1,60}?(1 of \d moves|all \d move|none moves)", text)
    if not (sample and later and earlier and feature):
        return None
    if feature[1] == "none moves":
        return "so-far" if (sample[1], later[1], earlier[1]) == ("stays", "stays", "moves by") else None
    alone = feature[1].startswith("1 of")
    if sample[1] == later[1]:
        return "batch-token" if alone else "all"
    return "batch" if sample[1] == "moves by" else "token" if alone else "token-feature"


def program(over='{ "feature" }', mean="over", var="over"):
    """A layer norm in Lua, not written as the lesson writes it."""
    return f"""
function layer_norm(x, scale, bias, eps)
  local over = {over}
  local centred = x - x:mean({mean})
  return bias + scale * centred / sqrt(eps + x:var({var}))
end
"""


RIGHT_PROGRAM = """
-- by hand, token by token
function layer_norm(x, scale, bias, eps)
  local y = x * 1
  for s = 1, x.shape[1] do
    for t = 1, x.shape[2] do
      local token = x[s][t]
      y:set({ s, t }, (token - token:mean()) / sqrt(token:var() + eps) * scale + bias)
    end
  end
  return y
end
"""

ANSWERS = {
    "token-bug": None,
    "which-test": None,
    "leak": None,
    "name-it": Choice(bug_named),
    "mend": Program(RIGHT_PROGRAM, {
        "batch": program(over='{ "batch" }'),
        "token": program(over='{ "token" }'),
        "all": program(over='"all"'),
        "batch-token": program(over='{ "batch", "token" }'),
        "token-feature": program(over='{ -1, -2 }'),
        "batch-feature": program(over='{ "batch", "feature" }'),
        "var-only": program(var='{ "batch" }'),
        "mean-only": program(mean='{ "batch" }'),
    }),
}
