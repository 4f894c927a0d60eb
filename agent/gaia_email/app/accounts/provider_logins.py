"""Logins that a provider gives out itself, by the module of its server.

Entries: `log_in_of`, `login_terms`, `log_out`, `address_of`. A server's module has these four beside its entry
point, where its provider gives out logins.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, TypedDict

from gaia_email_registry.accounts import Account
from gaia_email_registry.errors import BadArgument, MailError
from gaia_email_registry.forwarded import ForwardedLogin
from gaia_email_registry.servers import ENTRY_POINTS

GMAIL, GRAPH = "gmail", "graph"

LogIn = Callable[[Mapping[str, str], Callable[[str], None], Callable[[], bool]], Awaitable[Mapping[str, str]]]
"""Options, a line to show, whether to go on."""

AddressOf = Callable[[ForwardedLogin, Mapping[str, str]], Awaitable[str]]

LogOut = Callable[[str, Mapping[str, str]], Coroutine[Any, Any, str]]
"""The account's id and the environment; answers a sentence on what came of it."""


def log_in_of(server: str) -> LogIn:
    """What logs in at the provider of that server.

    Raises:
        BadArgument: The server is not installed.
    """
    log_in: LogIn = _module(server).log_in
    return log_in


class LoginTerms(TypedDict):
    """What a login would allow, a line each; `missing` and `hint` say what has to be there before it, else empty."""

    allows: Sequence[str]
    missing: str
    hint: str


def login_terms(server: str, granted: str = "") -> LoginTerms:
    """What a login at the provider of that server would allow; a server that is not installed is what is missing.

    Args:
        server: Which server.
        granted: What a login that there is was granted, as the settings of its account say; then it is that one's.
    """
    try:
        terms: Callable[[Mapping[str, str]], LoginTerms] = _module(server).login_terms
        return terms({"granted": granted} if granted else {})
    except MailError as error:
        return {"allows": (), "missing": error.message, "hint": error.hint or ""}


def unencrypted_login(environ: Mapping[str, str]) -> str:
    """The file in which another program keeps a Gmail login unencrypted; empty where there is none.

    Raises:
        BadArgument: The server is not installed.
    """
    found: Callable[[Mapping[str, str]], str] = _module(GMAIL).stored_login_file
    return found(environ)


def log_out(account: Account, environ: Mapping[str, str]) -> str:
    """Have the provider forget the login of an account; a sentence on what came of it, empty where it gave none out.

    Whatever the provider says or does not say, nothing is raised and the wait is bounded.
    """
    if account.server not in (GMAIL, GRAPH) or not account.secret:
        return ""
    try:
        leave: LogOut = _module(account.server).log_out
        return asyncio.run(leave(account.id, environ))
    except MailError as error:
        return f"Its login was not revoked: {error.message}"


async def address_of(login: ForwardedLogin, environ: Mapping[str, str]) -> str:
    """Whose mailbox a forwarded login opens, as its provider says; empty where the login does not let it say so.

    Raises:
        NeedsAuth: The provider does not accept the login.
        MailError: It cannot be reached, or its server is not installed.
    """
    asked: AddressOf = _module(login.server).address_of
    return await asked(login, environ)


def _module(server: str) -> ModuleType:
    for entry in entry_points(group=ENTRY_POINTS, name=server):
        return import_module(entry.module)
    raise BadArgument(f"The {server} server is not installed: pip install 'gaia-email[{server}]'.")
