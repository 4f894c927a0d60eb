"""Automations on the pages: listed, edited as a form or as JSON, tested, switched, run, explained.

Entry: `automation_routes`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.json_schemas import PlacedError
from gaia_email.app.json_values import is_object
from gaia_email.app.languages.speaking import N_
from gaia_email.interfaces.web.forms.form import DO, PostedValue, form_of, posted_form
from gaia_email.interfaces.web.performing import (
    PageOperations,
    PageRoutes,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.posting import PostedFields, note, only, read_form
from gaia_email.interfaces.web.rendering import fragment
from gaia_email_automations.bounded_schemas import errors_of
from gaia_email_automations.interfaces.web.definition_form import (
    NEW_DEFINITION,
    definition_schema,
    with_step_ids,
)
from gaia_email_registry.errors import BadArgument

Json = dict[str, Any]

MOST_RUNS = 50
"""Maximum runs on a page."""

SWITCHES: Mapping[str, tuple[str, str, str]] = {
    "enable": ("enable_automation", N_("Switched on"), "disable"),
    "disable": ("disable_automation", N_("Switched off"), "enable"),
    "remove": ("remove_automation", N_("Automation removed; its runs stay in the history"), ""),
}
"""Operation, note, and inverse of each button, by the button's value."""


def automation_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes of the automation pages."""
    pages = _Automations(perform)
    return PageRoutes(
        shown={
            "automations": pages.automations,
            "automation": pages.automation,
            "automation_edit": pages.edit,
            "automation_run": pages.run,
        },
        changed={
            "automation_save": pages.save,
            "automation_check": pages.check,
            "automation_try": pages.try_on_past,
            "automation_switch": pages.switch,
            "automation_start": pages.start,
            "automation_retry": pages.retry,
        },
    )


@dataclass(slots=True)
class _Automations(PageOperations):
    async def automations(self, request: Request) -> Response:
        """List all automations, and the latest runs."""
        found, runs = await asyncio.gather(
            self.ask(request, "automations"), self.ask(request, "automation_runs", {"limit": MOST_RUNS})
        )
        return fragment("automations.html", found=found["automations"], runs=runs["runs"])

    async def automation(self, request: Request) -> Response:
        """Show an automation: its triggers, steps and runs, and a form of its inputs."""
        named = {"automation_id": request.query_params.get("id", "")}
        found = await self.ask(request, "show_automation", named)
        runs = await self.ask(request, "automation_runs", {**named, "limit": MOST_RUNS})
        schema: Json = found["definition"].get("inputs", {}).get("schema", {})
        inputs = None
        if schema.get("properties"):
            hidden = [("id", found["automation"]["id"])]
            inputs = form_of(
                schema, None, name="inputs", post="automation_start", submit=N_("Run it now"), hidden=hidden
            )
        text = json.dumps(found["definition"], ensure_ascii=False, indent=2)
        return fragment("automation.html", found=found, runs=runs["runs"], inputs=inputs, text=text)

    async def edit(self, request: Request) -> Response:
        """Show the form that creates or changes an automation."""
        named = request.query_params.get("id", "")
        definition: Mapping[str, Any] = NEW_DEFINITION
        if named:
            definition = (await self.ask(request, "show_automation", {"automation_id": named}))["definition"]
        accounts = await accounts_in_use(self.perform, request)
        return fragment("automation_edit.html", named=named, accounts=accounts, **_editing(definition, None))

    async def run(self, request: Request) -> Response:
        """Show a run, step by step."""
        found = await self.ask(request, "automation_run", {"run_id": request.query_params.get("id", "")})
        return fragment("automation_run.html", found=found)

    async def check(self, request: Request) -> Response:
        """Show all errors in the current definition."""
        fields = await read_form(request)
        found = await self._checked(request, _sent(fields))
        chosen = fields.get("flow", [])
        return fragment("automation_check.html", found=found, chosen=chosen)

    async def _checked(self, request: Request, sent: PostedValue) -> Json:
        """Check a definition; if it is not valid JSON, return only that error."""
        if sent.errors:
            told = [{"pointer": one.pointer, "message": one.message} for one in sent.errors]
            return {
                "is_valid": False,
                "errors": told,
                "warnings": [],
                "flows": [],
                "summary": [],
                "checks": [],
            }
        return await self.ask(request, "check_automation", {"definition": sent.value})

    async def save(self, request: Request) -> Response:
        """Save the posted definition, or show it again with its errors."""
        fields = await read_form(request)
        sent = _sent(fields)
        shows_text = "definition" in fields
        if sent.is_only_shown:
            do = only(fields, DO)
            shows_text = do == "show:json" or (shows_text and do != "show:form")
            return fragment("automation_form.html", **_editing(with_step_ids(sent.value), sent, shows_text))
        found = await self._checked(request, sent)
        sent.errors = [PlacedError(**one) for one in found["errors"]]
        if not sent.errors:
            value: Json = {"definition": sent.value, "flows": fields.get("flow", [])}
            value["replaces"] = only(fields, "replaces", "")
            try:
                saved = await self.ask(request, "add_automation", value, only(fields, "account", ""))
            except BadArgument as error:
                sent.add(error)
            else:
                return saved_note(saved, is_new=not value["replaces"])
        return fragment("automation_form.html", **_editing(sent.value, sent, shows_text))

    async def try_on_past(self, request: Request) -> Response:
        """Show when the automation would have fired, and with which inputs; nothing is executed."""
        fields = await read_form(request)
        asked = {"automation_id": only(fields, "id"), "past": only(fields, "past", "30d")}
        return fragment("automation_try.html", found=await self.ask(request, "test_automation", asked))

    async def switch(self, request: Request) -> Response:
        """Enable, disable or remove an automation."""
        fields = await read_form(request)
        named, what = only(fields, "id"), only(fields, "what")
        if what not in SWITCHES:
            raise BadArgument("what: enable, disable or remove.", argument="/what")
        operation, done, back = SWITCHES[what]
        await self.ask(request, operation, {"automation_id": named})
        undo = [("id", named), ("what", back)] if back else []
        return note(done, undo=("automation_switch", undo), go="automations" if what == "remove" else "")

    async def retry(self, request: Request) -> Response:
        """Repeat a run."""
        return _begun(await self.ask(request, "retry_run", {"run_id": only(await read_form(request), "id")}))

    async def start(self, request: Request) -> Response:
        """Run an automation now, with the inputs of its form, if it has one."""
        fields = await read_form(request)
        named = {"automation_id": only(fields, "id")}
        definition = (await self.ask(request, "show_automation", named))["definition"]
        schema: Json = definition.get("inputs", {}).get("schema", {})
        sent = (
            posted_form(schema, fields, check=errors_of)
            if schema.get("properties")
            else PostedValue(value={})
        )
        if not sent.errors and not sent.is_only_shown:
            try:
                run = await self.ask(request, "run_automation", {**named, "inputs": sent.value})
            except BadArgument as error:
                if not schema.get("properties"):
                    raise
                sent.add(error)
            else:
                return _begun(run)
        form = form_of(
            schema,
            None,
            name="inputs",
            post="automation_start",
            submit=N_("Run it now"),
            hidden=[("id", named["automation_id"])],
            posted=sent,
        )
        return fragment("form.html", form=form)


def saved_note(saved: Json, *, is_new: bool) -> Response:
    """Return a note with a link to the saved automation; for a new one it can be undone."""
    identity = saved["automation"]["id"]
    undo = [("id", identity), ("what", "remove")] if is_new else []
    return note(
        N_("Automation saved"), undo=("automation_switch", undo), go=f"automation?id={quote(identity)}"
    )


def _begun(run: Json) -> Response:
    return note(N_("The run has begun"), go=f"automation_run?id={quote(run['run']['id'])}")


def _sent(fields: PostedFields) -> PostedValue:
    """Return the posted definition, from form fields or JSON."""
    if "definition" not in fields:
        return posted_form(definition_schema(), fields, checked=False)
    text = only(fields, "definition")
    sent = PostedValue(value={}, is_only_shown=DO in fields)
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f", line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else ""
        sent.errors.append(PlacedError(pointer="", message=f"This is no JSON{where}."))
        sent.typed = {"": text}
        return sent
    if is_object(value):
        sent.value = value
    else:
        sent.errors.append(PlacedError(pointer="", message="A definition is a JSON object."))
        sent.typed = {"": text}
    return sent


def _editing(definition: Mapping[str, Any], sent: PostedValue | None, shows_text: bool = False) -> Json:
    """Return the template values that show a definition, as a form or as text."""
    errors = [] if sent is None else sent.errors
    if shows_text or (sent is not None and "" in sent.typed):
        text = "" if sent is None else sent.typed.get("", "")
        text = text or json.dumps(definition, ensure_ascii=False, indent=2)
        return {"form": None, "text": text, "errors": errors}
    form = form_of(definition_schema(), definition, name="automation", post="automation_save", posted=sent)
    return {"form": form, "text": "", "errors": errors}
