"""The user's decisions about follow-ups, per thread: settled, waiting, or owed by someone else. Entry: `decide`.

Stored per account as a document of the ledger, without any text of mail. A newer message of the thread
overrides one.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

from msgspec import ValidationError, convert

from gaia_email.app import App
from gaia_email.app.documents.fields import rows_of
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.policy_store import has_ledger

Decided: TypeAlias = Literal["dismissed", "waiting", "you", "they", "nothing"]
"""`dismissed` means settled, `waiting` hides the thread until a time; the others name who owes an answer."""

DOCUMENT = "followups:"
MOST = 5_000
"""Maximum number of decisions stored per account; older ones are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowupDecision:
    """One decision.

    Attributes:
        thread_id: The thread.
        decided: The decision.
        at: The date of the thread's newest message at that time, epoch seconds: a later one is reported again.
        until: The end of waiting, epoch seconds; 0 if nothing waits.
    """

    thread_id: str
    decided: Decided
    at: float
    until: float = 0.0


def decisions(app: App, account: str) -> dict[str, FollowupDecision]:
    """Return the decisions by thread."""
    if not has_ledger(app.environ):
        return {}
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, DOCUMENT + account)
    return {} if document is None else {one.thread_id: one for one in _read(document.value)}


def decide(app: App, account: str, decision: FollowupDecision, *, actor: str) -> None:
    """Store a decision of the user, replacing the thread's previous one."""
    with app.ledger() as ledger, ledger.write() as tx:
        document = ledger.documents.read(tx, DOCUMENT + account)
        known = [] if document is None else _read(document.value)
        kept = [one for one in known if one.thread_id != decision.thread_id]
        rows = [asdict(one) for one in (*kept, decision)[-MOST:]]
        version = document.version if document else 0
        ledger.documents.write(tx, DOCUMENT + account, {"threads": rows}, version)
        payload = {"account": account, "thread_id": decision.thread_id, "decided": decision.decided}
        ledger.events.append(tx, NewLedgerEvent(kind="followup.decided", actor=actor, payload=payload))


def _read(value: Mapping[str, object]) -> list[FollowupDecision]:
    """Return the decisions in a document; those of another version of the program are skipped."""
    found: list[FollowupDecision] = []
    for row in rows_of(value, "threads"):
        with suppress(ValidationError):
            found.append(convert(row, FollowupDecision))
    return found
