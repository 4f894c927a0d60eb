"""The file of the egress ledger: lines of JSON that many programs add to and one command reads. Entries: `add`, `read`.

Nothing of mail is in it, and nothing that tells more of a connection than its two ends, its reason and its size.
A line is written with one `write` at the end of the file, so programs need no lock for it. A connection has a line
when it opens, one a minute while bytes go over it, and one when it closes; the last line of an `id` counts.
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
"""What a connection is for: a mailbox is read and changed; mail is sent over SMTP; a login is had, renewed or revoked;
a mailing list is left; a language model is asked; a tool server of `mcp_servers.json` is called; the ledger or the
runs are kept on a server of the user's; the servers of an address are looked for; `doctor` looks; the running
`gaia email serve` is asked; an automation posts."""

WHYS: tuple[Why, ...] = get_args(Why)

MOST_BYTES = 3_000_000
"""Of one file; there are three."""
DAYS = 90
"""A connection over which nothing went since is told no more, and is deleted within as many days again of use."""
DAY_S = 86_400.0

_LONGEST = 4_096
"""A line that is longer was not written by this program."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressRow:
    """A connection.

    Attributes:
        id: Of this connection, random.
        at: When it was opened, in seconds since the epoch.
        until: When it was written down last.
        program: Which of our programs opened it.
        account: For which account; empty where it is for none.
        host: Whom it is with: a name or an address as it was asked for.
        port: Its port; 0 for a socket of this machine.
        via: The proxy that it goes through, as `host:port`; empty without one.
        why: What it is for.
        sent: Bytes that we sent, before they were encrypted.
        received: Bytes that we received, after they were decrypted.
        open: Whether it was open when it was written down last; a program that was killed leaves it so.
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
    """Where the newer rows are."""
    return home(environ) / "egress.jsonl"


def add(path: Path, row: EgressRow) -> None:
    """Write a row down; a program that died in the middle of its line spoils no other.

    Raises:
        OSError: It cannot be written.
    """
    ensure_private_directory(path.parent)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    file = os.open(path, flags, 0o600)
    try:
        os.write(file, _line(row))
    finally:
        os.close(file)


def make_room(path: Path, now: float) -> None:
    """Begin a new file where this one is full, or its first row is half as old as a row may get.

    The one before it, to which no program adds any more, is put with the oldest, a line for each connection.

    Raises:
        OSError: It cannot be done.
    """
    if not _is_over(path, now):
        return
    from gaia_email_registry.private_file import locked, write_private

    oldest, before, _ = _files(path)
    with locked(path):
        if not _is_over(path, now):  # another program did it meanwhile
            return
        if before.exists():
            write_private(oldest, _fitting(_rows((oldest, before), now)))
        path.replace(before)


def read(path: Path, now: float) -> list[EgressRow]:
    """All connections of the last `DAYS`, oldest first; lines that make no sense are left out.

    Raises:
        OSError: There is a file that cannot be read.
    """
    return _rows(_files(path), now)


def delete(path: Path) -> None:
    """Delete every row.

    Raises:
        OSError: They cannot be deleted.
    """
    for each in (*_files(path), path.with_name(f"{path.name}.lock")):
        each.unlink(missing_ok=True)


def _files(path: Path) -> tuple[Path, Path, Path]:
    """The oldest rows, those of the file before, those of the file that is added to."""
    return (
        path.with_name(f"{path.stem}-oldest{path.suffix}"),
        path.with_name(f"{path.stem}-before{path.suffix}"),
        path,
    )


def _rows(files: Iterable[Path], now: float) -> list[EgressRow]:
    found: dict[str, EgressRow] = {}
    for each in files:
        with suppress(FileNotFoundError), each.open("rb") as lines:
            for row in _parsed(lines):
                found[row.id] = row
    return sorted((row for row in found.values() if row.until >= now - DAYS * DAY_S), key=lambda row: row.at)


def _fitting(rows: Sequence[EgressRow]) -> bytes:
    """As many lines as a file may have, of the newest."""
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
            first = next(_parsed(lines), None)
    except FileNotFoundError:
        return False
    return first is not None and first.until < now - DAYS * DAY_S / 2


def _parsed(lines: Iterable[bytes]) -> Iterator[EgressRow]:
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
