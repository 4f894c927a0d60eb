"""`gaia email why ID`: what decided a verdict, signal by signal."""

from __future__ import annotations

import click

from gaia_email.faces.cli.options import chosen_source, output_options, source_options


@click.command(name="why")
@click.argument("message_id", metavar="ID")
@source_options
@output_options
def command(
    message_id: str,
    maildir: str | None,
    mbox: str | None,
    eml: str | None,
    demo: bool,
    user: tuple[str, ...],
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Why message ID (as a listing shows it) is in its bucket: reason, signals and the words behind them."""
    from gaia_email.faces.cli.explain import print_found

    source = chosen_source(maildir, mbox, eml, demo, user)
    print_found("why", message_id, source, as_json=as_json, as_jsonl=as_jsonl, fields=fields)
