"""OpenScout's control protocol, dialect 0.1: its records, words and rules. Entry point: `DIALECT`.

A message is conversation, an invocation is work, and a flight is the tracked life of one invocation. Other programs
read and ask in these words. Nothing here opens the ledger, a socket or a file, except that `calls` reads its standard
input.
"""

DIALECT = "0.1"
"""The dialect spoken here. Both sides name theirs in the handshake: the grammar of selectors has changed since, so it
is never guessed from a text."""
