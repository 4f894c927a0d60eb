"""Event filters of triggers, checked when saved and compiled once. Entry: `compile_filter`.

```json
{"payload.bucket": {"equals": "actionable"},
 "$or": [{"subject": {"contains": "invoice"}}, {"sender": {"ends_with": "@billing.example"}}]}
```
All conditions of an object must hold. A value never matches a value of another kind; such comparisons are counted.
`not_equals` and `not_in` match a missing field; `exists` tests for its presence.
"""

from __future__ import annotations

import operator as order
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gaia_email.app.json_values import is_list, is_object, kind_of, linear, pointer_of
from gaia_email_registry.errors import BadArgument

FilterObject: TypeAlias = Mapping[str, Any]
Scalar: TypeAlias = str | float | bool | None

MOST_DEPTH = 10
MISSING = object()
"""The value at a path that an event does not have."""


@dataclass(slots=True)
class FilterWarnings:
    """The number of comparisons between values of different kinds."""

    unlike: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFilterRule:
    """A compiled filter.

    Attributes:
        matches: Returns True if an event passes; counts comparisons of different kinds.
        equalities: Values by path that every passing event has; used for an index.
    """

    matches: Callable[[FilterObject, FilterWarnings], bool]
    equalities: Mapping[str, Scalar] = field(default_factory=dict[str, Scalar])


_Test: TypeAlias = Callable[[FilterObject, FilterWarnings], bool]
_Compare: TypeAlias = Callable[[Any, FilterWarnings], bool]


def compile_filter(rule: FilterObject) -> EventFilterRule:
    """Compile a filter.

    Raises:
        BadArgument: It is invalid; `argument` is the JSON Pointer of the error.
    """
    equalities = {
        path: condition["equals"]
        for path, condition in rule.items()
        if not path.startswith("$") and is_object(condition) and "equals" in condition
    }
    return EventFilterRule(matches=_all_of(rule, "", 0), equalities=equalities)


def _all_of(rule: Any, at: str, depth: int) -> _Test:
    if depth > MOST_DEPTH:
        raise BadArgument(f"A filter is nested at most {MOST_DEPTH} deep.", argument=at)
    if not is_object(rule):
        raise BadArgument("A filter is an object of paths and conditions.", argument=at)
    tests = [_part(name, value, f"{at}{pointer_of([name])}", depth) for name, value in rule.items()]
    return lambda event, warned: all(test(event, warned) for test in tests)


def _part(name: str, value: Any, at: str, depth: int) -> _Test:
    if name == "$not":
        inner = _all_of(value, at, depth + 1)
        return lambda event, warned: not inner(event, warned)
    if name in ("$and", "$or"):
        if not is_list(value) or not value:
            raise BadArgument(f"{name} takes a list of filters.", argument=at)
        tests = [_all_of(one, f"{at}/{number}", depth + 1) for number, one in enumerate(value)]
        combine = all if name == "$and" else any
        return lambda event, warned: combine(test(event, warned) for test in tests)
    if name.startswith("$"):
        raise BadArgument(f"There is no {name[:40]}; filters are joined by $and, $or and $not.", argument=at)
    if not is_object(value) or not value:
        raise BadArgument('A condition is an object such as {"equals": "x"}.', argument=at)
    path = name.split(".")
    compares = [_condition(operator, given, f"{at}/{operator}") for operator, given in value.items()]

    def test(event: FilterObject, warned: FilterWarnings) -> bool:
        found = value_at(event, path)
        return all(compare(found, warned) for compare in compares)

    return test


def value_at(event: FilterObject, path: list[str]) -> Any:
    """Return an event's value at a path; `MISSING` if there is none."""
    found: Any = event
    for name in path:
        if not is_object(found) or name not in found:
            return MISSING
        found = found[name]
    return found


def _alike(found: Any, given: Any, warned: FilterWarnings) -> bool:
    if kind_of(found) == kind_of(given):
        return True
    warned.unlike += 1
    return False


def _condition(operator: str, given: Any, at: str) -> _Compare:
    match operator:
        case "exists":
            _need(isinstance(given, bool), "exists takes true or false.", at)
            return lambda found, warned: (found is not MISSING) is given
        case "equals" | "not_equals":
            _need(_is_scalar(given), f"{operator} takes a text, a number, true, false or null.", at)
            return _equality(given, negated=operator == "not_equals")
        case "in" | "not_in":
            _need(is_list(given) and all(map(_is_scalar, given)), f"{operator} takes a list.", at)
            return _membership(given, negated=operator == "not_in")
        case "gt" | "gte" | "lt" | "lte":
            _need(kind_of(given) in ("number", "string"), f"{operator} takes a number or a text.", at)
            return _present(given, lambda found: _ORDERS[operator](found, given))
        case "starts_with" | "ends_with" | "regex":
            _need(isinstance(given, str), f"{operator} takes a text.", at)
            return _present(given, _text_test(operator, given, at))
        case "contains":
            _need(_is_scalar(given), "contains takes a text, a number, true, false or null.", at)
            return _containing(given)
        case _:
            raise BadArgument(f"There is no operator {operator[:40]!r}.", argument=at)


def _need(holds: bool, said: str, at: str) -> None:
    if not holds:
        raise BadArgument(said, argument=at)


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _equality(given: Scalar, *, negated: bool) -> _Compare:
    def compare(found: Any, warned: FilterWarnings) -> bool:
        if found is MISSING:
            return negated
        return _alike(found, given, warned) and (found == given) is not negated

    return compare


def _membership(given: list[Scalar], *, negated: bool) -> _Compare:
    known = {(kind_of(one), one) for one in given}
    kinds = {kind for kind, _ in known}

    def compare(found: Any, warned: FilterWarnings) -> bool:
        if found is MISSING:
            return negated
        kind = kind_of(found)
        if kind not in kinds:
            warned.unlike += 1
            return False
        return ((kind, found) in known) is not negated

    return compare


def _present(given: Scalar, holds: Callable[[Any], object]) -> _Compare:
    """Return a comparison that holds only for an existing value of the same kind as `given`."""
    return lambda found, warned: found is not MISSING and _alike(found, given, warned) and bool(holds(found))


_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "gt": order.gt,
    "gte": order.ge,
    "lt": order.lt,
    "lte": order.le,
}


def _text_test(operator: str, given: str, at: str) -> Callable[[str], bool]:
    if operator != "regex":
        method = str.startswith if operator == "starts_with" else str.endswith
        return lambda found: method(found, given)
    try:
        return linear(given)
    except BadArgument as error:
        raise BadArgument(error.message, argument=at) from None


def _containing(given: Scalar) -> _Compare:
    def compare(found: Any, warned: FilterWarnings) -> bool:
        if found is MISSING:
            return False
        if is_list(found):
            return any(kind_of(one) == kind_of(given) and one == given for one in found)
        return _alike(found, given, warned) and isinstance(given, str) and given in found

    return compare
