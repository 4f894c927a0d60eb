"""The question before a call: its exact arguments and the state of the mailbox. Entry: `question`.

None of its wording comes from a model. Every argument has a renderer in the table that mail servers use, too
(`gaia_mail.asking.arguments`); a call with an argument that has none is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import cast

from gaia_email.policy.facts import CallFacts as CallFacts
from gaia_email.policy.question_parts import SHOWN_MESSAGES, QuestionParts, cut_block, parts_of
from gaia_email.policy.sentences import sentence
from gaia_email_registry.accounts import addresses_in
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract.tools import RiskTier
from gaia_mail.asking import people as known_people
from gaia_mail.asking.people import AddressField, KnownPerson, same
from gaia_mail.asking.text import block, harmless, person_lines
from gaia_mail.html_shown import html_shown, says_the_same
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.printable import visible_block


@dataclass(frozen=True, slots=True, kw_only=True)
class CallQuestion:
    """A question about a call. Text from mail is unescaped; interfaces escape it.

    Attributes:
        confirmation_id: ID to answer with; empty if the question is not stored yet.
        dry_run: One sentence that describes the effect of the call.
        sender: The sender, if the call names one.
        subject: Subject of the outgoing mail, if any.
        text: Text of the outgoing mail, above a quote.
        html_text: Text and links of the formatted version if they differ from `text`; empty otherwise.
        hidden: Content of the formatted version that no reader displays.
        files: Files to be attached.
        messages: Subjects of the messages concerned, at most `SHOWN_MESSAGES`.
        senders: Senders of those messages, without duplicates.
        details: Every other argument and effect, one line each.
        why: The reason for asking.
        cohort: The policy's cohort of the message concerned, if any.
        content: Digest of state that is too long to show but that the answer is about.
        expires_at: Epoch seconds after which an answer has no effect.
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
    details: tuple[str, ...] = ()
    why: str = ""
    cohort: str = ""
    content: str = ""
    expires_at: float = 0.0

    def plain_text(self) -> str:
        """Return the question as plain text, for interfaces without fields; the first line is `dry_run`."""
        lines = [harmless(self.dry_run)]
        for person in (*self.recipients, *([self.sender] if self.sender else [])):
            lines += person_lines(person.field, person)
        lines += [f"subject: {harmless(self.subject)}"] if self.subject else []
        for name, values in (("file", self.files), ("message", self.messages), ("from", self.senders)):
            lines += [f"{name}: {harmless(value)}" for value in values]
        lines += map(harmless, self.details)
        for heading, text in (
            ("text:", self.text),
            ("formatted version, as text:", self.html_text),
            ("hidden in the formatted version:", "\n".join(self.hidden)),
        ):
            shown = visible_block(text)
            lines += [heading, *block(shown, len(shown))] if text else []
        return "\n".join(lines)


def question(call: ToolCall, facts: CallFacts) -> CallQuestion:
    """Return the question about `call`; the gate adds the fields of its confirmation.

    Raises:
        BadArgument: An argument has no renderer, is unreadable, or contradicts another one.
    """
    parts = parts_of(call, facts)
    people = _merged(parts.people, facts)
    formatted = html_shown(parts.html)
    plain = "" if says_the_same(formatted, parts.text) else formatted.text
    hidden = tuple(dict.fromkeys((*parts.hidden, *formatted.hidden)))
    found = CallQuestion(
        account=call.account,
        tool=call.tool,
        risk=call.risk,
        dry_run="",
        recipients=people,
        sender=_sender(call, parts, facts),
        subject=parts.subject,
        text=parts.text if parts.is_whole else cut_block(parts.text),
        html_text=cut_block("\n".join(filter(None, (parts.html_text, plain)))),
        hidden=tuple(map(cut_block, hidden)),
        files=tuple(parts.files),
        messages=facts.messages[:SHOWN_MESSAGES],
        senders=tuple(dict.fromkeys(facts.senders))[:SHOWN_MESSAGES],
        details=(*parts.details, *_again(parts.people, people)),
        content=parts.content,
    )
    return replace(found, dry_run=sentence(call, facts, people, parts))


def recipients(call: ToolCall, facts: CallFacts) -> tuple[KnownPerson, ...]:
    """Return all recipients of the mail without duplicates, in the order of the fields.

    Raises:
        BadArgument: As in `question`.
    """
    return _merged(parts_of(call, facts).people, facts)


def _merged(
    named: Sequence[tuple[AddressField, MailboxAddress]], facts: CallFacts
) -> tuple[KnownPerson, ...]:
    found: dict[str, KnownPerson] = {}
    for person in _marked(named, facts):
        before = found.get(same(person.address))
        # If an address is named twice, show the name that is a disguise.
        if before is None or (person.disguise and not before.disguise):
            found[same(person.address)] = person if before is None else replace(person, field=before.field)
    return tuple(found.values())


def _again(named: Sequence[tuple[AddressField, MailboxAddress]], shown: Sequence[KnownPerson]) -> list[str]:
    """Return a line for every recipient that the merged list shows under another field or name."""
    told = {(one.field, one.name, one.address) for one in shown}
    return [
        f"Named again in {field}: {harmless(box.name)} <{harmless(box.address)}>"
        for field, box in named
        if (field, box.name, box.address) not in told
    ]


def _sender(call: ToolCall, parts: QuestionParts, facts: CallFacts) -> KnownPerson | None:
    """Return the sender if the call names another one than the account."""
    named: list[tuple[AddressField, MailboxAddress]] = [("from", box) for box in parts.senders]
    found = _marked(named, replace(facts, own=facts.own | frozenset(addresses_in(call.account))))
    return found[0] if found and found[0].standing != "own" else None


def _marked(
    named: Sequence[tuple[AddressField, MailboxAddress]], facts: CallFacts
) -> tuple[KnownPerson, ...]:
    return known_people.recipients(named, own=facts.own, known=facts.known, in_text=facts.in_text)


OWN_TO_THE_ANSWER = frozenset({"confirmation_id", "why", "cohort", "expires_at"})
"""Fields of a question that do not describe the call."""

_CHANGED: Mapping[str, str] = {
    "recipients": "whom it goes to",
    "sender": "whom it is from",
    "subject": "its subject",
    "text": "its text",
    "html_text": "its formatted version",
    "hidden": "its formatted version",
    "files": "its files",
    "messages": "the messages it is about",
    "senders": "whom those messages are from",
}


def what_changed(shown: Mapping[str, object], now: CallQuestion) -> str:
    """Return one sentence on why a yes to `shown` does not apply to `now`; empty if nothing changed.

    Args:
        shown: The answered question, as stored in the ledger.
        now: The same question, built from the current state.
    """
    before, after = _content(shown), _content(asdict(now))
    changed = [name for name in after if before.get(name) != after[name]]
    if not changed:
        return ""
    what = " and ".join(dict.fromkeys(_CHANGED.get(name, "what would be done") for name in changed))
    return f"It changed while you were asked, so nothing was done: {what}. Ask for it again to see it as it is now."


def _content(shown: Mapping[str, object]) -> dict[str, object]:
    """Return a question's content as JSON values; people without their markings, which are not part of the call."""
    plain: dict[str, object] = json.loads(json.dumps(dict(shown), default=str))
    kept = {name: value for name, value in plain.items() if name not in OWN_TO_THE_ANSWER}
    people = kept.get("recipients")
    kept["recipients"] = [_on_the_wire(person) for person in cast("list[object]", people or [])]
    kept["sender"] = _on_the_wire(kept.get("sender"))
    # The sentence counts people by their markings.
    kept.pop("dry_run", None)
    return kept


def _on_the_wire(person: object) -> object:
    given = cast("dict[str, object]", person) if isinstance(person, dict) else {}
    return [given.get("field"), given.get("name"), given.get("address")]
