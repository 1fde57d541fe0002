--> says: more memory than it may have
tensor.ones { 1 << 20, 1 << 14 }
