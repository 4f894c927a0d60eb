"""What one message says of who owes whom, as it is kept. Entry: `MessageNote`.

Apart from what reads messages (`notes.py`), since that takes long to load and what is kept needs none of it.
"""

from __future__ import annotations

from dataclasses import dataclass

NOTES_VERSION = 5
"""Grows whenever the same message may give another note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageNote:
    """What one message says, in sentences of its own.

    Attributes:
        asks: The sentence that expects an answer of its reader; empty for none.
        promises: The sentence by which its writer promises something; empty for none.
        due: The day or time named for either, ISO 8601; empty for none.
        closes: It ends the matter: thanks, agreement, or that nothing is needed any more.
        automatic: A machine, a list or an absence note wrote it; nobody owes it anything and it answers nothing.
        invitation: The iTIP method (RFC 5546) of the invitation it carries, such as `REQUEST`; empty for none.
        starts: When that event starts, ISO 8601; empty where unknown.
        ends: When it ends, likewise.
        title: What it is called.
        place: Where it is.
        uid: What tells it from others (RFC 5545).
    """

    asks: str = ""
    promises: str = ""
    due: str = ""
    closes: bool = False
    automatic: bool = False
    invitation: str = ""
    starts: str = ""
    ends: str = ""
    title: str = ""
    place: str = ""
    uid: str = ""
