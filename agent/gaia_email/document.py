"""What the product answers: one type from the ledger to JSON. Entries: `Document`, `json_of`, `schema_of`, `clean`.

A domain type whose fields are what a person or a program is shown is a `Document`; nothing copies it field by field.
What has to be put together from several of them is still a `TypedDict` with a builder. The schema of either (draft
2020-12) is made from the type: all keys are required and no others are allowed.

Neither msgspec's `json.schema` nor pydantic's `TypeAdapter` gives the schema of a `TypedDict`: msgspec sorts its words
and required keys and leaves it open; pydantic takes no `typing.TypedDict` on Python 3.11.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypedDict,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import msgspec

Schema = dict[str, object]

_SURROGATES = re.compile("[\ud800-\udfff]")


class Timestamp(float):
    """Seconds since 1970 in UTC; JSON holds the time as RFC 3339, to the second."""

    @classmethod
    def if_known(cls, epoch: float | None) -> Timestamp | None:
        """The time of these seconds; None stays None."""
        return None if epoch is None else cls(epoch)


class Document(msgspec.Struct, frozen=True, kw_only=True, rename=lambda name: name.removesuffix("_")):
    """A type that JSON shows as it is: its keys are its fields, in their order, without a `_` at the end."""


def json_of(document: Document) -> dict[str, Any]:
    """The document as JSON holds it; its texts are clean."""
    found: dict[str, Any] = _plain(msgspec.to_builtins(document, enc_hook=_encoded))
    return found


def answer_of(found: Document | Mapping[str, Any]) -> Mapping[str, Any]:
    """What an operation answers, with the version of its schema first; a finished answer stays as it is."""
    return {"schema_version": 1, **json_of(found)} if isinstance(found, Document) else found


def answer_schema(kind: object, named: NamedSchemas | None = None) -> Schema:
    """The schema of what `answer_of` gives, of the type that the operation returns; see `schema_of`."""
    if is_typeddict(kind) or (fields := _fields_of(kind)) is None:
        return schema_of(kind, named)
    hints = {"schema_version": Version, **fields}
    return _put(f"{_name_of(kind)}Answer", kind, hints, named)


def _encoded(value: object) -> object:
    if isinstance(value, Timestamp):
        return at(value)
    raise TypeError(f"no document holds {value!r}")


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in cast("dict[str, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in cast("list[Any]", value)]
    return value


def clean(text: str) -> str:
    """`text` without lone surrogates, which JSON and UTF-8 cannot carry; they become U+FFFD."""
    if not text.isascii():
        try:
            text.encode("utf-16-le")  # far faster than looking for what is hardly ever there
        except UnicodeEncodeError:
            return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
    return text


def at(epoch: float) -> str:
    """An epoch time as RFC 3339."""
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def at_if_known(epoch: float | None) -> str | None:
    """The same; None stays None."""
    return None if epoch is None else at(epoch)


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
    Timestamp: {"type": "string", "format": "date-time"},
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
    """The schema of a type: a document, a list, a dict, a union, a literal, or a plain type, with its limits.

    Args:
        kind: The type.
        named: Where each document is put under its name; without it, schemas stand where they are used.

    Raises:
        TypeError: It is a type that no document uses.
    """
    if (hints := _fields_of(kind)) is not None:
        return _put(_name_of(kind), kind, hints, named)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _limited(arguments[0], arguments[1:], named)
    if origin is Literal:
        return {"const": arguments[0]} if isinstance(arguments[0], int) else {"enum": list(arguments)}
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(one, named) for one in arguments]}
    if origin in (list, tuple):
        return {"type": "array", "items": schema_of(arguments[0], named)}
    if origin is dict:
        return _mapping(arguments[0], arguments[1], named)
    if kind in _PLAIN:
        return dict(_PLAIN[kind])
    raise TypeError(f"no document holds {kind!r}")


def _fields_of(kind: object) -> dict[str, Any] | None:
    """The keys of a document with their types; None for another type."""
    if is_typeddict(kind):
        return get_type_hints(kind, include_extras=True)
    if isinstance(kind, type) and issubclass(kind, Document):
        return {one.encode_name: one.type for one in msgspec.structs.fields(kind)}
    return None


def _name_of(kind: object) -> str:
    return str(getattr(kind, "__name__", ""))


def _put(name: str, kind: object, hints: Mapping[str, object], named: NamedSchemas | None) -> Schema:
    """The schema of an object of these fields: a reference if `named` holds it."""

    def record() -> Schema:
        return _record({key: schema_of(hint, named) for key, hint in hints.items()})

    return record() if named is None else named.put(name, kind, record)


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
