"""`why` and `show`: look one message up, then print it as document, table or card. Entry: `print_found`."""

from __future__ import annotations

from typing import Literal

from gaia_email.faces.cli.documents import show_document, why_document
from gaia_email.faces.cli.options import Source, field_list
from gaia_email.faces.cli.output import chosen_format, select_fields, write_json, write_jsonl, write_tsv
from gaia_email.faces.cli.session import owner_of, with_mail
from gaia_email.mail import MailClient
from gaia_email.triage import Found, look_up
from gaia_email.understand import default_tier

WHY_COLUMNS = (
    "id",
    "bucket",
    "priority.score",
    "priority.reason",
    "confidence",
    "cohort",
    "from.address",
    "subject",
)
SHOW_COLUMNS = ("id", "bucket", "date", "from.address", "subject", "text.normalized")


def print_found(
    view: Literal["why", "show"],
    message_id: str,
    source: Source,
    *,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Look the message up in its source again and print it.

    Raises:
        MailError: There is no such message, or the source cannot be read.
    """
    from time import time

    now = time()

    async def run(mail: MailClient) -> Found:
        return await look_up(mail, default_tier(), message_id, now=now, owner=owner_of(source))

    found = with_mail(source, run, now=now)
    form = chosen_format(as_json, as_jsonl)
    if form == "card":
        from gaia_email.faces.cli import detail_card

        (detail_card.print_why if view == "why" else detail_card.print_show)(found, source)
        return
    document = why_document(found) if view == "why" else show_document(found)
    names = field_list(fields)
    if form == "json":
        write_json(select_fields(document, names))
    elif form == "jsonl":
        write_jsonl([select_fields(document, names)])
    else:
        write_tsv(names or (WHY_COLUMNS if view == "why" else SHOW_COLUMNS), [document])
