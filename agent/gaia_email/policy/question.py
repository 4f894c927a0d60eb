"""What a person is shown before they agree to a call: made from its exact arguments. Entry point: `question`.

No word of it comes from a model. Who a reply would go to and what a message is about are facts that were read from
the mailbox (`CallFacts`), because the arguments do not say them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import cast

from gaia_email.policy.calls import ToolCall, messages_of, texts
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.contract.tools import RiskTier
from gaia_mail.asking import people as known_people
from gaia_mail.asking.people import AddressField, KnownPerson, same
from gaia_mail.html_shown import html_shown, says_the_same
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.model import MailboxAddress

FIELDS: tuple[tuple[AddressField, str], ...] = (
    ("to", "to"),
    ("cc", "cc"),
    ("bcc", "bcc"),
    ("guest", "attendees"),
)
"""The arguments that name people, and what these are."""

SHOWN_SUBJECTS = 5
"""Subjects named of the messages a call is about; the rest is counted."""

SHOWN_TEXT = 2_000
"""Characters shown of a text that would go out; what is left out is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFacts:
    """What the mailbox says about a call, beyond its arguments.

    Attributes:
        own: The user's addresses.
        known: Addresses the user has written to, or typed themselves; None where nobody looked that up.
        in_text: Addresses that occur in the text of the messages the call goes back to.
        recipients: For calls whose arguments name none (a reply, a stored draft): field and address.
        subject: Likewise.
        messages: Subjects of messages the call is about, as far as they were looked up.
        senders: Likewise, whom they are from.
    """

    own: frozenset[str] = frozenset()
    known: frozenset[str] | None = None
    in_text: frozenset[str] = frozenset()
    recipients: tuple[tuple[AddressField, str], ...] = ()
    subject: str = ""
    messages: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CallQuestion:
    """What is asked. Texts of mail in it are as their senders wrote them: an interface escapes them.

    Attributes:
        confirmation_id: What an answer refers to; empty where nothing is stored yet.
        dry_run: One sentence that says what would happen.
        sender: Whom it would be from, where that is named.
        subject: Of the mail that would go out; empty otherwise.
        text: What it would say, above a quote; empty otherwise.
        html_text: What its formatted version says and leads to, where that differs; empty otherwise.
        hidden: What the formatted version holds and no reader shows.
        files: The files that would be attached.
        messages: Subjects of the messages it is about, at most `SHOWN_SUBJECTS`.
        senders: Whom those are from, each once.
        why: Why it is asked at all.
        cohort: The policy's cohort of the message it is about, where there is one.
        expires_at: Epoch seconds after which an answer does nothing.
    """

    confirmation_id: str = ""
    account: str
    tool: str
    risk: RiskTier
    dry_run: str
    recipients: tuple[KnownPerson, ...] = ()
    sender: KnownPerson | None = None
    subject: str = ""
    text: str = ""
    html_text: str = ""
    hidden: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    senders: tuple[str, ...] = ()
    why: str = ""
    cohort: str = ""
    expires_at: float = 0.0


def question(call: ToolCall, facts: CallFacts) -> CallQuestion:
    """What to show for `call`; the gate adds what it keeps about it."""
    arguments = call.arguments
    people = recipients(call, facts)
    text, html = _text(arguments.get("body")), _text(arguments.get("htmlBody", arguments.get("html_body")))
    if arguments.get("mimeType") == "text/html" and not html:
        html = text  # then it is sent as HTML
    if call.server:
        text = json.dumps(arguments, ensure_ascii=False, indent=1)
    formatted = html_shown(html)
    return CallQuestion(
        account=call.account,
        tool=call.tool,
        risk=call.risk,
        dry_run=_dry_run(call, people),
        recipients=people,
        sender=_sender(call, facts),
        subject=_text(arguments.get("subject")) or facts.subject,
        text=_shown(text),
        html_text="" if says_the_same(formatted, text) else _shown(formatted.text),
        hidden=tuple(_shown(hidden) for hidden in formatted.hidden),
        files=tuple(texts(arguments.get("attachments"))),
        messages=facts.messages[:SHOWN_SUBJECTS],
        senders=tuple(dict.fromkeys(facts.senders))[:SHOWN_SUBJECTS],
    )


def _shown(text: str) -> str:
    left = len(text) - SHOWN_TEXT
    return text if left <= 0 else f"{text[:SHOWN_TEXT]}\n[{left:,} more characters]"


def recipients(call: ToolCall, facts: CallFacts) -> tuple[KnownPerson, ...]:
    """Everybody mail would go to, each once, in the order of the fields."""
    arguments = call.arguments
    named: list[tuple[AddressField, MailboxAddress]] = []
    for name, argument in FIELDS:
        for value in texts(arguments.get(argument)):
            named.extend((name, mailbox) for mailbox in parse_addresses(value))
    action = arguments.get("action")
    if isinstance(action, Mapping):
        forward = _text(action.get("forward"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        named.extend(("forward", mailbox) for mailbox in parse_addresses(forward))
    named.extend((name, MailboxAddress(name="", address=address)) for name, address in facts.recipients)
    found: dict[str, KnownPerson] = {}
    for person in _recipients(named, facts):
        before = found.get(same(person.address))
        # Of one address that stands there twice, the name that is a disguise is the one to be shown.
        if before is None or (person.disguise and not before.disguise):
            found[same(person.address)] = person if before is None else replace(person, field=before.field)
    return tuple(found.values())


def _sender(call: ToolCall, facts: CallFacts) -> KnownPerson | None:
    """Whom a mail would be from, where the call names another than the account."""
    named: list[tuple[AddressField, MailboxAddress]] = [
        ("from", mailbox) for mailbox in parse_addresses(_text(call.arguments.get("from")))
    ]
    found = _recipients(named, replace(facts, own=facts.own | frozenset(addresses_in(call.account))))
    return found[0] if found and found[0].standing != "own" else None


def _recipients(
    named: Sequence[tuple[AddressField, MailboxAddress]], facts: CallFacts
) -> tuple[KnownPerson, ...]:
    return known_people.recipients(named, own=facts.own, known=facts.known, in_text=facts.in_text)


OWN_TO_THE_ANSWER = frozenset({"confirmation_id", "why", "cohort", "expires_at"})
"""Fields of a question that say nothing about what would be done."""

_CHANGED: Mapping[str, str] = {
    "recipients": "whom it goes to",
    "sender": "whom it is from",
    "subject": "its subject",
    "text": "its text",
    "html_text": "its formatted version",
    "hidden": "its formatted version",
    "messages": "the messages it is about",
    "senders": "whom those messages are from",
}


def what_changed(shown: Mapping[str, object], now: CallQuestion) -> str:
    """Why a yes to `shown` is none to `now`, in one sentence; empty where nothing was changed.

    Args:
        shown: The question that was answered, as the ledger keeps it.
        now: The same question, made of what is there now.
    """
    before, after = _content(shown), _content(asdict(now))
    changed = [name for name in after if before.get(name) != after[name]]
    if not changed:
        return ""
    what = " and ".join(dict.fromkeys(_CHANGED.get(name, "what would be done") for name in changed))
    return f"It changed while you were asked, so nothing was done: {what}. Ask for it again to see it as it is now."


def _content(shown: Mapping[str, object]) -> dict[str, object]:
    """A question's content as JSON has it; of people only what goes over the wire, not how they were marked."""
    plain: dict[str, object] = json.loads(json.dumps(dict(shown), default=str))
    kept = {name: value for name, value in plain.items() if name not in OWN_TO_THE_ANSWER}
    people = kept.get("recipients")
    kept["recipients"] = [_on_the_wire(person) for person in cast("list[object]", people or [])]
    kept["sender"] = _on_the_wire(kept.get("sender"))
    # The sentence counts people by how they were marked.
    kept.pop("dry_run", None)
    return kept


def _on_the_wire(person: object) -> object:
    given = cast("dict[str, object]", person) if isinstance(person, dict) else {}
    return [given.get("field"), given.get("name"), given.get("address")]


def _dry_run(call: ToolCall, people: Sequence[KnownPerson]) -> str:
    arguments = call.arguments
    if call.tool in _SENTENCES:
        return _SENTENCES[call.tool](arguments, people)
    if call.server:
        return f"Would call {call.tool} of another MCP server with what is shown; nothing here can take that back."
    count = _count(arguments)
    about = f" on {_messages(count)}" if count else ""
    return f"Would call {call.tool}{about}."


def _sends(what: str) -> Callable[[Mapping[str, object], Sequence[KnownPerson]], str]:
    def sentence(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
        if arguments.get("draft") is True:
            return f"Would store {what} as a draft; nothing is sent."
        outside = sum(person.outside for person in people)
        marked = sum(person.only_in_text for person in people)
        notes = [f"{outside} outside your organisation"] if outside else []
        notes += [f"{marked} named only in a message's text"] if marked else []
        files = len(texts(arguments.get("attachments")))
        tail = f", {_plural(files, 'file')} attached" if files else ""
        tail += ", marked as automatic" if arguments.get("auto_submitted") is True else ""
        about = f" ({', '.join(notes)})" if notes else ""
        whom = _plural(len(people), "recipient")
        return f"Would send {what} to {whom}{about}{tail}; a sent mail cannot be taken back."

    return sentence


def _moves(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    place = "delete for good" if arguments.get("permanent") is True else "move to Trash"
    return f"Would {place}: {_messages(_count(arguments))}."


def _relabels(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    added = texts(arguments.get("addLabelIds")) or texts(arguments.get("labelIds"))
    removed = texts(arguments.get("removeLabelIds"))
    parts = [f"add {', '.join(added)}"] if added else []
    parts += [f"remove {', '.join(removed)}"] if removed else []
    parts += ["change each in its own way"] if arguments.get("perMessage") else []
    return f"Would {' and '.join(parts) or 'change nothing'} on {_messages(_count(arguments))}."


def _invites(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    outside = sum(person.outside for person in people)
    note = f" ({outside} outside your organisation)" if outside else ""
    guests = f" and invite {_plural(len(people), 'guest')} by mail{note}" if people else ""
    return f"Would put an event into your calendar{guests}."


def _answers(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    told = " and tell the organizer by mail" if arguments.get("notify") is not False else ""
    start = arguments.get("propose_start")
    other = f", asking for {_text(start)} instead" if start is not None else ""
    return f"Would answer the invitation with {_text(arguments.get('response'))}{other}{told}."


def _cancels(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    told = " and tell its guests by mail" if arguments.get("notify") is not False else ""
    return f"Would remove an event from your calendar{told}."


def _filters(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    target = f"; it forwards to {people[0].address}" if people else ""
    return f"Would create a filter for all new mail{target}."


_SENTENCES: Mapping[str, Callable[[Mapping[str, object], Sequence[KnownPerson]], str]] = {
    "send_email": _sends("an email"),
    "draft_email": lambda arguments, people: "Would store a draft; nothing is sent.",
    "reply_to_email": _sends("a reply"),
    "forward_email": _sends("a forward"),
    "send_draft": _sends("a stored draft"),
    "delete_email": _moves,
    "batch_delete_emails": _moves,
    "trash_email": _moves,
    "modify_email": _relabels,
    "batch_modify_emails": _relabels,
    "unsubscribe": lambda arguments, people: (
        "Would ask the sender's list server to take you off the list (one-click, RFC 8058); this cannot be undone."
    ),
    "delete_label": lambda arguments, people: (
        f"Would delete the label {_text(arguments.get('id'))} and take it off every message; this cannot be undone."
    ),
    "create_calendar_event": _invites,
    "respond_to_invitation": _answers,
    "delete_calendar_event": _cancels,
    "set_vacation": lambda arguments, people: (
        "Would switch the automatic answer to everybody who writes "
        + ("off." if arguments.get("enabled") is False else "on.")
    ),
    "create_filter": _filters,
    "create_filter_from_template": _filters,
    "delete_filter": lambda arguments, people: f"Would delete the filter {_text(arguments.get('filterId'))}.",
}
"""What a call would do, by tool; the rest is named with what it is about."""


def _count(arguments: Mapping[str, object]) -> int:
    return len(messages_of(arguments))


def _messages(count: int) -> str:
    return _plural(count, "message")


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
