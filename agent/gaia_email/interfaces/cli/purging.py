"""Lists what a purge deletes, asks twice, and deletes it. Entry point: `run_purge`."""

from __future__ import annotations

import sys

import click

from gaia_email.app import App
from gaia_email.app.services.names import account_named
from gaia_email.app.services.upkeep import Extent, PurgedRecords, planned_purge, plugin_words
from gaia_email.document import answer_of
from gaia_email.interfaces.cli.output import note, write_json
from gaia_email.interfaces.cli.person import need_person
from gaia_email_registry.errors import NeedsApproval
from gaia_mail.printable import visible

WORDS = {
    "messages": "copied messages with their texts and the search index",
    "verdicts": "verdicts",
    "actions": "actions, which can then no longer be undone",
    "corrections": "corrections, and what would be learned from them",
    "senders": "senders, with your VIPs",
    "pending": "items of the Agent Inbox",
    "confirmations": "confirmations",
    "events": "events of the log, of every account; a sealed checkpoint stays",
    "settings": "settings: your policy, protected senders and the like",
}
ASSENT = "delete"


def run_purge(
    app: App, extent: Extent, account: str | None, *, answered: tuple[bool, bool], as_json: bool
) -> None:
    """Delete the records, or refuse.

    Raises:
        NeedsApproval: One of the two questions was not answered with yes.
    """
    address = account_named(app, account)
    with planned_purge(app, extent, address) as planned:
        if planned.is_empty:
            note(f"The ledger holds nothing of {visible(address or '')} that this would delete.")
            if as_json:
                nothing = dict.fromkeys(planned.counts, 0)
                write_json(answer_of(PurgedRecords(extent=extent, account=address, gone=nothing)))
            return
        note(f"This deletes from {planned.place}{f', of {visible(address)}' if address else ''}:")
        words = {**WORDS, **plugin_words()}
        for name, count in planned.counts.items():
            if count:
                note(f"  {count:,} {words[name]}")
        if extent == "everything":
            note(
                "  and the backups beside it"
                if address
                else "  the backups beside it, files that runs kept, and what a look for accounts found"
            )
        note("Nothing in any mailbox is touched.")
        _ask(app, answered)
        gone = planned.carry_out()
    if as_json:
        write_json(answer_of(PurgedRecords(extent=extent, account=address, gone=gone)))
    else:
        note("Deleted.")


def _ask(app: App, answered: tuple[bool, bool]) -> None:
    need_person(app)
    asking = sys.stdin.isatty()
    if not answered[0] and not (asking and click.confirm("Delete all this?", err=True)):
        raise NeedsApproval("nothing was deleted.", hint="to delete without being asked, add --yes --really.")
    if answered[1]:
        return
    if not asking or click.prompt(f"This cannot be taken back. Type {ASSENT} to do it", err=True) != ASSENT:
        raise NeedsApproval("nothing was deleted.", hint="to delete without being asked, add --yes --really.")
