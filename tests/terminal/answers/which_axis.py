import re

from . import Choice, Program


def bug_named(text):
    """Over which axes the module averages, by the probes' table; None while it is not there."""
    sample = re.search(r"other samples changed.{1,60}?(moves by|stays)", text)
    later = re.search(r"a later token changed.{1,60}?(moves by|stays)", text)
    feature = re.search(r"one feature elsewhere.{1,60}?(1 of|all) \d", text)
    if not (sample and later and feature):
        return None
    alone = feature[1] == "1 of"
    if sample[1] == later[1]:
        return "batch-token" if alone else "all"
    return "batch" if sample[1] == "moves by" else "token" if alone else "token-feature"


def unseen_in_the_model(text):
    """Over what the norm averages that neither of two probes catches, by a third."""
    still = all(re.search(what + r" changed.{1,20}?passes.{1,20}?stays", text) for what in ("other samples", "a later token"))
    return "so-far" if still and re.search(r"an earlier token changed.{1,20}?fails.{1,20}?moves by", text) else None


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
    "order": None,
    "whole": None,
    "name-it": Choice(bug_named),
    "leak": None,
    "so-far": Choice(unseen_in_the_model),
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
