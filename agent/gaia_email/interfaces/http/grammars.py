"""Rules for HTTP inputs, beyond types: grammars, and fields that belong together. Entry: `narrow_schema`.

Tools and forms are built from the same types and word these rules themselves, so they are stated only here. The
operation checks what a schema cannot express: existing items, times in the past, the time zones known to a machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaia_email.app.operations.deciding import DAY
from gaia_email.policy.conventions import AS_JUDGED, KINDS, MISTAKE_WORDS
from gaia_email.policy.document import BUILT_IN
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, WEIGHTS

Json = dict[str, Any]

_TIME = "([01][0-9]|2[0-3]):[0-5][0-9]"
_SPAN = "[0-9]{1,5}[hdw]|[0-9]{1,3}[my]"
_AHEAD = "[1-9][0-9]{0,4}[hdw]|[1-9][0-9]{0,2}[my]"
_WEEKDAY = "mon|tues|wednes|thurs|fri|satur|sun"
_DOMAIN = "([A-Za-z0-9]{1,20}(-[A-Za-z0-9]{1,20}){0,2}[.]){1,4}[A-Za-z]{2,20}"
_ADDRESS = f"[A-Za-z0-9]{{1,20}}([._+-][A-Za-z0-9]{{1,20}}){{0,2}}@{_DOMAIN}"
_WORDS = '([!#-~]+|"[!#-~]+( [!#-~]+)*")'
_CONDITION = (
    f"((from|to):{_ADDRESS}|domain:{_DOMAIN}|list:[A-Za-z0-9._-]+|header:[A-Za-z0-9-]+(=[A-Za-z0-9._-]+)?|"
    f"(subject|label):{_WORDS}|category:({'|'.join(CATEGORIES)}))"
)

SINCE: Json = {"pattern": f"^({_SPAN}|{DAY}(T{_TIME})?)?$"}
UNTIL: Json = {
    "pattern": f"^({_AHEAD}|{DAY}(T{_TIME})?|(tomorrow|({_WEEKDAY})day)( {_TIME})?|next week)$",
}
_OWN_NAME: Json = {"pattern": "^[a-z0-9][a-z0-9_-]{0,39}$", "not": {"enum": list(BUILT_IN)}}
_RULES: Json = {"items": {"pattern": f"^{_CONDITION}( {_CONDITION}){{0,9}}$", "maxLength": 500}}
_ON_OR_OFF: Json = {"enum": ["on", "off"]}
_UNDONE = ("id", "action_id", "run_id", "session_id", "since")
_EMPTY: Json = {"maxLength": 0}
_FILLED: Json = {"minLength": 1}
_LINE: Json = {"pattern": "^[ -~]*$"}
_PEOPLE: Json = {"items": {"pattern": f"^{_ADDRESS}$"}}
_ABOUT: tuple[Json, Json] = (
    {"kind": {"enum": ["new"]}, "message_id": _EMPTY},
    {
        "needed": ["kind", "message_id"],
        "kind": {"enum": ["reply", "reply_all", "forward"]},
        "message_id": _FILLED,
    },
)
"""Cases of a new mail, and of one about a message."""


def _together(*cases: Json) -> Json:
    """Return a schema that requires one of several cases, each with schemas by field; `needed` has required fields."""
    return {
        "anyOf": [
            {"properties": {name: said for name, said in case.items() if name != "needed"}}
            | ({"required": case["needed"]} if "needed" in case else {})
            for case in cases
        ]
    }


_TEXT: Json = {
    "properties": {"to": _PEOPLE, "cc": _PEOPLE, "bcc": _PEOPLE, "subject": _LINE},
    **_together(*_ABOUT),
}
_MAIL: Json = {
    **_TEXT,
    "properties": {**_TEXT["properties"], "to": {**_PEOPLE, "minItems": 1}},
    "required": ["to"],
}
NARROWER: Mapping[str, Json] = {
    "undo": _together(*({other: _EMPTY for other in _UNDONE if other != one} for one in _UNDONE)),
    "snooze": {"properties": {"until": UNTIL}},
    "unsubscribe": {"properties": {"sender": {"pattern": f"^{_ADDRESS}$"}}},
    "add_cohort": {
        "properties": {"name": _OWN_NAME, "rules": {**_RULES, "minItems": 1}},
        "required": ["rules"],
    },
    "try_policy": {
        "properties": {"rules": _RULES},
        **_together({"rules": {"maxItems": 0}}, {"cohort": _OWN_NAME}),
    },
    "protect": _together(
        {"kind": {"enum": ["sender"]}, "value": {"pattern": f"^({_ADDRESS}|{_DOMAIN})$"}},
        {"kind": {"enum": ["label", "thread"]}, "value": {"pattern": "^[!-~]([ -~]*[!-~])?$"}},
    ),
    "convention": _together(
        {
            "name": {"enum": list(KINDS)},
            "value": {"enum": [*(one.replace("_", "-") for one in BUCKETS), AS_JUDGED]},
        },
        {"name": {"enum": list(MISTAKE_WORDS)}, "value": {"enum": list(WEIGHTS)}},
    ),
    "quiet_hours": _together(
        {"start": {"enum": ["off"]}, "end": _EMPTY},
        {"needed": ["end"], "start": {"pattern": f"^{_TIME}$"}, "end": {"pattern": f"^{_TIME}$"}},
    ),
    "set_policy": {
        "oneOf": [
            {"required": ["unsubscribe"], "properties": {"unsubscribe": _ON_OR_OFF}},
            {"required": ["unsure_below"], "properties": {"unsure_below": {"minimum": 0}}},
            {"required": ["behaviour"], "properties": {"behaviour": _ON_OR_OFF}},
        ]
    },
    "compose": _together(*_ABOUT),
    "add_label": {
        "properties": {
            "name": {"pattern": "^[!#-~]+( [!#-~]+)*$"},
            "sentence": {"pattern": "^[ -~]*[!-~][ -~]*$"},
        }
    },
    "keep_draft": _TEXT,
    "keep_text": _TEXT,
    "remove_vip": {"properties": {"address": {"pattern": f"^{_ADDRESS}$"}}},
    "integration_health": {"properties": {"id": {"pattern": "^(account|server):[!-~]+$"}}},
    "outgoing": _MAIL,
    "send": _MAIL,
    "reword_text": {"properties": {"text": {"pattern": "\\S"}}},
    "propose_automation": _together(
        {"needed": ["words"], "words": {"pattern": "\\S"}}, {"needed": ["starter"], "starter": _FILLED}
    ),
    "decide_followup": _together(
        {"needed": ["until"], "decided": {"enum": ["wait"]}, "until": UNTIL},
        {"decided": {"enum": ["dismiss", "owe", "owed", "nothing"]}, "until": _EMPTY},
    ),
    "change_setting": {
        "oneOf": [
            {"required": ["page_keys"], "properties": {"page_keys": _ON_OR_OFF}},
            {"required": ["weekly_look"], "properties": {"weekly_look": _ON_OR_OFF}},
            {"required": ["retention_days"], "properties": {"retention_days": {"minimum": 0}}},
        ]
    },
    "connect": _together(
        {"needed": ["email"], "email": {"pattern": f"^{_ADDRESS}$"}, "files": _EMPTY, "path": _EMPTY},
        {"needed": ["files", "path"], "email": _EMPTY, "files": _FILLED, "path": _FILLED},
    ),
}
"""Additional rules by operation name, for single fields and for the whole input.

A time in the past (`on_command_line(moment="since")`) follows `SINCE` without being listed here.
"""


def narrow_schema(name: str, schema: Mapping[str, Any]) -> Json:
    """Return the schema of an operation's input with the additional rules."""
    more = NARROWER.get(name, {})
    fields: Json = dict(schema.get("properties", {}))
    for field, said in more.get("properties", {}).items():
        fields[field] = {**fields[field], **said}
        if "items" in said:
            fields[field]["items"] = {**schema["properties"][field]["items"], **said["items"]}
    rest = {key: said for key, said in more.items() if key not in ("properties", "required")}
    required = [*schema.get("required", ()), *more.get("required", ())]
    return {**schema, "properties": fields, "required": required, **rest}
