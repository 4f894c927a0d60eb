"""The labels of one message, and what moving between Inbox, Spam and Trash does to them. Entry: `LabelState`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

EXCLUSIVE_LABELS = ("INBOX", "SPAM", "TRASH")
"""A message is in one of them at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelState:
    """Label ids, and of Spam and Trash where the message was before it was moved there."""

    labels: frozenset[str]
    came_from: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))

    def changed(self, add: Iterable[str] = (), remove: Iterable[str] = ()) -> LabelState:
        """With labels taken off, then put on; one in both stays on.

        An exclusive label takes the message out of the others; taken off again, it goes back there.
        """
        added = tuple(add)
        labels, came_from = set(self.labels), dict(self.came_from)
        for label in remove:
            if label in labels and label not in added:
                labels.remove(label)
                labels |= came_from.pop(label, frozenset())
        for label in added:
            if label in EXCLUSIVE_LABELS and label not in labels:
                before = labels.intersection(EXCLUSIVE_LABELS)
                labels -= before
                if label != "INBOX":
                    came_from[label] = frozenset(before)
            labels.add(label)
        origins = {
            exclusive: origin
            for exclusive, origin in came_from.items()
            if _is_open(exclusive, labels, came_from)
        }
        return LabelState(labels=frozenset(labels), came_from=MappingProxyType(origins))


def _is_open(exclusive: str, labels: set[str], came_from: Mapping[str, frozenset[str]]) -> bool:
    """Whether a message can still go back from `exclusive`: it is there, or will be when it leaves Trash."""
    return exclusive in labels or ("TRASH" in labels and exclusive in came_from.get("TRASH", ()))
