-- Other files.
--> says: unknown name `dofile`
return dofile "/etc/passwd" -- here
