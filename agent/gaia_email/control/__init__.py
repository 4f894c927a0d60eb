"""OpenScout's control protocol, dialect 0.1: its records, vocabulary and rules. Entry point: `DIALECT`.

A message is conversation, an invocation is work, and a flight is the tracked life of one invocation. Other programs use
the protocol to read and to ask for work. Nothing here opens the ledger, a socket or a file, except that `calls` reads
its standard input.
"""

DIALECT = "0.1"
"""The supported dialect.

Both sides name theirs in the handshake: the grammar of selectors has changed since, so the dialect is never guessed
from a text.
"""
