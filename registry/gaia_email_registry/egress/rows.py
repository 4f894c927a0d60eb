"""The file of the egress ledger: JSON lines that many programs append and one command reads. Entries: `add`, `read`.

It contains no mail, and for a connection only its two ends, its purpose and its size. Each line is appended with a
single `write`, so programs need no lock. A connection has a line when it opens, one per minute while it is active, and
one when it closes; the last line of an `id` counts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from gaia_email_registry.paths import ensure_private_directory, home

Why = Literal[
    "mail", "send", "sign-in", "unsubscribe", "model", "tools", "database", "lookup", "check", "agent", "post"
]
"""Purpose of a connection: reading and changing a mailbox; sending mail over SMTP; obtaining, renewing or revoking a
login; leaving a mailing list; querying a language model; calling a tool server of `mcp_servers.json`; storing the
ledger or the runs on a server of the user; finding the servers of an address; a check by `doctor`; a request to the
running `gaia email serve`; a post by an automation."""

WHYS: tuple[Why, ...] = get_args(Why)

MOST_BYTES = 3_000_000
"""Limit for one file; there are three."""
DAYS = 90
"""Days after which an inactive connection is no longer shown; it is deleted within the same time again of use."""
DAY_S = 86_400.0

_LONGEST = 4_096
"""A longer line was not written by this program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressRow:
    """A connection.

    Attributes:
        id: Random id of the connection.
        at: Time of opening, in seconds since the epoch.
        until: Time of the last update.
        program: Program that opened it.
        account: Account of the connection; empty if none.
        host: The other end: a name or an address, as requested.
        port: Its port; 0 for a socket of this machine.
        via: The proxy in use, as `host:port`; empty without one.
        why: Purpose of the connection.
        sent: Bytes sent, before encryption.
        received: Bytes received, after decryption.
        open: True if it was open at the last update; stays True if the program was killed.
    """

    id: str
    at: float
    until: float
    program: str
    account: str
    host: str
    port: int
    via: str
    why: Why
    sent: int
    received: int
    open: bool


def ledger_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the file with the newest rows."""
    return home(environ) / "egress.jsonl"


def add(path: Path, row: EgressRow) -> None:
    """Append a row; a partial line of a program that died does not damage others.

    Raises:
        OSError: The row cannot be written.
    """
    ensure_private_directory(path.parent)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    file = os.open(path, flags, 0o600)
    try:
        os.write(file, _line(row))
    finally:
        os.close(file)


def make_room(path: Path, now: float) -> None:
    """Start a new file if this one is full, or its first row is half as old as a row may get.

    The previous file, to which no program appends any more, is merged into the oldest, with one line per connection.

    Raises:
        OSError: The files cannot be changed.
    """
    if not _is_over(path, now):
        return
    from gaia_email_registry.private_file import lock_file, write_private

    oldest, before, _ = _files(path)
    with lock_file(path):
        if not _is_over(path, now):  # another program did it in the meantime
            return
        if before.exists():
            write_private(oldest, _fitting(_rows((oldest, before), now)))
        path.replace(before)


def read(path: Path, now: float) -> list[EgressRow]:
    """Return all connections of the last `DAYS`, oldest first; invalid lines are skipped.

    Raises:
        OSError: A file cannot be read.
    """
    return _rows(_files(path), now)


def delete(path: Path) -> None:
    """Delete every row.

    Raises:
        OSError: A file cannot be deleted.
    """
    for each in (*_files(path), path.with_name(f"{path.name}.lock")):
        each.unlink(missing_ok=True)


def _files(path: Path) -> tuple[Path, Path, Path]:
    """Return the files of the oldest, the previous and the current rows."""
    return (
        path.with_name(f"{path.stem}-oldest{path.suffix}"),
        path.with_name(f"{path.stem}-before{path.suffix}"),
        path,
    )


def _rows(files: Iterable[Path], now: float) -> list[EgressRow]:
    found: dict[str, EgressRow] = {}
    for each in files:
        with suppress(FileNotFoundError), each.open("rb") as lines:
            for row in _parse(lines):
                found[row.id] = row
    return sorted((row for row in found.values() if row.until >= now - DAYS * DAY_S), key=lambda row: row.at)


def _fitting(rows: Sequence[EgressRow]) -> bytes:
    """Return the newest rows as lines, as many as fit a file."""
    lines: list[bytes] = []
    room = MOST_BYTES
    for row in reversed(rows):
        lines.append(_line(row))
        room -= len(lines[-1])
        if room < 0:
            lines.pop()
            break
    return b"".join(reversed(lines))


def _line(row: EgressRow) -> bytes:
    return f"\n{json.dumps(asdict(row), ensure_ascii=True, separators=(',', ':'))}\n".encode("ascii")


def _is_over(path: Path, now: float) -> bool:
    try:
        if path.stat().st_size > MOST_BYTES:
            return True
        with path.open("rb") as lines:
            first = next(_parse(lines), None)
    except FileNotFoundError:
        return False
    return first is not None and first.until < now - DAYS * DAY_S / 2


def _parse(lines: Iterable[bytes]) -> Iterator[EgressRow]:
    for line in lines:
        row = _row(line) if 2 < len(line) <= _LONGEST else None
        if row is not None:
            yield row


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "id": str, "at": (int, float), "until": (int, float), "program": str, "account": str, "host": str,
    "port": int, "via": str, "why": str, "sent": int, "received": int, "open": bool,
}  # fmt: skip


def _row(line: bytes) -> EgressRow | None:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.keys() != _TYPES.keys():  # pyright: ignore[reportUnknownMemberType]
        return None
    if not all(isinstance(told[name], kind) for name, kind in _TYPES.items()) or told["why"] not in WHYS:
        return None
    return EgressRow(**told)  # pyright: ignore[reportUnknownArgumentType]
