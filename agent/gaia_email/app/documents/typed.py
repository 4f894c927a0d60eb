"""JSON Schemas made from the typed definition of a document. Entry points: `schema_of`, and words such as `Count`.

A document is one `TypedDict`: its builder returns it, so that the type checkers see a key too many or too few, and its
schema (draft 2020-12) is made from it. All keys are required and no others are allowed.

Neither msgspec's `json.schema` nor pydantic's `TypeAdapter` gives these schemas: msgspec sorts words and required keys,
closes no object and names no keys of a table; pydantic takes no `typing.TypedDict` on Python 3.11. To make these of
theirs takes more code than there is here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Annotated, Literal, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

Schema = dict[str, object]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a schema says of a number or a text beyond its type."""

    minimum: int | None = None
    maximum: float | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectKeys:
    """The keys that an object has, all with the same kind of value."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """The only texts that there may be, where they are a table and no type."""

    words: tuple[str, ...]


Version = Literal[1]
Count = Annotated[int, Limits(minimum=0)]
Ratio = Annotated[float, Limits(minimum=0, maximum=1)]
Stated = Annotated[float, Limits(minimum=0, maximum=0.99)]
"""A confidence or a priority: the badge on a card is this times a hundred, in two digits."""
Level = Annotated[int, Limits(minimum=0, maximum=5)]
Time = Annotated[str, Limits(format="date-time")]
PlanAction = Literal["reply", "do", "label", "archive", "warn", "keep"]
PlanMode = Literal["apply", "review", "suggest", "leave"]
Warning_ = Literal["phishing", "injection", "spam"]


class NamedAddress(TypedDict):
    """A mailbox as a header names it (RFC 5322, 3.4)."""

    name: str
    address: str


FromAddress = TypedDict("FromAddress", {"from": NamedAddress})
"""With the sender under `from`, which is no name that a class could hold."""
FromAddressOrNone = TypedDict("FromAddressOrNone", {"from": NamedAddress | None})
FromText = TypedDict("FromText", {"from": str})

_PLAIN: Mapping[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    object: {},
    NoneType: {"type": "null"},
}


COMMAND_DOCUMENTS: dict[str, object] = {}
"""Documents of commands that are derived from operations, by command; complete once the operations are imported."""


@dataclass(frozen=True, slots=True)
class NamedSchemas:
    """Holds each schema of a larger document once, by name, and gives references to it.

    Attributes:
        place: Prefix of every reference, such as `#/components/schemas/`.
        found: The schemas by name.
    """

    place: str
    found: dict[str, Schema] = field(default_factory=dict[str, Schema])
    _kinds: dict[str, object] = field(default_factory=dict[str, object])

    def hold(self, schemas: Mapping[str, Schema]) -> None:
        """Add finished schemas.

        Raises:
            TypeError: A name already stands for another schema.
        """
        for name, schema in schemas.items():
            self._claim(name, schema)
            self.found[name] = schema

    def put(self, name: str, kind: object, make: Callable[[], Schema]) -> Schema:
        """Refer to the schema of a type, which is made if it is not there yet.

        Raises:
            TypeError: The name already stands for another type.
        """
        name = name.lstrip("_")
        self._claim(name, kind)
        if name not in self.found:
            self.found[name] = {}
            self.found[name] = make()
        return {"$ref": f"{self.place}{name}"}

    def _claim(self, name: str, kind: object) -> None:
        if self._kinds.setdefault(name, kind) != kind:
            raise TypeError(f"two types are called {name}")


def schema_of(kind: object, named: NamedSchemas | None = None) -> Schema:
    """The schema of a type: a `TypedDict`, a list, a dict, a union, a literal, or a plain type, with its limits.

    Args:
        kind: The type.
        named: Where each `TypedDict` is put under its name; without it, schemas stand where they are used.

    Raises:
        TypeError: It is a type that no document uses.
    """
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)

        def record() -> Schema:
            return _record({name: schema_of(hint, named) for name, hint in hints.items()})

        return record() if named is None else named.put(str(getattr(kind, "__name__", "")), kind, record)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _limited(arguments[0], arguments[1:], named)
    if origin is Literal:
        return {"const": arguments[0]} if isinstance(arguments[0], int) else {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(one, named) for one in arguments]}
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0], named)}
    if origin is dict:
        return _mapping(arguments[0], arguments[1], named)
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    raise TypeError(f"no document holds {kind!r}")


def _record(named: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": dict(named),
        "required": list(named),
        "additionalProperties": False,
    }


def _limited(kind: object, notes: tuple[object, ...], named: NamedSchemas | None) -> Schema:
    found = schema_of(kind, named)
    for note in notes:
        match note:
            case Limits(minimum, maximum, form):
                said = {"minimum": minimum, "maximum": maximum, "format": form}
                found |= {name: value for name, value in said.items() if value is not None}
            case ObjectKeys(names):
                found = _record(dict.fromkeys(names, schema_of(get_args(kind)[1], named)))
            case OneOf(words):
                found = Schema(enum=list(words))
            case _:
                raise TypeError(f"no document is limited by {note!r}")
    return found


def _mapping(keys: object, values: object, named: NamedSchemas | None) -> Schema:
    found: Schema = {"type": "object"}
    if keys is not str:
        found["propertyNames"] = schema_of(keys, named)
    if values is not object:
        found["additionalProperties"] = schema_of(values, named)
    return found
