"""Label changes of an action, and the check that they are still in effect.

Entry points: `LabelIdChange`, `exclusive_labels_of`.

Everything the agent does to a message is a change of labels: archiving removes `INBOX`, Trash is `TRASH`, and read is
the absence of `UNREAD`. So a change defines the action, its undo, and the state to check after a crash.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gaia_email_registry.calls import texts
from gaia_email_registry.contract.wire import WriteResult

EXCLUSIVE_LABELS = frozenset(("INBOX", "SPAM", "TRASH"))
"""Labels of which a message has at most one; without any of them, it is archived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelIdChange:
    """Label IDs to add and to remove, sorted and without duplicates."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    @classmethod
    def of(cls, add: Collection[str] = (), remove: Collection[str] = ()) -> LabelIdChange:
        """Return the normalized change: sorted; a label that is both added and removed is added."""
        return cls(add=tuple(sorted(set(add))), remove=tuple(sorted(set(remove) - set(add))))

    @classmethod
    def read(cls, kept: Mapping[str, object] | None) -> LabelIdChange:
        """Read a change that `kept` wrote; empty for None."""
        found = kept or {}
        return cls.of(texts(found.get("add")), texts(found.get("remove")))

    @property
    def kept(self) -> dict[str, object]:
        """The change as JSON for the ledger."""
        return {"add": list(self.add), "remove": list(self.remove)}

    @property
    def is_empty(self) -> bool:
        """True if it changes no message."""
        return not self.add and not self.remove

    @property
    def inverse(self) -> LabelIdChange:
        """The reverse of the change, valid if all of it took effect."""
        return LabelIdChange(add=self.remove, remove=self.add)

    def effect_on(self, labels: Collection[str]) -> LabelIdChange:
        """Return the part of the change that has an effect on a message with `labels`."""
        return LabelIdChange(
            add=tuple(label for label in self.add if label not in labels),
            remove=tuple(label for label in self.remove if label in labels),
        )

    def after(self, labels: Collection[str]) -> frozenset[str]:
        """Return the labels after applying the change to `labels`."""
        return frozenset(labels) - set(self.remove) | set(self.add)

    def stands_in(self, labels: Collection[str]) -> bool:
        """Return True if a message with `labels` is in the state this change leaves."""
        return set(self.add) <= set(labels) and not set(self.remove) & set(labels)

    def others(self, labels: Collection[str]) -> frozenset[str]:
        """Return the labels that the change does not concern."""
        return frozenset(labels) - set(self.add) - set(self.remove)


def exclusive_labels_of(labels: Collection[str]) -> frozenset[str]:
    """Return the message's place: inbox, Spam, Trash, or none of them."""
    return EXCLUSIVE_LABELS.intersection(labels)


def reversals(answer: WriteResult) -> dict[str, LabelIdChange] | None:
    """Return the undo for each message of a label change, as reported by the server; None if it reports none."""
    undo = answer.get("undo")
    if undo is None:
        return None
    arguments = undo["arguments"]
    shared = LabelIdChange.of(texts(arguments.get("addLabelIds")), texts(arguments.get("removeLabelIds")))
    found = dict.fromkeys(texts(arguments.get("messageIds")), shared)
    own = arguments.get("perMessage")
    if isinstance(own, dict):
        for id_, change in own.items():  # pyright: ignore[reportUnknownVariableType]
            if isinstance(id_, str) and isinstance(change, dict):
                back = LabelIdChange.read(change)  # pyright: ignore[reportUnknownArgumentType]
                found[id_] = LabelIdChange.of((*shared.add, *back.add), (*shared.remove, *back.remove))
    return found
