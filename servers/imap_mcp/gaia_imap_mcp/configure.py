"""Builds one account's settings from flags, environment, provider presets and `accounts.json`. Entry: `configure`.

The account is either described by flags and environment, or stored by `gaia email connect`. For a stored account,
`GAIA_IMAP_…` and `GAIA_SMTP_…` variables are ignored. Flags always win. Secrets are read at login, not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gaia_email_registry import paths, settings
from gaia_email_registry.accounts import CONNECT_HINT, Account, find_account
from gaia_email_registry.errors import BadArgument, NeedsAuth
from gaia_email_registry.providers import (
    PORTS,
    PROVIDERS,
    Endpoint,
    MailProvider,
    ProtocolKind,
    Security,
    provider_of,
)
from gaia_email_registry.secret_source import read_secret
from gaia_imap_mcp.settings import ImapSettings, LoginSecret, SecretKind, SecretSource
from gaia_imap_mcp.smtp.settings import SmtpSettings

Choice = TypeVar("Choice")

OTHER = "other"
"""The provider id of an account whose servers were entered by hand."""

_SECURITIES: Mapping[str, Security] = {"tls": "tls", "starttls": "starttls", "none": "none"}
_KINDS: Mapping[str, SecretKind] = {
    "password": "password",
    "xoauth2": "xoauth2",
    "oauthbearer": "oauthbearer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """An account ready to be opened. `smtp` is None if it cannot send.

    `files_sent` is True if its SMTP server saves sent mail in Sent. `account` is the id of a connected account; empty
    if flags or variables describe the account.
    """

    imap: ImapSettings
    smtp: SmtpSettings | None
    files_sent: bool
    account: str = ""


def configure(flags: Mapping[str, object], environ: Mapping[str, str]) -> Configured:
    """Return the account that flags (by `dest`, and `account`) and environment name, or the only connected one.

    Raises:
        NeedsAuth: No account is named or connected, or the named one is not connected.
        BadArgument: A value is invalid; the error names it.
    """
    given = _Given(flags, environ)
    named = flags.get("account")
    name = named if isinstance(named, str) and named else None
    stored = _find_stored_account(given, name, environ)
    if stored is not None:
        given = _Given(flags, environ, stored)
    address = stored.address if stored else name if name and "@" in name else ""
    user = given("GAIA_IMAP_USER") or address
    if not user:
        raise NeedsAuth("No user is given for the IMAP server; set GAIA_IMAP_USER.", hint=CONNECT_HINT)
    provider = _provider(given, address or user, stored)
    endpoint = _endpoint(given, "imap", provider.imap if provider else None)
    if endpoint is None:
        raise BadArgument(
            f"The mail server of {user[:80]} is not known; name it with --imap-host.",
            argument="imap_host",
        )
    kind = _one_of(given, "GAIA_IMAP_AUTH", _KINDS) or "password"
    told = flags.get("secret")
    reference = told if isinstance(told, str) and told else _reference(given, "IMAP", stored)
    secret = _secret_source(reference, kind, environ)
    certificates = given("GAIA_IMAP_CERTIFICATES")
    account = address or user
    imap = ImapSettings(
        host=endpoint.host,
        port=endpoint.port,
        security=endpoint.security,
        user=user,
        account=account,
        secret=secret,
        authserv_ids=settings.authserv_ids(environ),
        certificates=Path(certificates).expanduser() if certificates else None,
        cache=_cache(
            given, flags, environ, stored.id if stored else f"{user}@{endpoint.host}:{endpoint.port}"
        ),
        idle_s=_idle_s(given),
    )
    return Configured(
        imap=imap,
        smtp=_smtp(given, provider, imap, kind, environ),
        files_sent=provider.files_sent if provider else False,
        account=stored.id if stored else "",
    )


class _Given:
    """Looks up settings: in the flags, then in the stored account, or in the environment if there is none."""

    def __init__(
        self, flags: Mapping[str, object], environ: Mapping[str, str], stored: Account | None = None
    ) -> None:
        self._flags, self._environ, self._stored = flags, environ, stored

    def __call__(self, env: str) -> str:
        if self._stored is None:
            return settings.value(env, self._flags, self._environ) or ""
        own = settings.value(env, self._flags, {})
        return own or self._stored.settings.get(settings.setting(env).dest, "")


def _find_stored_account(given: _Given, name: str | None, environ: Mapping[str, str]) -> Account | None:
    named = any(given(env) for env in ("GAIA_IMAP_HOST", "GAIA_IMAP_USER", "GAIA_IMAP_PROVIDER"))
    if named and name is None:
        return None
    try:
        account = find_account(name, environ, server="imap")
    except NeedsAuth:
        if named:
            return None
        raise
    if account.server != "imap":
        raise BadArgument(f"{account.id} is not an IMAP account.", argument="account")
    return account


def _provider(given: _Given, address: str, stored: Account | None) -> MailProvider | None:
    """Return the named provider, else the one of the address; None if the servers were entered by hand."""
    name = given("GAIA_IMAP_PROVIDER") or (stored.provider if stored else "")
    if name == OTHER:
        return None
    if name and name not in PROVIDERS:
        raise BadArgument(
            f"There is no provider {name[:40]!r}; known are {', '.join(PROVIDERS)}.", argument="imap_provider"
        )
    if name:
        return PROVIDERS[name]
    return None if given("GAIA_IMAP_HOST") else provider_of(address)


def _endpoint(given: _Given, kind: ProtocolKind, preset: Endpoint | None) -> Endpoint | None:
    """Return the configured server, else the preset's; a configured host takes nothing from the preset."""
    protocol = kind.upper()
    host = given(f"GAIA_{protocol}_HOST")
    security = _one_of(given, f"GAIA_{protocol}_SECURITY", _SECURITIES)
    port = _number(given, f"GAIA_{protocol}_PORT", 1, 65_535)
    if not host:
        if preset is None:
            return None
        return Endpoint(preset.host, port or preset.port, security or preset.security)
    chosen = security or ("starttls" if kind == "smtp" and port == 587 else "tls")
    return Endpoint(host, port or PORTS[kind, chosen], chosen)


def _smtp(
    given: _Given,
    provider: MailProvider | None,
    imap: ImapSettings,
    kind: SecretKind,
    environ: Mapping[str, str],
) -> SmtpSettings | None:
    endpoint = _endpoint(given, "smtp", provider.smtp if provider else None)
    if endpoint is None:
        return None
    reference = _reference(given, "SMTP", None)
    source = _secret_source(reference, kind, environ) if reference else imap.secret
    return SmtpSettings(
        endpoint=endpoint,
        user=given("GAIA_SMTP_USER") or imap.user,
        secret=lambda: source(False).value,
        auth="password" if reference else kind,
        certificates=imap.certificates,
        account=imap.address,
    )


def _reference(given: _Given, protocol: str, stored: Account | None) -> str:
    """Return the password's location in the form that `secret_source` reads; empty if none is configured."""
    if command := given(f"GAIA_{protocol}_PASSWORD_COMMAND"):
        return f"command:{command}"
    if protocol == "IMAP" and (file := given("GAIA_IMAP_PASSWORD_FILE")):
        return f"file:{file}"
    if stored is not None:
        return stored.secret
    return f"env:GAIA_{protocol}_PASSWORD" if given(f"GAIA_{protocol}_PASSWORD") else ""


def _secret_source(reference: str, kind: SecretKind, environ: Mapping[str, str]) -> SecretSource:
    """Return a source that reads a password once, but a token at every login, as it may have expired."""
    kept: list[LoginSecret] = []

    def ask(fresh: bool) -> LoginSecret:
        if not reference:
            raise NeedsAuth(
                "There is no password for this account; set GAIA_IMAP_PASSWORD_COMMAND, or connect it.",
                hint=CONNECT_HINT,
            )
        if fresh or kind != "password" or not kept:
            kept[:] = [LoginSecret(kind=kind, value=read_secret(reference, environ))]
        return kept[0]

    return ask


def _cache(given: _Given, flags: Mapping[str, object], environ: Mapping[str, str], key: str) -> Path | None:
    if settings.switch("GAIA_IMAP_NO_INDEX", flags, environ) or given("GAIA_IMAP_NO_INDEX") == "true":
        return None
    return paths.account_directory(environ, key) / "index.sqlite"


def _idle_s(given: _Given) -> float:
    return 60.0 * (_number(given, "GAIA_IMAP_IDLE_MINUTES", 1, 28) or 20)


def _number(given: _Given, env: str, low: int, high: int) -> int | None:
    text = given(env)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and low <= int(text) <= high):
        raise BadArgument(
            f"{env} must be a number from {low} to {high}, not {text[:40]!r}.",
            argument=settings.setting(env).dest,
        )
    return int(text)


def _one_of(given: _Given, env: str, choices: Mapping[str, Choice]) -> Choice | None:
    text = given(env).lower()
    if not text:
        return None
    if text not in choices:
        raise BadArgument(
            f"{env} must be {', '.join(choices)}, not {text[:40]!r}.", argument=settings.setting(env).dest
        )
    return choices[text]
