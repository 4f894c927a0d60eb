"""The question for a call. Entry: `question`; mail that goes out has `mail.about_mail`."""

from __future__ import annotations

from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.inputs import ToolInput
from gaia_mail_mcp.surface.call import Surface
from gaia_mail_mcp.surface.questions import events, messages, rules
from gaia_mail_mcp.surface.questions.mail import about_draft
from gaia_mail_mcp.surface.questions.model import ApprovalQuestion, printable


async def question(surface: Surface, name: str, given: ToolInput) -> ApprovalQuestion:
    """What `name` would do with these arguments; what would be refused anyway is not asked.

    Raises:
        MailError: It cannot be done, or something it is about does not exist.
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
