"""In-memory cache of messages, kept up to date by Gmail's history. Entry: `KnownSummaries`.

A message's headers never change, and its labels change only through events in `history.list`. Asking for the events
since the last refresh (2 units) therefore replaces reading every message again (5 units each).
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
"""Most summaries kept, about a kilobyte each; the least recently used goes first."""

MOST_BYTES = 16_000_000
"""Bytes of whole messages kept, so that reading, answering and saving an attachment fetch a message once."""


@dataclass(slots=True, kw_only=True)
class KnownSummaries:
    """Summaries by id, correct as of `history`; applying an event twice does no harm."""

    history: str = ""
    _summaries: dict[str, Summary] = field(default_factory=dict[str, "Summary"])
    _written: dict[str, OriginalHeaders] = field(default_factory=dict[str, "OriginalHeaders"])
    _seen: dict[str, float] = field(default_factory=dict[str, float])
    """Time at which each message's labels were last read from Gmail."""
    _looked: float = float("-inf")
    """Time at which the labels of all messages were last refreshed."""
    _raw: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _raw_bytes: int = 0

    def __len__(self) -> int:
        """Return the number of summaries."""
        return len(self._summaries)

    def has_any(self, ids: Iterable[str]) -> bool:
        """Return True if any of these messages is cached."""
        return any(message_id in self._summaries for message_id in ids)

    def fresh(self, ids: Sequence[str], since: float) -> bool:
        """Return True if the cached labels of these messages were up to date at `since` or later."""
        if self._looked >= since:
            return True
        seen = self._seen
        if not ids:
            return False
        return all(seen.get(item, since - 1) >= since for item in ids if item in self._summaries)

    def mark_refreshed(self, at: float) -> None:
        """Record that the history was followed up to `at`."""
        self._looked = at
        self._seen.clear()

    def distrust(self) -> None:
        """Require a refresh before labels are used again: something was changed."""
        self.mark_refreshed(float("-inf"))

    def get(self, message_id: str) -> Summary | None:
        """Return a copy of the summary and mark it as most recently used."""
        summary = self._summaries.pop(message_id, None)
        if summary is None:
            return None
        self._summaries[message_id] = summary
        return summary.copy()

    def raw(self, message_id: str) -> bytes | None:
        """Return the whole message and mark it as most recently used; None if it or its summary is not cached."""
        raw = self._raw.pop(message_id, None)
        if raw is None:
            return None
        self._raw[message_id] = raw
        return raw if message_id in self._summaries else None

    def put_raw(self, message_id: str, raw: bytes) -> None:
        """Cache a whole message, dropping others if needed; one that is too large is not cached."""
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
        """Return the labels of a message; None if it is not cached."""
        summary = self._summaries.get(message_id)
        return frozenset(summary["labels"]) if summary is not None else None

    def headers(self, message_id: str) -> OriginalHeaders | None:
        """Return the original headers of a message; None if it is not cached."""
        return self._written.get(message_id)

    def put(self, summary: Summary, written: OriginalHeaders, at: float) -> None:
        """Cache a summary that was read at `at`."""
        self._written[summary["id"]] = written
        self._summaries.pop(summary["id"], None)
        self._summaries[summary["id"]] = summary.copy()
        self._seen[summary["id"]] = at
        while len(self._summaries) > MOST:
            self.forget([next(iter(self._summaries))])

    def relabel(self, message_id: str, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> None:
        """Change the labels of a message, if it is cached."""
        summary = self._summaries.get(message_id)
        if summary is not None:
            labels = {*summary["labels"]}.difference(remove).union(add)
            self._summaries[message_id] = with_labels(summary, labels)

    def forget(self, ids: Iterable[str]) -> None:
        """Remove messages from the cache."""
        for message_id in ids:
            self._summaries.pop(message_id, None)
            self._seen.pop(message_id, None)
            self._written.pop(message_id, None)
            self._drop_raw(message_id)

    def clear(self, history: str) -> None:
        """Empty the cache and start over at `history`."""
        self.forget(list(self._summaries))
        self.distrust()
        self.history = history

    def apply(self, records: Sequence[Resource]) -> None:
        """Apply history records, in order."""
        for record in records:
            for item in record.get("labelsAdded", ()):
                self.relabel(item["message"]["id"], add=item.get("labelIds", ()))
            for item in record.get("labelsRemoved", ()):
                self.relabel(item["message"]["id"], remove=item.get("labelIds", ()))
            self.forget(item["message"]["id"] for item in record.get("messagesDeleted", ()))
