"""Translates parsed searches to Gmail's search parameters. Entry: `search_of`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gaia_mail.query.canonical import to_text
from gaia_mail.query.grammar import Query, all_of, any_of
from gaia_mail.query.nodes import And, Field, Node, Not, Or
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

_OWN_LABEL = re.compile(r"Label_\d+\Z", re.ASCII)
_AWAY = frozenset({"anywhere", "spam", "trash"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GmailQuery:
    """Parameters of `messages.list`."""

    q: str
    label_ids: tuple[str, ...]
    include_spam_trash: bool


def search_of(query: Query, snoozed_label: str | None) -> GmailQuery:
    """Pass label ids in Gmail's parameter for them; write the rest in Gmail's query syntax.

    `snoozed_label` is the label of messages snoozed by this program, which Gmail's own `is:snoozed` does not find.
    """
    root = _rewritten(query.root, snoozed_label) if query.root is not None else None
    parts = list(root.parts) if isinstance(root, And) else [root] if root is not None else []
    label_ids = tuple(part.value for part in parts if isinstance(part, Field) and _is_label_id(part))
    rest = all_of([part for part in parts if not (isinstance(part, Field) and _is_parameter(part))])
    away = any(label in ("SPAM", "TRASH") for label in label_ids)
    return GmailQuery(
        q=to_text(Query(root=rest)),
        label_ids=label_ids,
        include_spam_trash=away or (root is not None and _looks_away(root)),
    )


def _is_parameter(part: Field) -> bool:
    """Return True if the part has its own parameter: a label id, or `in:anywhere`."""
    return _is_label_id(part) or (part.name == "in" and part.value == "anywhere")


def _is_label_id(part: Field) -> bool:
    return part.name == "label" and (part.value in SYSTEM_LABELS or _OWN_LABEL.match(part.value) is not None)


def _looks_away(node: Node) -> bool:
    """Return True if any part of the query asks for Spam or Trash."""
    match node:
        case And() | Or():
            return any(_looks_away(part) for part in node.parts)
        case Not():
            return _looks_away(node.part)
        case Field(name="in", value=value):
            return value in _AWAY
        case Field(name="label", value=value):
            return value.lower() in _AWAY
        case _:
            return False


def _rewritten(node: Node, snoozed: str | None) -> Node:
    """Include our own snoozed label, and write label names as Gmail's search box does: with dashes for spaces."""
    match node:
        case And():
            return all_of([_rewritten(part, snoozed) for part in node.parts]) or node
        case Or():
            return any_of([_rewritten(part, snoozed) for part in node.parts]) or node
        case Not():
            return Not(part=_rewritten(node.part, snoozed))
        case Field(name="in" | "is", value="snoozed") if snoozed is not None:
            return any_of([node, _label(snoozed)]) or node
        case Field(name="label", value=value):
            return _label(value)
        case _:
            return node


def _label(name: str) -> Field:
    return Field(name="label", value="-".join(name.split()))
