"""Writes a query as text in canonical spelling: `to_text`. Parsing that text gives the same query."""

from __future__ import annotations

import datetime as dt
import re

from gaia_mail.query.nodes import Age, And, Date, Field, Near, Node, Not, Or, Query, Size, Text

_BARE_WORD = re.compile(r'[^\s(){}"|“:+-][^\s(){}"|“:]*')
_BARE_VALUE = re.compile(r'[^\s(){}"|“<]+')
_RESERVED = frozenset({"OR", "AND", "NOT", "AROUND"})


def to_text(query: Query) -> str:
    """Return the canonical spelling, empty for the empty query; equal texts mean equal queries."""
    if query.root is None:
        return ""
    if isinstance(query.root, And):
        return " ".join(_node(part) for part in query.root.parts)
    if isinstance(query.root, Or):
        return " OR ".join(_node(part) for part in query.root.parts)
    return _node(query.root)


def _node(node: Node) -> str:
    match node:
        case And():
            return f"({' '.join(_node(part) for part in node.parts)})"
        case Or():
            return f"({' OR '.join(_node(part) for part in node.parts)})"
        case Not():
            return f"-{_node(node.part)}"
        case Text():
            bare = node.value not in _RESERVED and _BARE_WORD.fullmatch(node.value)
            return node.value if bare else f'"{node.value}"'
        case Near():
            return f'"{node.left.value} AROUND {node.distance} {node.right.value}"'
        case Field():
            return f"{node.name}:{node.value if _BARE_VALUE.fullmatch(node.value) else _quote(node.value)}"
        case Size():
            return f"{node.comparison}:{node.octets}"
        case Age():
            return f"{node.comparison}_than:{node.amount}{node.unit}"
        case Date():
            return f"{node.comparison}:{_instant(node)}"


def _quote(value: str) -> str:
    """Quote a value. Only a Message-ID can contain a quotation mark, and it is written in angle brackets."""
    return f"<{value}>" if '"' in value else f'"{value}"'


def _instant(node: Date) -> str:
    if not node.is_day:
        return f"{node.instant:06d}"
    day = dt.date(1970, 1, 1) + dt.timedelta(seconds=node.instant)
    return f"{day.year:04d}/{day.month:02d}/{day.day:02d}"
