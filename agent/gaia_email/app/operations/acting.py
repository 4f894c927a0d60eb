"""Operations that change mail, or write text for the user to send."""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, structs

from gaia_email.app import App
from gaia_email.app.documents.actions import CommandOutcome, RunOutcome, UndoneActions
from gaia_email.app.operations.inputs import (
    BucketLimit,
    BucketName,
    KnownIdText,
    MessageId,
    SeveralMessageIds,
    Since,
    on_command_line,
    since_of,
)
from gaia_email.app.operations.mailbox_work import act_on_mailbox, on_mailbox
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email.app.operations.reading import MessageInput, build_listing
from gaia_email_registry.clock import utc_now
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.undo import UndoOutcome
    from gaia_email.app.services.drafting import DraftedReply
    from gaia_email.app.services.history import ActionSelection


class TriageInput(OperationInput, frozen=True, kw_only=True):
    """Selection of threads, and the choice to act on them."""

    apply: Annotated[bool, Meta(description="Do what the user's levels allow; all of it can be undone.")] = (
        False
    )
    again: Annotated[bool, Meta(description="Also what the user took back: go through it once more.")] = False
    since: Since = ""
    limit: BucketLimit = 0


class UndoInput(OperationInput, frozen=True, kw_only=True):
    """Actions to undo, named by one of these fields; without any, the last run."""

    id: Annotated[KnownIdText, on_command_line(argument=True, metavar="[ID]")] = ""
    action_id: Annotated[
        KnownIdText,
        Meta(description="This action (the beginning of its id will do)."),
        on_command_line(option="--action", metavar="ID"),
    ] = ""
    run_id: Annotated[
        KnownIdText,
        Meta(description="Everything of this run."),
        on_command_line(option="--run", metavar="ID"),
    ] = ""
    session_id: Annotated[
        KnownIdText,
        Meta(description="Everything of this chat session."),
        on_command_line(option="--session", metavar="ID"),
    ] = ""
    since: Annotated[Since, on_command_line(metavar="2h|DATE", words="Everything from then on.")] = ""


class DraftInput(OperationInput, frozen=True, kw_only=True):
    """A reply to make."""

    message_id: MessageId
    tone: Literal["usual", "formal", "casual"] = "usual"
    length: Literal["short", "medium", "long"] = "medium"
    language: Annotated[
        Literal["", "en", "de", "fr", "es", "it", "pt", "nl"],
        Meta(description="Empty for the message's own."),
    ] = ""
    say: Annotated[str, Meta(max_length=4000, description="Content of the reply, in the user's words.")] = ""
    by_model: Annotated[
        bool, Meta(description="Have the language model that the user chose write sentences.")
    ] = False
    task: Annotated[
        Literal["write", "improve", "shorten"],
        Meta(description="Task of the model: write the reply, or say the text better or shorter."),
    ] = "write"
    save: Annotated[bool, Meta(description="Keep it as a draft in the mailbox; it is not sent.")] = False


class CorrectInput(OperationInput, frozen=True, kw_only=True):
    """Correct values for a message."""

    message_id: MessageId
    bucket: Annotated[BucketName, Meta(description="The right bucket.")]


class ArchiveInput(OperationInput, frozen=True, kw_only=True):
    """Messages."""

    message_ids: SeveralMessageIds


class ReplyLaterInput(OperationInput, frozen=True, kw_only=True):
    """Messages, and whether they are done."""

    message_ids: SeveralMessageIds
    done: Annotated[bool, Meta(description="Take them off the queue.")] = False


class SnoozeInput(OperationInput, frozen=True, kw_only=True):
    """Messages, and when they come back."""

    message_ids: SeveralMessageIds
    until: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=60,
            description="In how long (4h, 3d, 1w), a day (tomorrow, friday, 'next week'; at 08:00), or a time "
            "(2030-01-31T08:00).",
        ),
        on_command_line(metavar="WHEN", moment="until"),
    ]


class UnsubscribeInput(OperationInput, frozen=True, kw_only=True):
    """A sender."""

    sender: Annotated[
        str,
        Meta(min_length=1, max_length=320, description="Address of the mailing list."),
        on_command_line(metavar="ADDRESS", words="Whose mailing list."),
    ]


@operation(
    output=("triage", "triage-apply"),
    path="POST /v1/email/triage",
    example={"limit": 3},
    mailbox="one",
    needs_person=lambda asked: asked.apply,
)
def triage(app: App, call: OperationCall[TriageInput]) -> RunOutcome | dict[str, Any]:
    """The inbox with what would be done with each thread; with `apply` it is done, as far as the levels allow.

    Raises:
        NeedsApproval: The agent is stopped or paused.
        MailError: The mailbox or the ledger cannot be used.
    """
    from gaia_email.app.services.triage_run import RunListener, run_triage
    from gaia_email.ledger.policy_store import stored_rules

    asked = call.asked
    if not asked.apply:
        rules = replace(stored_rules(environ=app.environ), again=asked.again)
        return build_listing(app, call, rules, with_plan=True)
    listening = RunListener(reading=call.progress, note=call.tell)
    report = run_triage(
        app, call.source, since_of(asked.since), listening, origin=call.origin, again=asked.again
    )
    return RunOutcome.of(report, report.run_id if report.applied.done else "")


@operation(output="undo", path="POST /v1/email/undo", risk="person", mailbox="one")
def undo(app: App, call: OperationCall[UndoInput]) -> UndoneActions:
    """Take back what was done last, or what an id names; what the user changed since is left alone and named.

    Raises:
        NotFound: There is nothing of that to undo here.
        NeedsApproval: It is not what was agreed to; nothing was taken back.
        MailError: The mailbox or the ledger cannot be used.
    """
    from gaia_email.actions.undo import undo as take_back
    from gaia_email.app.services.history import left_to_undo, mailbox_done
    from gaia_email.app.services.questions import require_agreed, undo_question

    chosen, started = chosen_to_undo(app, call.asked), perf_counter()
    call = replace(call, sources=mailbox_done(app, call.sources, chosen))

    async def carry_out(session: AccountSession) -> tuple[str, UndoOutcome]:
        found = await left_to_undo(session, chosen)
        require_agreed(call.confirm, undo_question(session.account, found))
        return session.account, await take_back(session, found, progress=call.progress)

    account, result = on_mailbox(app, call, carry_out)
    if result.problem is not None and not result.taken_back:
        raise result.problem
    return UndoneActions.of(result, account=account, seconds=perf_counter() - started)


def chosen_to_undo(app: App, asked: UndoInput) -> ActionSelection:
    """Return the actions that a call asks to undo.

    Raises:
        MailError: They are named in several ways, or an id matches no past action.
    """
    from gaia_email.app.services.history import ActionSelection
    from gaia_email.app.services.names import named_to_undo

    given = (asked.id, asked.action_id, asked.run_id, asked.session_id, asked.since)
    if sum(map(bool, given)) > 1:
        raise BadArgument("Name one of id, action_id, run_id, session_id and since, not several.")
    return ActionSelection(
        named=named_to_undo(app, asked.id) if asked.id else None,
        action_id=asked.action_id or None,
        run_id=asked.run_id or None,
        session_id=asked.session_id or None,
        since=since_of(asked.since),
    )


@operation(
    output="draft",
    path="POST /v1/email/draft",
    example={"message_id": "MESSAGE", "say": "I will look at it on Monday."},
    risk="draft",
    mailbox="one",
    needs_person=lambda asked: asked.save,
)
def draft(app: App, call: OperationCall[DraftInput]) -> dict[str, Any]:
    """A reply to finish: the user's greeting, what is asked or said, the user's sign-off; it is never sent.

    Raises:
        MailError: There is no such message, the mailbox cannot be used, or no language model can be asked.
    """
    from gaia_email.app.services.drafting import draft_row, save_draft

    made, save = made_reply(app, call), call.asked.save
    if save:
        save_draft(app, call.source, made, origin=call.origin, session_id=call.session_id or None)
    return {"schema_version": 1, **draft_row(made), "saved": save}


def made_reply(app: App, call: OperationCall[DraftInput]) -> DraftedReply:
    """Return the requested reply; nothing is saved.

    Raises:
        MailError: As in `draft`.
    """
    from gaia_email.app.services.drafting import ReplyRequest, draft_for, written_draft

    asked, source = call.asked, call.source
    request = ReplyRequest(tone=asked.tone, length=asked.length, language=asked.language, answer=asked.say)
    if not asked.by_model:
        return draft_for(app, source, asked.message_id, request, own_words=call.by_person)
    return written_draft(app, source, asked.message_id, request, app.environ, task=asked.task, tell=call.tell)


@operation(
    output="correct",
    path="POST /v1/email/correct",
    example={"message_id": "MESSAGE", "bucket": "informational"},
    risk="person",
    mailbox="one",
)
def correct(app: App, call: OperationCall[CorrectInput]) -> dict[str, Any]:
    """Say which bucket a message belongs in; what resembles it follows once two answers agree.

    Raises:
        MailError: There is no such message, or the ledger cannot be written.
    """
    from gaia_email.app.documents.pending import corrected_row
    from gaia_email.app.services.corrections import correct_message

    asked = call.asked
    done = correct_message(app, call.source, asked.message_id, asked.bucket, actor=call.actor)
    return {**corrected_row(done, retracted=False)}


@operation(output="correct", path="POST /v1/email/retract", example={"message_id": "MESSAGE"}, risk="person")
def retract(app: App, call: OperationCall[MessageInput]) -> dict[str, Any]:
    """Take back what was last said about a message.

    Raises:
        MailError: Nothing was said about it, or the ledger cannot be written.
    """
    from gaia_email.app.documents.pending import corrected_row
    from gaia_email.app.services.corrections import retract_correction

    return {**corrected_row(retract_correction(app, call.asked.message_id, actor=call.actor), retracted=True)}


@operation(
    output=CommandOutcome,
    path="POST /v1/email/archive",
    example={"message_ids": ["MESSAGE"]},
    risk="person",
    mailbox="one",
    cli=Command(
        name="archive",
        heading="Act",
        after="undo",
        line="Take messages out of the inbox.",
        help="Take messages out of the inbox; they stay in the mailbox. `gaia email undo` puts them back.",
        view="did.ACTED",
    ),
)
def archive(app: App, call: OperationCall[ArchiveInput]) -> CommandOutcome:
    """Take messages out of the inbox; it can be undone.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import archive as put_away

    ids, session_id = call.asked.message_ids, call.session_id or None
    return act_on_mailbox(app, call, "archive", lambda session: put_away(session, ids, session_id=session_id))


@operation(
    output="snooze",
    path="POST /v1/email/snooze",
    example={"message_ids": ["MESSAGE"], "until": "3d"},
    risk="person",
    mailbox="one",
    cli=Command(
        name="snooze",
        heading="Act",
        after="reply-later",
        line="Take messages out of the inbox until a time.",
        help="""Take messages out of the inbox; `gaia email wake` brings them back, unread, when the time has come.

    The time is in a label of the message at your mail provider, so any machine can bring it back.
    """,
        view="did.ACTED",
    ),
)
def snooze(app: App, call: OperationCall[SnoozeInput]) -> CommandOutcome:
    """Take messages out of the inbox until a time, when they come back unread.

    Raises:
        BadArgument: The time is past, or years away.
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.snooze import snooze as put_off
    from gaia_email.app.services.time_words import instant_text, until_epoch

    until = until_epoch(call.asked.until, utc_now().astimezone())
    ids, session_id = call.asked.message_ids, call.session_id or None
    done = act_on_mailbox(
        app, call, "snooze", lambda session: put_off(session, ids, until, session_id=session_id)
    )
    return structs.replace(done, until=instant_text(until))


@operation(
    output=CommandOutcome,
    path="POST /v1/email/reply-later",
    example={"message_ids": ["MESSAGE"]},
    risk="person",
    mailbox="one",
    cli=Command(
        name="reply-later",
        heading="Act",
        after="answer",
        line="Put messages into the queue to be answered later.",
        help="""
    Put messages into the queue to be answered later, or take them off it with --done; `gaia email later` lists it.

    The queue is the label gaia/reply-later at your mail provider, so any machine sees it; messages stay where they are.
    """,
        view="did.ACTED",
    ),
)
def reply_later(app: App, call: OperationCall[ReplyLaterInput]) -> CommandOutcome:
    """Put messages into the queue of what is answered later, or take them off it; they stay where they are.

    Raises:
        MailError: There is no such message, or the mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.reply_later import reply_later as put_off

    ids, done, session_id = call.asked.message_ids, call.asked.done, call.session_id or None
    return act_on_mailbox(
        app, call, "reply-later", lambda session: put_off(session, ids, done=done, session_id=session_id)
    )


@operation(
    output="wake",
    path="POST /v1/email/wake",
    risk="person",
    mailbox="one",
    cli=Command(
        name="wake",
        heading="Act",
        after="snooze",
        line="Bring back snoozed messages whose time has come.",
        help="Bring snoozed messages whose time has come back into the inbox, unread; "
        "what is in Trash or Spam stays there.",
        view="did.ACTED",
        asks="",
    ),
)
def wake(app: App, call: OperationCall[NoInput]) -> CommandOutcome:
    """Bring snoozed messages whose time has come back into the inbox, unread.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.snooze import wake as bring_back

    return act_on_mailbox(app, call, "wake", bring_back)


@operation(
    output="unsubscribe",
    path="POST /v1/email/unsubscribe",
    example={"sender": "news@example.com"},
    risk="person",
    mailbox="one",
    cli=Command(
        name="unsubscribe",
        heading="Act",
        after="wake",
        line="Leave a mailing list with one click; asks first.",
        help="""
    Ask a sender's list to stop, by the one-click header of RFC 8058, never by a link in the text. Asks first.

    It cannot be undone. Whether the list took it is kept in the list of actions.
    """,
        view="did.ACTED",
        asks="",
    ),
)
def unsubscribe(app: App, call: OperationCall[UnsubscribeInput]) -> CommandOutcome:
    """Leave a mailing list by the one-click header of RFC 8058, never by a link in the text; it cannot be undone.

    Raises:
        NotFound: There is no mail of that sender, or none that offers it.
        NeedsApproval: The user has not answered yet; nothing was sent.
        MailError: The mailbox cannot be used, or the list's server did not take it.
    """
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.unsubscribe import newest_of
    from gaia_email.actions.unsubscribe import unsubscribe as leave
    from gaia_email.policy.gate import Consent

    async def leave_list(session: AccountSession) -> AppliedActions:
        summary = await newest_of(session, call.asked.sender)
        left = await leave(session, summary, Consent(by="user", why="You asked for it."))
        return AppliedActions(done=[left.action])

    return act_on_mailbox(app, call, "unsubscribe", leave_list)
