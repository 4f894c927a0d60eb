"""What this process has seen of messages, kept right by Gmail's history. Entry: `KnownSummaries`.

A message's headers never change and its labels change only through events that `history.list` tells, so asking
for the events since the last look (2 units) stands for asking for every message again (5 units each).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaia_gmail_mcp.calls import Resource
from gaia_gmail_mcp.summaries import with_labels

if TYPE_CHECKING:
    from gaia_email_registry.contract.wire import Summary
    from gaia_mail_mcp.mailbox import OriginalHeaders

MOST = 5_000
"""Summaries kept, about a kilobyte each; the one unused longest goes first."""

MOST_BYTES = 16_000_000
"""Of whole messages, so that reading, answering and taking an attachment fetch one once."""


@dataclass(slots=True, kw_only=True)
class KnownSummaries:
    """Summaries by id, right as of `history`; applying events twice does no harm."""

    history: str = ""
    _summaries: dict[str, Summary] = field(default_factory=dict[str, "Summary"])
    _written: dict[str, OriginalHeaders] = field(default_factory=dict[str, "OriginalHeaders"])
    _seen: dict[str, float] = field(default_factory=dict[str, float])
    """When the labels of a message were last read from Gmail."""
    _looked: float = float("-inf")
    """When those of all messages were."""
    _raw: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _raw_bytes: int = 0

    def __len__(self) -> int:
        """How many summaries are kept."""
        return len(self._summaries)

    def has_any(self, ids: Iterable[str]) -> bool:
        """Whether one of them is kept."""
        return any(message_id in self._summaries for message_id in ids)

    def fresh(self, ids: Sequence[str], since: float) -> bool:
        """Whether the labels of those that are kept were right at `since` or later."""
        if self._looked >= since:
            return True
        seen = self._seen
        if not ids:
            return False
        return all(seen.get(item, since - 1) >= since for item in ids if item in self._summaries)

    def looked(self, at: float) -> None:
        """The history was followed up to `at`."""
        self._looked = at
        self._seen.clear()

    def distrust(self) -> None:
        """Something was changed: ask before the labels are told again."""
        self.looked(float("-inf"))

    def get(self, message_id: str) -> Summary | None:
        """A copy of the summary, which becomes the latest used."""
        summary = self._summaries.pop(message_id, None)
        if summary is None:
            return None
        self._summaries[message_id] = summary
        return summary.copy()

    def raw(self, message_id: str) -> bytes | None:
        """The whole message, which becomes the latest used; None when it or its summary is not kept."""
        raw = self._raw.pop(message_id, None)
        if raw is None:
            return None
        self._raw[message_id] = raw
        return raw if message_id in self._summaries else None

    def put_raw(self, message_id: str, raw: bytes) -> None:
        """Keep a whole message; others go for it, and one too large is not kept."""
        self._drop_raw(message_id)
        if len(raw) > MOST_BYTES // 4:
            return
        self._raw[message_id] = raw
        self._raw_bytes += len(raw)
        while self._raw_bytes > MOST_BYTES:
            self._drop_raw(next(iter(self._raw)))

    def _drop_raw(self, message_id: str) -> None:
        self._raw_bytes -= len(self._raw.pop(message_id, b""))

    def labels(self, message_id: str) -> frozenset[str] | None:
        """Its labels, None when it is not kept."""
        summary = self._summaries.get(message_id)
        return frozenset(summary["labels"]) if summary is not None else None

    def written(self, message_id: str) -> OriginalHeaders | None:
        """What its header says word by word; None when it is not kept."""
        return self._written.get(message_id)

    def put(self, summary: Summary, written: OriginalHeaders, at: float) -> None:
        """Keep what was read at `at`."""
        self._written[summary["id"]] = written
        self._summaries.pop(summary["id"], None)
        self._summaries[summary["id"]] = summary.copy()
        self._seen[summary["id"]] = at
        while len(self._summaries) > MOST:
            self.forget([next(iter(self._summaries))])

    def relabel(self, message_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Change the labels of a message, where it is kept."""
        summary = self._summaries.get(message_id)
        if summary is not None:
            labels = {*summary["labels"]}.difference(remove).union(add)
            self._summaries[message_id] = with_labels(summary, labels)

    def forget(self, ids: Iterable[str]) -> None:
        """These are gone."""
        for message_id in ids:
            self._summaries.pop(message_id, None)
            self._seen.pop(message_id, None)
            self._written.pop(message_id, None)
            self._drop_raw(message_id)

    def clear(self, history: str) -> None:
        """Start over at `history`."""
        self.forget(list(self._summaries))
        self.distrust()
        self.history = history

    def apply(self, records: Sequence[Resource]) -> None:
        """Follow history records, in their order."""
        for record in records:
            for item in record.get("labelsAdded", ()):
                self.relabel(item["message"]["id"], add=item.get("labelIds", ()))
            for item in record.get("labelsRemoved", ()):
                self.relabel(item["message"]["id"], remove=item.get("labelIds", ()))
            self.forget(item["message"]["id"] for item in record.get("messagesDeleted", ()))
