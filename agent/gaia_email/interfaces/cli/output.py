"""The output of every reading command: one document, a stream, a table, or a card.

`--json` prints one document and `--jsonl` a stream of objects; a pipe gets tab-separated values without colour, a
terminal the command's own card. Data goes to standard output, everything else to standard error.

Entry points: `write_rows`, `write_json`, `write_jsonl`, `write_tsv`, `note`, `console`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from click import UsageError

from gaia_email.interfaces.cli.terminal import is_terminal, tsv_field, wants_colour
from gaia_email.interfaces.cli.typed_command import make_runnable
from gaia_mail.printable import safe_json, safe_json_line, visible

if TYPE_CHECKING:
    from rich.console import Console

PATIENCE_S = 0.5
"""Seconds after which progress is shown."""

MANY = 1_000
"""Number of rows from which a faster library writes the document."""

SHORT = 8
"""Number of characters shown of our own ids; every command accepts such a prefix."""

_COMMAND, _HELD = re.compile(r"(?:\S*/)?gaia email \w+"), "\N{NO-BREAK SPACE}"
"""Pattern of a command in a sentence, which stays on one line, and the temporary substitute for its spaces."""

_OURS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

OutputFormat = Literal["json", "jsonl", "tsv", "card"]


def chosen_format(as_json: bool, as_jsonl: bool, fields: str = "") -> OutputFormat:
    """Return the output format for the two flags, the requested fields, and the kind of output.

    Raises:
        UsageError: Both flags were given.
    """
    if as_json and as_jsonl:
        raise UsageError("Choose one of --json and --jsonl.")
    if as_jsonl:
        return "jsonl"
    if as_json:
        return "json"
    return "card" if is_terminal() and not fields else "tsv"


def select_fields(row: Mapping[str, object], fields: Sequence[str]) -> dict[str, object]:
    """Return only the named keys, in the order named; `a.b` reaches into an object. Without names, return all keys.

    Raises:
        UsageError: A key does not exist.
    """
    if not fields:
        return dict(row)
    for field in fields:
        _check(row, field)
    return {field: _reach(row, field) for field in fields}


def _has(record: Mapping[str, object], path: str) -> bool:
    return path.partition(".")[0] in record


def _check(row: Mapping[str, object], path: str) -> None:
    at: object = row
    for key in path.split("."):
        if not isinstance(at, dict):
            return  # an unknown value is null, and so is every field in it
        known: dict[str, object] = at  # pyright: ignore[reportUnknownVariableType]
        if key not in known:
            raise UsageError(f"There is no field {path[:80]!r} here; there are {', '.join(known)}.")
        at = known[key]


def _reach(row: object, path: str) -> object:
    for key in path.split("."):
        if not isinstance(row, dict):
            return None
        row = row.get(key)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return row  # pyright: ignore[reportUnknownVariableType]


def write_json(document: object, *, is_large: bool = False) -> None:
    """Write a document or a list of rows to standard output as indented JSON."""
    if is_large and (written := _indented(document)):
        sys.stdout.flush()
        sys.stdout.buffer.write(written + b"\n")
        return
    sys.stdout.write(safe_json(json.dumps(document, ensure_ascii=False, indent=2)) + "\n")


def _indented(document: object) -> bytes:
    """Return indented JSON from a faster library; empty if `json` must write it.

    Loading the library takes longer than writing a few rows.
    """
    from msgspec.json import encode, format

    try:
        return safe_json_line(format(encode(document), indent=2))
    except UnicodeEncodeError:  # a lone surrogate, as in the name of a file
        return b""


def write_jsonl(rows: Iterable[Mapping[str, object]], *, flush: bool = False) -> None:
    """Write one object per line as they arrive; `flush` after each for a waiting reader."""
    # The same output as `json`, in a fifth of the time; only this function writes thousands of objects.
    from msgspec.json import Encoder

    encode = Encoder().encode
    sys.stdout.flush()
    write = sys.stdout.buffer.write
    for row in rows:
        try:
            line = encode(row)
        except UnicodeEncodeError:  # a lone surrogate, as in the name of a file
            line = json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        write(safe_json_line(line) + b"\n")
        if flush:
            sys.stdout.flush()


def write_tsv(columns: Sequence[str], rows: Iterable[Mapping[str, object]], *, header: bool = True) -> None:
    """Write a header and one line per row; lists are joined with commas, null is empty, our own ids are shortened."""
    if header:
        sys.stdout.write("\t".join(columns) + "\n")
    for row in rows:
        sys.stdout.write("\t".join(tsv_field(_cell(_reach(dict(row), column))) for column in columns) + "\n")


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(str(item) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(value, dict):
        return safe_json(json.dumps(value, ensure_ascii=False))
    text = str(value)
    return text[:SHORT] if _OURS.fullmatch(text) else text


def note(message: str) -> None:
    """Write a message for the user to standard error; on a terminal, wrap it without breaking commands to copy."""
    text = make_runnable(visible(message))
    if sys.stderr.isatty() and " --" not in text:
        from shutil import get_terminal_size

        text = whole_commands(text, get_terminal_size().columns)
    sys.stderr.write(text + "\n")


def whole_commands(text: str, width: int) -> str:
    """Wrap a text at spaces with its own indentation, without breaking a command, which may be copied."""
    from textwrap import fill

    hanging = " " * (len(text) - len(text.lstrip()))
    held = _COMMAND.sub(lambda found: found[0].replace(" ", _HELD), text)
    wrapped = fill(held, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return wrapped.replace(_HELD, " ")


def counter(word: str, shown_from: int) -> Callable[[int, int], None]:
    """Return a callback that shows progress on the terminal's error stream, and nothing in a pipe.

    Progress is shown from `shown_from` steps, after half a second, or at once while messages are listed: their total is
    below 0.
    """
    started, shown = perf_counter(), False

    def count(done: int, total: int) -> None:
        nonlocal shown
        if not sys.stderr.isatty():
            return
        if not shown and 0 <= total < shown_from and perf_counter() - started < PATIENCE_S:
            return
        told = f"{word} {done:,} of {total:,}"
        if total < 0:
            told = f"listing messages: {done:,}" if done else "listing messages …"
        shown = not 0 <= total <= done
        sys.stderr.write(f"\r\x1b[K{told}" if shown else "\r\x1b[K")
        sys.stderr.flush()

    return count


def write_rows(
    document: Mapping[str, object],
    rows: Iterable[Mapping[str, object]],
    columns: Sequence[str],
    form: OutputFormat,
    fields: Sequence[str],
) -> None:
    """Write a document, or its rows as lines or as a table; not for a card.

    `fields` are those of rows in every format, so JSON becomes a list of rows; it stays one object only if all fields
    belong to the document itself.
    """
    if form == "json":
        own = all(_has(document, field) for field in fields)
        found = select_fields(document, fields) if own else [select_fields(row, fields) for row in rows]
        write_json(found, is_large=isinstance(rows, Sized) and len(rows) > MANY)
    elif form == "jsonl":
        write_jsonl(select_fields(row, fields) for row in rows)
    else:
        listed = list(rows)
        for row in listed[:1]:
            select_fields(row, fields)
        write_tsv(fields or columns, listed)


def console() -> Console:
    """Return a rich console on standard output without markup, highlighting or guessed links."""
    from rich.console import Console

    colour = wants_colour(sys.stdout)
    return Console(
        file=sys.stdout,
        markup=False,
        highlight=False,
        emoji=False,
        no_color=not colour,
        force_terminal=colour or None,
        soft_wrap=False,
    )
