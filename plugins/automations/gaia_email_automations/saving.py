"""Save a definition that the user agreed to, with its triggers. Entries: `save`, `SavedBy`."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email.mailbox.ref import MailboxRef
from gaia_email_automations.definition import AutomationDefinition, trigger_type
from gaia_email_automations.engine import ACTOR
from gaia_email_automations.flows import flows_of
from gaia_email_automations.store import (
    AutomationStore,
    StoredAutomation,
    StoredTrigger,
    StoredVersion,
    new_automation_id,
)
from gaia_email_automations.validating import read_definition
from gaia_email_registry.errors import BadArgument, StateConflict

MOST_AUTOMATIONS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedBy:
    """The account, mailbox, addresses and actor that save an automation; `owner` has the user's addresses."""

    account_id: str
    place: MailboxRef
    owner: tuple[str, ...]
    actor: str


def save(
    ledger: Ledger,
    definition: Mapping[str, Any],
    by: SavedBy,
    *,
    flows: Sequence[str] = (),
    automation_id: str = "",
) -> StoredAutomation:
    """Save a new automation, or a new version of one; the previous version stops firing.

    Args:
        ledger: Open for writing.
        definition: The definition.
        by: The account, mailbox, addresses and actor.
        flows: Lines of `flows_of` that a run need not ask about.
        automation_id: The automation to change; empty for a new one.

    Raises:
        BadArgument: The definition has errors, or a flow is not in it.
        StateConflict: The name is taken.
        NotFound: There is no such automation.
        MailError: The ledger cannot be written.
    """
    checked = read_definition(definition, ledger)
    read = checked.require()
    _check_flows(read, flows)
    now = float(ledger.clock())
    with ledger.write() as tx:
        store = AutomationStore.of(ledger)
        before = store.find(tx, automation_id) if automation_id else None
        known = store.all(tx)
        if any(one.name == read.name and one is not before and one != before for one in known):
            raise StateConflict(f"There is an automation {read.name!r} already.", argument="/name")
        if before is None and len(known) >= MOST_AUTOMATIONS:
            raise BadArgument(f"There may be {MOST_AUTOMATIONS:,} automations.", argument="definition")
        saved = StoredAutomation(
            automation_id=before.automation_id if before else new_automation_id(),
            account_id=by.account_id,
            place={**by.place.to_json(), "owner": list(by.owner)},
            created_by=before.created_by if before else next(iter(by.owner), by.account_id),
            name=read.name,
            description=read.goal,
            status=before.status if before else "active",
            version=before.version + 1 if before else 1,
            created_at=before.created_at if before else now,
            updated_at=now,
        )
        version = StoredVersion(
            automation_id=saved.automation_id,
            version=saved.version,
            account_id=by.account_id,
            definition=dict(checked.stored),
            flows=list(flows),
            saved_by=by.actor,
            saved_at=now,
        )
        store.save(tx, saved, version, _triggers(saved, read, ledger.events.last(tx)))
        ledger.events.append(tx, automation_event(saved, "saved", by.actor))
    return saved


def _check_flows(read: AutomationDefinition, flows: Sequence[str]) -> None:
    possible = {flow.line for flow in flows_of(read)}
    for line in flows:
        if line not in possible:
            raise BadArgument(
                f"{line[:120]!r} is no flow of this definition.",
                argument="flows",
                hint="gaia email automations check FILE lists them.",
            )


def automation_event(automation: StoredAutomation, what: str, actor: str = ACTOR) -> NewLedgerEvent:
    """Return the event for a change of an automation."""
    payload = {
        "automation_id": automation.automation_id,
        "name": automation.name,
        "version": automation.version,
    }
    return NewLedgerEvent(
        kind=f"automation.{what}", actor=actor, account_id=automation.account_id, payload=payload
    )


def _triggers(saved: StoredAutomation, read: AutomationDefinition, last: int) -> list[StoredTrigger]:
    return [
        StoredTrigger(
            trigger_id=new_automation_id(),
            automation_id=saved.automation_id,
            account_id=saved.account_id,
            position=number,
            type=trigger_type(trigger),
            config=msgspec.to_builtins(trigger),
            enabled=getattr(trigger, "enabled", True),
            cursor=last,
        )
        for number, trigger in enumerate(read.triggers)
    ]


def new_token() -> tuple[str, str]:
    """Return a new webhook token, which is shown once, and its digest, which is stored."""
    token = f"gaw_{secrets.token_urlsafe(32)}"
    return token, token_digest(token)


def token_digest(token: str) -> str:
    """Return the stored digest of a token; with 256 random bits it cannot be found by guessing."""
    return hashlib.sha256(token.encode()).hexdigest()
