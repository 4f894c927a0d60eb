"""The form of a Slack webhook, and its test. Entry: `slack_routes`."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.app.languages.speaking import N_
from gaia_email.interfaces.web.performing import PageOperations, PageRoutes, PerformOperation
from gaia_email.interfaces.web.posting import note, only, read_form
from gaia_email.interfaces.web.rendering import fragment


def slack_routes(perform: PerformOperation) -> PageRoutes:
    """Return the routes."""
    pages = _SlackPages(perform)
    return PageRoutes(
        shown={"add-webhook": pages.add_webhook},
        changed={"keep-webhook": pages.keep_webhook, "test-webhook": pages.test_webhook},
    )


@dataclass(slots=True)
class _SlackPages(PageOperations):
    async def add_webhook(self, request: Request) -> Response:
        """Show the form of a Slack webhook."""
        return fragment("add_webhook.html", name=request.query_params.get("name", ""))

    async def keep_webhook(self, request: Request) -> Response:
        """Store the address of a webhook in the vault."""
        fields = await read_form(request)
        value = {"name": only(fields, "name"), "address": only(fields, "address")}
        await self.ask(request, "keep_webhook", value)
        return note(N_("Its address is in the vault"))

    async def test_webhook(self, request: Request) -> Response:
        """Post a test message."""
        await self.ask(request, "test_webhook", {"name": only(await read_form(request), "name")})
        return note(N_("A test message was posted"))
