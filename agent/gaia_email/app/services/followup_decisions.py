"""What the user said of who owes whom, thread by thread: settled, waiting, or somebody else. Entry: `decide`.

Kept as a document of the ledger by account, with no word of mail. A newer message of the thread overrides it.
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
"""`dismissed` is settled, `waiting` is not to be told of until a time; the others say who owes."""

DOCUMENT = "followups:"
MOST = 5_000
"""Decisions that are kept of an account, the newest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowupDecision:
    """One decision.

    Attributes:
        thread_id: The thread.
        decided: What was said.
        at: The date of the newest message then, epoch seconds: what comes later is told again.
        until: When waiting ends, epoch seconds; 0 where nothing waits.
    """

    thread_id: str
    decided: Decided
    at: float
    until: float = 0.0


def decisions(app: App, account: str) -> dict[str, FollowupDecision]:
    """What was said, by thread.

    Raises:
        MailError: The ledger cannot be read.
    """
    if not has_ledger(app.environ):
        return {}
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        document = ledger.documents.read(tx, DOCUMENT + account)
    return {} if document is None else {one.thread_id: one for one in _read(document.value)}


def decide(app: App, account: str, decision: FollowupDecision, *, actor: str) -> None:
    """Keep a decision of the user's; it replaces what was said of the thread before.

    Raises:
        MailError: The ledger cannot be written.
    """
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
    """What can be read of it; a decision of another version of the program is passed over."""
    found: list[FollowupDecision] = []
    for row in rows_of(value, "threads"):
        with suppress(ValidationError):
            found.append(convert(row, FollowupDecision))
    return found
