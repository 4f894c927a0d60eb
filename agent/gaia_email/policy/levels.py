"""The autonomy levels and what each allows without asking. Entry points: `check_level`, `WITHOUT_ASKING`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from gaia_email_registry.errors import BadArgument

TEXTS_ONLY = "server:"
"""How accounts are called of whose mail only texts are read, without the headers that tell lists and machines."""

BY_TRIAGE = ("archive", "junk", "label_add")
"""What a triage does to messages, as the ledger's `action_type` names it."""

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
"""What the agent can do of its own accord.

`answer` reads when asked, `alert` tells of a message, `suggest` proposes a label, a draft or a priority, `prepare`
sorts ahead of the user's review. The others change a mailbox or leave the machine.
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
"""What each level comes to, in the order of `LEVEL_NAMES`."""

TOP = 5
"""The highest level; the sixth has a name only so that the scale has an end."""

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
"""The level from which an action is done without asking; below it, down to `PROPOSES_FROM`, it is proposed."""

PASSIVE: frozenset[AgentAction] = frozenset({"answer", "alert", "suggest", "prepare"})
"""Actions that change nothing, neither in a mailbox nor elsewhere."""

PROPOSES_FROM = 2
"""From this level the agent proposes what it may not do by itself."""

SCHEDULED_FROM = 5
"""From this level a scheduled run acts; below, it prepares for review what an asked-for run would do."""

ANY_BUCKET_FROM = 5
"""From this level any message may be archived; below, only what is of low priority."""


def check_level(level: object) -> int:
    """`level` where it is one.

    Raises:
        BadArgument: It is no whole number from 0 to 5.
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
    """`L4 act with undo`."""
    return f"L{level} {LEVEL_NAMES[level]}"
