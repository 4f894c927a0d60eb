"""Documents that describe accounts and forwarded logins. Entries: `AccountList`, `DiscoveredAccounts`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

from gaia_email.document import Count, Document, Time, Version, at

if TYPE_CHECKING:
    from gaia_email.app.accounts.connect import ConnectedAccount
    from gaia_email_registry.accounts import Account
    from gaia_email_registry.discovery.look import AccountCandidate
    from gaia_email_registry.forwarded import ForwardedLogin
    from gaia_email_registry.providers import Endpoint

SecretPlace = Literal["keyring", "vault", "command", "file", "environment", "host", "none"]
TraceConfidence = Literal["very high", "high", "medium"]
_PLACES: dict[str, SecretPlace] = {
    "keyring": "keyring",
    "file": "file",
    "command": "command",
    "env": "environment",
    "forwarded": "host",
}


class AccountDetails(Document, frozen=True, kw_only=True):
    """An account without its secret: `password` names only the place where the secret is stored."""

    id: str
    address: str
    provider: str
    server: str
    aliases: list[str]
    password: SecretPlace
    enabled: bool
    added_at: str

    @staticmethod
    def of(account: Account) -> AccountDetails:
        """Describe an account."""
        in_file = account.secret.startswith("vault:file:")
        kind = account.secret.removeprefix("vault:").partition(":")[0]
        return AccountDetails(
            id=account.id,
            address=account.address,
            provider=account.provider,
            server=account.server,
            aliases=list(account.aliases or ()),
            password="vault" if in_file else _PLACES.get(kind, "none"),
            enabled=account.enabled,
            added_at=account.added_at,
        )


class AccountList(Document, frozen=True, kw_only=True):
    """The connected accounts."""

    accounts: list[AccountDetails]


class ForwardedRow(TypedDict):
    """A login that a host forwarded, without its token."""

    provider: str
    account: str
    host: str
    expires_at: Time
    scopes: list[str]


class ForwardedDocument(TypedDict):
    """A forwarded login that was just accepted."""

    schema_version: Version
    connection: ForwardedRow


class ForwardedLoginsDocument(TypedDict):
    """All forwarded logins in use."""

    schema_version: Version
    connections: list[ForwardedRow]


class WithdrawnDocument(TypedDict):
    """Confirmation that a login was forgotten; `withdrawn` is False if there was none."""

    schema_version: Version
    provider: str
    withdrawn: bool


class NewAccountDetails(Document, frozen=True, kw_only=True):
    """A newly connected account: its number of labels, and what does not work with it."""

    account: AccountDetails
    labels: Count
    can_send: bool
    problems: list[str]

    @staticmethod
    def of(found: ConnectedAccount) -> NewAccountDetails:
        """Describe a newly connected account."""
        return NewAccountDetails(
            account=AccountDetails.of(found.account),
            labels=found.labels,
            can_send=found.can_send,
            problems=list(found.problems),
        )


class MailServerRow(TypedDict):
    """An incoming or outgoing mail server, as set up in a mail program."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]


class ServerTraceRow(TypedDict):
    """A setting of a mail program that names an account, with its incoming server."""

    source: str
    where: str
    confidence: TraceConfidence
    imap: MailServerRow | None


class DiscoveredAccount(Document, frozen=True, kw_only=True):
    """An account found on this machine that can be connected.

    The top-level fields come from the strongest trace; `signals` lists all of them. `login` is empty if it
    equals the address.
    """

    address: str
    provider: str
    imap: MailServerRow | None
    smtp: MailServerRow | None
    login: str
    aliases: list[str]
    confidence: TraceConfidence
    source: str
    where: str
    signals: list[ServerTraceRow]

    @staticmethod
    def of(candidate: AccountCandidate) -> DiscoveredAccount:
        """Describe an account found on this machine."""
        best, servers = candidate.signals[0], candidate.servers
        return DiscoveredAccount(
            address=candidate.address,
            provider=candidate.provider,
            imap=_server(servers.imap) if servers else None,
            smtp=_server(servers.smtp) if servers else None,
            login=servers.user if servers else "",
            aliases=list(candidate.aliases),
            confidence=candidate.confidence,
            source=best.source,
            where=best.where,
            signals=signal_rows(candidate),
        )


class DiscoveredAccounts(Document, frozen=True, kw_only=True):
    """Accounts found on this machine that are not connected yet."""

    candidates: list[DiscoveredAccount]


def forwarded_row(login: ForwardedLogin) -> ForwardedRow:
    """Return a forwarded login as a row."""
    return {
        "provider": login.provider,
        "account": login.address,
        "host": login.host,
        "expires_at": at(login.expires_at),
        "scopes": list(login.scopes),
    }


def _server(endpoint: Endpoint | None) -> MailServerRow | None:
    if endpoint is None:
        return None
    return {"host": endpoint.host, "port": endpoint.port, "security": endpoint.security}


def signal_rows(candidate: AccountCandidate) -> list[ServerTraceRow]:
    """Return every trace of an account on this machine, the strongest first."""
    return [
        {
            "source": signal.source,
            "where": signal.where,
            "confidence": signal.confidence,
            "imap": _server(signal.servers.imap) if signal.servers else None,
        }
        for signal in candidate.signals
    ]
