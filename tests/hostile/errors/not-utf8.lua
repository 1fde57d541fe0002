-- Bytes that are no UTF-8.
--> draws: bytes
return lesson "not-utf8" { format = 1, title = "\xff\xfe\xc0\xaf\xed\xa0\x80", about = "\x80", goal = "\xf5\x80\x80\x80",
  step "s" { text = "bytes \xff \xc0\x80 \xe0\x80\x80 \xf0\x80\x80\x80 \xed\xbf\xbf \xf4\x90\x80\x80 \xe2\x28 {'\xff'} {utf8.char(0x7fffffff)} end",
    show = view.table { { "1" }, head = { "\xff\x9b\x80" } } } }
