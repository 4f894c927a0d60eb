"""Confirmation questions before an effect that a program requested, built by code from the planned effect.

Entries: `QuestionDocument`, `require_agreed`, and one function for each effect.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from gaia_email.app.documents.short import plain
from gaia_email.document import Version
from gaia_email_registry.errors import NeedsApproval
from gaia_mail.asking.text import block, person_lines
from gaia_mail.printable import visible_block

if TYPE_CHECKING:
    from collections import Counter

    from gaia_email.app.services.drafting import DraftRow
    from gaia_email.ledger import LoggedAction
    from gaia_email.policy.question import CallQuestion
    from gaia_email.triage.inbox import FoundMessage
    from gaia_understanding.cascade.verdict import Bucket

SHOWN = 10
"""Maximum number of messages listed in a question; the others are only counted."""


class AskedAboutRow(TypedDict):
    """A message with its labels, or an action; `id` is complete, and `kind` is as in the ledger."""

    id: str
    kind: str
    labels: list[str]


class QuestionDocument(TypedDict):
    """The confirmation question before an effect that a program requested; `question` is empty if none is needed.

    `about` lists what would be changed.
    """

    schema_version: Version
    account: str
    question: str
    about: list[AskedAboutRow]


def require_agreed(confirm: Callable[[Mapping[str, Any]], bool] | None, asked: QuestionDocument) -> None:
    """Return if the user agreed to exactly this; without `confirm`, the caller has already ensured it.

    Raises:
        NeedsApproval: They agreed to something else.
    """
    if confirm is not None and not confirm(asked):
        raise NeedsApproval("What this is about changed meanwhile; nothing was done. Call again.")


def undo_question(account: str, actions: Sequence[LoggedAction]) -> QuestionDocument:
    """Ask to undo these actions."""
    lines = list[str]()
    for action in actions[:SHOWN]:
        who, what = (plain(str(action.action_payload.get(name, "")), 120) for name in ("sender", "subject"))
        lines.append(f"  {action.action_type}: {who} · {what or '(no subject)'}")
    text = _question(f"Take back {_counted(len(actions), 'action')}?", lines, len(actions))
    about: list[AskedAboutRow] = [
        {"id": action.action_id, "kind": action.action_type, "labels": []} for action in actions
    ]
    return _document(account, text, about)


def archive_question(account: str, found: Sequence[FoundMessage]) -> QuestionDocument:
    """Ask to take these messages out of the inbox."""
    return _moving(account, found, f"Take {_counted(len(found), 'message')} out of the inbox?")


def spam_question(account: str, found: Sequence[FoundMessage]) -> QuestionDocument:
    """Ask to move these messages to the provider's spam folder."""
    return _moving(account, found, f"Move {_counted(len(found), 'message')} to spam?")


def correction_question(account: str, found: FoundMessage, bucket: Bucket) -> QuestionDocument:
    """Ask whether a message belongs in another bucket."""
    sender = found.summary["from"]
    text = (
        f"Does this message belong in {bucket}? It is in {found.understood.verdict.bucket} now; "
        "what resembles it follows once two of your answers agree.\n"
        f"  {plain(sender['name'], 60)} <{plain(sender['address'], 120)}> · {plain(found.summary['subject'], 160)}"
    )
    return _document(account, text, [_message(found)])


def template_question(account: str, found: FoundMessage, template: str) -> QuestionDocument:
    """Ask to answer a message from a template; the gate then shows the full answer."""
    to = plain(found.summary["from"]["address"], 120)
    return _document(account, f"Answer {to} from the template {plain(template, 60)}?", [_message(found)])


def draft_question(account: str, row: DraftRow) -> QuestionDocument:
    """Ask to save a draft, showing its full text."""
    text = f"Keep this draft to {row['to']} (subject: {row['subject']})? It is not sent.\n\n{row['body']}"
    return _document(account, text, [{"id": row["id"], "kind": "message", "labels": []}])


def first_triage_question(account: str, planned: Counter[tuple[str, str]]) -> QuestionDocument:
    """Ask to let the first triage act on a mailbox; the question is empty if it would do nothing."""
    lines = ["This would be the first triage that acts on this mailbox. At the user's levels it would:"]
    lines += [f"  {count:,} × {action} ({cohort})" for (cohort, action), count in planned.most_common()]
    return _document(account, "\n".join([*lines, "All of it can be undone."]) if planned else "", [])


def _document(account: str, question: str, about: list[AskedAboutRow]) -> QuestionDocument:
    return {"schema_version": 1, "account": account, "question": question, "about": about}


def _message(found: FoundMessage) -> AskedAboutRow:
    return {"id": found.summary["id"], "kind": "message", "labels": sorted(found.summary["labels"])}


def sending_question(account: str, asked: CallQuestion, body: str) -> str:
    """Ask to send a mail: its account, its recipients with anything unusual about them, and its full text.

    The mail's text is set off with bars, so that none of it can pass for a line of the question.
    """
    lines = [f"Send this mail from {plain(account, 200)}?"]
    for person in asked.recipients:
        lines += person_lines(f"  {person.field}", person)
    lines.append(f"  subject: {plain(asked.subject, 1_000) or '(none)'}")
    if asked.messages:
        lines.append("  with the message that it forwards, whole, and its files")
    return "\n".join([*lines, "", *block(visible_block(body), len(body) + 1_000)])


def _moving(account: str, found: Sequence[FoundMessage], first: str) -> QuestionDocument:
    lines = [
        f"  {plain(one.summary['from']['address'], 120)} · {plain(one.summary['subject'], 160) or '(no subject)'}"
        for one in found[:SHOWN]
    ]
    return _document(account, _question(first, lines, len(found)), list(map(_message, found)))


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _question(first: str, lines: Sequence[str], total: int) -> str:
    more = [f"  and {total - SHOWN:,} more"] if total > SHOWN else []
    return "\n".join([first, *lines, *more])
