"""`gaia email classify`: reads mail files, prints one JSON object per message."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.errors import FAILURE, OK, PARTIAL
from gaia_email.interfaces.cli.options import addresses, field_list, fields_option, pass_app
from gaia_email.interfaces.cli.output import note, select_fields, write_json, write_jsonl
from gaia_email_registry.errors import MailError


@click.command(name="classify")
@click.argument("paths", metavar="PATH…", nargs=-1, required=True)
@click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line, as it goes (the default).")
@click.option("--json", "as_json", is_flag=True, help="One document with all messages.")
@fields_option
@click.option(
    "--account", metavar="ID", default="", help="The account the mail belongs to (a name, for now)."
)
@click.option(
    "--user",
    metavar="ADDRESS",
    multiple=True,
    callback=addresses,
    help="Address of the mailbox's owner; repeatable. Default: the most frequent recipient of the input.",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, 64),
    default=1,
    help="Processes that judge side by side: for large mailboxes.",
)
@click.option("--no-model", is_flag=True, help="Rules only, even where a local model server runs.")
@pass_app
def command(
    app: App,
    paths: tuple[str, ...],
    as_jsonl: bool,
    as_json: bool,
    fields: str,
    account: str,
    user: tuple[str, ...],
    jobs: int,
    no_model: bool,
) -> int:
    """Understand every message of PATH….

    A PATH is an .eml file, an mbox, a Maildir, a folder of these, or - for standard input (which needs
    --user). Changes nothing, connects to nothing. A broken message gives a line too; its `defects` say what
    was wrong.
    """
    if as_json and as_jsonl:
        raise click.UsageError("Choose one of --json and --jsonl.")
    if "-" in paths and not user and "@" not in account:
        raise click.UsageError(
            "Standard input can be read only once, so say whose mailbox it is: --user ADDRESS."
        )
    owner = user or ((account,) if "@" in account else ())
    outcome = _Outcome()
    wanted = field_list(fields)
    rows = outcome.watch(_rows(app, paths, owner, jobs, outcome))
    chosen = (select_fields(row, wanted) for row in rows) if wanted else rows
    with _few_collections():
        if as_json:
            write_json({"schema_version": 1, "messages": list(chosen)})
        else:
            write_jsonl(chosen, flush=sys.stdout.isatty() or "-" in paths)
    return outcome.code()


@contextmanager
def _few_collections() -> Generator[None]:
    """Collect garbage rarely: understanding creates almost no cycles, and scans take 3 % of a run, 8 % of a start."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Outcome:
    """The number of unreadable inputs, for the exit code and the last line."""

    def __init__(self) -> None:
        self.lines = 0
        self.failed_paths = 0

    def watch(self, rows: Iterator[Mapping[str, object]]) -> Iterator[Mapping[str, object]]:
        for row in rows:
            self.lines += 1
            yield row

    def code(self) -> int:
        if not self.failed_paths:
            if not self.lines:
                note("There is no message in what you named.")
            return OK
        return PARTIAL if self.lines else FAILURE


def _rows(
    app: App, paths: tuple[str, ...], owner: tuple[str, ...], jobs: int, outcome: _Outcome
) -> Iterator[Mapping[str, object]]:
    from gaia_email.app.services.classify import classify
    from gaia_mail.files.opening import display
    from gaia_mail.files.read import MailSource, open_source

    sources: list[MailSource] = []
    for path in paths:
        try:
            sources.append(open_source(path))
        except MailError as error:
            outcome.failed_paths += 1
            note(error.message if display(path) in error.message else f"{display(path)}: {error.message}")
    yield from classify(sources, app.tier(summaries=False, lessons=False), owner, jobs=jobs)
