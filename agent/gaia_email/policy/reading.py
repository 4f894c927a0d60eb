"""What a policy may look at in a message of a mailbox. Entry point: `facts_of`."""

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
    """The facts of one message.

    Args:
        summary: How it is listed.
        headers: Its header fields; None where nobody read them.
        wanted: Names of the fields that rules ask for, lower case (`Policy.header_names`).
        label_names: Label id → name; a rule may say either.
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
    """The identifier of a List-Id field, without its description and brackets, lower case (RFC 2919)."""
    before, bracket, inside = value.rpartition("<")
    return (inside.partition(">")[0] if bracket else before or inside).strip().lower()
