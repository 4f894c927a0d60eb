"""Drafts of automations for all interfaces: proposed, changed, and saved by the user.

Entries: `propose`, `refine`, `save_draft`; `propose_to_person` for callers that may not save.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from gaia_email_automations.authoring.describing import recipients_of, summary_of
from gaia_email_automations.authoring.drafts import KEPT_S, PROPOSED_S, AutomationDraft, AutomationDrafts
from gaia_email_automations.authoring.patching import apply_patch, diff
from gaia_email_automations.authoring.refining import refine_template
from gaia_email_automations.authoring.sentences import read_sentence
from gaia_email_automations.authoring.starters import starter_named
from gaia_email_automations.authoring.template import AutomationTemplate
from gaia_email_automations.details import AutomationDetails
from gaia_email_automations.store import AutomationStore
from gaia_email_automations.use_cases import details, save_automation
from gaia_email_registry.errors import BadArgument, MailError, NeedsApproval, NotFound
from gaia_email_registry.origin import OURS, RequestOrigin

if TYPE_CHECKING:
    from gaia_email.app import App
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.ledger import Ledger
    from gaia_email_automations.authoring.generating import AuthoringRequest

ModelUse = Literal["if_needed", "never", "always"]
"""Use of the chosen model: only if the grammar does not understand the sentence, never, or always."""

ABOUT = "automation:"
"""Prefix of a proposal's subject in the Agent Inbox."""

MOST_PROPOSED = 10
"""Maximum number of pending proposals."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftWish:
    """The input for a draft.

    Attributes:
        words: A sentence; may be empty if there is a starter.
        starter: The name of a starter; empty for none.
        zone: The requester's time zone; if unknown, it is asked for when needed.
        model: Whether a language model takes part.
        kept_s: Seconds for which the draft is stored.
    """

    words: str = ""
    starter: str = ""
    zone: str = ""
    model: ModelUse = "if_needed"
    kept_s: float = KEPT_S


def _unheard(said: str) -> None:
    """Ignore the text: nobody is waiting."""


def propose(app: App, wish: DraftWish, *, tell: Tell = _unheard) -> AutomationDraft:
    """Make a draft, stored for an hour; no automation is saved.

    Raises:
        BadArgument: The sentence was not understood, and there is no model to ask.
        NotFound: The starter does not exist.
        MailError: The ledger cannot be written, or the model failed.
    """
    with app.ledger() as ledger:
        made = _starter(wish) if wish.starter else _from_words(app, ledger, wish, tell)
        made = replace(made, review=_review(app, made, tell) if wish.model == "always" else {})
        return AutomationDrafts(ledger).add(made, kept_s=wish.kept_s)


def _new(
    by: str, template: AutomationTemplate, words: Sequence[str], notes: Sequence[str]
) -> AutomationDraft:
    return AutomationDraft(draft_id="", words=tuple(words), by=by, template=template, notes=tuple(notes))


def _starter(wish: DraftWish) -> AutomationDraft:
    found = starter_named(wish.starter)
    template = found.template
    if wish.zone and "zone" in template.fields:
        template = template.answer({"zone": wish.zone})
    return _new("starter", template, (found.title,), ())


def _from_words(app: App, ledger: Ledger, wish: DraftWish, tell: Tell) -> AutomationDraft:
    if not wish.words.strip():
        raise BadArgument("Say what should happen, or name a starter.", argument="words")
    if wish.model == "always":
        return _by_model(app, _request(ledger, (wish.words,), wish.zone), tell)
    try:
        read = read_sentence(wish.words, zone=wish.zone)
    except BadArgument:
        if wish.model == "never":
            raise
        with suppress(NotFound):
            return _by_model(app, _request(ledger, (wish.words,), wish.zone), tell)
        raise
    if read.unclear and wish.model == "if_needed":
        with suppress(MailError):  # ask about the unclear parts instead
            return _by_model(app, _request(ledger, (wish.words,), wish.zone), tell)
    return _new("grammar", read.template, (wish.words,), read.notes)


def _request(
    ledger: Ledger, words: tuple[str, ...], zone: str, before: AutomationTemplate | None = None
) -> AuthoringRequest:
    from gaia_email_automations.authoring.generating import AuthoringRequest
    from gaia_email_automations.slack import WEBHOOKS

    with ledger.read() as tx:
        names = tuple(one.name for one in AutomationStore.of(ledger).all(tx))
        webhooks = ledger.documents.read(tx, WEBHOOKS)
    return AuthoringRequest(
        words=words,
        zone=zone,
        automations=names[:50],
        webhooks=tuple(webhooks.value if webhooks else ())[:50],
        before=before,
    )


def _by_model(app: App, request: AuthoringRequest, tell: Tell) -> AutomationDraft:
    from gaia_email_automations.authoring.generating import generate

    made = asyncio.run(generate(request, app.environ, tell=tell))
    return _new(made.model, made.template, request.words, made.notes)


def _review(app: App, draft: AutomationDraft, tell: Tell) -> dict[str, Any]:
    """Return the model's review; empty if there is none."""
    from gaia_email_automations.authoring.generating import review

    read = draft.template.check().definition
    if read is None:
        return {}
    with suppress(MailError):
        return asyncio.run(review(read, draft.template.definition, app.environ, tell=tell))
    return {}


def refine(
    app: App,
    draft_id: str,
    *,
    words: str = "",
    values: Mapping[str, Any] | None = None,
    patch: Sequence[Mapping[str, Any]] = (),
    model: ModelUse = "if_needed",
    tell: Tell = _unheard,
) -> AutomationDraft:
    """Change a draft by words, answers or a JSON Patch; the change is its last difference.

    Raises:
        NotFound: The draft does not exist.
        BadArgument: The change was not understood, or is invalid.
        MailError: The ledger cannot be written, or the model failed.
    """
    with app.ledger() as ledger:
        store = AutomationDrafts(ledger)
        draft = store.get(draft_id)
        changed = draft
        if words.strip():
            changed = _in_words(app, ledger, draft, words, model, tell)
        template = changed.template
        if patch:
            template = replace(template, definition=apply_patch(template.definition, patch))
        if values:
            template = template.answer(values)
        difference = diff(draft.template.definition, template.definition)
        changes = (*draft.changes, difference) if difference else draft.changes
        return store.put(replace(changed, template=template, changes=changes, review={}))


def _in_words(
    app: App, ledger: Ledger, draft: AutomationDraft, words: str, model: ModelUse, tell: Tell
) -> AutomationDraft:
    said = (*draft.words, words)
    if model != "always" and (found := refine_template(draft.template, words)) is not None:
        return replace(draft, template=found, words=said)
    if model != "never":
        with suppress(NotFound):
            made = _by_model(app, _request(ledger, said, "", draft.template), tell)
            return replace(draft, template=made.template, words=said, by=made.by, notes=made.notes)
    raise BadArgument(
        "This change was not understood.",
        argument="words",
        hint="Such as: weekdays only; at 8:30; only from ann@example.com; also archive it; without tell; "
        "or a JSON Patch.",
    )


def found_draft(app: App, draft_id: str) -> AutomationDraft:
    """Return a draft.

    Raises:
        NotFound: It does not exist, or has expired.
    """
    with app.ledger(read_only=True) as ledger:
        return AutomationDrafts(ledger).get(draft_id)


def all_drafts(app: App) -> list[AutomationDraft]:
    """Return all drafts, newest first."""
    with app.ledger(read_only=True) as ledger:
        return AutomationDrafts(ledger).all()


def clean_drafts(app: App) -> None:
    """Delete expired drafts."""
    with app.ledger() as ledger:
        AutomationDrafts(ledger).clean()


def import_draft(app: App, definition: Mapping[str, Any]) -> AutomationDraft:
    """Import a definition from elsewhere as a draft, for the user to review and save.

    Raises:
        BadArgument: It has errors.
        MailError: The ledger cannot be written.
    """
    template = AutomationTemplate(definition=dict(definition))
    template.check().require()
    with app.ledger() as ledger:
        return AutomationDrafts(ledger).add(_new("file", template, (), ()))


def save_draft(
    app: App,
    source: SourceSpec,
    draft_id: str,
    *,
    values: Mapping[str, Any],
    flows: Sequence[str],
    replaces: str,
    actor: str,
) -> AutomationDetails:
    """Save a draft as an automation, on behalf of a user who reviewed it, and delete the draft.

    Raises:
        NotFound: The draft does not exist.
        BadArgument: A question is open, or the definition has errors.
        MailError: The ledger cannot be written.
    """
    with app.ledger() as ledger:
        draft = AutomationDrafts(ledger).get(draft_id)
    definition = draft.template.answer(values).fill()
    saved = save_automation(app, source, definition, flows=flows, automation_id=replaces, actor=actor)
    with app.ledger() as ledger:
        from gaia_email.actions.pending.telling import take_back

        AutomationDrafts(ledger).remove(draft_id)
        with ledger.write() as tx:
            take_back(ledger, tx, _about(draft))
    return saved


def difference(
    app: App, named: str, definition: Mapping[str, Any], version: int
) -> tuple[AutomationDetails, list[dict[str, Any]]]:
    """Return the patch from the newest version to `definition` or, without one, from an older version to the newest.

    Raises:
        NotFound: The automation or the version does not exist.
    """
    found = details(app, named)
    if definition:
        return found, diff(found.version.definition, dict(definition))
    wanted = version or found.version.version - 1
    if not 0 < wanted <= found.version.version:
        raise NotFound(
            f"{found.automation.name!r} has no version {wanted}.", argument="version", hint="--version 1"
        )
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        older = AutomationStore.of(ledger).version(tx, found.automation.automation_id, wanted)
    return found, diff(older.definition, found.version.definition)


def propose_to_person(app: App, wish: DraftWish, *, why: str, origin: RequestOrigin) -> AutomationDraft:
    """Propose a draft in the Agent Inbox for a week; this saves no automation.

    Raises:
        NeedsApproval: Too many proposals are pending.
        MailError: The sentence was not understood, or the ledger cannot be written.
    """
    from gaia_email.actions.pending.telling import tell

    with app.ledger() as ledger, ledger.read() as tx:
        waiting = [
            one for one in ledger.pending.select(tx, type="notify") if one.account_id.startswith(ABOUT)
        ]
    if len(waiting) >= MOST_PROPOSED:
        raise NeedsApproval(
            f"{MOST_PROPOSED} proposed automations wait already.", hint="gaia email pending lists them."
        )
    draft = propose(app, replace(wish, kept_s=PROPOSED_S))
    told = draft.template.describe()
    says = "" if told is None else " ".join((*summary_of(told), recipients_of(told)))
    asked = (
        f"Save this automation? {draft.template.definition.get('name', '')}: {says} "
        f"gaia email automations draft {draft.draft_id} shows it, gaia email automations save {draft.draft_id} "
        "saves it."
    )
    with app.ledger() as ledger, ledger.write() as tx:
        tell(
            ledger,
            tx,
            _about(draft),
            asked=asked,
            why=why,
            origin=origin,
            expires_at=draft.expires_at,
        )
    return draft


def _about(draft: AutomationDraft) -> str:
    """Return a subject that is equal for equal words, so that nothing is proposed twice."""
    return f"{ABOUT}{sha256(repr(draft.words[:1]).encode()).hexdigest()[:12]}"


def propose_from_habits(app: App, source: SourceSpec) -> list[AutomationDraft]:
    """Propose automations that fit the mailbox's habits, in the Agent Inbox."""
    from gaia_email.app.services.habits import read_habits

    habits = read_habits(app, source)
    wishes: list[tuple[str, str]] = []
    if len(habits.newsletters) >= MANY_LISTS:
        wishes.append(
            ("newsletter_sweep", f"{len(habits.newsletters)} newsletters wrote in the last thirty days.")
        )
    if habits.people:
        wishes.append(("vip_alert", f"You answer {len(habits.people)} people more often than not."))
    found: list[AutomationDraft] = []
    for starter, why in wishes:
        with suppress(NeedsApproval):
            found.append(
                propose_to_person(app, DraftWish(starter=starter, model="never"), why=why, origin=OURS)
            )
    return found


MANY_LISTS = 5
"""Minimum number of newsletters within thirty days for a sweep to be proposed."""
