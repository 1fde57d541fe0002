-- Wide characters, where they do not fit.
--> draws: Text
local wide = ("漢字🙂👩‍👩‍👧‍👦🇩🇪"):rep(2000)
return lesson "wide" { format = 1, title = wide, step "s" { title = wide, text = "Text " .. wide .. "\n\n    " .. wide .. "\n\n| " .. wide .. " |\n|--|\n| " .. wide .. " |",
  knobs = { knob.int "k" { 1, 9, label = wide } }, show = view.bars { "tensor { 1, 2 }", names = { wide, "two" } } } }
