--> says: not a text
error({})
