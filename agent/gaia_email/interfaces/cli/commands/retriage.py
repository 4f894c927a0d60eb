"""`gaia email retriage`: re-sorts mail sorted by another version, a model, or the rules alone."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations.deciding import retriage
from gaia_email.interfaces.cli.from_operation import call_operation, operation_parameters
from gaia_email.interfaces.cli.options import NamedSource, pass_app, source_options
from gaia_email.interfaces.cli.output import note


@click.command(name="retriage")
@source_options
@pass_app
def command(app: App, named: NamedSource, made_by: str | None) -> None:
    """Have mail be sorted again: what another version of this program sorted, or what MODEL did.

    Of MODEL the answers are forgotten, and the next triage judges that mail anew.

    For a model that sorted badly, that was changed under the same name, or that came after the rules had sorted. What
    triage did already stays done; `gaia email undo` takes it back.
    """
    source = named.resolve(app) if made_by else None
    answer = call_operation(app, retriage, {"made_by": made_by}, named, source=source)
    for row in answer.document["mailboxes"]:
        if not made_by:
            note(
                f"all {row['messages']:,} messages in the inbox of {row['account']} stand as this version sorts them."
            )
            continue
        forgotten = f", and {row['forgotten']:,} of its answers are forgotten" if row["forgotten"] else ""
        note(f"{row['messages']:,} messages of {row['account']} will be sorted again{forgotten}.")
        note("next: gaia email triage shows it; with --apply it is done.")


command.params += operation_parameters(retriage)
