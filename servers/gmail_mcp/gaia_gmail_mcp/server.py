"""`gaia-gmail-mcp`: Gmail as an MCP server. Entries: `main`, `open_server`, `open_tools`, `log_in`, `log_out`."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from gaia_email_registry import paths
from gaia_email_registry.accounts import Account
from gaia_email_registry.errors import BadArgument, MailError
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.provider_server import say
from gaia_mail_mcp.served_provider import ServedProvider
from gaia_mail_mcp.web.accounts import KnownLogin

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from gaia_gmail_mcp.client import GmailClient
    from gaia_gmail_mcp.credentials import GoogleLoginStore
    from gaia_gmail_mcp.mailbox import GmailMailbox
    from gaia_gmail_mcp.push import Notification
    from gaia_mail_mcp.web.token_source import ForwardedTokens

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}\Z", re.ASCII)


class GmailServer(ServedProvider["GmailMailbox", "GmailClient"]):
    """Serves connected accounts, or the credential files of the archived Gmail server."""

    program = "gaia-gmail-mcp"
    description = (
        "Serves a Gmail account over the Model Context Protocol. "
        "gaia-gmail-mcp auth connects one; see gaia-gmail-mcp auth --help."
    )
    group = server = preset = "gmail"
    names = GOOGLE
    account_help = (
        "an account by a name of yours, best its address; may be given again, then every tool takes account. "
        "Without it the usual credentials file is used, else every account that gaia email connect has connected"
    )
    auth_description = (
        "Connects a Gmail account: opens Google's page, waits on this machine for the answer, and "
        "keeps the login where the archived Gmail server kept it."
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
    async def authorize(self, options: argparse.Namespace, environ: Mapping[str, str]) -> str:
        from gaia_gmail_mcp.credentials import GoogleLoginStore
        from gaia_gmail_mcp.logins import AuthorizationRequest, connect_account
        from gaia_gmail_mcp.scopes import asked_names

        environ = self.environment(vars(options), environ)
        _check_account(options.account or "")
        store = GoogleLoginStore.from_environment(environ, options.account or "")
        plan = AuthorizationRequest(
            store=store,
            endpoints=Endpoints.from_environment(environ),
            names=asked_names(environ),
            callback_url=options.callback_url or "",
            browser=not options.no_browser,
        )
        await connect_account(plan, say)
        return f"Connected. The login is in {store.credentials_path}, readable by you only."

    @override
    async def log_in(
        self, options: Mapping[str, str], say: Callable[[str], None], agree: Callable[[], bool]
    ) -> Mapping[str, str]:
        """Return the login; with `stored_login` as `true`, the one in the archived Gmail server's file (`file`)."""
        from gaia_gmail_mcp.logins import granted_login, stored_login

        environ = self.environment(options, os.environ)
        if options.get("stored_login") == "true":
            return await stored_login(options, environ)
        return await granted_login(options, environ, say, agree)

    @override
    def allowed_words(self, granted: str, environ: Mapping[str, str]) -> Sequence[str]:
        from gaia_gmail_mcp.scopes import ACCESS, asked_names

        held = [name for name in granted.split(",") if name in ACCESS]
        return [ACCESS[name].words for name in held or asked_names(environ)]

    @override
    def check_ready(self, environ: Mapping[str, str]) -> None:
        from gaia_gmail_mcp.credentials import CONNECT_KEPT, keys_path, read_keys

        read_keys(keys_path(environ), CONNECT_KEPT)

    @override
    async def revoke(self, login: KnownLogin) -> str:
        from gaia_mail_mcp.web.revoke import revoke

        # https://developers.google.com/identity/protocols/oauth2/native-app#tokenrevoke
        urls = Endpoints.from_environment(login.environ).revoke
        return await revoke(
            _store(login), urls, GOOGLE, scope=", and any other of the same OAuth client to that address"
        )

    @override
    def default_names(self, environ: Mapping[str, str]) -> Sequence[str]:
        """Serve the login in the default credential file if there is one, else the connected accounts."""
        if environ.get("GMAIL_CREDENTIALS_PATH") or stored_login_file(environ):
            return [""]
        return super().default_names(environ)

    @override
    def unlisted_login(self, account: Account, environ: Mapping[str, str]) -> KnownLogin:
        """Return the login in the credential file of that name."""
        from gaia_gmail_mcp.credentials import GoogleLoginStore

        _check_account(account.id)
        storage = GoogleLoginStore.from_environment(environ, account.id).storage
        return KnownLogin(account=account, environ=environ, storage=storage)

    @override
    def capabilities_of(self, login: KnownLogin) -> frozenset[Capability]:
        from gaia_gmail_mcp import scopes
        from gaia_gmail_mcp.push import PushTopic

        Endpoints.from_environment(login.environ)  # refuses invalid URLs when the server starts
        granted = _access_names(login)
        found = scopes.capabilities_of(granted or scopes.asked_names(login.environ))
        if granted and login.environ.get("GAIA_GMAIL_SCOPES", "").strip():
            found &= scopes.capabilities_of(scopes.asked_names(login.environ))
        is_pushed = bool(PushTopic.from_environment(login.environ).topic)
        return found | {Capability.PUSH} if is_pushed else found

    @override
    def open_mailbox(
        self, login: KnownLogin, capabilities: frozenset[Capability], *, wakes: bool, hears: bool
    ) -> GmailMailbox:
        from gaia_gmail_mcp.client import open_client
        from gaia_gmail_mcp.mailbox import GmailMailbox
        from gaia_gmail_mcp.push import PushTopic

        endpoints, name = Endpoints.from_environment(login.environ), login.account.id
        mailbox = GmailMailbox(
            open_client(endpoints, login.forwarded or _store(login), account=name),
            paths.home(login.environ),
            calendar_root=endpoints.calendar,
            push=PushTopic.from_environment(login.environ),
            account=name,
            capabilities=capabilities,
        )
        mailbox.snoozes.wakes = wakes
        return mailbox

    @override
    def open_client(self, tokens: ForwardedTokens, environ: Mapping[str, str]) -> GmailClient:
        from gaia_gmail_mcp.client import open_client

        return open_client(Endpoints.from_environment(environ), tokens)

    @override
    async def ask_address(self, client: GmailClient) -> str:
        from gaia_gmail_mcp.profile import profile_of

        return (await profile_of(client)).address

    @override
    def push_door(
        self, environ: Mapping[str, str], live: Sequence[GmailMailbox]
    ) -> Callable[[ASGIApp], ASGIApp] | None:
        from gaia_gmail_mcp.push import PushTopic

        push = PushTopic.from_environment(environ)
        if not push.audience:
            return None
        from gaia_gmail_mcp.push_webhook import GmailPushEndpoint, PushVerifier
        from gaia_mail_mcp.web.http import HttpClient

        verifier = PushVerifier(push, HttpClient("Google").get_body)

        def tell(told: Notification) -> None:
            for mailbox in live:
                if mailbox.account.casefold() == told.address.casefold():
                    mailbox.follower.news.tell()

        return lambda app: GmailPushEndpoint(app, verifier, tell)


def stored_login_file(environ: Mapping[str, str]) -> str:
    """Return the path of the unencrypted login of the archived Gmail server; empty if there is none."""
    from gaia_gmail_mcp.credentials import GoogleLoginStore

    path = GoogleLoginStore.from_environment(environ).credentials_path
    return str(path) if path.is_file() else ""


def _store(login: KnownLogin) -> GoogleLoginStore:
    from gaia_gmail_mcp.credentials import GoogleLoginStore, keys_path

    return GoogleLoginStore(keys_path(login.environ), storage=login.storage)


def _access_names(login: KnownLogin) -> tuple[str, ...]:
    """Return the names of the access that the login allows, from the account if it lists them, else from the vault."""
    from gaia_gmail_mcp import scopes

    if login.forwarded is not None:
        names = scopes.names_of(login.forwarded.scopes)
        return names if scopes.READS.intersection(names) else ()
    if login.granted:
        return scopes.read_names(login.granted)
    try:
        stored = _store(login).login()
    except MailError:
        return ()
    return scopes.names_of(stored.scopes) if stored is not None else ()


def _check_account(account: str) -> None:
    if account and not _ACCOUNT.match(account):
        raise BadArgument("An account is named with letters, digits and . _ @ + -.", argument="account")


SERVER = GmailServer()
main, open_server, open_tools = SERVER.main, SERVER.open_server, SERVER.open_tools
log_in, log_out, login_terms, address_of = (
    SERVER.log_in,
    SERVER.log_out,
    SERVER.login_terms,
    SERVER.address_of,
)

if __name__ == "__main__":
    main()
