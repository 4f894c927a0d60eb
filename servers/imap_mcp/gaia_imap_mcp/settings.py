"""Where an IMAP account is and how to behave towards its server. Entry: `ImapSettings`."""

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
    """What a login proves itself with; `value` is a password, or an OAuth access token. Never printed."""

    kind: SecretKind = "password"
    value: str = field(repr=False)


SecretSource = Callable[[bool], LoginSecret]
"""Asked at every login, in a worker thread. True asks for a fresh one: the token given before was refused.

Raises `NeedsAuth` with a sentence when there is none.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapSettings:
    """One account on one server. Times are seconds."""

    host: str
    user: str
    """The login name."""
    secret: SecretSource = field(repr=False, compare=False)
    port: int | None = None
    """None for the usual one: 993 with `tls`, else 143."""
    security: Security = "tls"
    account: str = ""
    """The address of the mailbox; empty when it is the login name."""
    authserv_ids: frozenset[str] = frozenset()
    """Who writes Authentication-Results into this mailbox's mail, by the user's word."""
    certificates: Path | None = None
    """A file of certificate authorities to trust instead of the system's."""
    cache: Path | None = None
    """The index file; None keeps the index in memory and forgets it at the end."""
    connect_timeout_s: float = 15.0
    """How long the connection may take, and the greeting, and each step of the login."""
    command_timeout_s: float = 60.0
    """How long the server may say nothing while an answer is awaited."""
    idle_s: float = 20 * 60.0
    """After this IDLE is issued again; servers may log out who idles for 29 minutes (RFC 2177)."""
    poll_s: float = 30.0
    """How often all folders are looked at while waiting, whatever the server announces by itself."""

    def __post_init__(self) -> None:
        """Refuse what cannot work or is not safe.

        Raises:
            BadArgument: A name is missing or holds control characters, or passwords would cross a network openly.
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
        """What the mailbox calls itself."""
        return self.account or self.user
