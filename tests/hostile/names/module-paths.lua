-- A module outside of shared/.
--> says: there is no shared/
use "../../../lessons/shared/norms" -- here
