"""Runs a watch in this process until a signal ends it, and prints new messages. Entry point: `watch`."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime

from rich.text import Text

from gaia_email.app import App
from gaia_email.app.documents.cards.wording import HEADINGS
from gaia_email.app.documents.mail import WATCH_COLUMNS, warnings, watch_row
from gaia_email.app.services.opening import open_kept_copy, owner_of
from gaia_email.app.services.regular_looks import looking
from gaia_email.app.services.rules import current_rules
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.card import STYLES, badge, badge_style, in_terminal
from gaia_email.interfaces.cli.errors import INTERRUPTED, OK
from gaia_email.interfaces.cli.options import OutputChoice
from gaia_email.interfaces.cli.output import (
    console,
    note,
    select_fields,
    write_jsonl,
    write_tsv,
)
from gaia_email.triage.watch import Arrival, NotRecorded, Watch, WatchHooks, only_watch
from gaia_email_registry.accounts import check_enabled
from gaia_email_registry.clock import utc_now
from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_mail.printable import visible

ENDING = {signal.SIGTERM: OK, signal.SIGINT: INTERRUPTED}
"""Signals that end a watch cleanly, with their exit codes."""


LOOK_EVERY_S = 1.0
"""Seconds between checks that the account is still enabled."""


def watch(
    app: App, source: SourceSpec, view: OutputChoice, *, folders: Sequence[str], everything: bool, once: bool
) -> int:
    """Watch the source until SIGTERM (0), SIGINT (130) or, with `once`, the end of the new messages (0)."""
    printer = _Printer(view)
    with only_watch(app.home, source.mailbox.key, folders):
        watching = Watch(
            app.tier(),
            WatchHooks(
                arrived=printer.print_arrival,
                ready=_ready if not once else lambda account, known, poll_s: None,
                failed=_failed,
                recovered=_recovered,
                left_out=_left_out,
            ),
            owner=owner_of(app, source),
            folders=folders,
            everything=everything,
            rules=lambda: current_rules(app)[0],
            uncertain=app.models(tell=note, interactive=False),
        )
        with nullcontext() if once else looking(app, note):
            return asyncio.run(_until_ended(app, watching, source, once=once))


async def _until_ended(app: App, watching: Watch, source: SourceSpec, *, once: bool) -> int:
    work = asyncio.ensure_future(watching.run(lambda: open_kept_copy(app, source), once=once))
    ended_by: list[signal.Signals] = []
    switch = asyncio.ensure_future(_end_when_off(app, source, work))

    def end(number: signal.Signals) -> None:
        ended_by.append(number)
        work.cancel()

    loop = asyncio.get_running_loop()
    for number in ENDING:
        loop.add_signal_handler(number, end, number)
    try:
        await work
    except asyncio.CancelledError:
        if ended_by:
            return ENDING[ended_by[0]]
        if switch.done() and not switch.cancelled():
            switch.result()
        raise
    finally:
        switch.cancel()
        for number in ENDING:
            loop.remove_signal_handler(number)
    return OK


async def _end_when_off(app: App, source: SourceSpec, work: asyncio.Future[None]) -> None:
    """End the work within seconds after its account is disabled.

    Raises:
        NeedsApproval: The account was disabled; the work has been cancelled.
    """
    while source.kind == "account":
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            check_enabled(source.path, app.environ)
        except NeedsApproval:
            work.cancel()
            raise
        except MailError:
            continue  # the list cannot be read at present, which does not concern the watch


def _ready(account: str, known: int, poll_s: float) -> None:
    when = (
        f"its server tells of no news, so it is looked at every {poll_s / 60:.0f} minutes"
        if poll_s
        else "new messages are shown as they arrive"
    )
    note(f"Watching {account} ({known:,} there now): {when}.")


def _failed(error: MailError, pause_s: float) -> None:
    note(f"{error.message} Trying again in {pause_s:.0f} s, then less often.")


def _recovered(error: MailError) -> None:
    kept = isinstance(error, NotRecorded)
    note("The list of what was shown can be saved again." if kept else "The mailbox answers again.")


def _left_out(message_id: str, error: MailError) -> None:
    note(f"The message {message_id} cannot be read and is left out until the next start: {error.message}")


class _Printer:
    """A printer of one line or object per message, flushed at once."""

    def __init__(self, view: OutputChoice) -> None:
        self._view = view
        self._console = console() if view.form == "card" else None
        self._begun = False

    def print_arrival(self, arrival: Arrival) -> None:
        """Print a new message."""
        now = utc_now()
        if self._console is not None:
            self._console.print(_line(arrival, now.astimezone()), soft_wrap=True)
            return
        row = watch_row(arrival, at=now.isoformat(timespec="milliseconds"))
        if self._view.form == "jsonl":
            write_jsonl([select_fields(row, self._view.fields)], flush=True)
        else:
            write_tsv(self._view.fields or WATCH_COLUMNS, [row], header=not self._begun)
            sys.stdout.flush()
        self._begun = True


def _line(arrival: Arrival, now: datetime) -> Text:
    """Return a line: `14:02 🔥 91  Ann Lee  Contract needs signing: she asks you to sign by Friday`."""
    email = arrival.email
    sender = " ".join(email["from"]["name"].split()) or email["from"]["address"] or "(no sender)"
    subject = " ".join(email["subject"].split()) or "(no subject)"
    text = Text(f"{now:%H:%M} ", style="bright_black")
    if arrival.understood is None:
        return text.append(f"{visible(sender)}  {visible(subject)}: {arrival.problem}", style="default")
    verdict = arrival.understood.verdict
    emoji, style = in_terminal(HEADINGS[verdict.bucket][0]), STYLES[verdict.bucket]
    text.append(f"{emoji} ")
    text.append(f" {badge(verdict.priority.score).strip()} ", style=badge_style(verdict.priority.score))
    text.append(f"  {visible(sender)}", style=style)
    text.append(f"  {visible(subject)}", style="bold")
    text.append(f": {visible(verdict.priority.reason)}", style="default")
    if found := warnings(verdict):
        text.append(f"  ⚠ {', '.join(found)}", style="bold red")
    return text
