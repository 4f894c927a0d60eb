r"""What a message's copies on the server make of it: labels and flags. Entry: `standing`.

A copy has marks: its flags and keywords, and on Gmail its labels, with a `+` before them. A copy marked
`\Deleted` counts no more: whoever marked it wants it gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from gaia_mail.files import labels as names
from gaia_mail.files.maildir import keyword_label
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

DELETED = "\\Deleted"
SEPARATOR = "\x1f"
LABEL = "+"

SHUT = frozenset({names.TRASH, names.SPAM})
"""A message with one of these labels is nowhere else."""

_SYSTEM_FLAGS = {flag.lower(): flag for flag in (names.SEEN, names.FLAGGED, names.ANSWERED, names.DRAFT_FLAG)}
_GMAIL = {
    "\\inbox": names.INBOX,
    "\\sent": names.SENT,
    "\\draft": names.DRAFT,
    "\\drafts": names.DRAFT,
    "\\starred": names.STARRED,
    "\\important": names.IMPORTANT,
    "\\junk": names.SPAM,
    "\\trash": names.TRASH,
}


class Standing(NamedTuple):
    """Label ids and IMAP flags, each joined by `SEPARATOR`, sorted."""

    labels: str
    flags: str


def join(marks: Iterable[str]) -> str:
    """Marks as they are stored."""
    return SEPARATOR.join(sorted(set(marks)))


def split(text: str) -> tuple[str, ...]:
    """The reverse of `join`; also for what `Standing` holds."""
    return tuple(text.split(SEPARATOR)) if text else ()


def standing(copies: Sequence[tuple[str, str]]) -> Standing | None:
    """What copies make together, each given as its folder's label and its marks; None when none counts."""
    if len(copies) == 1:
        return _one(*copies[0])
    found = [copy for copy in copies if not is_deleted(copy[1])]
    return _all(tuple(sorted(found))) if found else None


@lru_cache(maxsize=4096)
def is_deleted(marks: str) -> bool:
    r"""Whether marks say `\Deleted`."""
    return "\\deleted" in marks.lower().split(SEPARATOR)


@lru_cache(maxsize=4096)
def _one(label: str, marks: str) -> Standing | None:
    return None if is_deleted(marks) else _all(((label, marks),))


@lru_cache(maxsize=4096)
def _all(copies: tuple[tuple[str, str], ...]) -> Standing:
    labels: set[str] = set()
    flags: set[str] = set()
    for label, marks in copies:
        folder_labels = {label} if label else set[str]()
        draft = False
        for mark in split(marks):
            if mark.startswith(LABEL):
                folder_labels.add(_GMAIL.get(mark[1:].lower(), mark[1:]))
            elif mark.lower() in _SYSTEM_FLAGS:
                flags.add(_SYSTEM_FLAGS[mark.lower()])
                draft = draft or mark.lower() == "\\draft"
            else:
                keyword = keyword_label(mark)
                if keyword == names.IMPORTANT or keyword.upper() not in SYSTEM_LABELS:
                    folder_labels.add(keyword)
        if draft and label in ("", names.INBOX):
            folder_labels.add(names.DRAFT)
        labels |= folder_labels
    if names.SEEN not in flags:
        labels.add(names.UNREAD)
    if names.FLAGGED in flags:
        labels.add(names.STARRED)
    if names.DRAFT in labels:
        flags.add(names.DRAFT_FLAG)
    labels.discard("")
    return Standing(SEPARATOR.join(sorted(labels)), SEPARATOR.join(sorted(flags)))
