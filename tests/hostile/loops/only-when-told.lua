-- All is well until a knob is turned.
--> set: hang=on
--> stops
return lesson "only-when-told" {
  format = 1, title = "Attack",
  step "s" { text = "t", knobs = { knob.switch "hang" {} }, show = function(d)
    while d.hang do end -- here
    return view.bars { tensor { 1, 2 } }
  end },
}
