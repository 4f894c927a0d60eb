"""The states that currently hold, from our own records. Entries: `states_of`, `state_of_error`."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.accounts.connect_files import files_of
from gaia_email.app.documents.states import STATES, HeldState, StateName
from gaia_email.app.services.account_failures import AccountFailure, failures
from gaia_email.document import Timestamp
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.failures import DiskFull, LedgerDamaged, LedgerNewer
from gaia_email.models.refused import GuardRefused
from gaia_email.runs.files import has_runs
from gaia_email.triage.tiers import has_models
from gaia_email_registry.accounts import Account, read_accounts
from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError, RateLimited

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger
    from gaia_email.policy.switches import Switches

SWITCHED = "account.switched"
"""Event: an account was switched on or off."""

LEAST_LEFT = 1_000_000
"""Bytes of free disk space below which the disk counts as full."""

LETTING_GO_S = 5.0
"""Seconds within which every program releases an account that was switched off."""


def note_switched(app: App, accounts: Sequence[Account], *, enabled: bool, actor: str) -> None:
    """Record that accounts were switched on or off."""
    with app.ledger() as ledger, ledger.write() as tx:
        for one in accounts:
            event = NewLedgerEvent(
                kind=SWITCHED, actor=actor, account_id=one.address, payload={"enabled": enabled}
            )
            ledger.events.append(tx, event)


def states_of(
    app: App, switches: Switches, refused: Sequence[str] = (), kept: tuple[Ledger, Connection] | None = None
) -> list[HeldState]:
    """Return the current states, most important first; `kept` is the ledger if there is one."""
    found = [*_accounts(app, kept), *_disk(app), *_runs(app), *_models(app)]
    found += [HeldState(state="model_refused", said=said) for said in refused[:1]]
    if switches.travels(app.clock()):
        found.append(HeldState(state="travel_mode"))
    order = list(STATES)
    return sorted(found, key=lambda one: order.index(one.state))


def state_of_error(error: MailError) -> StateName | None:
    """Return the state that an error implies, or None if the error is about the request itself."""
    match error:
        case GuardRefused():
            return "model_refused"
        case DiskFull():
            return "disk_full"
        case LedgerDamaged():
            return "database_damaged"
        case LedgerNewer():
            return "database_newer"
        case NeedsAuth():
            return "token_expired"
        case RateLimited():
            return "throttled"
        case ProviderError():
            return "provider_unreachable"
        case _:
            return None


def _accounts(app: App, kept: tuple[Ledger, Connection] | None) -> Iterator[HeldState]:
    accounts = read_accounts(app.environ)
    if not accounts:
        yield HeldState(state="not_connected")
    failed: Mapping[str, AccountFailure] = {}
    if kept:
        failed = failures(*kept, map(_kept_as, accounts))
    for account in accounts:
        if not account.enabled:
            since = _switched_off_at(account.address, *kept) if kept else None
            is_going = since is not None and 0 <= app.clock() - since < LETTING_GO_S
            state: StateName = "disconnecting" if is_going else "disabled"
            yield HeldState(state=state, account=account.address, since=Timestamp.if_known(since))
        elif failure := failed.get(_kept_as(account)):
            yield HeldState(
                state=failure.state,
                account=account.address,
                since=Timestamp.if_known(failure.since),
                said=failure.said,
            )


def _kept_as(account: Account) -> str:
    """Return the name of the account's mail copy; see `gaia_email.app.services.opening.open_kept_copy`."""
    files = files_of(account)
    return account.address if files is None else files.name


def _disk(app: App) -> Iterator[HeldState]:
    if app.home.exists() and shutil.disk_usage(app.home).free < LEAST_LEFT:
        yield HeldState(state="disk_full")


def _switched_off_at(account: str, ledger: Ledger, tx: Connection) -> float | None:
    from sqlalchemy import func, select

    from gaia_email.ledger.tables import EVENTS

    of_account = (EVENTS.c.kind == SWITCHED, EVENTS.c.account_id == account)
    return tx.execute(select(func.max(EVENTS.c.at)).where(*of_account)).scalar()


def _runs(app: App) -> Iterator[HeldState]:
    if not has_runs(app.environ):
        return
    from gaia_email.runs.history import runs

    for last in runs(app.environ, limit=1):
        if last.state == "failed":
            yield HeldState(state="run_failed", since=last.finished_at or last.created_at, said=last.reason)


def _models(app: App) -> Iterator[HeldState]:
    """Yield a state if a model that the user chose is missing; only servers on this machine are asked."""
    if not has_models(app.environ):
        return
    from gaia_email.models.choosing import look

    try:
        found = asyncio.run(look(app.environ))
    except MailError as error:
        yield HeldState(state=state_of_error(error) or "models_unavailable", said=error.message)
        return
    missing = [says for says, _ in found.missing]
    if found.chosen.tiers and missing:
        yield HeldState(state="models_unavailable", said=missing[0])
