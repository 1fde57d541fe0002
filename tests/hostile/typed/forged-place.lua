-- It says that it comes from a place that there is not; of the scratchpad no place is said.
--> says: not me
error("other.lua:1: not me", 0)
