"""Text and digests of a verdict's inputs, equal in every process. Entry points: `fingerprint`, `plain`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import gaia_email
import gaia_mail
import gaia_understanding

JUDGING = ("policy", "mailbox", "triage")
"""Packages of the agent that affect verdicts, in addition to those that parse and understand mail."""


class NotPlainError(TypeError):
    """The value has no text form that is the same in every process."""


def plain(value: object) -> str:
    """Return a text that is the same in every process for equal values; an object with `digest` is encoded as that.

    Raises:
        NotPlainError: The value has no such text.
    """
    import msgspec  # imported late: naming mail files does not need it

    try:
        return msgspec.json.encode(value, enc_hook=_digest, order="sorted").decode()
    except (TypeError, ValueError) as error:
        raise NotPlainError(str(error)) from None


def _digest(value: object) -> str:
    digest = getattr(value, "digest", None)
    if isinstance(digest, str):
        return digest
    raise NotPlainError(f"a {type(value).__name__} cannot be told apart from another")


@lru_cache(maxsize=4)
def fingerprint(*, packages: tuple[str, ...] = JUDGING) -> str:
    """Return a digest of these packages' files and of the libraries that read mail; it differs per build."""
    digest = blake2b(digest_size=16)
    agent, *libraries = (
        Path(str(one.__file__)).parent for one in (gaia_email, gaia_understanding, gaia_mail)
    )
    for folder in (*(agent / package for package in packages), *libraries):
        for path, info in sorted(_files(str(folder))):
            digest.update(f"{path}\0{info.st_size}\0{info.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:  # a package that this build does not have, or a program inside an archive
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name != "__pycache__":
                yield from _files(entry.path)
        else:
            yield entry.path, entry.stat()
