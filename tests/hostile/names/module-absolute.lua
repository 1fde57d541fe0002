-- A module by its whole path.
--> says: there is no shared/
use "/etc/passwd" -- here
