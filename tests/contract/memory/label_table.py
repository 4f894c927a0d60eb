"""The labels of a `MemoryMailbox`: which there are, what they are called, how they are shown. Entry: `LabelTable`."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.label_names import require_known
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

CATEGORIES = (
    "CATEGORY_PERSONAL",
    "CATEGORY_SOCIAL",
    "CATEGORY_PROMOTIONS",
    "CATEGORY_UPDATES",
    "CATEGORY_FORUMS",
)
"""The inbox tabs, system labels too (https://developers.google.com/workspace/gmail/api/guides/labels)."""

MAX_NAME = 225
_RESERVED = frozenset({*SYSTEM_LABELS, *CATEGORIES, "DRAFTS", "CHAT", "CHATS", "SNOOZED", "MUTED", "ARCHIVE"})
_VISIBILITY = {
    "messageListVisibility": ("show", "hide"),
    "labelListVisibility": ("labelShow", "labelShowIfUnread", "labelHide"),
}
_FIXED = frozenset({"SENT", "DRAFT"})
"""Labels that say how a message came to be; they can be neither given nor taken."""


class LabelTable:
    """Labels by id. The id of a user's label stays when it is renamed."""

    def __init__(self) -> None:
        self._system: dict[str, Label] = {
            name: Label(id=name, name=name, type="system") for name in (*SYSTEM_LABELS, *CATEGORIES)
        }
        self._own: dict[str, Label] = {}
        self._made = 0

    def all(self) -> list[Label]:
        """System labels in their order, then the user's by name."""
        own = sorted(self._own.values(), key=lambda label: (label["name"].casefold(), label["id"]))
        return [label.copy() for label in (*self._system.values(), *own)]

    def names(self) -> dict[str, str]:
        """Names of the user's labels, by id."""
        return {id_: label["name"] for id_, label in self._own.items()}

    def create(self, name: str, visibility: dict[str, str]) -> Label:
        """Create a label; `BadArgument` when the name exists or is reserved."""
        self._check_name(name, renamed="")
        label = Label(id=f"Label_{self._made + 1}", name=name, type="user")
        _show(label, visibility)
        self._made += 1
        self._own[label["id"]] = label
        return label.copy()

    def update(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Rename, show or hide a label."""
        label = self._find(label_id).copy()
        if name is not None:
            self._check_name(name, renamed=label_id)
            label["name"] = name
        _show(label, visibility)
        self._own[label_id] = label
        return label.copy()

    def delete(self, label_id: str) -> Label:
        """Remove a label; the caller takes it off the messages."""
        self._find(label_id)
        return self._own.pop(label_id)

    def ids_for(self, names: Iterable[str]) -> list[str]:
        """Label ids for what a message comes with: ids as they are, names found or made."""
        return [self._id_for(name) for name in names]

    def known(self, label_ids: Iterable[str]) -> list[str]:
        """Those of the ids that there are."""
        return [label_id for label_id in label_ids if label_id in self._system or label_id in self._own]

    def check_known(self, argument: str, *, added: Iterable[str], removed: Iterable[str] = ()) -> None:
        """Refuse what is no label.

        Raises:
            BadArgument: One of them is unknown.
        """
        require_known((*self._system, *self._own), added=added, removed=removed, argument=argument)

    def check_movable(self, label_ids: Iterable[str], argument: str) -> None:
        """Refuse the labels that can be neither given nor taken.

        Raises:
            BadArgument: One of them is `SENT` or `DRAFT`.
        """
        for label_id in label_ids:
            if label_id in _FIXED:
                raise BadArgument(f"{label_id} can be neither added nor removed.", argument=argument)

    def _id_for(self, name: str) -> str:
        if name in self._system or name in self._own:
            return name
        for label_id, label in self._own.items():
            if label["name"].casefold() == name.casefold():
                return label_id
        return self.create(name, {})["id"]

    def _find(self, label_id: str) -> Label:
        if label_id in self._system:
            raise BadArgument(f"{label_id} belongs to the system and stays as it is.", argument="id")
        if label_id not in self._own:
            raise NotFound(f"There is no label {label_id[:80]!r}.", argument="id")
        return self._own[label_id]

    def _check_name(self, name: str, *, renamed: str) -> None:
        controls = any(unicodedata.category(char) in ("Cc", "Cs") for char in name)
        if not name.strip() or len(name) > MAX_NAME or controls or name != name.strip():
            raise BadArgument(
                f"A label needs a name of 1 to {MAX_NAME} characters, without control characters and "
                "without blanks around it.",
                argument="name",
            )
        if name.upper() in _RESERVED:
            raise BadArgument(f"{name!r} is reserved for the system.", argument="name")
        for label_id, label in self._own.items():
            if label_id != renamed and label["name"].casefold() == name.casefold():
                raise BadArgument(f"There is a label {label['name']!r} already.", argument="name")


def _show(label: Label, visibility: dict[str, str]) -> None:
    for key, value in visibility.items():
        if value not in _VISIBILITY.get(key, ()):
            known = ", ".join(_VISIBILITY.get(key, ())) or "no such setting"
            raise BadArgument(f"{key}: {value!r} is not possible ({known}).", argument=key)
    if "messageListVisibility" in visibility:
        label["messageListVisibility"] = visibility["messageListVisibility"]
    if "labelListVisibility" in visibility:
        label["labelListVisibility"] = visibility["labelListVisibility"]
