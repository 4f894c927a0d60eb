"""Google's own description of its APIs, as a check of every request and response. Entry: `Discovery`.

The documents come with google-api-python-client; nothing is fetched.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, TypeGuard

Json = dict[str, Any]

_TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
_PARAMETER = re.compile(r"\{\+?(\w+)\}(.*)")
"""Of a path; a verb may follow it."""
_DIGITS = re.compile(r"-?\d{1,20}")


def is_object(value: object) -> TypeGuard[Json]:
    """Whether a parsed JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a parsed JSON value is a list."""
    return isinstance(value, list)


class Violation(Exception):
    """Something that is not as the discovery document says."""


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method of an API."""

    id: str
    verb: str
    path: tuple[str, ...]
    """Segments; those in braces are parameters."""
    parameters: Mapping[str, Json]
    request: str | None
    response: str | None
    scopes: frozenset[str]
    upload: bool


class Discovery:
    """One API."""

    def __init__(self, name: str) -> None:
        self._document = _document(name)
        self.methods = list(self._walk(self._document))

    def find(self, verb: str, segments: list[str]) -> tuple[Method, dict[str, str]] | None:
        """The method of a request, and its path parameters; None when Google has none there."""
        for method in self.methods:
            if method.verb == verb and len(method.path) == len(segments):
                given = _matched(method.path, segments)
                if given is not None:
                    return method, given
        return None

    def check_query(self, method: Method, query: list[tuple[str, str]]) -> None:
        """Every parameter is known, repeated only where it may be, and of its type.

        Raises:
            Violation: One is not.
        """
        known = {**self._document["parameters"], **method.parameters}
        seen: set[str] = set()
        for name, value in query:
            rule = known.get(name)
            if rule is None or rule["location"] != "query":
                raise Violation(f"{method.id} has no parameter {name!r}")
            if name in seen and not rule.get("repeated"):
                raise Violation(f"{method.id}: {name} is given twice")
            seen.add(name)
            _check_text(f"{method.id} {name}", rule, value)
        for name, rule in method.parameters.items():
            if rule.get("required") and rule["location"] == "query" and name not in seen:
                raise Violation(f"{method.id} needs {name}")

    def check_request(self, method: Method, body: object) -> None:
        """The body is what the method takes.

        Raises:
            Violation: It is not.
        """
        if method.request is None:
            if body is not None:
                raise Violation(f"{method.id} takes no body")
            return
        if body is None:
            raise Violation(f"{method.id} needs a body")
        self._check(method.request, self._schema(method.request), body)
        if is_object(body) and not method.upload:
            self._check_required(method, body)

    def check_response(self, method: Method, body: object) -> None:
        """The body is what the method answers.

        Raises:
            Violation: It is not.
        """
        if method.response is None:
            if body is not None:
                raise Violation(f"{method.id} answers nothing")
            return
        self._check(method.response, self._schema(method.response), body)

    def _check_required(self, method: Method, body: Json) -> None:
        assert method.request is not None
        for name, rule in self._schema(method.request).get("properties", {}).items():
            if method.id in rule.get("annotations", {}).get("required", ()) and name not in body:
                raise Violation(f"{method.id} needs {name} in its body")

    def _schema(self, name: str) -> Json:
        found: Json = self._document["schemas"][name]
        return found

    def _check(self, where: str, rule: Json, value: object) -> None:
        if "$ref" in rule:
            self._check(where, self._schema(rule["$ref"]), value)
            return
        kind: str = rule.get("type", "any")
        if kind == "object":
            self._check_object(where, rule, value)
            return
        wanted = _TYPES.get(kind, object)
        if not isinstance(value, wanted) or (isinstance(value, bool) and kind in ("integer", "number")):
            raise Violation(f"{where} is no {kind}: {value!r:.80}")
        if is_list(value):
            for item in value:
                self._check(f"{where}[]", rule["items"], item)
        elif isinstance(value, str):
            _check_text(where, rule, value)

    def _check_object(self, where: str, rule: Json, value: object) -> None:
        if not is_object(value):
            raise Violation(f"{where} is no object")
        properties: Json = rule.get("properties", {})
        others: Json | None = rule.get("additionalProperties")
        for name, item in value.items():
            if name in properties:
                self._check(f"{where}.{name}", properties[name], item)
            elif others is not None:
                self._check(f"{where}.{name}", others, item)
            else:
                raise Violation(f"{where} has no property {name!r}")

    def _walk(self, resource: Json) -> Iterator[Method]:
        root: str = self._document["servicePath"]
        for found in resource.get("methods", {}).values():
            yield Method(
                id=found["id"],
                verb=found["httpMethod"],
                path=tuple((root + found["path"]).strip("/").split("/")),
                parameters=found.get("parameters", {}),
                request=found.get("request", {}).get("$ref"),
                response=found.get("response", {}).get("$ref"),
                scopes=frozenset(found.get("scopes", ())),
                upload="mediaUpload" in found,
            )
        for inner in resource.get("resources", {}).values():
            yield from self._walk(inner)


@cache
def _document(name: str) -> Json:
    folder = files("googleapiclient.discovery_cache.documents")
    document: Json = json.loads(folder.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return document


def _matched(path: tuple[str, ...], segments: list[str]) -> dict[str, str] | None:
    given: dict[str, str] = {}
    for pattern, segment in zip(path, segments, strict=True):
        if found := _PARAMETER.fullmatch(pattern):
            if not segment.endswith(found[2]):
                return None
            given[found[1]] = segment.removesuffix(found[2])
        elif pattern != segment:
            return None
    return given


def _check_text(where: str, rule: Json, value: str) -> None:
    if "enum" in rule and value not in rule["enum"]:
        raise Violation(f"{where}: {value!r} is none of {rule['enum']}")
    kind, form = rule.get("type"), rule.get("format")
    whole = kind == "integer" or form in ("int32", "uint32", "int64", "uint64")
    if whole and not _DIGITS.fullmatch(value):
        raise Violation(f"{where}: {value!r} is no number")
    if kind == "boolean" and value not in ("true", "false"):
        raise Violation(f"{where}: {value!r} is no boolean")
    if form == "byte":
        try:
            padded = value.encode("ascii") + b"=" * (-len(value) % 4)  # Google asks for no padding
            base64.b64decode(padded, altchars=b"-_", validate=True)
        except ValueError:
            raise Violation(f"{where} is not base64url") from None
