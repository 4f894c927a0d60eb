"""Label names and label lists: validation, lookup and conversion.

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
    """Check that a new label may have this name, given the names already taken.

    Raises:
        BadArgument: The name is empty, too long, reserved, taken (in any case), or contains control characters.
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
    """Return a user label, whose id is its name."""
    label = Label(id=name, name=name, type="user")
    if "messageListVisibility" in visibility:
        label["messageListVisibility"] = visibility["messageListVisibility"]
    if "labelListVisibility" in visibility:
        label["labelListVisibility"] = visibility["labelListVisibility"]
    return label


def label_list(own: Iterable[str], shown: Mapping[str, dict[str, str]] | None = None) -> list[Label]:
    """Return the system labels, then the user's by name; `shown` contains the visibility of these."""
    shown = shown or {}
    return [
        *(Label(id=name, name=name, type="system") for name in SYSTEM_LABELS),
        *(user_label(name, shown.get(name, {})) for name in sorted(set(own).difference(SYSTEM_LABELS))),
    ]


def flags_of(labels: Iterable[str]) -> list[str]:
    r"""Return the IMAP system flags for the labels; `\Seen` is the absence of `UNREAD`."""
    held = set(labels)
    pairs = (
        ("\\Seen", "UNREAD" not in held),
        ("\\Flagged", "STARRED" in held),
        ("\\Draft", "DRAFT" in held),
    )
    return [flag for flag, is_set in pairs if is_set]


def visibility_of(label: Label) -> dict[str, str]:
    """Return the visibility of a label, in the form that `user_label` takes."""
    items = (
        ("messageListVisibility", label.get("messageListVisibility")),
        ("labelListVisibility", label.get("labelListVisibility")),
    )
    return {key: value for key, value in items if value is not None}


def require_known(
    known: Iterable[str], *, added: Iterable[str], removed: Iterable[str], argument: str = "labels"
) -> None:
    """Refuse unknown labels, and suggest a similar one.

    Raises:
        BadArgument: A label is unknown.
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
