"""Describes changes to messages for every question about them. Entries: `message_effects`, `effect_groups`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.arguments import is_object, shown_value
from gaia_mail.printable import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelEffect:
    """The change to one message: label IDs, and the time until which it is snoozed."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    snooze_until: str = ""


_ADDED = {
    "INBOX": "move to the inbox",
    "SPAM": "move to Spam",
    "TRASH": "move to Trash",
    "STARRED": "star",
    "UNREAD": "mark as unread",
}
_REMOVED = {
    "INBOX": "take out of the inbox",
    "SPAM": "take out of Spam",
    "TRASH": "take out of Trash",
    "STARRED": "take the star away",
    "UNREAD": "mark as read",
}
_PLAIN = {
    "archive_email": "archive",
    "trash_email": "move to Trash",
    "untrash_email": "take out of Trash",
}


def tool_effect(tool: str, arguments: Mapping[str, object]) -> str:
    """Return the effect of a tool that does the same to all its messages; empty for any other tool."""
    match tool:
        case "delete_email" | "batch_delete_emails":
            return "delete for good, without Trash" if arguments.get("permanent") is True else "move to Trash"
        case "mark_read":
            return "mark as unread" if arguments.get("read") is False else "mark as read"
        case "star_email":
            return "take the star away" if arguments.get("starred") is False else "star"
        case "report_spam":
            return (
                "report as phishing and move to Spam" if arguments.get("phishing") is True else "move to Spam"
            )
        case "snooze_email":
            return f"take out of the inbox until {shown_value(arguments.get('until'))}"
        case _:
            return _PLAIN.get(tool, "")


def label_effects(change: LabelEffect, names: Mapping[str, str]) -> list[str]:
    """Describe each effect of a label change; `names` maps label IDs to names."""
    found = [_ADDED.get(id_) or f"add {_name(id_, names)}" for id_ in change.add]
    found += [_REMOVED.get(id_) or f"remove {_name(id_, names)}" for id_ in change.remove]
    found += [f"take out of the inbox until {one_line(change.snooze_until)}"] if change.snooze_until else []
    return list(dict.fromkeys(found))


def _name(id_: str, names: Mapping[str, str]) -> str:
    """Return a label's name, quoted if it could pass for more than one effect."""
    name = one_line(names.get(id_, id_))
    return f'"{name}"' if " and " in name else name


def effect_groups(
    changes: Iterable[tuple[LabelEffect, Sequence[str]]], names: Mapping[str, str]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return each effect with the messages it applies to; effects on the same messages are combined."""
    happens: dict[str, list[str]] = {}
    for change, concerned in changes:
        for effect in label_effects(change, names) or ["change nothing"]:
            happens.setdefault(effect, []).extend(concerned)
    together: dict[tuple[str, ...], list[str]] = {}
    for effect, concerned in happens.items():
        together.setdefault(tuple(dict.fromkeys(concerned)), []).append(effect)
    return [(" and ".join(effects), concerned) for concerned, effects in together.items()]


def message_effects(
    tool: str, arguments: Mapping[str, object], ids: Sequence[str], names: Mapping[str, str]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the effects of a call with the messages they apply to; empty for a tool that changes none.

    Raises:
        BadArgument: Two arguments contradict each other, or one concerns a message that the call does not name.
    """
    if effect := tool_effect(tool, arguments):
        return [(effect, tuple(dict.fromkeys(ids)))]
    if tool not in ("modify_email", "batch_modify_emails"):
        return []
    add, also = _texts(arguments.get("addLabelIds")), _texts(arguments.get("labelIds"))
    if "addLabelIds" in arguments and "labelIds" in arguments and add != also:
        raise BadArgument(
            "labelIds and addLabelIds do not name the same labels; give one of them.", argument="labelIds"
        )
    shared = LabelEffect(add=add or also, remove=_texts(arguments.get("removeLabelIds")))
    own = arguments.get("perMessage")
    each: Mapping[str, object] = own if is_object(own) else {}
    if others := [id_ for id_ in each if id_ not in ids]:
        raise BadArgument(
            f"perMessage changes {one_line(others[0])[:80]}, which messageIds does not name.",
            argument="perMessage",
        )
    return effect_groups(((_with(shared, each.get(id_)), (id_,)) for id_ in dict.fromkeys(ids)), names)


def _with(shared: LabelEffect, own: object) -> LabelEffect:
    if not is_object(own):
        return shared
    until = own.get("snooze_until")
    return LabelEffect(
        add=(*shared.add, *_texts(own.get("add"))),
        remove=(*shared.remove, *_texts(own.get("remove"))),
        snooze_until=until if isinstance(until, str) else "",
    )


def _texts(value: object) -> tuple[str, ...]:
    found = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(item for item in found if isinstance(item, str))
