"""`gaia email inbox`: every thread of the inbox in its bucket, with a reason."""

from __future__ import annotations

import click

from gaia_email.faces.cli.options import (
    Source,
    chosen_source,
    field_list,
    output_options,
    since_epoch,
    source_options,
)
from gaia_email.faces.cli.output import chosen_format, select_fields, write_json, write_jsonl, write_tsv

PER_BUCKET = 10
"""Threads a bucket on a card, unless `--all` or `--limit` says otherwise; the card names the rest."""


@click.command(name="inbox")
@source_options
@click.option("--since", metavar="7d|DATE", help="Only mail from then on.")
@click.option("--limit", metavar="N", type=click.IntRange(min=1), help="At most N threads a bucket.")
@click.option("--all", "show_all", is_flag=True, help="Every thread, low priority too.")
@output_options
def command(
    maildir: str | None,
    mbox: str | None,
    eml: str | None,
    demo: bool,
    user: tuple[str, ...],
    since: str | None,
    limit: int | None,
    show_all: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Your inbox in four buckets: urgent, needs you, worth knowing, low priority. Reads only."""
    source = chosen_source(maildir, mbox, eml, demo, user)
    show_inbox(
        source,
        since=since,
        limit=limit,
        show_all=show_all,
        as_json=as_json,
        as_jsonl=as_jsonl,
        fields=fields,
        with_plan=False,
    )


def show_inbox(
    source: Source,
    *,
    since: str | None,
    limit: int | None,
    show_all: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
    with_plan: bool,
) -> None:
    """Triage the source and print it in the form asked for; `with_plan` adds what would be done."""
    from datetime import UTC, datetime
    from time import perf_counter

    from gaia_email.faces.cli.documents import INBOX_COLUMNS, TRIAGE_COLUMNS, flat_rows, inbox_document
    from gaia_email.faces.cli.session import owner_of, progress, with_mail
    from gaia_email.mail import MailClient
    from gaia_email.triage import Inbox, triage
    from gaia_email.understand import default_tier

    now = datetime.now(UTC)
    after = since_epoch(since, now)
    started = perf_counter()

    async def run(mail: MailClient) -> Inbox:
        return await triage(
            mail,
            default_tier(),
            now=now.timestamp(),
            owner=owner_of(source),
            since=after,
            progress=progress,
        )

    inbox = with_mail(source, run, now=now.timestamp())
    form = chosen_format(as_json, as_jsonl)
    if form == "card":
        from gaia_email.faces.cli.card import InboxCard

        per_bucket = None if show_all else limit or PER_BUCKET
        card = InboxCard(inbox, source, seconds=perf_counter() - started, per_bucket=per_bucket)
        card.print(open_all=show_all, with_plan=with_plan)
        return
    document = inbox_document(inbox, limit=limit, with_plan=with_plan)
    names = field_list(fields)
    if form == "json":
        write_json(select_fields(document, names))
    elif form == "jsonl":
        write_jsonl(select_fields(row, names) for row in flat_rows(document))
    else:
        write_tsv(names or (TRIAGE_COLUMNS if with_plan else INBOX_COLUMNS), flat_rows(document))
