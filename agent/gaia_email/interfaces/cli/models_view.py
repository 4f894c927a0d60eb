"""What `gaia email models` lists. Entry: `print_models`."""

from __future__ import annotations

from asyncio import run

from rich.text import Text

from gaia_email.app import App
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.services.models import chosen_for, describe_models
from gaia_email.document import answer_of
from gaia_email.interfaces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.models.choice import ModelChoice
from gaia_email.models.choosing import ModelsOverview, look
from gaia_email.models.servers import Model, ModelServer

COLUMNS = ("server", "place", "model", "where", "chosen_for", "trusted", "why")
WHERE = {"here": "runs here", "elsewhere": "runs elsewhere", "unknown": "not known where it runs"}


def print_models(app: App, form: OutputFormat, fields: list[str]) -> None:
    """Look, and print what was found.

    Raises:
        MailError: The choice cannot be read, or names a place that is not to be talked to.
    """
    found = run(look(app.environ))
    if form == "card":
        _print(found)
        return
    document = answer_of(describe_models(found))
    write_rows(document, document["models"], COLUMNS, form, fields)
    for what, command in found.missing:
        note(f"{what} {command}".strip())


def _print(found: ModelsOverview) -> None:
    out = console()
    for server in found.servers:
        out.print(Text(one_line(server.title), style="bold"), soft_wrap=True)
        for model in server.models:
            out.print(_line(found.chosen, server, model), soft_wrap=True)
    for trust in found.chosen.trusted:
        said = f"{one_line(trust.model)} at {one_line(trust.place)} may read mail by your word"
        out.print(
            Text(f"⚠ {said}; gaia email models untrust {one_line(trust.model)} ends it."), soft_wrap=True
        )
    if found.chosen.address is not None and "T2" in found.chosen.tiers:
        out.print(Text("Next: gaia email inbox --explain-cost", style="bold"))
    for what, command in found.missing:
        line = Text(one_line(what))
        if command:
            line.append(f"  {command}", style="bold")
        out.print(line, soft_wrap=True)


def _line(chosen: ModelChoice, server: ModelServer, model: Model) -> Text:
    tiers = chosen_for(chosen, server, model)
    mark = f"→ {', '.join(tiers)}" if tiers else ""
    line = Text(f"  {mark:<8}{one_line(model.name)}", style="green" if tiers else "default")
    return line.append(f"  {WHERE[model.where]}: {one_line(model.why)}", style="dim")
