"""Failures in talking to an IMAP server, as `MailError`s. Entries: `translate_errors`, `refusal`.

```
ProviderError
├── ConnectionDropped the connection was lost or never made: check the state, then repeat
├── ExcessiveResponse the answer exceeded its `bounds` and the connection was closed: do not repeat at once
└── CommandRefused    the server answered NO or BAD; `code` is its response code (RFC 5530), possibly empty
```
A refused login raises `NeedsAuth`.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Generator
from contextlib import contextmanager

from gaia_email_registry.errors import ProviderError

_SHOWN = 200

_SENTENCES = {
    "OVERQUOTA": "The mailbox is full; make room, then try again.",
    "NOPERM": "The server does not allow that in this folder: it is read-only for you.",
    "NONEXISTENT": "The server no longer has this folder.",
    "TRYCREATE": "The server no longer has this folder.",
    "ALREADYEXISTS": "A folder with that name already exists.",
    "INUSE": "The server says the mailbox is in use by another program; try again in a moment.",
    "LIMIT": "The server says a limit is reached.",
    "UNAVAILABLE": "The mail server is not able to answer just now; try again in a moment.",
    "CANNOT": "The server is not able to do that.",
}


class ConnectionDropped(ProviderError):
    """The connection is gone; the server may or may not have executed the command."""


class ExcessiveResponse(ProviderError):
    """The server sent too much or took too long; it may have executed the command."""


class TooSlow(ExcessiveResponse):
    """The server took too long."""


class CommandRefused(ProviderError):
    """The server answered NO or BAD.

    Attributes:
        code: The response code in capitals, such as `OVERQUOTA`; empty if there is none.
        bad: True if the server did not understand the command.
    """

    def __init__(self, message: str, *, code: str = "", bad: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.bad = bad


def refusal(code: str, text: str, *, bad: bool) -> CommandRefused:
    """Return the error for a command that the server refused with a response code and a text."""
    said = "".join(character if character.isprintable() else " " for character in text)[:_SHOWN].strip()
    sentence = _SENTENCES.get(code) or f"The mail server refused: {said or 'it gave no reason'}"
    return CommandRefused(sentence, code=code, bad=bad)


@contextmanager
def translate_errors(endpoint: str, *, begun: bool = True) -> Generator[None]:
    """Turn socket and TLS errors into a `ProviderError` that suggests what to check.

    Args:
        endpoint: The host, with the port if that may be the cause.
        begun: True if an existing connection broke; False if none could be made.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise ProviderError(
            f"The certificate of {endpoint} is not valid ({error.verify_message}); nothing was sent to it.",
            hint="check the host name, or give the certificate of its authority with --imap-certificates FILE.",
        ) from error
    except TimeoutError as error:
        what = "the network" if begun else "network, host name, port and security"
        raise ConnectionDropped(f"{endpoint} does not answer; check {what}.") from error
    except socket.gaierror as error:
        host = endpoint.rpartition(":")[0] or endpoint
        raise ConnectionDropped(
            f"The host {host} was not found, or there is no network; check the host name."
        ) from error
    except ssl.SSLError as error:
        raise ConnectionDropped(f"{endpoint} does not speak TLS; check port and security.") from error
    except (OSError, EOFError) as error:
        if begun:
            raise ConnectionDropped(f"The connection to {endpoint} was lost ({_why(error)}).") from error
        raise ConnectionDropped(
            f"{endpoint} refuses connections ({_why(error)}); check host and port."
        ) from error


def _why(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "the server closed it"
