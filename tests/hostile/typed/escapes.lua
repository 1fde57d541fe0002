--> draws: owned
"\27]0;owned\7 \27[66;66H \27[31;46m \u{9b}66;66H \u{202e}evil\r\8\127"
