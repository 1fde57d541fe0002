-- Very many marks on one letter, wide letters, joined ones.
--> draws: wide
"a" .. ("\u{301}"):rep(200) .. " 宽宽宽 \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} wide"
