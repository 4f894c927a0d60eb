"""The routes of operations. Entries: `ROUTES`, `OperationRoute`.

A path that names something has its id in braces; it goes into the input's field of that name, as a list where the input
wants one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gaia_email.app.operations.operation import Operation, OperationRisk
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.api_keys import KeyScope

Json = dict[str, Any]

NOTES = "x-gaia-notes"
"""The header with what whoever waits is told beside the document: a JSON list of sentences."""

SCOPES: Mapping[OperationRisk, KeyScope] = {
    "read": "read",
    "draft": "draft",
    "restrain": "act",
    "person": "act",
}
"""Scopes of operations. One that takes a person's word needs that, too."""

_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class OperationRoute:
    """An operation at its path."""

    operation: Operation[Any]

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.operation.path.partition(" ")[0]

    @property
    def path(self) -> str:
        """The path, with what it names in braces."""
        return self.operation.path.partition(" ")[2]

    @property
    def scope(self) -> KeyScope:
        """The scope that its operation needs."""
        return SCOPES[self.operation.risk]

    @property
    def named(self) -> tuple[str, ...]:
        """What the path names."""
        return tuple(_NAMED.findall(self.path))

    def value(self, given: Mapping[str, object], in_path: Mapping[str, str]) -> Json:
        """The input's JSON: what was given in the body or the query, and what the path names."""
        if lists := self.operation.lists:
            return {**given, lists: [in_path[name] for name in self.named]}
        return {**given, **in_path}


ROUTES = tuple(sorted(map(OperationRoute, OPERATIONS.values()), key=lambda one: one.path))
"""By path; a name stands before what is in braces, so the first route that matches is the one that is meant."""
