"""The HTTP contract 2.14 that GAIA's email agent has (amd/gaia), for hosts that speak it."""
