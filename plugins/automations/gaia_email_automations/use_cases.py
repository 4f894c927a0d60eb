"""Automations as all interfaces use them: check, save, switch, run by hand, test on past events.

Entries: `save_automation`, `run_by_hand`, `run_again`, `try_on_past`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from gaia_email.app.json_schemas import PlacedError
from gaia_email.app.services.acting import writable_mailbox
from gaia_email.app.services.opening import account_of, owner_of
from gaia_email.ledger import EventFilter, Ledger
from gaia_email.ledger.policy_store import has_ledger
from gaia_email.models.choice import read_choice
from gaia_email_automations.definition import AutomationDefinition, all_steps
from gaia_email_automations.details import AutomationDetails, RunDetails, TriedFiring
from gaia_email_automations.dispatching import RETRY_OF, AutomationFiring, dispatch, run_of
from gaia_email_automations.engine import AutomationEngine
from gaia_email_automations.inputs import iso
from gaia_email_automations.matching import TriggerIndex, event_payload, subscription_of
from gaia_email_automations.saving import SavedBy, automation_event, new_token, save
from gaia_email_automations.stepping import context_of
from gaia_email_automations.store import (
    UNDER_WAY,
    AutomationStore,
    StoredAutomation,
    StoredAutomationRun,
    StoredTrigger,
)
from gaia_email_automations.task_tools import has_task
from gaia_email_registry.errors import BadArgument, MailError, NotFound

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.app import App
    from gaia_email.app.services.source import SourceSpec
    from gaia_email_automations.actions import ActionType
    from gaia_email_automations.validating import CheckedDefinition

MOST_TRIED = 200
"""Maximum number of firings shown by a test on the past."""


def check(app: App, definition: Mapping[str, Any]) -> CheckedDefinition:
    """Check a definition against the approved tools of other MCP servers."""
    from gaia_email_automations.validating import read_definition

    with app.ledger(read_only=True) if has_ledger(app.environ) else nullcontext() as ledger:
        read = read_definition(definition, ledger)
    if read.definition is None or not has_task(read.definition) or "T2" in read_choice(app.environ).tiers:
        return read
    said = "No language model is chosen, so its agent_task fails: gaia email models use"
    return replace(read, warnings=(*read.warnings, PlacedError(pointer="/plan", message=said)))


def possible_actions(app: App) -> list[ActionType]:
    """Return the actions available to a step: built-in ones, and approved tools of connected MCP servers."""
    from gaia_email_automations.server_tools import actions_here

    with app.ledger(read_only=True) if has_ledger(app.environ) else nullcontext() as ledger:
        return actions_here(ledger)


def save_automation(
    app: App,
    source: SourceSpec,
    definition: Mapping[str, Any],
    *,
    flows: Sequence[str],
    automation_id: str,
    actor: str,
) -> AutomationDetails:
    """Save a definition for a mailbox, on behalf of a user who reviewed it.

    Raises:
        BadArgument: It has errors, or the mailbox is read-only.
        MailError: The ledger cannot be written.
    """
    place = writable_mailbox(source)
    with app.ledger() as ledger:
        by = SavedBy(
            account_id=account_of(app, source), place=place, owner=tuple(owner_of(app, source)), actor=actor
        )
        saved = save(ledger, definition, by, flows=flows, automation_id=automation_id)
        _sync(app, ledger)
        return _details(ledger, saved.automation_id)


def details(app: App, named: str) -> AutomationDetails:
    """Return an automation by id or name.

    Raises:
        NotFound: It does not exist.
    """
    with app.ledger(read_only=True) as ledger:
        return _details(ledger, named)


def all_automations(app: App) -> list[AutomationDetails]:
    """Return all automations."""
    with app.ledger(read_only=True) as ledger:
        with ledger.read() as tx:
            ids = [one.automation_id for one in AutomationStore.of(ledger).all(tx)]
        return [_details(ledger, one) for one in ids]


def switch_automation(
    app: App, named: str, status: Literal["active", "paused"], *, actor: str
) -> AutomationDetails:
    """Switch an automation on or off; current runs continue.

    Raises:
        NotFound: It does not exist.
    """
    with app.ledger() as ledger:
        with ledger.write() as tx:
            found = AutomationStore.of(ledger).find(tx, named)
            AutomationStore.of(ledger).set_status(tx, found.automation_id, status)
            what = "enabled" if status == "active" else "disabled"
            ledger.events.append(tx, automation_event(found, what, actor))
        _sync(app, ledger)
        return _details(ledger, found.automation_id)


def remove_automation(app: App, named: str, *, actor: str) -> StoredAutomation:
    """Delete an automation; its runs stay in the history.

    Raises:
        NotFound: It does not exist.
    """
    with app.ledger() as ledger:
        with ledger.write() as tx:
            found = AutomationStore.of(ledger).find(tx, named)
            AutomationStore.of(ledger).remove(tx, found.automation_id)
            ledger.events.append(tx, automation_event(found, "removed", actor))
        _sync(app, ledger)
    return found


def make_token(app: App, named: str) -> tuple[StoredAutomation, str]:
    """Create a new token for an automation's webhook, shown only once; the previous token stops working.

    Raises:
        NotFound: The automation does not exist, or has no webhook.
    """
    token, digest = new_token()
    with app.ledger() as ledger, ledger.write() as tx:
        found = AutomationStore.of(ledger).find(tx, named)
        hooks = AutomationStore.of(ledger).triggers(tx, automation_id=found.automation_id, type="webhook")
        if not hooks:
            raise NotFound(f"{found.name!r} has no webhook trigger.", argument="automation_id")
        AutomationStore.of(ledger).change_trigger(tx, hooks[0].trigger_id, secret_hash=digest)
    return found, token


def run_by_hand(app: App, named: str, given: Mapping[str, Any], *, wait: bool) -> RunDetails:
    """Run an automation by hand; with `wait`, return once the run is over or waits for the user.

    Raises:
        NotFound: The automation does not exist.
        MailError: The ledger or the database of runs cannot be used.
    """
    with app.ledger() as ledger:
        return _executed(app, ledger, dispatch(ledger, named, AutomationFiring(given=given)).run, wait=wait)


def run_again(app: App, named: str, *, wait: bool) -> RunDetails:
    """Repeat a run with the newest version of its automation; the old run is unchanged.

    Raises:
        BadArgument: It is not over.
        NotFound: The run, its automation or its trigger does not exist.
        NeedsApproval: The automation or the trigger is switched off.
        MailError: The ledger or the database of runs cannot be used.
    """
    with app.ledger() as ledger:
        with ledger.read() as tx:
            earlier = _run_beginning(ledger, tx, named)
            by_hand = earlier.trigger_id is None
            trigger = None if by_hand else AutomationStore.of(ledger).trigger(tx, str(earlier.trigger_id))
        if earlier.status in UNDER_WAY:
            raise BadArgument("This run is not over yet.", argument="run_id")
        if trigger is None and not by_hand:
            raise NotFound(
                "What set this run off is no longer part of its automation.",
                argument="run_id",
                hint="gaia email automations run runs it by hand.",
            )
        firing = AutomationFiring(
            trigger=trigger,
            type=earlier.trigger_type,
            payload={**earlier.trigger_payload, RETRY_OF: earlier.run_id},
            given=earlier.inputs if by_hand else {},
            chain=tuple(earlier.chain[:-1]),
        )
        return _executed(app, ledger, dispatch(ledger, earlier.automation_id, firing).run, wait=wait)


def _executed(app: App, ledger: Ledger, run: StoredAutomationRun, *, wait: bool) -> RunDetails:
    from gaia_email.runs.engine import client
    from gaia_email.runs.host import until_over
    from gaia_email_automations.queueing import queue_pending, workflow_id

    if run.status == "pending":
        queue_pending(app.environ, ledger)
        if wait:
            with client(app.environ) as using:
                until_over(using, workflow_id(run), app.environ)
    return _run_details(ledger, run.run_id)


def runs_of(app: App, named: str, limit: int) -> list[StoredAutomationRun]:
    """Return the latest runs of an automation, or of all if `named` is empty.

    Raises:
        NotFound: The automation does not exist.
    """
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        chosen = AutomationStore.of(ledger).find(tx, named).automation_id if named else None
        return AutomationStore.of(ledger).runs(tx, automation_id=chosen, limit=limit)


def run_named(app: App, beginning: str) -> RunDetails:
    """Return a run by its id, or the beginning of it.

    Raises:
        NotFound: No run matches, or more than one.
    """
    with app.ledger(read_only=True) as ledger:
        with ledger.read() as tx:
            found = _run_beginning(ledger, tx, beginning)
        return _run_details(ledger, found.run_id)


def _run_beginning(ledger: Ledger, tx: Connection, beginning: str) -> StoredAutomationRun:
    found = AutomationStore.of(ledger).runs(tx, beginning=beginning, limit=2) if beginning else []
    if len(found) != 1:
        what = "More than one run has" if found else "No run has"
        raise NotFound(
            f"{what} an id that begins with {beginning[:40]!r}.",
            argument="run_id",
            hint="gaia email automations runs",
        )
    return found[0]


def try_on_past(app: App, named: str, since: float) -> tuple[AutomationDetails, list[TriedFiring]]:
    """Return when an automation would have fired since a time, with its steps as configured; nothing is called.

    Raises:
        NotFound: The automation does not exist.
        MailError: The ledger cannot be read.
    """
    from gaia_email_automations.hosting import engine_on

    with app.ledger(read_only=True) as ledger:
        found = _details(ledger, named)
        engine = engine_on(ledger, app.environ)
        fired: list[TriedFiring] = []
        for trigger in found.triggers:
            if trigger.type == "event":
                fired += _tried_events(engine, found, trigger, since)
            elif trigger.type == "schedule":
                fired += _tried_times(engine, found, trigger, since)
    return found, sorted(fired, key=lambda one: one.at)[-MOST_TRIED:]


def _tried_events(
    engine: AutomationEngine, found: AutomationDetails, trigger: StoredTrigger, since: float
) -> list[TriedFiring]:
    index = TriggerIndex([subscription_of(trigger)])
    wanted = EventFilter(kinds=(str(trigger.config["event_type"]),))
    tried: list[TriedFiring] = []
    position = 0
    while True:
        with engine.ledger.read() as tx:
            page = engine.ledger.events.page(tx, position, wanted, limit=500)
        for event in page.events:
            payload = event_payload(event)
            if event.at >= since and index.matching(payload):
                about = f"{event.kind} {event.seq}"
                tried.append(_tried(engine, found, trigger, event.at, about, payload))
        position = max(page.reached, page.pruned)
        if position >= page.last:
            return tried[-MOST_TRIED:]


def _tried_times(
    engine: AutomationEngine, found: AutomationDetails, trigger: StoredTrigger, since: float
) -> list[TriedFiring]:
    from gaia_email_automations.triggers import last_due

    tried: list[TriedFiring] = []
    at = engine.ledger.clock()
    cron, zone = str(trigger.config["cron"]), str(trigger.config.get("timezone", "UTC"))
    while len(tried) < MOST_TRIED and (due := last_due(cron, zone, at)).timestamp() >= since:
        at = due.timestamp()
        payload = {"fired_at": iso(at), "scheduled_for": iso(at), "last_fired_at": None}
        tried.append(_tried(engine, found, trigger, at, "its schedule", payload))
    return tried


def _tried(
    engine: AutomationEngine,
    found: AutomationDetails,
    trigger: StoredTrigger,
    at: float,
    about: str,
    payload: dict[str, Any],
) -> TriedFiring:
    firing = AutomationFiring(trigger=trigger, type=trigger.type, payload=payload)
    run = run_of(found.automation, found.version, firing, at)
    if run.error:
        return TriedFiring(trigger=trigger.type, at=at, about=about, error=run.error)
    configs: dict[str, Mapping[str, Any]] = {}
    unknown: dict[str, str] = {}
    context = context_of(run, ())
    for placed in all_steps(msgspec.convert(run.definition, AutomationDefinition)):
        step = placed.step
        if placed.on_failure:
            unknown[step.step_id] = "It runs only if a step fails."
            continue
        try:
            if step.when is not None and not engine.renderer.condition(step.when, context):
                unknown[step.step_id] = "Its condition does not hold."
                continue
            configs[step.step_id] = engine.renderer.config(step.config, context)
        except MailError as error:
            unknown[step.step_id] = error.message
    return TriedFiring(trigger=trigger.type, at=at, about=about, configs=configs, unknown=unknown)


def _details(ledger: Ledger, named: str) -> AutomationDetails:
    with ledger.read() as tx:
        found = AutomationStore.of(ledger).find(tx, named)
        return AutomationDetails(
            automation=found,
            version=AutomationStore.of(ledger).version(tx, found.automation_id, found.version),
            triggers=AutomationStore.of(ledger).triggers(tx, automation_id=found.automation_id),
            runs=AutomationStore.of(ledger).count_runs(tx, found.automation_id),
        )


def _run_details(ledger: Ledger, run_id: str) -> RunDetails:
    with ledger.read() as tx:
        run = AutomationStore.of(ledger).run(tx, run_id)
        assert run is not None
        return RunDetails(run=run, steps=AutomationStore.of(ledger).steps(tx, run_id))


def _sync(app: App, ledger: Ledger) -> None:
    """Register the schedules with DBOS; if its database cannot be used, the worker does so when it starts."""
    from contextlib import suppress

    from gaia_email_automations.queueing import sync_schedules

    with suppress(MailError):
        sync_schedules(app.environ, ledger)
