"""Compare JSON values and apply JSON Patches (RFC 6902). Entries: `diff`, `apply_patch`."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gaia_email.app.json_values import is_list, is_object, pointer_of
from gaia_email_registry.errors import BadArgument

OPERATIONS = ("add", "remove", "replace", "move", "copy", "test")
MOST_OPERATIONS = 100
MOST_BYTES = 256 << 10
"""Maximum size of the result of copy operations, as JSON in bytes."""


def diff(old: Any, new: Any) -> list[dict[str, Any]]:
    """Return the operations that turn the old value into the new one, in order."""
    return list(_diff(old, new, ()))


def _diff(old: Any, new: Any, at: tuple[object, ...]) -> Iterator[dict[str, Any]]:
    if _same(old, new):
        return
    if is_object(old) and is_object(new):
        for name in old:
            if name not in new:
                yield {"op": "remove", "path": pointer_of((*at, name))}
        for name, one in new.items():
            if name in old:
                yield from _diff(old[name], one, (*at, name))
            else:
                yield {"op": "add", "path": pointer_of((*at, name)), "value": one}
    elif is_list(old) and is_list(new):
        yield from _of_lists(old, new, at)
    else:
        yield {"op": "replace", "path": pointer_of(at), "value": new}


def _of_lists(old: list[Any], new: list[Any], at: tuple[object, ...]) -> Iterator[dict[str, Any]]:
    """Yield the operations for the part of two lists between their common beginning and end."""
    short = min(len(old), len(new))
    head = next((n for n in range(short) if not _same(old[n], new[n])), short)
    tail = next((n for n in range(short - head) if not _same(old[-1 - n], new[-1 - n])), short - head)
    before, after = len(old) - tail, len(new) - tail
    both = min(before, after)
    for number in range(head, both):
        yield from _diff(old[number], new[number], (*at, number))
    for number in range(before - 1, both - 1, -1):
        yield {"op": "remove", "path": pointer_of((*at, number))}
    for number in range(both, after):
        yield {"op": "add", "path": pointer_of((*at, number)), "value": new[number]}


def _same(one: Any, other: Any) -> bool:
    """Return True if two values are the same JSON; unlike in Python, 1 is not true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if is_object(one) and is_object(other):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if is_list(one) and is_list(other):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _need_small(value: object) -> None:
    if len(json.dumps(value)) > MOST_BYTES:
        raise BadArgument(f"What the patch makes has more than {MOST_BYTES:,} bytes.", argument="patch")


def apply_patch(value: Mapping[str, Any], patch: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the value with the patch applied; the input is not modified.

    Raises:
        BadArgument: The patch is invalid, or does not fit this value.
    """
    import jsonpath

    if len(patch) > MOST_OPERATIONS:
        raise BadArgument(f"A patch has at most {MOST_OPERATIONS} operations.", argument="patch")
    for number, one in enumerate(patch):
        if one.get("op") not in OPERATIONS:
            raise BadArgument(
                f"An operation is one of {', '.join(OPERATIONS)}.", argument=f"/patch/{number}/op"
            )
    made: Any = copy.deepcopy(dict(value))
    try:
        for one in patch:
            made = jsonpath.patch.apply([dict(one)], made)
            if one["op"] == "copy":  # repeated copies double the size each time
                _need_small(made)
    except (
        jsonpath.JSONPatchError,
        jsonpath.JSONPointerError,
        KeyError,
        TypeError,
        ValueError,
        RecursionError,
    ) as error:
        said = " ".join(str(error).split())[:200]
        raise BadArgument(f"The patch cannot be applied: {said}.", argument="patch") from None
    if not is_object(made):
        raise BadArgument("What the patch leaves is no object.", argument="patch")
    return dict(made)
