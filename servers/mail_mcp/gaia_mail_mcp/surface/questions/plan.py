"""A call that was looked at: what it would do, as a person is shown it, and the doing of exactly that. Entry: `plan`.

What would be refused anyway is refused here, so that nobody is asked about it. A plan is made again after the yes and
has to show the same; what is sent are the bytes that the question was made from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.inputs import ToolInput
from gaia_email_registry.errors import NeedsApproval
from gaia_mail_mcp.surface.call import BoundCall, Surface, ToolReply
from gaia_mail_mcp.surface.questions.mail import about_mail
from gaia_mail_mcp.surface.questions.make import question
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion
from gaia_mail_mcp.wrappers.no_send import NO_ANSWERING, NO_INVITING, REFUSAL


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPlan:
    """What is asked, and what a yes does."""

    question: ApprovalQuestion
    run: Callable[[], Awaitable[ToolReply]]


async def plan(surface: Surface, name: str, bound: BoundCall) -> QuestionPlan:
    """What the call would do now.

    Raises:
        MailError: It cannot be done, whatever anybody says.
    """
    from gaia_mail_mcp.surface import sending

    given = bound.arguments
    if surface.settings.no_send:
        _require_silence(given)
    match given:
        case inputs.SendEmail() | inputs.ReplyToEmail() | inputs.ForwardEmail() | inputs.SendDraft():
            built = await sending.prepared(surface, given)
            return QuestionPlan(
                question=await about_mail(surface, built),
                run=partial(sending.deliver, surface, given, built),
            )
        case _:
            return QuestionPlan(question=await question(surface, name, given), run=bound.run)


def _require_silence(given: ToolInput) -> None:
    """Refuse what a server that sends nothing would refuse after the question.

    Raises:
        NeedsApproval: It would tell somebody something.
    """
    match given:
        case inputs.CreateFilter() if given.action.forward:
            raise NeedsApproval(REFUSAL, argument="action.forward")
        case inputs.SetVacation() if given.enabled is not False:
            raise NeedsApproval(NO_ANSWERING)
        case inputs.CreateCalendarEvent() if given.attendees:
            raise NeedsApproval(NO_INVITING, argument="attendees")
        case inputs.RespondToInvitation() | inputs.DeleteCalendarEvent() if given.notify:
            raise NeedsApproval(NO_INVITING, argument="notify", hint="Set notify to false.")
        case _:
            pass
