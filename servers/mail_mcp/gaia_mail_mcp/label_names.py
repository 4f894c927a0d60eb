"""What a label of the user's may be called, which there are, and how they are told.

Entries: `check_label_name`, `require_known`, `label_list`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument
from gaia_mail.files import labels
from gaia_mail_mcp.mailbox import SYSTEM_LABELS

MAX_LABEL_CHARACTERS = 225

_HIDDEN = re.compile(r"[\x00-\x1f\x7f\\]")


def check_label_name(name: str, taken: Iterable[str]) -> None:
    """Whether a new label may have that name, beside those that are taken.

    Raises:
        BadArgument: It is empty, too long, reserved, holds control characters, or is taken in whatever case.
    """
    if not name.strip() or len(name) > MAX_LABEL_CHARACTERS or _HIDDEN.search(name):
        raise BadArgument(
            f"A label needs a name of 1 to {MAX_LABEL_CHARACTERS} characters without control characters.",
            argument="name",
        )
    if name != name.strip() or "" in name.split("/"):
        raise BadArgument(f"{name[:80]!r} cannot be the name of a folder.", argument="name")
    if labels.special_label(name) is not None or name.upper() in SYSTEM_LABELS:
        raise BadArgument(f"{name[:80]!r} is reserved for the system.", argument="name")
    if any(other.casefold() == name.casefold() for other in taken):
        raise BadArgument(f"There is a label {name[:80]!r} already.", argument="name")


def user_label(name: str, visibility: dict[str, str]) -> Label:
    """A label of the user's, whose id is its name."""
    label = Label(id=name, name=name, type="user")
    if "messageListVisibility" in visibility:
        label["messageListVisibility"] = visibility["messageListVisibility"]
    if "labelListVisibility" in visibility:
        label["labelListVisibility"] = visibility["labelListVisibility"]
    return label


def label_list(own: Iterable[str], shown: Mapping[str, dict[str, str]] | None = None) -> list[Label]:
    """Every label, system ones first, then the user's by name; `shown` says how these are shown."""
    shown = shown or {}
    return [
        *(Label(id=name, name=name, type="system") for name in SYSTEM_LABELS),
        *(user_label(name, shown.get(name, {})) for name in sorted(set(own).difference(SYSTEM_LABELS))),
    ]


def flags_of(labels: Iterable[str]) -> list[str]:
    r"""IMAP system flags, as the labels say; `\Seen` is the absence of `UNREAD`."""
    held = set(labels)
    pairs = (
        ("\\Seen", "UNREAD" not in held),
        ("\\Flagged", "STARRED" in held),
        ("\\Draft", "DRAFT" in held),
    )
    return [flag for flag, is_set in pairs if is_set]


def visibility_of(label: Label) -> dict[str, str]:
    """How a label is shown, as `user_label` takes it."""
    items = (
        ("messageListVisibility", label.get("messageListVisibility")),
        ("labelListVisibility", label.get("labelListVisibility")),
    )
    return {key: value for key, value in items if value is not None}


def require_known(
    known: Iterable[str], *, added: Iterable[str], removed: Iterable[str], argument: str = "labels"
) -> None:
    """Refuse a change by labels that there are not, and say what may have been meant.

    Raises:
        BadArgument: One of them is unknown.
    """
    there = set(known)
    for label in sorted(set(added) - there):
        raise BadArgument(
            f"There is no label {label[:80]!r}{_meant(label, there)}; create_label makes a new one.",
            argument=argument,
        )
    for label in sorted(set(removed) - there):
        raise BadArgument(
            f"There is no label {label[:80]!r} that could be taken off{_meant(label, there)}; list_email_labels names "
            "those there are.",
            argument=argument,
        )


def _meant(label: str, there: Iterable[str]) -> str:
    folded = {other.casefold(): other for other in there}
    near = get_close_matches(label[:80].casefold(), folded, n=1, cutoff=0.7)
    return f" (did you mean {folded[near[0]][:80]!r}?)" if near else ""
