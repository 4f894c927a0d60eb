"""How everything stands, from the files of this machine only. Entry: `overall_status`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gaia_email.actions.pending.questions import asked_by_servers
from gaia_email.app import App
from gaia_email.app.documents.pending import waiting_counts
from gaia_email.app.documents.states import StateRow
from gaia_email.app.documents.status import LastRunRow, LedgerRow, StatusDocument
from gaia_email.app.documents.teaching import HeldBackRow, PeriodRow, held_back_row, period_row
from gaia_email.app.services.scripts import scripts_may_answer
from gaia_email.app.services.states import states_of
from gaia_email.document import at, at_if_known, clean
from gaia_email.ledger import Ledger
from gaia_email.ledger.policy_store import PolicyStore, StoredPolicy, has_ledger, stored
from gaia_email.models.answer_store import REFUSED
from gaia_email.triage.learn.agreement import MEASURED, NOTHING_HELD, agreement_of, held_back_of
from gaia_email.triage.tiers import has_models
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import ProviderError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.app.documents.models import ChosenRow
    from gaia_email.ledger import Ledger


def overall_status(app: App, *, verify: bool = True) -> StatusDocument:
    """How everything stands; `verify` walks through the event log.

    Raises:
        MailError: The accounts or the ledger cannot be read.
    """
    asked, problems = 0, list[str]()
    try:
        asked = len(asked_by_servers(environ=app.environ))
    except ProviderError as error:
        problems.append(f"{error.message} {error.hint or ''}".strip())
    if not has_ledger(app.environ):
        return _status_of(
            app,
            found := stored(environ=app.environ),
            pending={"confirmation": asked},
            problems=problems,
            states=states_of(app, found.switches),
        )

    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        counts = {str(name): count for name, count in ledger.pending.count(tx).items()}
        counts["confirmation"] = len(ledger.approvals(tx).waiting()) + asked
        refused = recent_refusals(ledger, tx)
        return _status_of(
            app,
            found := PolicyStore(ledger).read(tx),
            problems=[*problems, *refused],
            states=states_of(app, found.switches, refused, (ledger, tx)),
            last_run=_last_run(ledger, tx),
            pending=counts,
            planned_actions=len(ledger.actions.open(tx)),
            ledger=_ledger(ledger, tx, verify),
            agreement=[period_row(one) for one in agreement_of(ledger.corrections.since(tx), ledger.clock())],
            held_back=held_back_row(held_back_of(ledger.events.since(tx, kind=MEASURED))),
        )


def _status_of(
    app: App,
    found: StoredPolicy,
    *,
    problems: Sequence[str] = (),
    states: Sequence[StateRow],
    last_run: LastRunRow | None = None,
    pending: Mapping[str, int],
    planned_actions: int = 0,
    ledger: LedgerRow | None = None,
    agreement: Sequence[PeriodRow] = (),
    held_back: HeldBackRow | None = None,
) -> StatusDocument:
    switches, quiet = found.switches, found.policy.quiet_hours
    return StatusDocument(
        schema_version=1,
        home=str(app.home),
        accounts=[
            {
                "id": clean(account.id),
                "address": clean(account.address),
                "provider": account.provider,
                "enabled": account.enabled,
            }
            for account in read_accounts(app.environ)
        ],
        switches={
            "paused_at": at_if_known(switches.paused_at),
            "stopped_at": at_if_known(switches.stopped_at),
            "travel_until": at_if_known(switches.travel_until),
        },
        scripts_may_answer=scripts_may_answer(app),
        quiet_hours=None if quiet is None else str(quiet),
        last_run=last_run,
        pending=waiting_counts(pending),
        planned_actions=planned_actions,
        ledger=ledger,
        models=_models(app),
        agreement=list(agreement),
        held_back=held_back or held_back_row(NOTHING_HELD),
        problems=[clean(problem) for problem in problems],
        states=list(states),
    )


def _models(app: App) -> ChosenRow | None:
    """Which language models are chosen and trusted; None where the user never chose one. No server is asked."""
    if not has_models(app.environ):
        return None
    from gaia_email.app.documents.models import models_document
    from gaia_email.models.choice import read_choice

    return models_document(read_choice(app.environ))


def _last_run(ledger: Ledger, tx: Connection) -> LastRunRow | None:
    from sqlalchemy import func, select

    from gaia_email.ledger.tables import EVENTS

    seq = tx.execute(select(func.max(EVENTS.c.seq)).where(EVENTS.c.kind == "run.started")).scalar()
    if seq is None:
        return None
    (started,) = ledger.events.since(tx, int(seq) - 1, kind="run.started", limit=1)
    ended = ledger.events.since(tx, int(seq), kind="run.finished", run_id=started.run_id, limit=1)
    planned = started.payload.get("actions")
    return LastRunRow(
        run_id=started.run_id or "",
        account=clean(started.account_id or ""),
        kind=str(started.payload.get("kind", "")),
        started_at=at(started.at),
        finished_at=at_if_known(ended[0].at) if ended else None,
        actions=planned if isinstance(planned, int) else 0,
    )


def _ledger(ledger: Ledger, tx: Connection, verify: bool) -> LedgerRow:
    broken = ledger.events.verify(tx) if verify else None
    file = ledger.file
    return LedgerRow(
        place="a database server" if file is None else str(file),
        size=None if file is None else file.stat().st_size,
        verdicts=ledger.verdicts.count(tx),
        events=ledger.events.count(tx),
        verified=verify and broken is None,
        broken=None if broken is None else f"event {broken.seq}: {broken.reason}",
    )


TOLD_S = 24 * 3600.0
"""Seconds for which a refusal is told of."""

MOST_TOLD = 3


def recent_refusals(ledger: Ledger, tx: Connection) -> list[str]:
    """What was refused in the last day, a sentence each, the newest first."""
    after = ledger.clock() - TOLD_S
    found = [one for one in ledger.events.since(tx, kind=REFUSED) if one.at >= after]
    return list(dict.fromkeys(str(one.payload.get("reason", "")) for one in reversed(found)))[:MOST_TOLD]
