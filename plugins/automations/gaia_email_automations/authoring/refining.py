"""Change a draft in words, without a model: "weekdays only", "at 8", "also archive it". Entry: `refine_template`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gaia_email_automations.authoring.clock_words import days_of, schedule_of, time_of
from gaia_email_automations.authoring.sentences import (
    about_condition,
    clause_steps,
    grammar,
    pattern,
    sender_condition,
)
from gaia_email_automations.authoring.template import CHOOSE, AutomationTemplate, holes_in
from gaia_email_automations.definition import JsonObject
from gaia_email_registry.errors import BadArgument

_CONTEXTS: Mapping[str, str] = {"schedule": "clock", "webhook": "webhook"}


def refine_template(template: AutomationTemplate, said: str) -> AutomationTemplate | None:
    """Return the template with the change applied; None if the words are not understood.

    Raises:
        BadArgument: They are understood, but the template has nothing that they could change.
    """
    text = " ".join(said.split()).rstrip(".! ")
    for kind in grammar()["refining"]:
        match = pattern(kind["words"]).fullmatch(text)
        if match is not None:
            words = {name.rstrip("0123456789"): one for name, one in match.groupdict().items() if one}
            changed = _CHANGES[str(kind["changes"])](template, words)
            return None if changed is None else _tidied(changed)
    return None


def _tidied(template: AutomationTemplate) -> AutomationTemplate:
    """Return the template without questions that no hole uses any more."""
    asked = holes_in(template.definition)
    fields = {name: one for name, one in template.fields.items() if name in asked}
    return replace(
        template,
        fields=fields,
        values={name: one for name, one in template.values.items() if name in fields},
    )


def _with_schedule(template: AutomationTemplate, cron: str, fields: JsonObject) -> AutomationTemplate:
    triggers = [
        {**one, "cron": cron} if one["type"] == "schedule" else one for one in template.definition["triggers"]
    ]
    return replace(
        template,
        definition={**template.definition, "triggers": triggers},
        fields={**template.fields, **fields},
    )


def _schedule(template: AutomationTemplate) -> list[str]:
    for one in template.definition.get("triggers", []):
        if one["type"] == "schedule":
            return str(one["cron"]).split()
    raise BadArgument("No clock sets this off, so it has no time to change.", argument="words")


def _days(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate:
    cron = _schedule(template)
    cron[4] = days_of(words["days"], grammar()["weekdays"])
    if cron[4] != "*":
        cron[2] = "*"
    changed = _with_schedule(template, " ".join(cron), {})
    return _time(changed, words) if words.get("time") else changed


def _time(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate:
    cron = _schedule(template)
    found = time_of(words["time"], words.get("part", ""))
    if found is None:
        raise BadArgument(
            f"{words['time']!r} is no time of the day, or could be two.",
            argument="words",
            hint="Such as 07:30 or 4 pm.",
        )
    return _with_schedule(template, " ".join((str(found[1]), str(found[0]), *cron[2:])), {})


def _every(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate:
    _schedule(template)
    found = schedule_of(words, grammar()["weekdays"], "UTC")
    return _with_schedule(template, str(found.trigger["cron"]), found.fields)


def _named(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate:
    return replace(template, definition={**template.definition, "name": words["name"].strip(' "')[:100]})


def _narrowed(template: AutomationTemplate, field: str, condition: JsonObject) -> AutomationTemplate:
    triggers: list[Any] = template.definition.get("triggers", [])
    if not any(one["type"] == "event" for one in triggers):
        raise BadArgument("No mail sets this off, so there is nothing to narrow down.", argument="words")
    changed = [
        {**one, "filters": {**one.get("filters", {}), field: condition}} if one["type"] == "event" else one
        for one in triggers
    ]
    return replace(template, definition={**template.definition, "triggers": changed})


def _from(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate:
    condition = sender_condition(words["who"])
    if condition is None:
        raise BadArgument(
            f"{words['who'][:60]!r} is no address and no domain.",
            argument="words",
            hint="only from ann@example.com, or only from example.com",
        )
    return _narrowed(template, "sender", condition)


def _about(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate:
    return _narrowed(template, "subject", about_condition(words["about"]))


def _more(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate | None:
    triggers: list[Any] = template.definition.get("triggers", [])
    kind = str(triggers[0]["type"]) if triggers else "manual"
    context = _CONTEXTS.get(kind, kind)
    if kind == "event":
        event = str(triggers[0]["event_type"])
        context = "file" if event == "file.added" else "message" if event.startswith("message.") else "run"
    plan: list[Any] = template.definition["plan"]
    steps = [step for one in plan for step in (one.get("options", {}).values() if CHOOSE in one else [one])]
    found = clause_steps(words["clause"], context, [step for step in steps if step])
    if found is None:
        return None
    added: list[Any] = found.template.definition["plan"]
    return replace(
        template,
        definition={**template.definition, "plan": [*plan, *added]},
        fields={**template.fields, **found.template.fields},
    )


def _less(template: AutomationTemplate, words: Mapping[str, str]) -> AutomationTemplate | None:
    """Return the template without the steps that the words name, by id or by action."""
    plan: list[Any] = template.definition["plan"]
    clause = re.sub(r"^(?:step )", "", words["clause"].strip(' "').lower())
    gone = {clause, clause.replace(" ", "_"), clause.removesuffix("ing"), clause.removesuffix(" it")}
    left = [one for one in plan if CHOOSE in one or gone.isdisjoint((one["step_id"], one["action"]))]
    if len(left) == len(plan):
        return None
    if not left:
        raise BadArgument("Without that step nothing would be left to do.", argument="words")
    return replace(template, definition={**template.definition, "plan": left})


_CHANGES = {
    "days": _days,
    "time": _time,
    "every": _every,
    "name": _named,
    "sender": _from,
    "about": _about,
    "more": _more,
    "less": _less,
}
