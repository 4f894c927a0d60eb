"""The overall status, from the files of this machine only. Entry: `overall_status`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.actions.pending.questions import asked_by_servers
from gaia_email.app import App
from gaia_email.app.documents.pending import waiting_counts
from gaia_email.app.documents.pending_types import WaitingCounts
from gaia_email.app.documents.states import HeldState
from gaia_email.app.documents.teaching import HeldBackRow, PeriodRow, held_back_row, period_row
from gaia_email.app.services.models import ChosenModels, models_chosen
from gaia_email.app.services.scripts import scripts_may_answer
from gaia_email.app.services.states import states_of
from gaia_email.document import Count, Document, Timestamp
from gaia_email.ledger import Ledger
from gaia_email.ledger.policy_store import PolicyStore, StoredPolicy, has_ledger, load_policy
from gaia_email.models.answer_store import REFUSED
from gaia_email.triage.learn.agreement import MEASURED, NOTHING_HELD, agreement_of, held_back_of
from gaia_email.triage.tiers import has_models
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import ProviderError

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger


class AccountStatus(Document, frozen=True, kw_only=True):
    """A connected account."""

    id: str
    address: str
    provider: str
    enabled: bool


class SwitchTimes(Document, frozen=True, kw_only=True):
    """The start times of a pause or stop, and the end of travel mode."""

    paused_at: Timestamp | None
    stopped_at: Timestamp | None
    travel_until: Timestamp | None


class LastRun(Document, frozen=True, kw_only=True):
    """The run that started last; `actions` counts those it planned."""

    run_id: str
    account: str
    kind: str
    started_at: Timestamp
    finished_at: Timestamp | None
    actions: Count


class LedgerStatus(Document, frozen=True, kw_only=True):
    """The ledger: `verified` if the event log was checked and is intact, `broken` if it is not."""

    place: str
    size: Count | None
    verdicts: Count
    events: Count
    verified: bool
    broken: str | None


class OverallStatus(Document, frozen=True, kw_only=True):
    """The document of `status`."""

    home: str
    accounts: list[AccountStatus]
    switches: SwitchTimes
    scripts_may_answer: bool
    quiet_hours: str | None
    last_run: LastRun | None
    pending: WaitingCounts
    planned_actions: Count
    ledger: LedgerStatus | None
    models: ChosenModels | None
    agreement: list[PeriodRow]
    held_back: HeldBackRow
    problems: list[str]
    states: list[HeldState]


def overall_status(app: App, *, verify: bool = True) -> OverallStatus:
    """Return the overall status; `verify` checks the event log."""
    asked, problems = 0, list[str]()
    try:
        asked = len(asked_by_servers(environ=app.environ))
    except ProviderError as error:
        problems.append(f"{error.message} {error.hint or ''}".strip())
    if not has_ledger(app.environ):
        return _status_of(
            app,
            found := load_policy(environ=app.environ),
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
    problems: list[str],
    states: list[HeldState],
    last_run: LastRun | None = None,
    pending: Mapping[str, int],
    planned_actions: int = 0,
    ledger: LedgerStatus | None = None,
    agreement: list[PeriodRow] | None = None,
    held_back: HeldBackRow | None = None,
) -> OverallStatus:
    switches, quiet = found.switches, found.policy.quiet_hours
    return OverallStatus(
        home=str(app.home),
        accounts=[
            AccountStatus(id=one.id, address=one.address, provider=one.provider, enabled=one.enabled)
            for one in read_accounts(app.environ)
        ],
        switches=SwitchTimes(
            paused_at=Timestamp.if_known(switches.paused_at),
            stopped_at=Timestamp.if_known(switches.stopped_at),
            travel_until=Timestamp.if_known(switches.travel_until),
        ),
        scripts_may_answer=scripts_may_answer(app),
        quiet_hours=None if quiet is None else str(quiet),
        last_run=last_run,
        pending=waiting_counts(pending),
        planned_actions=planned_actions,
        ledger=ledger,
        models=_models(app),
        agreement=agreement or [],
        held_back=held_back or held_back_row(NOTHING_HELD),
        problems=problems,
        states=states,
    )


def _models(app: App) -> ChosenModels | None:
    """Return the chosen and trusted language models, or None if the user never chose any. No server is asked."""
    if not has_models(app.environ):
        return None
    from gaia_email.models.choice import read_choice

    return models_chosen(read_choice(app.environ))


def _last_run(ledger: Ledger, tx: Connection) -> LastRun | None:
    from sqlalchemy import func, select

    from gaia_email.ledger.tables import EVENTS

    seq = tx.execute(select(func.max(EVENTS.c.seq)).where(EVENTS.c.kind == "run.started")).scalar()
    if seq is None:
        return None
    (started,) = ledger.events.since(tx, int(seq) - 1, kind="run.started", limit=1)
    ended = ledger.events.since(tx, int(seq), kind="run.finished", run_id=started.run_id, limit=1)
    planned = started.payload.get("actions")
    return LastRun(
        run_id=started.run_id or "",
        account=started.account_id or "",
        kind=str(started.payload.get("kind", "")),
        started_at=Timestamp(started.at),
        finished_at=Timestamp(ended[0].at) if ended else None,
        actions=planned if isinstance(planned, int) else 0,
    )


def _ledger(ledger: Ledger, tx: Connection, verify: bool) -> LedgerStatus:
    broken = ledger.events.verify(tx) if verify else None
    file = ledger.file
    return LedgerStatus(
        place="a database server" if file is None else str(file),
        size=None if file is None else file.stat().st_size,
        verdicts=ledger.verdicts.count(tx),
        events=ledger.events.count(tx),
        verified=verify and broken is None,
        broken=None if broken is None else f"event {broken.seq}: {broken.reason}",
    )


TOLD_S = 24 * 3600.0
"""Seconds during which a refusal is reported."""

MOST_TOLD = 3


def recent_refusals(ledger: Ledger, tx: Connection) -> list[str]:
    """Return the refusals of the last day, a sentence each, newest first."""
    after = ledger.clock() - TOLD_S
    found = [one for one in ledger.events.since(tx, kind=REFUSED) if one.at >= after]
    return list(dict.fromkeys(str(one.payload.get("reason", "")) for one in reversed(found)))[:MOST_TOLD]
