"""A call that was looked at: what it would do, as a person is shown it, and the doing of exactly that. Entry: `plan`.

What a mailbox would refuse is refused here, so that nobody is asked about it. A plan is made again after the yes and
has to show the same; what is sent are the bytes that the question was made from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from gaia_email_registry.contract import inputs
from gaia_mail.asking.arguments import require_renderers
from gaia_mail_mcp.surface.call import BoundCall, Surface, ToolReply
from gaia_mail_mcp.surface.questions.mail import about_mail
from gaia_mail_mcp.surface.questions.make import question
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPlan:
    """What is asked, and what a yes does."""

    question: ApprovalQuestion
    run: Callable[[], Awaitable[ToolReply]]


async def plan(surface: Surface, name: str, bound: BoundCall) -> QuestionPlan:
    """What the call would do now.

    Raises:
        BadArgument: It has an argument that no question can show.
        MailError: It cannot be done, whatever anybody says.
    """
    from gaia_mail_mcp.surface import sending

    given = bound.arguments
    shown = given.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"confirm"})
    require_renderers(name, shown)
    match given:
        case inputs.SendEmail() | inputs.ReplyToEmail() | inputs.ForwardEmail() | inputs.SendDraft():
            built = await sending.prepared(surface, given)
            return QuestionPlan(
                question=await about_mail(surface, built),
                run=partial(sending.deliver, surface, given, built),
            )
        case _:
            return QuestionPlan(question=await question(surface, name, given), run=bound.run)
