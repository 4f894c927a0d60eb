"""Names of agents in texts: `@definition[@node][#workspace]`. Entry points: `extract_selectors`, `resolve_selector`.

Every function takes a parsed JSON value and returns what version 0.1.0 of the protocol's code does, including its
exceptions. Later versions read `#` and `:` differently; see `DIALECT`.
"""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from gaia_email_control.javascript import (
    UNDEFINED,
    WHITESPACE,
    JsValue,
    member,
    no_method,
    strictly_equal,
    trim,
    truthy,
)

_CLOSING_PUNCTUATION: Final = ".,!?;:)]"
_OUTSIDE_SEGMENT: Final = re.compile(r"[^a-z0-9._/-]+")
_SLASHES: Final = re.compile("/+")
_NAME: Final = "[A-Za-z0-9._/-]+"
# Both cases are spelled out because Python's IGNORECASE folds U+017F and U+212A, which `/i` without `/u` does not.
_IN_TEXT: Final = re.compile(f"(?:^|[{WHITESPACE}])@({_NAME}(?:@{_NAME})?(?:#{_NAME})?)")


AgentSelector: TypeAlias = dict[str, str]
"""A parsed selector, by the protocol's names.

`raw` is the original text, `label` its normal form; `definitionId` is always there, `nodeQualifier` and
`workspaceQualifier` only if given.
"""


def normalize_segment(value: JsValue) -> str:
    """Return a part of a selector in normal form: lower case, other characters than `a-z0-9._-` as `-`, ends trimmed.

    Raises:
        JavaScriptError: It is not a string.
    """
    joined = _OUTSIDE_SEGMENT.sub("-", trim(value, "value").lower())
    return _SLASHES.sub("-", joined).strip("-")


def parse_selector(value: JsValue) -> AgentSelector | None:
    """Parse a selector with or without its sigil; None if no definition is left. A second `@` or `#` ends the part.

    Raises:
        JavaScriptError: It is not a string.
    """
    raw = _bare(value)
    agent, workspace = _first_two(raw, "#")
    definition, node = _first_two(agent, "@")
    definition, node, workspace = map(normalize_segment, (definition, node, workspace))
    if not definition:
        return None
    found = {"raw": raw, "label": _label(definition, node, workspace), "definitionId": definition}
    if node:
        found["nodeQualifier"] = node
    if workspace:
        found["workspaceQualifier"] = workspace
    return found


def format_selector(parts: JsValue, options: JsValue = UNDEFINED) -> str:
    """Return the label for a selector's parts; without the sigil if the options have `includeSigil: false`.

    Raises:
        JavaScriptError: A part is not a string, or the parts or the options are null.
    """
    definition = normalize_segment(member(parts, "definitionId"))
    node, workspace = "", ""
    if definition:
        node = _qualifier(parts, "nodeQualifier")
        workspace = _qualifier(parts, "workspaceQualifier")
    bare = options is not UNDEFINED and member(options, "includeSigil") is False
    return _label(definition, node, workspace, sigil="" if bare else "@")


def extract_selectors(text: JsValue) -> list[AgentSelector]:
    """Return the selectors at the beginning of a text or after white space: the last of each label, by first place.

    Raises:
        JavaScriptError: It is not a string.
    """
    if not isinstance(text, str):
        raise no_method(text, "matchAll", "text")
    found = (parse_selector(match[1]) for match in _IN_TEXT.finditer(text))
    return list({selector["label"]: selector for selector in found if selector is not None}.values())


def selector_matches(selector: JsValue, candidate: JsValue) -> bool:
    """Return True if a selector matches a candidate: the same definition, and the same value for each qualifier given.

    If a qualifier differs, the whole label may still be one of the candidate's aliases.

    Raises:
        JavaScriptError: One of them is null, or a part of it is not a string.
    """
    definition = normalize_segment(_definition_of(candidate))
    if not strictly_equal(member(selector, "definitionId"), definition):
        return False
    for name in ("nodeQualifier", "workspaceQualifier"):
        own, asked = _qualifier(candidate, name), member(selector, name)
        if truthy(asked) and not strictly_equal(asked, own):
            aliases = _aliases_of(candidate)
            return _bare(member(selector, "label")) in aliases
    return True


def resolve_selector(selector: JsValue, candidates: JsValue) -> JsValue:
    """Return the candidate that a selector matches, or None.

    Among several, a selector without qualifiers matches the one whose agent id is the definition, or else the first; a
    selector with a qualifier is ambiguous and matches none.

    Raises:
        JavaScriptError: The candidates are not a list, or one of them cannot be compared.
    """
    if not isinstance(candidates, list):
        raise no_method(candidates, "filter", "candidates")
    matching = [candidate for candidate in candidates if selector_matches(selector, candidate)]
    if len(matching) == 1:
        return matching[0]
    if truthy(member(selector, "nodeQualifier")) or truthy(member(selector, "workspaceQualifier")):
        return None
    definition = member(selector, "definitionId")
    for candidate in matching:
        if strictly_equal(normalize_segment(member(candidate, "agentId")), definition):
            return candidate
    return matching[0] if matching else None


def _bare(value: JsValue) -> str:
    return trim(value, "value").lstrip("@").rstrip(_CLOSING_PUNCTUATION)


def _first_two(text: str, separator: str) -> tuple[str, str]:
    first, *others = text.split(separator)
    return first, others[0] if others else ""


def _label(definition: str, node: str, workspace: str, sigil: str = "@") -> str:
    """Join normalised parts into a label; only the sigil if there is no definition."""
    if not definition:
        return sigil
    return sigil + definition + (node and f"@{node}") + (workspace and f"#{workspace}")


def _qualifier(parts: JsValue, name: str) -> str:
    """Return a qualifier in normal form; empty if it is missing or nothing is left of it."""
    value = member(parts, name)
    return normalize_segment(value) if truthy(value) else ""


def _definition_of(candidate: JsValue) -> JsValue:
    definition = member(candidate, "definitionId")
    return definition if truthy(definition) else member(candidate, "agentId")


def _aliases_of(candidate: JsValue) -> set[str]:
    """Return every label of a candidate without its sigil, and its aliases."""
    definition = normalize_segment(_definition_of(candidate))
    node, workspace = _qualifier(candidate, "nodeQualifier"), _qualifier(candidate, "workspaceQualifier")
    own = (_label(definition, *parts) for parts in (("", ""), (node, ""), ("", workspace), (node, workspace)))
    given = member(candidate, "aliases")
    if given is None or given is UNDEFINED:
        given = []
    if not isinstance(given, list):
        raise no_method(given, "map", "(candidate.aliases ?? [])")
    return {_bare(alias) for alias in (*own, *(trim(alias, "alias") for alias in given))} - {""}
