--> says: unknown name `use`
use "norms"
