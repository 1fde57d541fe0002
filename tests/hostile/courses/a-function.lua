--> says at 1: returns a function
return function() end
