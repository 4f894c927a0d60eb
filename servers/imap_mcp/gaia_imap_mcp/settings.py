"""Server, login and timeouts of an IMAP account. Entry: `ImapSettings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from gaia_email_registry.errors import BadArgument
from gaia_email_registry.providers import PORTS, Security, is_loopback

SecretKind = Literal["password", "xoauth2", "oauthbearer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginSecret:
    """A login credential; `value` is a password or an OAuth access token, and never printed."""

    kind: SecretKind = "password"
    value: str = field(repr=False)


SecretSource = Callable[[bool], LoginSecret]
"""Called at every login, in a worker thread; True asks for a fresh secret because the server refused the last one.

Raises `NeedsAuth` if there is none.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapSettings:
    """One account on one server. Times are seconds."""

    host: str
    user: str
    """The login name."""
    secret: SecretSource = field(repr=False, compare=False)
    port: int | None = None
    """None for the default: 993 with `tls`, else 143."""
    security: Security = "tls"
    account: str = ""
    """The email address of the mailbox; empty if it is the login name."""
    authserv_ids: frozenset[str] = frozenset()
    """Servers whose Authentication-Results headers the user trusts."""
    certificates: Path | None = None
    """A file of certificate authorities to trust instead of the system's."""
    cache: Path | None = None
    """The index file; None keeps the index in memory only."""
    connect_timeout_s: float = 15.0
    """The limit for connecting, for the greeting and for each login step."""
    command_timeout_s: float = 60.0
    """The longest silence while waiting for an answer."""
    idle_s: float = 20 * 60.0
    """The interval at which IDLE is reissued; servers may log out a client that idles for 29 minutes (RFC 2177)."""
    poll_s: float = 30.0
    """The interval at which all folders are checked while waiting, whatever the server announces."""

    def __post_init__(self) -> None:
        """Reject settings that cannot work or are not safe.

        Raises:
            BadArgument: A value is invalid, or passwords would cross a network unencrypted.
        """
        for name, text in (("host", self.host), ("user", self.user)):
            if not text or not text.isprintable():
                raise BadArgument(f"The IMAP {name} is missing or is not a name.", argument=name)
        if self.security == "none" and not is_loopback(self.host):
            raise BadArgument(
                f"Without encryption only this machine may be used, not {self.host}; "
                "set the security to tls or starttls.",
                argument="security",
            )
        if not 0 < self.idle_s < 29 * 60:
            raise BadArgument("IDLE has to be issued again within 29 minutes.", argument="idle_s")

    @property
    def endpoint(self) -> tuple[str, int]:
        """Host and port."""
        return self.host, PORTS["imap", self.security] if self.port is None else self.port

    @property
    def address(self) -> str:
        """The email address of the mailbox."""
        return self.account or self.user
