-- An iterator that never comes to an end.
--> stops
return lesson "iterator" {
  format = 1, title = "Attack",
  step "s" { text = "{f()}" },
  define = { f = function() for i in function() return 1 end do end end }, -- here
}
