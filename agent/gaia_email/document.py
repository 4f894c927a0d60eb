"""Documents: the types that users and programs receive as JSON. Entries: `Document`, `json_of`, `schema_of`, `clean`.

A domain type becomes JSON directly by deriving from `Document`. A document assembled from several domain types may be a
`TypedDict` with a function that builds it. JSON Schemas (draft 2020-12) come from either kind of type; every key is
required and no other key is allowed.

msgspec could generate the schema of a `Document`, but not that of a `TypedDict`: it sorts the keys and allows more.
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
    """Seconds since the epoch. Written to JSON as an RFC 3339 time in UTC, without fractions of a second."""

    @classmethod
    def if_known(cls, epoch: float | None) -> Timestamp | None:
        """The time of these seconds; None stays None."""
        return None if epoch is None else cls(epoch)


class Document(msgspec.Struct, frozen=True, kw_only=True, rename=lambda name: name.removesuffix("_")):
    """Base class of types that are written to JSON field by field, in order.

    A trailing underscore is dropped, so that `from_` becomes `from`.
    """


def json_of(document: Document) -> dict[str, Any]:
    """Convert a document to plain JSON types, with every text passed through `clean`."""
    found: dict[str, Any] = _plain(msgspec.to_builtins(document, enc_hook=_encoded))
    return found


def answer_of(found: Document | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the JSON answer of an operation: a `Document` gets a `schema_version`, a mapping is returned as it is."""
    return {"schema_version": 1, **json_of(found)} if isinstance(found, Document) else found


def answer_schema(kind: object, named: NamedSchemas | None = None) -> Schema:
    """Return the schema of `answer_of(result)` for a result of type `kind`; arguments are as for `schema_of`."""
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
    """Replace lone surrogates, which UTF-8 cannot encode, with U+FFFD."""
    if not text.isascii():
        try:
            text.encode("utf-16-le")  # faster than a search for something this rare
        except UnicodeEncodeError:
            return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
    return text


def at(epoch: float) -> str:
    """Format seconds since the epoch as an RFC 3339 time in UTC."""
    return datetime.fromtimestamp(epoch, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def at_if_known(epoch: float | None) -> str | None:
    """Format a time like `at`, or return None for None."""
    return None if epoch is None else at(epoch)


@dataclass(frozen=True, slots=True)
class Limits:
    """Constraints on a number or a string."""

    minimum: int | None = None
    maximum: float | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class ObjectKeys:
    """Required keys of a `dict` field."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneOf:
    """Allowed values of a string, for values that come from a table instead of a `Literal`."""

    words: tuple[str, ...]


Version = Literal[1]
Count = Annotated[int, Limits(minimum=0)]
Ratio = Annotated[float, Limits(minimum=0, maximum=1)]
Stated = Annotated[float, Limits(minimum=0, maximum=0.99)]
"""Confidence or priority. Cards show it as a two-digit percentage, hence the maximum."""
Level = Annotated[int, Limits(minimum=0, maximum=5)]
Time = Annotated[str, Limits(format="date-time")]
PlanAction = Literal["reply", "do", "label", "archive", "warn", "keep"]
PlanMode = Literal["apply", "review", "suggest", "leave"]
Warning_ = Literal["phishing", "injection", "spam"]


class NamedAddress(TypedDict):
    """Name and address of a mailbox (RFC 5322, section 3.4)."""

    name: str
    address: str


def named_address(one: NamedAddress) -> NamedAddress:
    """Return an address with its keys in order; one from a mail server or the ledger may have them in another."""
    return {"name": one["name"], "address": one["address"]}


FromAddress = TypedDict("FromAddress", {"from": NamedAddress})
"""Functional syntax, because `from` is a keyword."""
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
"""Document types by command name, filled as the modules of operations are imported."""


@dataclass(frozen=True, slots=True)
class NamedSchemas:
    """Named schemas that a larger schema refers to.

    Attributes:
        place: Prefix of references, such as `#/components/schemas/`.
        found: Schemas by name.
    """

    place: str
    found: dict[str, Schema] = field(default_factory=dict[str, Schema])
    _kinds: dict[str, object] = field(default_factory=dict[str, object])

    def hold(self, schemas: Mapping[str, Schema]) -> None:
        """Add finished schemas.

        Raises:
            TypeError: A name is taken by a different schema.
        """
        for name, schema in schemas.items():
            self._claim(name, schema)
            self.found[name] = schema

    def put(self, name: str, kind: object, make: Callable[[], Schema]) -> Schema:
        """Return a reference to the schema of `kind`, calling `make` if it is not stored yet.

        Raises:
            TypeError: The name is taken by a different type.
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
    """Return the JSON Schema of a document, list, dict, union, literal or plain type.

    Args:
        kind: The type, possibly `Annotated` with limits.
        named: Receives the schema of each document under its class name; None to inline them.

    Raises:
        TypeError: The type is not supported.
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
