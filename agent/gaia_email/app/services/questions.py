"""What a person is asked before something is done that a program called for: made from what would be done, by code.

Entries: `undo_question`, `archive_question`, `spam_question`, `sending_question`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaia_email.app.documents.short import plain
from gaia_mail.asking.text import block, person_lines
from gaia_mail.printable import visible_block

if TYPE_CHECKING:
    from gaia_email.ledger import LoggedAction
    from gaia_email.policy.question import CallQuestion
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
    return _question(f"Take {_counted(len(found), 'message')} out of the inbox?", _named(found), len(found))


def spam_question(found: Sequence[FoundMessage]) -> str:
    """Whether to move these to where the provider keeps spam."""
    return _question(f"Move {_counted(len(found), 'message')} to spam?", _named(found), len(found))


def sending_question(account: str, asked: CallQuestion, body: str) -> str:
    """Whether to send a mail: from where, to whom and what is unusual about them, and every word of it.

    What the mail says stands behind bars, so that none of it can pass for a line of the question.
    """
    lines = [f"Send this mail from {plain(account, 200)}?"]
    for person in asked.recipients:
        lines += person_lines(f"  {person.field}", person)
    lines.append(f"  subject: {plain(asked.subject, 1_000) or '(none)'}")
    if asked.messages:
        lines.append("  with the message that it forwards, whole, and its files")
    return "\n".join([*lines, "", *block(visible_block(body), len(body) + 1_000)])


def _named(found: Sequence[FoundMessage]) -> list[str]:
    return [
        f"  {plain(one.summary['from']['address'], 120)} · {plain(one.summary['subject'], 160) or '(no subject)'}"
        for one in found[:SHOWN]
    ]


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _question(first: str, lines: Sequence[str], total: int) -> str:
    more = [f"  and {total - SHOWN:,} more"] if total > SHOWN else []
    return "\n".join([first, *lines, *more])
