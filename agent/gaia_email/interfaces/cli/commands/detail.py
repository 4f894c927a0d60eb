"""What `why` and `show` have in common: an id, a source, a form. Entry point: `detail_command`."""

from __future__ import annotations

from typing import Literal

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import NamedSource, output_options, pass_app, source_options


def detail_command(view: Literal["why", "show"], help_text: str) -> click.Command:
    """The command that looks one message up and prints that view of it."""

    @click.command(name=view, help=help_text)
    @click.argument("message_id", metavar="ID")
    @source_options
    @output_options
    @pass_app
    def command(
        app: App,
        message_id: str,
        named: NamedSource,
        as_json: bool,
        as_jsonl: bool,
        fields: str,
    ) -> None:
        from gaia_email.interfaces.cli.explain import print_found
        from gaia_email.interfaces.cli.naming import message_named

        message_id, source = message_named(app, message_id, named)
        print_found(app, view, message_id, source, as_json=as_json, as_jsonl=as_jsonl, fields=fields)

    return command
