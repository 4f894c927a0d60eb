"""Answers a message from one of the user's templates. Entries: `send_from_template`, `template_answer`."""

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
    """Send the answer after the gate has asked the user.

    Args:
        app: The running program.
        session: The mailbox, opened for acting.
        source: The same mailbox, to determine its owner.
        message_id: The message to answer.
        name: The template.
        chosen: Values for its slots, by name.
        session_id: The chat session of the request, for the record.

    Raises:
        NotFound: The message or the template does not exist.
        BadArgument: The message may not be answered this way, or a slot cannot be filled.
        NeedsApproval: The user did not agree; nothing was sent.
        MailError: The mailbox cannot be used, or it is unknown whether the answer was sent.
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
    """Return the question that the gate would ask before sending the answer; nothing is sent.

    Raises:
        MailError: As in `send_from_template`.
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
    """Return the answer, and the cohort of the message."""
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
    """Fill empty sentence slots using the user's chosen model; returns nothing without a model.

    `fill` still checks each sentence: its length, its numbers, and that it makes no commitment.
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
