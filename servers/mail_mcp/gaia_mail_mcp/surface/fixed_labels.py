"""Labels that only the mailbox itself sets. Entry: `check_labels`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from gaia_email_registry.errors import BadArgument
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

if TYPE_CHECKING:
    from gaia_email_registry.contract.inputs import ToolInput

FIXED_LABELS = frozenset({"SENT", "DRAFT", "CHAT"})
"""Labels that a mailbox sets itself: on sent mail, drafts and chats."""

_AWAY = frozenset({"TRASH", "SPAM"})
_PLACES = _AWAY | {"INBOX"}


def check_labels(given: ToolInput) -> None:
    """Refuse a call that changes a fixed label, has a filter do so, or gives a label such a name.

    `check_way_back` decides about one kind of call: moving a message back to where it was.

    Raises:
        BadArgument: The call does so; `argument` names the field.
    """
    from gaia_email_registry.contract import inputs

    match given:
        case inputs.ModifyEmail():
            added = [*(given.add_label_ids or ()), *(given.label_ids or ())]
            _check_change(added, given.remove_label_ids or (), "addLabelIds", "removeLabelIds")
        case inputs.BatchModifyEmails():
            shared, removed = given.add_label_ids or [], given.remove_label_ids or []
            _check_change(shared, removed, "addLabelIds", "removeLabelIds")
            for id_, own in (given.per_message or {}).items():
                where = f"perMessage.{id_[:80]}"
                _check_change((*shared, *own.add), (*removed, *own.remove), f"{where}.add", f"{where}.remove")
        case inputs.CreateFilter():
            _refuse(given.action.add_label_ids or (), "action.addLabelIds")
            _refuse(given.action.remove_label_ids or (), "action.removeLabelIds")
        case inputs.CreateFilterFromTemplate():
            _refuse(given.parameters.label_ids or (), "parameters.labelIds")
        case inputs.CreateLabel() | inputs.UpdateLabel():
            name = given.name or ""
            if name.strip().upper() in {*SYSTEM_LABELS, *FIXED_LABELS}:
                raise BadArgument(
                    f"{name[:80]!r} is the name of a label of the mail system. Choose another name.",
                    argument="name",
                )
        case _:
            pass


def check_way_back(label_ids: Iterable[str], labels: Collection[str], sender: str, account: str) -> None:
    """Refuse a fixed label on a message that never had it: from another sender, or not moved away before.

    Args:
        label_ids: Labels to add to the message.
        labels: Labels that it has.
        sender: The sender's address.
        account: The account; if it is an address, only mail from it counts as the account's own.

    Raises:
        BadArgument: A label is fixed, and the mailbox never set it on this message.
    """
    for label in fixed_in(label_ids):
        is_own = sender.casefold() == account.casefold()
        was_moved = not _AWAY.isdisjoint(labels) and "@" not in account
        if not (is_own and not _PLACES.isdisjoint(labels)) and not was_moved:
            raise refusal(label, "addLabelIds")


def fixed_in(label_ids: Iterable[str]) -> list[str]:
    """Return the fixed labels among these, in any case."""
    return [one for one in label_ids if one.strip().upper() in FIXED_LABELS]


def _check_change(added: Iterable[str], removed: Iterable[str], add_field: str, remove_field: str) -> None:
    removed = list(removed)
    if not _PLACES & set(removed):
        _refuse(added, add_field)
    _refuse(removed, remove_field)


def _refuse(label_ids: Iterable[str], argument: str) -> None:
    for label in fixed_in(label_ids):
        raise refusal(label, argument)


def refusal(label: str, argument: str) -> BadArgument:
    """Return the error for a fixed label."""
    return BadArgument(
        f"{label[:80]} cannot be put on a message or taken off: the mailbox gives it by itself. Nothing was changed. "
        "Use a label of your own, which list_email_labels lists or create_label makes.",
        argument=argument,
    )
