"""The question before a call: its exact arguments, and the mailbox as it is. Entry: `question`.

No word of it comes from a model. Every argument has a renderer in the table that mail servers use too
(`gaia_mail.asking.arguments`); a call with one that has none is refused.
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
        messages: Subjects of the messages it is about, at most `SHOWN_MESSAGES`.
        senders: Whom those are from, each once.
        details: Every other argument and every other fact of what would be done, one line each.
        why: Why it is asked at all.
        cohort: The policy's cohort of the message it is about, where there is one.
        content: Digest of the state that the answer is about and that is too long to show.
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
    details: tuple[str, ...] = ()
    why: str = ""
    cohort: str = ""
    content: str = ""
    expires_at: float = 0.0

    def plain_text(self) -> str:
        """Return all of it as text for a place that has no fields of its own; its first line is `dry_run`."""
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
    """Return what to show for `call`; the gate adds what it keeps about it.

    Raises:
        BadArgument: An argument has no renderer, cannot be read, or contradicts another one.
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
    """Everybody mail would go to, each once, in the order of the fields.

    Raises:
        BadArgument: As `question`.
    """
    return _merged(parts_of(call, facts).people, facts)


def _merged(
    named: Sequence[tuple[AddressField, MailboxAddress]], facts: CallFacts
) -> tuple[KnownPerson, ...]:
    found: dict[str, KnownPerson] = {}
    for person in _marked(named, facts):
        before = found.get(same(person.address))
        # Of one address that stands there twice, the name that is a disguise is the one to be shown.
        if before is None or (person.disguise and not before.disguise):
            found[same(person.address)] = person if before is None else replace(person, field=before.field)
    return tuple(found.values())


def _again(named: Sequence[tuple[AddressField, MailboxAddress]], shown: Sequence[KnownPerson]) -> list[str]:
    """A line for every recipient that the merged list shows under another field or name."""
    told = {(one.field, one.name, one.address) for one in shown}
    return [
        f"Named again in {field}: {harmless(box.name)} <{harmless(box.address)}>"
        for field, box in named
        if (field, box.name, box.address) not in told
    ]


def _sender(call: ToolCall, parts: QuestionParts, facts: CallFacts) -> KnownPerson | None:
    """Whom a mail would be from, where the call names another than the account."""
    named: list[tuple[AddressField, MailboxAddress]] = [("from", box) for box in parts.senders]
    found = _marked(named, replace(facts, own=facts.own | frozenset(addresses_in(call.account))))
    return found[0] if found and found[0].standing != "own" else None


def _marked(
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
    "files": "its files",
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
