"""How everything stands, for `gaia email status`: from the files of this machine only. Entry: `standing`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.faces.cli.card import one_line
from gaia_email.faces.cli.output import console
from gaia_email.faces.cli.pending_documents import at
from gaia_email.policy.document import Policy
from gaia_email.policy.switches import Switches
from gaia_email.policy_store import PolicyStore, Stored, has_ledger
from gaia_email.report import Json, clean
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.paths import home

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger


def standing(*, verify: bool = True) -> Json:
    """The document; `verify` walks through the event log.

    Raises:
        MailError: The accounts or the ledger cannot be read.
    """
    accounts: list[Json] = [
        {
            "id": clean(account.id),
            "address": clean(account.address),
            "provider": account.provider,
            "enabled": account.enabled,
        }
        for account in read_accounts(os.environ)
    ]
    document: Json = {"schema_version": 1, "home": str(home(os.environ)), "accounts": accounts}
    if not has_ledger(os.environ):
        return (
            document
            | _stored(Stored())
            | {
                "last_run": None,
                "pending": dict.fromkeys(("question", "review", "notify"), 0),
                "planned_actions": 0,
                "ledger": None,
            }
        )
    from gaia_email.ledger import open_ledger

    with open_ledger() as ledger, ledger.read() as tx:
        waiting = ledger.pending.count(tx)
        return (
            document
            | _stored(PolicyStore(ledger).read(tx))
            | {
                "last_run": _last_run(ledger, tx),
                "pending": {type_: waiting.get(type_, 0) for type_ in ("question", "review", "notify")},
                "planned_actions": len(ledger.actions.open(tx)),
                "ledger": _ledger(ledger, tx, verify),
            }
        )


def is_broken(document: Json) -> bool:
    """Whether the event log of a `standing` was found to be broken."""
    ledger = document["ledger"]
    return isinstance(ledger, dict) and bool(ledger["broken"])  # pyright: ignore[reportUnknownArgumentType]


def _stored(stored: Stored) -> Json:
    switches: Switches = stored.switches
    policy: Policy = stored.policy
    return {
        "switches": {
            "paused_at": at(switches.paused_at),
            "stopped_at": at(switches.stopped_at),
            "travel_until": at(switches.travel_until),
        },
        "quiet_hours": None if policy.quiet_hours is None else str(policy.quiet_hours),
    }


def _last_run(ledger: Ledger, tx: Connection) -> Json | None:
    from sqlalchemy import func, select

    from gaia_email.ledger.tables import EVENTS

    seq = tx.execute(select(func.max(EVENTS.c.seq)).where(EVENTS.c.kind == "run.started")).scalar()
    if seq is None:
        return None
    (started,) = ledger.events.since(tx, int(seq) - 1, kind="run.started", limit=1)
    ended = ledger.events.since(tx, int(seq), kind="run.finished", run_id=started.run_id, limit=1)
    planned = started.payload.get("actions")
    return {
        "run_id": started.run_id or "",
        "account": clean(started.account_id or ""),
        "kind": str(started.payload.get("kind", "")),
        "started_at": at(started.at),
        "finished_at": at(ended[0].at) if ended else None,
        "actions": planned if isinstance(planned, int) else 0,
    }


def _ledger(ledger: Ledger, tx: Connection, verify: bool) -> Json:
    broken = ledger.events.verify(tx) if verify else None
    file = ledger.file
    return {
        "place": "a database server" if file is None else str(file),
        "size": None if file is None else file.stat().st_size,
        "verdicts": ledger.verdicts.count(tx),
        "events": ledger.events.count(tx),
        "verified": verify and broken is None,
        "broken": None if broken is None else f"event {broken.seq}: {broken.reason}",
    }


def print_standing(document: Json) -> None:
    """The same for a person."""
    out = console()
    for name, value in _rows(document):
        out.print(Text(f"{name:>12}  ", style="dim").append(one_line(value), style="default"), soft_wrap=True)


def _rows(document: Json) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    accounts, switches, run = document["accounts"], document["switches"], document["last_run"]
    pending, ledger = document["pending"], document["ledger"]
    assert isinstance(accounts, list) and isinstance(switches, dict) and isinstance(pending, dict)
    names = [str(account["address"]) for account in accounts]
    rows.append(("accounts", ", ".join(names) or "none; gaia email connect connects one"))
    on = [f"{name.partition('_')[0]} {value}" for name, value in switches.items() if value]
    rows.append(("switches", ", ".join(on) or "nothing is paused, stopped or in travel mode"))
    if document["quiet_hours"]:
        rows.append(("quiet hours", str(document["quiet_hours"])))
    if isinstance(run, dict):
        ended = f"finished {run['finished_at']}" if run["finished_at"] else "not finished"
        rows.append(("last run", f"{run['kind']} of {run['account']}, {run['started_at']}, {ended}"))
    else:
        rows.append(("last run", "none"))
    waits = [f"{count:,} {name}" for name, count in pending.items() if count]
    rows.append(("waits", f"{', '.join(waits)}; gaia email review" if waits else "nothing"))
    rows.append(
        ("planned", f"{document['planned_actions']:,} actions" if document["planned_actions"] else "nothing")
    )
    if isinstance(ledger, dict):
        size = "" if ledger["size"] is None else f", {ledger['size'] / 1e6:,.1f} MB"
        whole = (
            f"BROKEN at {ledger['broken']}"
            if ledger["broken"]
            else "whole"
            if ledger["verified"]
            else "not walked"
        )
        rows.append(("ledger", f"{ledger['place']}{size}, {ledger['verdicts']:,} verdicts"))
        rows.append(("event log", f"{ledger['events']:,} events, {whole}"))
    else:
        rows.append(("ledger", "none yet"))
    return rows
