"""`gaia email correct ID`: say what is right; recorded, and taken back with --retract."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gaia_email.cascade.verdict import BUCKETS, Bucket
from gaia_email.faces.cli.options import NamedSource, Source, field_list, output_options, source_options
from gaia_email.faces.cli.output import chosen_format, note, write_rows

if TYPE_CHECKING:
    from gaia_email.learn.corrections import Corrected

COLUMNS = ("id", "was", "bucket", "cohort", "retracted")


@click.command(name="correct")
@click.argument("message_id", metavar="ID")
@click.option("--bucket", type=click.Choice(BUCKETS), help="Where it belongs.")
@click.option("--retract", "take_back", is_flag=True, help="Take back what was last said about it.")
@source_options
@output_options
def command(
    message_id: str,
    bucket: Bucket | None,
    take_back: bool,
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Say that message ID (as a listing shows it) belongs in another bucket.

    It is recorded with the sender and what the rules saw in the message, without its words, and can be taken back. A
    step of a level that its cohort earned by approvals is taken back with it.
    """
    from gaia_email.faces.cli.naming import known_id, message_named
    from gaia_email.learn.corrections import retract
    from gaia_email.ledger import open_ledger

    if (bucket is None) == (not take_back):
        raise click.UsageError("Give --bucket, or --retract.")
    if bucket is None:
        found = known_id(message_id)
        with open_ledger() as ledger:
            done = retract(ledger, found.messages[0] if found and found.messages else message_id, actor="cli")
    else:
        message_id, source = message_named(message_id, named)
        done = _correct(message_id, bucket, source)
    said = done.correction
    row: dict[str, object] = {
        "schema_version": 1,
        "id": said.message_id,
        "account": said.account_id,
        "number": said.id,
        "retracted": take_back,
        "was": said.original.bucket,
        "bucket": said.corrected.bucket,
        "cohort": done.cohort,
    }
    form = chosen_format(as_json, as_jsonl)
    if form != "card":
        write_rows(row, [row], COLUMNS, form, field_list(fields))
    else:
        note(
            "taken back." if take_back else f"recorded: {said.corrected.bucket}, not {said.original.bucket}."
        )


def _correct(message_id: str, bucket: Bucket, source: Source) -> Corrected:
    from time import time

    from gaia_email.cascade.builtin_tier import BuiltinTier
    from gaia_email.faces.cli.session import owner_of, with_copy
    from gaia_email.learn.corrections import correct
    from gaia_email.ledger import open_ledger
    from gaia_email.mailbox.reader import MailReader
    from gaia_email.policy.owner_says import OwnerSays
    from gaia_email.policy_store import stored_rules
    from gaia_email.triage.inbox import Found, look_up

    now, tier = time(), BuiltinTier()
    rules = replace(stored_rules(), says=OwnerSays())  # what is recorded is what the rules said

    async def run(mail: MailReader) -> Found:
        return await look_up(mail, tier, message_id, now=now, owner=owner_of(source), rules=rules)

    found = with_copy(source, run, now=now)
    with open_ledger() as ledger:
        return correct(ledger, found, bucket, tier, actor="cli")
