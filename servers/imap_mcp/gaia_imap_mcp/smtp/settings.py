"""Where mail is handed over to be sent, and how. Entry: `SmtpSettings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gaia_email_registry.providers import Endpoint

TIMEOUT_S = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SmtpSettings:
    """How to submit: `secret` is called anew for each connection; `auth` says what it gives.

    No user: no login. `certificates` None trusts the system's authorities. `account` is whose mail it is, in the egress
    ledger; empty when it is the user.
    """

    endpoint: Endpoint
    user: str
    secret: Callable[[], str]
    auth: Literal["password", "xoauth2", "oauthbearer"] = "password"
    certificates: Path | None = None
    account: str = ""
    timeout_s: float = TIMEOUT_S
