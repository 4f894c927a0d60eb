"""`gaia email inbox`: every thread of the inbox in its bucket, with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.options import (
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)
from gaia_email.interfaces.cli.output import OutputFormat, chosen_format, note, write_rows
from gaia_email.interfaces.cli.times import since_epoch
from gaia_email_registry.clock import utc_now

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaia_email.app.documents.card import Card
    from gaia_email.app.documents.listing import InboxListing
    from gaia_email.policy.user_rules import UserRules
    from gaia_email.triage.inbox import Inbox

FEWEST, MOST = 3, 10
"""Minimum and maximum threads per bucket on a card, by the terminal's height, unless `--all` or `--limit` is given."""

TOLD = 5
"""Maximum unreadable files listed individually."""

THREAD_LINES, OTHER_LINES, OPEN_BUCKETS = 3, 18, 3


@click.command(name="inbox")
@source_options
@click.option("--since", metavar="7d|DATE", help="Only mail from then on.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="At most N threads a bucket.")
@click.option("--all", "show_all", is_flag=True, help="Every thread, low priority too.")
@click.option(
    "--explain-cost", is_flag=True, help="Print the cost of asking a language model to standard error."
)
@output_options
@pass_app
def command(
    app: App,
    named: NamedSource,
    since: str | None,
    limit: int | None,
    show_all: bool,
    explain_cost: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Your inbox in four buckets: urgent, needs you, worth knowing, low priority. Reads only.

    With several mailboxes connected it is one inbox over all of them; each row says whose it is.
    """
    form = chosen_format(as_json, as_jsonl, fields)
    view = InboxView(
        limit=limit, show_all=show_all, explain_cost=explain_cost, form=form, fields=field_list(fields)
    )
    show_inbox(app, named.resolve_all(app), view, since=since)


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxView:
    """The output of an inbox: at most `limit` threads per bucket, the format, and optionally the plan."""

    form: OutputFormat
    fields: list[str]
    limit: int | None = None
    show_all: bool = False
    explain_cost: bool = False
    with_plan: bool = False


def show_inbox(
    app: App, sources: Sequence[SourceSpec], view: InboxView, *, since: str | None = None, again: bool = False
) -> None:
    """Triage the mailboxes and print them as one; with `again`, ignore earlier undos.

    Raises:
        MailError: No mailbox can be read.
    """
    from dataclasses import replace

    from gaia_email.interfaces.cli.session import user_rules

    after = since_epoch(since, utc_now())
    rules = replace(user_rules(app), again=again)
    _show(app, sources, view, rules, after)


def _show(
    app: App, sources: Sequence[SourceSpec], view: InboxView, rules: UserRules, since: float | None
) -> None:
    """Show the first rows of each bucket as a card, or every thread."""
    from time import perf_counter

    from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox
    from gaia_email.interfaces.cli.session import progress

    found: list[Inbox] = []
    started, is_card = perf_counter(), view.form == "card"
    request = InboxRequest(
        rules=rules,
        now=app.clock(),
        since=since,
        older_stand=is_card and not view.show_all,
        only_recent=is_card and not view.show_all,
        progress=progress,
        tell=note,
        sorted_anew=found.append if view.explain_cost else None,
    )
    listing, whose = list_inbox(app, sources, request)
    _note(listing.problems, listing.taken_back, view)
    if listing.older:
        note(
            f"{listing.older:,} older messages stand as another version sorted them; "
            "gaia email retriage sorts them again."
        )
    if is_card:
        from gaia_email.app.documents.card import card_of

        card = card_of(listing, now=request.now, most=None if view.show_all else max(MOST, view.limit or 0))
        _print_card(app, card, whose, sources[0], view, perf_counter() - started)
    else:
        _write(listing, view, request.now)
    if found:
        from gaia_email.interfaces.cli.model_cost import cost_lines
        from gaia_email.triage.merging import merge_inboxes

        for line in cost_lines(merge_inboxes(found)):
            note(line)


def _note(problems: Sequence[str], taken_back: int, view: InboxView) -> None:
    for problem in problems[:TOLD]:
        note(problem)
    if view.with_plan and taken_back:
        note(f"{taken_back:,} of it you took back before; triage --again goes through that once more.")


def _print_card(
    app: App, card: Card, whose: Mapping[str, SourceSpec], first: SourceSpec, view: InboxView, seconds: float
) -> None:
    from gaia_email.app.services.offers import offers_to_archive
    from gaia_email.interfaces.cli.card import InboxCard
    from gaia_email.interfaces.cli.last_card import remember

    per_bucket = None if view.show_all else view.limit or _fitting()
    offers = offers_to_archive(app, whose)
    printed = InboxCard(card, first, seconds=seconds, per_bucket=per_bucket, offers=offers)
    printed.print(open_all=view.show_all, with_plan=view.with_plan)
    remember(app, [(whose[row.account], row.message_id) for row in printed.shown])


def _fitting() -> int:
    """Return the number of threads per bucket that fit on a card without scrolling."""
    lines = get_terminal_size().lines - OTHER_LINES
    return min(MOST, max(FEWEST, lines // (THREAD_LINES * OPEN_BUCKETS)))


def _write(listing: InboxListing, view: InboxView, now: float) -> None:
    from gaia_email.app.documents.listing import inbox_document
    from gaia_email.app.documents.mail import INBOX_COLUMNS, TRIAGE_COLUMNS, flat_rows

    rows = listing.documents(now=now, limit=view.limit, with_plan=view.with_plan)
    document = inbox_document(listing, rows)
    if not listing.total:
        note("The inbox is empty.")
    if document["shown"] != document["threads"]:
        note(f"showing {document['shown']:,} of {document['threads']:,} threads")
    columns = TRIAGE_COLUMNS if view.with_plan else INBOX_COLUMNS
    write_rows(document, flat_rows(rows), columns, view.form, view.fields)
