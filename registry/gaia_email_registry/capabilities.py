"""Tools of MCP servers, their risk, and the check that they still are what the user approved. Entry: `ServerTool`.

A server can describe its tools as it likes, and change the description tomorrow. Each tool is therefore approved in one
form: its description, schemas and annotations together. If any of them changes, the tool is disabled until the user has
reviewed the difference. Annotations are the server's own claims (MCP 2025-06-18, "Tool Annotations"): they can raise a
tool's risk but never lower it. Names are `server.tool`, so no server can take over another's.
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
"""Limit for all descriptions and schemas of a server together; tools beyond it are not used."""

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
"""Length of a text that is shown whole, and of the context around a difference in a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolForm:
    """A server's description of a tool; `annotations` are the MCP annotations that it sent, by name."""

    description: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any] | None
    annotations: Mapping[str, bool]

    @property
    def digest(self) -> str:
        """SHA-256 of the form, independent of the order of its keys."""
        text = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    @property
    def arguments(self) -> frozenset[str]:
        """The names of its arguments."""
        return frozenset(_names(self.input_schema))

    @property
    def size(self) -> int:
        """Size as JSON, in bytes."""
        return len(json.dumps(asdict(self), ensure_ascii=False).encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerTool:
    """A tool of a server.

    Attributes:
        tool: Name of the tool on its server.
        seen: Form in which the server last listed it.
        approved: Form that the user approved; None if the tool was never approved.
        tier: Risk chosen by the user; empty if none was chosen.
        last_seen: Seconds since the epoch.
        listed: True if the last listing included it; an approved tool is kept in case it returns.
    """

    tool: str
    seen: ToolForm
    approved: ToolForm | None = None
    tier: RiskTier | Literal[""] = ""
    last_seen: float = 0.0
    listed: bool = True

    @property
    def approval_state(self) -> ToolStanding:
        """State of the approval; only an `approved` tool may be called."""
        if not self.listed:
            return "gone"
        if self.approved is None:
            return "new"
        return "approved" if self.approved.digest == self.seen.digest else "changed"

    def risk(self) -> tuple[RiskTier, TierFrom]:
        """Return the assumed risk and its source: the user, the contract, the annotations, the name, or nothing."""
        if self.tier:
            return self.tier, "you"
        said, named = _risk_of_annotations(self.seen.annotations), _risk_of_name(self.tool)
        if self.tool in TOOLS:
            named = TOOLS[self.tool].risk
            return (named, "contract") if _stricter(said, named) == named else (said or named, "annotations")
        if said is None:
            return ("destructive", "nothing") if named is None else (named, "name")
        return (said, "annotations") if _stricter(said, named) == said else (named or said, "name")

    def differences(self) -> tuple[str, ...]:
        """Describe each difference from the approved form in one line."""
        if self.approved is None or self.approval_state == "approved":
            return ()
        before, now = self.approved, self.seen
        told: list[str] = []
        for what, old, new in (
            ("description", before.description, now.description),
            ("arguments", _schema_text(before.input_schema), _schema_text(now.input_schema)),
            ("answer", _schema_text(before.output_schema), _schema_text(now.output_schema)),
        ):
            if old != new:
                one, other = _crop(old, new)
                told.append(f"{what} was {one!r} and is {other!r}")
        promised, promises = _set(before.annotations), _set(now.annotations)
        told += [f"annotations: {name} is gone" for name in sorted(promised - promises)]
        told += [f"annotations: {name} is new" for name in sorted(promises - promised)]
        return tuple(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolListing:
    """The usable part of a server's tool listing; `problems` describes the rest, one sentence each."""

    forms: Mapping[str, ToolForm]
    problems: tuple[str, ...] = ()


def taken_in(tools: list[tuple[str, ToolForm]]) -> ToolListing:
    """Return the tools of a listing that are within bounds and have a unique, usable name."""
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


def merge_listing(
    known: Mapping[str, ServerTool],
    listing: ToolListing,
    *,
    now: float,
    trusted: frozenset[str] = frozenset(),
) -> dict[str, ServerTool]:
    """Return the known tools of a server, updated by a new listing.

    An approved tool that is no longer listed is kept, so that it cannot return as another one; any other unlisted tool
    is dropped. `trusted` tools are approved as listed if they are unknown; pass them only for the first listing.
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


def _risk_of_annotations(hints: Mapping[str, bool]) -> RiskTier | None:
    """Return the risk that annotations claim; a tool marked both read-only and destructive counts as destructive."""
    if hints.get("destructiveHint"):
        return "destructive"
    if hints.get("readOnlyHint"):
        return "read"
    return "write" if "destructiveHint" in hints else None


def _risk_of_name(tool: str) -> RiskTier | None:
    """Return the strictest risk of the words in a name; None if the first is not a known verb."""
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


def _schema_text(schema: Mapping[str, Any] | None) -> str:
    return "" if schema is None else json.dumps(schema, sort_keys=True, ensure_ascii=False)


def _crop(one: str, other: str) -> tuple[str, str]:
    """Return the differing parts of two texts with context; short texts are returned whole."""
    if max(len(one), len(other)) <= _SHORT:
        return one, other
    start = _alike(one, other)
    end = _alike(one[start:][::-1], other[start:][::-1])
    return _window(one, start, end), _window(other, start, end)


def _alike(one: str, other: str) -> int:
    """Return the length of the common prefix."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((position for position, (left, right) in pairs if left != right), min(len(one), len(other)))


def _window(text: str, start: int, end: int) -> str:
    """Return the text between a start and an end, shortened in the middle if it is long."""
    first, last = max(0, start - _AROUND), min(len(text), len(text) - end + _AROUND)
    found = text[first:last]
    if len(found) > 4 * _SHORT:
        found = f"{found[: 3 * _SHORT]} … {len(found) - 4 * _SHORT:,} characters … {found[-_SHORT:]}"
    return f"{'…' if first else ''}{found}{'…' if last < len(text) else ''}"


def _set(annotations: Mapping[str, bool]) -> set[str]:
    return {f"{name}={str(value).lower()}" for name, value in annotations.items()}
