"""`gaia email answer ID --template NAME`: answer a message from one of your templates."""

from __future__ import annotations

from collections.abc import Mapping

import click
from rich.text import Text

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_app,
    pass_output,
    source_options,
)
from gaia_email.interfaces.cli.output import console, note


@click.command(name="answer")
@click.argument("message_id", metavar="ID")
@click.option(
    "--template", "name", metavar="NAME", required=True, help="As gaia email policy templates lists it."
)
@click.option(
    "--set", "chosen", metavar="SLOT=WORDS", multiple=True, help="Words for a slot that is yours to fill."
)
@click.option("--dry-run", is_flag=True, help="Show the answer; send nothing.")
@source_options
@pass_output
@pass_app
def command(
    app: App,
    message_id: str,
    name: str,
    chosen: tuple[str, ...],
    dry_run: bool,
    named: NamedSource,
    out: OutputChoice,
) -> int:
    """Answer message ID (as a listing shows it) from a template of yours. Shows all of it and asks first.

    The answer is marked as automatic (RFC 3834): it goes to nobody but the sender, never to lists, bulk or automatic
    mail, and once a week to a sender. A mail that was sent cannot be taken back.
    """
    from gaia_email.app.operations.replies import reply_by_template
    from gaia_email.interfaces.cli.did import ACTED
    from gaia_email.interfaces.cli.from_operation import call_operation, print_document
    from gaia_email.interfaces.cli.naming import message_named

    words = dict(_pair(given) for given in chosen)
    message_id, source = message_named(app, message_id, named)
    if dry_run:
        _show(app, source, message_id, name, words)
        note("nothing was sent.")
        return 0
    asked = {"message_id": message_id, "template": name, "slots": words}
    return print_document(call_operation(app, reply_by_template, asked, asks="", source=source), ACTED, *out)


def _show(app: App, source: SourceSpec, message_id: str, name: str, words: Mapping[str, str]) -> None:
    from gaia_email.app.services.answering import template_answer
    from gaia_email.interfaces.cli.acting import lines
    from gaia_email.interfaces.cli.origin import origin_here

    for line in lines(template_answer(app, source, message_id, name, words, origin=origin_here())):
        console().print(Text(line), soft_wrap=True)


def _pair(given: str) -> tuple[str, str]:
    slot, equals, words = given.partition("=")
    if not equals or not slot.strip():
        raise click.BadParameter(f"{given[:60]!r} is not SLOT=WORDS.", param_hint="--set")
    return slot.strip(), words
