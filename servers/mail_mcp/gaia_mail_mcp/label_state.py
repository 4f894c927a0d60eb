"""The labels of one message, and the effect of moving it between Inbox, Spam and Trash. Entry: `LabelState`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

EXCLUSIVE_LABELS = ("INBOX", "SPAM", "TRASH")
"""Locations: a message is in at most one of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelState:
    """Label ids of a message, and where it was before it moved to Spam or Trash."""

    labels: frozenset[str]
    came_from: Mapping[str, frozenset[str]] = field(default_factory=lambda: MappingProxyType({}))

    def relabel(self, add: Iterable[str] = (), remove: Iterable[str] = ()) -> LabelState:
        """Return the state after removing and then adding labels; a label in both stays.

        Adding an exclusive label removes the message from the other locations; removing it moves the message back.
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
    """Return True if a message can still return from `exclusive`: it is there, or will be after leaving Trash."""
    return exclusive in labels or ("TRASH" in labels and exclusive in came_from.get("TRASH", ()))
