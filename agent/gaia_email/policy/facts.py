"""The mailbox state that a call is about, and the check that it is complete. Entry: `missing_facts`.

`gaia_email.actions.call_facts` reads the state; the gate refuses a call whose facts are missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gaia_email_registry.calls import ToolCall, messages_of
from gaia_mail.asking.people import AddressField

OPENS_EVENT = frozenset({"respond_to_invitation", "delete_calendar_event"})
CHANGES_LABEL = frozenset({"update_label", "delete_label"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFacts:
    """Facts from the mailbox about a call, beyond its arguments.

    Attributes:
        own: The user's addresses.
        known: Addresses that the user has written to or typed; None if they were not looked up.
        in_text: Addresses that occur in the text of the messages that led to the call.
        recipients: Field and address of recipients that the arguments of a reply do not name.
        subject: Subject that the arguments of a reply or forward do not name.
        messages: Subjects of the messages concerned, in the order of the call's IDs.
        senders: Sender addresses of those messages.
        absent: IDs in the call that are not in the mailbox.
        files: Names of attached files that the arguments do not name.
        stored: The draft concerned, as RFC 5322 bytes.
        thread: The named conversation, described by its first message.
        labels: Names of the mailbox's labels by ID.
        rule: Criteria and action of the filter concerned.
        vacation: The current automatic answer.
        event: Lines that describe the event concerned.
        links: URLs that unsubscribing from a mailing list requests.
        signature: Text that the call appends to a mail.
    """

    own: frozenset[str] = frozenset()
    known: frozenset[str] | None = None
    in_text: frozenset[str] = frozenset()
    recipients: tuple[tuple[AddressField, str], ...] = ()
    subject: str = ""
    messages: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    stored: bytes = b""
    thread: str = ""
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    rule: tuple[Mapping[str, object], Mapping[str, object]] | None = None
    vacation: Mapping[str, object] | None = None
    event: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    signature: str = ""


def missing_facts(call: ToolCall, facts: CallFacts) -> str:
    """Return why the user cannot be asked about a call because its facts are unknown; empty if all are known."""
    if call.risk == "read" or call.server:
        return ""
    arguments = call.arguments
    ids = set(messages_of(arguments))
    known = len(facts.messages) + len(ids.intersection(facts.absent))
    if ids and not facts.messages:
        return _refusal("message" if len(ids) == 1 else "messages")
    if len(ids) > known:
        return _refusal(f"{len(ids) - known:,} of the {len(ids):,} messages")
    if "draft_id" in arguments and not facts.stored:
        return _refusal("draft")
    if arguments.get("threadId") and not facts.thread:
        return _refusal("conversation")
    if call.tool in CHANGES_LABEL and str(arguments.get("id")) not in facts.labels:
        return _refusal("label")
    if call.tool == "delete_filter" and facts.rule is None:
        return _refusal("filter")
    if call.tool in OPENS_EVENT and "event_id" in arguments and not facts.event:
        return _refusal("event")
    if call.tool == "set_vacation" and arguments.get("enabled") is not False and facts.vacation is None:
        return _refusal("automatic answer that is set now")
    return ""


def _refusal(what: str) -> str:
    shown = what if what[0].isdigit() else f"the {what}"
    return f"{shown[0].upper()}{shown[1:]} of this call could not be found, so nothing was done. Look it up again."


def sends_mail(call: ToolCall) -> bool:
    """Return True if the call sends mail and therefore needs a recipient."""
    if call.tool in ("reply_to_email", "forward_email"):
        return call.arguments.get("draft") is not True
    return call.tool in ("send_email", "send_draft")
