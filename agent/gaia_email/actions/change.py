"""What an action does to a message's labels, and whether it still stands.

Entry points: `LabelIdChange`, `exclusive_labels_of`.

Everything the agent does to a message is a change of labels: archiving takes `INBOX` away, Trash is `TRASH`, read is
the absence of `UNREAD`. So one change says what to do, what would undo it, and what to look for after a crash.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gaia_email_registry.calls import texts
from gaia_email_registry.contract.wire import WriteResult

EXCLUSIVE_LABELS = frozenset(("INBOX", "SPAM", "TRASH"))
"""Labels of which a message has one at most; without any of them it is archived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelIdChange:
    """Label ids to add and to remove, each once and in order."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    @classmethod
    def of(cls, add: Collection[str] = (), remove: Collection[str] = ()) -> LabelIdChange:
        """The change in its one form: sorted; what is both added and removed is added."""
        return cls(add=tuple(sorted(set(add))), remove=tuple(sorted(set(remove) - set(add))))

    @classmethod
    def read(cls, kept: Mapping[str, object] | None) -> LabelIdChange:
        """From what `kept` wrote; an empty change where there is none."""
        found = kept or {}
        return cls.of(texts(found.get("add")), texts(found.get("remove")))

    @property
    def kept(self) -> dict[str, object]:
        """As JSON for the ledger."""
        return {"add": list(self.add), "remove": list(self.remove)}

    @property
    def is_empty(self) -> bool:
        """Whether it changes nothing on any message."""
        return not self.add and not self.remove

    @property
    def inverse(self) -> LabelIdChange:
        """What takes it back where all of it took effect."""
        return LabelIdChange(add=self.remove, remove=self.add)

    def effect_on(self, labels: Collection[str]) -> LabelIdChange:
        """What it changes on a message that has `labels`."""
        return LabelIdChange(
            add=tuple(label for label in self.add if label not in labels),
            remove=tuple(label for label in self.remove if label in labels),
        )

    def after(self, labels: Collection[str]) -> frozenset[str]:
        """The labels of a message that had `labels`."""
        return frozenset(labels) - set(self.remove) | set(self.add)

    def stands_in(self, labels: Collection[str]) -> bool:
        """Whether a message with `labels` is as this change leaves one."""
        return set(self.add) <= set(labels) and not set(self.remove) & set(labels)

    def others(self, labels: Collection[str]) -> frozenset[str]:
        """The labels that this change has no say about."""
        return frozenset(labels) - set(self.add) - set(self.remove)


def exclusive_labels_of(labels: Collection[str]) -> frozenset[str]:
    """Where a message is: in the inbox, in Spam, in Trash, or in none of them."""
    return EXCLUSIVE_LABELS.intersection(labels)


def reversals(answer: WriteResult) -> dict[str, LabelIdChange] | None:
    """What takes each message of a change of labels back, as the server says; None where it does not say."""
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
