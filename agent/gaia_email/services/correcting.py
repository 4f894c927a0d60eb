"""The user says which bucket a message belongs in. Entry point: `correct_message`."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from time import time

from gaia_email.cascade.builtin_tier import BuiltinTier
from gaia_email.cascade.verdict import Bucket
from gaia_email.learn.corrections import Corrected, correct
from gaia_email.ledger import open_ledger
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy_store import stored_rules
from gaia_email.services.mail_source import MailSource
from gaia_email.triage.inbox import Found, look_up


def correct_message(source: MailSource, message_id: str, bucket: Bucket, *, actor: str) -> Corrected:
    """Record it.

    Raises:
        NotFound: No message, or more than one, has that id.
        MailError: The mailbox cannot be read, or the ledger not be written.
    """
    tier = BuiltinTier()
    rules = replace(stored_rules(), says=OwnerSays())  # what is recorded is what the rules said

    async def main() -> Found:
        async with source.reading() as mail:
            return await look_up(mail, tier, message_id, now=time(), owner=source.owner, rules=rules)

    found = asyncio.run(main())
    with open_ledger() as ledger:
        return correct(ledger, found, bucket, tier, actor=actor)
