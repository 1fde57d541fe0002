-- A formula that ends and goes on.
--> says: expected near
return lesson "formula-of-two" { format = 1, title = "Attack", step "s" { text = "{1 end while true do end do return 2}" } } -- here
