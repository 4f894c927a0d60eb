"""A checked call: the question that shows its effect, and the code for exactly that effect. Entry: `plan`.

A call that the mailbox would refuse is refused here, without asking the user. The plan is made again after the
approval and must show the same; the bytes sent are those that the question was built from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.inputs import ToolInput
from gaia_mail.asking.arguments import require_renderers
from gaia_mail_mcp.surface.call import BoundCall, Surface, ToolReply
from gaia_mail_mcp.surface.questions import events, messages, rules
from gaia_mail_mcp.surface.questions.mail import about_draft, about_mail
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion, printable


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPlan:
    """A question, and the effect of approving it."""

    question: ApprovalQuestion
    run: Callable[[], Awaitable[ToolReply]]


async def plan(surface: Surface, name: str, bound: BoundCall) -> QuestionPlan:
    """Plan the call for the current state of the mailbox.

    Raises:
        BadArgument: It has an argument that no question can show.
        MailError: It is not possible even with approval.
    """
    from gaia_mail_mcp.surface import sending

    given = bound.arguments
    shown = given.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"confirm"})
    require_renderers(name, shown)
    match given:
        case inputs.SendEmail() | inputs.ReplyToEmail() | inputs.ForwardEmail() | inputs.SendDraft():
            built = await sending.prepare_message(surface, given)
            return QuestionPlan(
                question=await about_mail(surface, built),
                run=partial(sending.deliver, surface, given, built),
            )
        case _:
            return QuestionPlan(question=await _question(surface, name, given), run=bound.run)


async def _question(surface: Surface, name: str, given: ToolInput) -> ApprovalQuestion:
    """Return the question about `name` with these arguments; refuses impossible calls without asking.

    Raises:
        MailError: It is not possible, or an item that it is about does not exist.
    """
    match given:
        case inputs.DeleteEmail():
            return await messages.about_deletion(surface, [given.message_id], permanent=given.permanent)
        case inputs.BatchDeleteEmails():
            return await messages.about_deletion(surface, given.message_ids, permanent=given.permanent)
        case inputs.ModifyEmail() | inputs.BatchModifyEmails():
            return await messages.about_labels(surface, given)
        case inputs.MessageIds():
            return await messages.about_many(surface, name, given)
        case inputs.UpdateDraft() | inputs.DeleteDraft():
            return await about_draft(surface, given)
        case inputs.Unsubscribe():
            return await messages.about_leaving(surface, given.message_id)
        case inputs.SetVacation():
            from gaia_mail_mcp.surface.vacation import wanted_answer

            told = await wanted_answer(surface, given)
            return ApprovalQuestion(text=f"Answer everybody who writes, by itself?\n\n{printable(told)}")
        case inputs.CreateCalendarEvent() | inputs.RespondToInvitation() | inputs.DeleteCalendarEvent():
            return await events.about_event(surface, given)
        case _:
            return await rules.about_rules(surface, name, given)
