"""`gaia-graph-mcp`: Outlook and Microsoft 365 as an MCP server. Entries: `main`, `open_server`, `log_in`, `log_out`."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry import paths
from gaia_email_registry.accounts import Account, now_text, store_account
from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.provider_server import say
from gaia_mail_mcp.served_provider import ServedProvider
from gaia_mail_mcp.web.accounts import KnownLogin
from gaia_mail_mcp.web.provider import ProviderNames

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gaia_graph_mcp.client import GraphClient
    from gaia_graph_mcp.login import GraphLogin
    from gaia_graph_mcp.mailbox import GraphMailbox
    from gaia_graph_mcp.sign_in import SignInRequest
    from gaia_mail_mcp.web.token_source import ForwardedTokens, TokenSource

MICROSOFT = ProviderNames(company="Microsoft", service="Outlook")


class GraphServer(ServedProvider["GraphMailbox", "GraphClient"]):
    """Serves connected accounts; a shared mailbox is served through the account that signed in."""

    program = "gaia-graph-mcp"
    description = (
        "Serves an Outlook.com or Microsoft 365 mailbox over the Model Context Protocol. "
        "gaia-graph-mcp auth connects one; see gaia-graph-mcp auth --help."
    )
    group = server = "graph"
    preset = "outlook"
    names = MICROSOFT
    login_settings = ("granted", "graph_cloud", "shared")
    account_help = (
        "a connected account by its address; may be given again, then every tool takes account. "
        "Without it every connected one is served"
    )
    auth_description = (
        "Connects an Outlook.com or Microsoft 365 account: opens Microsoft's page, waits on this "
        "machine for the answer, and keeps the login in the vault."
    )

    @override
    def add_auth_flags(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--account", metavar="ADDRESS", help="the account that is meant; by default whoever signs in"
        )
        parser.add_argument(
            "--shared",
            metavar="ADDRESS",
            help="connect the mailbox with this address, which somebody shares with the account that signs in",
        )
        parser.add_argument(
            "--device-code",
            action="store_true",
            help="sign in on another device, where this one has no browser",
        )

    @override
    async def authorize(self, options: argparse.Namespace, environ: Mapping[str, str]) -> str:
        """Sign in, then store the login in the vault and the account in accounts.json."""
        from gaia_email_registry.vault import open_vault
        from gaia_graph_mcp.sign_in import sign_in

        environ = self.environment(vars(options), environ)
        request = _sign_in_request(
            environ, options.account or "", options.shared or "", device_code=options.device_code
        )
        login = await sign_in(request, say)
        address = request.shared or login.address
        kept = await asyncio.to_thread(open_vault(environ).put, address, login.dump())
        account = Account(
            id=address,
            provider=self.preset,
            address=address,
            server=self.server,
            settings=_settings(request, login),
            secret=f"vault:{kept}",
            added_at=now_text(),
        )
        store_account(account, environ)
        return f"Connected {address}. The login is in the vault; gaia email and gaia-graph-mcp use it from now on."

    @override
    async def log_in(
        self, options: Mapping[str, str], say: Callable[[str], None], agree: Callable[[], bool]
    ) -> Mapping[str, str]:
        """With `shared` for a mailbox that is shared with the account, `device_code` and `no_browser` as `true`."""
        from gaia_graph_mcp.login import opened_cache, scopes_of
        from gaia_graph_mcp.sign_in import sign_in

        environ = self.environment(options, os.environ)
        opened_cache("")  # report a missing msal before anything is asked
        request = _sign_in_request(
            environ,
            options.get("email", ""),
            options.get("shared", ""),
            device_code=options.get("device_code") == "true",
            browser=options.get("no_browser") != "true",
        )
        scopes = scopes_of(request.scopes, shared=bool(request.shared))
        say(f"This program will be allowed: {', '.join(scopes)}.")
        if not agree():
            raise NeedsApproval("You did not agree, so nothing was connected.")
        login = await sign_in(request, say)
        address = request.shared or login.address
        return {"address": address, **_settings(request, login), "login": login.dump()}

    @override
    def allowed_words(self, granted: str, environ: Mapping[str, str]) -> Sequence[str]:
        from gaia_graph_mcp.login import allowed_words, granted_names

        return allowed_words(granted_names(granted) or environ.get("GAIA_GRAPH_SCOPES", ""))

    @override
    def check_ready(self, environ: Mapping[str, str]) -> None:
        from gaia_graph_mcp.login import check_client_id

        check_client_id(environ.get("GAIA_GRAPH_CLIENT_ID", "").strip())

    @override
    async def revoke(self, login: KnownLogin) -> str:
        """Microsoft does not let programs revoke a login."""
        where = "https://account.live.com/consent/Manage (personal) or https://myapps.microsoft.com (work or school)"
        return f"Microsoft lets only you revoke its consent: {where}. The login itself is forgotten here."

    @override
    def capabilities_of(self, login: KnownLogin) -> frozenset[Capability]:
        from gaia_graph_mcp.abilities import capabilities_of
        from gaia_graph_mcp.login import scopes_of

        granted = login.granted.split()
        if login.forwarded is not None:
            granted = [scope.rpartition("/")[2] for scope in login.forwarded.scopes]
        found = capabilities_of(granted or scopes_of(login.environ.get("GAIA_GRAPH_SCOPES", "")))
        return found | {Capability.PUSH} if _notification_url(login.environ) else found

    @override
    def open_mailbox(
        self, login: KnownLogin, capabilities: frozenset[Capability], *, wakes: bool, hears: bool
    ) -> GraphMailbox:
        from gaia_graph_mcp.client import BURST, RATE
        from gaia_graph_mcp.login import MsalTokens
        from gaia_graph_mcp.mailbox import GraphMailbox
        from gaia_graph_mcp.push import GraphSubscription
        from gaia_graph_mcp.turn import BatchTurn
        from gaia_mail_mcp.pacing import SharedBalance, TokenBucket

        account, environ = login.account, login.environ
        folder = paths.account_directory(environ, account.id)
        tokens = login.forwarded or MsalTokens(self.book(environ).storage_of(account))
        client = _client(tokens, environ, account)
        client.turn = BatchTurn(folder / "turn.lock")
        client.bucket = TokenBucket(rate=RATE, burst=BURST, balance=SharedBalance(folder / "quota.json"))
        mailbox = GraphMailbox(
            client, folder / "graph.db", account=account.address, capabilities=capabilities
        )
        mailbox.wakes, mailbox.hears = wakes, hears
        if url := _notification_url(environ):
            mailbox.push = GraphSubscription(client, folder / "watch.json", url)
        return mailbox

    @override
    def open_client(self, tokens: ForwardedTokens, environ: Mapping[str, str]) -> GraphClient:
        return _client(tokens, environ)

    @override
    async def ask_address(self, client: GraphClient) -> str:
        from gaia_graph_mcp.calls import GraphCall

        try:
            # https://learn.microsoft.com/graph/api/user-get needs User.Read, which a host may not have.
            found = await client.call(GraphCall(method="GET", path="/me?$select=mail,userPrincipalName"))
        except NeedsApproval:
            return ""
        return str(found.get("mail") or found.get("userPrincipalName") or "")

    @override
    def push_door(
        self, environ: Mapping[str, str], live: Sequence[GraphMailbox]
    ) -> Callable[[ASGIApp], ASGIApp] | None:
        if not _notification_url(environ):
            return None
        from gaia_graph_mcp.push_door import GraphPushEndpoint

        return lambda app: GraphPushEndpoint(app, live)


def _client(tokens: TokenSource, environ: Mapping[str, str], account: Account | None = None) -> GraphClient:
    from gaia_graph_mcp.client import MOST_ANSWERED, GraphClient
    from gaia_graph_mcp.login import CLOUDS, authority_of
    from gaia_mail_mcp.web.http import HttpClient

    settings: Mapping[str, str] = {} if account is None else account.settings
    cloud = settings.get("graph_cloud") or environ.get("GAIA_GRAPH_CLOUD", "") or "global"
    authority_of("common", cloud)
    address = "" if account is None else account.address
    return GraphClient(
        root=(environ.get("GAIA_GRAPH_API_ROOT", "") or CLOUDS[cloud][1]).rstrip("/"),
        http=HttpClient("Microsoft", most=MOST_ANSWERED, account=address),
        tokens=tokens,
        shared=settings.get("shared", ""),
    )


def _settings(request: SignInRequest, login: GraphLogin) -> dict[str, str]:
    """Return the account's settings; `shared` is the mailbox address if it is shared, else empty."""
    return {"granted": login.granted, "graph_cloud": login.cloud, "shared": request.shared}


def _notification_url(environ: Mapping[str, str]) -> str:
    from gaia_mail_mcp.web.endpoints import service_root

    return service_root("GAIA_GRAPH_NOTIFICATION_URL", environ)


def _sign_in_request(
    environ: Mapping[str, str], address: str, shared: str, *, device_code: bool, browser: bool = True
) -> SignInRequest:
    import webbrowser

    from gaia_graph_mcp.sign_in import SignInRequest
    from gaia_mail.mime.address import validate_address

    if shared:
        try:
            validate_address(shared)
        except BadArgument:
            raise BadArgument(
                f"{shared[:80]!r} is not an email address; enter the shared mailbox's, for example sales@contoso.com.",
                argument="shared",
            ) from None
    return SignInRequest(
        shared=shared,
        client_id=environ.get("GAIA_GRAPH_CLIENT_ID", "").strip(),
        tenant=environ.get("GAIA_GRAPH_TENANT", "").strip() or "common",
        cloud=environ.get("GAIA_GRAPH_CLOUD", "").strip() or "global",
        scopes=environ.get("GAIA_GRAPH_SCOPES", ""),
        address=address,
        device_code=device_code,
        open_browser=webbrowser.open if browser else lambda address: None,
    )


SERVER = GraphServer()
main, open_server, open_tools = SERVER.main, SERVER.open_server, SERVER.open_tools
log_in, log_out, login_terms, address_of = (
    SERVER.log_in,
    SERVER.log_out,
    SERVER.login_terms,
    SERVER.address_of,
)

if __name__ == "__main__":
    main()
