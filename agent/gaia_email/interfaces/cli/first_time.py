"""A triage's first run on a mailbox: shows counts of what the levels would do, and asks. Entry: `ask_first`."""

from __future__ import annotations

from gaia_email.app import App
from gaia_email.app.documents.cards.wording import COHORTS, PLAN_TEXT
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.triage_run import first_plan, has_acted
from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.cli.person import says_yes, script_says
from gaia_email.interfaces.cli.session import progress
from gaia_email_registry.errors import NeedsApproval


def ask_first(app: App, source: SourceSpec, since: float | None, *, yes: bool) -> None:
    """Return if it may act: the user agreed, it has acted here before, or it would do nothing by itself.

    Raises:
        NeedsApproval: The answer was no, or nobody can be asked.
        MailError: The mailbox cannot be read.
    """
    if script_says(app, yes) or has_acted(app, source):
        return
    planned = first_plan(app, source, since, progress)
    if not planned:
        return
    note("This is the first triage that acts on this mailbox. By the default levels, or yours, it would:")
    for (cohort, action), count in planned.most_common():
        meaning = f", {COHORTS[cohort]}" if cohort in COHORTS else ""
        note(f"  {count:>5,} × {PLAN_TEXT[action]}  ({cohort}{meaning})")
    note("A level says how much may be done by itself for one kind of sender: gaia email policy list.")
    note("gaia email triage shows each thread, and gaia email undo takes it all back.")
    if not says_yes(app, "Do it?", said=yes):
        raise NeedsApproval("Nothing was done.", hint="gaia email policy set changes a level.")
