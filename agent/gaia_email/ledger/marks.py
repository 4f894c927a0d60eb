"""A message's labels as the bits of one number, so that a search tests thousands in a millisecond: `marks_of`.

Labels with a meaning of their own have a bit each. Any other label shares one of `SHARED` bits with some others, which
says that the message may have it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import lru_cache

from gaia_email.ledger.statements import from_lines
from gaia_mail.query.match import label_key

_OWN = (
    "SPAM TRASH INBOX UNREAD STARRED IMPORTANT SENT DRAFT SNOOZED MUTED CHAT CATEGORY_PERSONAL CATEGORY_SOCIAL "
    "CATEGORY_PROMOTIONS CATEGORY_UPDATES CATEGORY_FORUMS CATEGORY_RESERVATIONS CATEGORY_PURCHASES"
)
OWN = {label: 1 << place for place, label in enumerate(_OWN.split())}
"""The bit of each label that has one to itself."""

ATTACHMENT, CATEGORY = 1 << 18, 1 << 19
"""The message has an attachment; it is in any category."""

FIRST_SHARED, SHARED = 20, 40


_OWN_KEYS = {label_key(label): bit for label, bit in OWN.items()}


def bits_of_label(label: str) -> int:
    """The bit that a message with the label has; labels that `label_key` takes for one share it."""
    key = label_key(label)
    return _OWN_KEYS.get(key) or 1 << FIRST_SHARED + zlib.crc32(key.encode(errors="replace")) % SHARED


def bits_of_name(name: str, names: Mapping[str, str]) -> int:
    """The bits of which a message has at least one when it has a label so called; `names` are those of label ids."""
    key = label_key(name)
    bits = bits_of_label(name)
    for label, called in names.items():
        if label_key(called) == key:
            bits |= bits_of_label(label)
    return bits


@lru_cache(maxsize=4096)
def marks_of(labels: str, has_attachments: bool) -> int:
    """The bits of the labels of a message, given as lines (`to_lines`)."""
    marks = ATTACHMENT if has_attachments else 0
    for label in from_lines(labels):
        marks |= OWN.get(label) or bits_of_label(label)
        if label.startswith("CATEGORY_"):
            marks |= CATEGORY
    return marks
