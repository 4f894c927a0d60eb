"""The user's conventions, as set and as stored in the ledger.

Entries: `set_convention`, `list_conventions`, `to_json`, `from_json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, get_args

from gaia_email.policy.wire import read_object
from gaia_email_registry.errors import BadArgument
from gaia_understanding.cascade.verdict import (
    BUCKETS,
    CONVENTION_WORDS,
    WEIGHTS,
    Bucket,
    Convention,
    Conventions,
    Weight,
)

AS_JUDGED = "as-judged"
Mistake = Literal["missed-urgent", "worthless-shown"]
MISTAKE_WORDS: Mapping[Mistake, str] = {
    "missed-urgent": "to miss something urgent",
    "worthless-shown": "to be shown what is worth nothing",
}
KINDS: tuple[Convention, ...] = get_args(Convention)
NAMES: tuple[str, ...] = (*KINDS, *MISTAKE_WORDS)


def set_convention(conventions: Conventions, name: str, value: str) -> Conventions:
    """Return the conventions with one changed.

    Args:
        conventions: The conventions to change.
        name: A kind of mail, or a kind of mistake.
        value: A bucket or `as-judged` for a kind of mail; the weight of a mistake.

    Raises:
        BadArgument: The name or the value is unknown.
    """
    name, value = name.lower(), value.lower().replace("_", "-")
    if name in MISTAKE_WORDS:
        weight = _weight(value, name)
        return (
            replace(conventions, missing=weight)
            if name == "missed-urgent"
            else replace(conventions, reading=weight)
        )
    kind = _kind(name)
    bucket = None if value == AS_JUDGED else _bucket(value, name)
    kept: dict[Convention, Bucket] = dict(conventions.buckets)
    if bucket is None:
        kept.pop(kind, None)
    else:
        kept[kind] = bucket
    return replace(conventions, buckets=tuple([(one, kept[one]) for one in KINDS if one in kept]))


def list_conventions(conventions: Conventions) -> dict[str, str]:
    """Return the value of every convention by name, in the order in which they are listed."""
    set_to: dict[str, str] = dict.fromkeys(KINDS, AS_JUDGED)
    set_to.update(conventions.buckets)
    return {**set_to, "missed-urgent": conventions.missing, "worthless-shown": conventions.reading}


def words_of(name: str) -> str:
    """Return the description of a convention."""
    return next(words for key, words in (*CONVENTION_WORDS.items(), *MISTAKE_WORDS.items()) if key == name)


def to_json(conventions: Conventions) -> dict[str, str]:
    """Return the conventions that differ from the usual ones, as the policy stores them."""
    usual = list_conventions(Conventions())
    return {name: value for name, value in list_conventions(conventions).items() if value != usual[name]}


def from_json(value: object) -> Conventions:
    """Read conventions from a policy; None means the usual ones.

    Raises:
        BadArgument: A name or value is invalid.
    """
    conventions = Conventions()
    if value is None:
        return conventions
    fields = read_object(value, "conventions", optional=NAMES)
    for name in NAMES:
        if fields.get(name) is not None:
            conventions = set_convention(conventions, name, fields.text(name))
    return conventions


def _kind(name: str) -> Convention:
    for kind in KINDS:
        if kind == name:
            return kind
    raise BadArgument(
        f"There is no convention {name[:60]!r}; there are {', '.join(NAMES)}.", argument="convention"
    )


def _bucket(value: str, name: str) -> Bucket:
    for bucket in BUCKETS:
        if bucket.replace("_", "-") == value:
            return bucket
    raise BadArgument(
        f"{value[:60]!r} is no place for {name}: {', '.join((*BUCKETS, AS_JUDGED))}.", argument="convention"
    )


def _weight(value: str, name: str) -> Weight:
    for weight in WEIGHTS:
        if weight == value:
            return weight
    raise BadArgument(
        f"{value[:60]!r} is not how bad {name} is: {', '.join(WEIGHTS)}.", argument="convention"
    )
