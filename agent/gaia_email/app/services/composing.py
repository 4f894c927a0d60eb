"""Mail written by the user, from its first lines to the call that sends it.

Entries: `begin_mail`, `begun_document`, `outgoing_mail`, `send_agreed_mail`, `keep_mail`, `reword`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from gaia_email.actions.drafting import keep_draft
from gaia_email.actions.sending import OutgoingMail, SentMail
from gaia_email.app import App
from gaia_email.app.documents.composing import BegunDocument, MadeRow, WrittenRow
from gaia_email.app.documents.mail import warnings
from gaia_email.app.documents.pending import person_row
from gaia_email.app.services.acting import with_account_session
from gaia_email.app.services.drafting import (
    SENTENCES,
    DraftedReply,
    ReplyRequest,
    draft_for,
    own_voice,
    written_draft,
)
from gaia_email.app.services.language_tables import REPLY_CHIPS
from gaia_email.app.services.opening import account_of, owner_of
from gaia_email.app.services.outgoing import outgoing_question, send_outgoing
from gaia_email.app.services.reading import read_message
from gaia_email.app.services.reply_people import header_text, reply_start
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.voice import Tone, Voice, sign_off_lines
from gaia_email.document import clean
from gaia_email.mailbox.ref import FILES
from gaia_email.policy.question import CallQuestion
from gaia_email.triage.inbox import FoundMessage
from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.mime.address import validate_address
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.reply import quote_text, strip_prefixes
from gaia_mail.printable import visible_text

if TYPE_CHECKING:
    from gaia_email.app.services.model_writing import ModelWriting

MailKind = Literal["new", "reply", "reply_all", "forward"]
RewordTask = Literal["improve", "shorten", "formal", "casual", "continue"]

MOST_RECIPIENTS = 100
"""Maximum number of recipients of a mail written here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailInWriting:
    """A mail as the user wrote it.

    Attributes:
        kind: A new mail, or an answer to or forward of `about`.
        quote: True to quote the original below the text.
    """

    kind: MailKind = "new"
    about: str = ""
    to: tuple[str, ...] = ()
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    subject: str = ""
    body: str = ""
    quote: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunMail:
    """A mail to be finished by the user.

    Attributes:
        mail: Its initial content.
        quote: The text that would be quoted below.
        draft: The generated body of an answer; None for other mail.
        voice: The user's style.
        level: The effective level of the original message; the highest for new mail.
        chips: Short answers to choose from.
        sign_off: The user's sign-off, with their name.
        warned: The warnings of the original message.
    """

    mail: MailInWriting
    account: str
    quote: str = ""
    draft: DraftedReply | None = None
    voice: Voice
    level: int = 5
    chips: tuple[str, ...] = ()
    sign_off: str = ""
    warned: Sequence[str] = field(default_factory=tuple[str, ...])


def begin_mail(
    app: App,
    source: SourceSpec,
    mail: MailInWriting,
    request: ReplyRequest,
    *,
    by_model: bool,
    own_words: bool,
    tell: Callable[[str], None] = lambda said: None,
) -> BegunMail:
    """Prepare a mail: recipients, subject, and for an answer a text to finish.

    Args:
        app: The running program.
        source: The mailbox.
        mail: Its kind, and the original message.
        request: The desired form of an answer.
        by_model: Whether a language model writes its sentences.
        own_words: Whether the user typed `request.answer`.
        tell: Progress callback that receives sentences for the user.

    Raises:
        BadArgument: There is no message to answer, or it looks like fraud.
        MailError: The mailbox cannot be read, or no language model can be asked.
    """
    account = account_of(app, source)
    if mail.kind == "new":
        voice = own_voice(app, source)
        sign_off = _sign_off(voice, request.language or voice.language, request.tone)
        return BegunMail(
            mail=replace(mail, body=f"\n\n{sign_off}"), account=account, voice=voice, sign_off=sign_off
        )
    if by_model:
        draft = written_draft(app, source, mail.about, request, app.environ, tell=tell)
    else:
        draft = draft_for(app, source, mail.about, request, own_words=own_words)
    found = draft.found
    _require_clean(found)
    language = (request.language or found.understood.prepared.language or "en").lower()
    sign_off = _sign_off(draft.voice, language, request.tone)
    start = _started(app, source, mail, draft)
    if mail.kind == "forward":
        start = replace(start, body=f"\n\n{sign_off}")
    return BegunMail(
        mail=start,
        account=account,
        quote="" if mail.kind == "forward" else quote_text(found.understood.message).strip("\n"),
        draft=draft if mail.kind != "forward" else None,
        voice=draft.voice,
        level=found.decision.effective_level,
        chips=() if mail.kind == "forward" else REPLY_CHIPS.get(language, REPLY_CHIPS["en"]),
        sign_off=sign_off,
        warned=warnings(found.understood.verdict),
    )


def _started(app: App, source: SourceSpec, mail: MailInWriting, draft: DraftedReply) -> MailInWriting:
    """Return a mail with its subject and, for an answer, its recipients and text."""
    original = draft.found.understood.message
    start = replace(mail, about=draft.found.summary["id"])
    if mail.kind == "forward":
        return replace(start, subject=_forward_subject(original))
    people = draft.start
    if mail.kind == "reply_all":
        people = reply_start(app, source, draft.found, reply_all=True)
    to, cc = tuple(map(header_text, people.to)), tuple(map(header_text, people.cc))
    return replace(start, to=to, cc=cc, subject=people.subject, body=draft.body)


def outgoing_mail(
    app: App, source: SourceSpec, mail: MailInWriting, *, complete: bool = True
) -> OutgoingMail:
    """Return the mail as it would be sent, with its quote; it may lack recipients if `complete` is False.

    Raises:
        BadArgument: A recipient is invalid, there is none, or the original message looks like fraud.
        NotFound: The original message is gone.
        MailError: The mailbox cannot be read.
    """
    to, cc, bcc = (
        require_addresses(mail.to, "to"),
        require_addresses(mail.cc, "cc"),
        require_addresses(mail.bcc, "bcc"),
    )
    if complete and not to:
        raise BadArgument("Nobody to send to: name at least one recipient.", argument="/to")
    subject, body = " ".join(mail.subject.split()), mail.body.replace("\r\n", "\n")
    if mail.kind == "new":
        return OutgoingMail(to=to, cc=cc, bcc=bcc, subject=subject, body=body)
    found = read_message(app, source, mail.about)
    _require_clean(found)
    summary, original = found.summary, found.understood.message
    if mail.kind == "forward":
        if cc or bcc:
            raise BadArgument("A forward has recipients under To alone.", argument="/cc")
        return OutgoingMail(
            to=to, subject=_forward_subject(original), body=body, about=summary["id"], forwards=True
        )
    if mail.quote:
        body = body.rstrip("\n") + quote_text(original)
    return OutgoingMail(
        to=to,
        cc=cc,
        bcc=bcc,
        subject=subject,
        body=body,
        about=summary["id"],
        in_reply_to=summary["message_id"] if "@" in summary["id"] else summary["id"],
        thread_id=summary["thread_id"],
    )


def agreed_digest(question: str) -> str:
    """Return the digest by which an approval refers to a question."""
    return hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()


def send_agreed_mail(
    app: App, source: SourceSpec, mail: MailInWriting, agreed: str, *, origin: RequestOrigin
) -> SentMail:
    """Send the mail after the user agreed to the question with that digest.

    Raises:
        NeedsApproval: The question has changed, or the agent is stopped; nothing was sent.
        MailError: As in `outgoing_mail`; or the server rejected it, or it is unknown whether it was sent.
    """
    made = outgoing_mail(app, source, mail)
    question = outgoing_question(app, source, made)
    if agreed_digest(question) != agreed:
        raise NeedsApproval(
            "This is not the mail that was agreed to; nothing was sent.",
            hint="look at it once more as it is now, then send it.",
        )
    return send_outgoing(app, source, made, question, origin=origin)


def keep_mail(
    app: App, source: SourceSpec, mail: MailInWriting, *, origin: RequestOrigin, session_id: str | None = None
) -> str:
    """Save the mail as a draft in the mailbox at the user's request; return the id of the action.

    Raises:
        BadArgument: The mailbox is read-only, or does not support drafts.
        MailError: As in `outgoing_mail`, or it cannot be saved.
    """
    made = outgoing_mail(app, source, mail, complete=False)
    if source.kind in FILES and mail.kind != "forward":
        made = replace(made, sender=next(iter(owner_of(app, source)), ""))
    return with_account_session(
        app,
        source,
        lambda session: keep_draft(session, made, session_id=session_id),
        prompt=None,
        origin=origin,
    )


def reword(
    app: App,
    source: SourceSpec,
    text: str,
    task: RewordTask,
    *,
    tell: Callable[[str], None] = lambda said: None,
) -> ModelWriting:
    """Have the chosen model reword or continue the user's text.

    Raises:
        BadArgument: The text is empty.
        MailError: No model is chosen, or it wrote nothing that may be shown.
    """
    from gaia_email.app.services.model_writing import ReplyMaterial, write_sentences

    if not text.strip():
        raise BadArgument("There are no words to change: select some first.", argument="/text")
    tone = task if task in ("formal", "casual") else ""
    material = ReplyMaterial(mails=[], own=text.strip(), tone=tone)
    done: Literal["improve", "shorten", "continue"] = (
        task if task == "shorten" or task == "continue" else "improve"
    )
    most = 1 if task == "continue" else SENTENCES["long"]
    writing = write_sentences(
        material, app.environ, task=done, most=most, account=account_of(app, source), tell=tell
    )
    return asyncio.run(writing)


def _require_clean(found: FoundMessage) -> None:
    looks = [name for name in warnings(found.understood.verdict) if name != "spam"]
    if looks:
        raise BadArgument(
            f"This message looks like {' and '.join(looks)}, so nothing of it is answered or forwarded here.",
            argument="/message_id",
            hint="Ask its sender by another way than this mail, such as a number that you know.",
        )


def _sign_off(voice: Voice, language: str, tone: Tone) -> str:
    return "\n".join(sign_off_lines(voice, language, tone, ""))


def _forward_subject(original: ParsedMessage) -> str:
    return f"Fwd: {strip_prefixes(original.subject, forwards=True)}".strip()


def require_addresses(named: Sequence[str], argument: str) -> tuple[str, ...]:
    """Return the addresses as they were given, after checking that mail can be sent to each.

    Raises:
        BadArgument: One is not an email address, or there are too many.
    """
    if len(named) > MOST_RECIPIENTS:
        raise BadArgument(f"{argument}: at most {MOST_RECIPIENTS} recipients.", argument=f"/{argument}")
    for one in named:
        try:
            validate_address(one)
        except BadArgument:
            raise BadArgument(
                f"{one[:100]!r} is no mail address; write it as ann@example.com.", argument=f"/{argument}"
            ) from None
    return tuple(named)


def written_row(mail: MailInWriting, account: str) -> WrittenRow:
    """Return a mail that the user is writing as a row."""
    return {
        "kind": mail.kind,
        "message_id": mail.about,
        "account": clean(account),
        "to": [clean(one) for one in mail.to],
        "cc": [clean(one) for one in mail.cc],
        "bcc": [clean(one) for one in mail.bcc],
        "subject": clean(mail.subject),
        "body": visible_text(clean(mail.body)),
        "quote": mail.quote,
    }


def begun_document(
    begun: BegunMail, asked: CallQuestion | None, *, seconds: float, model: str
) -> BegunDocument:
    """Return the document of a started mail; `asked` is the current confirmation, None without recipients."""
    draft = begun.draft
    made: MadeRow | None = None
    if draft is not None:
        made = {
            "by": clean(draft.by) or "rules, no model",
            "tier": "T3" if draft.by else "T0",
            "seconds": round(seconds, 3),
            "stands_on": draft.stands_on,
            "voice_messages": draft.voice.messages,
            "questions_left_out": draft.left_out,
            "to_check": [clean(one) for one in draft.to_check],
            "withheld": draft.withheld,
        }
    return {
        "schema_version": 1,
        **written_row(begun.mail, begun.account),
        "level": begun.level,
        "quoted": visible_text(clean(begun.quote)),
        "made": made,
        "sign_off": clean(begun.sign_off),
        "endings": [clean(one) for one in begun.voice.endings],
        "chips": list(begun.chips),
        "model": clean(model),
        "transcriber": "",
        "recipients": [person_row(one) for one in asked.recipients] if asked else [],
        "dry_run": asked.dry_run if asked else "",
        "warnings": list(begun.warned),
    }
