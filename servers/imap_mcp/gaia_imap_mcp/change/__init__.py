"""Changes on the server: planned, carried out, and checked until nothing is left."""
