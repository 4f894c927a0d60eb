"""`gaia email demo`: the main job on a mailbox that everyone has."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from gaia_email.app import App
from gaia_email.app.sample.day import local_zone, sample_day
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.commands.inbox import InboxView, show_inbox
from gaia_email.interfaces.cli.options import field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format


@click.command(name="demo")
@click.option("--all", "show_all", is_flag=True, help="Every thread, low priority too.")
@click.option(
    "--write",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the sample as a Maildir to a new DIR instead, to try it with gaia-local-mcp or another client.",
)
@click.option("--card", "as_card", is_flag=True, help="The card, into a pipe or a file too.")
@output_options
@pass_app
def command(
    app: App, show_all: bool, folder: Path | None, as_card: bool, as_json: bool, as_jsonl: bool, fields: str
) -> None:
    """Triage of the sample mailbox that comes with the program. No account, no network, nothing kept."""
    if folder is not None:
        _write(app, folder)
        return
    form = "card" if as_card else chosen_format(as_json, as_jsonl, fields)
    view = InboxView(show_all=show_all, form=form, fields=field_list(fields))
    with sample_day(app.environ):
        show_inbox(app, [SourceSpec(kind="demo", path="", user=())], view)


def _write(app: App, folder: Path) -> None:
    from gaia_email.app.sample.mailbox import write_sample
    from gaia_email.interfaces.cli.output import note

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise click.BadParameter(f"{folder} exists and is not an empty folder.", param_hint="--write")
    count = write_sample(folder, now=app.clock(), zone=local_zone(app.environ))
    note(f"wrote {count} messages to {folder}; try: gaia email inbox --maildir {quote(str(folder))}")
