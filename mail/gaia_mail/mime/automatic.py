"""Decides if a message may be answered automatically (RFC 3834 §2). Entry point: `not_to_be_answered`."""

from __future__ import annotations

import re

from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import Headers

BULK = frozenset({"list", "bulk", "junk", "auto_reply"})
"""Values of Precedence on mail that expects no answer."""

ANSWERED_BY_A_MACHINE = ("x-autoreply", "x-autorespond", "x-autoresponder")
"""Fields that marked automatic answers before Auto-Submitted existed."""

_PROGRAM = lazy_pattern(
    r"mailer-daemon|postmaster|listserv|majordomo|owner-.*|.*-(?:request|owner|bounces?)(?:[+=].*)?|bounces?[+=-].*"
    r"|(?:no|do-?not|dont)[._-]?reply.*",
    re.IGNORECASE,
)
_SUPPRESSED = lazy_pattern(r"\b(?:all|oof|autoreply)\b", re.IGNORECASE)
"""Values of Exchange's X-Auto-Response-Suppress that rule out an answer; those about receipts do not."""

BY_A_MACHINE = "It was sent automatically, and is not to be answered automatically (RFC 3834)."
IN_BULK = "It was sent to a list or in bulk, and is not to be answered automatically (RFC 3834)."
BY_NOBODY = "It names no one to answer (RFC 3834)."
BY_A_PROGRAM = "It comes from a program, and is not to be answered automatically (RFC 3834)."


def not_to_be_answered(headers: Headers, sender: str) -> str:
    """Return a one-sentence reason why no automatic answer may go to a message; empty if one may.

    All fields with the same name count: a second one cannot hide the first.

    Args:
        headers: Headers of the message.
        sender: Address in `From`.
    """
    if any(_first_word(value) != "no" for value in headers.get_all("auto-submitted")):
        return BY_A_MACHINE
    if any(name in headers for name in ANSWERED_BY_A_MACHINE) or _is_a_report(headers):
        return BY_A_MACHINE
    if any(_SUPPRESSED.search(value) for value in headers.get_all("x-auto-response-suppress")):
        return BY_A_MACHINE
    if any(_first_word(value) in BULK for value in headers.get_all("precedence")):
        return IN_BULK
    if any(name.lower().startswith("list-") for name, _ in headers.fields()):
        return IN_BULK
    if not sender or any(value.strip() in ("", "<>") for value in headers.get_all("return-path")):
        return BY_NOBODY
    return BY_A_PROGRAM if _PROGRAM.fullmatch(sender.partition("@")[0]) else ""


def _is_a_report(headers: Headers) -> bool:
    return any(_first_word(value) == "multipart/report" for value in headers.get_all("content-type"))


def _first_word(value: str) -> str:
    """Return the value before parameters and comments, in lower case."""
    return re.split(r"[;(,]", value, maxsplit=1)[0].strip().lower()
