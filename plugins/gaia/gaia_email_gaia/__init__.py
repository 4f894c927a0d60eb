"""The HTTP contract 2.14 of GAIA's email agent (amd/gaia), for hosts that use it."""
