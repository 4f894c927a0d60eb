"""Automations in words: a sentence or a starter becomes a draft, which is refined, completed and saved.

Entry: `draft_routes`.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_
from gaia_email.interfaces.web.forms.form import PostedValue, form_of, posted_form
from gaia_email.interfaces.web.performing import (
    PageOperations,
    PageRoutes,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.posting import PostedFields, note, only, read_form
from gaia_email.interfaces.web.rendering import fragment
from gaia_email_automations.bounded_schemas import errors_of
from gaia_email_automations.interfaces.web.pages import saved_note
from gaia_email_registry.errors import BadArgument

Json = dict[str, Any]


def draft_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes that show, create, change and save a draft."""
    pages = _Drafts(perform)
    return PageRoutes(
        shown={"automation_new": pages.begin, "automation_draft": pages.draft},
        changed={
            "automation_propose": pages.propose,
            "automation_refine": pages.refine,
            "automation_draft_save": pages.save,
        },
    )


@dataclass(slots=True)
class _Drafts(PageOperations):
    async def begin(self, request: Request) -> Response:
        """Show the page for starting a draft from a sentence or a starter, or continuing one."""
        found, drafts = await asyncio.gather(
            self.ask(request, "automation_starters"), self.ask(request, "automation_drafts")
        )
        return fragment("automation_new.html", starters=found["starters"], drafts=drafts["drafts"])

    async def draft(self, request: Request) -> Response:
        """Show a draft's effects, open questions and warnings."""
        found = await self.ask(request, "automation_draft", {"draft_id": request.query_params.get("id", "")})
        accounts = await accounts_in_use(self.perform, request)
        return fragment(
            "automation_draft.html",
            found=found,
            accounts=accounts,
            form=_questions(found),
            text=json.dumps(found["definition"], ensure_ascii=False, indent=2),
        )

    async def propose(self, request: Request) -> Response:
        """Create a draft; nothing is saved."""
        fields = await read_form(request)
        asked = {name: only(fields, name, "") for name in ("words", "starter", "zone")}
        return _at(await self.ask(request, "propose_automation", asked), N_("Drafted; nothing is saved yet"))

    async def refine(self, request: Request) -> Response:
        """Change a draft by words."""
        fields = await read_form(request)
        asked = {name: only(fields, name) for name in ("draft_id", "words")}
        return _at(await self.ask(request, "refine_automation", asked), N_("Draft changed"))

    async def save(self, request: Request) -> Response:
        """Save a draft with the answers to its questions, or show what is still open."""
        fields = await read_form(request)
        found = await self.ask(request, "automation_draft", {"draft_id": only(fields, "draft_id")})
        sent = posted_form(found["questions"], fields, check=errors_of)
        if not sent.errors and not sent.is_only_shown:
            try:
                saved = await self._save(request, fields, sent.value)
            except BadArgument as error:
                sent.add(error)
            else:
                return saved_note(saved, is_new=True)
        return fragment("form.html", form=_questions(found, sent))

    async def _save(self, request: Request, fields: PostedFields, answers: Json) -> Json:
        value = {
            "draft_id": only(fields, "draft_id"),
            "values": answers,
            "flows": fields.get("flow", []),
        }
        return await self.ask(request, "save_automation_draft", value, only(fields, "account", ""))


def _at(draft: Json, done: str) -> Response:
    return note(done, go=f"automation_draft?id={quote(draft['id'])}")


def _questions(draft: Json, sent: PostedValue | None = None) -> Any:
    """Return the form of open questions, filled with the answers given so far."""
    return form_of(
        draft["questions"],
        draft["answers"],
        name="automation-draft",
        post="automation_draft_save",
        submit=N_("Save"),
        hidden=[("draft_id", draft["id"])],
        posted=sent,
    )
