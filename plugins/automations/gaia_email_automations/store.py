"""Automations, their triggers, runs and steps, as rows without business rules. Entry: `AutomationStore`.

```
run   pending ─▶ running ─▶ waiting ─▶ running … ─▶ succeeded | failed | cancelled | timed_out
step  running ─▶ waiting ─▶ running … ─▶ succeeded | skipped | failed | timed_out
```
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, Select, Table, delete, func, insert, select, update

from gaia_email.ledger.action_log import new_id
from gaia_email.ledger.plugin_tables import CountedRows, PluginTables
from gaia_email.ledger.statements import columns_of, first_of, object_of, objects_of
from gaia_email.ledger.text import storable, to_json
from gaia_email_automations.tables import (
    AUTOMATION_KEYS,
    AUTOMATION_RUNS,
    AUTOMATION_STEPS,
    AUTOMATION_TABLES,
    AUTOMATION_TRIGGERS,
    AUTOMATION_VERSIONS,
    AUTOMATIONS,
)
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.ledger import Ledger

AutomationStatus = Literal["active", "paused", "archived"]
AutomationRunStatus = Literal[
    "pending", "running", "waiting", "succeeded", "failed", "cancelled", "timed_out"
]
AutomationStepState = Literal["running", "waiting", "succeeded", "skipped", "failed", "timed_out"]

UNDER_WAY: tuple[AutomationRunStatus, ...] = ("pending", "running", "waiting")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAutomation:
    """The current state of an automation; times are epoch seconds."""

    automation_id: str
    account_id: str
    place: dict[str, Any]
    created_by: str
    name: str
    description: str
    status: AutomationStatus
    version: int
    created_at: float
    updated_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVersion:
    """A version of a definition, with the flows that were allowed with it, one per line."""

    automation_id: str
    version: int
    account_id: str
    definition: dict[str, Any]
    flows: list[str]
    saved_by: str
    saved_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTrigger:
    """A trigger of an automation's newest version."""

    trigger_id: str
    automation_id: str
    account_id: str
    position: int
    type: str
    config: dict[str, Any]
    enabled: bool
    secret_hash: str | None = None
    last_fired_at: float | None = None
    cursor: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAutomationRun:
    """A run, with everything it was started with."""

    run_id: str
    automation_id: str
    account_id: str
    version: int
    trigger_id: str | None
    trigger_type: str
    status: AutomationRunStatus
    place: dict[str, Any]
    created_by: str
    definition: dict[str, Any]
    flows: list[str]
    trigger_payload: dict[str, Any]
    inputs: dict[str, Any]
    tainted: list[str]
    chain: list[str]
    created_at: float
    output: dict[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""
    failed_step_id: str | None = None
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    turn: int = 0
    started_at: float | None = None
    resumed_at: float | None = None
    finished_at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStep:
    """A step that was started; `output` contains its value as `{"value": …}`."""

    run_id: str
    step_id: str
    account_id: str
    position: int
    state: AutomationStepState
    started_at: float
    attempts: int = 1
    config: dict[str, Any] = field(default_factory=dict[str, Any])
    output: dict[str, Any] = field(default_factory=dict[str, Any])
    error: str = ""
    confirmation_id: str | None = None
    finished_at: float | None = None


class AutomationStore:
    """Store of automations. Methods take a `Ledger.write()` connection, or `Ledger.read()` if they only read."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock

    @classmethod
    def of(cls, ledger: Ledger) -> AutomationStore:
        """Return the store of a ledger."""
        return cls(ledger.clock)

    def save(
        self,
        tx: Connection,
        automation: StoredAutomation,
        version: StoredVersion,
        triggers: Sequence[StoredTrigger],
    ) -> None:
        """Save an automation, or a new version with triggers that replace the previous ones."""
        tx.execute(delete(AUTOMATIONS).where(AUTOMATIONS.c.automation_id == automation.automation_id))
        _insert(tx, AUTOMATIONS, automation)
        _insert(tx, AUTOMATION_VERSIONS, version)
        old = AUTOMATION_TRIGGERS.c.automation_id == automation.automation_id
        tx.execute(delete(AUTOMATION_TRIGGERS).where(old))
        for trigger in triggers:
            _insert(tx, AUTOMATION_TRIGGERS, trigger)

    def remove(self, tx: Connection, automation_id: str) -> None:
        """Delete an automation with its versions and triggers; its runs stay until they expire."""
        for table in (AUTOMATIONS, AUTOMATION_VERSIONS, AUTOMATION_TRIGGERS):
            tx.execute(delete(table).where(table.c.automation_id == automation_id))

    def set_status(self, tx: Connection, automation_id: str, status: AutomationStatus) -> None:
        """Set the status of an automation."""
        query = update(AUTOMATIONS).where(AUTOMATIONS.c.automation_id == automation_id)
        tx.execute(query.values(status=status, updated_at=float(self._clock())))

    def all(self, tx: Connection) -> list[StoredAutomation]:
        """Return every automation, oldest first."""
        query = select(AUTOMATIONS).order_by(AUTOMATIONS.c.created_at, AUTOMATIONS.c.automation_id)
        return objects_of(tx, StoredAutomation, query)

    def has_any(self, tx: Connection) -> bool:
        """Return True if any automation exists."""
        return first_of(tx, select(AUTOMATIONS.c.automation_id).limit(1)) is not None

    def find(self, tx: Connection, named: str) -> StoredAutomation:
        """Return the automation with this ID, name or ID prefix.

        Raises:
            NotFound: No automation matches, or more than one.
        """
        known = self.all(tx)
        found = [one for one in known if named in (one.automation_id, one.name)]
        found = found or [one for one in known if named and one.automation_id.startswith(named)]
        if len(found) == 1:
            return found[0]
        what = "More than one automation is" if found else "No automation is"
        raise NotFound(
            f"{what} called {named[:60]!r}.", argument="automation_id", hint="gaia email automations list"
        )

    def version(self, tx: Connection, automation_id: str, version: int) -> StoredVersion:
        """Return a version of a definition.

        Raises:
            NotFound: There is no such version.
        """
        table = AUTOMATION_VERSIONS.c
        query = select(AUTOMATION_VERSIONS).where(
            table.automation_id == automation_id, table.version == version
        )
        found = object_of(tx, StoredVersion, query)
        if found is None:
            raise NotFound(f"There is no version {version} of that automation.", argument="version")
        return found

    def triggers(
        self, tx: Connection, *, automation_id: str | None = None, type: str | None = None
    ) -> list[StoredTrigger]:
        """Return the triggers of an automation or of a type."""
        table = AUTOMATION_TRIGGERS.c
        query = select(AUTOMATION_TRIGGERS).order_by(table.automation_id, table.position)
        for column, value in ((table.automation_id, automation_id), (table.type, type)):
            query = query if value is None else query.where(column == value)
        return objects_of(tx, StoredTrigger, query)

    def live_triggers(self, tx: Connection, type: str) -> list[StoredTrigger]:
        """Return the enabled triggers of a type whose automations are active."""
        query = _live(select(AUTOMATION_TRIGGERS), type)
        return objects_of(tx, StoredTrigger, query)

    def live_trigger_ids(self, tx: Connection, type: str) -> list[str]:
        """Return the IDs of `live_triggers`. A trigger changed by a new version gets a new ID."""
        return list(tx.execute(_live(select(AUTOMATION_TRIGGERS.c.trigger_id), type)).scalars())

    def trigger(self, tx: Connection, trigger_id: str) -> StoredTrigger | None:
        """Return the trigger with this ID, or None."""
        return object_of(
            tx,
            StoredTrigger,
            select(AUTOMATION_TRIGGERS).where(AUTOMATION_TRIGGERS.c.trigger_id == trigger_id),
        )

    def change_trigger(self, tx: Connection, trigger_id: str, **values: object) -> None:
        """Update columns of a trigger."""
        query = update(AUTOMATION_TRIGGERS).where(AUTOMATION_TRIGGERS.c.trigger_id == trigger_id)
        tx.execute(query.values(**values))

    def least_cursor(self, tx: Connection) -> int | None:
        """Return the lowest cursor of all event triggers; None if there is no event trigger."""
        table = AUTOMATION_TRIGGERS.c
        found: int | None = tx.execute(select(func.min(table.cursor)).where(table.type == "event")).scalar()
        return found

    def move_cursors(self, tx: Connection, reached: int) -> None:
        """Advance the cursor of every event trigger to this event number."""
        table = AUTOMATION_TRIGGERS.c
        query = update(AUTOMATION_TRIGGERS).where(table.type == "event", table.cursor < reached)
        tx.execute(query.values(cursor=reached))

    def run_of_key(self, tx: Connection, trigger_id: str, key: str, *, since: float | None) -> str | None:
        """Return the ID of the run started for a key since that time (None: ever), or None."""
        table = AUTOMATION_KEYS.c
        row = first_of(tx, select(AUTOMATION_KEYS).where(table.trigger_id == trigger_id, table.key == key))
        return None if row is None or (since is not None and row["at"] < since) else str(row["run_id"])

    def keep_key(self, tx: Connection, trigger_id: str, key: str, run: StoredAutomationRun) -> None:
        """Record the run that was started for a key."""
        table = AUTOMATION_KEYS.c
        tx.execute(delete(AUTOMATION_KEYS).where(table.trigger_id == trigger_id, table.key == key))
        row = {"trigger_id": trigger_id, "key": key, "run_id": run.run_id, "at": float(self._clock())}
        tx.execute(insert(AUTOMATION_KEYS), {**row, "account_id": run.account_id})

    def add_run(self, tx: Connection, run: StoredAutomationRun) -> None:
        """Store a new run."""
        _insert(tx, AUTOMATION_RUNS, run)

    def run(self, tx: Connection, run_id: str) -> StoredAutomationRun | None:
        """Return the run with this ID, or None."""
        return object_of(
            tx, StoredAutomationRun, select(AUTOMATION_RUNS).where(AUTOMATION_RUNS.c.run_id == run_id)
        )

    def runs(
        self,
        tx: Connection,
        *,
        automation_id: str | None = None,
        statuses: Sequence[AutomationRunStatus] = (),
        beginning: str = "",
        limit: int | None = None,
    ) -> list[StoredAutomationRun]:
        """Return the matching runs, newest first."""
        table = AUTOMATION_RUNS.c
        query = select(AUTOMATION_RUNS).order_by(table.created_at.desc(), table.run_id)
        if automation_id is not None:
            query = query.where(table.automation_id == automation_id)
        if statuses:
            query = query.where(table.status.in_(statuses))
        if beginning:
            query = query.where(table.run_id.startswith(beginning, autoescape=True))
        return objects_of(tx, StoredAutomationRun, query.limit(limit))

    def change_run(self, tx: Connection, run_id: str, **values: object) -> None:
        """Update columns of a run."""
        query = update(AUTOMATION_RUNS).where(AUTOMATION_RUNS.c.run_id == run_id)
        tx.execute(query.values(**_row(values)))

    def count_use(
        self, tx: Connection, run_id: str, *, calls: int, tokens: int = 0, usd: float = 0.0
    ) -> None:
        """Add to the resources that a run has used."""
        table = AUTOMATION_RUNS.c
        query = update(AUTOMATION_RUNS).where(table.run_id == run_id)
        tx.execute(query.values(calls=table.calls + calls, tokens=table.tokens + tokens, usd=table.usd + usd))

    def put_step(self, tx: Connection, step: StoredStep) -> None:
        """Store the current state of a step."""
        table = AUTOMATION_STEPS.c
        tx.execute(delete(AUTOMATION_STEPS).where(table.run_id == step.run_id, table.step_id == step.step_id))
        _insert(tx, AUTOMATION_STEPS, step)

    def steps(self, tx: Connection, run_id: str) -> list[StoredStep]:
        """Return the started steps of a run, in the order of the plan."""
        table = AUTOMATION_STEPS.c
        query = select(AUTOMATION_STEPS).where(table.run_id == run_id).order_by(table.position)
        return objects_of(tx, StoredStep, query)

    def count_runs(self, tx: Connection, automation_id: str) -> dict[str, int]:
        """Count the runs of an automation by status."""
        table = AUTOMATION_RUNS.c
        query = select(table.status, func.count()).where(table.automation_id == automation_id)
        return {row[0]: row[1] for row in tx.execute(query.group_by(table.status))}

    @staticmethod
    def forget_older(tx: Connection, before: float) -> None:
        """Delete runs that finished before a time, with their steps, and old keys."""
        table = AUTOMATION_RUNS.c
        old = select(table.run_id).where(table.finished_at < before)
        tx.execute(delete(AUTOMATION_STEPS).where(AUTOMATION_STEPS.c.run_id.in_(old)))
        tx.execute(delete(AUTOMATION_KEYS).where(AUTOMATION_KEYS.c.at < before))
        tx.execute(delete(AUTOMATION_RUNS).where(table.finished_at < before))


TABLES = PluginTables(
    tables=AUTOMATION_TABLES,
    counted=(
        CountedRows(
            name="automations", table=AUTOMATIONS, words="automations, with every version and trigger"
        ),
        CountedRows(
            name="automation_runs",
            table=AUTOMATION_RUNS,
            words="runs of automations, with what each step did",
        ),
    ),
    purged_by_account=(AUTOMATION_VERSIONS, AUTOMATION_TRIGGERS, AUTOMATION_STEPS, AUTOMATION_KEYS),
    forget_older=AutomationStore.forget_older,
)


def _live(query: Select[Any], type: str) -> Select[Any]:
    table = AUTOMATION_TRIGGERS.c
    query = query.join(AUTOMATIONS, AUTOMATIONS.c.automation_id == table.automation_id)
    query = query.where(AUTOMATIONS.c.status == "active", table.enabled, table.type == type)
    return query.order_by(table.automation_id, table.position)


def new_automation_id() -> str:
    """Return a random ID."""
    return new_id()


def _row(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _kept(value) for name, value in values.items()}


def _kept(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    return value if value is None or isinstance(value, int | float) else to_json(value)


def _insert(
    tx: Connection,
    table: Table,
    part: StoredAutomation | StoredVersion | StoredTrigger | StoredAutomationRun | StoredStep,
) -> None:
    tx.execute(insert(table), _row(columns_of(part)))
