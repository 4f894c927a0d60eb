"""Server and login for sending mail. Entry: `SmtpSettings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gaia_email_registry.providers import Endpoint

TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSettings:
    """Submission settings. `secret` is called for each connection and returns a secret of the kind `auth`.

    Without `user`, there is no login. `certificates` None trusts the system's authorities. `account` names the mailbox
    in the egress ledger; empty if it is `user`.
    """

    endpoint: Endpoint
    user: str
    secret: Callable[[], str]
    auth: Literal["password", "xoauth2", "oauthbearer"] = "password"
    certificates: Path | None = None
    account: str = ""
    timeout_s: float = TIMEOUT_S
