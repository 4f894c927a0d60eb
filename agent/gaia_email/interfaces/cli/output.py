"""The output contract of every reading command: one document, a stream, a table, or a card.

`--json` prints one document, `--jsonl` a stream of objects, a pipe gets tab-separated values without
colour, a terminal gets the command's own card. Data goes to standard output, everything else to standard
error. Entry points: `write_rows`, `write_json`, `write_jsonl`, `write_tsv`, `note`, `console`.
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
from gaia_email.interfaces.cli.typed_command import typed
from gaia_mail.printable import safe_json, safe_json_line, visible

if TYPE_CHECKING:
    from rich.console import Console

PATIENCE_S = 0.5
"""Seconds after which a person wants to see that something happens."""

MANY = 1_000
"""Rows of a document from which another library writes it."""

SHORT = 8
"""Characters of an id of ours that are shown; every command takes the beginning of one."""

_COMMAND, _HELD = re.compile(r"(?:\S*/)?gaia email \w+"), "\N{NO-BREAK SPACE}"
"""A command in a sentence, which stays on one line, and what stands for its blanks meanwhile."""

_OURS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

OutputFormat = Literal["json", "jsonl", "tsv", "card"]


def chosen_format(as_json: bool, as_jsonl: bool, fields: str = "") -> OutputFormat:
    """What to print, given the two flags, the fields that were asked for, and whether a person is looking.

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
    """Only the named keys, in the order named; `a.b` reaches into an object. All keys when none is named.

    Raises:
        UsageError: There is no such key.
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
            return  # what is unknown is null, whatever is asked of it
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
    """One document, or a list of rows, readable, on standard output."""
    if is_large and (written := _indented(document)):
        sys.stdout.flush()
        sys.stdout.buffer.write(written + b"\n")
        return
    sys.stdout.write(safe_json(json.dumps(document, ensure_ascii=False, indent=2)) + "\n")


def _indented(document: object) -> bytes:
    """As `json` writes it, which has no fast way to indent; empty where it has to be left to `json`.

    A library takes longer to load than a few rows to write.
    """
    from msgspec.json import encode, format

    try:
        return safe_json_line(format(encode(document), indent=2))
    except UnicodeEncodeError:  # a lone surrogate, as in the name of a file
        return b""


def write_jsonl(rows: Iterable[Mapping[str, object]], *, flush: bool = False) -> None:
    """One object a line, as they come; `flush` after each for a reader that waits for them."""
    # As `json` would write it, in a fifth of the time; only here do thousands of objects go out.
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
    """A header line and a line a row; lists are joined with commas, null is empty, ids of ours short as on a card."""
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
    """A message for the person, on standard error; at a terminal no word of it breaks, save of a command to copy."""
    text = typed(visible(message))
    if sys.stderr.isatty() and " --" not in text:
        from shutil import get_terminal_size

        text = whole_commands(text, get_terminal_size().columns)
    sys.stderr.write(text + "\n")


def whole_commands(text: str, width: int) -> str:
    """Wrap a text at blanks, indented as it begins; no blank of a command breaks, which is to be copied."""
    from textwrap import fill

    hanging = " " * (len(text) - len(text.lstrip()))
    held = _COMMAND.sub(lambda found: found[0].replace(" ", _HELD), text)
    wrapped = fill(held, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return wrapped.replace(_HELD, " ")


def counter(word: str, shown_from: int) -> Callable[[int, int], None]:
    """Shows how far something is on the terminal's error stream; nothing in a pipe.

    Shown are so many steps, what has taken half a second, and at once messages that are listed: their total is below 0.
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
    """One document, or its rows as lines or as a table; not for a card.

    `fields` are those of rows in every form, so JSON is then a list of rows; only where all of them are the document's
    own does JSON stay one object.
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
    """A rich console on standard output that adds no markup, no highlighting and no guessed links."""
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
