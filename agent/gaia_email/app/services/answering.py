"""Answers a message from a template of the user's. Entries: `answer_from_template`, `send_from_template`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gaia_email.actions.answer import TemplateAnswer, prepare_answer
from gaia_email.actions.answering import require_answerable, send_answer
from gaia_email.actions.applying import AppliedActions
from gaia_email.app import App
from gaia_email.app.services.opening import owner_of
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.triage.inbox import FoundMessage, look_up
from gaia_email.triage.tiers import has_models
from gaia_email_registry.errors import NotFound

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.policy.templates import Template


async def answer_from_template(
    app: App,
    session: AccountSession,
    source: SourceSpec,
    message_id: str,
    name: str,
    chosen: Mapping[str, str],
    *,
    dry_run: bool,
    session_id: str | None = None,
) -> TemplateAnswer | AppliedActions:
    """Send the answer, after the gate has asked; with `dry_run` only what would be sent.

    Args:
        app: The running program.
        session: The mailbox, opened for acting.
        source: The same, for whose mail it is.
        message_id: What is answered.
        name: The template.
        chosen: Words for its slots, by name.
        dry_run: Whether nothing is sent.
        session_id: The conversation it is asked for in, for the record.

    Raises:
        NotFound: There is no such message or template.
        BadArgument: The message may not be answered so, or a slot cannot be filled.
        NeedsApproval: The user did not agree; nothing was sent.
        MailError: The mailbox cannot be used, or nobody knows whether the answer went out.
    """
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
    answer = await prepare_answer(session, found.summary, template, cohort, owner=owner, chosen=chosen)
    if dry_run:
        await require_answerable(session, answer, cohort)
        return answer
    return await send_answer(session, answer, cohort, session_id=session_id)


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


async def send_from_template(
    app: App, session: AccountSession, source: SourceSpec, message_id: str, name: str, *, session_id: str
) -> AppliedActions:
    """Send the answer with the template's own words, if the user agrees to exactly what is shown.

    Raises:
        MailError: As `answer_from_template`.
    """
    sent = await answer_from_template(
        app, session, source, message_id, name, {}, dry_run=False, session_id=session_id
    )
    assert isinstance(sent, AppliedActions)
    return sent
