"""`triage --apply`: a run that outlives this program, shown as a card or a document. Entry point: `apply_triage`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.triage_run import RunListener, run_triage
from gaia_email.interfaces.cli.acting import acting_progress
from gaia_email.interfaces.cli.did import show_run
from gaia_email.interfaces.cli.output import OutputFormat, note
from gaia_email.interfaces.cli.session import progress


def apply_triage(
    app: App,
    source: SourceSpec,
    since: float | None,
    form: OutputFormat,
    fields: list[str],
    *,
    again: bool = False,
    explain_cost: bool = False,
) -> int:
    """Triage and do what the user's levels allow; the exit code. With `again`, also what was taken back before.

    Raises:
        BadArgument: The mailbox can only be read, or another program is acting on it.
        NeedsApproval: The agent is stopped or paused.
        MailError: The mailbox or the ledger cannot be used; what is planned is done when they can.
    """
    listening = RunListener(reading=progress, acting=acting_progress, note=note)
    report = run_triage(app, source, since, listening, again=again)
    if explain_cost:
        from gaia_email.interfaces.cli.model_cost import cost_lines

        for line in cost_lines(report.inbox):
            note(line)
    return show_run(report, source, form, fields)
