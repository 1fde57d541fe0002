-- Data that fill all memory.
return lesson "bomb" {
  format = 1,
  title  = "Bomb",

  step "one" {
    data = function(random)
      local all = {}
      while true do all[#all + 1] = tensor.zeros { 1000, 1000 } end --! memory
    end,
    text = "{x}",
  },
}
