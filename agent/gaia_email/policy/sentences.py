"""The first sentence of a question: the effect of the call. Entry: `sentence`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gaia_email.policy.facts import CallFacts
from gaia_email.policy.question_parts import QuestionParts
from gaia_email_registry.calls import ToolCall, messages_of
from gaia_mail.asking.arguments import shown_value
from gaia_mail.asking.people import KnownPerson


def sentence(call: ToolCall, facts: CallFacts, people: Sequence[KnownPerson], parts: QuestionParts) -> str:
    """Return one sentence about the call; the other parts of the question add the details."""
    arguments = call.arguments
    if call.server:
        return f"Would call {call.tool} of another MCP server with what is shown; nothing here can take that back."
    if len(parts.effects) == 1:
        return f"Would {parts.effects[0][0]}: {_messages(len(set(messages_of(arguments))))}."
    if parts.effects:
        return f"Would change {_messages(len(set(messages_of(arguments))))} in the ways that are shown."
    if call.tool in _SENDS:
        return _sends(_SENDS[call.tool], arguments, people, parts)
    if call.tool == "delete_label":
        name = facts.labels.get(str(arguments.get("id")), str(arguments.get("id")))
        return f"Would delete the label {shown_value(name)} and take it off every message; this cannot be undone."
    return _SENTENCES[call.tool](arguments, people)


_SENDS: Mapping[str, str] = {
    "send_email": "an email",
    "reply_to_email": "a reply",
    "forward_email": "a forward",
    "send_draft": "a stored draft",
}


def _sends(
    what: str, arguments: Mapping[str, object], people: Sequence[KnownPerson], parts: QuestionParts
) -> str:
    if arguments.get("draft") is True:
        return f"Would store {what} as a draft; nothing is sent."
    outside = sum(person.outside for person in people)
    marked = sum(person.only_in_text for person in people)
    notes = [f"{outside} outside your organisation"] if outside else []
    notes += [f"{marked} named only in a message's text"] if marked else []
    files = len(parts.files)
    tail = f", {_plural(files, 'file')} attached" if files else ""
    tail += ", marked as automatic" if arguments.get("auto_submitted") is True else ""
    about = f" ({', '.join(notes)})" if notes else ""
    whom = _plural(len(people), "recipient")
    return f"Would send {what} to {whom}{about}{tail}; a sent mail cannot be taken back."


def _invites(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    outside = sum(person.outside for person in people)
    note = f" ({outside} outside your organisation)" if outside else ""
    guests = f" and invite {_plural(len(people), 'guest')} by mail{note}" if people else ""
    return f"Would put an event into your calendar{guests}."


def _answers(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    told = " and tell the organizer by mail" if arguments.get("notify") is not False else ""
    start = arguments.get("propose_start")
    other = f", asking for {shown_value(start)} instead" if start is not None else ""
    return f"Would answer the invitation with {shown_value(arguments.get('response'))}{other}{told}."


def _cancels(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    told = " and tell its guests by mail" if arguments.get("notify") is not False else ""
    return f"Would remove an event from your calendar{told}."


def _filters(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    target = f"; it forwards to {shown_value(people[0].address)}" if people else ""
    return f"Would create a filter for all new mail{target}."


def _answers_everybody(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    switched = "off" if arguments.get("enabled") is False else "on"
    return f"Would switch the automatic answer to everybody who writes {switched}."


def _watches(arguments: Mapping[str, object], people: Sequence[KnownPerson]) -> str:
    if arguments.get("watch") is False:
        return "Would stop the provider from reporting changes of this mailbox."
    return "Would have the provider report changes of this mailbox."


def _plainly(text: str) -> Callable[[Mapping[str, object], Sequence[KnownPerson]], str]:
    return lambda arguments, people: text


_SENTENCES: Mapping[str, Callable[[Mapping[str, object], Sequence[KnownPerson]], str]] = {
    "draft_email": _plainly("Would store a draft; nothing is sent."),
    "update_draft": _plainly("Would change a draft, so that it reads like this; nothing is sent."),
    "delete_draft": _plainly("Would delete this draft."),
    "unsubscribe": _plainly(
        "Would ask the sender's list server to take you off the list (one-click, RFC 8058); this cannot be undone."
    ),
    "create_label": _plainly("Would create a label."),
    "get_or_create_label": _plainly("Would create a label, unless there is one of that name."),
    "update_label": _plainly("Would change a label."),
    "create_calendar_event": _invites,
    "respond_to_invitation": _answers,
    "delete_calendar_event": _cancels,
    "set_vacation": _answers_everybody,
    "create_filter": _filters,
    "create_filter_from_template": _filters,
    "delete_filter": _plainly("Would delete this filter."),
    "download_attachment": _plainly("Would save an attachment as a file on this machine."),
    "watch_mailbox": _watches,
}
"""Sentences for tools that neither send mail nor change messages."""


def _messages(count: int) -> str:
    return _plural(count, "message")


def _plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
