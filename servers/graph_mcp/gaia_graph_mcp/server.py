"""`gaia-graph-mcp`: Outlook and Microsoft 365 as an MCP server. Entries: `main`, `open_server`, `log_in`, `log_out`."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry import paths
from gaia_email_registry.accounts import Account, check_enabled, now_text, store_account
from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_mail_mcp.provider_server import ProviderServer, ServedMailboxes, say
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.web.accounts import AccountBook
from gaia_mail_mcp.web.provider import ProviderNames

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gaia_email_registry.forwarded import ForwardedLogin
    from gaia_graph_mcp.client import GraphClient
    from gaia_graph_mcp.mailbox import GraphMailbox
    from gaia_graph_mcp.sign_in import SignInRequest
    from gaia_mail_mcp.mailbox import Capability
    from gaia_mail_mcp.web.token_source import TokenSource

SERVER = "graph"
"""What `accounts.json` calls this server."""

VAULT = "vault:"
MICROSOFT = ProviderNames(company="Microsoft", service="Outlook")


class GraphServer(ProviderServer):
    """With `secret`, `granted`, `graph_cloud`, `shared` and `email` say what `log_in` answered."""

    program = "gaia-graph-mcp"
    description = (
        "Serves an Outlook.com or Microsoft 365 mailbox over the Model Context Protocol. "
        "gaia-graph-mcp auth connects one; see gaia-graph-mcp auth --help."
    )
    group = "graph"
    auth_description = (
        "Connects an Outlook.com or Microsoft 365 account: opens Microsoft's page, waits on this "
        "machine for the answer, and keeps the login in the vault."
    )

    @override
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--account",
            metavar="NAME",
            action="append",
            help="a connected account by its address; may be given again, then every tool takes account. "
            "Without it every connected one is served",
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
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        environ = self.environment(vars(options), environ)
        names = options.account or [one.id for one in _book(environ).connected() if one.enabled] or [""]
        live: list[GraphMailbox] = []
        heard = live if settings.http is not None else None
        sources = {
            name: mailbox_source(environ, _known(name, environ), read_only=settings.read_only, live=heard)
            for name in names
        }
        return ServedMailboxes(sources=sources, around=push_door(environ, live))

    @override
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        environ = self.environment(options, environ)
        name = options.get("account", "")
        account = _known(name, environ)
        if "secret" in options:
            account = Account(
                id=name,
                provider="outlook",
                address=options.get("email", "") or account.address or name,
                server=SERVER,
                settings={
                    **account.settings,
                    "granted": options.get("granted", ""),
                    "graph_cloud": options.get("graph_cloud", ""),
                    "shared": options.get("shared", ""),
                },
                secret=options["secret"],
            )
        return mailbox_source(environ, account, read_only=settings.read_only)

    @override
    async def authorize(self, options: argparse.Namespace, environ: Mapping[str, str]) -> str:
        """Sign in, and keep the login in the vault and the account in accounts.json."""
        from gaia_email_registry.vault import open_vault
        from gaia_graph_mcp.sign_in import signed_in

        environ = self.environment(vars(options), environ)
        request = _sign_in_request(
            environ, options.account or "", options.shared or "", device_code=options.device_code
        )
        login = await signed_in(request, say)
        address = request.shared or login.address
        kept = await asyncio.to_thread(open_vault(environ).put, address, login.dumped())
        account = Account(
            id=address,
            provider="outlook",
            address=address,
            server=SERVER,
            settings={"granted": login.granted, "graph_cloud": login.cloud, "shared": request.shared},
            secret=f"{VAULT}{kept}",
            added_at=now_text(),
        )
        store_account(account, environ)
        return f"Connected {address}. The login is in the vault; gaia email and gaia-graph-mcp use it from now on."


_SERVER = GraphServer()
main, open_server, open_tools = _SERVER.main, _SERVER.open_server, _SERVER.open_tools


async def log_in(
    options: Mapping[str, str], say: Callable[[str], None], agree: Callable[[], bool]
) -> Mapping[str, str]:
    """Connect an account for a program that keeps the login itself.

    Args:
        options: What the flags of `gaia-graph-mcp auth` say, by their names with underscores; `email` for the account
            that is meant, `shared` for a mailbox that is shared with it, `device_code` as `true` for a code to enter
            on another device, `no_browser` as `true` to only show the address of Microsoft's page.
        say: Shows a line.
        agree: Asked after what the login allows was shown, before a browser opens.

    Returns:
        `address`, `shared` (the same for a shared mailbox, else empty), `granted` (Graph's scopes, with blanks),
        `graph_cloud` and `login`, which is secret.

    Raises:
        MailError: Microsoft, or the user, did not agree, or it is another account than was meant.
    """
    from gaia_graph_mcp.login import opened_cache, scopes_of
    from gaia_graph_mcp.sign_in import signed_in

    environ = _SERVER.environment(options, os.environ)
    opened_cache("")  # where msal is not installed, that is said before anything is asked
    request = _sign_in_request(
        environ,
        options.get("email", ""),
        options.get("shared", ""),
        device_code=options.get("device_code") == "true",
        browser=options.get("no_browser") != "true",
    )
    say(f"This program will be allowed: {', '.join(scopes_of(request.scopes, shared=bool(request.shared)))}.")
    if not agree():
        raise NeedsApproval("You did not agree, so nothing was connected.")
    login = await signed_in(request, say)
    return {
        "address": request.shared or login.address,
        "shared": request.shared,
        "granted": login.granted,
        "graph_cloud": login.cloud,
        "login": login.dumped(),
    }


def login_terms(options: Mapping[str, str]) -> Mapping[str, object]:
    """What a login would allow, before anybody is asked for one.

    Args:
        options: As of `log_in`; `granted` for a login that there is, as `log_in` answered it.

    Returns:
        `allows`, a line each in plain words; `missing` and `hint`, what has to be there before and how it comes there,
        empty where nothing has to.
    """
    from gaia_graph_mcp.login import CLIENT_ID_MISSING, NAME_CLIENT_ID, allowed_words, granted_names

    environ = _SERVER.environment(options, os.environ)
    is_there = bool(environ.get("GAIA_GRAPH_CLIENT_ID", "").strip())
    return {
        "allows": allowed_words(
            granted_names(options.get("granted", "")) or environ.get("GAIA_GRAPH_SCOPES", "")
        ),
        "missing": "" if is_there else CLIENT_ID_MISSING,
        "hint": "" if is_there else NAME_CLIENT_ID,
    }


async def log_out(account: str, environ: Mapping[str, str]) -> str:
    """Say how the login of a connected account ends: Microsoft lets no program revoke one.

    Returns:
        A sentence for the user.
    """
    if _known(account, environ).is_forwarded:
        return "Its login stays with the host that forwarded it."
    where = (
        "https://account.live.com/consent/Manage (personal) or https://myapps.microsoft.com (work or school)"
    )
    return f"Microsoft lets only you revoke its consent: {where}. The login itself is forgotten here."


async def address_of(login: ForwardedLogin, environ: Mapping[str, str]) -> str:
    """The address of the account that a forwarded login opens; empty where the login may not know it.

    Raises:
        NeedsAuth: Microsoft does not accept the login.
        MailError: It cannot be reached.
    """
    from gaia_graph_mcp.calls import GraphCall
    from gaia_mail_mcp.web.token_source import ForwardedTokens

    client = _client(environ, ForwardedTokens(lambda: login, MICROSOFT))
    try:
        # https://learn.microsoft.com/graph/api/user-get: needs User.Read, which a host may not have.
        found = await client.call(GraphCall(method="GET", path="/me?$select=mail,userPrincipalName"))
    except NeedsApproval:
        return ""
    finally:
        await client.http.aclose()
    return str(found.get("mail") or found.get("userPrincipalName") or "")


def mailbox_source(
    environ: Mapping[str, str],
    account: Account,
    *,
    read_only: bool = False,
    live: list[GraphMailbox] | None = None,
) -> MailboxSource:
    """The mailbox of an account; Microsoft is called by its first method, which says what is wrong.

    Once it is open it is in `live` too, whose mailboxes hear what `push_door` lets in.

    Raises:
        BadArgument: A value of the environment cannot be used.
    """
    from gaia_mail_mcp.mailbox import Capability

    capabilities = _capabilities(_granted(environ, account), environ.get("GAIA_GRAPH_SCOPES", ""))
    url = _notification_url(environ)
    if url:
        capabilities |= {Capability.PUSH}

    def opened() -> GraphMailbox:
        mailbox = _opened(environ, account, capabilities, url)
        mailbox.wakes = not read_only
        if live is not None:
            mailbox.hears = True
            live[:] = [one for one in live if one.account != mailbox.account] + [mailbox]
        return mailbox

    return MailboxSource(
        opened,
        account=account.id or "outlook",
        provider="graph",
        capabilities=capabilities,
        may_open=partial(check_enabled, account.id, environ),
    )


def _opened(
    environ: Mapping[str, str], account: Account, capabilities: frozenset[Capability], url: str
) -> GraphMailbox:
    from gaia_graph_mcp.client import BURST, RATE
    from gaia_graph_mcp.failures import CONNECT
    from gaia_graph_mcp.login import MsalTokens
    from gaia_graph_mcp.mailbox import GraphMailbox
    from gaia_graph_mcp.push import GraphSubscription
    from gaia_graph_mcp.turn import BatchTurn
    from gaia_mail_mcp.pacing import SharedBalance, TokenBucket
    from gaia_mail_mcp.web.login_storage import VaultLoginStorage

    folder = paths.account_directory(environ, account.id)
    if account.is_forwarded:
        tokens: TokenSource = _book(environ).forwarded_tokens(account)
    else:
        reference = account.secret.removeprefix(VAULT)
        tokens = MsalTokens(VaultLoginStorage(reference, environ, folder / "login", CONNECT, MICROSOFT))
    client = _client(environ, tokens, account)
    client.turn = BatchTurn(folder / "turn.lock")
    client.bucket = TokenBucket(rate=RATE, burst=BURST, balance=SharedBalance(folder / "quota.json"))
    mailbox = GraphMailbox(client, folder / "graph.db", account=account.address, capabilities=capabilities)
    if url:
        mailbox.push = GraphSubscription(client, folder / "watch.json", url)
    return mailbox


def _client(environ: Mapping[str, str], tokens: TokenSource, account: Account | None = None) -> GraphClient:
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


def push_door(
    environ: Mapping[str, str], live: Sequence[GraphMailbox]
) -> Callable[[ASGIApp], ASGIApp] | None:
    """What lets Microsoft's pushes into an HTTP server, to wake who waits on one of `live`; None without them.

    Raises:
        BadArgument: A value of the environment cannot be used.
    """
    if not _notification_url(environ):
        return None
    from gaia_graph_mcp.push_door import GraphPushEndpoint

    return lambda app: GraphPushEndpoint(app, live)


def _notification_url(environ: Mapping[str, str]) -> str:
    from gaia_mail_mcp.web.endpoints import service_root

    return service_root("GAIA_GRAPH_NOTIFICATION_URL", environ)


def _granted(environ: Mapping[str, str], account: Account) -> str:
    """Graph's scopes, as far as they are known."""
    if not account.is_forwarded:
        return account.settings.get("granted", "")
    return " ".join(scope.rpartition("/")[2] for scope in _book(environ).forwarded_tokens(account).scopes)


def _capabilities(granted: str, wanted: str) -> frozenset[Capability]:
    """What the login allows; before there is one, what is asked for."""
    from gaia_graph_mcp.abilities import allowed
    from gaia_graph_mcp.login import scopes_of

    return allowed(granted.split() or scopes_of(wanted))


def _book(environ: Mapping[str, str]) -> AccountBook:
    return AccountBook(server=SERVER, provider=MICROSOFT, environ=environ)


def _known(name: str, environ: Mapping[str, str]) -> Account:
    """The connected account with that id or address; one without a login where there is none."""
    return _book(environ).find(name) or Account(id=name, provider="outlook", address=name, server=SERVER)


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
                f"{shared[:80]!r} is no address; give that of the shared mailbox, for example sales@contoso.com.",
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


if __name__ == "__main__":
    main()
