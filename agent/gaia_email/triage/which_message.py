"""Resolve a message id or its prefix to one message; the error for a wrong id says how to list ids.

Entry points: `the_one`, `find_message`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import NotFound

SEVERAL = 100
"""Maximum number of ids with one prefix that are counted."""


def find_message(message_id: str, matching: Sequence[Summary]) -> Summary:
    """Return the message with this id or id prefix; raises as `the_one` does."""
    meant = the_one(message_id, [one["id"] for one in matching])
    return next(one for one in matching if one["id"] == meant)


def the_one(message_id: str, matching: Sequence[str]) -> str:
    """Return the full id for an id or prefix.

    Raises:
        NotFound: No id matches, or several do and none is equal.
    """
    if message_id in matching or len(matching) == 1:
        return message_id if message_id in matching else matching[0]
    if matching:
        many = f"{len(matching)} messages" if len(matching) < SEVERAL else "Many messages"
        raise NotFound(
            f"{many} have an id that begins with {message_id[:80]!r}; give more of it.",
            argument="id",
        )
    raise NotFound(
        f"No message here has the id {message_id[:80]!r}.",
        argument="id",
        hint="gaia email inbox, with the same --account, --maildir, --mbox or --eml, lists the ids.",
    )
