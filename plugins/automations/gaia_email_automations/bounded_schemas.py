"""Check values by JSON Schemas of users and models, within a time limit. Entries: `errors_of`, `need_fitting`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gaia_email.app.json_schemas import PlacedError, errors_in_process, is_quick
from gaia_email_registry.errors import BadArgument


def errors_of(schema: Mapping[str, Any], value: object) -> list[PlacedError]:
    """Return every error of a value, ordered by place; none if it fits.

    A schema or value that could keep this process busy is checked in another one.
    """
    if is_quick(schema, value):
        return errors_in_process(schema, value)
    from gaia_email_automations.rendering import outside_process

    try:
        return [PlacedError(**one) for one in outside_process().schema_errors(schema, value)]
    except BadArgument as error:
        return [PlacedError(pointer="", message=error.message)]


def need_fitting(schema: Mapping[str, Any], value: object, what: str) -> None:
    """Raise if a value does not fit.

    Raises:
        BadArgument: The first error; `argument` is its JSON Pointer.
    """
    for error in errors_of(schema, value):
        raise BadArgument(f"{what}{error.pointer}: {error.message}", argument=error.pointer)
