"""The bearer token of a server, in a file that only its owner may read. Entries: `token_in_file`, `given_token`."""

from __future__ import annotations

import secrets
from pathlib import Path

from gaia_email_registry.errors import BadArgument
from gaia_email_registry.paths import ensure_private_directory
from gaia_email_registry.private_file import lock_file, open_to_others, write_private

SHORTEST = 20
"""Minimum length in characters; a shorter token could be guessed."""


def token_in_file(path: Path, *, otherwise: str = "") -> str:
    """Return the token in that file, which is created if missing.

    Args:
        path: The file.
        otherwise: Hint for an error if the file cannot be used.

    Raises:
        BadArgument: Others may read the file, it cannot be created, or its token could be guessed.
    """
    try:
        ensure_private_directory(path.parent)
        with lock_file(path):
            if not path.exists():
                _write(path)
            return _read(path)
    except (OSError, UnicodeDecodeError) as error:
        raise BadArgument(
            f"The token file {path} cannot be used: {error}.", hint=otherwise or f"remove {path}."
        ) from None


def given_token(path: Path) -> str:
    """Return the token in a file that another program created; nothing is written.

    Raises:
        BadArgument: The file is missing, others may read it, or its token could be guessed.
    """
    try:
        return _read(path)
    except (OSError, UnicodeDecodeError) as error:
        raise BadArgument(
            f"The token file {path} cannot be used: {error}.",
            hint="the program that names it has to create it.",
        ) from None


def _read(path: Path) -> str:
    if open_to_others(path):
        raise BadArgument(
            f"Other users of this machine may read {path}, so its token proves nothing.",
            hint=f"remove {path}; the next start makes a new one.",
        )
    token = path.read_text(encoding="ascii").strip()
    if len(token) < SHORTEST:
        raise BadArgument(
            f"The token in {path} could be guessed.",
            hint=f"remove {path}; the next start makes one.",
        )
    return token


def new_token(path: Path) -> None:
    """Replace the token in that file, or create the file; the old token becomes invalid.

    Raises:
        BadArgument: The file cannot be written; the old token stays.
    """
    try:
        ensure_private_directory(path.parent)
        with lock_file(path):
            _write(path)
    except OSError as error:
        raise BadArgument(f"The token file {path} cannot be written: {error}.") from None


def _write(path: Path) -> None:
    write_private(path, f"{secrets.token_urlsafe(32)}\n".encode())
