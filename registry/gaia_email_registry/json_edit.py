"""Adds and removes entries in another program's JSON. Entries: `add_entry`, `remove_entry`, `entries_of`.

The text is edited, not rewritten: order, comments, indentation and line ends of everything else are preserved byte for
byte, and removing an added entry restores the previous text. Comments and trailing commas (JSON with Comments, as in VS
Code) are accepted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from gaia_email_registry.errors import BadArgument, NotFound

_GAP = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"-?[0-9][0-9.eE+-]*|true|false|null")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|()(?://[^\n]*|/\*.*?\*/)', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,\s*([}\]])')
"""Matches strings first, to skip their content; else a comment, or the comma before a closing bracket."""

MAX_DEPTH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Member:
    """A member of an object: the start of its key, and the start and end of its value."""

    name: str
    start: int
    value: int
    end: int


def add_entry(text: str, section: str, name: str, entry: Mapping[str, object]) -> str:
    """Return the text with the entry added at the end of the section, which is created if missing.

    Raises:
        BadArgument: The text is not JSON of that form, or has an entry of that name.
    """
    if not text.strip("\ufeff \t\r\n"):
        text = f"{text}{{}}"
    root = _root(text)
    members = _members(text, root)
    line = f"{json.dumps(name)}: {json.dumps(entry)}"
    found = _find_member(members, section)
    if found is None:
        return _insert(text, root, members, f"{json.dumps(section)}: {{{line}}}")
    inside = _section(text, found)
    if _find_member(inside, name) is not None:
        raise BadArgument(f"an entry {name!r} already exists.", argument="name")
    return _insert(text, found.value, inside, line)


def remove_entry(text: str, section: str, name: str) -> str:
    """Return the text without the entry, and without the section if `add_entry` created it.

    Raises:
        NotFound: There is no such entry.
        BadArgument: The text is not JSON of that form.
    """
    root = _root(text)
    members = _members(text, root)
    found = _find_member(members, section)
    inside = _section(text, found) if found else []
    entry = _find_member(inside, name)
    if found is None or entry is None:
        raise NotFound(f"there is no entry {name[:80]!r}.", argument="name")
    if len(inside) == 1 and (entry.start, entry.end) == (found.value + 1, found.end - 1):
        return _cut(
            text, root, members, found
        )  # no space inside the braces: the way add_entry makes a section
    return _cut(text, found.value, inside, entry)


def entries_of(text: str, section: str) -> dict[str, dict[str, object]]:
    """Return the entries of the section that are objects, by name; empty if there is no such section.

    Raises:
        BadArgument: The text is not JSON of that form.
    """
    found = _find_member(_members(text, _root(text)), section)
    entries: dict[str, dict[str, object]] = {}
    for member in _section(text, found) if found else []:
        value: object = json.loads(without_comments(text[member.value : member.end]))
        if isinstance(value, dict):
            entries[member.name] = cast("dict[str, object]", value)
    return entries


def without_comments(text: str) -> str:
    """Convert JSON with Comments to JSON."""
    return _TRAILING.sub(_keep_string, _COMMENT.sub(_keep_string, text))


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or match[2] or ""


def _insert(text: str, brace: int, members: list[_Member], line: str) -> str:
    ending = "\r\n" if "\r\n" in text else "\n"
    if members:
        before = text[text.rfind("\n", 0, members[0].start) + 1 : members[0].start]
        gap = f"{ending}{before}" if "\n" in text[brace : members[0].start] and not before.strip() else " "
        at = members[-1].end
        return f"{text[:at]},{gap}{line}{text[at:]}"
    start = text.rfind("\n", 0, brace) + 1
    margin = text[start : start + len(text[start:brace]) - len(text[start:brace].lstrip(" \t"))]
    return f"{text[: brace + 1]}{ending}{margin}  {line}{text[brace + 1 :]}"


def _cut(text: str, brace: int, members: list[_Member], gone: _Member) -> str:
    position = members.index(gone)
    if position:
        return text[: members[position - 1].end] + text[gone.end :]
    if len(members) > 1:
        return text[: gone.start] + text[members[1].start :]
    return text[: brace + 1] + text[gone.end :]


def _section(text: str, found: _Member) -> list[_Member]:
    if text[found.value] != "{":
        raise BadArgument(f"{found.name} must be an object in braces.")
    return _members(text, found.value)


def _find_member(members: list[_Member], name: str) -> _Member | None:
    same = [member for member in members if member.name == name]
    if len(same) > 1:
        raise BadArgument(f"{name[:80]!r} occurs twice.")
    return same[0] if same else None


def _root(text: str) -> int:
    at = _after_gap(text, 1 if text.startswith("\ufeff") else 0)
    if text[at : at + 1] != "{":
        raise _not_json(text, at)
    end = _value_end(text, at, 0)
    if _after_gap(text, end) != len(text):
        raise _not_json(text, end)
    return at


def _members(text: str, brace: int) -> list[_Member]:
    return _object(text, brace, 0)[0]


def _object(text: str, brace: int, depth: int) -> tuple[list[_Member], int]:
    members: list[_Member] = []
    at = _after_gap(text, brace + 1)
    while text[at : at + 1] != "}":
        key = _STRING.match(text, at)
        if key is None:
            raise _not_json(text, at)
        colon = _after_gap(text, key.end())
        if text[colon : colon + 1] != ":":
            raise _not_json(text, colon)
        value = _after_gap(text, colon + 1)
        end = _value_end(text, value, depth + 1)
        members.append(_Member(name=_unquote(text, key), start=at, value=value, end=end))
        at = _next(text, end, "}")
    return members, at + 1


def _value_end(text: str, at: int, depth: int) -> int:
    if depth > MAX_DEPTH:
        raise BadArgument("it is nested too deep.")
    if text[at : at + 1] == "{":
        return _object(text, at, depth)[1]
    if text[at : at + 1] == "[":
        at = _after_gap(text, at + 1)
        while text[at : at + 1] != "]":
            at = _next(text, _value_end(text, at, depth + 1), "]")
        return at + 1
    plain = _STRING.match(text, at) or _SCALAR.match(text, at)
    if plain is None:
        raise _not_json(text, at)
    return plain.end()


def _next(text: str, end: int, closing: str) -> int:
    """Return the start of the next item, or of the closing bracket, after a value's end."""
    at = _after_gap(text, end)
    if text[at : at + 1] == ",":
        return _after_gap(text, at + 1)
    if text[at : at + 1] != closing:
        raise _not_json(text, at)
    return at


def _unquote(text: str, key: re.Match[str]) -> str:
    try:
        return str(json.loads(key.group()))
    except ValueError:
        raise _not_json(text, key.start()) from None


def _after_gap(text: str, at: int) -> int:
    found = _GAP.match(text, at)
    return found.end() if found else at


def _not_json(text: str, at: int) -> BadArgument:
    return BadArgument(f"this is not JSON (line {text.count(chr(10), 0, at) + 1}).")
