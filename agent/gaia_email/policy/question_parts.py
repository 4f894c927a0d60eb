"""The parts of a question, from a call's arguments and the facts of the mailbox. Entry: `parts_of`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from gaia_email.policy.facts import CallFacts
from gaia_email_registry.calls import ToolCall, messages_of, texts
from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.arguments import (
    RENDERERS,
    argument_lines,
    digest_of,
    is_object,
    require_renderers,
    shown_value,
)
from gaia_mail.asking.changes import message_effects
from gaia_mail.asking.people import AddressField
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.printable import safe_json

SHOWN_MESSAGES = 100
"""Maximum number of messages named in a question; the rest is counted, with a digest of all IDs."""

SHOWN_TEXT = 20_000
"""Maximum characters of a text that are shown; the rest is counted, with a digest of the whole text."""

NamedMailbox: TypeAlias = "tuple[AddressField, MailboxAddress]"

_PEOPLE: tuple[tuple[str, AddressField], ...] = (
    ("to", "to"),
    ("cc", "cc"),
    ("bcc", "bcc"),
    ("attendees", "guest"),
)


@dataclass(slots=True, kw_only=True)
class QuestionParts:
    """The parts of a question before people are marked and texts are cut.

    Attributes:
        people: Field and mailbox of every recipient, as often as named.
        senders: Mailboxes it would be from, if it names any.
        subject: Subject of the mail, if any.
        text: Its plain text.
        html: Its formatted version, as it would be sent.
        html_text: Text of a stored formatted version if it differs from `text`.
        hidden: Hidden content of a stored formatted version.
        files: Attached files.
        details: Every other line.
        effects: Each effect with the messages it applies to.
        content: Digest of the stored mail.
        is_whole: True if the text must not be cut.
    """

    people: list[NamedMailbox] = field(default_factory=list["NamedMailbox"])
    senders: Sequence[MailboxAddress] = ()
    subject: str = ""
    text: str = ""
    html: str = ""
    html_text: str = ""
    hidden: Sequence[str] = ()
    files: list[str] = field(default_factory=list[str])
    details: list[str] = field(default_factory=list[str])
    effects: Sequence[tuple[str, Sequence[str]]] = ()
    content: str = ""
    is_whole: bool = False


def cut_block(text: str) -> str:
    """Return the text, cut after `SHOWN_TEXT` characters with a count of the rest and a digest of the whole."""
    left = len(text) - SHOWN_TEXT
    if left <= 0:
        return text
    return f"{text[:SHOWN_TEXT]}\n[{left:,} more characters, SHA-256 {digest_of(text)}]"


def parts_of(call: ToolCall, facts: CallFacts) -> QuestionParts:
    """Return every part of the question about `call`.

    Raises:
        BadArgument: An argument has no renderer, is unreadable, or contradicts another one.
    """
    arguments: Mapping[str, object] = call.arguments
    if call.server:
        text = safe_json(json.dumps(_short_leaves(arguments), ensure_ascii=False, indent=1))
        return QuestionParts(text=text, is_whole=True)
    require_renderers(call.tool, arguments)
    parts = QuestionParts(
        people=_named(arguments),
        senders=parse_addresses(_text(arguments.get("from"))),
        subject=_text(arguments.get("subject")) or facts.subject,
        text=_text(arguments.get("body", arguments.get("description", arguments.get("comment")))),
        html=_html(arguments),
        files=[*texts(arguments.get("attachments")), *facts.files],
    )
    parts.people.extend(
        (name, MailboxAddress(name="", address=address)) for name, address in facts.recipients
    )
    parts.effects = message_effects(call.tool, arguments, messages_of(arguments), facts.labels)
    if call.tool == "set_vacation":
        arguments = _put_vacation(parts, arguments, facts)
    _put_letter(parts, call, facts)
    _put_details(parts, call.tool, arguments, facts)
    return parts


def _short_leaves(value: object) -> object:
    """Return the arguments of another server's tool; each long text is cut by itself, so that it hides no other one."""
    if is_object(value):
        return {name: _short_leaves(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_short_leaves(inner) for inner in cast("list[object]", value)]
    return cut_block(value) if isinstance(value, str) else value


def _html(arguments: Mapping[str, object]) -> str:
    html = _text(arguments.get("htmlBody", arguments.get("html_body")))
    # With this type, the body is sent as HTML.
    return _text(arguments.get("body")) if arguments.get("mimeType") == "text/html" and not html else html


def _named(arguments: Mapping[str, object]) -> list[tuple[AddressField, MailboxAddress]]:
    named: list[NamedMailbox] = []
    for argument, name in _PEOPLE:
        value = arguments.get(argument)
        for one in texts(value):
            named.extend((name, mailbox) for mailbox in _mailboxes(one, argument))
    action = arguments.get("action")
    if is_object(action) and (target := _text(action.get("forward"))):
        named.extend(("forward", mailbox) for mailbox in _mailboxes(target, "action.forward"))
    return named


def _mailboxes(text: str, argument: str) -> Sequence[MailboxAddress]:
    """Return the mailboxes in a text.

    Raises:
        BadArgument: A part of it is not an address, so that the user could not see who is meant.
    """
    found = parse_addresses(text)
    if not found or not all(one.address for one in found):
        raise BadArgument(f"{shown_value(text)[:200]} names no email address.", argument=argument)
    return found


def _put_vacation(
    parts: QuestionParts, arguments: Mapping[str, object], facts: CallFacts
) -> Mapping[str, object]:
    """Show the automatic answer after the call, including the current values that stay."""
    before = {name: value for name, value in (facts.vacation or {}).items() if value not in ("", False)}
    if "body" in arguments:  # a new text removes the old formatted version
        before.pop("html_body", None)
    after = {**before, **arguments}
    parts.subject, parts.text = _text(after.get("subject")), _text(after.get("body"))
    parts.html = _text(after.get("html_body"))
    return after


def _put_letter(parts: QuestionParts, call: ToolCall, facts: CallFacts) -> None:
    """Show the mail in `raw`, or the stored draft with the changes that the call makes."""
    from gaia_mail.asking.raw import mail_of_raw

    raw = mail_of_raw(call.arguments)
    if raw is not None:
        _put_mail(parts, raw, {})
        parts.details += _before(call, facts)
    elif facts.stored:
        _put_mail(parts, facts.stored, {} if call.tool != "update_draft" else call.arguments)


def _before(call: ToolCall, facts: CallFacts) -> list[str]:
    if call.tool != "update_draft" or not facts.stored:
        return []
    from gaia_mail.mime.read import parse_message

    return [f"Replaces the draft: {shown_value(parse_message(facts.stored).subject)}"]


def _put_mail(parts: QuestionParts, raw: bytes, given: Mapping[str, object]) -> None:
    """Show a mail from its bytes; fields in `given` are already shown with their new values."""
    from gaia_mail.asking.mail import mail_shown

    mail = mail_shown(raw, own=(), known=None, in_text=())
    kept: list[NamedMailbox] = [
        (one.field, MailboxAddress(name=one.name, address=one.address))
        for one in mail.recipients
        if one.field not in given
    ]
    mine: list[NamedMailbox] = [one for one in parts.people if one[0] in given]
    order = ("to", "cc", "bcc")
    parts.people = sorted((*mine, *kept), key=lambda one: order.index(one[0]) if one[0] in order else 0)
    parts.details += [
        f"{name.capitalize()}: (nobody)" for name in order if name in given and not texts(given[name])
    ]
    if "from" not in given:
        parts.senders = [MailboxAddress(name=one.name, address=one.address) for one in mail.senders]
    if "subject" not in given:
        parts.subject = mail.subject
    if "body" not in given:
        parts.text = mail.text
    if "html_body" not in given and "body" not in given:
        parts.html_text, parts.hidden = mail.html_text, mail.hidden
    if "attachments" not in given:
        parts.files = [_file(one.name, one.content_type, one.size, one.subject) for one in mail.attachments]
    elif not parts.files:
        parts.details.append("Files: (none)")
    parts.details += [
        f"{label}: {shown_value(one.name)} <{shown_value(one.address)}>"
        if one.name
        else f"{label}: {shown_value(one.address)}"
        for label, found in (
            ("Sent by", mail.sent_by),
            ("Answers go to", mail.reply_to),
            ("Asks for a receipt to", mail.receipts),
        )
        for one in found
    ]
    parts.details += [f"Header {shown_value(name)}: {shown_value(value)}" for name, value in mail.headers]
    parts.details += [f"Not as it should be: {shown_value(defect)}" for defect in mail.unread]
    parts.content = mail.digest
    parts.details.append(f"SHA-256 of the whole mail: {mail.digest[:16]}")


def _file(name: str, content_type: str, size: int, subject: str) -> str:
    about = f"{name or '(no name)'}, {content_type}, {size:,} bytes"
    return f"{about}, the mail {subject!r}" if subject else about


def _put_details(parts: QuestionParts, tool: str, arguments: Mapping[str, object], facts: CallFacts) -> None:
    ids = list(dict.fromkeys(messages_of(arguments)))
    subjects = dict(zip((one for one in ids if one not in facts.absent), facts.messages, strict=False))
    if len(parts.effects) > 1:
        for effect, concerned in parts.effects:
            named = [
                f"{shown_value(subjects.get(one, '(unknown)'))} [{shown_value(one)}]" for one in concerned
            ]
            parts.details.append(f"{effect[:1].upper()}{effect[1:]}: {_some(named)}")
    elif ids:
        parts.details.append(f"Message ID{'s' * (len(ids) > 1)}: {_some([shown_value(one) for one in ids])}")
    if facts.absent:
        parts.details.append(f"Not there any more: {_some([shown_value(one) for one in facts.absent])}")
    if arguments.get("from"):
        parts.details.append(f"Sent as: {shown_value(arguments['from'])}")
    if "draft_id" in RENDERERS[tool]:
        parts.details.append(f"Draft ID: {shown_value(arguments.get('draft_id'))}")
    parts.details += argument_lines(tool, arguments)
    parts.details += [f"Signature: {shown_value(facts.signature)}"] if facts.signature else []
    parts.details += [f"SHA-256 of the formatted version: {digest_of(parts.html)}"] if parts.html else []
    parts.details += _rule(tool, arguments, facts)
    if tool in ("update_label", "delete_label") and (name := facts.labels.get(_text(arguments.get("id")))):
        parts.details.append(f"Label: {shown_value(name)}")
    parts.details += [f"Conversation: {shown_value(facts.thread)}"] if facts.thread else []
    parts.details += [f"Asks: {shown_value(link)}" for link in facts.links]
    parts.details += facts.event


def _rule(tool: str, arguments: Mapping[str, object], facts: CallFacts) -> list[str]:
    """Return lines about the filter that would be created or deleted."""
    from gaia_mail.asking.rules import from_template, rule_lines

    if tool == "delete_filter" and facts.rule is not None:
        return rule_lines(*facts.rule, facts.labels)
    criteria, action = arguments.get("criteria"), arguments.get("action")
    if tool == "create_filter" and is_object(criteria) and is_object(action):
        return rule_lines(criteria, action, facts.labels)
    parameters = arguments.get("parameters")
    if tool == "create_filter_from_template" and is_object(parameters):
        made = from_template(_text(arguments.get("template")), parameters)
        return rule_lines(dict(made[0]), dict(made[1]), facts.labels) if made else []
    return []


def _some(values: Sequence[str]) -> str:
    """Return the first `SHOWN_MESSAGES` values; the rest is counted, with a digest of all."""
    more = len(values) - SHOWN_MESSAGES
    shown = ", ".join(values[:SHOWN_MESSAGES])
    return shown if more <= 0 else f"{shown} and {more:,} more, SHA-256 {digest_of(json.dumps(values))}"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
