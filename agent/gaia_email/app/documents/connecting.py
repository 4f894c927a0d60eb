"""The documents of connecting step by step. Entries: `plan_document`, `attempt_document`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from gaia_email.app.connection_attempts import AttemptState, ConnectionWay
from gaia_email.app.documents.accounts import ServerTraceRow, signal_rows
from gaia_email.document import Count, Version, clean

if TYPE_CHECKING:
    from gaia_email.app.accounts.planning import ConnectionPlan
    from gaia_email.app.connection_attempts import ConnectionAttempt


class ConnectionPlanDocument(TypedDict):
    """What it takes to connect an address.

    `settings` are the servers where they are no provider's, `missing` is what has to be there before (`hint` says how
    it comes there), `strangers` are servers outside the domain that only DNS names.
    """

    schema_version: Version
    address: str
    way: ConnectionWay
    provider: str
    title: str
    note: str
    settings: dict[str, str]
    allows: list[str]
    missing: str
    hint: str
    signals: list[ServerTraceRow]
    told: list[str]
    strangers: list[str]
    connected: bool


class ConnectionAttemptDocument(TypedDict):
    """How far a connection is that is being made; `total` is below 0 while it is not known."""

    schema_version: Version
    id: str
    state: AttemptState
    account: str
    url: str
    told: list[str]
    done: Count
    total: int
    numbers: dict[str, Count]
    problem: str
    hint: str


class DisconnectedDocument(TypedDict):
    """An account that was forgotten; `told` is what its provider made of it."""

    schema_version: Version
    account: str
    told: str


class RemindedDocument(TypedDict):
    """That a note reminds of connecting a mailbox."""

    schema_version: Version
    reminded: bool


def plan_document(plan: ConnectionPlan) -> ConnectionPlanDocument:
    """What it takes to connect an address."""
    provider = plan.provider
    return {
        "schema_version": 1,
        "address": clean(plan.address),
        "way": plan.way,
        "provider": provider.id if provider else "",
        "title": provider.title if provider else "",
        "note": provider.note if provider and plan.way == "password" else "",
        "settings": dict(plan.settings),
        "allows": list(plan.allows),
        "missing": clean(plan.missing),
        "hint": clean(plan.hint),
        "signals": signal_rows(plan.candidate) if plan.candidate else [],
        "told": [clean(line) for line in plan.told],
        "strangers": list(plan.strangers),
        "connected": plan.is_connected,
    }


def attempt_document(attempt: ConnectionAttempt) -> ConnectionAttemptDocument:
    """How far a connection is that is being made."""
    return {
        "schema_version": 1,
        "id": attempt.id,
        "state": attempt.state,
        "account": clean(attempt.account),
        "url": attempt.url,
        "told": [clean(line) for line in attempt.told],
        "done": max(attempt.done, 0),
        "total": attempt.total,
        "numbers": dict(attempt.numbers),
        "problem": clean(attempt.problem),
        "hint": clean(attempt.hint),
    }
