"""Lets programs of the same user find the running server. Entries: `announce`, `running_server`.

The file contains the server's address and stays locked while the server runs. The system releases the lock when the
process dies, so the token is never sent to a killed server's address, at which another program may be listening.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

import msgspec

from gaia_email_registry.errors import NotFound, ProviderError
from gaia_email_registry.paths import ensure_private_directory, home
from gaia_email_registry.private_file import open_to_others

START = "start gaia email serve, or leave --via http out."


class RunningServer(msgspec.Struct, frozen=True, kw_only=True):
    """The address and settings of a running server.

    Attributes:
        process: The id of its process.
        address: Its URL, such as `http://127.0.0.1:8767`; empty if it listens on `socket`.
        socket: The path of its Unix socket; empty for none.
        prefix: The path prefix of our own contract; empty for the root.
        token_file: The file with its API token.
        version: The version of the program.
    """

    process: int
    address: str
    socket: str
    prefix: str
    token_file: str
    version: str

    @property
    def page(self) -> str:
        """URL of the page on which a person decides; empty for a Unix socket, which browsers cannot open."""
        return f"{self.address}/" if self.address else ""


def server_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the file that announces the server."""
    return home(environ) / "email" / "http-server.json"


@contextmanager
def announce(
    environ: Mapping[str, str], *, address: str, socket: str, prefix: str, token_file: Path
) -> Generator[None, None, None]:
    """Announce a server while the context is open; if several share a data directory, the latest one is found.

    Raises:
        ProviderError: The file cannot be written.
    """
    path = server_file(environ)
    told = RunningServer(
        process=os.getpid(),
        address=address,
        socket=os.path.abspath(socket) if socket else "",
        prefix=prefix,
        token_file=str(token_file.absolute()),
        version=version("gaia-email"),
    )
    part = path.with_name(f".{path.name}.{told.process}")
    try:
        ensure_private_directory(path.parent)
        held = os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        # Locked before it gets its name, so that it is never seen unlocked while the server runs.
        fcntl.flock(held, fcntl.LOCK_EX)
        os.write(held, msgspec.json.encode(told))
        os.replace(part, path)
    except OSError as error:
        raise ProviderError(f"{path} cannot be written: {error.strerror or error}.") from None
    try:
        yield
    finally:
        with suppress(OSError):
            if os.path.samestat(os.fstat(held), path.stat()):
                path.unlink()
        os.close(held)


def running_server(environ: Mapping[str, str]) -> RunningServer:
    """Return the running server of this data directory.

    Raises:
        NotFound: None is running; a file left by a killed server is ignored.
        ProviderError: The file cannot be used, or the server has a different version.
    """
    path = server_file(environ)
    try:
        with path.open("rb") as file:
            if open_to_others(path):
                raise ProviderError(f"Other users may change {path}, so it proves nothing.", hint=START)
            found = msgspec.json.decode(file.read(), type=RunningServer)
            if _is_free(file.fileno()):
                raise NotFound(
                    f"The server of process {found.process} ended without a word; no other one runs.",
                    hint=START,
                )
    except FileNotFoundError:
        raise NotFound("No gaia email serve runs here.", hint=START) from None
    except (OSError, msgspec.DecodeError):
        raise ProviderError(f"{path} cannot be read as that of a server.", hint=START) from None
    if found.version != version("gaia-email"):
        raise ProviderError(
            f"The server that runs is of version {found.version}, this program of {version('gaia-email')}.",
            hint="stop gaia email serve and start it again.",
        )
    return found


def _is_free(descriptor: int) -> bool:
    """Return True if nobody holds the lock of a file."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
