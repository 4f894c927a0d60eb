"""JavaScript's treatment of parsed JSON values, if it differs from Python's.

Entry points: `member`, `truthy`, `greater`.

The protocol is defined by a program in JavaScript, so its answers to malformed input are part of it: which value counts
as false, what a missing field is, when a comparison converts, and V8's messages of a `TypeError`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import Enum
from typing import Final, TypeAlias


class Undefined(Enum):
    """The value of a missing field or argument. JSON cannot express it: it is written as null."""

    UNDEFINED = "undefined"


UNDEFINED: Final = Undefined.UNDEFINED

JsValue: TypeAlias = "bool | int | float | str | list[JsValue] | Mapping[str, JsValue] | Undefined | None"
"""A value as `JSON.parse` returns it, or undefined."""

WHITESPACE: Final = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
r"""White space for `trim` and `\s`: it includes the byte-order mark, but not U+0085 and U+001C to U+001F."""

_EXACT = 2**53
_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_BASED = {"0x": (16, "[0-9a-f]+"), "0o": (8, "[0-7]+"), "0b": (2, "[01]+")}


class JavaScriptError(Exception):
    """The exception that the protocol's own code throws, with the same message."""


def number(text: str) -> int | float:
    """Return the number of a JSON literal: a double, as `int` if that is exact."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= _EXACT else value


def member(value: JsValue, name: str) -> JsValue:
    """Return `value.name` for a field that no built-in type of JavaScript has.

    Raises:
        JavaScriptError: `value` is null or undefined.
    """
    if value is None or value is UNDEFINED:
        raise _unreadable(value, name)
    return value.get(name, UNDEFINED) if isinstance(value, Mapping) else UNDEFINED


def trim(value: JsValue, expression: str) -> str:
    """Return `value.trim()`.

    Args:
        value: The value to trim.
        expression: The source text for `value` in the protocol's code; V8 quotes it in its message.

    Raises:
        JavaScriptError: `value` is not a string.
    """
    if not isinstance(value, str):
        raise no_method(value, "trim", expression)
    return value.strip(WHITESPACE)


def no_method(value: JsValue, method: str, expression: str) -> JavaScriptError:
    """Return the exception for calling `expression.method()` on a value without that method."""
    if value is None or value is UNDEFINED:
        return _unreadable(value, method)
    return JavaScriptError(f"{expression}.{method} is not a function")


def truthy(value: JsValue) -> bool:
    """Return `Boolean(value)`: an empty list and an empty object are true."""
    return True if isinstance(value, list | Mapping) else value is not UNDEFINED and bool(value)


def strictly_equal(left: JsValue, right: JsValue) -> bool:
    """Return `left === right`. Lists and objects equal only themselves, so two parts of JSON are never equal."""
    if isinstance(left, list | Mapping) or isinstance(right, list | Mapping):
        return left is right
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def greater(left: JsValue, right: JsValue) -> bool:
    """Return `left > right`: strings by UTF-16 code units, others as numbers; False if either is not a number.

    Raises:
        JavaScriptError: An object hides its `toString`.
    """
    first, second = _primitive(left), _primitive(right)
    if isinstance(first, str) and isinstance(second, str):
        return _code_units(first) > _code_units(second)
    return _as_number(first) > _as_number(second)


_Primitive: TypeAlias = "bool | int | float | str | Undefined | None"


def _unreadable(value: JsValue, name: str) -> JavaScriptError:
    shown = "null" if value is None else "undefined"
    return JavaScriptError(f"Cannot read properties of {shown} (reading '{name}')")


def _code_units(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def _primitive(value: JsValue) -> _Primitive:
    if isinstance(value, list):
        return _joined(value)
    return _object_text(value) if isinstance(value, Mapping) else value


def _joined(values: Sequence[JsValue]) -> str:
    """Return `values.join()`: nested lists add their commas to the same level, at any depth."""
    texts: list[str] = []
    waiting: list[JsValue] = [*reversed(values)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list) and value:
            waiting.extend(reversed(value))
        else:
            texts.append(_element_text(value))
    return ",".join(texts)


def _element_text(value: JsValue) -> str:
    match value:
        case None | Undefined.UNDEFINED | []:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _number_text(value)
        case str():
            return value
        case _:
            return _object_text(value)


def _object_text(value: JsValue) -> str:
    if isinstance(value, Mapping) and "toString" in value:
        raise JavaScriptError("Cannot convert object to primitive value")
    return "[object Object]"


def _number_text(value: float) -> str:
    """Return `String(value)`: no exponent from 1e-6 up to 1e21, and the shortest digits for the same double."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign, numerals, exponent = Decimal(repr(value)).normalize().as_tuple()
    digits, point = "".join(map(str, numerals)), len(numerals) + int(exponent)
    if digits == "0":
        return "0"
    if 0 < point <= 21:
        text = digits.ljust(point, "0")
        text = text if len(text) == point else f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        text = "0." + "0" * -point + digits
    else:
        mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
        text = f"{mantissa}e{point - 1:+d}"
    return "-" + text if sign else text


def _as_number(value: _Primitive) -> float:
    if isinstance(value, str):
        return _text_as_number(value.strip(WHITESPACE))
    if value is UNDEFINED:
        return math.nan
    return 0.0 if value is None else float(value)


def _text_as_number(text: str) -> float:
    if not text:
        return 0.0
    base, digits = _BASED.get(text[:2].lower(), (0, ""))
    if base and re.fullmatch(digits, text[2:].lower()):
        try:
            return float(int(text[2:], base))
        except OverflowError:
            return math.inf
    return float(text) if _DECIMAL.fullmatch(text) else math.nan
