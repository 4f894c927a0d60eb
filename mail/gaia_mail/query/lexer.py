"""Splits a query into tokens: `tokenize`. Handles the spelling of the grammar, not its structure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from gaia_mail.query.caret import query_error
from gaia_mail.query.operators import OPERATORS, near_operator

TokenKind = Literal["word", "quoted", "operator", "open", "close", "or", "and", "not", "end"]

_QUOTES = {'"': '"', "“": "”"}
_CLOSING = {"(": ")", "{": "}"}
_WORD = re.compile(r'[^\s(){}"|“]+')
_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9_]{1,20}):")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,998}>")
_KEYWORDS: dict[str, TokenKind] = {"OR": "or", "AND": "and", "NOT": "not"}
_TEXT_PREFIXES = frozenset({"http", "https", "ftp", "mailto", "tel", "re", "fw", "fwd"})
"""Prefixes of pasted text that end with a colon but are not operators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryToken:
    """A piece of a query; `value` is lower case for operators, and `start` counts characters."""

    kind: TokenKind
    value: str
    start: int


def tokenize(query: str) -> list[QueryToken]:
    """Return all tokens, then one of kind `end`. Raises `BadArgument` for an open quote or an unknown operator."""
    tokens: list[QueryToken] = []
    position = 0
    while position < len(query):
        char = query[position]
        if char.isspace():
            position += 1
        elif char in _CLOSING:
            tokens.append(QueryToken(kind="open", value=_CLOSING[char], start=position))
            position += 1
        elif char in ")}":
            tokens.append(QueryToken(kind="close", value=char, start=position))
            position += 1
        elif char == "|":
            tokens.append(QueryToken(kind="or", value=char, start=position))
            position += 1
        elif char in _QUOTES:
            position = _read_quote(query, position, tokens)
        elif char in "-+":
            position = _read_sign(query, position, tokens)
        else:
            position = _read_word(query, position, tokens)
    tokens.append(QueryToken(kind="end", value="", start=len(query)))
    return tokens


def _read_quote(query: str, start: int, tokens: list[QueryToken]) -> int:
    end = query.find(_QUOTES[query[start]], start + 1)
    if end < 0:
        raise query_error(query, start, "This quote is never closed; add the closing one.")
    value = " ".join(query[start + 1 : end].replace('"', " ").split())
    if not value:
        raise query_error(query, start, "There is nothing between these quotes; write words there.")
    tokens.append(QueryToken(kind="quoted", value=value, start=start))
    return end + 1


def _read_sign(query: str, start: int, tokens: list[QueryToken]) -> int:
    """Read a sign: a minus before a term excludes it; a plus or a lone dash is ignored."""
    following = query[start + 1 : start + 2]
    if query[start] == "-" and following and not following.isspace() and following not in ")}|":
        tokens.append(QueryToken(kind="not", value="-", start=start))
    return start + 1


def _read_word(query: str, start: int, tokens: list[QueryToken]) -> int:
    prefix = _PREFIX.match(query, start)
    if prefix is not None:
        name = prefix[1].lower()
        if name in OPERATORS:
            tokens.append(QueryToken(kind="operator", value=name, start=start))
            return _read_value(query, prefix.end(), tokens)
        _check_unknown(query, start, name, query[prefix.end() : prefix.end() + 2])
    found = _WORD.match(query, start)
    end = found.end() if found else start + 1
    value = query[start:end]
    tokens.append(QueryToken(kind=_KEYWORDS.get(value, "word"), value=value, start=start))
    return end


def _read_value(query: str, start: int, tokens: list[QueryToken]) -> int:
    """Read the value right after an operator's colon, in which signs and keywords are plain text."""
    found = _MESSAGE_ID.match(query, start) or _WORD.match(query, start)
    if found is None:
        return start
    tokens.append(QueryToken(kind="word", value=found[0], start=start))
    return found.end()


def _check_unknown(query: str, start: int, name: str, following: str) -> None:
    if name in _TEXT_PREFIXES or following == "//":
        return
    near = near_operator(name)
    if near:
        hint = f"did you mean '{near}:'?"
    elif not following.strip():
        return
    else:
        hint = "to search for the text itself, put it in quotes."
    raise query_error(query, start, f"unknown operator '{name}:'; {hint}")
