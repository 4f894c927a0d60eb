"""Merge the inboxes of several accounts: each thread once, most pressing first. Entry: `merge_inboxes`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_email.triage.inbox import Inbox
from gaia_email.triage.inbox_item import InboxItem, rank, same_message
from gaia_understanding.cascade.verdict import BUCKETS

if TYPE_CHECKING:
    from gaia_understanding.cascade.answers import ModelCost, ModelPass


def merge_inboxes(inboxes: Sequence[Inbox]) -> Inbox:
    """Merge inboxes into one.

    A message that came to two accounts (`same_message`) becomes one row, the more pressing one, which names the other
    accounts; it stays separate if its thread has an additional warning in the other account. Message counts cover all
    accounts; thread counts are counts of rows.
    """
    if len(inboxes) == 1:
        return inboxes[0]
    items = sorted(
        (item for inbox in inboxes for bucket in BUCKETS for item in inbox.buckets[bucket]),
        key=lambda item: (BUCKETS.index(item.bucket), rank(item)),
    )
    result = Inbox(
        account=", ".join(inbox.account for inbox in inboxes),
        total=sum(inbox.total for inbox in inboxes),
        unreadable=sum(inbox.unreadable for inbox in inboxes),
        handled=sum(inbox.handled for inbox in inboxes),
        problems=tuple(problem for inbox in inboxes for problem in inbox.problems),
        older=sum(inbox.older for inbox in inboxes),
        newest=max(inbox.newest for inbox in inboxes),
        judged=[one for inbox in inboxes for one in inbox.judged],
        cost=_together([inbox.cost for inbox in inboxes if inbox.cost is not None]),
    )
    for item in _each_once(items):
        result.buckets[item.bucket].append(item)
        result.threads += 1
        result.unsure += item.unsure
    return result


def _together(costs: Sequence[ModelCost]) -> ModelCost | None:
    """Add up the costs of asking language models; None if none was asked."""
    if not costs:
        return None
    calls: Counter[ModelPass] = Counter()
    for cost in costs:
        calls.update(cost.calls)
    return replace(
        costs[0],
        calls=calls,
        asked=sum(cost.asked for cost in costs),
        recalled=sum(cost.recalled for cost in costs),
        invalid=sum(cost.invalid for cost in costs),
        failed=sum(cost.failed for cost in costs),
        tokens_in=sum(cost.tokens_in for cost in costs),
        tokens_out=sum(cost.tokens_out for cost in costs),
        seconds=sum(cost.seconds for cost in costs),
        slowest_s=max(cost.slowest_s for cost in costs),
        waited_s=sum(cost.waited_s for cost in costs),
        sent=sum(cost.sent for cost in costs),
        said=" ".join(dict.fromkeys(cost.said for cost in costs if cost.said)),
    )


def _each_once(items: Sequence[InboxItem]) -> list[InboxItem]:
    kept: dict[str, int] = {}
    found: list[InboxItem] = []
    for item in items:
        header = same_message(item.summary)
        place = kept.get(header) if header else None
        if (
            place is None
            or found[place].summary["account"] == item.summary["account"]
            or set(item.warnings) - set(found[place].warnings)
        ):
            kept.setdefault(header, len(found))
            found.append(item)
            continue
        first = found[place]
        if item.summary["account"] not in first.also_in:
            found[place] = replace(first, also_in=(*first.also_in, item.summary["account"]))
    return found
