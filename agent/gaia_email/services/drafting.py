"""A reply as far as it can be written without a model: the user's greeting and sign-off around what is asked.

Entries: `draft_for`, `save_draft`. Nothing is promised and nothing invented: the body is the questions of the message,
quoted, and the user's own answer where they gave one. What is saved is a draft; sending it is another step.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from time import time
from typing import Literal

from gaia_email.cascade.understand import read_raw
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.commitments import commitment_in
from gaia_email.policy_store import stored_rules
from gaia_email.prepare.pipeline import prepare
from gaia_email.services.opening import owner_of, with_copy
from gaia_email.services.source import Source
from gaia_email.services.threads import every_summary
from gaia_email.services.voice import Sent, Tone, Voice, greeting_line, sign_off_lines, voice_of
from gaia_email.triage.inbox import Found, look_up
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument

Length = Literal["short", "medium", "long"]

EXEMPLARS = 50
"""Sent messages that are counted, those to the same person first."""

QUESTIONS: dict[Length, int] = {"short": 2, "medium": 5, "long": 20}
"""Questions that are taken up, by length."""

_QUESTION = re.compile(r"[^.!?\n]{3,300}\?")
_PLACE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How the reply is wanted: `answer` is what the user wants said, in their own words."""

    tone: Tone = "usual"
    length: Length = "medium"
    language: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A reply that was made and not sent.

    Attributes:
        found: The message that is answered.
        body: The text.
        questions: What the message asks and the body quotes.
        left_out: How many more questions there are.
        voice: What was counted of the user's mail.
        answered: Whether the body says something beyond the questions.
    """

    found: Found
    body: str
    questions: tuple[str, ...]
    left_out: int
    voice: Voice
    answered: bool


def draft_for(source: Source, message_id: str, wish: Wish, *, own_words: bool) -> Draft:
    """Make a reply to a message.

    Args:
        source: The mailbox.
        message_id: The message, or the beginning of its id.
        wish: How it is wanted.
        own_words: Whether the user typed `wish.answer` themselves; a model's words may hold no promise.

    Raises:
        BadArgument: A model's answer promises something in the user's name.
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read.
    """
    if not own_words and (phrase := commitment_in(wish.answer)):
        raise BadArgument(
            f"The answer promises something in the user's name ({phrase!r}); only the user can say that.",
            argument="answer",
            hint="leave it out, and let the user write it into the draft.",
        )
    rules, now, owner = stored_rules(), time(), owner_of(source)

    async def use(mail: MailReader) -> tuple[Found, list[Sent]]:
        found = await look_up(mail, default_tier(), message_id, now=now, owner=owner, rules=rules)
        return found, await _sent(mail, source, found.summary["from"]["address"].lower())

    found, sent = with_copy(source, use, now=now)
    return _write(found, voice_of(sent), wish)


async def _sent(mail: MailReader, source: Source, recipient: str) -> list[Sent]:
    """What the user wrote last, to this person first."""
    own = {address.lower() for address in owner_of(source)}
    mine = [
        one
        for one in await every_summary(mail)
        if "SENT" in one["labels"] and (not own or one["from"]["address"].lower() in own)
    ]
    mine.sort(key=lambda one: recipient not in {person["address"].lower() for person in one["to"]})
    chosen: Sequence[Summary] = mine[:EXEMPLARS]
    found: list[Sent] = []
    for email in (await mail.read_emails([one["id"] for one in chosen]))["emails"] if chosen else ():
        prepared = prepare(read_raw(email))
        text = "\n".join(part for part in (prepared.normalized, prepared.signature) if part)
        found.append(Sent(text=text, language=prepared.language))
    return found


def _write(found: Found, voice: Voice, wish: Wish) -> Draft:
    prepared = found.understood.prepared
    language = (wish.language or prepared.language or voice.language).lower()
    every = _questions(prepared.normalized)
    taken = every[: QUESTIONS[wish.length]]
    name = first_name(found.summary["from"]["name"])
    middle: list[str] = [wish.answer.strip(), ""] if wish.answer.strip() else []
    if not wish.answer.strip():
        for question in taken:
            middle += [f"> {question}", _PLACE, ""]
        if not taken:
            middle = [_PLACE, ""]
    lines = [
        greeting_line(voice, name, language, wish.tone),
        "",
        *middle,
        *sign_off_lines(voice, language, wish.tone, ""),
    ]
    return Draft(
        found=found,
        body="\n".join(lines),
        questions=tuple(taken),
        left_out=len(every) - len(taken),
        voice=voice,
        answered=bool(wish.answer.strip()),
    )


def _questions(text: str) -> list[str]:
    found = [" ".join(match[0].split()) for match in _QUESTION.finditer(text)]
    return list(dict.fromkeys(one for one in found if "://" not in one))


def first_name(name: str) -> str:
    """The name to greet somebody by; empty where what stands there is no person's name."""
    words = name.replace(",", " , ").split()
    if "," in words:  # Doe, Jane
        words = words[words.index(",") + 1 :]
    first = words[0] if words else ""
    return (
        first if first.isalpha() and first[:1].isupper() and not first.isupper() and len(words) <= 3 else ""
    )


def save_draft(source: Source, draft: Draft, *, actor: str, session_id: str | None = None) -> str:
    """Keep the reply as a draft in the mailbox, because the user said so; the id of the action.

    Raises:
        BadArgument: The mailbox can only be read, or keeps no drafts.
        MailError: It cannot be kept.
    """
    from gaia_email.actions.drafting import keep_reply
    from gaia_email.services.acting import with_desk

    summary = draft.found.summary
    return with_desk(
        source,
        lambda desk: keep_reply(desk, summary, draft.body, session_id=session_id),
        prompt=None,
        actor=actor,
    )
