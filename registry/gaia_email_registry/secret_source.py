"""Resolves references to passwords, which are safe to store. Entry: `read_secret`.

`vault:…` is stored by `vault.py`, `command:…` is the first line that a command prints, `file:…` the first line of a
file that only its owner may read, `env:…` an environment variable. A secret is never a flag, because command lines are
visible to other processes, and never part of an error.
"""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

from gaia_email_registry.errors import BadArgument, NeedsAuth
from gaia_email_registry.private_file import open_to_others
from gaia_email_registry.vault import open_vault

COMMAND_TIMEOUT_S = 60.0
"""Allows for a password manager that first asks the user."""

MAX_SECRET_BYTES = 16_384
"""Access tokens of some providers are several thousand bytes long."""


def read_secret(reference: str, environ: Mapping[str, str]) -> str:
    """Return the secret for a reference; may block while a command or a keyring asks the user.

    Raises:
        NeedsAuth: The secret is missing or empty.
        BadArgument: The reference or its target is unusable; the error explains why.
        ProviderError: The keyring or the vault's files are broken.
    """
    kind, _, rest = reference.partition(":")
    match kind:
        case "vault":
            return open_vault(environ).get(rest)
        case "command":
            secret = _from_command(rest, environ)
        case "file":
            secret = _from_file(Path(rest).expanduser())
        case "env":
            secret = environ.get(rest, "")
        case _:
            raise BadArgument("A secret is vault:…, command:…, file:… or env:….", argument="secret")
    if not secret:
        raise NeedsAuth(f"{_source(kind, rest)} gave no password.", hint="gaia email connect sets another.")
    return secret


def _from_command(command: str, environ: Mapping[str, str]) -> str:
    """Return the first line of a command's output; its standard error is not read: it may quote the secret."""
    try:
        words = shlex.split(command)
    except ValueError:
        raise BadArgument("The password command has an open quote.", argument="password_command") from None
    if not words:
        raise BadArgument("The password command is empty.", argument="password_command")
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environ),
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
    except OSError as error:
        raise BadArgument(
            f"The password command {words[0]} cannot be run: {error.strerror}.", argument="password_command"
        ) from None
    except subprocess.TimeoutExpired:
        raise NeedsAuth(
            f"The password command {words[0]} did not answer in {COMMAND_TIMEOUT_S:.0f} seconds."
        ) from None
    if done.returncode != 0:
        raise NeedsAuth(
            f"The password command {words[0]} failed with exit code {done.returncode}.",
            hint="run it in a terminal to see why.",
        )
    return _first_line(done.stdout)


def _from_file(path: Path) -> str:
    try:
        if open_to_others(path):
            raise BadArgument(
                f"{path} may be read by others; run chmod 600 on it first.", argument="password_file"
            )
        with path.open("rb") as file:
            return _first_line(file.read(MAX_SECRET_BYTES))
    except OSError as error:
        raise BadArgument(
            f"The password file {path} cannot be read: {error.strerror}.", argument="password_file"
        ) from None


def _first_line(content: bytes) -> str:
    line = content[:MAX_SECRET_BYTES].split(b"\n", 1)[0].removesuffix(b"\r")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        raise BadArgument("The password is not UTF-8 text.", argument="password") from None


def _source(kind: str, rest: str) -> str:
    if kind == "command":
        return f"The password command {rest.split()[0]}"
    return f"The file {rest}" if kind == "file" else rest
