"""Converts filters to Outlook's inbox rules, and back. Entries: `rule_of`, `filter_of`.

https://learn.microsoft.com/graph/api/resources/messagerule. Criteria that a rule cannot express are refused by name. A
rule that a filter cannot express completely is shown as far as possible, with the rule's name in the query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument
from gaia_graph_mcp.calls import Resource, is_object, objects
from gaia_graph_mcp.folders import PREFIX, GraphFolders
from gaia_graph_mcp.label_plan import is_category
from gaia_mail.mime.address import parse_addresses
from gaia_mail.query.grammar import parse_query
from gaia_mail.query.nodes import Or, Text

KB = 1024
"""Rules count sizes in kilobytes; other sizes are rounded up."""

MOST_KB = 2_147_483_647 // KB

_PLACES = ("INBOX", "SPAM", "TRASH")


def rule_of(criteria: FilterCriteria, action: FilterAction, folders: GraphFolders) -> Resource:
    """Convert a filter to a rule.

    Raises:
        BadArgument: A rule cannot express a criterion or an action, or has none.
    """
    conditions, exceptions = _conditions(criteria)
    if not conditions and not exceptions:
        raise BadArgument("A filter needs something to look for.", argument="criteria")
    actions = _actions(action, folders)
    if not actions:
        raise BadArgument("A filter needs something to do.", argument="action")
    told = ", ".join(f"{name} {value}" for name, value in criteria.items())
    rule: Resource = {"displayName": f"Filter: {told}"[:250], "isEnabled": True, "actions": actions}
    rule |= {"conditions": conditions} if conditions else {}
    rule |= {"exceptions": exceptions} if exceptions else {}
    return rule


def filter_of(rule: Resource, folders: GraphFolders) -> tuple[Filter, bool]:
    """Convert a rule to a filter; the second value is True if the filter expresses all of the rule."""
    criteria: FilterCriteria = {}
    action: FilterAction = {}
    whole = rule.get("isEnabled") is not False and rule.get("isReadOnly") is not True
    whole &= _read(rule.get("conditions"), criteria, _CONDITIONS)
    whole &= _read(rule.get("exceptions"), criteria, _EXCEPTIONS)
    whole &= _read_actions(rule.get("actions"), action, folders)
    if not whole or not criteria or not action:
        criteria["query"] = f'rule:"{" ".join(str(rule.get("displayName") or "").split())}"'
        whole = False
    return Filter(id=str(rule.get("id", "")), criteria=criteria, action=action), whole


def _conditions(criteria: FilterCriteria) -> tuple[Resource, Resource]:
    conditions: Resource = {}
    exceptions: Resource = {}
    if "from" in criteria:
        conditions |= _people(criteria["from"], "fromAddresses", "senderContains")
    if "to" in criteria:
        conditions |= _people(criteria["to"], "sentToAddresses", "recipientContains")
    if "subject" in criteria:
        conditions["subjectContains"] = _alternatives(criteria["subject"])
    if "query" in criteria:
        conditions["bodyOrSubjectContains"] = _phrases(criteria["query"], "query")
    if "negatedQuery" in criteria:
        exceptions["bodyOrSubjectContains"] = _phrases(criteria["negatedQuery"], "negatedQuery")
    if "hasAttachment" in criteria:
        (conditions if criteria["hasAttachment"] else exceptions)["hasAttachments"] = True
    if "size" in criteria:
        kilobytes = min(-(-criteria["size"] // KB), MOST_KB)
        larger = criteria.get("sizeComparison", "larger") == "larger"
        conditions["withinSizeRange"] = {
            "minimumSize": kilobytes if larger else 0,
            "maximumSize": MOST_KB if larger else kilobytes,
        }
    return conditions, exceptions


def _people(text: str, exactly: str, containing: str) -> Resource:
    """Match whole addresses exactly; look for any other text in names and addresses."""
    alternatives = _alternatives(text)
    if all("@" in one and not one.startswith("@") and " " not in one for one in alternatives):
        return {exactly: [_recipient(one) for one in alternatives]}
    return {containing: alternatives}


def _alternatives(text: str) -> list[str]:
    return [one.strip(' "') for one in text.split(" OR ") if one.strip(' "')]


def _phrases(text: str, argument: str) -> list[str]:
    """Return the alternative phrases of a query.

    Raises:
        BadArgument: The query is more than alternative phrases.
    """
    root = parse_query(text).root
    nodes = root.parts if isinstance(root, Or) else (root,)
    phrases = [node.value for node in nodes if isinstance(node, Text)]
    if len(phrases) != len(nodes):
        raise BadArgument(
            "An Outlook rule looks for one phrase, or for any of several joined with OR: put words that belong "
            "together in quotes, and leave operators out.",
            argument=f"criteria.{argument}",
        )
    return phrases


def _actions(action: FilterAction, folders: GraphFolders) -> Resource:
    added, removed = action.get("addLabelIds", []), action.get("removeLabelIds", [])
    locations = [label for label in added if label.startswith(PREFIX) or label in _PLACES]
    if len(locations) > 1:
        raise BadArgument(
            "A message is in one folder; add one of these labels.", argument="action.addLabelIds"
        )
    actions: Resource = {}
    if locations:
        actions = (
            {"delete": True} if locations == ["TRASH"] else {"moveToFolder": folders.folder_of(locations[0])}
        )
    elif "INBOX" in removed:
        actions = {"moveToFolder": folders.special.get("archive")}
    if actions.get("moveToFolder", "") is None:
        raise BadArgument("This account has no such folder.", argument="action")
    actions |= _marking([label for label in added if label not in locations], removed)
    if "forward" in action:
        actions["forwardTo"] = [_recipient(one.address) for one in parse_addresses(action["forward"])]
    return actions


def _marking(added: Iterable[str], removed: Iterable[str]) -> Resource:
    """Return the actions for labels other than folders."""
    actions: Resource = {}
    for label in added:
        if label == "IMPORTANT":
            actions["markImportance"] = "high"
        elif is_category(label):
            actions.setdefault("assignCategories", []).append(label)
        else:
            raise BadArgument(
                f"An Outlook rule cannot add {label}; it can move, delete, mark as read or important, add a "
                "category, and forward.",
                argument="action.addLabelIds",
            )
    for label in removed:
        if label == "UNREAD":
            actions["markAsRead"] = True
        elif label != "INBOX":
            raise BadArgument(
                f"An Outlook rule cannot take off {label}; it can take off UNREAD and INBOX.",
                argument="action.removeLabelIds",
            )
    return actions


def _read(given: object, criteria: FilterCriteria, known: Mapping[str, Callable[[object], Resource]]) -> bool:
    """Add the predicates to `criteria`; return True if all of them could be expressed."""
    whole = True
    for name, value in given.items() if is_object(given) else ():
        if value in (None, [], False) or name.startswith("@"):
            continue
        found = known[name](value) if name in known else {}
        whole &= bool(found) and not found.keys() & criteria.keys()
        cast(Resource, criteria).update(found)
    return whole


def _read_actions(given: object, action: FilterAction, folders: GraphFolders) -> bool:
    whole = True
    added: list[str] = []
    removed: list[str] = []
    for name, value in given.items() if is_object(given) else ():
        if value in (None, [], False) or name.startswith("@") or name == "stopProcessingRules":
            continue
        if name == "delete":
            added.append("TRASH")
        elif name == "moveToFolder" and value == folders.special.get("archive"):
            removed.append("INBOX")
        elif name == "moveToFolder" and folders.label(str(value)):
            added.append(folders.label(str(value)))
        elif name == "markImportance" and value == "high":
            added.append("IMPORTANT")
        elif name == "assignCategories":
            added += map(str, value)
        elif name == "markAsRead":
            removed.append("UNREAD")
        elif name == "forwardTo" and len(addresses := _addresses(value)) == 1:
            action["forward"] = addresses[0]
        else:
            whole = False
    if added:
        action["addLabelIds"] = added
    if removed:
        action["removeLabelIds"] = removed
    return whole


def _words(name: str) -> Callable[[object], Resource]:
    def read(value: object) -> Resource:
        phrases = [str(one) for one in cast(list[object], value)]
        if name in ("query", "negatedQuery"):
            phrases = [f'"{one}"' if " " in one else one for one in phrases]
        return {name: " OR ".join(phrases)}

    return read


def _those(name: str) -> Callable[[object], Resource]:
    return lambda value: {name: " OR ".join(_addresses(value))}


def _sizes(value: object) -> Resource:
    if not is_object(value):
        return {}
    least, most = int(value.get("minimumSize") or 0), int(value.get("maximumSize") or MOST_KB)
    if least and most >= MOST_KB:
        return {"size": least * KB, "sizeComparison": "larger"}
    return {} if least else {"size": most * KB, "sizeComparison": "smaller"}


_CONDITIONS: dict[str, Callable[[object], Resource]] = {
    "fromAddresses": _those("from"),
    "senderContains": _words("from"),
    "sentToAddresses": _those("to"),
    "recipientContains": _words("to"),
    "subjectContains": _words("subject"),
    "bodyOrSubjectContains": _words("query"),
    "hasAttachments": lambda value: {"hasAttachment": True},
    "withinSizeRange": _sizes,
}
_EXCEPTIONS: dict[str, Callable[[object], Resource]] = {
    "bodyOrSubjectContains": _words("negatedQuery"),
    "hasAttachments": lambda value: {"hasAttachment": False},
}


def _recipient(address: str) -> Resource:
    return {"emailAddress": {"name": address, "address": address}}


def _addresses(value: object) -> list[str]:
    found = [one.get("emailAddress") for one in objects(value)]
    return [str(one.get("address") or "") for one in found if is_object(one)]
