"""The document of `status`. Entry point: `StatusDocument`."""

from __future__ import annotations

from typing import TypedDict

from gaia_email.app.documents.models import ChosenRow
from gaia_email.app.documents.pending_types import WaitingCounts
from gaia_email.app.documents.states import StateRow
from gaia_email.app.documents.teaching import HeldBackRow, PeriodRow
from gaia_email.document import Count, Time, Version


class AccountStatusRow(TypedDict):
    """A connected account."""

    id: str
    address: str
    provider: str
    enabled: bool


class SwitchTimes(TypedDict):
    """Since when it is paused or stopped, until when travel mode holds."""

    paused_at: Time | None
    stopped_at: Time | None
    travel_until: Time | None


class LastRunRow(TypedDict):
    """The run that was begun last; `actions` are those it planned."""

    run_id: str
    account: str
    kind: str
    started_at: Time
    finished_at: Time | None
    actions: Count


class LedgerRow(TypedDict):
    """The ledger: `verified` where the event log was walked and is whole, `broken` where it is not."""

    place: str
    size: Count | None
    verdicts: Count
    events: Count
    verified: bool
    broken: str | None


class StatusDocument(TypedDict):
    """What `status` prints."""

    schema_version: Version
    home: str
    accounts: list[AccountStatusRow]
    switches: SwitchTimes
    scripts_may_answer: bool
    quiet_hours: str | None
    last_run: LastRunRow | None
    pending: WaitingCounts
    planned_actions: Count
    ledger: LedgerRow | None
    models: ChosenRow | None
    agreement: list[PeriodRow]
    held_back: HeldBackRow
    problems: list[str]
    states: list[StateRow]


STATUS_DOCUMENTS: dict[str, object] = {"status": StatusDocument}
