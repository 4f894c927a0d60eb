"""`gaia email review`: waiting items, one after another, answered with one key."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.options import pass_app
from gaia_email.interfaces.cli.output import note
from gaia_email.interfaces.cli.terminal import is_terminal
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.review_screen import ReviewOutcome
    from gaia_email.ledger import PendingType


@click.command(name="review")
@click.option("--type", "type_", type=click.Choice(("notify", "question", "review")), help="Only these.")
@click.option("--cohort", metavar="C", help="Only of this cohort.")
@click.option("--maildir", metavar="DIR", help="Folder of the mail, if it was moved.")
@pass_app
def command(app: App, type_: PendingType | None, cohort: str | None, maildir: str | None) -> int:
    """Go through what waits, item by item, with one key each: approve, edit, reject, why, skip, all of a cohort.

    Each answer counts at once; leaving with q or Ctrl-C takes none back.
    """
    if not (is_terminal() and sys.stdin.isatty()):
        raise BadArgument(
            "A review needs a terminal.", hint="gaia email pending --json, then approve or reject by id."
        )
    from gaia_email.app.services.agent_inbox import has_agent_inbox, server_inbox
    from gaia_email.interfaces.cli.acting import INTERFACE
    from gaia_email.interfaces.cli.person import need_yes
    from gaia_email.interfaces.cli.review_screen import keys_of_terminal
    from gaia_email.interfaces.cli.server_review import ReviewedServers, review_servers

    need_yes(app, "Answer what waits")
    servers = server_inbox(app, INTERFACE)
    asked = servers.waiting() if type_ is None and cohort is None else []
    first = ReviewedServers()
    if asked:
        with keys_of_terminal() as read_key:
            first = review_servers(servers, asked, read_key)
    answered, skipped, left = first.answered, first.skipped, first.left
    if has_agent_inbox(app) and not first.quit:
        found = _review_ledger(app, type_, cohort, maildir)
        if found is None and not asked:
            note("nothing waits for you.")
            return 0
        if found is not None:
            answered += sum(one.counts for one in found.answers)
            skipped, left = skipped + found.skipped, left + found.left
    elif not asked:
        note("nothing waits for you.")
        return 0
    note(f"{answered:,} answered · {skipped:,} skipped · {left:,} left")
    return 0


def _review_ledger(
    app: App, type_: PendingType | None, cohort: str | None, maildir: str | None
) -> ReviewOutcome | None:
    """Review the items in the ledger; return None if none is waiting."""
    from gaia_email.app.services.agent_inbox import agent_inbox
    from gaia_email.interfaces.cli.acting import INTERFACE
    from gaia_email.interfaces.cli.review_screen import keys_of_terminal, review

    with agent_inbox(app, INTERFACE, maildir=maildir) as waiting:
        calls = waiting.questions.waiting() if type_ is None and cohort is None else []
        items = waiting.inbox.list_pending(type=type_, cohort=cohort)
        if not items and not calls:
            return None
        with keys_of_terminal() as read_key:
            return review(waiting.inbox, items, read_key, questions=waiting.questions, calls=calls)
