"""What a tool of an MCP server is, how dangerous, and whether it still is what the user approved. Entry: `Capability`.

A server says of its tools what it likes, and may say something else tomorrow. So each tool is approved in one form: its
description, schemas and annotations together. When any of them changes, the tool is out until the user has looked at
the difference. Names are `server.tool`, so no server can take another's.
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

Standing = Literal["approved", "new", "changed"]
TierFrom = Literal["you", "contract", "annotations", "name", "nothing"]

MOST_TOOLS = 500
MOST_BYTES = 1_000_000
"""Of all descriptions and schemas of a server together; what lies beyond is not taken in."""

MOST_BYTES_OF_ONE = 64_000

_NAME = re.compile(r"[A-Za-z0-9_.\-/]{1,128}\Z")  # SEP-986
_READS = re.compile(
    r"(?:get|list|read|search|find|show|describe|count|fetch|check|query|view)(?:[_\-/.A-Z]|\Z)"
)
_WRITES = re.compile(
    r"(?:add|create|draft|label|mark|update|set|move|archive|save|star|snooze)(?:[_\-/.A-Z]|\Z)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
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
class Capability:
    """A tool of a server.

    Attributes:
        tool: Its name there.
        seen: As the server last listed it.
        approved: As the user approved it; None when that never happened.
        tier: The user's own word on how dangerous it is, empty for none.
        last_seen: Seconds since the epoch.
    """

    tool: str
    seen: Form
    approved: Form | None = None
    tier: RiskTier | Literal[""] = ""
    last_seen: float = 0.0

    @property
    def standing(self) -> Standing:
        """Whether it may be called: only where it is what was approved."""
        if self.approved is None:
            return "new"
        return "approved" if self.approved.digest == self.seen.digest else "changed"

    def risk(self) -> tuple[RiskTier, TierFrom]:
        """How dangerous it is taken for, and who says so: the user, the contract, its annotations, its name, nobody."""
        if self.tier:
            return self.tier, "you"
        if self.tool in TOOLS:
            return TOOLS[self.tool].risk, "contract"
        hints = self.seen.annotations
        if hints.get("readOnlyHint"):
            return "read", "annotations"
        if "destructiveHint" in hints:
            return ("destructive" if hints["destructiveHint"] else "write"), "annotations"
        if _READS.match(self.tool):
            return "read", "name"
        if _WRITES.match(self.tool):
            return "write", "name"
        return "destructive", "nothing"

    def differences(self) -> tuple[str, ...]:
        """What is not as it was approved, a line each."""
        if self.approved is None or self.standing == "approved":
            return ()
        before, now = self.approved, self.seen
        told: list[str] = []
        if before.description != now.description:
            told.append(f"description was {before.description[:300]!r} and is {now.description[:300]!r}")
        for what, old, new in (
            ("arguments", _names(before.input_schema), _names(now.input_schema)),
            ("annotations", _set(before.annotations), _set(now.annotations)),
        ):
            told += [f"{what}: {name} is gone" for name in sorted(old - new)]
            told += [f"{what}: {name} is new" for name in sorted(new - old)]
        if not told:
            told.append("its schemas changed within")
        return tuple(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a server listed, as far as it was taken in; `problems` says what was not, a sentence each."""

    forms: Mapping[str, Form]
    problems: tuple[str, ...] = ()


def taken_in(tools: list[tuple[str, Form]]) -> Listing:
    """The tools of a listing that are within bounds and named once by a usable name."""
    forms: dict[str, Form] = {}
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
    return Listing(forms=forms, problems=tuple(dict.fromkeys(problems)))


def joined(
    known: Mapping[str, Capability], listing: Listing, *, now: float, trusted: frozenset[str] = frozenset()
) -> dict[str, Capability]:
    """What is known of a server after it listed its tools again; tools it lists no longer are forgotten.

    `trusted` are approved as they are when the server is seen for the first time.
    """
    first = not known
    found: dict[str, Capability] = {}
    for name, form in listing.forms.items():
        before = known.get(name)
        if before is not None:
            found[name] = replace(before, seen=form, last_seen=now)
        else:
            approved = form if first and name in trusted else None
            found[name] = Capability(tool=name, seen=form, approved=approved, last_seen=now)
    return found


def _names(schema: Mapping[str, Any]) -> set[str]:
    properties = schema.get("properties")
    return set(cast("dict[str, Any]", properties)) if isinstance(properties, dict) else set()


def _set(annotations: Mapping[str, bool]) -> set[str]:
    return {f"{name}={str(value).lower()}" for name, value in annotations.items()}
