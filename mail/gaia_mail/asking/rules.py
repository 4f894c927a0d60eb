"""Describes filters, and fills in the convention's filter templates. Entries: `rule_lines`, `from_template`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from gaia_email_registry.contract.wire import FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.arguments import shown_value

NEEDED = {
    "fromSender": "senderEmail",
    "withSubject": "subjectText",
    "largeEmails": "sizeInBytes",
    "containingText": "searchText",
    "mailingList": "listIdentifier",
}
"""Template → its required parameter."""


_CRITERIA = {
    "from": "If it is from",
    "to": "If it is to",
    "subject": "If the subject contains",
    "query": "If it is found by",
    "negatedQuery": "If it is not found by",
    "hasAttachment": "If hasAttachment",
    "excludeChats": "If excludeChats",
    "size": "If its size in bytes is",
    "sizeComparison": "The size is compared by",
}
_ACTIONS = {"addLabelIds": "Then add", "removeLabelIds": "Then remove", "forward": "Then forward"}


def rule_lines(
    criteria: Mapping[str, object], action: Mapping[str, object], names: Mapping[str, str]
) -> list[str]:
    """Describe a filter with one line per condition and effect; `names` maps label IDs to names.

    Raises:
        BadArgument: The filter has a part that cannot be shown.
    """
    lines = [_part(_CRITERIA, key, value) for key, value in criteria.items() if value not in (None, "", [])]
    for key, value in action.items():
        told = [_label(id_, names) for id_ in cast("list[str]", value)] if isinstance(value, list) else value
        lines += [_part(_ACTIONS, key, told)] if told not in (None, "", []) else []
    return lines


def _part(labels: Mapping[str, str], key: str, value: object) -> str:
    if key not in labels:
        raise BadArgument(
            f"This version cannot show {key[:40]!r} of a filter, so the call is refused.", argument=key
        )
    told = str(value).lower() if isinstance(value, bool) else shown_value(value)
    return f"{labels[key]}: {told}"


def _label(id_: str, names: Mapping[str, str]) -> str:
    return {"INBOX": "INBOX (the inbox)", "TRASH": "TRASH (Trash)", "SPAM": "SPAM (Spam)"}.get(
        id_
    ) or names.get(id_, id_)


def from_template(
    template: str, parameters: Mapping[str, object]
) -> tuple[FilterCriteria, FilterAction] | None:
    """Return the criteria and action of a filter template; None if its required parameter is missing.

    Raises:
        BadArgument: There is no such template.
    """
    needed = NEEDED.get(template)
    own = parameters.get(needed) if needed else ""
    if needed and (not own or (template == "largeEmails" and not _number(own))):
        return None
    add = [*cast("Sequence[str]", parameters.get("labelIds") or ())]
    remove: list[str] = []
    criteria: FilterCriteria
    match template:
        case "fromSender":
            criteria = {"from": str(own)}
            remove += ["INBOX"] if parameters.get("archive") else []
        case "withSubject":
            criteria = {"subject": str(own)}
            remove += ["UNREAD"] if parameters.get("markAsRead") else []
        case "withAttachments":
            criteria = {"hasAttachment": True}
        case "largeEmails":
            criteria = {"size": _number(own), "sizeComparison": "larger"}
        case "containingText":
            criteria = {"query": '"' + str(own).replace('"', " ") + '"'}
            add += ["IMPORTANT"] if parameters.get("markImportant") else []
        case "mailingList":
            criteria = {"query": f"list:{own} OR subject:[{own}]"}
            remove += [] if parameters.get("archive") is False else ["INBOX"]
        case _:
            raise BadArgument(f"There is no filter template {template[:60]!r}.", argument="template")
    action: FilterAction = {}
    if add:
        action["addLabelIds"] = add
    if remove:
        action["removeLabelIds"] = remove
    return criteria, action


def _number(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) else 0
