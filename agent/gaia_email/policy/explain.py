"""Explains a decision in plain sentences. Entry points: `Explanation`, `sentences`, `plan_sentences`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gaia_email.document import Document, Level, NamedAddress, named_address
from gaia_email.policy.levels import LEVEL_MEANS, LEVEL_NAMES, AgentAction
from gaia_email.policy.model import Decision, Mode, PlannedAction, Ruling
from gaia_email_registry.contract.wire import Summary

DOING: Mapping[AgentAction, str] = {
    "answer": "answer questions about it",
    "alert": "alert you to it",
    "suggest": "suggest a label, a draft or a priority",
    "prepare": "sort it ahead of your review",
    "label_add": "label it",
    "label_remove": "take labels off",
    "star": "star it",
    "snooze": "snooze it",
    "archive": "archive it",
    "draft_create": "put a draft into your mailbox",
    "draft_update": "change that draft",
    "mark_read": "mark it as read",
    "trash": "move it to the trash",
    "unsubscribe": "unsubscribe",
    "send_template": "answer by a template of yours",
    "send": "send a message",
    "delete": "delete it for good",
    "block": "block its sender",
}

PLAN: Mapping[PlannedAction, str] = {
    "reply": "draft a reply",
    "do": "keep it on your list",
    "label": "label it {label}",
    "archive": "label it {label} and archive it",
    "warn": "warn you of it",
    "keep": "leave it as it is",
}

HOW: Mapping[Mode, str] = {
    "apply": "A triage would {plan}, and you could undo that.",
    "review": "A triage would put this up for your review: {plan}.",
    "suggest": "A triage would suggest to {plan}.",
    "leave": "A triage would leave it alone.",
}


class PolicyPlan(Document, frozen=True, kw_only=True):
    """The action planned for a message, and its mode."""

    action: PlannedAction
    label: str
    mode: Mode


class Explanation(Document, frozen=True, kw_only=True):
    """The reasons for a message's cohort, level and permitted actions."""

    id: str
    message_id: str
    thread_id: str
    subject: str
    from_: NamedAddress
    cohort: str
    matched: str
    withheld: tuple[str, ...]
    level: Level
    effective_level: Level
    limits: tuple[str, ...]
    plan: PolicyPlan
    rulings: tuple[Ruling, ...]
    sentences: tuple[str, ...]

    @staticmethod
    def of(summary: Summary, decision: Decision) -> Explanation:
        """Explain a decision about a message."""
        return Explanation(
            id=summary["id"],
            message_id=summary["message_id"],
            thread_id=summary["thread_id"],
            subject=summary["subject"],
            from_=named_address(summary["from"]),
            cohort=decision.cohort,
            matched=decision.matched,
            withheld=decision.withheld,
            level=decision.level,
            effective_level=decision.effective_level,
            limits=decision.limits,
            plan=PolicyPlan(action=decision.action, label=decision.label, mode=decision.mode),
            rulings=decision.rulings,
            sentences=sentences(decision),
        )


def sentences(decision: Decision) -> tuple[str, ...]:
    """Explain cohort, level and plan, and which actions are permitted, need approval, or are refused.

    The sentences contain untrusted text (the sender) and the user's rules; interfaces escape it.
    """
    steps = [*plan_sentences(decision)]
    if decision.permitted:
        steps.append(f"By itself the agent may {_list(decision.permitted)}.")
    else:
        steps.append("By itself the agent may do nothing with it.")
    steps += _grouped("It asks you before it may", decision.asks)
    steps += _grouped("It may not", decision.refused)
    return tuple(steps)


def plan_sentences(decision: Decision) -> tuple[str, ...]:
    """Explain the cohort, the level and the plan of a triage: the first part of `sentences`."""
    level = decision.level
    steps = [
        *decision.withheld,
        decision.matched,
        f"Its level is L{level}, {LEVEL_NAMES[level]}: {LEVEL_MEANS[level]}.",
        *decision.limits,
        HOW[decision.mode].format(plan=PLAN[decision.action].format(label=decision.label)),
    ]
    if decision.action == "warn":
        steps[-1] = "A triage would leave it alone, with a warning."
    return tuple(steps)


def _grouped(start: str, rulings: Sequence[Ruling]) -> Iterable[str]:
    by_reason: dict[str, list[Ruling]] = {}
    for ruling in rulings:
        by_reason.setdefault(ruling.reason, []).append(ruling)
    for reason, group in by_reason.items():
        lowered = (
            reason if reason[1:2].isdigit() else f"{reason[:1].lower()}{reason[1:]}"
        )  # `L2` keeps its capital
        yield f"{start} {_list(group)}: {lowered}"


def _list(rulings: Sequence[Ruling]) -> str:
    named = [DOING[ruling.action] for ruling in rulings]
    return " or ".join(part for part in (", ".join(named[:-1]), named[-1]) if part)
