"""Automation steps carried out by the product's own use cases. Entries: `brief_generation`, `resync`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.documents.brief import brief_document
from gaia_email.app.documents.brief_text import brief_text
from gaia_email.app.services.brief import make_brief
from gaia_email.app.services.source import SourceSpec
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.sync import sync_mail

if TYPE_CHECKING:
    from gaia_email.app.documents.brief import BriefKind
    from gaia_email_automations.engine import StepWork


async def brief_generation(work: StepWork) -> object:
    """Return the brief of the day as Markdown, with the number of urgent threads."""
    place, app = work.place, App(environ=work.engine.environ, clock=work.engine.ledger.clock)
    source = SourceSpec(kind=place.kind, path=place.path, user=work.owner, server=place.server)
    wanted = work.config.get("kind")
    kind: BriefKind | None = "evening" if wanted == "evening" else "morning" if wanted == "morning" else None
    made = await asyncio.to_thread(lambda: make_brief(app, [source], kind=kind))
    return {
        "empty": made.is_empty,
        "kind": made.kind,
        "text": brief_text(brief_document(made), "markdown"),
        "urgent": made.inbox.counts["urgent"]["threads"],
    }


async def resync(work: StepWork) -> object:
    """Sync the account's copy."""
    async with open_mail(work.place.indexed_spec(work.engine.environ)) as mail:
        await sync_mail(mail, work.engine.ledger)
    return {"synced": True}
