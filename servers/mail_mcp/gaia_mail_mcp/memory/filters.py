"""Filters of a memory mailbox, by the search grammar: `FilterBook`."""

from __future__ import annotations

import datetime as dt

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mime.address import validate_address
from gaia_mail_mcp.query.grammar import parse_query
from gaia_mail_mcp.query.match import SearchDocument, compile_query
from gaia_mail_mcp.query.nodes import Query


class FilterBook:
    """Which filters exist, and what they do to a message that arrives."""

    def __init__(self) -> None:
        self._filters: dict[str, tuple[Filter, Query]] = {}
        self._made = 0

    def all(self) -> list[Filter]:
        """Every filter, oldest first."""
        return [filter_ for filter_, _ in self._filters.values()]

    def create(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """A new filter.

        Raises:
            BadArgument: No criterion, no action, one that cannot be read, or the same filter exists.
        """
        query = parse_query(criteria_text(criteria))
        if query.is_empty:
            raise BadArgument("A filter needs at least one criterion, such as from.", argument="criteria")
        kept = _kept(action)
        if not kept:
            raise BadArgument("A filter needs at least one action, such as addLabelIds.", argument="action")
        if any(known["criteria"] == criteria and known["action"] == kept for known in self.all()):
            raise BadArgument("The same filter exists already; list the filters.", argument="criteria")
        self._made += 1
        filter_: Filter = {"id": f"filter{self._made}", "criteria": criteria, "action": kept}
        self._filters[filter_["id"]] = (filter_, query)
        return filter_

    def delete(self, filter_id: str) -> Filter:
        """Remove a filter; `NotFound` when there is none of that id."""
        if filter_id not in self._filters:
            raise NotFound(f'Filter with ID "{filter_id[:80]}" not found.', argument="filterId")
        return self._filters.pop(filter_id)[0]

    def actions_for(
        self, document: SearchDocument, now: dt.datetime, me: tuple[str, ...]
    ) -> list[FilterAction]:
        """What is to be done with a message, filter by filter."""
        return [
            filter_["action"]
            for filter_, query in self._filters.values()
            if compile_query(query, now, me)(document)
        ]


def criteria_text(criteria: FilterCriteria) -> str:
    """The search that finds what the criteria mean; Gmail reads their values as pieces of a search too."""
    parts = [
        f"{operator}:({value})"
        for operator, value in (
            ("from", criteria.get("from", "")),
            ("to", criteria.get("to", "")),
            ("subject", criteria.get("subject", "")),
        )
        if value.strip()
    ]
    if criteria.get("query", "").strip():
        parts.append(f"({criteria.get('query', '')})")
    if criteria.get("negatedQuery", "").strip():
        parts.append(f"-({criteria.get('negatedQuery', '')})")
    if criteria.get("hasAttachment"):
        parts.append("has:attachment")
    if criteria.get("size"):
        comparison = criteria.get("sizeComparison", "larger")
        if comparison not in ("larger", "smaller"):
            raise BadArgument("sizeComparison is larger or smaller.", argument="criteria")
        parts.append(f"{comparison}:{criteria.get('size', 0)}")
    return " ".join(parts)


def _kept(action: FilterAction) -> FilterAction:
    kept: FilterAction = {}
    add, remove, forward = action.get("addLabelIds"), action.get("removeLabelIds"), action.get("forward")
    if add:
        kept["addLabelIds"] = add
    if remove:
        kept["removeLabelIds"] = remove
    if forward:
        kept["forward"] = validate_address(forward).address
    return kept
