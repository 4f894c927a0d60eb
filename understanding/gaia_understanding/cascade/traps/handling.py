"""Sentences about how the mail itself is to be handled, in any voice. Entry: `weight`.

A person writes about a matter; text for a machine is about the message, its place and its summary, about
earlier instructions and permissions, or in the voice of a system, a tool or the mailbox's owner. No list of
phrases is needed to see that: a sentence gets points for the party that it addresses or speaks for, and for
each thing that it wants done with mail. Points of two kinds are a sign, of one kind hardly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks import scope
from gaia_understanding.prepare.literal_scanner import Literals

_TABLE = WordTable("gaia_understanding.cascade", "traps/handling.txt")

SURE, FOREIGN, UNCLEAR = 3.0, 1.5, 0.75
"""The weights from which a sentence is surely meant for a machine, is left out of all else, and may be either."""

_HANDLING = _TABLE.pattern("handling")
_SUMMARY = _TABLE.pattern("summary")
_EARLIER = _TABLE.pattern("earlier")
_OWNER = _TABLE.pattern("owner")
_BEFORE = _TABLE.pattern("before")
_TOOLS = _TABLE.pattern("tools")
_LABEL = _TABLE.pattern("label")
_FIELD = _TABLE.pattern("field")
_TO_MACHINE = _TABLE.pattern("to_machine")
_SEND = _TABLE.pattern("send")
_ORDER = _TABLE.pattern("order")
_WORDS = (
    _TABLE.pattern("mail_as_a_thing"),
    _TABLE.pattern("ranking", r"\b(?:", r")\b"),
    _TABLE.pattern("who_works", r"\b(?:", r")\b"),
    _TABLE.pattern("who_decides", r"\b(?:", r")\b"),
    _TABLE.pattern("steps"),
)
"""Words of mail as a thing, of ranking, of those who work on it and decide about it, and of the order of steps."""
_BY_WORDS = (0.0, 0.0, 0.75, 1.5, 2.0, 2.0)
"""The weight of a sentence by the number of these kinds in it."""
_HINTS = Literals.from_table(_TABLE, "hints")
"""Every sentence that two of the expressions match contains one of these."""
_POINTS = (
    (_LABEL, 2.0),
    (_TO_MACHINE, 2.0),
    (_FIELD, 1.0),
    (_OWNER, 2.0),
    (_EARLIER, 1.5),
    (_HANDLING, 1.5),
    (_SUMMARY, 1.5),
    (_TOOLS, 1.5),
    (_BEFORE, 1.5),
)
"""The points of each kind of sign: more for voices and addressees than for demands."""
_BESIDE = ((_SEND, 1.0), (_ORDER, 0.5))
"""Ordinary by themselves; they add to a sign."""
_CHARS = 500
_FOOTER_ORDERS = _TABLE.pattern("footer_orders")
_MACHINES = _TABLE.pattern("machine", r"\b(?:", r")\b")


def is_footer(sentence: str) -> bool:
    """Return True for a folded sentence of a legal footer, about misdelivered mail."""
    text = " ".join(sentence[:_CHARS].split())
    return scope.is_legal(text) and _MACHINES.search(text) is None


def weight(sentence: str, *, in_footer: bool) -> float:
    """Return how surely a folded sentence is about the handling of mail by a machine; 0 without any sign.

    `in_footer` is True if it is part of a legal footer (`is_footer`), whose own orders, to delete it and to
    inform the sender, are not signs.
    """
    text = " ".join(sentence[:_CHARS].split())
    if in_footer and _MACHINES.search(text) is None:
        text = _FOOTER_ORDERS.sub(" ", text)
    if not _HINTS.stand_in(text):
        return 0.0
    signs = max(_sum(_POINTS, text), _BY_WORDS[sum([kind.search(text) is not None for kind in _WORDS])])
    return signs + _sum(_BESIDE, text) if signs else 0.0


def is_order(sentence: str) -> bool:
    """Return True if a folded sentence gives an order, or says what something must be."""
    return _ORDER.search(" ".join(sentence[:_CHARS].split())) is not None


def _sum(kinds: Sequence[tuple[re.Pattern[str], float]], text: str) -> float:
    return sum([points for pattern, points in kinds if pattern.search(text) is not None])
