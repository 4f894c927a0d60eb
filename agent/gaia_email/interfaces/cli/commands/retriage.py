"""`gaia email retriage`: what another version, a model, or the rules alone sorted is sorted again."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import NamedSource, pass_app, source_options


@click.command(name="retriage")
@source_options
@click.option(
    "--made-by",
    metavar="MODEL",
    help="Whose verdicts: the name of a language model, as `why` gives it, or `rules` where no model had a word.",
)
@pass_app
def command(app: App, named: NamedSource, made_by: str | None) -> None:
    """Have mail be sorted again: what another version of this program sorted, or what MODEL did.

    Of MODEL the answers are forgotten, and the next triage judges that mail anew.

    For a model that sorted badly, that was changed under the same name, or that came after the rules had sorted. What
    triage did already stays done; `gaia email undo` takes it back.
    """
    from gaia_email.app.services.retriage import catch_up, reopen
    from gaia_email.interfaces.cli.output import note

    if made_by is None:
        from gaia_email.interfaces.cli.session import progress

        for source in named.all_chosen(app):
            account, messages = catch_up(app, source, progress=progress)
            note(f"all {messages:,} messages in the inbox of {account} stand as this version sorts them.")
        return
    found = reopen(app, named.chosen(app), made_by)
    forgotten = f", and {found.answers:,} of its answers are forgotten" if found.answers else ""
    note(f"{found.verdicts:,} messages of {found.account} will be sorted again{forgotten}.")
    note("next: gaia email triage shows it; with --apply it is done.")
