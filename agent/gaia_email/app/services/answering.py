"""Answers a message from a template of the user's. Entries: `send_from_template`, `template_answer`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.actions.answer import TemplateAnswer, prepare_answer
from gaia_email.actions.answering import require_answerable, send_answer
from gaia_email.actions.applying import AppliedActions
from gaia_email.app import App
from gaia_email.app.services.acting import with_account_session
from gaia_email.app.services.opening import owner_of
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.policy.question import question
from gaia_email.triage.inbox import FoundMessage, look_up
from gaia_email.triage.tiers import has_models
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.policy.question import CallQuestion
    from gaia_email.policy.templates import Template
    from gaia_email_registry.origin import RequestOrigin


async def send_from_template(
    app: App,
    session: AccountSession,
    source: SourceSpec,
    message_id: str,
    name: str,
    chosen: Mapping[str, str],
    *,
    session_id: str | None = None,
) -> AppliedActions:
    """Send the answer, after the gate has asked.

    Args:
        app: The running program.
        session: The mailbox, opened for acting.
        source: The same, for whose mail it is.
        message_id: What is answered.
        name: The template.
        chosen: Words for its slots, by name.
        session_id: The conversation it is asked for in, for the record.

    Raises:
        NotFound: There is no such message or template.
        BadArgument: The message may not be answered so, or a slot cannot be filled.
        NeedsApproval: The user did not agree; nothing was sent.
        MailError: The mailbox cannot be used, or nobody knows whether the answer went out.
    """
    answer, cohort = await _prepared(app, session, source, message_id, name, chosen)
    return await send_answer(session, answer, cohort, session_id=session_id)


def template_answer(
    app: App,
    source: SourceSpec,
    message_id: str,
    name: str,
    chosen: Mapping[str, str],
    *,
    origin: RequestOrigin,
) -> CallQuestion:
    """What the gate would ask before the answer goes; nothing is sent.

    Raises:
        MailError: As `send_from_template`.
    """

    async def prepare(session: AccountSession) -> CallQuestion:
        answer, cohort = await _prepared(app, session, source, message_id, name, chosen)
        await require_answerable(session, answer, cohort)
        return question(answer.call, answer.facts)

    return with_account_session(app, source, prepare, prompt=None, origin=origin)


async def _prepared(
    app: App,
    session: AccountSession,
    source: SourceSpec,
    message_id: str,
    name: str,
    chosen: Mapping[str, str],
) -> tuple[TemplateAnswer, str]:
    """The answer, and the cohort of the message."""
    template = session.templates.get(name)
    if template is None:
        raise NotFound(
            f"There is no usable template {name[:60]!r}.",
            argument="template",
            hint="gaia email policy templates lists them, and says what is wrong with one.",
        )
    owner = owner_of(app, source)
    found = await look_up(
        session.copy,
        app.tier(),
        message_id,
        now=app.clock(),
        owner=owner,
        rules=stored_rules(environ=app.environ),
    )
    cohort = found.decision.cohort
    chosen = {**chosen, **await _acknowledged(app, template, chosen, found)}
    return await prepare_answer(session, found.summary, template, cohort, owner=owner, chosen=chosen), cohort


async def _acknowledged(
    app: App, template: Template, chosen: Mapping[str, str], found: FoundMessage
) -> dict[str, str]:
    """The sentence slots that nobody filled, by the model that the user chose; nothing where there is none.

    `fill` has the last word on each: its length, its numbers, and that it commits to nothing.
    """
    left = [slot for slot in template.slots if slot.kind == "sentence" and slot.name not in chosen]
    if not left or not has_models(app.environ):
        return {}
    from gaia_email.app.services.model_writing import ReplyMaterial, write_sentences

    prepared, sender = found.understood.prepared, found.summary["from"]
    name = f"{sender['name']} <{sender['address']}>"
    material = ReplyMaterial(mails=[(name, prepared.normalized)], language=prepared.language)
    account = found.summary["account"]
    filled: dict[str, str] = {}
    for slot in left:
        written = await write_sentences(material, app.environ, task="acknowledge", most=1, account=account)
        if written.sentences and not written.marked:
            filled[slot.name] = written.sentences[0]
    return filled
