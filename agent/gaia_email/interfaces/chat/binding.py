"""Binds the tools that a model may call for a line of the user. Entry point: `bound_by`.

The user's own words decide, before any mail is read; nothing read later adds a tool. No line binds a tool that sends,
deletes, remembers or contacts another machine, so private mail and instructions in untrusted mail never meet a way to
send data out. Changes to the mailbox are proposed to the user and made only after their next line agrees.
"""

from __future__ import annotations

import re

from gaia_email.interfaces.chat.operations import phrases

READING = (
    "triage_inbox",
    "daily_summary",
    "search_mail",
    "show_email",
    "why",
    "summarize_thread",
    "exchange",
    *dict.fromkeys(one.name for one in phrases().values()),
)
"""Tools bound by every line; none of them changes anything."""

_BY_WORDS = (
    (re.compile(r"\b(?:draft|repl(?:y|ies)|answer|respond|response|write)\b", re.IGNORECASE), "draft_reply"),
    (
        re.compile(
            r"\b(?:archive|put (?:it|them|that|those|these)? ?away|clear|clean|tidy|out of (?:my|the) inbox)\b",
            re.IGNORECASE,
        ),
        "archive",
    ),
)


def bound_by(line: str) -> tuple[str, ...]:
    """Return the tools that a model may call for this line."""
    return (*READING, *(tool for words, tool in _BY_WORDS if words.search(line)))
