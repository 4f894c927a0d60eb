"""The errors of mail tools: one tree, classified by what a caller can do.

```
MailError
├── BadArgument      an argument is wrong; `argument` names it            → fix the call
├── NotFound         no such message, label, draft, attachment or file    → look it up again
├── NeedsAuth        not connected, or the login has expired              → reconnect (`hint` explains how)
├── NeedsApproval    the user has to agree first, or policy refuses       → ask the user
├── RateLimited      the provider is throttling                           → wait `retry_after_s` seconds
├── ProviderError    the mail provider or the mail files are broken
└── InternalError    a defect of ours
```

`kind` is the name used on the wire (`structuredContent.error.kind`), by the CLI for its exit code and by HTTP
interfaces for their status. A message explains the problem and the next step in one or two sentences; it never contains
a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

ErrorKind = Literal[
    "bad_argument", "not_found", "needs_auth", "needs_approval", "rate_limited", "provider", "internal"
]


class MailError(Exception):
    """Any failure of a mail operation; always one of the subclasses.

    Attributes:
        message: One or two sentences for the user: the problem and the next step.
        argument: The tool or command argument at fault, if any.
        retry_after_s: Seconds to wait before a retry, for `RateLimited`.
        hint: The command or setting that helps, if any.
    """

    kind: ClassVar[ErrorKind] = "internal"

    def __init__(
        self,
        message: str,
        *,
        argument: str | None = None,
        retry_after_s: float | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.argument = argument
        self.retry_after_s = retry_after_s
        self.hint = hint


class BadArgument(MailError):
    """The call itself is wrong; the same call will always fail."""

    kind: ClassVar[ErrorKind] = "bad_argument"


class StateConflict(BadArgument):
    """The current state rules it out: a name is taken, a time has passed, a question was already answered."""


class NotFound(MailError):
    """The named object does not exist, or no longer exists."""

    kind: ClassVar[ErrorKind] = "not_found"


class NeedsAuth(MailError):
    """The account is not connected, or its login has expired and cannot be refreshed."""

    kind: ClassVar[ErrorKind] = "needs_auth"


class NeedsApproval(MailError):
    """Refused by the gate: read-only mode, policy, or a missing confirmation."""

    kind: ClassVar[ErrorKind] = "needs_approval"


class RateLimited(MailError):
    """The provider throttled the call even after the server's own retries."""

    kind: ClassVar[ErrorKind] = "rate_limited"


class ProviderError(MailError):
    """The mail provider, or the mail file on disk, failed."""

    kind: ClassVar[ErrorKind] = "provider"


class InternalError(MailError):
    """A defect in gaia-email itself."""

    kind: ClassVar[ErrorKind] = "internal"


BY_KIND: Mapping[str, type[MailError]] = {
    error.kind: error
    for error in (BadArgument, NotFound, NeedsAuth, NeedsApproval, RateLimited, ProviderError, InternalError)
}
"""Each error by its kind on the wire."""
