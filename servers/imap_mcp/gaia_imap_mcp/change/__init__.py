"""Changes on the server: planned, carried out, and looked at again until nothing is left."""
