"""The decision about a message: how far the agent may go with it, and why. Entry point: `decide`.

Restrictions apply in this order: the protected set, a phishing or injection flag, stop, pause, the level, then
actions that need more than a level. A later step never lifts an earlier restriction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gaia_email.policy import levels
from gaia_email.policy.cohorts import Assignment, assign
from gaia_email.policy.document import Policy
from gaia_email.policy.levels import ACTIONS, PASSIVE, TEXTS_ONLY, WITHOUT_ASKING, AgentAction, level_text
from gaia_email.policy.model import (
    Cause,
    Decision,
    MessageFacts,
    Mode,
    PlannedAction,
    PolicyVerdict,
    Ruling,
    RulingOutcome,
)
from gaia_email.policy.switches import TRAVEL_LEVEL, Hold, Switches, holds_alert, holds_run
from gaia_mail.subjects import base_subject
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.wording.certainty import in_words

NOTHING: frozenset[AgentAction] = frozenset()
READING: frozenset[AgentAction] = frozenset({"answer", "alert"})

SPARED: Mapping[Cause, frozenset[AgentAction]] = {
    "stopped": frozenset({"answer"}),
    "paused": frozenset({"answer", "alert", "suggest"}),
    "quiet_hours": PASSIVE,
}
"""Actions that stay allowed while a run is held."""

PLANNED: Mapping[Bucket, PlannedAction] = {
    "urgent": "do",
    "actionable": "do",
    "informational": "label",
    "low_priority": "archive",
}

_KEPT_IN_SIGHT = "This mail server gives no originals, so nothing of it is put away without your word."

_DISCUSSED = (
    "People answer each other on this list, so no answer is put away without your word or a rule of yours."
)

NEEDED: Mapping[PlannedAction, AgentAction] = {
    "reply": "suggest",
    "do": "suggest",
    "label": "label_add",
    "archive": "archive",
}
"""The action that must be allowed for each planned action."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """A hold on all actions except `spares`."""

    hold: Hold
    spares: frozenset[AgentAction]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Situation:
    """Everything that rulings depend on; messages in the same situation share their rulings."""

    level: int
    blocks: tuple[_Block, ...]
    alerts: Hold | None
    low: bool
    scheduled: bool
    may_leave_list: bool
    one_click: bool


def decide(
    facts: MessageFacts,
    judged: PolicyVerdict,
    policy: Policy,
    switches: Switches | None = None,
    *,
    now: float,
    scheduled: bool = False,
    run_started_at: float | None = None,
) -> Decision:
    """Return what the agent may do with a message of its own accord.

    Levels do not restrict what the user asks for directly; the gate asks for approval if the tool's risk requires it.

    Args:
        facts: Properties of the message that rules can match.
        judged: The verdict on the message.
        policy: The user's policy.
        switches: The user's switches; None if nothing is switched.
        now: Epoch seconds.
        scheduled: True if a schedule started the run.
        run_started_at: Start of the current run; a pause lets an older run finish.
    """
    switches = switches or Switches()
    assigned = assign(policy, facts, judged)
    unsure = judged.confidence < policy.unsure_below
    level, limits = _effective(
        assigned.cohort.level, unsure, switches.travels(now), policy.unsure_below, judged
    )
    protected = policy.protected.over(facts)
    held = holds_run(switches, policy.quiet_hours, now=now, scheduled=scheduled, started_at=run_started_at)
    rulings = _rulings(
        _Situation(
            level=level,
            blocks=_blocks(protected, judged, held),
            alerts=holds_alert(switches, policy.quiet_hours, now=now),
            low=judged.bucket == "low_priority",
            scheduled=scheduled,
            may_leave_list=policy.unsubscribe and judged.category == "newsletters",
            one_click=judged.one_click and not judged.forged,
        )
    )
    action = _planned(judged, bool(protected))
    if action == "archive" and (kept := _reason_to_keep(facts, judged, assigned)):
        action, limits = "label", (*limits, kept)
    return Decision(
        cohort=assigned.cohort.name,
        matched=assigned.why,
        withheld=assigned.withheld,
        level=assigned.cohort.level,
        effective_level=level,
        limits=limits,
        unsure=unsure,
        action=action,
        label=f"gaia/{judged.bucket}",
        mode=_mode(action, rulings, level),
        rulings=rulings,
    )


def _reason_to_keep(facts: MessageFacts, judged: PolicyVerdict, assigned: Assignment) -> str | None:
    """Return why a message is labelled but not archived, or None if it may leave the inbox."""
    if facts.account.startswith(TEXTS_ONLY):
        return _KEPT_IN_SIGHT
    return _DISCUSSED if not assigned.cohort.rules and _is_list_reply(facts, judged) else None


def _is_list_reply(facts: MessageFacts, judged: PolicyVerdict) -> bool:
    """Return True for a person's reply in a list discussion (RFC 2919); one-click unsubscribe marks a newsletter."""
    return bool(facts.list_id) and not judged.one_click and base_subject(facts.subject)[1]


def _effective(
    level: int, unsure: bool, travels: bool, unsure_below: float, judged: PolicyVerdict
) -> tuple[int, tuple[str, ...]]:
    limits: list[str] = []
    if unsure and level:
        level -= 1
        limits.append(
            f"How sure the verdict is: {in_words(judged.confidence)}; below {round(100 * unsure_below)} % the level "
            f"drops by one, to L{level}."
        )
    if travels and level > TRAVEL_LEVEL:
        level = TRAVEL_LEVEL
        limits.append(f"Travel mode is on, which caps every level at L{level}.")
    return level, tuple(limits)


def _blocks(protected: str, judged: PolicyVerdict, held: Hold | None) -> tuple[_Block, ...]:
    blocks: list[_Block] = []
    if protected:
        blocks.append(_Block(hold=Hold(cause="protected", reason=protected), spares=READING))
    if judged.phishing or judged.injection:
        what = "phishing" if judged.phishing else "an attempt to give the agent orders"
        reason = f"It looks like {what}, so no tool is used on it."
        blocks.append(_Block(hold=Hold(cause="flagged", reason=reason), spares=NOTHING))
    if held is not None:
        blocks.append(_Block(hold=held, spares=SPARED[held.cause]))
    return tuple(blocks)


@lru_cache(maxsize=1024)
def _rulings(situation: _Situation) -> tuple[Ruling, ...]:
    return tuple(_ruling(action, situation) for action in ACTIONS)


def _ruling(action: AgentAction, situation: _Situation) -> Ruling:
    for block in situation.blocks:
        if action not in block.spares:
            return _say(action, "refused", block.hold.cause, block.hold.reason)
    if action == "alert" and situation.alerts is not None:
        return _say(action, "refused", situation.alerts.cause, situation.alerts.reason)
    level, needed = situation.level, WITHOUT_ASKING[action]
    name = level_text(level)
    if needed is None:
        if level < levels.PROPOSES_FROM:
            return _say(action, "refused", "level", f"At {name} the agent proposes nothing.")
        return _say(
            action, "ask", "always_asks", "This is never done without asking you, whatever the level."
        )
    if level < needed:
        if action in PASSIVE or level < levels.PROPOSES_FROM:
            return _say(action, "refused", "level", f"{name} does not go that far; L{needed} does.")
        return _say(action, "ask", "level", f"{name} proposes this; from L{needed} it is done by itself.")
    return _beyond_level(action, situation, name)


def _beyond_level(action: AgentAction, situation: _Situation, name: str) -> Ruling:
    """Check the remaining conditions for an action that the level allows."""
    if action in PASSIVE:
        return _say(action, "permitted", "level", f"{name} allows it.")
    if situation.scheduled and situation.level < levels.SCHEDULED_FROM:
        return _say(
            action, "ask", "schedule", f"A scheduled run acts by itself from L{levels.SCHEDULED_FROM} only."
        )
    if action == "archive" and not situation.low and situation.level < levels.ANY_BUCKET_FROM:
        return _say(action, "ask", "bucket", f"{name} archives by itself only what is of low priority.")
    if action == "unsubscribe":
        return _unsubscribing(situation)
    if action == "send_template":
        return _say(
            action, "permitted", "level", f"{name} allows a template of yours that names this cohort."
        )
    return _say(action, "permitted", "level", f"{name} allows it, and it can be undone.")


def _unsubscribing(situation: _Situation) -> Ruling:
    if not situation.may_leave_list:
        return _say(
            "unsubscribe",
            "ask",
            "opt_in",
            "Only newsletters, and only where you turned that on, are left by it.",
        )
    if not situation.one_click:
        return _say(
            "unsubscribe", "ask", "opt_in", "It cannot be left by one click (RFC 8058), or may be forged."
        )
    return _say(
        "unsubscribe",
        "permitted",
        "opt_in",
        "You turned on leaving newsletters by one click, which L5 allows.",
    )


def _say(action: AgentAction, outcome: RulingOutcome, cause: Cause, reason: str) -> Ruling:
    return Ruling(action=action, outcome=outcome, cause=cause, reason=reason)


def _planned(judged: PolicyVerdict, protected: bool) -> PlannedAction:
    if judged.phishing or judged.injection:
        return "warn"
    if protected:
        return "keep"
    action = PLANNED[judged.bucket]
    return "reply" if action == "do" and judged.needs_reply else action


def _mode(action: PlannedAction, rulings: tuple[Ruling, ...], level: int) -> Mode:
    """Return how a triage handles the planned action."""
    needed = NEEDED.get(action)
    if needed is None:
        return "leave"
    outcome = rulings[ACTIONS.index(needed)].outcome
    if outcome == "refused":
        return "leave"
    if needed == "suggest":
        return "suggest"
    if outcome == "permitted":
        return "apply"
    return "review" if level > levels.PROPOSES_FROM else "suggest"
