return use "one"
