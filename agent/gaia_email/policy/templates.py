"""Answers from templates that the user wrote: parsing, filling, and the rules for sending them.

```
---
cohorts: transactional, suppliers
---
Hello {{requester_name}},
{{greeting: thank you|many thanks}} for your message. {{ack: max=20_words, grounding=thread}}
```
A literal slot takes an extracted entity, a bounded slot one of the user's choices, and a sentence slot a model's
sentence of at most 20 words that contains no commitment. Entry points: `parse_template`, `fill`, `may_send`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gaia_email.policy.commitments import commitment_in
from gaia_email.policy.model import Cause, Decision, Ruling, RulingOutcome
from gaia_email_registry.errors import BadArgument
from gaia_mail.mime import automatic
from gaia_mail.mime.model import Headers

SlotKind = Literal["literal", "bounded", "sentence"]
MAX_WORDS = 20
MAX_VALUE, MAX_CHOICES, MAX_SENTENCE = 200, 20, 300

_SLOT = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_SENTENCE = re.compile(r"max\s*=\s*(\d{1,3})_words(?:\s*,\s*grounding\s*=\s*thread)?")
_LINK = re.compile(r"[a-z][a-z0-9+.-]*://|www\.|@|\b[\w-]+\.(?:[a-z]{2,})\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,:/-]*")
_ENDS = re.compile(r"[.!?…]\s+\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place to fill, with the `choices` of a bounded slot or the `max_words` of a sentence slot."""

    name: str
    kind: SlotKind
    choices: tuple[str, ...] = ()
    max_words: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A template: the cohorts that may trigger it (none by default), and its parts, text and slots in order."""

    name: str
    cohorts: frozenset[str]
    parts: tuple[str | Slot, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots of the template, in order."""
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def always_asks(self) -> bool:
        """True if a model writes a part of it, so that it is never sent unseen."""
        return any(slot.kind == "sentence" for slot in self.slots)


def parse_template(name: str, text: str) -> Template:
    """Parse a template file.

    Raises:
        BadArgument: The template is invalid; the message names the problem.
    """
    cohorts, body = _front(name, text.replace("\r\n", "\n"))
    parts: list[str | Slot] = []
    known: dict[str, Slot] = {}
    position = 0
    for match in _SLOT.finditer(body):
        slot = _slot(name, match[1].strip())
        if known.setdefault(slot.name, slot) != slot:
            raise _bad(name, f"the slot {slot.name} is written in two ways")
        parts += [body[position : match.start()], slot]
        position = match.end()
    parts.append(body[position:])
    texts = [part for part in parts if isinstance(part, str)]
    if any("{{" in part or "}}" in part for part in texts):
        raise _bad(name, "a slot is opened and not closed, or the other way round")
    if not "".join(texts).strip():
        raise _bad(name, "it has no text of its own")
    return Template(name=name, cohorts=cohorts, parts=tuple(part for part in parts if part))


def _front(name: str, text: str) -> tuple[frozenset[str], str]:
    if not text.startswith("---\n"):
        return frozenset(), text.strip("\n") + "\n"
    head, closed, body = text[4:].partition("\n---\n")
    if not closed:
        raise _bad(name, "its head is not closed by a line ---")
    cohorts: frozenset[str] = frozenset()
    for line in filter(str.strip, head.splitlines()):
        key, _, value = line.partition(":")
        if key.strip() != "cohorts":
            raise _bad(name, f"its head knows only cohorts, not {key.strip()[:40]!r}")
        cohorts = frozenset(part.strip() for part in value.split(",") if part.strip())
    return cohorts, body.strip("\n") + "\n"


def _slot(template: str, inside: str) -> Slot:
    name, colon, rest = (part.strip() for part in inside.partition(":"))
    if not _NAME.fullmatch(name):
        raise _bad(template, f"{name[:40]!r} cannot be the name of a slot")
    if not colon:
        return Slot(name=name, kind="literal")
    if "=" in rest:
        sentence = _SENTENCE.fullmatch(rest)
        if sentence is None or not 1 <= int(sentence[1]) <= MAX_WORDS:
            raise _bad(
                template,
                f"{name} has to be {{{{{name}: max=N_words, grounding=thread}}}}, N up to {MAX_WORDS}",
            )
        return Slot(name=name, kind="sentence", max_words=int(sentence[1]))
    choices = tuple(choice.strip() for choice in rest.split("|"))
    if not all(choices) or len(choices) > MAX_CHOICES or not all(map(str.isprintable, choices)):
        raise _bad(template, f"{name} needs one to {MAX_CHOICES} words to choose from, parted by |")
    return Slot(name=name, kind="bounded", choices=choices)


def fill(
    template: Template, entities: Mapping[str, str], chosen: Mapping[str, str], *, thread: str = ""
) -> str:
    """Return the body with every slot filled; a bounded slot without a choice takes its first word.

    Args:
        template: The template to fill.
        entities: Values extracted from mail; the only source of literal slots.
        chosen: Answers of the user or a model; the only source of bounded and sentence slots.
        thread: Text of the conversation, which a sentence must be based on.

    Raises:
        BadArgument: A slot has no value, or an invalid one.
    """
    filled: list[str] = []
    for part in template.parts:
        if isinstance(part, str):
            filled.append(part)
            continue
        value = (entities if part.kind == "literal" else chosen).get(part.name)
        if value is None and part.kind == "bounded":
            value = part.choices[0]
        if value is None:
            raise _bad(template.name, f"there is nothing to fill {part.name} with")
        problem = _problem(part, value, thread)
        if problem:
            raise _bad(template.name, f"{part.name} cannot be filled: {problem}")
        filled.append(value)
    return "".join(filled)


def _problem(slot: Slot, value: str, thread: str) -> str:
    if slot.kind == "bounded":
        return "" if value in slot.choices else "it is none of the words to choose from"
    limit = MAX_VALUE if slot.kind == "literal" else MAX_SENTENCE
    if not value.strip() or len(value) > limit or not value.isprintable():
        return f"it has to be one line of at most {limit} printable characters"
    return _sentence_problem(slot, value, thread) if slot.kind == "sentence" else ""


def _sentence_problem(slot: Slot, value: str, thread: str) -> str:
    words = re.findall(r"\w[\w'’-]*", value)
    if not 1 <= len(words) <= slot.max_words:
        return f"a sentence here has at most {slot.max_words} words"
    if _ENDS.search(value):
        return "it is more than one sentence"
    promise = commitment_in(value)
    if promise:
        return f"it commits you (“{promise}”)"
    if _LINK.search(value):
        return "a link or an address has no place in it"
    known = set(_NUMBER.findall(thread))
    if any(number not in known for number in _NUMBER.findall(value)):
        return "it names a number that is not in the conversation"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger:
    """The message to be answered.

    Attributes:
        sender: Its From address, lower case.
        headers: Its header fields.
        to_owner: True if an address of the user is in To or Cc.
        answered: True if this sender already got an automatic answer during this absence.
    """

    sender: str
    headers: Headers
    to_owner: bool
    answered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRecipient:
    """A recipient of the answer; `outside` is True for people outside the user's organisation."""

    address: str
    cohort: str
    outside: bool


def may_send(
    template: Template, trigger: Trigger, decision: Decision, recipients: Sequence[AnswerRecipient]
) -> Ruling:
    """Return the ruling on sending the filled template: permitted, needs approval, or refused."""
    allowed = decision.ruling("send_template")
    refused = obstacle(template, trigger, decision.cohort, recipients)
    if allowed.outcome == "refused":
        return allowed
    if refused:
        return _say("refused", "level", refused)
    if any(recipient.outside for recipient in recipients):
        return _say("ask", "always_asks", "It would go to another organisation, which always needs your yes.")
    if template.always_asks:
        return _say("ask", "always_asks", "A model wrote a sentence of it, which always needs your yes.")
    return allowed


def obstacle(template: Template, trigger: Trigger, cohort: str, recipients: Sequence[AnswerRecipient]) -> str:
    """Return why the template may not answer this message, with or without approval; empty if it may."""
    if cohort not in template.cohorts:
        return f"The template {template.name} does not name the cohort {cohort}."
    if not recipients:
        return "There is nobody to send it to."
    if any(recipient.cohort != cohort for recipient in recipients):
        return f"A recipient is of another cohort than {cohort}."
    return not_to_be_answered(trigger)


def not_to_be_answered(trigger: Trigger) -> str:
    """Return why this message may not get an automatic answer (RFC 3834 §2); empty if it may."""
    reason = automatic.not_to_be_answered(trigger.headers, trigger.sender)
    if reason:
        return reason
    if not trigger.to_owner:
        return "It was not addressed to you, so no automatic answer goes out (RFC 3834)."
    return "This sender had an automatic answer in this absence already." if trigger.answered else ""


def _say(outcome: RulingOutcome, cause: Cause, reason: str) -> Ruling:
    return Ruling(action="send_template", outcome=outcome, cause=cause, reason=reason)


def _bad(template: str, what: str) -> BadArgument:
    return BadArgument(f"The template {template[:80]} cannot be used: {what}.", argument="template")
