-- The heaviest view that a lesson may show: 64 layers forward and back. Pre-norm, 4 tokens of width 64, feed-forward sublayers
-- of hidden width 256 (weights normal with variance 1 / fan-in).
local DEPTH, TOKENS, WIDTH, HIDDEN = 64, 4, 64, 256

return lesson "deep" {
  format = 1,
  title  = "64 layers",
  data   = function(random)
    return {
      x = random:normal { TOKENS, WIDTH },
      up = random:normal { DEPTH, HIDDEN, WIDTH, std = WIDTH ^ -0.5 },
      down = random:normal { DEPTH, WIDTH, HIDDEN, std = HIDDEN ^ -0.5 },
    }
  end,
  define = {
    trace = function(x, up, down, gain)
      return nn.stack(x, {
        depth = DEPTH, order = "pre", final_norm = true,
        sublayer = function(h, layer) return gain * nn.feed_forward(h, { up = up[layer], down = down[layer] }) end,
        gradient = function(out) return (out * x):mean("all") end,
      })
    end,
  },

  step "stack" {
    text  = "Turn **gain**, which multiplies every update.",
    knobs = { knob.linear "gain" { 0.1, 2, at = 1, stops = 48 } },
    show  = view.stack { "trace(x, up, down, gain)" },
  },
}
