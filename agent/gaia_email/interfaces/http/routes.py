"""The routes of operations. Entries: `ROUTES`, `OperationRoute`.

An id in a path is in braces. It becomes the input's field with the same name, as a list if the input expects one.
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
"""Header with notes for the caller that accompany the document: a JSON list of sentences."""

SCOPES: Mapping[OperationRisk, KeyScope] = {
    "read": "read",
    "draft": "draft",
    "restrain": "act",
    "person": "act",
}
"""Scopes by risk; an operation that needs a person's consent requires that as well."""

_NAMED = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class OperationRoute:
    """An operation with its path."""

    operation: Operation[Any]

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.operation.path.partition(" ")[0]

    @property
    def path(self) -> str:
        """The path, with parameters in braces."""
        return self.operation.path.partition(" ")[2]

    @property
    def scope(self) -> KeyScope:
        """The scope that the operation needs."""
        return SCOPES[self.operation.risk]

    @property
    def named(self) -> tuple[str, ...]:
        """Names of the path parameters."""
        return tuple(_NAMED.findall(self.path))

    def value(self, given: Mapping[str, object], in_path: Mapping[str, str]) -> Json:
        """Return the input's JSON: the fields from the body or the query, and the path parameters."""
        if lists := self.operation.lists:
            return {**given, lists: [in_path[name] for name in self.named]}
        return {**given, **in_path}


ROUTES = tuple(sorted(map(OperationRoute, OPERATIONS.values()), key=lambda one: one.path))
"""All routes by path; literal segments come before parameters, so the first match is the right one."""
