"""The facts about a message that a policy can match. Entry point: `facts_of`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.policy.model import MessageFacts
from gaia_email_registry.contract.wire import Summary
from gaia_mail.mime.model import Headers


def facts_of(
    summary: Summary,
    headers: Headers | None,
    *,
    wanted: frozenset[str] = frozenset(),
    label_names: Mapping[str, str] | None = None,
) -> MessageFacts:
    """Return the facts of one message.

    Args:
        summary: The message as listed.
        headers: Its header fields; None if they were not read.
        wanted: Lower-case names of the fields that rules match (`Policy.header_names`).
        label_names: Label ID → name; a rule may use either.
    """
    names = label_names or {}
    labels = {label.casefold() for label in summary["labels"]}
    labels.update(names[label].casefold() for label in summary["labels"] if label in names)
    return MessageFacts(
        account=summary["account"],
        message_id=summary["id"],
        thread_id=summary["thread_id"],
        sender=summary["from"]["address"].lower(),
        sender_name=summary["from"]["name"],
        recipients=tuple(person["address"].lower() for person in (*summary["to"], *summary["cc"])),
        list_id="" if headers is None else list_id(headers.get("list-id", "")),
        subject=summary["subject"],
        labels=frozenset(labels),
        headers={} if headers is None else {name: headers[name] for name in wanted if name in headers},
    )


def list_id(value: str) -> str:
    """Return the identifier in a List-Id field, without description and brackets, lower case (RFC 2919)."""
    before, bracket, inside = value.rpartition("<")
    return (inside.partition(">")[0] if bracket else before or inside).strip().lower()
