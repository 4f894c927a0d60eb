"""The settings: one page per part, with forms for the operations that change it. Entry: `settings_routes`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_, _
from gaia_email.interfaces.web.forms.fields import FormOption, posted_fields
from gaia_email.interfaces.web.forms.form import PostedValue, WebForm, form_of, posted_form
from gaia_email.interfaces.web.performing import (
    PageOperations,
    PageRoutes,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.posting import PostedFields, note, only, read_form
from gaia_email.interfaces.web.rendering import fragment
from gaia_email.interfaces.web.setting_forms import SETTING_FORMS
from gaia_email.policy.levels import LEVEL_MEANS, LEVEL_NAMES
from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_understanding.cascade.verdict import WEIGHTS

Json = dict[str, Any]

PARTS = {
    "agent": N_("Agent"),
    "levels": N_("Levels"),
    "people": N_("People"),
    "labels": N_("Labels"),
    "voice": N_("Voice"),
    "schedule": N_("Schedule and channels"),
    "models": N_("Models"),
    "data": N_("Data"),
}
"""The parts of the settings, with their titles."""

PURGE_WORD = "delete"
"""Word to type before everything is deleted."""


def settings_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes of the settings pages."""
    settings = _Settings(perform)
    return PageRoutes(
        shown={"settings": settings.settings, "learned": settings.show_habits},
        changed={"save": settings.save, "level": settings.level, "purge": settings.purge},
    )


@dataclass(slots=True)
class _Settings(PageOperations):
    async def settings(self, request: Request) -> Response:
        """Show one part of the settings."""
        part = request.query_params.get("part", next(iter(PARTS)))
        if part not in PARTS:
            raise NotFound("The settings have no such part.", argument="/part")
        makers: Mapping[str, Callable[[Request], Awaitable[Json]]] = {
            "agent": self._agent,
            "levels": self._levels,
            "people": self._people,
            "labels": self._labels,
            "voice": self._voice,
            "schedule": self._schedule,
            "models": self._models,
            "data": self._data,
        }
        return fragment("settings.html", part=part, parts=PARTS, **await makers[part](request))

    async def _agent(self, request: Request) -> Json:
        status, policy = await self.ask(request, "status", {"quick": True}), await self.ask(request, "policy")
        forms = await self._forms(request, policy, {"travel": {}})
        return {"status": status, "forms": forms, "settings": await self._settings(request)}

    async def _settings(self, request: Request) -> Json:
        rows = (await self.ask(request, "settings"))["settings"]
        return {one["name"]: one for one in rows}

    async def _voice(self, request: Request) -> Json:
        return {"accounts": await accounts_in_use(self.perform, request)}

    async def _schedule(self, request: Request) -> Json:
        policy, schedules = await self.ask(request, "policy"), await self.ask(request, "schedules")
        found = await self.ask(request, "integrations")
        values: dict[str, Json] = {"quiet_hours": policy["quiet_hours"] or {}, "add_schedule": {}}
        return {
            "policy": policy,
            "schedules": schedules["schedules"],
            "integrations": found["integrations"],
            "accounts": await accounts_in_use(self.perform, request),
            "forms": await self._forms(request, policy, values),
        }

    async def _labels(self, request: Request) -> Json:
        return await self.ask(request, "labels", {"counts": True})

    async def _models(self, request: Request) -> Json:
        return {"found": await self.ask(request, "models")}

    async def _data(self, request: Request) -> Json:
        policy, settings = await self.ask(request, "policy"), await self._settings(request)
        days = int(settings["retention_days"]["value"])
        forms = await self._forms(request, policy, {"retention": {"retention_days": days}})
        status = await self.ask(request, "status", {"quick": True})
        return {"settings": settings, "forms": forms, "status": status}

    async def _levels(self, request: Request) -> Json:
        policy = await self.ask(request, "policy")
        unsure = {"unsure_below": round(100 * policy["unsure_below"])}
        forms = await self._forms(request, policy, {"set_policy": unsure, "add_cohort": {}})
        return {
            "policy": policy,
            "forms": forms,
            "names": LEVEL_NAMES,
            "means": LEVEL_MEANS,
            "weights": WEIGHTS,
        }

    async def _people(self, request: Request) -> Json:
        policy = await self.ask(request, "policy")
        forms = await self._forms(request, policy, {"add_vip": {}, "protect": {}})
        return {"policy": policy, "forms": forms, "accounts": await accounts_in_use(self.perform, request)}

    async def _forms(self, request: Request, policy: Json, values: Mapping[str, Json]) -> dict[str, WebForm]:
        sources = await self._sources(request, policy)
        return {name: self._form(name, sources, value) for name, value in values.items()}

    def _form(
        self,
        name: str,
        sources: Mapping[str, Sequence[FormOption]],
        value: Json | None,
        sent: PostedValue | None = None,
    ) -> WebForm:
        setting = SETTING_FORMS[name]
        return form_of(
            setting.schema,
            value,
            name=name,
            post="save",
            submit=setting.submit,
            hidden=[("setting", name), ("made", "form")],
            sources=sources,
            posted=sent,
        )

    async def _sources(self, request: Request, policy: Json) -> dict[str, Sequence[FormOption]]:
        """Return the suggestions for fields that request them."""
        return {
            "cohorts": [FormOption(value=one["name"], label=one["name"]) for one in policy["cohorts"]],
            "people": [],
            "times": [
                FormOption(value="0 7 * * *", label=_("every day at 7:00")),
                FormOption(value="0 7 * * 1-5", label=_("Monday to Friday at 7:00")),
                FormOption(value="0 18 * * *", label=_("every day at 18:00")),
                FormOption(value="0 * * * *", label=_("every hour")),
                FormOption(value="0 8 * * 1", label=_("Mondays at 8:00")),
            ],
            "zones": _zones(),
        }

    async def save(self, request: Request) -> Response:
        """Save a form or the value of a button; on failure, show the form with its errors."""
        fields = await read_form(request)
        name = only(fields, "setting")
        setting = SETTING_FORMS.get(name)
        if setting is None:
            raise BadArgument("There is no such form.", argument="/form")
        sent = posted_form(setting.schema, fields, checked="made" in fields)
        if not sent.is_only_shown and not sent.errors:
            before = await self.ask(request, setting.before)
            account = "" if setting.operation.mailbox == "none" else only(fields, "account", "")
            try:
                await self.perform(request, setting.operation, sent.value, account=account)
            except (BadArgument, NotFound) as error:
                if "made" not in fields:
                    raise
                sent.add(error)
            else:
                undo = _undo_fields(setting.inverse(sent.value, before), account)
                return note(setting.done, undo=("save", undo))
        sources = await self._sources(request, await self.ask(request, "policy"))
        return fragment("form.html", form=self._form(name, sources, None, sent))

    async def show_habits(self, request: Request) -> Response:
        """Show what an account's mail reveals about its owner: whom they answer, and how they write."""
        account = request.query_params.get("account", "")
        about = request.query_params.get("about", "people")
        found = await self.ask(request, "habits", {}, account)
        vips = (await self.ask(request, "policy"))["vips"]
        return fragment("learned.html", found=found, vips=vips, about=about, account=account)

    async def level(self, request: Request) -> Response:
        """Show the effect of another level on past mail, or the reason it is not available."""
        fields = await read_form(request)
        asked = {"cohort": only(fields, "/cohort"), "level": _level_in(fields), "dry_run": True}
        try:
            found = await self.ask(request, "set_level", asked)
            if not found["backtest"]["total"]:  # nothing was sorted yet: test the inbox instead
                account = (await accounts_in_use(self.perform, request))[0]
                tried = {name: asked[name] for name in ("cohort", "level")}
                found = await self.ask(request, "try_policy", tried, account)
        except MailError as error:
            return fragment("would.html", found=None, refused=error.message)
        return fragment("would.html", found=found, refused="")

    async def purge(self, request: Request) -> Response:
        """Show counts of what would be deleted; delete it once the word was typed."""
        fields = await read_form(request)
        asked = {name: only(fields, name, "") for name in ("extent", "account")}
        if only(fields, "sure", "").strip().lower() == PURGE_WORD:
            gone = (await self.ask(request, "purge", asked))["gone"]
            return note(N_("Deleted"), sum(gone.values()))
        gone = (await self.ask(request, "purge", {**asked, "dry_run": True}))["gone"]
        extent, account = asked["extent"], asked["account"]
        return fragment("purge.html", gone=gone, wrong="sure" in fields, extent=extent, account=account)


@cache
def _zones() -> Sequence[FormOption]:
    """Return the time zones known to this machine; cached, since listing them reads many files."""
    return [FormOption(value=one, label=one) for one in sorted(available_timezones())]


def _level_in(fields: PostedFields) -> int:
    text = only(fields, "/level")
    if not text.isdecimal() or len(text) > 2:
        raise BadArgument("level: a whole number from 0 to 5.", argument="/level")
    return int(text)


def _undo_fields(back: tuple[str, Json] | None, account: str) -> list[tuple[str, str]]:
    if back is None:
        return []
    return [("setting", back[0]), *([("account", account)] if account else []), *posted_fields(back[1])]
