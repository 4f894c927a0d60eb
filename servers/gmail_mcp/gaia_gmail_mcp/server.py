"""`gaia-gmail-mcp`: Gmail as an MCP server. Entries: `main`, `open_server`, `open_tools`, `log_in`, `log_out`."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry import paths
from gaia_email_registry.accounts import check_enabled
from gaia_email_registry.errors import BadArgument, MailError
from gaia_mail_mcp.provider_server import ProviderServer, ServedMailboxes, say
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.options import SurfaceSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gaia_email_registry.forwarded import ForwardedLogin
    from gaia_gmail_mcp.client import GmailClient
    from gaia_gmail_mcp.credentials import GoogleLoginStore
    from gaia_gmail_mcp.endpoints import Endpoints
    from gaia_gmail_mcp.logins import KnownLogin
    from gaia_gmail_mcp.mailbox import GmailMailbox
    from gaia_gmail_mcp.push import Notification, PushTopic
    from gaia_mail_mcp.mailbox import Capability, Mailbox
    from gaia_mail_mcp.web.token_source import ForwardedTokens

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}\Z", re.ASCII)


class GmailServer(ProviderServer):
    """With `secret`, `granted` says what the login allows."""

    program = "gaia-gmail-mcp"
    description = (
        "Serves a Gmail account over the Model Context Protocol. "
        "gaia-gmail-mcp auth connects one; see gaia-gmail-mcp auth --help."
    )
    group = "gmail"
    auth_description = (
        "Connects a Gmail account: opens Google's page, waits on this machine for the answer, and "
        "keeps the login where the archived Gmail server kept it."
    )

    @override
    def add_flags(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--account",
            metavar="NAME",
            action="append",
            help="an account by a name of yours, best its address; may be given again, then every tool takes account. "
            "Without it the usual credentials file is used, else every account that gaia email connect has connected",
        )

    @override
    def add_auth_flags(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "callback_url",
            nargs="?",
            metavar="CALLBACK_URL",
            help="where Google sends the browser back, on this machine, as in http://localhost:3000/oauth2callback; "
            "by default a free port",
        )
        parser.add_argument(
            "--no-browser", action="store_true", help="only show the address of Google's page"
        )
        parser.add_argument("--account", metavar="NAME", help="connect it beside others, under this name")

    @override
    def serve(
        self, options: argparse.Namespace, environ: Mapping[str, str], settings: SurfaceSettings
    ) -> ServedMailboxes:
        from gaia_gmail_mcp.logins import served

        environ = self.environment(vars(options), environ)
        live: list[GmailMailbox] = []
        sources = {
            name: mailbox_source(environ, name, read_only=settings.read_only, live=live)
            for name in served(options.account or [], environ)
        }
        return ServedMailboxes(sources=sources, around=push_door(environ, live))

    @override
    def embed(
        self, options: Mapping[str, str], environ: Mapping[str, str], settings: SurfaceSettings
    ) -> MailboxSource:
        environ = self.environment(options, environ)
        login = None
        if "secret" in options:
            from gaia_gmail_mcp.logins import login_in_vault

            login = login_in_vault(options, environ)
        account = options.get("account", "")
        return mailbox_source(environ, account, read_only=settings.read_only, login=login)

    @override
    async def authorize(self, options: argparse.Namespace, environ: Mapping[str, str]) -> str:
        from gaia_gmail_mcp.auth import AuthorizationRequest, connect_account
        from gaia_gmail_mcp.credentials import GoogleLoginStore
        from gaia_gmail_mcp.endpoints import Endpoints
        from gaia_gmail_mcp.scopes import DEFAULT, read_names

        environ = self.environment(vars(options), environ)
        _check_account(options.account or "")
        given = environ.get("GAIA_GMAIL_SCOPES", "").strip()
        store = GoogleLoginStore.from_environment(environ, options.account or "")
        plan = AuthorizationRequest(
            store=store,
            endpoints=Endpoints.from_environment(environ),
            names=read_names(given) if given else DEFAULT,
            callback_url=options.callback_url or "",
            browser=not options.no_browser,
        )
        await connect_account(plan, say)
        return f"Connected. The login is in {store.credentials_path}, readable by you only."


_SERVER = GmailServer()
main, open_server, open_tools = _SERVER.main, _SERVER.open_server, _SERVER.open_tools


async def log_in(
    options: Mapping[str, str], say: Callable[[str], None], agree: Callable[[], bool]
) -> Mapping[str, str]:
    """Connect an account for a program that keeps the login itself.

    Args:
        options: What the flags of `gaia-gmail-mcp auth` say, by their names with underscores; `email` for the
            account that is meant; `stored_login` as `true` for the login that lies in the archived Gmail server's file.
        say: Shows a line.
        agree: Asked after what the login allows was shown, before a browser opens.

    Returns:
        `address`, `granted` (names of scopes, with commas) and `login`, which is secret; `file`, where it was in one.

    Raises:
        MailError: Google, or the user, did not agree, or it is another account than was meant.
    """
    from gaia_gmail_mcp.oauth_grant import GoogleGrantRequest, granted_login, stored_login

    environ = _SERVER.environment(options, os.environ)
    request = GoogleGrantRequest(
        environ=environ,
        email=options.get("email", ""),
        callback_url=options.get("callback_url", ""),
        browser=options.get("no_browser", "") != "true",
    )
    if options.get("stored_login") == "true":
        return await stored_login(request)
    return await granted_login(request, say, agree)


def login_terms(options: Mapping[str, str]) -> Mapping[str, object]:
    """What a login would allow, before anybody is asked for one.

    Args:
        options: As of `log_in`; `granted` for a login that there is, as `log_in` answered it.

    Returns:
        `allows`, a line each in plain words; `missing` and `hint`, what has to be there before and how it comes there,
        empty where nothing has to.
    """
    from gaia_gmail_mcp.credentials import GoogleLoginStore, keys_path
    from gaia_gmail_mcp.oauth_grant import CONNECT
    from gaia_gmail_mcp.scopes import ACCESS, DEFAULT, read_names
    from gaia_mail_mcp.web.login_storage import MemoryLoginStorage

    environ = _SERVER.environment(options, os.environ)
    given, missing, hint = environ.get("GAIA_GMAIL_SCOPES", "").strip(), "", ""
    try:
        GoogleLoginStore(keys_path(environ), storage=MemoryLoginStorage(CONNECT)).keys()
    except MailError as error:
        missing, hint = error.message, error.hint or ""
    held = [name for name in options.get("granted", "").split(",") if name in ACCESS]
    allows = [ACCESS[name].words for name in held or (read_names(given) if given else DEFAULT)]
    return {"allows": allows, "missing": missing, "hint": hint}


def stored_login_file(environ: Mapping[str, str]) -> str:
    """Where the archived Gmail server keeps a login, unencrypted; empty where there is none."""
    from gaia_gmail_mcp.credentials import GoogleLoginStore

    path = GoogleLoginStore.from_environment(environ).credentials_path
    return str(path) if path.is_file() else ""


async def log_out(account: str, environ: Mapping[str, str]) -> str:
    """Have Google revoke the login of a connected account, for the program that is about to forget it.

    Returns:
        A sentence on what came of it.

    Raises:
        MailError: The account's settings cannot be used; nothing was asked of Google.
    """
    from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
    from gaia_gmail_mcp.logins import login_of
    from gaia_mail_mcp.web.revoke import revoke

    login = login_of(account, environ)
    if login.store is None:
        return "Its login stays with the host that forwarded it."
    urls = Endpoints.from_environment(login.environ).revoke
    # https://developers.google.com/identity/protocols/oauth2/native-app#tokenrevoke
    return await revoke(
        login.store, urls, GOOGLE, scope=", and any other of the same OAuth client to that address"
    )


async def address_of(login: ForwardedLogin, environ: Mapping[str, str]) -> str:
    """The address of the account that a forwarded login opens, as Google says it.

    Raises:
        NeedsAuth: Google does not accept the login.
        MailError: Gmail cannot be reached.
    """
    from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
    from gaia_gmail_mcp.profile import profile_of
    from gaia_mail_mcp.web.token_source import ForwardedTokens

    client = _client(Endpoints.from_environment(environ), ForwardedTokens(lambda: login, GOOGLE), "")
    try:
        return (await profile_of(client)).address
    finally:
        await client.http.aclose()


def mailbox_source(
    environ: Mapping[str, str],
    account: str = "",
    *,
    read_only: bool = False,
    live: list[GmailMailbox] | None = None,
    login: KnownLogin | None = None,
) -> MailboxSource:
    """The mailbox of an account; Gmail is called by its first method, which says what is wrong.

    Once it is open it is in `live` too. `login` says where its login is, if not where `account` would have it.

    Raises:
        BadArgument: A value of the environment cannot be used.
    """
    from gaia_gmail_mcp.endpoints import Endpoints
    from gaia_gmail_mcp.logins import login_of
    from gaia_gmail_mcp.push import PushTopic
    from gaia_mail_mcp.mailbox import Capability

    _check_account(account)
    login = login or login_of(account, environ)
    environ = login.environ
    endpoints, push = Endpoints.from_environment(environ), PushTopic.from_environment(environ)
    capabilities = _capabilities(login)
    if push.topic:
        capabilities |= {Capability.PUSH}

    def opened() -> Mailbox:
        mailbox = _open(login, endpoints, push, paths.home(environ), account, capabilities)
        mailbox.snoozes.wakes = not read_only
        if live is not None:
            live[:] = [one for one in live if one.account != mailbox.account] + [mailbox]
        return mailbox

    return MailboxSource(
        opened,
        account=account or "gmail",
        provider="gmail",
        capabilities=capabilities,
        may_open=partial(check_enabled, account, environ),
    )


def push_door(
    environ: Mapping[str, str], live: Sequence[GmailMailbox]
) -> Callable[[ASGIApp], ASGIApp] | None:
    """What lets Pub/Sub's pushes into an HTTP server, to wake who waits on one of `live`; None without them.

    Raises:
        BadArgument: A value of the environment cannot be used.
    """
    from gaia_gmail_mcp.push import PushTopic

    push = PushTopic.from_environment(environ)
    if not push.audience:
        return None
    from gaia_gmail_mcp.push_webhook import GmailPushEndpoint, PushVerifier
    from gaia_mail_mcp.web.http import HttpClient

    verifier = PushVerifier(push, HttpClient("Google").get_body)

    def tell(exit_on_error: Notification) -> None:
        for mailbox in live:
            if mailbox.account.casefold() == exit_on_error.address.casefold():
                mailbox.follower.news.tell()

    return lambda app: GmailPushEndpoint(app, verifier, tell)


def _open(
    login: KnownLogin,
    endpoints: Endpoints,
    push: PushTopic,
    home: Path,
    account: str,
    capabilities: frozenset[Capability],
) -> GmailMailbox:
    from gaia_gmail_mcp.mailbox import GmailMailbox

    return GmailMailbox(
        _client(endpoints, login.forwarded or login.store, account),
        home,
        calendar_root=endpoints.calendar,
        push=push,
        account=account,
        capabilities=capabilities,
    )


def _client(
    endpoints: Endpoints, login: ForwardedTokens | GoogleLoginStore | None, account: str
) -> GmailClient:
    from gaia_gmail_mcp.client import GmailClient
    from gaia_gmail_mcp.credentials import GoogleLoginStore
    from gaia_gmail_mcp.endpoints import GOOGLE
    from gaia_mail_mcp.pacing import TokenBucket
    from gaia_mail_mcp.web.http import HttpClient
    from gaia_mail_mcp.web.tokens import AccessTokens

    assert login is not None
    http = HttpClient(GOOGLE.company, account=account)
    return GmailClient(
        root=endpoints.gmail,
        http=http,
        tokens=AccessTokens(login, endpoints.tokens, http.post_form, GOOGLE)
        if isinstance(login, GoogleLoginStore)
        else login,
        bucket=TokenBucket(rate=1.0, burst=100.0),  # for the first call, which finds out whose quota it is
    )


def _capabilities(known: KnownLogin) -> frozenset[Capability]:
    """What is asked for, and what the login allows; before there is one, what it will usually allow."""
    from gaia_gmail_mcp import scopes

    given = known.environ.get("GAIA_GMAIL_SCOPES", "").strip()
    asked = scopes.capabilities_of(scopes.read_names(given)) if given else None
    granted = scopes.read_names(known.granted) if known.granted else _granted(known.store)
    if not granted:
        return scopes.capabilities_of(scopes.DEFAULT) if asked is None else asked
    allowed = scopes.capabilities_of(granted)
    return allowed if asked is None else allowed & asked


def _granted(store: GoogleLoginStore | None) -> tuple[str, ...]:
    from gaia_gmail_mcp import scopes

    try:
        login = store.login() if store is not None else None
    except MailError:
        return ()
    return scopes.granted(login.scopes) if login is not None else ()


def _check_account(account: str) -> None:
    if account and not _ACCOUNT.match(account):
        raise BadArgument("An account is named with letters, digits and . _ @ + -.", argument="account")


if __name__ == "__main__":
    main()
