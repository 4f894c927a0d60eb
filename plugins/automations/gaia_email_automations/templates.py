"""Templates of automations: Jinja2's sandbox with very few features. The only module that uses Jinja2.

Entries: `check_template`, `check_expression`; these parse a source without running it. `render` and `evaluate` run
it, only in the process of `sandbox.py`.

There are no globals, no methods and no calls except of macros; names reach into JSON only. An undefined value is an
error. Values other than text are written as JSON, None as nothing.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import takewhile
from typing import Any, NoReturn

from jinja2 import StrictUndefined, TemplateError, Undefined, nodes
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import SandboxedEnvironment
from jinja2.tests import TESTS
from typing_extensions import override

from gaia_email.app.json_values import is_list, is_object, pointer_of
from gaia_email_registry.errors import BadArgument

MOST_SOURCE = 8 << 10
MOST_OUTPUT = 1 << 20
ROOTS = frozenset(("inputs", "trigger", "run", "steps"))
"""The values for templates: inputs of the run, payload of its trigger, the run itself, outputs of earlier steps."""

TEST_NAMES = ("defined", "none", "number", "string", "mapping", "sequence", "boolean")
_FROM_JINJA = (
    *("join", "length", "default", "upper", "lower", "truncate"),
    *("replace", "trim", "first", "last", "sort", "reverse"),
)


def json_text(value: object) -> str:
    """Return a value as JSON; values outside JSON become text."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _slugify(value: str) -> str:
    plain = unicodedata.normalize("NFKD", str(value)).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _date(value: object, form: str = "%Y-%m-%d") -> str:
    return datetime.fromisoformat(str(value)).strftime(form)


FILTER_NAMES = (*_FROM_JINJA, "tojson", "slugify", "date")


def _written(value: object) -> object:
    """Return a value's form in the output: text unchanged, None as nothing, all else as JSON; undefined values fail."""
    if isinstance(value, str | Undefined):
        return value
    return "" if value is None else json_text(value)


class _TemplateSandbox(SandboxedEnvironment):
    """Jinja2 without attributes of Python objects: a name after a dot is a key of a JSON object."""

    intercepted_binops = frozenset(("**",))

    @override
    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        return isinstance(obj, LoopContext) and not attr.startswith("_")

    @override
    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, LoopContext):
            return super().getattr(obj, attribute)
        return self.getitem(obj, attribute)

    @override
    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(argument, str) and argument.startswith("_"):
            raise SecurityError(f"{argument[:40]!r} begins with an underscore")
        if isinstance(obj, dict | list | str | tuple):
            try:
                return obj[argument]  # pyright: ignore[reportUnknownVariableType, reportArgumentType, reportCallIssue]
            except (KeyError, IndexError, TypeError):
                pass
        return self.undefined(obj=obj, name=argument)

    @override
    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> NoReturn:
        raise SecurityError("templates have no powers")

    @override
    def is_safe_callable(self, obj: Any) -> bool:
        return isinstance(obj, Macro | LoopContext)


@cache
def _environment() -> _TemplateSandbox:
    made = _TemplateSandbox(undefined=StrictUndefined, autoescape=False, finalize=_written, cache_size=0)
    made.globals.clear()
    made.filters.clear()
    made.filters.update({name: FILTERS[name] for name in _FROM_JINJA})
    made.filters.update(tojson=json_text, slugify=_slugify, date=_date)
    made.tests.clear()
    made.tests.update({name: TESTS[name] for name in TEST_NAMES})
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateReferences:
    """Dotted paths from a root, such as `trigger.sender`; a template reads only what is at or below one."""

    paths: frozenset[str]

    @property
    def roots(self) -> frozenset[str]:
        """The first names of the paths."""
        return frozenset(path.partition(".")[0] for path in self.paths)


def check_template(source: str) -> TemplateReferences:
    """Parse a template.

    Raises:
        BadArgument: It is too long, cannot be parsed, or uses something that templates do not have.
    """
    return _checked(source, source)


def check_expression(source: str) -> TemplateReferences:
    """Parse an expression, such as a step's `when`.

    Raises:
        BadArgument: As for `check_template`.
    """
    return _checked(source, "{{ (" + source + "\n) }}")


def _checked(source: str, template: str) -> TemplateReferences:
    if len(source.encode("utf-8", "replace")) > MOST_SOURCE:
        raise BadArgument(f"A template has at most {MOST_SOURCE:,} bytes.", argument="template")
    try:
        tree = _environment().parse(template)
        return _references(tree)
    except (
        TemplateError,
        RecursionError,
        ValueError,
    ) as error:  # ValueError: a number with thousands of digits
        said = " ".join(str(error).split())[:200] or "it is nested too deeply"
        raise BadArgument(f"The template cannot be read: {said}.", argument="template") from None


def _references(tree: nodes.Template) -> TemplateReferences:
    for banned in (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends, nodes.Block):
        if next(tree.find_all(banned), None) is not None:
            raise TemplateError("it takes in no other template")
    used: list[nodes.Filter | nodes.Test] = [*tree.find_all(nodes.Filter), *tree.find_all(nodes.Test)]
    for one in used:
        known, what = (FILTER_NAMES, "filter") if isinstance(one, nodes.Filter) else (TEST_NAMES, "test")
        if one.name not in known:
            raise TemplateError(f"there is no {what} {one.name[:40]!r}; there are {', '.join(known)}")
    names = list(tree.find_all(nodes.Name))
    local = {node.name for node in names if node.ctx in ("store", "param")}
    local |= {node.name for node in tree.find_all(nodes.Macro)} | {"loop", "caller", "varargs", "kwargs"}
    for node in names:
        if node.ctx == "load" and node.name not in ROOTS and node.name not in local:
            raise TemplateError(f"there is no {node.name[:40]!r}; there are {', '.join(sorted(ROOTS))}")
    reached: list[nodes.Getattr | nodes.Getitem] = [
        *tree.find_all(nodes.Getattr),
        *tree.find_all(nodes.Getitem),
    ]
    for attribute in reached:
        name = _key(attribute)
        if name.startswith("_"):
            raise TemplateError(f"{name[:40]!r} begins with an underscore")
    return TemplateReferences(paths=frozenset(_paths(tree)))


def _key(node: nodes.Getattr | nodes.Getitem) -> str:
    """Return the constant key of a node; empty if it is computed, or is not one part of a dotted path."""
    if isinstance(node, nodes.Getattr):
        return node.attr
    value: object = node.arg.value if isinstance(node.arg, nodes.Const) else None
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return "" if "." in str(value) else str(value)


def _paths(node: nodes.Node) -> Iterator[str]:
    """Yield a path for every reference to a root, as far as its keys are constant.

    A template has no other way to its values: there are no globals, no other templates and no filters that see the
    context. So a variable, a macro, a loop or a condition reads only what one of these paths has named.
    """
    chain: list[nodes.Getattr | nodes.Getitem] = []
    inner = node
    while isinstance(inner, nodes.Getattr | nodes.Getitem):
        chain.append(inner)
        inner = inner.node
    if isinstance(inner, nodes.Name) and inner.ctx == "load" and inner.name in ROOTS:
        yield ".".join((inner.name, *takewhile(bool, map(_key, reversed(chain)))))
    elif chain:
        yield from _paths(inner)
    for one in chain:
        if isinstance(one, nodes.Getitem):
            yield from _paths(one.arg)
    if not chain:
        for child in node.iter_child_nodes():
            yield from _paths(child)


FAILURES = (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
"""Errors of a template or expression that its author caused."""


class Overlong(Exception):
    """A template or its output is too long."""


def render(source: str, context: Mapping[str, Any]) -> str:
    """Render a template. Only for the process of `sandbox.py`, since it has no time limit here.

    Raises:
        Overlong: The template or its output is too long.
        TemplateError: It cannot be parsed, or uses something that templates do not have.
    """
    if len(source.encode("utf-8", "replace")) > MOST_SOURCE:
        raise Overlong
    pieces: list[str] = []
    size = 0
    for piece in _environment().from_string(source).generate(**context):
        size += len(piece.encode("utf-8", "replace"))
        if size > MOST_OUTPUT:
            raise Overlong
        pieces.append(piece)
    return "".join(pieces)


def evaluate(source: str, context: Mapping[str, Any]) -> object:
    """Evaluate an expression, with the limits and errors of `render`."""
    found = _environment().compile_expression(source, undefined_to_none=False)(**context)
    if isinstance(found, Undefined):
        str(found)  # raises the error that names what is undefined
    return found


def sources_in(value: object, at: str = "") -> Sequence[tuple[str, str]]:
    """Return every text of a JSON value that contains a template, with its JSON Pointer."""
    if isinstance(value, str):
        return [(at, value)] if "{{" in value or "{%" in value or "{#" in value else []
    found: list[tuple[str, str]] = []
    if is_object(value):
        for name, one in value.items():
            found += sources_in(one, f"{at}{pointer_of([name])}")
    elif is_list(value):
        for number, one in enumerate(value):
            found += sources_in(one, f"{at}/{number}")
    return found
