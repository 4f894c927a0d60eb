"""The JSON documents of the commands about policy and switches. Public formats (see `policy_schemas`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.cascade.wording.certainty import capped
from gaia_email.documents.classify import Json, clean
from gaia_email.policy.backtest import BackTest, Difference
from gaia_email.policy.cohorts import WHY_BUILT_IN
from gaia_email.policy.conventions import shown, words_of
from gaia_email.policy.document import DEFAULT_LEVELS, Policy, PolicyCohort
from gaia_email.policy.earned import Proposal
from gaia_email.policy.explain import sentences
from gaia_email.policy.levels import LEVEL_NAMES
from gaia_email.policy.model import Decision, Ruling
from gaia_email.policy.switches import Switches
from gaia_email.triage.inbox import Found

if TYPE_CHECKING:
    from gaia_email.ledger import Action
    from gaia_email.ledger.template_files import Templates

SCHEMA_VERSION = 1
POLICY_COLUMNS = ("name", "level", "level_name", "own", "match")
EXPLAIN_COLUMNS = ("id", "cohort", "level", "effective_level", "plan.action", "plan.mode", "sentences")
SWITCHED_COLUMNS = ("changed", "switches.paused_at", "switches.stopped_at", "switches.travel_until")
CHANGE_COLUMNS = ("saved", "change.what", "change.name", "change.from", "change.to", "backtest.total")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is changed, in words: `what` of `name`, `before` to `after`; `of_cohort` says that `name` is a cohort."""

    what: str
    name: str = ""
    before: str = ""
    after: str = ""
    of_cohort: bool = False

    @property
    def payload(self) -> Json:
        """For the event log."""
        named: Json = {"cohort": self.name} if self.of_cohort else {"name": self.name}
        return {"what": self.what, **named, "from": self.before, "to": self.after}

    @property
    def row(self) -> Json:
        """For a document."""
        return {
            "what": self.what,
            "name": clean(self.name),
            "from": clean(self.before),
            "to": clean(self.after),
        }


def policy_document(policy: Policy, switches: Switches, version: int, proposals: Sequence[Proposal]) -> Json:
    """Everything the user decided, and what is switched."""
    quiet = policy.quiet_hours
    return {
        "schema_version": SCHEMA_VERSION,
        "version": version,
        "cohorts": [cohort_row(cohort) for cohort in policy.cohorts],
        "vips": [clean(vip) for vip in policy.vips],
        "protected": protected_row(policy),
        "quiet_hours": quiet
        and {"start": f"{quiet.start:%H:%M}", "end": f"{quiet.end:%H:%M}", "zone": quiet.zone},
        "unsubscribe": policy.unsubscribe,
        "unsure_below": policy.unsure_below,
        "behaviour": policy.behaviour,
        "conventions": [convention_row(name, value) for name, value in shown(policy.conventions).items()],
        "switches": switches.to_json(),
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


def convention_row(name: str, value: str) -> Json:
    """One convention: what it is set to, and what it is about."""
    return {"name": name, "set_to": value, "about": words_of(name)}


def cohort_row(cohort: PolicyCohort) -> Json:
    """A cohort with what it holds for: its rules, or for a built-in one a reason in words."""
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


def protected_row(policy: Policy) -> Json:
    """The protected set."""
    protected = policy.protected
    return {
        "senders": [clean(text) for text in protected.senders],
        "labels": [clean(text) for text in protected.labels],
        "threads": [clean(text) for text in protected.threads],
    }


def backtest_row(tried: BackTest) -> Json:
    """What a change would have meant for past mail."""
    return {
        "total": tried.total,
        "changed": tried.changed,
        "newly_applied": tried.newly_applied,
        "moved": tried.moved,
        "unknown": tried.unknown,
        "before": _counts(tried.before),
        "after": _counts(tried.after),
        "borderline": [_difference(one) for one in tried.borderline],
    }


def _counts(counted: Counter[tuple[str, str]]) -> list[Json]:
    return [
        {"mode": mode, "action": action, "count": count}
        for (mode, action), count in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    ]


def _difference(one: Difference) -> Json:
    return {
        "id": clean(one.facts.message_id),
        "from": {"name": clean(one.facts.sender_name), "address": clean(one.facts.sender)},
        "subject": clean(one.facts.subject),
        "confidence": capped(one.judged.confidence),
        "bucket": one.judged.bucket,
        "before": _would(one.before),
        "after": _would(one.after),
    }


def _would(decision: Decision) -> Json:
    return {
        "cohort": decision.cohort,
        "level": decision.effective_level,
        "mode": decision.mode,
        "action": decision.action,
    }


def change_document(change: Change, tried: BackTest, *, saved: bool, version: int, needs_yes: bool) -> Json:
    """A change that was tried, and saved or not; `version` is that of the policy as it is now."""
    return {
        "schema_version": SCHEMA_VERSION,
        "saved": saved,
        "version": version,
        "needs_yes": needs_yes,
        "change": change.row,
        "backtest": backtest_row(tried),
    }


def explain_document(found: Found) -> Json:
    """Why a message got its cohort, level and permitted actions."""
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


def _ruling(ruling: Ruling) -> Json:
    return {
        "action": ruling.action,
        "outcome": ruling.outcome,
        "cause": ruling.cause,
        "reason": clean(ruling.reason),
    }


def templates_document(found: Templates) -> tuple[Json, list[Json]]:
    """The user's templates with what is wrong with one: the document, and its rows."""
    rows = [_template(found, name) for name in sorted([*found.usable, *found.problems])]
    return {"schema_version": SCHEMA_VERSION, "templates": rows}, rows


def _template(found: Templates, name: str) -> Json:
    template = found.usable.get(name)
    return {
        "name": clean(name),
        "cohorts": sorted(template.cohorts) if template else [],
        "slots": [slot.name for slot in template.slots] if template else [],
        "always_asks": template is None or template.always_asks,
        "problem": clean(found.problems.get(name, "")),
    }


def switched_document(switches: Switches, done: Sequence[Action], *, changed: bool) -> Json:
    """What `pause`, `stop`, `resume` and `travel-mode` print; `done` is what was done in the last day."""
    return {
        "schema_version": SCHEMA_VERSION,
        "changed": changed,
        "switches": switches.to_json(),
        "done": [_done(action) for action in done],
    }


def _done(action: Action) -> Json:
    return {
        "action_id": action.action_id,
        "action_type": action.action_type,
        "account": clean(action.account_id),
        "message_id": clean(action.message_id),
        "at": action.timestamp,
        "state": action.state,
        "run_id": action.run_id,
    }
