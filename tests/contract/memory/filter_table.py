"""The filters of a `MemoryMailbox`, applied to mail that arrives. Entry: `FilterTable`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from gaia_email_registry.contract.wire import Filter, FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail.mime.address import validate_address
from gaia_mail.query.criteria import query_of
from gaia_mail.query.match import SearchableMessage, matches
from gaia_mail.query.nodes import Query


class FilterTable:
    """Filters by id, and what each looks for."""

    def __init__(self) -> None:
        self._filters: dict[str, tuple[Filter, Query]] = {}
        self._made = 0

    def all(self) -> list[Filter]:
        """Every filter, in the order made."""
        return [found for found, _ in self._filters.values()]

    def create(self, criteria: FilterCriteria, action: FilterAction) -> Filter:
        """Create a filter; the caller has checked that its labels exist."""
        query = query_of(criteria)
        if not any(action.values()):
            raise BadArgument(
                "A filter needs something to do: labels to add or remove, or an address.", argument="action"
            )
        _check_address(action.get("forward", ""))
        for known in self.all():
            if known["criteria"] == criteria and known["action"] == action:
                raise BadArgument(f"There is such a filter already: {known['id']}.", argument="criteria")
        self._made += 1
        made = Filter(id=f"f{self._made}", criteria=criteria, action=action)
        self._filters[made["id"]] = (made, query)
        return made

    def delete(self, filter_id: str) -> Filter:
        """Remove a filter; returns what it was. `NotFound` when there is none."""
        if filter_id not in self._filters:
            raise NotFound(f"There is no filter {filter_id[:80]!r}.", argument="filterId")
        return self._filters.pop(filter_id)[0]

    def actions(
        self, document: SearchableMessage, now: dt.datetime, me: tuple[str, ...]
    ) -> Iterator[FilterAction]:
        """What the filters want done with a message, in the order they were made."""
        for found, query in self._filters.values():
            if matches(query, document, now, me):
                yield found["action"]


def _check_address(address: str) -> None:
    if not address:
        return
    try:
        validate_address(address)
    except BadArgument as error:
        raise BadArgument(error.message, argument="action.forward") from None
