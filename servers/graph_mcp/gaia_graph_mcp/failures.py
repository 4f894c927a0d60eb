"""Graph's error responses as `MailError`, and whether to retry. Entry: `GraphRefusal`.

Codes: https://learn.microsoft.com/graph/errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from gaia_email_registry.errors import (
    BadArgument,
    MailError,
    NeedsApproval,
    NeedsAuth,
    NotFound,
    ProviderError,
    RateLimited,
)
from gaia_graph_mcp.calls import is_object

CONNECT = "gaia email connect --provider outlook"

RESYNC = frozenset({"syncstatenotfound", "syncstateinvalid", "resyncrequired"})
_FULL = frozenset({"errorquotaexceeded", "quotalimitreached"})
_NOT_SHARED = (
    "Microsoft does not let this account into that mailbox; ask whoever manages it for full access, which can take an "
    "hour to work, or connect with the account it belongs to."
)
_SENTENCES = {
    "errornonexistentmailbox": "There is no mailbox with that address at Microsoft; check the address.",
    "errorinvaliduser": "There is no mailbox with that address at Microsoft; check the address.",
    "mailboxnotenabledforrestapi": "This account has no mailbox at Microsoft that programs can reach: it may be on a "
    "server of the organisation's own, or still being made; use IMAP, or ask the administrator.",
}
_LINKS = re.compile(r"\S*(?:://|token=|code=)\S*", re.IGNORECASE)
"""Parts of Microsoft's messages that may contain a secret: links can carry delta tokens."""

_MAX_MESSAGE = 300
_LONGEST_WAIT_S = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphRefusal:
    """An unsuccessful response."""

    status: int
    code: str = ""
    message: str = ""
    retry_after_s: float | None = None

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str], body: object) -> GraphRefusal:
        """Parse a response; the body is bytes, or the JSON in a part of a batch."""
        code, message = _detail(body)
        named = {name.lower(): value for name, value in headers.items()}
        return cls(
            status=status, code=code, message=message, retry_after_s=_seconds(named.get("retry-after"))
        )

    @property
    def throttled(self) -> bool:
        """True if there were too many requests; the call was not carried out."""
        return self.status == 429 or (self.status == 503 and self.retry_after_s is not None)

    @property
    def transient(self) -> bool:
        """True if the same call may succeed later; it may also have been carried out already."""
        return self.status in (408, 424, 500, 502, 503, 504)

    @property
    def unauthenticated(self) -> bool:
        """True if the access token is invalid or has expired."""
        return self.status == 401

    @property
    def out_of_sync(self) -> bool:
        """True if a delta link has expired and the folder must be listed again from the start."""
        return self.status == 410 or self.code.lower() in RESYNC

    def error(self, *, uncertain: bool, shared: bool = False) -> MailError:
        """Return the error to raise; `shared` if the call was for a mailbox shared with the account."""
        if self.out_of_sync:
            return OutOfSync()
        if self.throttled:
            return RateLimited(
                "Microsoft wants to be asked less often just now; try again in a while.",
                retry_after_s=self.retry_after_s or 60.0,
            )
        told = _LINKS.sub("…", self.message)[:_MAX_MESSAGE]
        said = f" ({told})" if told.isprintable() and told else ""
        if self.status == 401:
            return NeedsAuth(
                "Microsoft no longer accepts this login: it was revoked, or the password was changed.",
                hint=f"Run: {CONNECT}",
            )
        if self.code.lower() in _FULL:
            return ProviderError(
                "The mailbox is full, so nothing can be changed or sent; empty the Trash, then try again. "
                "Reading goes on."
            )
        if shared and self.status == 403:
            return NeedsApproval(_NOT_SHARED)
        if sentence := _SENTENCES.get(self.code.lower()):
            return NeedsApproval(sentence)
        if self.status == 403:
            return NeedsApproval(
                f"Microsoft does not allow this with the login as it is{said}; connect again and agree to more, "
                "or ask the administrator of the organisation."
            )
        if self.status == 404 or self.code == "ErrorInvalidIdMalformed":
            return NotFound("There is nothing with that id.")
        if self.status == 412:
            return Conflict(f"Another program changed this at the same time{said}; try again.")
        if 400 <= self.status < 500 and self.status not in (408, 424):
            return BadArgument(f"Microsoft refused this{said}.")
        doubt = (
            " and nobody knows whether it was done; look before repeating it."
            if uncertain
            else "; try again later."
        )
        return ProviderError(f"Microsoft's service does not work right now ({self.status}){doubt}")


class Conflict(BadArgument):
    """The item has changed since it was read; nothing was written."""


class OutOfSync(ProviderError):
    """A delta link has expired."""

    def __init__(self) -> None:
        super().__init__("Microsoft has forgotten how far this mailbox was read; it is being listed again.")


def _detail(body: object) -> tuple[str, str]:
    if isinstance(body, bytes):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            return "", ""
    error = body.get("error") if is_object(body) else None
    if not is_object(error):
        return "", ""
    return str(error.get("code", ""))[:80], str(error.get("message", ""))


def _seconds(text: str | None) -> float | None:
    """Parse Graph's number of seconds; any other text counts as missing."""
    try:
        return min(max(float(text or ""), 0.0), _LONGEST_WAIT_S)
    except ValueError:
        return None
