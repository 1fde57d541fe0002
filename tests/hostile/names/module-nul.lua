-- A module's name with a zero byte.
--> says: there is no shared/
use "x\0../../etc/passwd" -- here
