"""The kind of run that executes an automation. Entry: `RUN_KINDS`."""

from __future__ import annotations

from gaia_email.runs.arguments import Arguments, unknown_arguments
from gaia_email.runs.job_kind import JobKind


def automation_arguments(arguments: Arguments) -> Arguments:
    """Check the arguments of an automation: the ledger ID of its run.

    Raises:
        BadArgument: It is missing, or there are others.
    """
    if set(arguments) != {"automation_run"} or not isinstance(arguments["automation_run"], str):
        raise unknown_arguments(arguments, "automation_run")
    return dict(arguments)


RUN_KINDS = (
    JobKind(
        name="automation",
        title="an automation",
        check=automation_arguments,
        workflow="gaia_email_automations.workflows:automation",
        parallel=True,
        scheduled=False,
    ),
)
