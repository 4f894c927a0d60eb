"""OpenScout's control protocol, dialect 0.1, by which agents of other programs work with ours. Entry point: `DIALECT`.

A message is conversation, an invocation is work, and a flight is the tracked life of one invocation. Other programs use
the protocol to read and to ask for work.
"""

DIALECT = "0.1"
"""The supported dialect.

Both sides name theirs in the handshake: the grammar of selectors has changed since, so the dialect is never guessed
from a text.
"""
