"""Logins issued by a provider itself, through the module of its server.

Entries: `log_in_of`, `login_terms`, `log_out`, `address_of`. If its provider issues logins, a server's module
defines these four next to its entry point.
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
"""Takes options, a callback that shows a line, and one that asks whether to continue."""

AddressOf = Callable[[ForwardedLogin, Mapping[str, str]], Awaitable[str]]

LogOut = Callable[[str, Mapping[str, str]], Coroutine[Any, Any, str]]
"""Takes the account's id and the environment; returns a sentence about the result."""


def log_in_of(server: str) -> LogIn:
    """Return the login function for the provider of that server.

    Raises:
        BadArgument: The server is not installed.
    """
    log_in: LogIn = _module(server).log_in
    return log_in


class LoginTerms(TypedDict):
    """The permissions of a login, one per line; `missing` and `hint` name what must be set up first, else empty."""

    allows: Sequence[str]
    missing: str
    hint: str


def login_terms(server: str, granted: str = "") -> LoginTerms:
    """Return the permissions of a login at that server's provider; a server that is not installed is `missing`.

    Args:
        server: The server.
        granted: The permissions of an existing login, from the settings of its account; the terms are then its own.
    """
    try:
        terms: Callable[[Mapping[str, str]], LoginTerms] = _module(server).login_terms
        return terms({"granted": granted} if granted else {})
    except MailError as error:
        return {"allows": (), "missing": error.message, "hint": error.hint or ""}


def unencrypted_login(environ: Mapping[str, str]) -> str:
    """Return the file in which another program stores a Gmail login unencrypted; empty if there is none.

    Raises:
        BadArgument: The server is not installed.
    """
    found: Callable[[Mapping[str, str]], str] = _module(GMAIL).stored_login_file
    return found(environ)


def log_out(account: Account, environ: Mapping[str, str]) -> str:
    """Revoke an account's login at its provider; return a sentence about the result, empty if it issued none.

    Raises nothing, whatever the provider answers, and waits only for a limited time.
    """
    if account.server not in (GMAIL, GRAPH) or not account.secret:
        return ""
    try:
        leave: LogOut = _module(account.server).log_out
        return asyncio.run(leave(account.id, environ))
    except MailError as error:
        return f"Its login was not revoked: {error.message}"


async def address_of(login: ForwardedLogin, environ: Mapping[str, str]) -> str:
    """Return the address of a forwarded login, from its provider; empty if the login does not allow asking.

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
