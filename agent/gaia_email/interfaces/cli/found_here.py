"""Settings for a new account found in this machine's mail programs. Entry: `found_here`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email_registry.providers import AccountServers, Endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundHere:
    """Defaults for an account: its provider and settings found in a file, and its owner's other addresses."""

    provider: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    aliases: tuple[str, ...] = ()


def found_here(app: App, address: str, *, named: bool) -> FoundHere:
    """Return the defaults for an address, and show the file that they come from.

    Args:
        app: The running program.
        address: The address of the account.
        named: True if its servers were given by hand; servers found in files are then ignored.

    Raises:
        MailError: The setting for searching browsers is invalid.
    """
    from gaia_email.app.accounts.found import defaults_of, named_here
    from gaia_email.interfaces.cli.output import note

    candidate = named_here(address, app.environ)
    if candidate is None or named:
        return FoundHere(aliases=candidate.aliases if candidate else ())
    provider, settings = defaults_of(candidate)
    if settings and candidate.servers:
        said = next(one for one in candidate.signals if one.servers and one.servers.imap)
        note(
            f"{said.source} ({visible(said.where)}) {_sentence(candidate.servers, settings)}. "
            "--imap-host, --imap-user and the like say otherwise."
        )
    return FoundHere(provider=provider, settings=settings, aliases=candidate.aliases)


def _sentence(servers: AccountServers, settings: Mapping[str, str]) -> str:
    login = f"logs in as {visible(servers.user)}" if servers.user else ""
    if servers.imap is None or "imap_host" not in settings:
        return login
    sent = f", sends by {_endpoint_text(servers.smtp)}" if servers.smtp else ""
    return f"reads it at {_endpoint_text(servers.imap)}{sent}{login and f', {login}'}"


def _endpoint_text(endpoint: Endpoint) -> str:
    return f"{endpoint.host}:{endpoint.port} ({endpoint.security})"
