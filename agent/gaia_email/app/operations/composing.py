"""Operations on mail being written: start, save, confirm, send."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import Meta, field

from gaia_email.app import App
from gaia_email.app.documents.composing import (
    BegunDocument,
    KeptDraftDocument,
    KeptTextDocument,
    KeptTextsDocument,
    OutgoingDocument,
    RewordDocument,
    SentDocument,
)
from gaia_email.app.operations.inputs import KnownIdText
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.app.services.composing import MailInWriting
    from gaia_email.app.services.kept_texts import KeptText

MostRecipients = Annotated[
    list[Annotated[str, Meta(min_length=1, max_length=1000)]],
    Meta(max_length=100, description="Mailboxes as a header writes them, such as Ann <ann@example.com>."),
]
AboutMessage = Annotated[
    str,
    Meta(max_length=500, description="Id of the message that is answered or forwarded; empty for new mail."),
]
MailKindInput = Annotated[
    Literal["new", "reply", "reply_all", "forward"],
    Meta(description="Mail that stands alone, an answer to the sender or to all, or a forward."),
]
TextId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        description="A name that the caller makes; a text is kept under it.",
    ),
]


class ComposeInput(OperationInput, frozen=True, kw_only=True):
    """Kind of mail to write, and the mail that it answers or forwards."""

    kind: MailKindInput = "new"
    message_id: AboutMessage = ""
    tone: Literal["usual", "formal", "casual"] = "usual"
    length: Literal["short", "medium", "long"] = "medium"
    say: Annotated[str, Meta(max_length=4000, description="Content of the reply, in the user's words.")] = ""
    by_model: Annotated[
        bool, Meta(description="Have the language model that the user chose write sentences.")
    ] = False


class WrittenInput(OperationInput, frozen=True, kw_only=True):
    """A mail as it is written."""

    kind: MailKindInput = "new"
    message_id: AboutMessage = ""
    to: MostRecipients = field(default_factory=list[str])
    cc: MostRecipients = field(default_factory=list[str])
    bcc: MostRecipients = field(default_factory=list[str])
    subject: Annotated[str, Meta(max_length=2000)] = ""
    body: Annotated[str, Meta(max_length=200_000, description="Plain text.")] = ""
    quote: Annotated[bool, Meta(description="True to quote the answered text below.")] = True


class SendInput(WrittenInput, frozen=True, kw_only=True):
    """A mail, and the question that a person agreed to."""

    agreed: Annotated[
        str,
        Meta(max_length=64, description="`agreed` of the question, as `outgoing` gave it."),
    ]


class KeepInput(WrittenInput, frozen=True, kw_only=True):
    """A mail that is not finished, and its name."""

    id: TextId


class DiscardInput(OperationInput, frozen=True, kw_only=True):
    """A text that is kept."""

    id: KnownIdText
    back: Annotated[bool, Meta(description="Get it back instead.")] = False


class RewordTextInput(OperationInput, frozen=True, kw_only=True):
    """Words of the user's, and what is done to them."""

    text: Annotated[str, Meta(max_length=4000, description="The words.")]
    task: Annotated[
        Literal["improve", "shorten", "formal", "casual", "continue"],
        Meta(description="Put them better, shorter, in another tone, or say how they go on."),
    ] = "improve"


_MAIL: Final = {"to": ["ann@example.com"], "subject": "Monday", "body": "On Monday."}


@operation(
    output=BegunDocument,
    path="POST /v1/email/compose",
    example={"message_id": "MESSAGE", "kind": "reply"},
    risk="draft",
    mailbox="one",
)
def compose(app: App, call: OperationCall[ComposeInput]) -> dict[str, Any]:
    """Return the start of a mail: recipients, subject, the text of an answer, the user's own endings; nothing is sent.

    Raises:
        BadArgument: There is no message to answer, or it looks like fraud.
        MailError: The mailbox cannot be read, or no language model can be asked.
    """
    from gaia_email.app.services.composing import MailInWriting, begin_mail, begun_document
    from gaia_email.app.services.dictating import dictation_model
    from gaia_email.app.services.drafting import ReplyRequest
    from gaia_email.app.services.outgoing import mail_question
    from gaia_email.document import clean

    asked, started = call.asked, perf_counter()
    _require_message(asked.kind, asked.message_id)
    begun = begin_mail(
        app,
        call.source,
        MailInWriting(kind=asked.kind, about=asked.message_id),
        ReplyRequest(tone=asked.tone, length=asked.length, answer=asked.say),
        by_model=asked.by_model,
        own_words=call.by_person,
        tell=call.tell,
    )
    shown = mail_question(app, call.source, begun.mail.to, begun.mail.cc) if begun.mail.to else None
    seconds = perf_counter() - started
    made = begun_document(begun, shown, seconds=seconds, model=_model(app))
    return {**made, "transcriber": clean(dictation_model(app))}


@operation(
    output=OutgoingDocument, path="POST /v1/email/outgoing", example=_MAIL, risk="draft", mailbox="one"
)
def outgoing(app: App, call: OperationCall[WrittenInput]) -> dict[str, Any]:
    """The question before a mail goes: every recipient, what is unusual about them, every word; nothing is sent.

    Raises:
        BadArgument: It is none that can be sent.
        MailError: The mailbox cannot be read.
    """
    from gaia_email.app.documents.composing import outgoing_document
    from gaia_email.app.services.composing import agreed_digest, outgoing_mail
    from gaia_email.app.services.opening import account_of
    from gaia_email.app.services.outgoing import outgoing_call_question, outgoing_question

    mail = outgoing_mail(app, call.source, _written(call.asked))
    question = outgoing_question(app, call.source, mail)
    asked = outgoing_call_question(app, call.source, mail)
    account = account_of(app, call.source)
    return {**outgoing_document(account, mail, asked, question, agreed_digest(question))}


@operation(
    output=SentDocument,
    path="POST /v1/email/send",
    example={**_MAIL, "agreed": "0" * 64},
    risk="person",
    mailbox="one",
)
def send(app: App, call: OperationCall[SendInput]) -> dict[str, Any]:
    """Send a mail, because a person agreed to exactly the question that `outgoing` made of it.

    Raises:
        NeedsApproval: It is not what was agreed to, or the agent is stopped; nothing was sent.
        MailError: The mailbox cannot send, or nobody knows whether it did.
    """
    from gaia_email.app.services.composing import send_agreed_mail
    from gaia_email.app.services.opening import account_of

    asked = call.asked
    sent = send_agreed_mail(app, call.source, _written(asked), asked.agreed, origin=call.origin)
    return {
        "schema_version": 1,
        "account": account_of(app, call.source),
        "action_id": sent.action_id,
        "message_id": sent.message_id,
        "to": list(asked.to),
        "subject": asked.subject,
    }


@operation(
    output=KeptDraftDocument, path="POST /v1/email/drafts", example=_MAIL, risk="person", mailbox="one"
)
def keep_draft(app: App, call: OperationCall[WrittenInput]) -> dict[str, Any]:
    """Keep a mail as a draft in the mailbox; it is not sent.

    Raises:
        MailError: The mailbox keeps no drafts, or cannot be used.
    """
    from gaia_email.app.services.composing import keep_mail
    from gaia_email.app.services.opening import account_of

    session_id = call.session_id or None
    action = keep_mail(app, call.source, _written(call.asked), origin=call.origin, session_id=session_id)
    return {"schema_version": 1, "account": account_of(app, call.source), "action_id": action}


@operation(output=KeptTextsDocument, path="GET /v1/email/texts", risk="person")
def texts(app: App, call: OperationCall[NoInput]) -> dict[str, Any]:
    """List unfinished texts of the user, which are kept on this machine.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.kept_texts import kept_row, kept_texts

    return {"schema_version": 1, "texts": [kept_row(one) for one in kept_texts(app)]}


@operation(
    output=KeptTextDocument,
    path="PUT /v1/email/texts/{id}",
    example={**_MAIL, "id": "00000000"},
    risk="person",
    mailbox="one",
)
def keep_text(app: App, call: OperationCall[KeepInput]) -> dict[str, Any]:
    """Keep on this machine what the user is writing, in the place of what was kept under that id.

    Raises:
        MailError: The ledger cannot be written.
    """
    from gaia_email.app.services import kept_texts
    from gaia_email.app.services.opening import account_of

    asked, account = call.asked, account_of(app, call.source)
    kept = kept_texts.keep_text(app, asked.id, account, _written(asked))
    return {**_kept(app, call, kept, asked.to, asked.cc, asked.bcc)}


@operation(
    output=KeptTextDocument, path="DELETE /v1/email/texts/{id}", example={"id": "00000000"}, risk="person"
)
def discard_text(app: App, call: OperationCall[DiscardInput]) -> dict[str, Any]:
    """Put a text away that is kept on this machine; `back` gets it back.

    Raises:
        NotFound: It is not kept, or not any more.
        MailError: The ledger cannot be written.
    """
    from gaia_email.app.services import kept_texts

    kept = kept_texts.discard_text(app, call.asked.id, back=call.asked.back)
    nobody: dict[str, Any] = {"recipients": [], "dry_run": "", "problem": ""}
    return {"schema_version": 1, **kept_texts.kept_row(kept), **nobody}


def _kept(
    app: App, call: OperationCall[Any], kept: KeptText, to: list[str], cc: list[str], bcc: list[str]
) -> dict[str, Any]:
    """Return a saved text, with its recipients as far as their addresses are complete."""
    from gaia_email.app.documents.pending import person_row
    from gaia_email.app.services.composing import require_addresses
    from gaia_email.app.services.kept_texts import kept_row
    from gaia_email.app.services.outgoing import mail_question

    problem, shown = "", None
    try:
        people = [
            tuple(require_addresses(some, name)) for some, name in ((to, "to"), (cc, "cc"), (bcc, "bcc"))
        ]
        shown = mail_question(app, call.source, people[0], people[1], people[2]) if any(people) else None
    except BadArgument as error:
        problem = error.message
    return {
        "schema_version": 1,
        **kept_row(kept),
        "recipients": [person_row(one) for one in shown.recipients] if shown else [],
        "dry_run": shown.dry_run if shown else "",
        "problem": problem,
    }


@operation(
    output=RewordDocument,
    path="POST /v1/email/reword",
    example={"text": "On Monday."},
    risk="draft",
    mailbox="one",
)
def reword_text(app: App, call: OperationCall[RewordTextInput]) -> dict[str, Any]:
    """The user's own words as the language model of this machine puts them.

    Raises:
        MailError: No model is chosen, or it wrote nothing that may be shown.
    """
    from gaia_email.app.services.composing import reword
    from gaia_email.document import clean

    written = reword(app, call.source, call.asked.text, call.asked.task, tell=call.tell)
    return {
        "schema_version": 1,
        "text": written.text,
        "withheld": written.withheld,
        "to_check": [clean(one) for one in (*written.marked, *written.linked)],
        "by": _model(app),
    }


def _model(app: App) -> str:
    """Return the model that would write; empty if the user chose none."""
    from gaia_email.triage.tiers import has_models

    if not has_models(app.environ):
        return ""
    from gaia_email.models.choice import read_choice

    chosen = read_choice(app.environ).tiers
    return chosen.get("T3") or chosen.get("T2", "")


def _written(asked: WrittenInput) -> MailInWriting:
    from gaia_email.app.services.composing import MailInWriting

    _require_message(asked.kind, asked.message_id)
    return MailInWriting(
        kind=asked.kind,
        about=asked.message_id,
        to=tuple(asked.to),
        cc=tuple(asked.cc),
        bcc=tuple(asked.bcc),
        subject=asked.subject,
        body=asked.body,
        quote=asked.quote,
    )


def _require_message(kind: str, message_id: str) -> None:
    if (kind == "new") == bool(message_id):
        said = "New mail is about no message." if message_id else "Say which message it is about."
        raise BadArgument(said, argument="/message_id")
