"""The errors a mail tool can answer with: one tree, one axis a caller can act on.

```
MailError
├── BadArgument      an argument is wrong; `argument` names it            → fix the call
├── NotFound         no such message, label, draft, attachment or file    → look it up again
├── NeedsAuth        not connected, or the login has expired              → reconnect (`hint` says how)
├── NeedsApproval    the user has to agree first, or policy refuses       → ask the user
├── RateLimited      the provider is throttling; `retry_after_s` says how long
├── ProviderError    the mail provider or the mail files are broken
└── InternalError    a defect of ours
```

`kind` is the name used on the wire (`structuredContent.error.kind`), by the CLI for its exit code and by
HTTP interfaces for their status. A message says what was wrong and what to do next, in one or two sentences;
it never holds a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

ErrorKind = Literal[
    "bad_argument", "not_found", "needs_auth", "needs_approval", "rate_limited", "provider", "internal"
]


class MailError(Exception):
    """Anything a mail operation can refuse or fail with; always one of the subclasses.

    Attributes:
        message: One or two sentences for the person: what was wrong, what to do next.
        argument: The tool or command argument at fault, where there is one.
        retry_after_s: Seconds to wait before trying again, for `RateLimited`.
        hint: The command or setting that helps, where there is one.
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
    """It cannot be done as things stand: a name that is taken, a time that is over, a question that was answered."""


class NotFound(MailError):
    """What the call names does not exist (any more)."""

    kind: ClassVar[ErrorKind] = "not_found"


class NeedsAuth(MailError):
    """The account is not connected, or its login has expired and cannot be refreshed."""

    kind: ClassVar[ErrorKind] = "needs_auth"


class NeedsApproval(MailError):
    """Refused by the gate: read-only mode, policy, or a confirmation that was not given."""

    kind: ClassVar[ErrorKind] = "needs_approval"


class RateLimited(MailError):
    """The provider throttled the call even after the server's own retries."""

    kind: ClassVar[ErrorKind] = "rate_limited"


class ProviderError(MailError):
    """The mail provider, or the mail file on disk, did not do its part."""

    kind: ClassVar[ErrorKind] = "provider"


class InternalError(MailError):
    """A defect in gaia-email itself."""

    kind: ClassVar[ErrorKind] = "internal"


BY_KIND: Mapping[str, type[MailError]] = {
    error.kind: error
    for error in (BadArgument, NotFound, NeedsAuth, NeedsApproval, RateLimited, ProviderError, InternalError)
}
"""Each error by the kind it has on the wire."""
