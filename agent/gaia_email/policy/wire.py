"""Reads a JSON document field by field, with errors that name the field. Entry point: `read_object`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email_registry.errors import BadArgument


class ObjectFields:
    """A JSON object; `where` names it in errors."""

    def __init__(self, values: Mapping[str, object], where: str) -> None:
        self._values = values
        self._where = where

    def get(self, name: str) -> object:
        """Return the value, or None if it is missing."""
        return self._values.get(name)

    def text(self, name: str) -> str:
        """Return a string.

        Raises:
            BadArgument: The field is missing or not a string.
        """
        value = self.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "a text")
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean; False if the field is missing."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return bool(value)

    def number(self, name: str, low: float, high: float) -> float:
        """Return a number from `low` to `high`."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise self.wrong(name, f"a number from {low:g} to {high:g}")
        return float(value)

    def texts(self, name: str) -> list[str]:
        """Return a list of strings; empty if the field is missing."""
        texts: list[str] = []
        for text in self.items(name):
            if not isinstance(text, str):
                raise self.wrong(name, "a list of texts")
            texts.append(text)
        return texts

    def items(self, name: str) -> Sequence[object]:
        """Return a list; empty if the field is missing."""
        value = self.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return value  # pyright: ignore[reportUnknownVariableType]

    def wrong(self, name: str, wanted: str) -> BadArgument:
        """Return the error for a field that has the wrong type."""
        return BadArgument(f"{name} of the {self._where} has to be {wanted}.", argument=name)


def read_object(
    value: object, where: str, *, required: Sequence[str] = (), optional: Sequence[str] = ()
) -> ObjectFields:
    """Return `value` as an object with the required keys and no unknown ones.

    Raises:
        BadArgument: It is not an object, lacks a key, or has an unknown one.
    """
    if not isinstance(value, dict):
        raise BadArgument(f"The {where} has to be a JSON object.")
    values: dict[str, object] = {str(key): item for key, item in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    for name in required:
        if name not in values:
            raise BadArgument(f"The {where} lacks {name}.", argument=name)
    for name in values:
        if name not in required and name not in optional:
            raise BadArgument(f"The {where} knows no {name[:40]!r}.", argument=name[:40])
    return ObjectFields(values, where)
