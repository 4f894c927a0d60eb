"""Operations on drafts of automations; only `save_draft` creates an automation, and only the user may call it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import on_command_line
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_automations import cards
from gaia_email_automations.operations import HELLO, AutomationInput, CheckAutomationInput

if TYPE_CHECKING:
    from gaia_email_automations.documents import AutomationProgram
    from gaia_email_automations.draft_documents import (
        AutomationDifference,
        DescribedDraft,
        DraftList,
        ExportedAutomation,
        StarterList,
    )

DraftId = Annotated[
    str,
    Meta(min_length=1, max_length=40, description="A draft's id."),
    on_command_line(argument=True, metavar="DRAFT"),
]
DraftWords = Annotated[str, Meta(max_length=1000, description="Wish in a sentence.")]
DraftAnswers = Annotated[
    dict[str, Any], Meta(max_length=20, description="Answers by question."), on_command_line(hidden=True)
]
DraftModel = Annotated[
    Literal["if_needed", "never", "always"],
    Meta(description="Use of the language model you chose: where the grammar is not enough, or never."),
]


class ProposeAutomationInput(OperationInput, frozen=True, kw_only=True):
    """A sentence, or a starter."""

    words: Annotated[DraftWords, on_command_line(argument=True, metavar="SENTENCE")] = ""
    starter: Annotated[
        str, Meta(max_length=60, description="Begin with this starter."), on_command_line(metavar="NAME")
    ] = ""
    zone: Annotated[
        str,
        Meta(max_length=60, description="The IANA time zone; asked for where it is needed."),
        on_command_line(metavar="ZONE"),
    ] = ""
    model: DraftModel = "if_needed"


class AutomationDraftInput(OperationInput, frozen=True, kw_only=True):
    """One draft."""

    draft_id: DraftId


class RefineAutomationInput(AutomationDraftInput, frozen=True, kw_only=True):
    """A draft, and how it is changed."""

    words: Annotated[
        str,
        Meta(max_length=1000, description="The change, such as: weekdays only."),
        on_command_line(argument=True, metavar="CHANGE"),
    ] = ""
    values: DraftAnswers = msgspec.field(default_factory=dict[str, Any])
    patch: Annotated[
        tuple[dict[str, Any], ...],
        Meta(max_length=100, description="Operations of a JSON Patch (RFC 6902)."),
        on_command_line(hidden=True),
    ] = ()
    model: DraftModel = "if_needed"


class SaveAutomationDraftInput(AutomationDraftInput, frozen=True, kw_only=True):
    """A draft, the last answers, and what may happen in it without a question."""

    values: DraftAnswers = msgspec.field(default_factory=dict[str, Any])
    flows: Annotated[
        tuple[Annotated[str, Meta(max_length=300)], ...],
        Meta(max_length=100, description="Lines of its flows that runs need not ask about."),
        on_command_line(option="--flow", metavar="LINE"),
    ] = ()
    replaces: Annotated[
        str,
        Meta(max_length=100, description="The automation of which it is a new version; empty for a new one."),
        on_command_line(metavar="AUTOMATION"),
    ] = ""


class DiffAutomationInput(AutomationInput, frozen=True, kw_only=True):
    """An automation, and what it is compared with."""

    definition: Annotated[
        dict[str, Any], Meta(description="Another definition; empty for none."), on_command_line(hidden=True)
    ] = msgspec.field(default_factory=dict[str, Any])
    version: Annotated[
        int,
        Meta(ge=0, description="An older version; 0 for the one before, where no definition is given."),
        on_command_line(hidden=True),
    ] = 0


@operation(
    output="automation-draft",
    path="POST /v1/automations/drafts",
    example={"starter": "vip_alert"},
    risk="draft",
)
def propose_automation(app: App, call: OperationCall[ProposeAutomationInput]) -> DescribedDraft:
    """Make a draft of an automation from a sentence or a starter; nothing is saved, and it is kept for an hour.

    Raises:
        BadArgument: It was not understood.
        MailError: The ledger cannot be written, or the model failed.
    """
    from gaia_email_automations.draft_documents import describe_draft
    from gaia_email_automations.draft_use_cases import DraftWish, propose

    asked = call.asked
    wish = DraftWish(words=asked.words, starter=asked.starter, zone=asked.zone, model=asked.model)
    return describe_draft(propose(app, wish, tell=call.tell))


@operation(
    output="automation-draft",
    path="POST /v1/automations/drafts/{draft_id}/refine",
    example={"draft_id": "00000000", "words": "weekdays only"},
    risk="draft",
)
def refine_automation(app: App, call: OperationCall[RefineAutomationInput]) -> DescribedDraft:
    """Change a draft by words, answers or a JSON Patch; the answer has the difference.

    Raises:
        NotFound: There is no such draft.
        BadArgument: It was not understood, or does not fit.
    """
    from gaia_email_automations.draft_documents import describe_draft
    from gaia_email_automations.draft_use_cases import refine

    asked = call.asked
    draft = refine(
        app,
        asked.draft_id,
        words=asked.words,
        values=asked.values,
        patch=asked.patch,
        model=asked.model,
        tell=call.tell,
    )
    return describe_draft(draft)


@operation(
    output="automation-draft",
    path="GET /v1/automations/drafts/{draft_id}",
    example={"draft_id": "00000000"},
    columns=("id", "name", "by", "is_complete", "expires_at"),
    card=cards.DRAFT,
    cli=Command(
        name="draft",
        heading="automations",
        after="refine",
        help="A draft: what it would do, what is worth checking, what is open.",
        failed="errors",
    ),
)
def automation_draft(app: App, call: OperationCall[AutomationDraftInput]) -> DescribedDraft:
    """Show a draft: what it would do, what is worth checking, what is open.

    Raises:
        NotFound: There is none, or its time is over.
    """
    from gaia_email_automations.draft_documents import describe_draft
    from gaia_email_automations.draft_use_cases import found_draft

    return describe_draft(found_draft(app, call.asked.draft_id))


@operation(
    output="automation-drafts",
    path="GET /v1/automations/drafts",
    columns=("id", "name", "by", "missing", "expires_at"),
    rows="drafts",
    card=cards.DRAFTS,
    cli=Command(
        name="drafts",
        heading="automations",
        after="draft",
        help="Drafts that nobody has saved.",
    ),
)
def automation_drafts(app: App, call: OperationCall[NoInput]) -> DraftList:
    """List the drafts that nobody has saved.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email_automations.draft_documents import list_drafts
    from gaia_email_automations.draft_use_cases import all_drafts

    return list_drafts(all_drafts(app))


@operation(
    output="automation",
    path="POST /v1/automations/drafts/{draft_id}/save",
    example={"draft_id": "00000000"},
    risk="person",
    mailbox="one",
    columns=("id", "name", "status", "version", "account", "updated_at"),
    rows="automation",
    card=cards.ONE,
)
def save_automation_draft(app: App, call: OperationCall[SaveAutomationDraftInput]) -> AutomationProgram:
    """Save a draft for a mailbox; only a person does.

    Raises:
        NotFound: There is no such draft.
        BadArgument: A question is open, or it has errors.
    """
    from gaia_email_automations.documents import describe_automation
    from gaia_email_automations.draft_use_cases import save_draft

    asked = call.asked
    saved = save_draft(
        app,
        call.source,
        asked.draft_id,
        values=asked.values,
        flows=asked.flows,
        replaces=asked.replaces,
        actor=call.actor,
    )
    return describe_automation(saved)


@operation(
    output="automation-starters",
    path="GET /v1/automations/starters",
    columns=("name", "title", "says"),
    rows="starters",
    card=cards.STARTERS,
    cli=Command(
        name="starters",
        heading="automations",
        after="save",
        help="Definitions to begin with: propose --starter NAME.",
    ),
)
def automation_starters(app: App, call: OperationCall[NoInput]) -> StarterList:
    """List definitions to begin with, and what each asks."""
    from gaia_email_automations.authoring.starters import starters
    from gaia_email_automations.draft_documents import list_starters

    return list_starters(starters())


@operation(
    output="automation-draft", path="POST /v1/automations/import", example={"definition": HELLO}, risk="draft"
)
def import_automation(app: App, call: OperationCall[CheckAutomationInput]) -> DescribedDraft:
    """Take in a definition from elsewhere as a draft, to be looked at and saved by a person of this machine.

    Raises:
        BadArgument: It has errors.
    """
    from gaia_email_automations.draft_documents import describe_draft
    from gaia_email_automations.draft_use_cases import import_draft

    return describe_draft(import_draft(app, call.asked.definition))


@operation(
    output="automation-export",
    path="GET /v1/automations/{automation_id}/export",
    example={"automation_id": "00000000"},
)
def export_automation(app: App, call: OperationCall[AutomationInput]) -> ExportedAutomation:
    """Give an automation's definition, to be imported elsewhere.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.draft_documents import describe_export
    from gaia_email_automations.use_cases import details

    return describe_export(details(app, call.asked.automation_id))


@operation(
    output="automation-diff",
    path="POST /v1/automations/{automation_id}/diff",
    example={"automation_id": "00000000", "version": 1},
    columns=("op", "path", "value"),
    rows="changes",
    card=cards.DIFFERENCE,
)
def diff_automation(app: App, call: OperationCall[DiffAutomationInput]) -> AutomationDifference:
    """Compare an automation with another definition, or with an older version of its own, as a JSON Patch.

    Raises:
        NotFound: There is no such automation or version.
    """
    from gaia_email_automations.draft_documents import describe_difference
    from gaia_email_automations.draft_use_cases import difference

    asked = call.asked
    return describe_difference(*difference(app, asked.automation_id, asked.definition, asked.version))


@operation(
    output="automation-drafts",
    path="POST /v1/automations/suggest",
    risk="draft",
    mailbox="one",
    columns=("id", "name", "by", "missing", "expires_at"),
    rows="drafts",
    card=cards.DRAFTS,
    cli=Command(
        name="suggest",
        heading="automations",
        after="starters",
        help="Suggest automations from habits in your mail, as questions in the Agent Inbox.",
    ),
)
def suggest_automations(app: App, call: OperationCall[NoInput]) -> DraftList:
    """Look at habits that the mailbox shows, and ask in the Agent Inbox whether they may go by themselves.

    Raises:
        MailError: The mailbox or the ledger cannot be used.
    """
    from gaia_email_automations.draft_documents import list_drafts
    from gaia_email_automations.draft_use_cases import propose_from_habits

    return list_drafts(propose_from_habits(app, call.source))
