"""Reading a JSON document field by field, with errors that name the field. Entry point: `opened`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaia_email_registry.errors import BadArgument


class ObjectFields:
    """An object of a document; `where` names it in errors."""

    def __init__(self, values: Mapping[str, object], where: str) -> None:
        self._values = values
        self._where = where

    def get(self, name: str) -> object:
        """The value, or None."""
        return self._values.get(name)

    def text(self, name: str) -> str:
        """A text; `BadArgument` for anything else."""
        value = self.get(name)
        if not isinstance(value, str):
            raise self.wrong(name, "a text")
        return value

    def flag(self, name: str) -> bool:
        """True or false; a missing one is false."""
        value = self.get(name)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return bool(value)

    def number(self, name: str, low: float, high: float) -> float:
        """A number from `low` to `high`."""
        value = self.get(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise self.wrong(name, f"a number from {low:g} to {high:g}")
        return float(value)

    def texts(self, name: str) -> list[str]:
        """A list of texts; a missing one is empty."""
        texts: list[str] = []
        for text in self.items(name):
            if not isinstance(text, str):
                raise self.wrong(name, "a list of texts")
            texts.append(text)
        return texts

    def items(self, name: str) -> Sequence[object]:
        """A list; a missing one is empty."""
        value = self.get(name)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return value  # pyright: ignore[reportUnknownVariableType]

    def wrong(self, name: str, wanted: str) -> BadArgument:
        """The error for a field that is not what it has to be."""
        return BadArgument(f"{name} of the {self._where} has to be {wanted}.", argument=name)


def opened(
    value: object, where: str, *, required: Sequence[str] = (), optional: Sequence[str] = ()
) -> ObjectFields:
    """`value` as an object with these keys and no others.

    Raises:
        BadArgument: It is no object, lacks a key, or has one that nobody knows.
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
