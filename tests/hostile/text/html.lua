-- HTML, entities and links are only text.
--> draws: Attack
return lesson "html" { format = 1, title = "Attack", step "s" { text = "<b>bold</b> <script>x</script> &#27;[31m &#x9b;31m &#x202e; &ESC; [x](javascript:x) <http://x/\27[31m> ![i](file:///etc/passwd)\n\n<div>\n\27[31m\n</div>" } }
