--> says: has too many elements
tensor.zeros { 1 << 32, 1 << 32 }
