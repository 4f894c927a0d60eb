"""`gaia-gmail-mcp`: Gmail as an MCP server. Entries: `main`, `open_server`, `open_tools`, `log_in`, `log_out`.

Nothing is asked of Google before the first tool is called, so the server starts and lists its tools without a
login; the first answer then says how to connect. `gaia-gmail-mcp auth` connects.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gaia_email_registry import paths
from gaia_email_registry.accounts import check_enabled
from gaia_email_registry.egress.recording import record
from gaia_email_registry.errors import BadArgument, MailError
from gaia_email_registry.settings import SETTINGS
from gaia_mail_mcp.surface.exit_on_error import exit_on_error
from gaia_mail_mcp.surface.options import (
    add_arguments,
    add_setting_flags,
    embedded_settings,
    settings_from,
)

if TYPE_CHECKING:
    from fastmcp import FastMCP
    from starlette.types import ASGIApp

    from gaia_gmail_mcp.credentials import GoogleLoginStore
    from gaia_gmail_mcp.endpoints import Endpoints
    from gaia_gmail_mcp.logins import KnownLogin
    from gaia_gmail_mcp.mailbox import GmailMailbox
    from gaia_gmail_mcp.push import Notification, PushTopic
    from gaia_mail_mcp.mailbox import Capability, Mailbox
    from gaia_mail_mcp.surface.embedded import EmbeddedTools
    from gaia_mail_mcp.surface.options import SurfaceSettings

_ACCOUNT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}\Z", re.ASCII)
_ACCOUNT_HELP = (
    "an account by a name of yours, best its address; may be given again, then every tool takes account. "
    "Without it the usual credentials file is used, else every account that gaia email connect has connected"
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse the command line; connect an account, or build the server and run it until its client goes away."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    record(os.environ, "gaia-gmail-mcp")
    with exit_on_error("gaia-gmail-mcp"):
        if given[:1] == ["auth"]:
            _connect(_auth_parser().parse_args(given[1:]))
            return
        options = _parser().parse_args(given)
        settings = settings_from(options, os.environ)
        environ = _environment(vars(options), os.environ)
        from gaia_gmail_mcp.logins import served

        live: list[GmailMailbox] = []
        mailboxes = {
            name: open_mailbox(environ, name, read_only=settings.read_only, live=live)
            for name in served(options.account or [], environ)
        }
        from gaia_mail_mcp.surface.run import run_server
        from gaia_mail_mcp.surface.server import create_server

        run_server(create_server(mailboxes, settings), settings, push_door(environ, live))


def open_server(options: Mapping[str, str]) -> FastMCP[None]:
    """The server for a program that runs it in its own process and asks the user itself.

    Args:
        options: What the flags of `gaia-gmail-mcp` say, by their names with underscores (`account` once);
            `secret` for where the login is, with what it was `granted`; `read_only`, `no_send` and
            `allow_permanent_delete` as `true` or `false`.

    Raises:
        BadArgument: A value cannot be used.
    """
    from gaia_mail_mcp.surface.server import create_server

    settings = embedded_settings(options)
    return create_server(_mailbox_of(options, settings), settings)


def open_tools(options: Mapping[str, str]) -> EmbeddedTools:
    """The tools of that server (`open_server`), for a program that calls them without MCP."""
    from gaia_mail_mcp.surface.embedded import EmbeddedTools

    settings = embedded_settings(options)
    return EmbeddedTools(_mailbox_of(options, settings), settings)


def _mailbox_of(options: Mapping[str, str], settings: SurfaceSettings) -> Mailbox:
    environ = _environment(options, os.environ)
    account = options.get("account", "")
    login = None
    if "secret" in options:
        from gaia_gmail_mcp.logins import login_in_vault

        login = login_in_vault(options, environ)
    return open_mailbox(environ, account, read_only=settings.read_only, login=login)


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

    environ = _environment(options, os.environ)
    request = GoogleGrantRequest(
        environ=environ,
        email=options.get("email", ""),
        callback_url=options.get("callback_url", ""),
        browser=options.get("no_browser", "") != "true",
    )
    if options.get("stored_login") == "true":
        return await stored_login(request)
    return await granted_login(request, say, agree)


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
    urls = Endpoints.from_environment(login.environ).revoke
    # https://developers.google.com/identity/protocols/oauth2/native-app#tokenrevoke
    return await revoke(
        login.store, urls, GOOGLE, scope=", and any other of the same OAuth client to that address"
    )


def open_mailbox(
    environ: Mapping[str, str],
    account: str = "",
    *,
    read_only: bool = False,
    live: list[GmailMailbox] | None = None,
    login: KnownLogin | None = None,
) -> Mailbox:
    """The mailbox of an account; Gmail is called by its first method, which says what is wrong.

    Once it is open it is in `live` too. `login` says where its login is, if not where `account` would have it.

    Raises:
        BadArgument: A value of the environment cannot be used.
    """
    from gaia_gmail_mcp.endpoints import Endpoints
    from gaia_gmail_mcp.logins import login_of
    from gaia_gmail_mcp.push import PushTopic
    from gaia_mail_mcp.mailbox import Capability
    from gaia_mail_mcp.wrappers import Deferred

    _check_account(account)
    login = login or login_of(account, environ)
    environ, store = login.environ, login.store
    endpoints, push = Endpoints.from_environment(environ), PushTopic.from_environment(environ)
    capabilities = _capabilities(login)
    if push.topic:
        capabilities |= {Capability.PUSH}

    def opened() -> Mailbox:
        mailbox = _open(store, endpoints, push, paths.home(environ), account, capabilities)
        mailbox.snoozes.wakes = not read_only
        if live is not None:
            live[:] = [one for one in live if one.account != mailbox.account] + [mailbox]
        return mailbox

    return Deferred(
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
    store: GoogleLoginStore,
    endpoints: Endpoints,
    push: PushTopic,
    home: Path,
    account: str,
    capabilities: frozenset[Capability],
) -> GmailMailbox:
    from gaia_gmail_mcp.client import GmailClient
    from gaia_gmail_mcp.endpoints import GOOGLE
    from gaia_gmail_mcp.mailbox import GmailMailbox
    from gaia_mail_mcp.pacing import TokenBucket
    from gaia_mail_mcp.web.http import HttpClient
    from gaia_mail_mcp.web.tokens import AccessTokens

    http = HttpClient(GOOGLE.company, account=account)
    client = GmailClient(
        root=endpoints.gmail,
        http=http,
        tokens=AccessTokens(store, endpoints.tokens, http.post_form, GOOGLE),
        bucket=TokenBucket(rate=1.0, burst=100.0),  # for the first call, which finds out whose quota it is
    )
    return GmailMailbox(
        client,
        home,
        calendar_root=endpoints.calendar,
        push=push,
        account=account,
        capabilities=capabilities,
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


def _granted(store: GoogleLoginStore) -> tuple[str, ...]:
    from gaia_gmail_mcp import scopes

    try:
        login = store.login()
    except MailError:
        return ()
    return scopes.granted(login.scopes) if login is not None else ()


def _connect(options: argparse.Namespace) -> None:
    """`gaia-gmail-mcp auth`."""
    from gaia_gmail_mcp.auth import AuthorizationRequest, connect_account
    from gaia_gmail_mcp.credentials import GoogleLoginStore
    from gaia_gmail_mcp.endpoints import Endpoints
    from gaia_gmail_mcp.scopes import DEFAULT, read_names

    environ = _environment(vars(options), os.environ)
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
    asyncio.run(connect_account(plan, _say))
    _say(f"Connected. The login is in {store.credentials_path}, readable by you only.")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _environment(flags: Mapping[str, object], environ: Mapping[str, str]) -> dict[str, str]:
    """The environment with the flags of this program over it."""
    given = {entry.env: flags.get(entry.dest) for entry in SETTINGS if entry.group == "gmail"}
    return {**environ, **{env: value for env, value in given.items() if isinstance(value, str)}}


def _check_account(account: str) -> None:
    if account and not _ACCOUNT.match(account):
        raise BadArgument("An account is named with letters, digits and . _ @ + -.", argument="account")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gaia-gmail-mcp",
        description="Serves a Gmail account over the Model Context Protocol. "
        "gaia-gmail-mcp auth connects one; see gaia-gmail-mcp auth --help.",
    )
    parser.add_argument("--account", metavar="NAME", action="append", help=_ACCOUNT_HELP)
    add_setting_flags(parser, "gmail", "the account (each also an environment variable)")
    add_arguments(parser)
    return parser


def _auth_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gaia-gmail-mcp auth",
        description="Connects a Gmail account: opens Google's page, waits on this machine for the answer, and "
        "keeps the login where the archived Gmail server kept it.",
    )
    parser.add_argument(
        "callback_url",
        nargs="?",
        metavar="CALLBACK_URL",
        help="where Google sends the browser back, on this machine, as in http://localhost:3000/oauth2callback; "
        "by default a free port",
    )
    parser.add_argument("--no-browser", action="store_true", help="only show the address of Google's page")
    parser.add_argument("--account", metavar="NAME", help="connect it beside others, under this name")
    add_setting_flags(parser, "gmail", "the account (each also an environment variable)")
    return parser


if __name__ == "__main__":
    main()
