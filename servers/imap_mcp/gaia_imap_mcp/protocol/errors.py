"""What can go wrong between us and an IMAP server, as `MailError`s. Entries: `translated`, `refusal`.

```
ProviderError
├── ConnectionDropped the connection is gone, in the middle of something or before it began: look, then repeat
├── ExcessiveResponse the server said more than it may (`bounds`) and the connection was closed: do not repeat at once
└── CommandRefused    the server said NO or BAD to a command; `code` is its response code (RFC 5530), may be empty
```
A wrong password is `NeedsAuth`.
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
    "NONEXISTENT": "The server has no such folder any more.",
    "TRYCREATE": "The server has no such folder any more.",
    "ALREADYEXISTS": "There is a folder of that name already.",
    "INUSE": "The server says the mailbox is in use by another program; try again in a moment.",
    "LIMIT": "The server says a limit is reached.",
    "UNAVAILABLE": "The mail server is not able to answer just now; try again in a moment.",
    "CANNOT": "The server is not able to do that.",
}


class ConnectionDropped(ProviderError):
    """The connection is gone; what was being done may or may not have happened."""


class ExcessiveResponse(ProviderError):
    """The server said more than anybody asked for, or took too long; what was being done may have happened."""


class TooSlow(ExcessiveResponse):
    """It took too long."""


class CommandRefused(ProviderError):
    """The server answered NO or BAD.

    Attributes:
        code: The response code in capitals, such as `OVERQUOTA`; empty without one.
        bad: The server did not understand the command at all.
    """

    def __init__(self, message: str, *, code: str = "", bad: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.bad = bad


def refusal(code: str, text: str, *, bad: bool) -> CommandRefused:
    """The error for a command the server refused with a response code and a text."""
    said = "".join(character if character.isprintable() else " " for character in text)[:_SHOWN].strip()
    sentence = _SENTENCES.get(code) or f"The mail server refused: {said or 'it gave no reason'}"
    return CommandRefused(sentence, code=code, bad=bad)


@contextmanager
def translated(endpoint: str, *, begun: bool = True) -> Generator[None]:
    """Turns errors of sockets and TLS into a `ProviderError` that says what to do.

    Args:
        endpoint: Host, and port where that may be what is wrong.
        begun: Whether there was a connection before, which was lost; else there was none to be had.
    """
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise ProviderError(
            f"The certificate of {endpoint} is not valid ({error.verify_message}); nothing was sent to it.",
            hint="check the host name, or name who signed it with --imap-certificates FILE.",
        ) from error
    except TimeoutError as error:
        what = "the network" if begun else "network, host name, port and security"
        raise ConnectionDropped(f"{endpoint} does not answer; check {what}.") from error
    except socket.gaierror as error:
        host = endpoint.rpartition(":")[0] or endpoint
        raise ConnectionDropped(f"There is no host {host}, or no network; check the host name.") from error
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
