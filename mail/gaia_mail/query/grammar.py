"""Gmail's search grammar: `parse_query` parses user input into a `Query` for all servers.

```
query   := ( chain | "AND" )*                     all of them
chain   := unary ( ("OR" | "|") unary )*          any of them; binds tighter than juxtaposition
unary   := ( "-" | "NOT" )* primary
primary := word | "phrase" | operator:value | operator:( … ) | ( query ) | { any of these }
           word AROUND n word
```
The operators are those of https://support.google.com/mail/answer/7190 . Mistakes that Gmail ignores (a misspelt
operator, an open quote, an invalid date) are errors here that point at the character.
"""

from __future__ import annotations

import re

from gaia_email_registry.errors import BadArgument
from gaia_mail.query.caret import query_error
from gaia_mail.query.lexer import QueryToken, tokenize
from gaia_mail.query.nodes import And, Near, Node, Not, Or, Query, Text
from gaia_mail.query.operators import TEXT_FIELDS, read_value

__all__ = ["Query", "parse_query"]

_MAX_LENGTH = 8000
_MAX_DEPTH = 32
_AROUND = re.compile(r" AROUND (\d{1,3}) ", re.ASCII)

_EXAMPLES = {
    "from": "ann@example.com",
    "to": "ann@example.com",
    "larger": "10M",
    "smaller": "500K",
    "size": "10M",
    "before": "2026/03/31",
    "older": "2026/03/31",
    "after": "2026/03/01",
    "newer": "2026/03/01",
    "older_than": "1y",
    "newer_than": "2d",
    "is": "unread",
    "in": "inbox",
    "has": "attachment",
    "filename": "pdf",
}


def parse_query(text: str) -> Query:
    """Parse a search; blank text is the empty query. Pure: relative ages stay relative.

    Raises:
        BadArgument: Shows one sentence, the query, and a caret below the offending character.
    """
    if len(text) > _MAX_LENGTH:
        raise BadArgument(
            f"This query has {len(text)} characters and {_MAX_LENGTH} are the limit; search in steps.",
            argument="query",
        )
    return Query(root=_Parser(text).parse())


def all_of(parts: list[Node]) -> Node | None:
    """Return the conjunction of `parts` in normal form: flat, and without a node around a single part."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return And(parts=tuple(flat)) if len(flat) > 1 else (flat[0] if flat else None)


def any_of(parts: list[Node]) -> Node | None:
    """Return the disjunction of `parts` in normal form; the counterpart of `all_of`."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Or) else (part,))
    return Or(parts=tuple(flat)) if len(flat) > 1 else (flat[0] if flat else None)


class _Parser:
    """One pass over the tokens of one query; `_field` is the operator whose group is being read."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._tokens = tokenize(query)
        self._next = 0
        self._depth = 0
        self._field = ""

    def parse(self) -> Node | None:
        root = self._conjunction()
        token = self._peek()
        if token.kind == "close":
            raise self._error(token, f"This '{token.value}' closes nothing; remove it.")
        return root

    def _peek(self) -> QueryToken:
        return self._tokens[self._next]

    def _take(self) -> QueryToken:
        token = self._tokens[self._next]
        self._next += 1
        return token

    def _error(self, token: QueryToken, sentence: str) -> BadArgument:
        return query_error(self._query, token.start, sentence)

    def _conjunction(self) -> Node | None:
        parts: list[Node] = []
        while (token := self._peek()).kind not in ("end", "close"):
            if token.kind == "and":
                self._take()
                if not parts or self._peek().kind in ("end", "close", "and", "or"):
                    raise self._error(token, "AND needs something on both sides: a AND b.")
                continue
            parts.append(self._chain())
        return all_of(parts)

    def _alternatives(self) -> Node | None:
        parts: list[Node] = []
        while (token := self._peek()).kind not in ("end", "close"):
            if token.kind == "and":
                raise self._error(token, "Inside braces everything is joined by OR; write ( ) for AND.")
            parts.append(self._chain())
        return any_of(parts)

    def _chain(self) -> Node:
        first = self._peek()
        if first.kind == "or":
            raise self._error(first, f"{first.value} needs something on both sides: a OR b.")
        parts = [self._unary()]
        while (token := self._peek()).kind == "or":
            self._take()
            if self._peek().kind in ("end", "close", "or", "and"):
                raise self._error(token, f"{token.value} needs something on both sides: a OR b.")
            parts.append(self._unary())
        return any_of(parts) or parts[0]

    def _unary(self) -> Node:
        negated = False
        token = self._peek()
        while self._peek().kind == "not":
            token = self._take()
            negated = not negated
        if self._peek().kind in ("end", "close", "or", "and"):
            raise self._error(token, f"{token.value} excludes nothing; write -word or NOT word.")
        part = self._primary()
        if not negated:
            return part
        return part.part if isinstance(part, Not) else Not(part=part)

    def _primary(self) -> Node:
        token = self._take()
        if token.kind == "open":
            return self._group(token)
        if token.kind == "operator":
            return self._operator(token)
        if self._field:
            return self._term(self._field, token)
        return self._near(_text(token))

    def _group(self, opening: QueryToken) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(opening, f"This query nests deeper than {_MAX_DEPTH} levels; write it flatter.")
        inside = self._conjunction() if opening.value == ")" else self._alternatives()
        closing = self._take()
        if closing.kind == "end":
            raise self._error(opening, f"This is never closed; add '{opening.value}'.")
        if closing.value != opening.value:
            raise self._error(closing, f"Here '{opening.value}' is needed, to close what was opened before.")
        if inside is None:
            raise self._error(opening, "There is nothing between these; write words or leave them out.")
        self._depth -= 1
        return inside

    def _operator(self, operator: QueryToken) -> Node:
        name = operator.value
        if self._field:
            raise self._error(
                operator, f"'{name}:' cannot appear inside '{self._field}:( )'; close it first."
            )
        value = self._peek()
        if value.kind in ("word", "quoted"):
            return self._term(name, self._take())
        if value.kind == "open" and name in TEXT_FIELDS:
            self._field = name
            inside = self._group(self._take())
            self._field = ""
            return inside
        example = _EXAMPLES.get(name)
        hint = f", as in {name}:{example}" if example else " right after the colon"
        raise self._error(operator, f"'{name}:' needs a value{hint}.")

    def _term(self, name: str, token: QueryToken) -> Node:
        term = read_value(name, token.value)
        if isinstance(term, str):
            raise self._error(token, term)
        return term

    def _near(self, left: Node) -> Node:
        """Return `left AROUND n right` if the next tokens complete it, else `left`."""
        around, number, right = (*self._tokens[self._next : self._next + 3], None, None, None)[:3]
        if around is None or number is None or right is None or not isinstance(left, Text):
            return left
        if around.kind != "word" or around.value != "AROUND" or right.kind not in ("word", "quoted"):
            return left
        if number.kind != "word" or not re.fullmatch(r"\d{1,3}", number.value, re.ASCII):
            raise self._error(number, "AROUND needs a number of words, as in holiday AROUND 10 vacation.")
        target = _text(right)
        if not isinstance(target, Text):
            return left
        self._next += 3
        return Near(left=left, right=target, distance=int(number.value))


def _text(token: QueryToken) -> Node:
    found = _AROUND.search(token.value) if token.kind == "quoted" else None
    if found is None:
        return Text(value=token.value)
    left, right = token.value[: found.start()], token.value[found.end() :]
    return Near(left=Text(value=left), right=Text(value=right), distance=int(found[1]))
