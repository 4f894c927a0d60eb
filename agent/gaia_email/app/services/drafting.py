"""Prepares a reply: the user's greeting and sign-off around the questions asked or a model's sentences.

Entries: `draft_for`, `written_draft`, `save_draft`, `own_voice`. Without a model, nothing is promised or
invented: the body quotes the questions of the message, or contains the user's own answer if given.
`model_writing` checks a model's sentences. The result is saved as a draft; sending it is a separate step.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from gaia_email.app import App
from gaia_email.app.documents.mail import other_message, warnings
from gaia_email.app.documents.mail_types import OtherMessage
from gaia_email.app.documents.short import plain
from gaia_email.app.services.memory import list_preferences
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.app.services.reply_people import no_reply_note, own_sender, reply_mail, reply_start
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.threads import ThreadMessage, every_summary, thread_around
from gaia_email.app.services.voice import SentMessage, Tone, Voice, greeting_line, sign_off_lines, voice_of
from gaia_email.document import Count, Version, Warning_, clean
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.advice import advice_in
from gaia_email.policy.commitments import commitment_in
from gaia_email.triage.inbox import FoundMessage, look_up
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.exchanged import was_sent
from gaia_mail.mime.compose import NewMessage
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.printable import visible_text
from gaia_understanding.cascade.agree import is_clean
from gaia_understanding.cascade.understand import read_raw
from gaia_understanding.prepare.pipeline import prepare

Length = Literal["short", "medium", "long"]

EXEMPLARS = 50
"""Maximum number of sent messages that are analysed, those to the same person first."""

QUESTIONS: dict[Length, int] = {"short": 2, "medium": 5, "long": 20}
"""Maximum number of questions quoted, by length."""

SENTENCES: dict[Length, int] = {"short": 2, "medium": 5, "long": 10}
"""Maximum number of sentences that a model may write, by length."""

_WORD = re.compile(r"\w{4,}")
_QUESTION = re.compile(r"[^.!?\n]{3,300}\?")
_PLACE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRequest:
    """The desired form of a reply; `answer` is its content in the user's own words."""

    tone: Tone = "usual"
    length: Length = "medium"
    language: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedReply:
    """A reply that was written but not sent.

    Attributes:
        found: The message to answer.
        body: The text.
        questions: Questions of the message that the body quotes.
        left_out: The number of questions that are not quoted.
        voice: The user's style, counted from their mail.
        answered: True if the body contains more than the questions.
        by: The model that wrote it; empty if none did.
        to_check: Sentences of the model with an unsupported fact; the body marks them.
        withheld: The number of sentences left out because they promised something or contained a link.
        stands_on: The number of messages of the conversation that were used.
        start: Recipients, sender, subject and quote, as shown and saved.
        others: The other messages of the conversation, oldest first.
    """

    found: FoundMessage
    body: str
    questions: tuple[str, ...]
    left_out: int
    voice: Voice
    answered: bool
    by: str = ""
    to_check: tuple[str, ...] = ()
    withheld: int = 0
    stands_on: int = 1
    start: NewMessage
    others: tuple[ThreadMessage, ...] = ()


class VoiceRow(TypedDict):
    """The user's style, counted from their own mail."""

    messages: Count
    greeting: str
    formal: bool


class DraftRow(TypedDict):
    """A reply: recipients, text, the questions it quotes, and what it is based on.

    `no_reply` is a sentence if nobody would read the reply; `others` are the other messages of the
    conversation. `to_check` lists a model's sentences with facts that are not in the conversation; `withheld`
    counts those that promised something or contained a link.
    """

    id: str
    to: str
    cc: str
    subject: str
    no_reply: str
    body: str
    questions: list[str]
    questions_left_out: Count
    to_finish: bool
    voice: VoiceRow
    warnings: list[Warning_]
    others: list[OtherMessage]
    to_check: list[str]
    withheld: Count
    by: str


class DraftDocument(DraftRow):
    """The document of `draft`."""

    schema_version: Version
    saved: bool


def draft_for(
    app: App, source: SourceSpec, message_id: str, request: ReplyRequest, *, own_words: bool
) -> DraftedReply:
    """Write a reply to a message without a model.

    Args:
        app: The running program.
        source: The mailbox.
        message_id: The message, or the beginning of its id.
        request: The desired form.
        own_words: True if the user typed `request.answer`; an answer by a model must not promise or advise anything.

    Raises:
        NeedsApproval: A model's answer promises or advises something in the user's name.
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read.
    """
    if not own_words and (phrase := commitment_in(request.answer) or advice_in(request.answer)):
        raise NeedsApproval(
            f"The answer promises or advises something in the user's name ({phrase!r}); only the user can say that.",
            argument="answer",
            hint="leave it out, and let the user write it into the draft.",
        )
    known = _looked_up(app, source, message_id)
    return _write(known, voice_of(known.sent), request)


def written_draft(
    app: App,
    source: SourceSpec,
    message_id: str,
    request: ReplyRequest,
    environ: Mapping[str, str],
    *,
    task: Literal["write", "improve", "shorten"] = "write",
    tell: Callable[[str], None] = lambda said: None,
) -> DraftedReply:
    """Write a reply with sentences by the user's chosen model.

    Args:
        app: The running program.
        source: The mailbox.
        message_id: The message, or the beginning of its id.
        request: The desired form.
        environ: The environment with the choice of a model.
        task: Write the reply, or improve or shorten the user's own words.
        tell: Progress callback that receives sentences for the user.

    Raises:
        BadArgument: The user gave no words to improve, or the message is suspicious.
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read, there is no model, or it wrote nothing that may be shown.
    """
    from gaia_email.app.services.model_writing import ReplyMaterial, write_sentences
    from gaia_email.models.choice import read_choice

    if task != "write" and not request.answer.strip():
        raise BadArgument(f"There is nothing to {task}.", argument="answer", hint='say it with --answer "…".')
    known = _looked_up(app, source, message_id)
    found, sent = known.found, known.sent
    _require_clean(found)
    prepared = found.understood.prepared
    voice = voice_of(sent)
    language = (request.language or prepared.language or voice.language).lower()
    material = ReplyMaterial(
        mails=[
            (_sender(one), one.understood.prepared.normalized)
            for one in known.thread
            if is_clean(one.understood.verdict)
        ],
        exemplars=[one.text for one in _fitting(sent, prepared.normalized)],
        remembered=[one.text for one in list_preferences(app)],
        own=request.answer.strip(),
        language=language,
        tone=request.tone if request.tone != "usual" else "",
    )
    account = found.summary["account"]
    writing = write_sentences(
        material, environ, task=task, most=SENTENCES[request.length], account=account, tell=tell
    )
    written = asyncio.run(writing)
    plain = _write(known, voice, replace(request, answer=written.text or request.answer))
    chosen = read_choice(environ).tiers
    by, stands_on = chosen.get("T3") or chosen["T2"], max(1, len(material.mails))
    return replace(plain, by=by, to_check=written.marked, withheld=written.withheld, stands_on=stands_on)


def _require_clean(found: FoundMessage) -> None:
    """Refuse a message that no model may see.

    Raises:
        BadArgument: The message is suspicious.
    """
    if not is_clean(found.understood.verdict):
        raise BadArgument(
            "Something about this message is suspect, so no language model is shown it.",
            argument="id",
            hint="gaia email draft ID --no-model makes a reply without one.",
        )


def _sender(one: ThreadMessage) -> str:
    person = one.summary["from"]
    return "the owner" if one.own else f"{person['name']} <{person['address']}>"


def _fitting(sent: Sequence[SentMessage], text: str) -> list[SentMessage]:
    """Return the sent messages most similar to the text first; ties keep their order, which is by recipient."""
    wanted = set(_WORD.findall(text.casefold()))

    def likeness(one: SentMessage) -> float:
        words = set(_WORD.findall(one.text.casefold()))
        return len(words & wanted) / (10 + len(words))

    return sorted(sent, key=likeness, reverse=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The message to answer, the user's sent mail, and the conversation."""

    found: FoundMessage
    sent: list[SentMessage]
    thread: tuple[ThreadMessage, ...]
    start: NewMessage


def _looked_up(app: App, source: SourceSpec, message_id: str) -> _Known:
    rules, now, owner = stored_rules(environ=app.environ), app.clock(), owner_of(app, source)

    async def use(mail: MailReader) -> _Known:
        found = await look_up(mail, app.tier(), message_id, now=now, owner=owner, rules=rules)
        every = await every_summary(mail)
        thread = (await thread_around(app, mail, found, owner, rules)).messages
        start = reply_start(app, source, found)
        recipient = start.to[0].address.lower() if start.to else ""
        sent = await _sent(mail, every, owner, recipient)
        return _Known(found=found, sent=sent, thread=thread, start=start)

    return with_copy(app, source, use, now=now)


def own_voice(app: App, source: SourceSpec) -> Voice:
    """Return the user's style, independent of the recipient."""
    owner = owner_of(app, source)

    async def use(mail: MailReader) -> Voice:
        return voice_of(await _sent(mail, await every_summary(mail), owner, ""))

    return with_copy(app, source, use, now=app.clock())


async def _sent(
    mail: MailReader, every: Sequence[Summary], owner: Sequence[str], recipient: str
) -> list[SentMessage]:
    """Return the user's latest sent messages, those to `recipient` first."""
    own = {address.lower() for address in owner}
    mine = [one for one in every if was_sent(one) and (not own or one["from"]["address"].lower() in own)]
    mine.sort(key=lambda one: recipient not in {person["address"].lower() for person in one["to"]})
    chosen: Sequence[Summary] = mine[:EXEMPLARS]
    found: list[SentMessage] = []
    for email in (await mail.read_emails([one["id"] for one in chosen]))["emails"] if chosen else ():
        prepared = prepare(read_raw(email))
        text = "\n".join(part for part in (prepared.normalized, prepared.signature) if part)
        found.append(SentMessage(text=text, language=prepared.language))
    return found


def _write(known: _Known, voice: Voice, request: ReplyRequest) -> DraftedReply:
    found = known.found
    prepared = found.understood.prepared
    language = (request.language or prepared.language or voice.language).lower()
    every = _questions(prepared.normalized)
    taken = every[: QUESTIONS[request.length]]
    name = first_name(_greeted(known))
    middle: list[str] = [request.answer.strip(), ""] if request.answer.strip() else []
    if not request.answer.strip():
        for question in taken:
            middle += [f"> {question}", _PLACE, ""]
        if not taken:
            middle = [_PLACE, ""]
    lines = [
        greeting_line(voice, name, language, request.tone),
        "",
        *middle,
        *sign_off_lines(voice, language, request.tone, ""),
    ]
    return DraftedReply(
        found=found,
        body="\n".join(lines),
        questions=tuple(taken),
        left_out=len(every) - len(taken),
        voice=voice,
        answered=bool(request.answer.strip()),
        start=known.start,
        others=tuple(one for one in known.thread if one.summary["id"] != found.summary["id"]),
    )


def _greeted(known: _Known) -> str:
    """Return the name to greet: that of the only recipient, or the author's for a list or several recipients."""
    sender = known.found.summary["from"]
    to = known.start.to
    if len(to) != 1 or to[0].address.lower() == sender["address"].lower():
        return sender["name"]
    return to[0].name if known.found.facts.list_id == "" else sender["name"]


def _questions(text: str) -> list[str]:
    found = [" ".join(match[0].split()) for match in _QUESTION.finditer(text)]
    return list(dict.fromkeys(one for one in found if "://" not in one))


def first_name(name: str) -> str:
    """Return the first name to greet a person by; empty if the text is not a person's name."""
    words = name.replace(",", " , ").split()
    if "," in words:  # Doe, Jane
        words = words[words.index(",") + 1 :]
    first = words[0] if words else ""
    return (
        first if first.isalpha() and first[:1].isupper() and not first.isupper() and len(words) <= 3 else ""
    )


def _people(people: Sequence[MailboxAddress]) -> str:
    return plain(", ".join(one.address for one in people), 500)


def draft_row(draft: DraftedReply) -> DraftRow:
    """Return a reply as a row."""
    summary = draft.found.summary
    return {
        "id": summary["id"],
        "to": _people(draft.start.to),
        "cc": _people(draft.start.cc),
        "subject": plain(draft.start.subject, 160),
        "no_reply": plain(no_reply_note(draft.start, draft.found)),
        "body": visible_text(clean(draft.body)),
        "questions": [plain(one) for one in draft.questions],
        "questions_left_out": draft.left_out,
        "to_finish": not draft.answered,
        "voice": {
            "messages": draft.voice.messages,
            "greeting": draft.voice.greeting,
            "formal": draft.voice.formal,
        },
        "warnings": warnings(draft.found.understood.verdict),
        "others": [other_message(one.summary, one.understood.verdict) for one in draft.others],
        "to_check": [plain(one) for one in draft.to_check],
        "withheld": draft.withheld,
        "by": plain(draft.by) or "rules, no model",
    }


def save_draft(
    app: App, source: SourceSpec, draft: DraftedReply, *, origin: RequestOrigin, session_id: str | None = None
) -> str:
    """Save the reply as a draft in the mailbox at the user's request; return the id of the action.

    Raises:
        BadArgument: The mailbox is read-only, or does not support drafts.
        MailError: It cannot be saved.
    """
    from gaia_email.actions.drafting import keep_draft
    from gaia_email.app.services.acting import with_account_session

    mail = reply_mail(draft.found, draft.start, draft.body, sender=own_sender(source, draft.start))
    return with_account_session(
        app,
        source,
        lambda session: keep_draft(session, mail, session_id=session_id),
        prompt=None,
        origin=origin,
    )
