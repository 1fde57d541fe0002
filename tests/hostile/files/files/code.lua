os.execute('touch evil')
