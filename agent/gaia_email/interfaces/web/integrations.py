"""Accounts, channels and MCP servers as cards, each with its actions and health. Entry: `integrations_routes`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_
from gaia_email.interfaces.web.forms.form import posted_form
from gaia_email.interfaces.web.performing import PageOperations, PageRoutes, PerformOperation
from gaia_email.interfaces.web.plugged import page_parts
from gaia_email.interfaces.web.posting import PostedFields, note, only, posted
from gaia_email.interfaces.web.rendering import fragment
from gaia_email.interfaces.web.server_form import ADD_SERVER, SCHEMA, server_form
from gaia_email_registry.errors import BadArgument, MailError

Json = dict[str, Any]

MOST_TOOLS = 200
"""Maximum tools of a server on a page."""


def integrations_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes of the integrations."""
    pages = _Integrations(perform)
    return PageRoutes(
        shown={
            "integrations": pages.integrations,
            "integration-health": pages.health,
            "server-tools": pages.tools,
            "add-server": pages.add,
            "forgetting": pages.forgetting,
            "configuration": pages.configuration,
            "rotating": pages.rotating,
        },
        changed={
            "switch": pages.switch,
            "limit": pages.limit,
            "add-server": pages.add_now,
            "approve-tools": pages.approve,
            "rotate": pages.rotate,
            "forget": pages.forget,
            "purge-mail": pages.purge,
        },
    )


@dataclass(slots=True)
class _Integrations(PageOperations):
    async def integrations(self, request: Request) -> Response:
        """Show all integrations as cards, from local information."""
        found = await self.ask(request, "integrations")
        return fragment("integrations.html", found=found["integrations"])

    async def health(self, request: Request) -> Response:
        """Check the health of one integration with a new connection."""
        asked = {"id": request.query_params.get("of", "")}
        return fragment("health.html", found=await self.ask(request, "integration_health", asked))

    async def tools(self, request: Request) -> Response:
        """Show the tools of a server, as last seen or after a new inspection."""
        query = request.query_params
        name = query.get("name", "")
        asked = {"name": name, "look": "look" in query}
        found = await self.ask(request, "server_tools", asked)
        return fragment("server_tools.html", name=name, found=found, most=MOST_TOOLS)

    async def add(self, request: Request) -> Response:
        """Show the form that adds a server."""
        return fragment("add_server.html", form=server_form())

    async def add_now(self, request: Request) -> Response:
        """Add the server and link to its tools; on failure, show the form with the error and without secrets."""
        sent = posted_form(SCHEMA, await posted(request))
        if not sent.is_only_shown and not sent.errors:
            try:
                found = await self.ask(request, "add_server", sent.value)
            except MailError as error:
                sent.add(error)
            else:
                name = sent.value["name"]
                look = "" if found["tools"] else "look&"
                undo = ("forget", [("of", f"server:{name}")])
                return note(ADD_SERVER.done, undo=undo, go=f"server-tools?{look}name={quote(name)}")
        return fragment("form.html", form=server_form(sent=sent))

    async def approve(self, request: Request) -> Response:
        """Approve tools in exactly the form that was shown."""
        fields = await posted(request)
        shown: dict[str, str] = {}
        for one in fields.get("tool", ()):
            digest, _, tool = one.partition(" ")
            shown[tool] = digest
        if not shown:
            raise BadArgument("tool: at least one, as the page shows it.", argument="/tool")
        value = {"name": only(fields, "name"), "tools": shown, "tier": only(fields, "tier", "")}
        found = await self.ask(request, "approve_tools", value)
        return note(N_("Approved, in this form only"), None, found["problems"])

    async def switch(self, request: Request) -> Response:
        """Switch a server, an account, or by default all accounts on or off; the note can switch back."""
        fields = await posted(request)
        on, done = (
            only(fields, "on") == "1",
            N_("Switched on") if only(fields, "on") == "1" else N_("Switched off"),
        )
        if server := only(fields, "server", ""):
            await self.ask(request, "switch_server", {"name": server, "on": on})
            return note(done, 1, (), ("switch", [("server", server), ("on", "0" if on else "1")]))
        account = only(fields, "account", "")
        found = await self.ask(request, "enable" if on else "disable", {"account": account})
        back = [("account", account), ("on", "0" if on else "1")]
        return note(done, len(found["accounts"]), (), ("switch", back if found["accounts"] else []))

    async def limit(self, request: Request) -> Response:
        """Add or remove a limit on the agent for an account; the note can undo it."""
        fields = await posted(request)
        account, limit, on = only(fields, "account"), only(fields, "limit"), only(fields, "on") == "1"
        await self.ask(request, "limit_account", {"account": account, "limit": limit, "on": on})
        back = [("account", account), ("limit", limit), ("on", "0" if on else "1")]
        return note(N_("Limited") if on else N_("The limit is lifted"), None, (), ("limit", back))

    async def rotating(self, request: Request) -> Response:
        """Show the form that replaces a server's secret."""
        query = request.query_params
        return fragment("rotate.html", name=query.get("name", ""), variable=query.get("variable", ""))

    async def rotate(self, request: Request) -> Response:
        """Replace a server's secret."""
        fields = await posted(request)
        value = {name: only(fields, name) for name in ("name", "variable", "value")}
        await self.ask(request, "replace_server_secret", value)
        return note(N_("The new value is in the vault"))

    async def forgetting(self, request: Request) -> Response:
        """Ask before removing an account, webhook or server, or an account's local mail."""
        of, what = request.query_params.get("of", ""), request.query_params.get("what", "")
        kind, _, name = of.partition(":")
        counts: Mapping[str, int] = {}
        if what == "mail":
            asked = {"extent": "mail", "account": name, "dry_run": True}
            counts = (await self.ask(request, "purge", asked))["gone"]
        return fragment("forgetting.html", kind=kind, name=name, of=of, what=what, counts=counts)

    async def forget(self, request: Request) -> Response:
        """Remove the integration that was asked about."""
        kind, name = _integration(await posted(request))
        if kind == "account":
            found = await self.ask(request, "disconnect", {"account": name})
            return note(
                N_("Disconnected; its mail is untouched"), None, [found["told"]] if found["told"] else ()
            )
        if kind == "server":
            await self.ask(request, "remove_server", {"name": name})
        elif remove := dict(one for part in page_parts() for one in part.forgets).get(kind):
            await self.ask(request, remove, {"name": name})
        else:
            raise BadArgument("of: an integration as the page names it.", argument="/of")
        return note(N_("Removed, with its secrets in the vault"))

    async def purge(self, request: Request) -> Response:
        """Delete the local copy of mail whose counts were shown; by default for all accounts."""
        account = only(await posted(request), "account", "")
        found = await self.ask(request, "purge", {"extent": "mail", "account": account})
        return note(N_("Deleted; the next look makes the copy again"), found["gone"].get("messages"))

    async def configuration(self, request: Request) -> Response:
        """Show connections and decisions without secrets, for copying."""
        found = await self.ask(request, "configuration")
        return fragment("configuration.html", text=json.dumps(found, indent=2, ensure_ascii=False))


def _integration(fields: PostedFields) -> tuple[str, str]:
    kind, _, name = only(fields, "of").partition(":")
    return kind, name
