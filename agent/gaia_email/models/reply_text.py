"""Extract the answer from a model's text, without thoughts, code fences and surrounding prose. Entry: `answer_in`.

An answer is extracted as it is and never repaired. Two different answers count as none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gaia_email.models.wire_values import object_of

_NAMES = r"(?:\w{1,12}:)?(?:think|thinking|thoughts?|reasoning|reflection|analysis)"
_OPENS = re.compile(
    rf"\s*(?:<{_NAMES}>|\[THINK\]|<\|START_THINKING\|>|◁think▷|<\|channel\|?>\s*(?:analysis|thought)\b)",
    re.IGNORECASE,
)
_CLOSES = re.compile(
    rf"</{_NAMES}>|\[/THINK\]|<\|END_THINKING\|>|◁/think▷|<channel\|>"
    r"|<\|channel\|>\s*final\b[^<]{0,40}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?:\s|<\|(?:end|return|call|im_end|eot_id|endoftext)\|>|</s>|<eos>)+\Z")
_FENCE = re.compile(r"\s*```[\w-]{0,20}[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)
_MOST_TRIED = 50


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """An answer, with information about the text around it.

    Attributes:
        text: The answer itself; `""` if there is none.
        among_thoughts: True if the thoughts consist only of the answer.
        has_thoughts: True if the model's text includes thoughts.
    """

    text: str
    among_thoughts: bool = False
    has_thoughts: bool = False


def without_thoughts(text: str) -> str:
    """Return the text after a model's thoughts; `""` if they never end."""
    last = None
    for last in _CLOSES.finditer(text):  # noqa: B007 - the last one counts
        pass
    rest = text if last is None else text[last.end() :]
    return "" if _OPENS.match(rest) else _ENDS.sub("", rest).strip()


def answer_in(text: str, thoughts: str, schema: Mapping[str, Any]) -> FoundAnswer:
    """Return the one JSON object with the schema's fields that a model wrote.

    Text that is a single JSON object is returned whatever its fields are: its reader checks them.
    """
    if _object(text) is not None:
        return FoundAnswer(text.strip())
    said = without_thoughts(text)
    has_thoughts = bool(thoughts.strip()) or said != _ENDS.sub("", text).strip()
    if said:
        return FoundAnswer(_only_object(said, schema), has_thoughts=has_thoughts)
    alone = _OPENS.sub("", text or thoughts, count=1)
    fenced = _FENCE.match(alone)
    alone = fenced[1] if fenced else alone
    found = alone.strip() if _has_fields(_object(alone), schema) else ""
    return FoundAnswer(found, among_thoughts=bool(found), has_thoughts=has_thoughts)


def _object(text: str) -> dict[str, object] | None:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return object_of(found) or ({} if found == {} else None)


def _has_fields(found: Mapping[str, object] | None, schema: Mapping[str, Any]) -> bool:
    if found is None:
        return False
    return set(schema.get("required", ())) <= set(found) <= set(schema.get("properties", ()))


def _only_object(text: str, schema: Mapping[str, Any]) -> str:
    """Return the text of the outermost JSON object that has the schema's fields; `""` for none or different ones."""
    decoder = json.JSONDecoder()
    found: dict[str, object] = {}
    at = text.find("{")
    for _ in range(_MOST_TRIED):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = _after_braces(text, at)
        else:
            if _has_fields(object_of(value), schema):
                found[json.dumps(value, sort_keys=True)] = text[at:end]
        at = text.find("{", end)
    return str(next(iter(found.values()))) if len(found) == 1 else ""


def _after_braces(text: str, at: int) -> int:
    """Return the position after the brace that closes the one at `at`: nothing inside a broken object is an answer."""
    depth = 0
    for place in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return place + 1
    return len(text)
