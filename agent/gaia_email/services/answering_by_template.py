"""Answers a message with words the user wrote beforehand; the gate asks. Entry point: `answer_by_template`."""

from __future__ import annotations

import asyncio
from time import time

from gaia_email.actions.account_session import open_desk
from gaia_email.actions.answer import prepare_answer
from gaia_email.actions.answering import send_answer
from gaia_email.actions.applying import Applied
from gaia_email.ledger import open_ledger
from gaia_email.policy.gate import Prompt
from gaia_email.policy_store import stored_rules
from gaia_email.services.mail_source import MailSource
from gaia_email.triage.inbox import look_up
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.errors import NotFound


def answer_by_template(
    source: MailSource, message_id: str, name: str, *, prompt: Prompt | None, actor: str, session_id: str
) -> Applied:
    """Send it, if the user agrees to exactly what is shown.

    Raises:
        NotFound: There is no such message or template.
        BadArgument: The message may not be answered so.
        NeedsApproval: The user did not agree; nothing was sent.
        MailError: The mailbox cannot be used, or nobody knows whether the answer went out.
    """
    rules = stored_rules()

    async def main() -> Applied:
        with open_ledger() as ledger:
            async with open_desk(source.place.spec, ledger, prompt=prompt, actor=actor) as desk:
                template = desk.templates.get(name)
                if template is None:
                    raise NotFound(
                        f"There is no usable template {name[:60]!r}.",
                        argument="template",
                        hint="gaia email policy templates lists them.",
                    )
                found = await look_up(
                    desk.copy, default_tier(), message_id, now=time(), owner=source.owner, rules=rules
                )
                cohort = found.decision.cohort
                answer = await prepare_answer(desk, found.summary, template, cohort, owner=source.owner)
                return await send_answer(desk, answer, cohort, session_id=session_id)

    return asyncio.run(main())
