"""Operations that connect a mailbox step by step, without a terminal, and disconnect it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.connection_attempts import AttemptState, ConnectionWay
from gaia_email.app.documents.accounts import NewAccountDetails, ServerTraceRow, signal_rows
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email.document import Count, Document
from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth
from gaia_email_registry.providers import PROVIDERS

if TYPE_CHECKING:
    from gaia_email.app.accounts.planning import ConnectionPlan
    from gaia_email.app.connection_attempts import ConnectionAttempt

Security = Literal["", "tls", "starttls", "none"]
HostName = Annotated[str, Meta(max_length=253, description="Server of an unknown provider; else empty.")]
AddressText = Annotated[str, Meta(min_length=3, max_length=320, description="The address.")]
Port = Annotated[int, Meta(ge=0, le=65_535, description="0 for the usual one.")]

ON_THEIR_PAGE = ("gmail", "outlook", "microsoft365")
"""Providers with a login page of their own."""


class ConnectInput(OperationInput, frozen=True, kw_only=True):
    """An account on a server by its address and password, or mail files of this machine by where they are."""

    email: Annotated[str, Meta(max_length=320, description="The address; empty for mail files.")] = ""
    password: Annotated[
        str,
        Meta(
            max_length=4_000,
            description="Password of an IMAP account, or an app password; kept in the vault.",
        ),
    ] = ""
    password_command: Annotated[
        str,
        Meta(
            max_length=4_000, description="Prints the password at every login, in place of one that is kept."
        ),
    ] = ""
    provider: Annotated[
        str,
        Meta(max_length=40, description="Provider of the mailbox, if the address does not tell; else empty."),
    ] = ""
    imap_host: HostName = ""
    imap_port: Port = 0
    imap_security: Annotated[Security, Meta(description="Usually tls.")] = ""
    imap_user: Annotated[
        str, Meta(max_length=320, description="Name for the login, if it is not the address.")
    ] = ""
    imap_certificates: Annotated[
        str,
        Meta(max_length=4_000, description="A file with certificate authorities to trust besides, as PEM."),
    ] = ""
    smtp_host: HostName = ""
    smtp_port: Port = 0
    smtp_security: Annotated[Security, Meta(description="Usually tls.")] = ""
    files: Annotated[
        Literal["", "maildir", "mbox", "eml"], Meta(description="Format of the mail files; empty for none.")
    ] = ""
    path: Annotated[str, Meta(max_length=4_000, description="Path of the mail files.")] = ""
    user: Annotated[
        tuple[Annotated[str, Meta(max_length=320)], ...],
        Meta(max_length=20, description="Addresses of the files' owner; empty to find them in the mail."),
    ] = ()


@operation(
    output=NewAccountDetails,
    path="POST /v1/email/connect",
    example={"files": "maildir", "path": "~/Mail"},
    risk="person",
)
def connect(app: App, call: OperationCall[ConnectInput]) -> NewAccountDetails:
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
    from gaia_email.app.services.connecting import connected_once
    from gaia_email.app.services.finding_accounts import now_connected

    asked = call.asked
    if bool(asked.files) == bool(asked.email) or bool(asked.files) != bool(asked.path):
        raise BadArgument(
            "Name an address, or mail files with their path.", argument="email", hint="one of the two."
        )
    if asked.files:
        found = asyncio.run(connect_files(asked.files, asked.path, asked.user, app.environ))
    else:
        if asked.provider and asked.provider not in PROVIDERS:
            raise BadArgument(
                f"There is no provider {asked.provider!r}.",
                argument="provider",
                hint=f"there are {', '.join(PROVIDERS)}; or name the servers.",
            )
        account, provider = plan_account(asked.email, asked.provider or None, _servers(asked))
        if bool(asked.password) == bool(asked.password_command):
            raise _no_password(asked, "" if provider is None else provider.id)
        secret = (
            {"password": asked.password}
            if asked.password
            else {"reference": f"command:{asked.password_command}"}
        )
        found = asyncio.run(connect_account(account, app.environ, **secret))
    now_connected(app, found.account.address)
    connected_once(app)
    return NewAccountDetails.of(found)


def _servers(asked: ConnectInput) -> dict[str, str]:
    """Return the given server settings, as the settings of an account."""
    said = {
        "imap_host": asked.imap_host,
        "imap_port": asked.imap_port,
        "imap_security": asked.imap_security,
        "imap_user": asked.imap_user,
        "imap_certificates": asked.imap_certificates,
        "smtp_host": asked.smtp_host,
        "smtp_port": asked.smtp_port,
        "smtp_security": asked.smtp_security,
    }
    return {name: str(value) for name, value in said.items() if value}


def _no_password(asked: ConnectInput, provider: str) -> MailError:
    if asked.password:
        return BadArgument("Give a password or a command that prints it, not both.", argument="password")
    if provider in ON_THEIR_PAGE:
        return NeedsAuth(
            "The login of this provider is on a page of its own, which this cannot open for you.",
            hint=f"gaia email connect --email {asked.email} in a terminal, or the page of gaia email serve --open.",
        )
    return NeedsAuth("The password is missing; nothing was connected.", hint="send it as password.")


class PlanConnectionInput(OperationInput, frozen=True, kw_only=True):
    """An address, and permission to ask other servers about it."""

    email: AddressText
    over_imap: Annotated[
        bool, Meta(description="By a password over IMAP, where the provider has a page of its own.")
    ] = False
    ask_domain: Annotated[
        bool, Meta(description="Ask the domain where its mail is, where that is not known here (DNS, HTTPS).")
    ] = True


class SignInInput(OperationInput, frozen=True, kw_only=True):
    """At whose page, and as whom."""

    provider: Annotated[
        Literal["gmail", "outlook", "microsoft365"], Meta(description="Provider whose page opens.")
    ]
    email: Annotated[
        str, Meta(max_length=320, description="The account that is meant; empty for whoever signs in.")
    ] = ""
    device_code: Annotated[
        bool, Meta(description="At Microsoft: with a code on another device, in place of a page here.")
    ] = False


class AttemptInput(OperationInput, frozen=True, kw_only=True):
    """A connection that is being made."""

    id: Annotated[str, Meta(max_length=40, description="As sign_in or first_sync gave it.")]


class NamedAccountInput(OperationInput, frozen=True, kw_only=True):
    """A connected account."""

    account: Annotated[str, Meta(min_length=1, max_length=320, description="Its id or its address.")]


class PlannedConnection(Document, frozen=True, kw_only=True):
    """The requirements for connecting an address.

    `settings` are the servers of an unknown provider, `missing` is what must be set up first (`hint` explains
    how), `strangers` are servers outside the domain that only DNS names.
    """

    address: str
    way: ConnectionWay
    provider: str
    title: str
    note: str
    settings: dict[str, str]
    allows: list[str]
    missing: str
    hint: str
    signals: list[ServerTraceRow]
    told: list[str]
    strangers: list[str]
    connected: bool


class AttemptProgress(Document, frozen=True, kw_only=True):
    """The progress of a connection attempt; `total` is below 0 while unknown."""

    id: str
    state: AttemptState
    account: str
    url: str
    told: list[str]
    done: Count
    total: int
    numbers: dict[str, Count]
    problem: str
    hint: str


class ForgottenAccount(Document, frozen=True, kw_only=True):
    """An account that was deleted; `told` describes the provider's response."""

    account: str
    told: str


class ConnectionReminder(Document, frozen=True, kw_only=True):
    """Confirmation of a reminder to connect a mailbox."""

    reminded: bool


@operation(
    name="plan_connection",
    path="POST /v1/email/connect/plan",
    example={"email": "ann@gmail.com", "ask_domain": False},
    risk="person",
)
def plan(app: App, call: OperationCall[PlanConnectionInput]) -> PlannedConnection:
    """Say what connecting an address takes: the kind of login, what it allows, and what is missing.

    Raises:
        BadArgument: It is no address.
        MailError: The list of accounts cannot be read.
    """
    from gaia_email.app.accounts.planning import plan_connection

    asked = call.asked
    found = plan_connection(asked.email, app.environ, over_imap=asked.over_imap, ask_domain=asked.ask_domain)
    return _planned(found)


@operation(
    path="POST /v1/email/connect/sign-in",
    example={"provider": "gmail"},
    risk="person",
)
def sign_in(app: App, call: OperationCall[SignInInput]) -> AttemptProgress:
    """Begin a login at Google or Microsoft: gives the page to open; connection_attempt tells what comes of it."""
    from gaia_email.app.services.connecting import begin_sign_in

    asked = call.asked
    return _progress(begin_sign_in(app, asked.provider, asked.email, device_code=asked.device_code))


@operation(
    path="POST /v1/email/connect/first-sync",
    example={"account": "ann@example.com"},
    risk="person",
)
def first_sync(app: App, call: OperationCall[NamedAccountInput]) -> AttemptProgress:
    """Begin to read a connected account for the first time; how far that is, connection_attempt tells.

    Raises:
        MailError: There is no such account.
    """
    from gaia_email.app.services.connecting import begin_sync

    return _progress(begin_sync(app, call.asked.account))


@operation(
    path="GET /v1/email/connect/attempts/{id}",
    example={"id": "0000000000000000"},
    risk="person",
)
def connection_attempt(app: App, call: OperationCall[AttemptInput]) -> AttemptProgress:
    """Return the progress of a login or a first sync.

    Raises:
        NotFound: There is none of that id.
    """
    from gaia_email.app.services.connecting import attempt_named

    return _progress(attempt_named(app, call.asked.id))


@operation(
    path="DELETE /v1/email/connect/attempts/{id}",
    example={"id": "0000000000000000"},
    risk="person",
)
def cancel_attempt(app: App, call: OperationCall[AttemptInput]) -> AttemptProgress:
    """End a login that waits for the provider's page; what is connected already stays.

    Raises:
        NotFound: There is none of that id.
    """
    from gaia_email.app.services.connecting import attempt_named

    attempt = attempt_named(app, call.asked.id)
    if attempt.state == "signing_in":
        attempt.cancel()
    return _progress(attempt)


@operation(path="POST /v1/email/connect/later", risk="person")
def connect_later(app: App, call: OperationCall[NoInput]) -> ConnectionReminder:
    """Put connecting a mailbox off: a note in the Agent Inbox reminds of it until one is connected or it was seen.

    Raises:
        MailError: The ledger cannot be written.
    """
    from gaia_email.app.services.connecting import remind_later

    remind_later(app)
    return ConnectionReminder(reminded=True)


@operation(
    path="POST /v1/email/disconnect",
    example={"account": "ann@example.com"},
    risk="person",
)
def disconnect(app: App, call: OperationCall[NamedAccountInput]) -> ForgottenAccount:
    """Forget an account, its password and what was read of it; its mail and the other accounts stay.

    Raises:
        NeedsAuth: No such account is connected.
        MailError: Something of it cannot be removed.
    """
    from gaia_email.app.accounts.connect import disconnect as forget

    gone = forget(call.asked.account, app.environ)
    return ForgottenAccount(account=gone.account.id, told=gone.told)


def _planned(plan: ConnectionPlan) -> PlannedConnection:
    provider = plan.provider
    return PlannedConnection(
        address=plan.address,
        way=plan.way,
        provider=provider.id if provider else "",
        title=provider.title if provider else "",
        note=provider.note if provider and plan.way == "password" else "",
        settings=dict(plan.settings),
        allows=list(plan.allows),
        missing=plan.missing,
        hint=plan.hint,
        signals=signal_rows(plan.candidate) if plan.candidate else [],
        told=list(plan.told),
        strangers=list(plan.strangers),
        connected=plan.is_connected,
    )


def _progress(attempt: ConnectionAttempt) -> AttemptProgress:
    return AttemptProgress(
        id=attempt.id,
        state=attempt.state,
        account=attempt.account,
        url=attempt.url,
        told=list(attempt.told),
        done=max(attempt.done, 0),
        total=attempt.total,
        numbers=dict(attempt.numbers),
        problem=attempt.problem,
        hint=attempt.hint,
    )
