r"""Derives a message's labels and flags from its copies on the server. Entry: `labels_and_flags`.

A copy has marks: its flags and keywords, and on Gmail its labels, prefixed with `+`. A copy marked `\Deleted`
counts as gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from gaia_mail.files.labels import (
    ANSWERED,
    DRAFT,
    DRAFT_FLAG,
    FLAGGED,
    IMPORTANT,
    INBOX,
    SEEN,
    SENT,
    SPAM,
    STARRED,
    TRASH,
    UNREAD,
)
from gaia_mail.files.maildir import keyword_label
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

DELETED = "\\Deleted"
SEPARATOR = "\x1f"
LABEL = "+"

SHUT = frozenset({TRASH, SPAM})
"""A message with one of these labels is in no other folder."""

_SYSTEM_FLAGS = {flag.lower(): flag for flag in (SEEN, FLAGGED, ANSWERED, DRAFT_FLAG)}
_GMAIL = {
    "\\inbox": INBOX,
    "\\sent": SENT,
    "\\draft": DRAFT,
    "\\drafts": DRAFT,
    "\\starred": STARRED,
    "\\important": IMPORTANT,
    "\\junk": SPAM,
    "\\trash": TRASH,
}


class LabelsAndFlags(NamedTuple):
    """Sorted label ids and IMAP flags, each joined by `SEPARATOR`."""

    labels: str
    flags: str


def join(marks: Iterable[str]) -> str:
    """Return marks in the form in which they are stored."""
    return SEPARATOR.join(sorted(set(marks)))


def split(text: str) -> tuple[str, ...]:
    """Reverse `join`; also for the fields of `LabelsAndFlags`."""
    return tuple(text.split(SEPARATOR)) if text else ()


def labels_and_flags(copies: Sequence[tuple[str, str]]) -> LabelsAndFlags | None:
    """Return the labels and flags of copies, each given as its folder's label and its marks; None if none counts."""
    if len(copies) == 1:
        return _one(*copies[0])
    found = [copy for copy in copies if not has_deleted_flag(copy[1])]
    return _all(tuple(sorted(found))) if found else None


@lru_cache(maxsize=4096)
def has_deleted_flag(marks: str) -> bool:
    r"""Return True if the marks include `\Deleted`."""
    return "\\deleted" in marks.lower().split(SEPARATOR)


@lru_cache(maxsize=4096)
def _one(label: str, marks: str) -> LabelsAndFlags | None:
    return None if has_deleted_flag(marks) else _all(((label, marks),))


@lru_cache(maxsize=4096)
def _all(copies: tuple[tuple[str, str], ...]) -> LabelsAndFlags:
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
                if keyword == IMPORTANT or keyword.upper() not in SYSTEM_LABELS:
                    folder_labels.add(keyword)
        if draft and label in ("", INBOX):
            folder_labels.add(DRAFT)
        labels |= folder_labels
    if SEEN not in flags:
        labels.add(UNREAD)
    if FLAGGED in flags:
        labels.add(STARRED)
    if DRAFT in labels:
        flags.add(DRAFT_FLAG)
    labels.discard("")
    return LabelsAndFlags(SEPARATOR.join(sorted(labels)), SEPARATOR.join(sorted(flags)))
