"""Labels of a Gmail account, both Gmail's own and the user's. Entry: `GmailLabelStore`."""

from __future__ import annotations

from collections.abc import Iterable

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import GmailCall, Resource, delete, get, patch, post
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.label_names import require_known
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

MAX_NAME = 225

SHOWN = {"messageListVisibility": "show", "labelListVisibility": "labelShow"}
"""Visibility of a new label, which Gmail requires."""


class GmailLabelStore:
    """Reads and changes labels; checks names before Gmail is called."""

    def __init__(self, account: GmailAccount) -> None:
        self._account = account

    async def all(self) -> list[Label]:
        """Return all labels: system labels in our order, then the user's by name."""
        found = await self._account.call(get("labels", units=Units.LIST_SETTINGS))
        labels = [label_of(item) for item in found.get("labels", ())]
        order = {name: number for number, name in enumerate(SYSTEM_LABELS)}
        return sorted(
            labels,
            key=lambda label: (
                label["type"] != "system",
                order.get(label["id"], len(order)),
                label["name"].casefold(),
                label["id"],
            ),
        )

    async def create(self, name: str, visibility: dict[str, str]) -> Label:
        """Create a label; raises `BadArgument` if the name exists or is reserved."""
        _check_name(name)
        body = {"name": name, **SHOWN, **visibility}
        return await self._label(post("labels", units=Units.MESSAGE, body=body, repeatable=False))

    async def update(self, label_id: str, name: str | None, visibility: dict[str, str]) -> Label:
        """Rename, show or hide a label."""
        if name is not None:
            _check_name(name)
        _check_own(label_id)
        body = {**({"name": name} if name is not None else {}), **visibility}
        if not body:
            return await self._label(get("labels", label_id, units=Units.LIST_SETTINGS))
        return await self._label(patch("labels", label_id, units=Units.MESSAGE, body=body))

    async def delete(self, label_id: str) -> Label:
        """Remove a label from all messages and return it as it was."""
        _check_own(label_id)
        label = await self._label(get("labels", label_id, units=Units.LIST_SETTINGS))
        await self._account.call(delete("labels", label_id, units=Units.MESSAGE))
        self._account.known.distrust()
        return label

    async def check(self, *, added: Iterable[str], removed: Iterable[str]) -> None:
        """Refuse labels that do not exist.

        Raises:
            BadArgument: A label does not exist.
        """
        if {*added, *removed} <= set(SYSTEM_LABELS):
            return
        known = (*SYSTEM_LABELS, *(label["id"] for label in await self.all()))
        require_known(known, added=added, removed=removed)

    async def _label(self, call: GmailCall) -> Label:
        try:
            return label_of(await self._account.call(call))
        except NotFound:
            raise NotFound("There is no such label.", argument="id") from None
        except BadArgument as error:
            raise BadArgument(error.message, argument="name") from None


def label_of(resource: Resource) -> Label:
    """Convert Gmail's label to ours."""
    label: Label = {
        "id": resource["id"],
        "name": str(resource.get("name") or resource["id"]),
        "type": "system" if resource.get("type") == "system" else "user",
    }
    if "messageListVisibility" in resource:
        label["messageListVisibility"] = resource["messageListVisibility"]
    if "labelListVisibility" in resource:
        label["labelListVisibility"] = resource["labelListVisibility"]
    return label


def _check_own(label_id: str) -> None:
    if not label_id.startswith("Label_") and label_id.upper() == label_id and label_id:
        raise BadArgument(f"{label_id[:80]} belongs to the system and stays as it is.", argument="id")


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise BadArgument(
            f"A label needs a name of 1 to {MAX_NAME} characters without control characters.", argument="name"
        )
