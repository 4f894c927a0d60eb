"""`gaia email search "…"`: finds messages in the local copy, best or newest first, with the words where they stand."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)


@click.command(name="search")
@click.argument("query", metavar="QUERY")
@source_options
@click.option(
    "--limit", metavar="N", type=click.IntRange(min=1, max=1000), default=20, help="At most N messages."
)
@click.option(
    "--sort",
    type=click.Choice(["best", "newest"]),
    default="best",
    show_default=True,
    help="What comes first.",
)
@click.option("--offline", is_flag=True, help="Search the copy as it is; do not ask the mailbox for news.")
@output_options
@pass_app
def command(
    app: App,
    query: str,
    named: NamedSource,
    limit: int,
    sort: str,
    offline: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Search mail: words, "phrases", from:ann, subject:…, has:attachment, newer_than:7d; docs/search.md has them all.

    Searches a copy of the mail kept on this machine, brought up to date first. Without the mailbox it answers from
    the copy, and says so. The ids it shows are what `show` and `why` take.
    """
    from gaia_email.interfaces.cli.output import chosen_format
    from gaia_email.interfaces.cli.searching import run_search
    from gaia_email.services.searching import SearchRequest

    run_search(
        app,
        named.chosen(app),
        SearchRequest(query=query, limit=limit, newest=sort == "newest", offline=offline),
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )
