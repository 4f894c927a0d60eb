"""What a tool of an MCP server is, how dangerous, and whether it still is what the user approved. Entry: `ServerTool`.

A server says of its tools what it likes, and may say something else tomorrow. So each tool is approved in one form: its
description, schemas and annotations together. When any of them changes, the tool is out until the user has looked at
the difference. Annotations are the server's own word (MCP 2025-06-18, "Tool Annotations"): they make a tool count as
riskier than it looks, and never as milder. Names are `server.tool`, so no server can take another's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, cast

from gaia_email_registry.contract.tools import TOOLS, RiskTier

ToolStanding = Literal["approved", "new", "changed", "gone"]
TierFrom = Literal["you", "contract", "annotations", "name", "nothing"]

MOST_TOOLS = 500
MOST_BYTES = 1_000_000
"""Of all descriptions and schemas of a server together; what lies beyond is not taken in."""

MOST_BYTES_OF_ONE = 64_000

_NAME = re.compile(r"[A-Za-z0-9_.\-/]{1,128}\Z")  # SEP-986
_TIERS: tuple[RiskTier, ...] = ("read", "write", "destructive")
_READING = (
    "count describe diff download explain export fetch find get head info inspect list look lookup ping preview "
    "check query read retrieve search show stat stats status summarize tail view watch"
)
_WRITING = (
    "add append apply archive assign copy create draft edit insert label mark modify move open patch put rename "
    "reorder restore save set snooze star store sync tag toggle unarchive unlabel update upload upsert write"
)
_DESTROYING = (
    "book buy call cancel charge clear delete destroy drop empty erase exec execute expunge forward invite kill merge "
    "order overwrite pay post publish purge push refund remove reply reset revoke run send share shell shutdown "
    "terminate transfer trash truncate unsubscribe uninstall wipe"
)
_VERBS = tuple(frozenset(verbs.split()) for verbs in (_READING, _WRITING, _DESTROYING))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_SHORT, _AROUND = 240, 80
"""Characters of a text that is shown whole, and on either side of what differs in a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolForm:
    """What a server says of a tool; `annotations` are those of MCP that it gave, by name."""

    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    annotations: Mapping[str, bool]

    @property
    def digest(self) -> str:
        """The same for the same form, whatever the order of its keys."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    @property
    def arguments(self) -> frozenset[str]:
        """The names of its arguments."""
        return frozenset(_names(self.input_schema))

    @property
    def size(self) -> int:
        """Its bytes as JSON."""
        return len(json.dumps(asdict(self), ensure_ascii=False).encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTool:
    """A tool of a server.

    Attributes:
        tool: Its name there.
        seen: As the server last listed it.
        approved: As the user approved it; None when that never happened.
        tier: The user's own word on how dangerous it is, empty for none.
        last_seen: Seconds since the epoch.
        listed: Whether the server listed it at the last look; what was approved is kept for when it comes back.
    """

    tool: str
    seen: ToolForm
    approved: ToolForm | None = None
    tier: RiskTier | Literal[""] = ""
    last_seen: float = 0.0
    listed: bool = True

    @property
    def approval_state(self) -> ToolStanding:
        """Whether it may be called: only where it is what was approved."""
        if not self.listed:
            return "gone"
        if self.approved is None:
            return "new"
        return "approved" if self.approved.digest == self.seen.digest else "changed"

    def risk(self) -> tuple[RiskTier, TierFrom]:
        """How dangerous it is taken for, and who says so: the user, the contract, its annotations, its name, nobody."""
        if self.tier:
            return self.tier, "you"
        said, named = _annotated(self.seen.annotations), _named(self.tool)
        if self.tool in TOOLS:
            named = TOOLS[self.tool].risk
            return (named, "contract") if _stricter(said, named) == named else (said or named, "annotations")
        if said is None:
            return ("destructive", "nothing") if named is None else (named, "name")
        return (said, "annotations") if _stricter(said, named) == said else (named or said, "name")

    def differences(self) -> tuple[str, ...]:
        """What is not as it was approved, a line each."""
        if self.approved is None or self.approval_state == "approved":
            return ()
        before, now = self.approved, self.seen
        told: list[str] = []
        for what, old, new in (
            ("description", before.description, now.description),
            ("arguments", _shown(before.input_schema), _shown(now.input_schema)),
            ("answer", _shown(before.output_schema), _shown(now.output_schema)),
        ):
            if old != new:
                one, other = _differing(old, new)
                told.append(f"{what} was {one!r} and is {other!r}")
        promised, promises = _set(before.annotations), _set(now.annotations)
        told += [f"annotations: {name} is gone" for name in sorted(promised - promises)]
        told += [f"annotations: {name} is new" for name in sorted(promises - promised)]
        return tuple(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolListing:
    """What a server listed, as far as it was taken in; `problems` says what was not, a sentence each."""

    forms: Mapping[str, ToolForm]
    problems: tuple[str, ...] = ()


def taken_in(tools: list[tuple[str, ToolForm]]) -> ToolListing:
    """The tools of a listing that are within bounds and named once by a usable name."""
    forms: dict[str, ToolForm] = {}
    problems: list[str] = []
    total = 0
    twice = {name for name, times in Counter(name for name, _ in tools).items() if times > 1}
    if len(tools) > MOST_TOOLS:
        problems.append(f"It lists {len(tools):,} tools; the first {MOST_TOOLS} are looked at.")
    for name, form in tools[:MOST_TOOLS]:
        size = form.size
        if not _NAME.match(name):
            problems.append(f"A tool named {name[:60]!r} cannot be used.")
        elif name in twice:
            problems.append(f"{name} is listed twice; neither is used.")
        elif size > MOST_BYTES_OF_ONE:
            problems.append(f"{name} describes itself in {size:,} bytes and is not used.")
        elif total + size > MOST_BYTES:
            problems.append(
                f"Its tools take more than {MOST_BYTES:,} bytes; those after {len(forms)} are not used."
            )
            break
        else:
            forms[name], total = form, total + size
    return ToolListing(forms=forms, problems=tuple(dict.fromkeys(problems)))


def joined(
    known: Mapping[str, ServerTool],
    listing: ToolListing,
    *,
    now: float,
    trusted: frozenset[str] = frozenset(),
) -> dict[str, ServerTool]:
    """What is known of a server after it listed its tools again.

    A tool that it lists no longer is kept where it was approved, so that it does not come back as another; any other is
    forgotten. `trusted` are approved as they are where nothing is known of them: to be given at the first look only.
    """
    gone = {name: one for name, one in known.items() if name not in listing.forms and one.approved}
    found = {name: replace(one, listed=False) for name, one in gone.items()}
    for name, form in listing.forms.items():
        before = known.get(name)
        if before is not None:
            found[name] = replace(before, seen=form, last_seen=now, listed=True)
        else:
            approved = form if name in trusted else None
            found[name] = ServerTool(tool=name, seen=form, approved=approved, last_seen=now)
    return found


def _names(schema: Mapping[str, Any]) -> set[str]:
    properties = schema.get("properties")
    return set(cast("dict[str, Any]", properties)) if isinstance(properties, dict) else set()


def _annotated(hints: Mapping[str, bool]) -> RiskTier | None:
    """What annotations say; one that calls itself read-only and destructive counts as destructive."""
    if hints.get("destructiveHint"):
        return "destructive"
    if hints.get("readOnlyHint"):
        return "read"
    return "write" if "destructiveHint" in hints else None


def _named(tool: str) -> RiskTier | None:
    """What the words of a name say, the strictest of them; None where the first is no verb that is known."""
    words = [word.lower() for word in _WORD.findall(tool)]
    found: list[RiskTier] = [
        tier for tier, verbs in zip(_TIERS, _VERBS, strict=True) if not verbs.isdisjoint(words)
    ]
    known = any(words[:1] and words[0] in verbs for verbs in _VERBS)
    return found[-1] if found and (known or found[-1] == "destructive") else None


def _stricter(one: RiskTier | None, other: RiskTier | None) -> RiskTier | None:
    if one is None or other is None:
        return one or other
    return one if _TIERS.index(one) >= _TIERS.index(other) else other


def _shown(schema: Mapping[str, Any] | None) -> str:
    return "" if schema is None else json.dumps(schema, sort_keys=True, ensure_ascii=False)


def _differing(one: str, other: str) -> tuple[str, str]:
    """Two texts around what differs, and the whole of short ones."""
    if max(len(one), len(other)) <= _SHORT:
        return one, other
    start = _alike(one, other)
    end = _alike(one[start:][::-1], other[start:][::-1])
    return _window(one, start, end), _window(other, start, end)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((position for position, (left, right) in pairs if left != right), min(len(one), len(other)))


def _window(text: str, start: int, end: int) -> str:
    """What lies between a beginning and an end, cut in its middle where it is long."""
    first, last = max(0, start - _AROUND), min(len(text), len(text) - end + _AROUND)
    found = text[first:last]
    if len(found) > 4 * _SHORT:
        found = f"{found[: 3 * _SHORT]} … {len(found) - 4 * _SHORT:,} characters … {found[-_SHORT:]}"
    return f"{'…' if first else ''}{found}{'…' if last < len(text) else ''}"


def _set(annotations: Mapping[str, bool]) -> set[str]:
    return {f"{name}={str(value).lower()}" for name, value in annotations.items()}
