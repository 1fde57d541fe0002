--> says: unknown name `os`
os.execute("touch was-here")
