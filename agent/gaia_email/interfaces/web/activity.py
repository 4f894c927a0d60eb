"""The activity page: filtered actions by run, past runs, and outgoing connections. Entry: `activity_routes`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.web.performing import (
    PageOperations,
    PageRoutes,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.plugged import slots
from gaia_email.interfaces.web.rendering import fragment
from gaia_email.policy.levels import AgentAction
from gaia_email_registry.errors import BadArgument

Json = dict[str, Any]

MOST_DONE, MOST_RUNS = 200, 20
"""Maximum actions, and runs, on a page."""

FILTERS = ("account", "type", "about", "day", "since")
"""Query parameters of the page."""

_TYPES = (*get_args(AgentAction), "reply_later", "junk")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedRun:
    """Actions that belong together, in one line with counts by type."""

    run_id: str
    rows: Sequence[Json]
    counts: tuple[tuple[str, int], ...]


def activity_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes of the activity page."""
    return PageRoutes(shown={"activity": _Activity(perform).activity}, changed={})


@dataclass(slots=True)
class _Activity(PageOperations):
    async def activity(self, request: Request) -> Response:
        """Show actions by run, each with its reason and its undo."""
        wanted = {name: request.query_params.get(name, "").strip() for name in FILTERS}
        chosen = {name: wanted[name] for name in ("account", "type", "about", "since")}
        if wanted["day"]:
            day = _day(wanted["day"])
            chosen |= {"since": day.isoformat(), "until": (day + timedelta(days=1)).isoformat()}
        places = slots("activity")
        found, egress, ran, *more = await asyncio.gather(
            self.ask(request, "actions", {**chosen, "limit": MOST_DONE}),
            self.ask(request, "egress", {"since": chosen["since"], "account": chosen["account"]}),
            self.ask(request, "runs", {"limit": MOST_RUNS}),
            *(self.ask(request, slot.operation, {"limit": slot.limit}) for slot in places),
        )
        return fragment(
            "activity.html",
            found=found,
            folded=_folded(found["actions"]),
            wanted=wanted,
            accounts=await accounts_in_use(self.perform, request),
            types=_TYPES,
            egress=egress,
            ran=ran["runs"],
            plugged=list(zip(places, more, strict=True)),
        )


def _folded(rows: Sequence[Json]) -> list[FoldedRun]:
    found: list[FoldedRun] = []
    for run_id, group in groupby(rows, key=lambda row: row["run_id"] or ""):
        members = list(group)
        counts = Counter(one["type"] for one in members)
        found.append(FoldedRun(run_id=run_id, rows=members, counts=tuple(counts.most_common())))
    return found


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadArgument("day: a date such as 2026-11-28.", argument="/day") from None
