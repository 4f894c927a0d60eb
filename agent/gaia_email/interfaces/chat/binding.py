"""Which tools a line of the user binds: the only ones that a model may call for it. Entry point: `bound_by`.

Decided from the user's own words, before any mail is read; nothing that is read later adds to it. No line binds a tool
that sends, deletes, remembers or reaches another machine, so that private mail and a stranger's orders never stand
beside a way out. What changes the mailbox is proposed to the user and done on their next word.
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
"""What every line binds; none of them changes anything."""

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
    """The tools that a model may call for this line."""
    return (*READING, *(tool for words, tool in _BY_WORDS if words.search(line)))
