"""The JSON documents of the commands about policy and switches. Entry points: `POLICY_DOCUMENTS`, `policy_document`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from gaia_email.app.documents.actions import action_row
from gaia_email.app.documents.policy_change import ChangeDocument
from gaia_email.document import (
    Count,
    FromAddress,
    Level,
    OneOf,
    PlanAction,
    PlanMode,
    Ratio,
    Version,
    clean,
)
from gaia_email.policy.conventions import NAMES, shown, words_of
from gaia_email.policy.levels import LEVEL_NAMES, AgentAction
from gaia_email.policy.model import Cause, RulingOutcome

if TYPE_CHECKING:
    from gaia_email.ledger import LoggedAction
    from gaia_email.ledger.template_files import Templates
    from gaia_email.policy.document import Policy, PolicyCohort
    from gaia_email.policy.earned import LevelProposal
    from gaia_email.policy.model import Ruling
    from gaia_email.policy.switches import Switches
    from gaia_email.triage.inbox import FoundMessage

SCHEMA_VERSION: Version = 1


class ConventionRow(TypedDict):
    """A habit on which people differ, and what is set."""

    name: Annotated[str, OneOf(NAMES)]
    set_to: str
    about: str


class SwitchesRow(TypedDict):
    """Since when it is paused or stopped, until when travel mode holds (epoch seconds)."""

    paused_at: float | None
    stopped_at: float | None
    travel_until: float | None


class ProtectedRow(TypedDict):
    """What nothing is ever done to."""

    senders: list[str]
    labels: list[str]
    threads: list[str]


class CohortRow(TypedDict):
    """A kind of sender and how much may be done with its mail."""

    name: str
    level: Level
    level_name: str
    default_level: Level | None
    own: bool
    match: list[str]
    earned: Level


class LevelProposalRow(TypedDict):
    """A step up that could be offered."""

    cohort: str
    from_level: Level
    to_level: Level
    confirmations: Count
    reason: str


class QuietHoursRow(TypedDict):
    """Hours in which nothing is started."""

    start: str
    end: str
    zone: str


class PolicyDocument(TypedDict):
    """What `policy` prints."""

    schema_version: Version
    version: Count
    cohorts: list[CohortRow]
    vips: list[str]
    protected: ProtectedRow
    quiet_hours: QuietHoursRow | None
    unsubscribe: bool
    unsure_below: Ratio
    behaviour: bool
    conventions: list[ConventionRow]
    switches: SwitchesRow
    proposals: list[LevelProposalRow]


class ConventionsDocument(TypedDict):
    """What `policy conventions` prints."""

    schema_version: Version
    conventions: list[ConventionRow]


class RulingRow(TypedDict):
    """Whether an action is permitted, and what decided that."""

    action: AgentAction
    outcome: RulingOutcome
    cause: Cause
    reason: str


class PolicyPlanRow(TypedDict):
    """What is planned for a message."""

    action: PlanAction
    label: str
    mode: PlanMode


class ExplainDocument(FromAddress):
    """What `policy explain` prints."""

    schema_version: Version
    id: str
    message_id: str
    thread_id: str
    subject: str
    cohort: str
    matched: str
    withheld: list[str]
    level: Level
    effective_level: Level
    limits: list[str]
    plan: PolicyPlanRow
    rulings: list[RulingRow]
    sentences: list[str]


class TemplateRow(TypedDict):
    """A template of the user's, and what is wrong with it."""

    name: str
    cohorts: list[str]
    slots: list[str]
    always_asks: bool
    problem: str


class TemplatesDocument(TypedDict):
    """What `policy templates` prints."""

    schema_version: Version
    templates: list[TemplateRow]


class VipDocument(TypedDict):
    """What `vip` prints."""

    schema_version: Version
    vips: list[str]


class ProtectDocument(TypedDict):
    """What `protect` prints."""

    schema_version: Version
    protected: ProtectedRow


class DoneRow(TypedDict):
    """An action of the last day; `at` is in epoch seconds."""

    action_id: str
    action_type: str
    account: str
    message_id: str
    at: float
    state: Literal["planned", "applied", "reversed", "failed"]
    run_id: str | None
    sender: str
    subject: str
    cohort: str | None
    undoable: bool
    error: str | None


class SwitchedDocument(TypedDict):
    """What `pause`, `resume`, `stop` and `travel-mode` print; `noted` says whether the ledger could take note."""

    schema_version: Version
    changed: bool
    noted: bool
    switches: SwitchesRow
    done: list[DoneRow]


POLICY_DOCUMENTS: dict[str, object] = {
    "policy": PolicyDocument,
    "policy-conventions": ConventionsDocument,
    "policy-change": ChangeDocument,
    "policy-explain": ExplainDocument,
    "policy-templates": TemplatesDocument,
    "vip": VipDocument,
    "protect": ProtectDocument,
    "switches": SwitchedDocument,
}
"""By command; `switches` is what pause, resume, stop and travel-mode print."""


def policy_document(
    policy: Policy, switches: Switches, version: int, proposals: Sequence[LevelProposal]
) -> PolicyDocument:
    """Everything the user decided, and what is switched."""
    quiet = policy.quiet_hours
    return {
        "schema_version": SCHEMA_VERSION,
        "version": version,
        "cohorts": [cohort_row(cohort) for cohort in policy.cohorts],
        "vips": [clean(vip) for vip in policy.vips],
        "protected": protected_row(policy),
        "quiet_hours": None
        if quiet is None
        else {"start": f"{quiet.start:%H:%M}", "end": f"{quiet.end:%H:%M}", "zone": quiet.zone},
        "unsubscribe": policy.unsubscribe,
        "unsure_below": policy.unsure_below,
        "behaviour": policy.behaviour,
        "conventions": [convention_row(name, value) for name, value in shown(policy.conventions).items()],
        "switches": switches_row(switches),
        "proposals": [
            {
                "cohort": proposal.cohort,
                "from_level": proposal.from_level,
                "to_level": proposal.to_level,
                "confirmations": proposal.confirmations,
                "reason": proposal.reason,
            }
            for proposal in proposals
        ],
    }


def convention_row(name: str, value: str) -> ConventionRow:
    """One convention: what it is set to, and what it is about."""
    return {"name": name, "set_to": value, "about": words_of(name)}


def switches_row(switches: Switches) -> SwitchesRow:
    """Since when it is paused or stopped, and until when travel mode holds."""
    return {
        "paused_at": switches.paused_at,
        "stopped_at": switches.stopped_at,
        "travel_until": switches.travel_until,
    }


def cohort_row(cohort: PolicyCohort) -> CohortRow:
    """A cohort with what it holds for: its rules, or for a built-in one a reason in words."""
    from gaia_email.policy.cohorts import WHY_BUILT_IN
    from gaia_email.policy.document import DEFAULT_LEVELS

    if cohort.is_built_in:
        match = [WHY_BUILT_IN[cohort.name].format(sender="the sender")]
    else:
        match = [clean(str(rule)) for rule in cohort.rules]
    return {
        "name": cohort.name,
        "level": cohort.level,
        "level_name": LEVEL_NAMES[cohort.level],
        "default_level": DEFAULT_LEVELS.get(cohort.name),
        "own": not cohort.is_built_in,
        "match": match,
        "earned": cohort.earned,
    }


def protected_row(policy: Policy) -> ProtectedRow:
    """The protected set."""
    protected = policy.protected
    return {
        "senders": [clean(text) for text in protected.senders],
        "labels": [clean(text) for text in protected.labels],
        "threads": [clean(text) for text in protected.threads],
    }


def explain_document(found: FoundMessage) -> ExplainDocument:
    """Why a message got its cohort, level and permitted actions."""
    from gaia_email.policy.explain import sentences

    decision, summary = found.decision, found.summary
    return {
        "schema_version": SCHEMA_VERSION,
        "id": summary["id"],
        "message_id": clean(summary["message_id"]),
        "thread_id": summary["thread_id"],
        "subject": clean(summary["subject"]),
        "from": {"name": clean(summary["from"]["name"]), "address": clean(summary["from"]["address"])},
        "cohort": decision.cohort,
        "matched": clean(decision.matched),
        "withheld": [clean(text) for text in decision.withheld],
        "level": decision.level,
        "effective_level": decision.effective_level,
        "limits": list(decision.limits),
        "plan": {"action": decision.action, "label": decision.label, "mode": decision.mode},
        "rulings": [_ruling(ruling) for ruling in decision.rulings],
        "sentences": [clean(text) for text in sentences(decision)],
    }


def _ruling(ruling: Ruling) -> RulingRow:
    return {
        "action": ruling.action,
        "outcome": ruling.outcome,
        "cause": ruling.cause,
        "reason": clean(ruling.reason),
    }


def templates_document(found: Templates) -> TemplatesDocument:
    """The user's templates with what is wrong with one."""
    rows = [_template(found, name) for name in sorted([*found.usable, *found.problems])]
    return {"schema_version": SCHEMA_VERSION, "templates": rows}


def _template(found: Templates, name: str) -> TemplateRow:
    template = found.usable.get(name)
    return {
        "name": clean(name),
        "cohorts": sorted(template.cohorts) if template else [],
        "slots": [slot.name for slot in template.slots] if template else [],
        "always_asks": template is None or template.always_asks,
        "problem": clean(found.problems.get(name, "")),
    }


def switched_document(
    switches: Switches, done: Sequence[LoggedAction], *, changed: bool, noted: bool
) -> SwitchedDocument:
    """What `pause`, `stop`, `resume` and `travel-mode` print; `done` is what was done in the last day."""
    return {
        "schema_version": SCHEMA_VERSION,
        "changed": changed,
        "noted": noted,
        "switches": switches_row(switches),
        "done": [_done(action) for action in done],
    }


def _done(action: LoggedAction) -> DoneRow:
    row = action_row(action)
    return {
        "action_id": action.action_id,
        "action_type": action.action_type,
        "account": clean(action.account_id),
        "message_id": clean(action.message_id),
        "at": action.timestamp,
        "state": action.state,
        "run_id": action.run_id,
        "sender": row["sender"],
        "subject": row["subject"],
        "cohort": row["cohort"],
        "undoable": row["undoable"],
        "error": row["error"],
    }
