"""What waits, and what was answered, as lines for a terminal. Entries: `call_lines`, `server_lines`, `outcome_line`."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from gaia_email.documents.pending import call_row, people_shown, proposal_text, word_shown, words_shown
from gaia_email.interfaces.cli.asked_lines import barred, visible_person
from gaia_email.interfaces.cli.card import one_line
from gaia_email.pending.calls import AnsweredCall
from gaia_email.pending.proposal import PendingProposal
from gaia_email_registry.approvals import OPEN_S, Approval
from gaia_mail.asking.text import person_lines
from gaia_mail.printable import visible_block

if TYPE_CHECKING:
    from gaia_email.ledger import StoredConfirmation
    from gaia_email.pending.inbox import AnsweredItem
    from gaia_email.pending.server_questions import AnsweredServer


def call_lines(waiting: StoredConfirmation, *, now: float | None = None) -> list[str]:
    """The same for a person: what would happen, then to whom, about what, why, and how long it can be answered."""
    row = call_row(waiting)
    left = max(0.0, waiting.expires_at - (time() if now is None else now))
    lines = [
        f"⏳ {one_line(str(row['text']))}",
        f"   {waiting.confirmation_id[:8]}  confirmation · {waiting.tool} · {one_line(waiting.account_id)} · "
        f"good for {left / 60:.0f} more minutes",
    ]
    for person in people_shown(waiting.shown):
        lines += [f"   {line}" for line in person_lines(person.field, visible_person(person))]
    told = [("subject", word_shown(waiting.shown, "subject")), ("why", word_shown(waiting.shown, "why"))]
    told += [("file", name) for name in words_shown(waiting.shown.get("files"))]
    told += [("message", subject) for subject in words_shown(waiting.shown.get("messages"))]
    told += [("from", sender) for sender in words_shown(waiting.shown.get("senders"))]
    lines += [f"   {name}: {one_line(value)}" for name, value in told if value]
    hidden = "\n".join(words_shown(waiting.shown.get("hidden")))
    lines += barred("", word_shown(waiting.shown, "text"), "   ")
    lines += barred("   formatted version, as text", word_shown(waiting.shown, "html_text"), "   ")
    return lines + barred("   hidden in the formatted version", hidden, "   ")


def outcome_line(answered: AnsweredItem | AnsweredCall) -> str:
    """One answer that counted, for a person: what was answered, and to what."""
    if isinstance(answered, AnsweredCall):
        call = answered.confirmation
        return f"{call.confirmation_id[:8]}  {answered.result}: {one_line(word_shown(call.shown, 'dry_run'))}"
    item = answered.item
    proposal = PendingProposal.of(item)
    subject = one_line(proposal.targets[0].subject) if proposal.targets else ""
    about = f" · {subject}" if subject else ""
    return f"{item.item_id[:8]}  {answered.result}: {one_line(proposal_text(proposal))}{about}"


MOST_LINES = 120
"""Lines of a server's question that are shown at once; the rest is counted, and shown when a person wants it."""


def server_lines(waiting: Approval, *, now: float | None = None, whole: bool = False) -> list[str]:
    """The same for a person: what is asked, who asks, then what the server shows; all of it where it is `whole`."""
    asked = waiting.asked
    left = max(0.0, waiting.created_at + OPEN_S - (time() if now is None else now))
    first, _, rest = asked.shown.partition("\n")
    about = " · ".join(map(one_line, (asked.tool, asked.account, f"asked by {asked.server}")))
    shown = [f"   {line}".rstrip() for line in visible_block(rest).split("\n") if rest]
    more = 0 if whole else len(shown) - MOST_LINES
    return [
        f"⏳ {one_line(first)}",
        f"   {waiting.approval_id[:8]}  confirmation · {about} · waits {left / 3600:.0f} more hours",
        *(shown if more <= 0 else shown[:MOST_LINES]),
        *([f"   [{more:,} more lines: `gaia email review` shows all of it with v]"] if more > 0 else []),
    ]


def server_outcome_line(answered: AnsweredServer) -> str:
    """One answer that counted, for a person."""
    first = answered.approval.asked.shown.partition("\n")[0]
    return f"{answered.approval.approval_id[:8]}  {answered.result}: {one_line(first)}"
