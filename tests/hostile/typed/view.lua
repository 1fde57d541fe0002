--> says: unknown name `view`
view.bars { x }
