"""A reply to finish: the user's greeting and sign-off, and between them what is asked, or a model's sentences.

Entries: `draft_for`, `written_draft`, `save_draft`, `own_voice`. Without a model nothing is promised and nothing
invented: the body is the questions of the message, quoted, and the user's own answer where they gave one. A model's
sentences are checked by `model_writing`. What is saved is a draft; sending it is another step.
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
from gaia_email.app.services.memory import remembered
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.app.services.reply_people import no_reply_note, own_sender, reply_mail, reply_start
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.threads import ThreadMessage, every_summary, thread_around
from gaia_email.app.services.voice import SentMessage, Tone, Voice, greeting_line, sign_off_lines, voice_of
from gaia_email.cascade.agree import is_clean
from gaia_email.cascade.understand import read_raw
from gaia_email.document import Count, Version, Warning_, clean
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.advice import advice_in
from gaia_email.policy.commitments import commitment_in
from gaia_email.prepare.pipeline import prepare
from gaia_email.triage.inbox import FoundMessage, look_up
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.exchanged import was_sent
from gaia_mail.mime.compose import NewMessage
from gaia_mail.mime.model import MailboxAddress
from gaia_mail.printable import visible_text

Length = Literal["short", "medium", "long"]

EXEMPLARS = 50
"""Sent messages that are counted, those to the same person first."""

QUESTIONS: dict[Length, int] = {"short": 2, "medium": 5, "long": 20}
"""Questions that are taken up, by length."""

SENTENCES: dict[Length, int] = {"short": 2, "medium": 5, "long": 10}
"""Sentences that a model may write, by length."""

_WORD = re.compile(r"\w{4,}")
_QUESTION = re.compile(r"[^.!?\n]{3,300}\?")
_PLACE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyRequest:
    """How the reply is wanted: `answer` is what the user wants said, in their own words."""

    tone: Tone = "usual"
    length: Length = "medium"
    language: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftedReply:
    """A reply that was made and not sent.

    Attributes:
        found: The message that is answered.
        body: The text.
        questions: What the message asks and the body quotes.
        left_out: How many more questions there are.
        voice: What was counted of the user's mail.
        answered: Whether the body says something beyond the questions.
        by: Which model wrote it; empty where none did.
        to_check: Sentences of the model with something that stands nowhere; the body marks them.
        withheld: How many sentences were left out, since they promised something or held a link.
        stands_on: How many messages of the conversation it was made from.
        start: Recipients, sender, subject and quote: what is shown, and what is kept.
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
    """What was counted of the user's own mail."""

    messages: Count
    greeting: str
    formal: bool


class DraftRow(TypedDict):
    """A reply that was made: whom it goes to, its text, what it takes up, and what it stands on.

    `no_reply` is a sentence if nobody would read it; `others` are the other messages of the conversation.
    `to_check` are a model's sentences with something that the conversation does not hold; `withheld` counts those that
    promised something or held a link.
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
    """What `draft` prints."""

    schema_version: Version
    saved: bool


def draft_for(
    app: App, source: SourceSpec, message_id: str, request: ReplyRequest, *, own_words: bool
) -> DraftedReply:
    """Make a reply to a message.

    Args:
        app: The running program.
        source: The mailbox.
        message_id: The message, or the beginning of its id.
        request: How it is wanted.
        own_words: Whether the user typed `request.answer`; a model's words may hold no promise and no advice.

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
    """Make a reply with the sentences of the model that the user chose.

    Args:
        app: The running program.
        source: The mailbox.
        message_id: The message, or the beginning of its id.
        request: How it is wanted.
        environ: Where the choice of a model is looked up.
        task: Whether the model writes the reply, or betters or shortens the user's own words.
        tell: Given what the user may want to know meanwhile.

    Raises:
        BadArgument: There are no words of the user's to better, or the message is suspect.
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read; no model, or it wrote nothing that may be shown.
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
        remembered=[one.text for one in remembered(app)],
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
    """Refuse a message that no model may be shown.

    Raises:
        BadArgument: Always then.
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
    """What the user sent, most like the text first; of equals as they stand, which is by recipient."""
    wanted = set(_WORD.findall(text.casefold()))

    def likeness(one: SentMessage) -> float:
        words = set(_WORD.findall(one.text.casefold()))
        return len(words & wanted) / (10 + len(words))

    return sorted(sent, key=likeness, reverse=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """The message that is answered, what the user sent, and the conversation, where that was asked for."""

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
    """How the user writes to anybody.

    Raises:
        MailError: The mailbox cannot be read.
    """
    owner = owner_of(app, source)

    async def use(mail: MailReader) -> Voice:
        return voice_of(await _sent(mail, await every_summary(mail), owner, ""))

    return with_copy(app, source, use, now=app.clock())


async def _sent(
    mail: MailReader, every: Sequence[Summary], owner: Sequence[str], recipient: str
) -> list[SentMessage]:
    """What the user wrote last, to this person first."""
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
    """The name of whoever reads the reply: the only recipient's, or the author's if it goes to a list or to several."""
    sender = known.found.summary["from"]
    to = known.start.to
    if len(to) != 1 or to[0].address.lower() == sender["address"].lower():
        return sender["name"]
    return to[0].name if known.found.facts.list_id == "" else sender["name"]


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


def _people(people: Sequence[MailboxAddress]) -> str:
    return plain(", ".join(one.address for one in people), 500)


def draft_row(draft: DraftedReply) -> DraftRow:
    """A reply that was made: its text, what it takes up, and what it stands on."""
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
    """Keep the reply as a draft in the mailbox, because the user said so; the id of the action.

    Raises:
        BadArgument: The mailbox can only be read, or keeps no drafts.
        MailError: It cannot be kept.
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
