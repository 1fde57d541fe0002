return use "two"
