-- Characters that are not seen: joiners, tags, variation selectors, line separators, soft hyphens, fillers.
--> draws: Text
local evil = "\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}\u{2028}\u{2029}\u{85}\u{e0001}\u{e0041}\u{fe0f}\u{e0100}\u{3164}\u{115f}\u{180e}\u{fff9}\u{fffb}\u{ffff}\u{fdd0}\u{10ffff}"
return lesson "invisible" { format = 1, title = "Title " .. evil .. "evil", step "s" { text = "Text " .. evil .. "evil {'" .. evil .. "'}",
  show = view.bars { "tensor { 1, 2 }", names = { evil .. "one", "two" } } } }
