-- For luacheck: what a lesson can name, and nothing else. Copy it beside your lessons and type: luacheck .
std = {
  read_globals = {
    "_VERSION", "assert", "error", "getmetatable", "ipairs", "pairs", "pcall", "rawequal", "rawlen", "select", "setmetatable",
    "tonumber", "tostring", "type", "math", "string", "table", "utf8",
    "course", "lesson", "step", "ask", "mistake", "option", "piece", "probe", "replace", "knob", "view", "use", "file",
    "tensor", "nn", "grad", "sqrt", "exp", "log", "tanh", "abs", "max", "min", "pi", "inf", "nan",
  },
}
max_line_length = false
unused_args = false -- data = function(random, d), run = function(call, random)
ignore = { "43." } -- a parameter may bear the name of something outside
exclude_files = { "api.lua" }
