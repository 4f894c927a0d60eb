"""Converts a filter's criteria to a search. Entry: `query_of`."""

from __future__ import annotations

from gaia_email_registry.contract.wire import FilterCriteria
from gaia_email_registry.errors import BadArgument
from gaia_mail.query.grammar import all_of, parse_query
from gaia_mail.query.nodes import Field, Node, Not, Query, Size


def query_of(criteria: FilterCriteria) -> Query:
    """Return the search for a filter's criteria, whose values can be searches themselves, as in Gmail.

    Raises:
        BadArgument: There are no criteria, or one is invalid; the error names it.
    """
    parts: list[Node | None] = [
        _part("from", criteria.get("from"), "from:({})"),
        _part("to", criteria.get("to"), "to:({})"),
        _part("subject", criteria.get("subject"), "subject:({})"),
        _part("query", criteria.get("query"), "{}"),
        _part("negatedQuery", criteria.get("negatedQuery"), "-({})"),
    ]
    if "hasAttachment" in criteria:
        has = Field(name="has", value="attachment")
        parts.append(has if criteria["hasAttachment"] else Not(part=has))
    if "size" in criteria:
        parts.append(_size(criteria["size"], criteria.get("sizeComparison", "larger")))
    root = all_of([part for part in parts if part is not None])
    if root is None:
        raise BadArgument("A filter needs at least one criterion.", argument="criteria")
    return Query(root=root)


def _part(name: str, value: str | None, form: str) -> Node | None:
    """Return the term of one criterion; its value is parsed alone first, so that it cannot close the parenthesis."""
    if not value or not value.strip():
        return None
    try:
        parse_query(value)
        return parse_query(form.format(value)).root
    except BadArgument as error:
        raise BadArgument(error.message, argument=f"criteria.{name}") from None


def _size(octets: int, comparison: str) -> Size:
    if comparison == "larger":
        return Size(comparison="larger", octets=octets)
    if comparison == "smaller":
        return Size(comparison="smaller", octets=octets)
    raise BadArgument("sizeComparison is larger or smaller.", argument="criteria.sizeComparison")
