"""`gaia email models`: the language models of this machine, and those that may read mail."""

from __future__ import annotations

from asyncio import run

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import HelpfulGroup, field_list, output_options, pass_app
from gaia_email.interfaces.cli.output import chosen_format, note

at_option = click.option("--at", metavar="URL", default="", help="Address of its server, if unusual.")


@click.group(name="models", cls=HelpfulGroup, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Language models on this machine that may judge what the rules are unsure of. None is asked until you choose one.

    Alone it lists what is there, what is missing, and the command that gets it.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_models, as_json=False, as_jsonl=False, fields="")


@command.command(name="list")
@output_options
@pass_app
def list_models(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """The servers found, their models, where each runs, and what is missing."""
    from gaia_email.app.documents.layouts.state import MODELS
    from gaia_email.app.services.models import describe_models
    from gaia_email.document import answer_of
    from gaia_email.interfaces.cli.from_operation import OperationAnswer, OperationView, print_document
    from gaia_email.models.choosing import look

    found = run(look(app.environ))
    view = OperationView(
        columns=("server", "place", "model", "where", "chosen_for", "trusted", "why"),
        rows=lambda document: document["models"],
        notes=lambda document: [f"{what} {command}".strip() for what, command in found.missing],
        layout=MODELS,
    )
    answer = OperationAnswer(document=answer_of(describe_models(found)))
    print_document(answer, view, chosen_format(as_json, as_jsonl, fields), field_list(fields))


@command.command(name="use")
@click.argument("name", metavar="[NAME]", default="")
@click.option(
    "--for",
    "tier",
    type=click.Choice(["T1", "T2", "T3"]),
    default="T2",
    show_default=True,
    help="T1 drops what is not worth a look, T2 sorts, T3 sums up.",
)
@at_option
@pass_app
def use(app: App, name: str, tier: str, at: str) -> None:
    """Have NAME asked from now on about what the rules are unsure of; without NAME, the one that runs here."""
    from gaia_email.models.choosing import choose

    server, model = run(choose(name, tier, at, app.environ))
    note(f"{model.name} of {server.title} is asked from now on ({tier}): {model.why}.")
    note("Next: gaia email inbox --explain-cost. gaia email models off ends it.")


@command.command(name="trust")
@click.argument("name", metavar="NAME")
@at_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@pass_app
def trust(app: App, name: str, at: str, yes: bool) -> None:
    """Let NAME read your mail although its server does not say that it runs on this machine."""
    from gaia_email.interfaces.cli.person import says_yes
    from gaia_email.models.choosing import give_trust, store_trust
    from gaia_email_registry.errors import NeedsApproval

    server, model = run(give_trust(name, at, app.environ))
    if model.where == "here":
        note(f"{name} needs no trust: {model.why}.")
        return
    note(f"{name} of {server.title}: {model.why}. Mail that it is shown may leave this machine.")
    if not says_yes(app, "Let it read your mail?", said=yes):
        raise NeedsApproval("Nothing was changed: you have to agree.", hint="type the same in a terminal.")
    store_trust(server, model, app.environ)
    note(f"{name} may read mail. gaia email status shows it; gaia email models untrust {name} ends it.")


@command.command(name="untrust")
@click.argument("name", metavar="NAME")
@pass_app
def untrust(app: App, name: str) -> None:
    """Take back what `trust` gave."""
    from gaia_email.models.choice import distrust
    from gaia_email_registry.errors import NotFound

    if not distrust(name, app.environ):
        raise NotFound(f"{name[:80]} was not trusted.", hint="gaia email models shows what is")
    note(f"{name} is not trusted any more; it is shown no mail unless its server says that it runs here.")


@command.command(name="off")
@pass_app
def off(app: App) -> None:
    """Ask no model any more. What was answered is kept, and trust too."""
    from gaia_email.models.choice import use_none

    if app.environ.get("GAIA_MODEL_T2"):
        note("GAIA_MODEL_T2 is set and still names a model; unset it to have none asked.")
    before = use_none(app.environ)
    note("No model will be asked." if before else "No model was chosen.")
