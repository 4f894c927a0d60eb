"""Operations that answer a message with the user's approval. Entries: `reply_by_template`, `keep_reply`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, field

from gaia_email.app import App
from gaia_email.app.documents.actions import CommandOutcome
from gaia_email.app.documents.composing import KeptDraftDocument
from gaia_email.app.operations.acting import DraftInput, made_reply
from gaia_email.app.operations.inputs import MessageId
from gaia_email.app.operations.mailbox_work import act_on_mailbox
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.applying import AppliedActions


class ReplyByTemplateInput(OperationInput, frozen=True, kw_only=True):
    """A message, and the template to answer it from."""

    message_id: MessageId
    template: Annotated[str, Meta(min_length=1, max_length=200, description="As templates lists it.")]
    slots: Annotated[dict[str, str], Meta(description="Words for slots of the template, by name.")] = field(
        default_factory=dict[str, str]
    )


@operation(output=CommandOutcome, risk="person", mailbox="one")
def reply_by_template(app: App, call: OperationCall[ReplyByTemplateInput]) -> CommandOutcome:
    """Answer a message from a template of the user's, if they agree to exactly what the gate shows.

    Raises:
        NotFound: There is no such message or template.
        NeedsApproval: The user did not agree; nothing was sent.
        MailError: The message may not be answered so, or nobody knows whether the answer went out.
    """
    from gaia_email.app.services.answering import send_from_template

    asked, session_id = call.asked, call.session_id or None

    async def answer(session: AccountSession) -> AppliedActions:
        return await send_from_template(
            app, session, call.source, asked.message_id, asked.template, asked.slots, session_id=session_id
        )

    return act_on_mailbox(app, call, "answer", answer)


@operation(output=KeptDraftDocument, risk="person", mailbox="one")
def keep_reply(app: App, call: OperationCall[DraftInput]) -> dict[str, Any]:
    """Keep a reply as a draft in the mailbox; it is not sent.

    Raises:
        NeedsApproval: It is not the draft that was agreed to; nothing was kept.
        MailError: The reply cannot be made, or the mailbox keeps no drafts.
    """
    from gaia_email.app.services.drafting import draft_row, save_draft
    from gaia_email.app.services.questions import draft_question, require_agreed

    made = made_reply(app, call)
    account = made.found.summary["account"]
    require_agreed(call.confirm, draft_question(account, draft_row(made)))
    action = save_draft(app, call.source, made, origin=call.origin, session_id=call.session_id or None)
    return {"schema_version": 1, "account": account, "action_id": action}
