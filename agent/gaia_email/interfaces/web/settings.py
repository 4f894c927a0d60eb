"""The settings: each part as a page, and forms over the operations that change it. Entry: `settings_routes`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import available_timezones

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_
from gaia_email.cascade.verdict import WEIGHTS
from gaia_email.interfaces.web.forms.fields import FormOption, posted_fields
from gaia_email.interfaces.web.forms.form import PostedValue, WebForm, form_of, posted_form
from gaia_email.interfaces.web.performing import (
    PageOperations,
    PageRoutes,
    PerformOperation,
    accounts_in_use,
)
from gaia_email.interfaces.web.posting import PostedFields, note, only, posted
from gaia_email.interfaces.web.rendering import fragment
from gaia_email.interfaces.web.setting_forms import SETTING_FORMS
from gaia_email.policy.levels import LEVEL_MEANS, LEVEL_NAMES
from gaia_email_registry.errors import BadArgument, MailError, NotFound

Json = dict[str, Any]

PARTS = {"levels": N_("Levels"), "people": N_("People")}
"""The parts of the settings, and how they are called."""


def settings_routes(perform: PerformOperation) -> PageRoutes:
    """The pages of the settings, and what their forms post to."""
    settings = _Settings(perform)
    return PageRoutes(
        shown={"settings": settings.settings},
        changed={"save": settings.save, "level": settings.level},
    )


@dataclass(slots=True)
class _Settings(PageOperations):
    async def settings(self, request: Request) -> Response:
        """One part of the settings."""
        part = request.query_params.get("part", next(iter(PARTS)))
        if part not in PARTS:
            raise NotFound("The settings have no such part.", argument="/part")
        makers: Mapping[str, Callable[[Request], Awaitable[Json]]] = {
            "levels": self._levels,
            "people": self._people,
        }
        return fragment("settings.html", part=part, parts=PARTS, **await makers[part](request))

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
        return {"policy": policy, "forms": await self._forms(request, policy, {"add_vip": {}, "protect": {}})}

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
        """What fields that say so suggest."""
        return {
            "cohorts": [FormOption(value=one["name"], label=one["name"]) for one in policy["cohorts"]],
            "people": [],
            "zones": [FormOption(value=one, label=one) for one in sorted(available_timezones())],
        }

    async def save(self, request: Request) -> Response:
        """Save what a form or a button says; a form is shown again with what is wrong."""
        fields = await posted(request)
        name = only(fields, "setting")
        setting = SETTING_FORMS.get(name)
        if setting is None:
            raise BadArgument("There is no such form.", argument="/form")
        sent = posted_form(setting.schema, fields, checked="made" in fields)
        policy = await self.ask(request, "policy")
        if not sent.is_only_shown and not sent.errors:
            try:
                await self.perform(request, setting.operation, sent.value)
            except (BadArgument, NotFound) as error:
                if "made" not in fields:
                    raise
                sent.add(error)
            else:
                back = setting.inverse(sent.value, policy)
                return note(setting.done, undo=("save", _undo_fields(back)))
        return fragment("form.html", form=self._form(name, await self._sources(request, policy), None, sent))

    async def level(self, request: Request) -> Response:
        """What another level would have meant for past mail; or why there is none such."""
        fields = await posted(request)
        asked = {"cohort": only(fields, "/cohort"), "level": _level_in(fields), "dry_run": True}
        try:
            found = await self.ask(request, "set_level", asked)
            if not found["backtest"]["total"]:  # nothing was sorted yet: what lies in the inbox says it too
                account = (await accounts_in_use(self.perform, request))[0]
                tried = {name: asked[name] for name in ("cohort", "level")}
                found = await self.ask(request, "try_policy", tried, account)
        except MailError as error:
            return fragment("would.html", found=None, refused=error.message)
        return fragment("would.html", found=found, refused="")


def _level_in(fields: PostedFields) -> int:
    text = only(fields, "/level")
    if not text.isdecimal() or len(text) > 2:
        raise BadArgument("level: a whole number from 0 to 5.", argument="/level")
    return int(text)


def _undo_fields(back: tuple[str, Json] | None) -> list[tuple[str, str]]:
    return [] if back is None else [("setting", back[0]), *posted_fields(back[1])]
