-- Programs.
--> says: unknown name `os`
os.execute("touch /tmp/normtutor-was-here") -- here
