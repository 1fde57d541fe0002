-- For the tests of notes: words that begin what they do not end.
return lesson "wild" {
  format = 1,
  title  = "# <Wild> *words*",

  ask.number "wild" {
    title   = "[Title](x) <!-- \27[31m",
    text    = "# Heading\n\n<!-- comment\n\n<script>alert(1)</script>\n\n> quote\n\n```\nopen fence \27]0;title\7\nWhat is 1 + 1?",
    answer  = "2",
    mistake "one" { by = "1", say = "```\n- open {got}" },
    why     = "---\n\n| a | b |\n|---|---|\n| 1 | `x|y` |\n\n[link](javascript:alert(1)) ~~~ \226\128\174",
  },
}
