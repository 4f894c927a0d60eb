"""Describe triggers, filters and configurations in words, for the user's decision.

Entries: `trigger_words`, `filter_words`, `config_words`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gaia_email.app.json_values import is_list, is_object

MOST_CHARS = 300
"""Maximum number of characters of a value that are shown."""

_EVENTS: Mapping[str, str] = {
    "mail.arrived": "mail arrives",
    "message.triaged": "a message was sorted",
    "file.added": "a run has kept a file",
    "automation.run.failed": "a run of an automation fails",
    "automation.run.succeeded": "a run of an automation succeeds",
}
_DAYS: Mapping[str, str] = {
    "*": "every day",
    "1-5": "Monday to Friday",
    "0": "on Sunday",
    "1": "on Monday",
    "2": "on Tuesday",
    "3": "on Wednesday",
    "4": "on Thursday",
    "5": "on Friday",
    "6": "on Saturday",
    "7": "on Sunday",
}
_CONDITIONS: Mapping[str, str] = {
    "equals": "is",
    "not_equals": "is not",
    "starts_with": "begins with",
    "ends_with": "ends with",
    "contains": "contains",
    "gt": "is above",
    "gte": "is at least",
    "lt": "is below",
    "lte": "is at most",
    "in": "is one of",
    "not_in": "is none of",
}

_WORDS = re.compile(r"\(\?i\)\\b\(([\w|]+)\)\\b")
_WHOLE = re.compile(r"\(\?i\)\^((?:[^\\^$.|?*+()\[\]{}]|\\\W)+)\$")
"""Regular expressions that `authoring` makes from words, and from an address."""


def trigger_words(kind: str, config: Mapping[str, Any]) -> str:
    """Return what sets an automation off, in a sentence."""
    match kind:
        case "schedule":
            return f"It runs {_times(str(config['cron']))} ({config.get('timezone', 'UTC')})."
        case "event":
            event = str(config["event_type"])
            rule = config.get("filters")
            where = f", where {filter_words(rule)}" if rule else ""
            return f"It runs when {_EVENTS.get(event, f'the event {event} happens')}{where}."
        case "webhook":
            return "It runs when its webhook is called."
        case _:
            return "You run it by hand."


def _times(cron: str) -> str:
    """Return five cron fields in words if they are a time on certain days; otherwise unchanged."""
    fields = cron.split()
    if len(fields) == 5:
        minute, hour, day, month, weekday = fields
        is_time = minute.isdecimal() and hour.isdecimal()
        at = f"at {int(hour):02}:{int(minute):02}" if is_time else "at a time that is open"
        if (is_time or (minute, hour) == ("?", "?")) and month == "*":
            if day == "*" and weekday in _DAYS:
                return f"{_DAYS[weekday]} {at}"
            if day.isdecimal() and weekday == "*":
                return f"on day {day} of each month {at}"
    return f"at {cron!r} (minute, hour, day, month, weekday)"


def filter_words(rule: Mapping[str, Any]) -> str:
    """Return a filter as a clause: `subject contains 'invoice' and sender ends with '@billing.example'`."""
    return " and ".join(_part(name, value) for name, value in rule.items())


def _part(name: str, value: object) -> str:
    if name == "$not" and is_object(value):
        return f"not ({filter_words(value)})"
    if name in ("$and", "$or") and is_list(value):
        inner = [f"({filter_words(one)})" if is_object(one) else _short(one) for one in value]
        return (" or " if name == "$or" else " and ").join(inner)
    if not is_object(value):
        return f"{name} {_short(value)}"
    path = name.removeprefix("payload.").replace("_", " ")
    return " and ".join(f"{path} {_condition(how, to)}" for how, to in value.items())


def _condition(how: str, to: object) -> str:
    if how == "exists":
        return "is there" if to else "is missing"
    if how == "regex":
        return _pattern(str(to))
    told = ", ".join(map(repr, to)) if is_list(to) else repr(to)
    return f"{_CONDITIONS.get(how, how)} {told}"


def _pattern(expression: str) -> str:
    """Return a regular expression in words; one that `authoring` made is shown as its words or text."""
    if words := _WORDS.fullmatch(expression):
        return f"has one of the words {', '.join(words[1].split('|'))}"
    if whole := _WHOLE.fullmatch(expression):
        text = re.sub(r"\\(.)", r"\1", whole[1])
        return f"is {text!r}"
    return f"matches {expression}"


def config_words(config: Mapping[str, Any]) -> str:
    """Return a step's configuration: `to: finance@example.com; subject: Invoices`; templates are unchanged.

    Every value is included, with its path; only a single long text is cut.
    """
    return "; ".join(part for name, value in config.items() for part in _parts_of(name, value))


def _parts_of(path: str, value: object) -> Iterator[str]:
    if is_list(value) and not any(is_object(one) or is_list(one) for one in value):
        yield f"{path}: {', '.join(map(_short, value))}"
    elif value and (is_object(value) or is_list(value)):
        named = value.items() if is_object(value) else enumerate(value)
        for name, one in named:
            yield from _parts_of(f"{path}.{name}", one)
    else:
        yield f"{path}: {_short(value)}"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace("\n", "⏎")
    return text if len(text) <= MOST_CHARS else f"{text[: MOST_CHARS - 1]}…"
