--> says: unknown name `random`
random:normal { 8192, 4096 }
