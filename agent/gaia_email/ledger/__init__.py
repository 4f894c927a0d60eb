"""The ledger: verdicts, actions, questions and answers in one database. Entry point: `open_ledger`.

```python
with open_ledger() as ledger:                        # GAIA_HOME/email/ledger.db, or GAIA_EMAIL_DATABASE_URL
    with ledger.write() as tx:                       # one transaction; other writers wait
        planned = ledger.actions.plan(tx, [NewAction(…)])
    …                                                # the effect
    with ledger.write() as tx:
        ledger.actions.settle(tx, [Outcome(action_id=planned[0].action_id)])   # writes action.applied too
    with ledger.read() as tx:
        ledger.events.since(tx, seq)
```
Every store method takes the connection first, so that related changes share a transaction. docs/ledger.md lists them.

Names are imported on first use: the database library takes a fifth of a second to load, and much of the program only
asks `policy_store` if a ledger exists.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaia_email.ledger.action_log import (
        ActionLog,
        ActionOutcome,
        ActionState,
        LoggedAction,
        NewAction,
        Selection,
    )
    from gaia_email.ledger.database import Ledger, ledger_file, open_ledger
    from gaia_email.ledger.documents import DocumentStore, StoredDocument
    from gaia_email.ledger.event_log import (
        ChainBreak,
        EventFilter,
        EventLog,
        LedgerEvent,
        LogPage,
        NewLedgerEvent,
    )
    from gaia_email.ledger.failures import LedgerDamaged, LostRace
    from gaia_email.ledger.pending_items import NewItem, PendingItem, PendingState, PendingStore, PendingType
    from gaia_email.ledger.senders import Override, StoredSender, StoredSenders
    from gaia_email.ledger.text import Json
    from gaia_email.ledger.verdicts import (
        Correction,
        Corrections,
        FeedbackSource,
        MessageState,
        NewCorrection,
        VerdictFields,
        VerdictStore,
    )

__all__ = [
    "ActionLog",
    "ActionOutcome",
    "ActionState",
    "ChainBreak",
    "Correction",
    "Corrections",
    "DocumentStore",
    "EventFilter",
    "EventLog",
    "FeedbackSource",
    "Json",
    "Ledger",
    "LedgerDamaged",
    "LedgerEvent",
    "LogPage",
    "LoggedAction",
    "LostRace",
    "MessageState",
    "NewAction",
    "NewCorrection",
    "NewItem",
    "NewLedgerEvent",
    "Override",
    "PendingItem",
    "PendingState",
    "PendingStore",
    "PendingType",
    "Selection",
    "StoredDocument",
    "StoredSender",
    "StoredSenders",
    "VerdictFields",
    "VerdictStore",
    "ledger_file",
    "open_ledger",
]

_MODULES = (
    "action_log",
    "event_log",
    "verdicts",
    "documents",
    "text",
    "database",
    "failures",
    "pending_items",
    "senders",
)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name in __all__:
            for module in map(import_module, (f"{__name__}.{one}" for one in _MODULES)):
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
