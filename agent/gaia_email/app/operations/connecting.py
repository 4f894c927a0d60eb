"""Connecting a mailbox where nobody sits at a terminal. Entry: `CONNECT`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.documents.accounts import ConnectedDocument, connected_document
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput
from gaia_email_registry.errors import BadArgument, NeedsAuth

Security = Literal["", "tls", "starttls", "none"]
HostName = Annotated[str, Meta(max_length=253, description="Of a provider that is not known; else empty.")]
Port = Annotated[int, Meta(ge=0, le=65_535, description="0 for the usual one.")]

ON_THEIR_PAGE = ("gmail", "outlook", "microsoft365")
"""Providers whose login is on a page of their own."""


class ConnectInput(OperationInput, frozen=True, kw_only=True):
    """An account on a server by its address and password, or mail files of this machine by where they are."""

    email: Annotated[str, Meta(max_length=320, description="The address; empty for mail files.")] = ""
    password: Annotated[
        str, Meta(max_length=4_000, description="Of an IMAP account, or an app password; kept in the vault.")
    ] = ""
    imap_host: HostName = ""
    imap_port: Port = 0
    imap_security: Annotated[Security, Meta(description="Usually tls.")] = ""
    imap_user: Annotated[
        str, Meta(max_length=320, description="Who logs in, where that is not the address.")
    ] = ""
    smtp_host: HostName = ""
    smtp_port: Port = 0
    smtp_security: Annotated[Security, Meta(description="Usually tls.")] = ""
    files: Annotated[
        Literal["", "maildir", "mbox", "eml"], Meta(description="What the mail files are; empty for none.")
    ] = ""
    path: Annotated[str, Meta(max_length=4_000, description="Where the mail files are.")] = ""
    user: Annotated[
        tuple[Annotated[str, Meta(max_length=320)], ...],
        Meta(max_length=20, description="Whose mail files they are; empty to find out from the mail."),
    ] = ()


def connect(app: App, call: OperationCall[ConnectInput]) -> dict[str, Any]:
    """Connect a mailbox: the login is tried first, and nothing is kept where it fails; mail files stay where they are.

    Raises:
        BadArgument: It is not said which mailbox, or where its servers are.
        NeedsAuth: The login failed, or takes a page of the provider's.
        MailError: The mailbox cannot be reached, or nothing can be kept.
    """
    import asyncio

    from gaia_email.app.accounts.connect import connect as connect_account
    from gaia_email.app.accounts.connect import plan_account
    from gaia_email.app.accounts.connect_files import connect_files
    from gaia_email.app.services.finding_accounts import now_connected

    asked = call.asked
    if bool(asked.files) == bool(asked.email) or bool(asked.files) != bool(asked.path):
        raise BadArgument(
            "Name an address, or mail files with their path.", argument="email", hint="one of the two."
        )
    if asked.files:
        found = asyncio.run(connect_files(asked.files, asked.path, asked.user, app.environ))
    else:
        account, provider = plan_account(asked.email, None, _servers(asked))
        if not asked.password:
            raise _no_password(asked.email, "" if provider is None else provider.id)
        found = asyncio.run(connect_account(account, app.environ, password=asked.password))
    now_connected(app, found.account.address)
    return {**connected_document(found)}


def _servers(asked: ConnectInput) -> dict[str, str]:
    """What was said of the servers, as the settings of an account."""
    said = {
        "imap_host": asked.imap_host,
        "imap_port": asked.imap_port,
        "imap_security": asked.imap_security,
        "imap_user": asked.imap_user,
        "smtp_host": asked.smtp_host,
        "smtp_port": asked.smtp_port,
        "smtp_security": asked.smtp_security,
    }
    return {name: str(value) for name, value in said.items() if value}


def _no_password(address: str, provider: str) -> NeedsAuth:
    if provider in ON_THEIR_PAGE:
        return NeedsAuth(
            "The login of this provider is on a page of its own, which this cannot open for you.",
            hint=f"gaia email connect --email {address} in a terminal.",
        )
    return NeedsAuth("The password is missing; nothing was connected.", hint="send it as password.")


CONNECT = Operation(name="connect", run=connect, input=ConnectInput, output=ConnectedDocument, risk="person")
