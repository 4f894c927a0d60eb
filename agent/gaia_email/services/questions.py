"""What a person is asked before something is done that a program called for: made from what would be done, by code.

Entries: `undo_question`, `archive_question`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email.documents.short import plain

if TYPE_CHECKING:
    from gaia_email.ledger import LoggedAction
    from gaia_email.triage.inbox import FoundMessage

SHOWN = 10
"""Messages that a question names; the rest is counted."""


def undo_question(actions: Sequence[LoggedAction]) -> str:
    """Whether to take these back."""
    lines = list[str]()
    for action in actions[:SHOWN]:
        who, what = (plain(str(action.action_payload.get(name, "")), 120) for name in ("sender", "subject"))
        lines.append(f"  {action.action_type}: {who} · {what or '(no subject)'}")
    return _question(f"Take back {_counted(len(actions), 'action')}?", lines, len(actions))


def archive_question(found: Sequence[FoundMessage]) -> str:
    """Whether to take these out of the inbox."""
    lines = [
        f"  {plain(one.summary['from']['address'], 120)} · {plain(one.summary['subject'], 160) or '(no subject)'}"
        for one in found[:SHOWN]
    ]
    return _question(f"Take {_counted(len(found), 'message')} out of the inbox?", lines, len(found))


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _question(first: str, lines: Sequence[str], total: int) -> str:
    more = [f"  and {total - SHOWN:,} more"] if total > SHOWN else []
    return "\n".join([first, *lines, *more])
