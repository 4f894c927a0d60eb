"""The autonomy levels and what each allows without asking. Entry points: `check_level`, `WITHOUT_ASKING`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from gaia_email_registry.errors import BadArgument

TEXTS_ONLY = "server:"
"""Prefix of accounts that provide only the text of mail, without the headers that reveal lists and automation."""

BY_TRIAGE = ("archive", "junk", "label_add")
"""Changes a triage makes to messages, as named by the ledger's `action_type`."""

AgentAction = Literal[
    "answer",
    "alert",
    "suggest",
    "prepare",
    "label_add",
    "label_remove",
    "star",
    "snooze",
    "archive",
    "draft_create",
    "draft_update",
    "mark_read",
    "trash",
    "unsubscribe",
    "send_template",
    "send",
    "delete",
    "block",
]
"""Actions the agent can take of its own accord.

`answer` reads when asked, `alert` notifies the user of a message, `suggest` proposes a label, a draft or a priority,
and `prepare` sorts ahead of the user's review. The others change a mailbox or send something.
"""

ACTIONS: tuple[AgentAction, ...] = get_args(AgentAction)

LEVEL_NAMES = ("manual", "query only", "suggest per message", "batch suggest", "act with undo", "autonomous")

LEVEL_MEANS = (
    "the agent does nothing with it",
    "the agent answers you about it and alerts you, and changes nothing",
    "the agent suggests what to do, a message at a time",
    "the agent prepares what to do, for you to approve together",
    "the agent does what can be undone, without asking",
    "the agent does all but what always asks",
)
"""Descriptions of the levels, in the order of `LEVEL_NAMES`."""

TOP = 5
"""The highest level available; level 6 is rejected with its own error."""

ALWAYS_ASKS = None

WITHOUT_ASKING: Mapping[AgentAction, int | None] = {
    "answer": 1,
    "alert": 1,
    "suggest": 2,
    "prepare": 3,
    "label_add": 4,
    "label_remove": 4,
    "star": 4,
    "snooze": 4,
    "archive": 4,
    "draft_create": 4,
    "draft_update": 4,
    "mark_read": 5,
    "trash": 5,
    "unsubscribe": 5,
    "send_template": 5,
    "send": ALWAYS_ASKS,
    "delete": ALWAYS_ASKS,
    "block": ALWAYS_ASKS,
}
"""The lowest level at which an action is done without asking; from `PROPOSES_FROM` up to it, the action is proposed."""

PASSIVE: frozenset[AgentAction] = frozenset({"answer", "alert", "suggest", "prepare"})
"""Actions that change nothing, in a mailbox or elsewhere."""

PROPOSES_FROM = 2
"""Lowest level at which the agent proposes actions that it may not do by itself."""

SCHEDULED_FROM = 5
"""Lowest level at which a scheduled run acts by itself; below it, the run prepares actions for review."""

ANY_BUCKET_FROM = 5
"""Lowest level at which any message may be archived; below it, only messages of low priority."""


def check_level(level: object) -> int:
    """Return `level` if it is valid.

    Raises:
        BadArgument: It is not a whole number from 0 to 5.
    """
    if isinstance(level, int) and not isinstance(level, bool):
        if 0 <= level <= TOP:
            return level
        if level == TOP + 1:
            raise BadArgument(
                "Level 6 (fully delegated) does not exist here: somebody has to answer for what is done. "
                "The highest level is 5.",
                argument="level",
            )
    raise BadArgument(
        f"A level is a whole number from 0 to {TOP}, not {str(level)[:40]!r}.", argument="level"
    )


def level_text(level: int) -> str:
    """Return the level as text, such as `L4 act with undo`."""
    return f"L{level} {LEVEL_NAMES[level]}"
