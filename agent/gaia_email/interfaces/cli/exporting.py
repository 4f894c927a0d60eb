"""Writes an export of the ledger as a JSON document or as CSV. Entry point: `run_export`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from csv import writer as csv_writer
from pathlib import Path
from typing import TextIO

import click

from gaia_email.app import App
from gaia_email.app.documents.export import export_head, export_text
from gaia_email.app.services.upkeep import Exporter, ExportSelection
from gaia_email.interfaces.cli.output import note
from gaia_email_registry.errors import ProviderError
from gaia_email_registry.paths import ensure_private_directory
from gaia_mail.printable import safe_json, visible_text

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of a cell that a spreadsheet would execute; text from mail must not have them."""


def run_export(
    app: App, parts: Sequence[str], chosen: ExportSelection, *, csv: bool, output: str | None
) -> None:
    """Write the export.

    Raises:
        click.UsageError: Several tables were requested as CSV without a folder.
        ProviderError: The output cannot be written.
    """
    if csv and len(parts) > 1 and output is None:
        raise click.UsageError("As CSV name one table with --what, or a folder with --output.")
    with Exporter.open(app) as exporter:
        if not csv:
            with _written(output) as out:
                head = export_head(account=chosen.account_id, bodies=chosen.bodies, people=chosen.people)
                tables = ((part, exporter.rows(part, chosen)) for part in parts)
                out.writelines(export_text(head, tables))
        elif len(parts) == 1:
            with _written(output) as out:
                _write_csv(out, exporter.rows(parts[0], chosen))
        else:
            for part in parts:
                with _written(str(Path(output or "") / f"{part}.csv")) as out:
                    _write_csv(out, exporter.rows(part, chosen))
    if output is not None:
        note(f"Written to {output}; only you can read it.")


@contextmanager
def _written(path: str | None) -> Generator[TextIO, None, None]:
    """Yield standard output, or a new private file that gets its name only when complete."""
    if path is None:
        yield sys.stdout
        return
    target = Path(path).expanduser()
    part = target.with_name(target.name + ".part")
    try:
        ensure_private_directory(target.parent)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            yield file
        os.replace(part, target)
    except OSError as error:
        raise ProviderError(f"{target} cannot be written: {error.strerror}.") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _write_csv(out: TextIO, rows: Iterator[Mapping[str, object]]) -> None:
    writer = csv_writer(out)
    for number, row in enumerate(rows):
        if not number:
            writer.writerow(row)
        writer.writerow([_cell(value) for value in row.values()])


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    text = visible_text(value) if isinstance(value, str) else safe_json(json.dumps(value, ensure_ascii=False))
    return f"'{text}" if text.startswith(_FORMULA) else text
