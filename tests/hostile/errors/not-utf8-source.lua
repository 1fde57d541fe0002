-- A source that is no UTF-8, outside of any text.
--> says: <eof> expected near
return lesson "not-utf8-source" { format = 1, title = "Attack", step "s" { text = "t" } } ÿþ -- here
