"""Derives conditions that every hit meets, for SQL and for the server. Entries: `where`, `needed_words`.

They may match more than the query, which decides in the end.
"""

from __future__ import annotations

import re

from gaia_mail.files import labels
from gaia_mail.query.grammar import Query
from gaia_mail.query.nodes import And, Date, Field, Near, Node, Not, Or, Size, Text

_IN = {
    "inbox": labels.INBOX,
    "sent": labels.SENT,
    "drafts": labels.DRAFT,
    "spam": labels.SPAM,
    "trash": labels.TRASH,
    "unread": labels.UNREAD,
    "starred": labels.STARRED,
    "important": labels.IMPORTANT,
}
"""The values of `in:` and `is:` that mean one label, as in `query.match`."""
_INDEXED_HAS = frozenset({"attachment", "userlabels", "nouserlabels"})
_WORD = re.compile(r"(?<![^\W_])[A-Za-z0-9]{2,}(?![^\W_])")
_MAX_WORDS = 5

SqlCondition = tuple[str, list[object]]

_CARRIES = "instr(char(31) || m.labels || char(31), ?) > 0"


def where(query: Query) -> SqlCondition:
    """Return a condition on the table `m`; empty if none is certain."""
    if query.root is None:
        hidden: list[object] = [_wrap(labels.SPAM), _wrap(labels.TRASH)]
        return f"NOT ({_CARRIES}) AND NOT ({_CARRIES})", hidden
    return _condition(query.root) or ("", [])


def needed_words(query: Query) -> list[str]:
    """Return words that every hit has in its header or body."""
    words: list[str] = []
    if query.root is not None:
        _collect(query.root, words)
    return sorted(set(words), key=lambda word: (-len(word), word))[:_MAX_WORDS]


def needs_content(query: Query) -> bool:
    """Return True if a query depends on something other than text that only the decoded message has."""
    return query.root is not None and _looks_inside(query.root)


def _condition(node: Node) -> SqlCondition | None:
    match node:
        case And():
            known = [found for part in node.parts if (found := _condition(part)) is not None]
            return _join(known, " AND ") if known else None
        case Or():
            every = [_condition(part) for part in node.parts]
            sure = [found for found in every if found is not None]
            return _join(sure, " OR ") if len(sure) == len(every) else None
        case Size():
            return f"m.size {'>' if node.comparison == 'larger' else '<'} ?", [node.octets]
        case Date():
            return f"m.moment {'>=' if node.comparison == 'after' else '<'} ?", [node.instant]
        case Field():
            return _field(node)
        case _:
            return None


def _field(node: Field) -> SqlCondition | None:
    value = node.value.lower()
    label = _IN.get(value) if node.name in ("in", "is") else None
    if label is not None:
        return _CARRIES, [_wrap(label)]
    return ("m.attached", []) if node.name == "has" and value == "attachment" else None


def _join(parts: list[SqlCondition], by: str) -> SqlCondition:
    values = [value for _, found in parts for value in found]
    return by.join(f"({text})" for text, _ in parts), values


def _collect(node: Node, words: list[str]) -> None:
    match node:
        case And():
            for part in node.parts:
                _collect(part, words)
        case Text():
            words.extend(_WORD.findall(node.value))
        case Near():
            words.extend(_WORD.findall(f"{node.left.value} {node.right.value}"))
        case _:
            return


def _looks_inside(node: Node) -> bool:
    match node:
        case And() | Or():
            return any(_looks_inside(part) for part in node.parts)
        case Not():
            return _looks_inside(node.part)
        case Field():
            if node.name == "has":
                return node.value not in _INDEXED_HAS
            return node.name in ("filename", "deliveredto")
        case _:
            return False


def _wrap(label: str) -> str:
    return f"\x1f{label}\x1f"
