"""`gaia email answer ID --template NAME`: answer a message with words you wrote beforehand."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import click
from rich.text import Text

from gaia_email.app import App
from gaia_email.interfaces.cli.options import (
    NamedSource,
    OutputChoice,
    pass_app,
    printed,
    source_options,
)
from gaia_email.interfaces.cli.output import console, note

if TYPE_CHECKING:
    from gaia_email.actions.account_session import AccountSession
    from gaia_email.actions.answer import TemplateAnswer


@click.command(name="answer")
@click.argument("message_id", metavar="ID")
@click.option(
    "--template", "name", metavar="NAME", required=True, help="As gaia email policy templates lists it."
)
@click.option("--set", "chosen", metavar="SLOT=WORDS", multiple=True, help="What a slot of yours is to say.")
@click.option("--dry-run", is_flag=True, help="Show the answer; send nothing.")
@source_options
@printed
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
    from gaia_email.actions.answer import TemplateAnswer
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.app.documents.actions import Acted, acted_document
    from gaia_email.app.services.answering import answer_from_template
    from gaia_email.interfaces.cli.acting import with_account_session
    from gaia_email.interfaces.cli.did import ACTED
    from gaia_email.interfaces.cli.from_operation import OperationAnswer, print_document
    from gaia_email.interfaces.cli.naming import message_named

    words = dict(_pair(given) for given in chosen)
    message_id, source = message_named(app, message_id, named)
    started = perf_counter()

    async def scenario(session: AccountSession) -> Acted:
        result = await answer_from_template(app, session, source, message_id, name, words, dry_run=dry_run)
        applied = AppliedActions()
        if isinstance(result, TemplateAnswer):
            _show(result)
        else:
            applied = result
        seconds = perf_counter() - started
        return Acted(command="answer", account=session.account, applied=applied, seconds=seconds)

    acted = with_account_session(app, source, scenario)
    if dry_run:
        note("nothing was sent.")
        return 0
    if acted.applied.problem is not None and not acted.applied.done:
        raise acted.applied.problem
    return print_document(OperationAnswer(document=acted_document(acted)), ACTED, *out)


def _show(answer: TemplateAnswer) -> None:
    from gaia_email.interfaces.cli.acting import lines
    from gaia_email.policy.question import question

    for line in lines(question(answer.call, answer.facts)):
        console().print(Text(line), soft_wrap=True)


def _pair(given: str) -> tuple[str, str]:
    slot, equals, words = given.partition("=")
    if not equals or not slot.strip():
        raise click.BadParameter(f"{given[:60]!r} is not SLOT=WORDS.", param_hint="--set")
    return slot.strip(), words
