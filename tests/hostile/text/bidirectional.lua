-- Text that would be read from right to left.
--> draws: Text
local evil = "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200e}\u{200f}\u{61c}"
return lesson "bidirectional" { format = 1, title = "Title " .. evil .. "evil", step "s" { title = evil .. "step", text = "Text " .. evil .. "evil {'" .. evil .. "'}",
  show = view.bars { "tensor { 1, 2 }", names = { evil .. "one", "two" } } } }
