"""Operations that file messages at the provider: spam, trash, labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from gaia_email.app import App
from gaia_email.app.documents.actions import CommandOutcome
from gaia_email.app.documents.layouts import policy as cards
from gaia_email.app.operations.acting import ArchiveInput
from gaia_email.app.operations.inputs import KnownIdText, RowLimit, on_command_line
from gaia_email.app.operations.mailbox_work import act_on_mailbox
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.app.services.label_threads import LabelledThreads
    from gaia_email.app.services.labels import LabelDetails, LabelList, TakenOff

UserLabelName = Annotated[
    str,
    Meta(min_length=1, max_length=60, description="Name of the label, at the mail provider too."),
    on_command_line(argument=True, metavar="NAME"),
]
LabelSentence = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        description="Subject of such mail, as flights, hotels and train tickets; except, without and not say what "
        "it is not about.",
    ),
    on_command_line(argument=True, metavar="SENTENCE"),
]
LabelId = Annotated[
    KnownIdText,
    Meta(description="A label, by its id or its name."),
    on_command_line(argument=True, metavar="LABEL"),
]


class MoveInput(ArchiveInput, frozen=True, kw_only=True):
    """Messages, and where they go."""

    to: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description="inbox, archive, spam, trash, or the name of a folder or label of the mailbox.",
        ),
        on_command_line(metavar="WHERE"),
    ]


class MarkInput(ArchiveInput, frozen=True, kw_only=True):
    """Messages, and how they are marked."""

    state: Annotated[
        Literal["read", "unread", "starred", "unstarred"],
        Meta(description="Mark for the messages."),
        on_command_line(option="--as"),
    ]


class LabelsInput(OperationInput, frozen=True, kw_only=True):
    """Choice to count threads."""

    counts: Annotated[bool, Meta(description="Also how many threads of the inbox have each.")] = False


class AddLabelInput(OperationInput, frozen=True, kw_only=True):
    """A label."""

    name: UserLabelName
    sentence: LabelSentence


class ChangeLabelInput(OperationInput, frozen=True, kw_only=True):
    """A label, and what is different about it from now on."""

    id: LabelId
    sentence: Annotated[str, Meta(max_length=300, description="Empty for the one it has.")] = ""
    position: (
        Annotated[int, Meta(ge=0, le=100, description="Its place among the labels, counted from 0.")]
        | UnsetType
    ) = UNSET


class RemoveLabelInput(OperationInput, frozen=True, kw_only=True):
    """A label."""

    id: LabelId
    back: Annotated[bool, Meta(description="Get one back that was removed, by its id.")] = False


class TryLabelInput(OperationInput, frozen=True, kw_only=True):
    """A sentence to be tried."""

    sentence: LabelSentence
    limit: RowLimit = 20


class LabelThreadsInput(OperationInput, frozen=True, kw_only=True):
    """A label, and which of its threads."""

    id: LabelId
    offset: Annotated[int, Meta(ge=0, description="Threads to pass over.")] = 0
    limit: RowLimit = 100


class PutLabelInput(ArchiveInput, frozen=True, kw_only=True):
    """Messages, and a label that they get or lose."""

    label: Annotated[
        str,
        Meta(min_length=1, max_length=200, description="Its id or its name."),
        on_command_line(metavar="NAME"),
    ]
    off: Annotated[bool, Meta(description="Take it off them, and remember that it is not for them.")] = False
    back: Annotated[bool, Meta(description="Forget that it is not for them, and do nothing else.")] = False


@operation(
    output=CommandOutcome,
    path="POST /v1/email/spam",
    example={"message_ids": ["MESSAGE"]},
    risk="person",
    mailbox="one",
)
def spam(app: App, call: OperationCall[ArchiveInput]) -> CommandOutcome:
    """Move messages to where the provider keeps spam; it can be undone.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import put_in_spam

    ids, session_id = call.asked.message_ids, call.session_id or None
    return act_on_mailbox(app, call, "spam", lambda session: put_in_spam(session, ids, session_id=session_id))


@operation(
    output=CommandOutcome,
    path="POST /v1/email/trash",
    example={"message_ids": ["MESSAGE"]},
    risk="person",
    mailbox="one",
)
def trash(app: App, call: OperationCall[ArchiveInput]) -> CommandOutcome:
    """Move messages to Trash; it can be undone as long as the provider keeps them there.

    Raises:
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import put_in_trash

    ids, session_id = call.asked.message_ids, call.session_id or None
    return act_on_mailbox(
        app, call, "trash", lambda session: put_in_trash(session, ids, session_id=session_id)
    )


@operation(
    output=CommandOutcome,
    path="POST /v1/email/move",
    example={"message_ids": ["MESSAGE"], "to": "archive"},
    risk="person",
    mailbox="one",
    cli=Command(
        name="move",
        heading="Act",
        after="archive",
        line="Move messages to a folder, the inbox, the archive, spam or Trash.",
        help="""Move messages to the inbox, the archive, spam, Trash, or a folder that your mailbox has.

    At a provider with labels, they get the label and leave the inbox. `gaia email undo` puts them back.
    """,
        view="did.ACTED",
    ),
)
def move(app: App, call: OperationCall[MoveInput]) -> CommandOutcome:
    """Move messages to the inbox, the archive, spam, Trash, or a folder or label of the mailbox; it can be undone.

    Raises:
        NotFound: There is no such message, folder or label.
        MailError: The mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import move as move_messages

    asked, session_id = call.asked, call.session_id or None
    return act_on_mailbox(
        app,
        call,
        "move",
        lambda session: move_messages(session, asked.message_ids, asked.to, session_id=session_id),
    )


@operation(
    output=CommandOutcome,
    path="POST /v1/email/mark",
    example={"message_ids": ["MESSAGE"], "state": "read"},
    risk="person",
    mailbox="one",
    cli=Command(
        name="mark",
        heading="Act",
        after="label",
        line="Mark messages read, unread, starred or not.",
        help="Mark messages read, unread, starred or not starred. `gaia email undo` takes it back.",
        view="did.ACTED",
    ),
)
def mark(app: App, call: OperationCall[MarkInput]) -> CommandOutcome:
    """Mark messages read, unread, starred or not starred; it can be undone.

    Raises:
        MailError: There is no such message, or the mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.archive import mark as mark_messages

    asked, session_id = call.asked, call.session_id or None
    return act_on_mailbox(
        app,
        call,
        "mark",
        lambda session: mark_messages(session, asked.message_ids, asked.state, session_id=session_id),
    )


@operation(
    output="labels",
    path="GET /v1/email/labels",
    mailbox="all",
    columns=("id", "name", "sentence", "words", "without", "threads", "unread"),
    rows="labels",
    card=cards.LABELS,
    cli=Command(
        name="list",
        heading="labels",
        help="Your labels in their order.",
    ),
)
def labels(app: App, call: OperationCall[LabelsInput]) -> LabelList:
    """The user's labels in their order, each with its sentence and the words that it is read as.

    Raises:
        MailError: The ledger cannot be read, or no mailbox where threads are to be counted.
    """
    from gaia_email.app.services.label_threads import counted_labels
    from gaia_email.app.services.labels import LabelList, label_details
    from gaia_email.app.services.labels import labels as known

    if call.asked.counts:
        return LabelList(labels=counted_labels(app, call.sources))
    return LabelList(labels=[label_details(one, at) for at, one in enumerate(known(app))])


@operation(
    output="app.services.labels.LabelDetails",
    path="POST /v1/email/labels",
    example={"name": "Bills", "sentence": "invoices and receipts"},
    risk="person",
    columns=("id", "name", "sentence", "words", "without", "threads", "unread"),
    card=cards.LABEL,
    cli=Command(
        name="create",
        heading="labels",
        after="list",
        help="Make a label NAME for the mail that SENTENCE is about.",
    ),
)
def add_label(app: App, call: OperationCall[AddLabelInput]) -> LabelDetails:
    """Make a label of a name and a sentence that says which mail it is for.

    Raises:
        BadArgument: The name is taken, the sentence says nothing that can be looked for, or there are too many.
        MailError: The ledger cannot be written.
    """
    from gaia_email.app.services import labels as service

    made = service.add_label(app, call.asked.name, call.asked.sentence)
    return _details(app, made.id)


@operation(
    output="app.services.labels.LabelDetails",
    path="PUT /v1/email/labels/{id}",
    example={"id": "00000000", "sentence": "invoices"},
    risk="person",
)
def change_label(app: App, call: OperationCall[ChangeLabelInput]) -> LabelDetails:
    """Give a label another sentence, or another place among the labels.

    Raises:
        MailError: There is no such label, the sentence says nothing, or the ledger cannot be written.
    """
    from gaia_email.app.services import labels as service

    asked = call.asked
    position = None if asked.position is UNSET else asked.position
    changed = service.change_label(app, asked.id, sentence=asked.sentence or None, position=position)
    return _details(app, changed.id)


@operation(
    output="app.services.labels.LabelDetails",
    path="DELETE /v1/email/labels/{id}",
    example={"id": "00000000"},
    risk="person",
    columns=("id", "name", "sentence", "words", "without", "threads", "unread"),
    card=cards.LABEL,
    cli=Command(
        name="remove",
        heading="labels",
        after="test",
        help="Remove a label; what your mail provider has under its name stays.",
    ),
)
def remove_label(app: App, call: OperationCall[RemoveLabelInput]) -> LabelDetails:
    """Remove a label, or get it back; what the mail provider has under its name stays.

    Raises:
        MailError: There is no such label, or the ledger cannot be written.
    """
    from gaia_email.app.services import labels as service

    removed = service.remove_label(app, call.asked.id, back=call.asked.back)
    return service.label_details(removed, 0)


def _details(app: App, id_: str) -> LabelDetails:
    from gaia_email.app.services.labels import label_details
    from gaia_email.app.services.labels import labels as known

    (found,) = (label_details(one, at) for at, one in enumerate(known(app)) if one.id == id_)
    return found


@operation(
    output="labels-test",
    path="POST /v1/email/labels/test",
    example={"sentence": "invoices and receipts", "limit": 5},
    mailbox="all",
    cli=Command(
        name="test",
        heading="labels",
        after="create",
        help="List the inbox threads that a label with SENTENCE would get, each with a reason; nothing is changed.",
        view="commands.labels.THREADS",
    ),
)
def test_label(app: App, call: OperationCall[TryLabelInput]) -> LabelledThreads:
    """List the threads of the inbox that a label with this sentence would get, each with a reason; nothing is changed.

    Raises:
        MailError: No mailbox can be read.
    """
    from gaia_email.app.services.label_threads import threads_of_label
    from gaia_email.app.services.labels import UserLabel, require_sentence

    tried = UserLabel(id="", name="", sentence=require_sentence(call.asked.sentence))
    return threads_of_label(app, call.sources, tried, offset=0, limit=call.asked.limit)


@operation(
    output="labels-test",
    path="GET /v1/email/labels/{id}/threads",
    example={"id": "00000000"},
    mailbox="all",
)
def label_threads(app: App, call: OperationCall[LabelThreadsInput]) -> LabelledThreads:
    """The threads of the inbox that have a label, the most pressing first, each with why it has it.

    Raises:
        MailError: There is no such label, or no mailbox can be read.
    """
    from gaia_email.app.services.label_threads import threads_of_label
    from gaia_email.app.services.labels import label_of

    asked = call.asked
    label = label_of(app, asked.id)
    return threads_of_label(app, call.sources, label, offset=asked.offset, limit=asked.limit)


@operation(
    output=CommandOutcome,
    path="POST /v1/email/label",
    example={"message_ids": ["MESSAGE"], "label": "Bills"},
    risk="person",
    mailbox="one",
    cli=Command(
        name="label",
        heading="Act",
        after="move",
        line="Give messages one of your labels, or take it off.",
        help="""Give messages one of your labels, or take it off them with --off; both teach which mail it is for.

    `gaia email labels create NAME SENTENCE` makes a label; `gaia email labels` lists those you have.
    """,
        view="did.ACTED",
    ),
)
def put_label(app: App, call: OperationCall[PutLabelInput]) -> CommandOutcome:
    """Give messages a label, at the mail provider too, or take it off them; both teach which mail it is for.

    Raises:
        MailError: There is no such label or message, or the mailbox can only be read, or cannot be used.
    """
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.user_labels import put_label as put
    from gaia_email.actions.user_labels import summaries_named
    from gaia_email.app.services.labels import TakenOff, label_of, note_taken_off

    asked, session_id = call.asked, call.session_id or None
    label = label_of(app, asked.label)
    named: list[TakenOff] = []
    why = f"You took {label.name} off it." if asked.off else f"You labelled it {label.name}."

    async def carry_out(session: AccountSession) -> AppliedActions:
        found = await summaries_named(session, asked.message_ids)
        named.extend(
            TakenOff(
                account=one["account"],
                message_id=one["id"],
                thread_id=one["thread_id"],
                sender=one["from"]["address"].lower(),
            )
            for one in found
        )
        if asked.back:
            return AppliedActions()
        return await put(session, found, label.name, why, off=asked.off, session_id=session_id)

    done = act_on_mailbox(app, call, "label", carry_out)
    note_taken_off(app, label.id, named, back=asked.back or not asked.off)
    return done
