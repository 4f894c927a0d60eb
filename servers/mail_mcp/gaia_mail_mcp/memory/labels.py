"""The labels of a memory mailbox, and what moving between Inbox, Spam and Trash means. Entry: `LabelBook`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

CATEGORY_LABELS = (
    "CATEGORY_PERSONAL",
    "CATEGORY_SOCIAL",
    "CATEGORY_PROMOTIONS",
    "CATEGORY_UPDATES",
    "CATEGORY_FORUMS",
)
FIXED_LABELS = ("SENT", "DRAFT")
"""Labels that say what a message is; no one can put them on or take them off."""

_EXCLUSIVE = ("INBOX", "SPAM", "TRASH")
_MAX_NAME = 225
_VISIBILITY: dict[str, tuple[str, ...]] = {
    "messageListVisibility": ("show", "hide"),
    "labelListVisibility": ("labelShow", "labelShowIfUnread", "labelHide"),
}


class LabelBook:
    """Which labels exist. Names are unique whatever their case; ids of user labels never change."""

    def __init__(self) -> None:
        self._labels: dict[str, Label] = {
            label: {"id": label, "name": label, "type": "system"}
            for label in (*SYSTEM_LABELS, *CATEGORY_LABELS)
        }
        self._made = 0

    def __contains__(self, label_id: str) -> bool:
        """Whether a label has this id."""
        return label_id in self._labels

    def all(self) -> list[Label]:
        """Copies of all labels, system ones first."""
        return [label.copy() for label in self._labels.values()]

    def name(self, label_id: str) -> str:
        """What a label is called."""
        return self._labels[label_id]["name"]

    def ensure(self, label_id: str) -> None:
        """Make a user label whose id and name are `label_id`, unless it exists."""
        if label_id not in self._labels:
            self._labels[label_id] = {"id": label_id, "name": label_id, "type": "user"}

    def create(self, name: str, visibility: dict[str, str]) -> Label:
        """See `Mailbox.create_label`."""
        name = self._checked(name, "")
        while True:
            self._made += 1
            label_id = f"Label_{self._made}"
            if label_id not in self._labels:
                break
        label: Label = {"id": label_id, "name": name, "type": "user"}
        _show(label, visibility)
        self._labels[label_id] = label
        return label.copy()

    def update(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """See `Mailbox.update_label`."""
        changed = self.user(label_id).copy()
        if name is not None:
            changed["name"] = self._checked(name, label_id)
        _show(changed, visibility)
        self._labels[label_id] = changed
        return changed.copy()

    def delete(self, label_id: str) -> Label:
        """See `Mailbox.delete_label`; messages are the caller's part."""
        self.user(label_id)
        return self._labels.pop(label_id)

    def user(self, label_id: str) -> Label:
        """A label of the user's own; `NotFound`, or `BadArgument` for a system label."""
        label = self._labels.get(label_id)
        if label is None:
            raise NotFound(f"There is no label with ID {label_id[:80]!r}; list the labels.", argument="id")
        if label["type"] == "system":
            raise BadArgument(f"{label_id} is a system label and cannot be changed.", argument="id")
        return label

    def require(self, label_ids: Iterable[str], argument: str) -> None:
        """`BadArgument` when one of them does not exist or is fixed."""
        for label_id in label_ids:
            if label_id not in self._labels:
                sentence = f"There is no label with ID {label_id[:80]!r}; list the labels for their IDs."
                raise BadArgument(sentence, argument=argument)
            if label_id in FIXED_LABELS:
                raise BadArgument(f"{label_id} cannot be added or removed.", argument=argument)

    def _checked(self, name: str, own_id: str) -> str:
        name = " ".join(name.split())
        if not name or len(name) > _MAX_NAME:
            raise BadArgument(f"A label name has 1 to {_MAX_NAME} characters.", argument="name")
        for label in self._labels.values():
            if label["name"].casefold() == name.casefold() and label["id"] != own_id:
                what = "a system label" if label["type"] == "system" else f"the label with ID {label['id']}"
                raise BadArgument(f"The name {name!r} is already that of {what}.", argument="name")
        return name


def _show(label: Label, visibility: dict[str, str]) -> None:
    for key, value in visibility.items():
        if value not in _VISIBILITY.get(key, ()):
            allowed = " or ".join(_VISIBILITY.get(key, ())) or "not a setting of labels"
            raise BadArgument(f"{key} cannot be {value!r}: {allowed}.", argument=key)
        if key == "messageListVisibility":
            label["messageListVisibility"] = value
        else:
            label["labelListVisibility"] = value


class LabelState:
    """The labels of one message. Inbox, Spam and Trash exclude each other and remember where it came from."""

    __slots__ = ("_from", "labels")

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels: set[str] = set()
        self._from: dict[str, tuple[str, ...]] = {}
        self.apply(sorted(labels), ())

    def apply(self, add: Sequence[str], remove: Sequence[str]) -> None:
        """Take off, then put on; what is in both stays on."""
        for label in remove:
            if label not in add:
                self._take_off(label)
        for label in add:
            self._put_on(label)

    def _put_on(self, label: str) -> None:
        if label in self.labels:
            return
        if label in _EXCLUSIVE:
            before = tuple(place for place in _EXCLUSIVE if place in self.labels)
            self.labels.difference_update(before)
            if label != "INBOX":
                self._from[label] = before
        self.labels.add(label)

    def _take_off(self, label: str) -> None:
        if label not in self.labels:
            return
        self.labels.remove(label)
        self.labels.update(self._from.pop(label, ()))


def ordered(labels: Iterable[str]) -> list[str]:
    """System labels in their usual order, then the others by id."""
    present = set(labels)
    return [label for label in SYSTEM_LABELS if label in present] + sorted(present - set(SYSTEM_LABELS))
