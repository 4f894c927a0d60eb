"""Corrections of verdicts, and their retraction. Entries: `correct_message`, `retract_correction`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.services.names import known_id
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.ledger.policy_store import stored_rules
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.triage.inbox import look_up
from gaia_email.triage.learn.behaviour import notice
from gaia_email.triage.learn.corrections import RecordedCorrection, correct, retract
from gaia_email.triage.learn.owner_actions import LEFT_ALONE
from gaia_email_registry.errors import MailError

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.mailbox.reader import MailReader
    from gaia_understanding.cascade.verdict import Bucket


def correct_message(
    app: App, source: SourceSpec, message_id: str, bucket: Bucket, *, actor: str
) -> RecordedCorrection:
    """Record the right bucket of a message, together with the verdict of the rules alone.

    Messages that the owner read and left alone are recorded as well, since they limit what is learned.

    Raises:
        MailError: The message does not exist, or the mailbox or the ledger cannot be used.
    """
    now, rules, owner = app.clock(), stored_rules(environ=app.environ), owner_of(app, source)
    tier = app.tier()
    untold = replace(rules, says=OwnerSays())

    async def look(mail: MailReader) -> RecordedCorrection:
        found = await look_up(mail, tier, message_id, now=now, owner=owner, rules=untold)
        with app.ledger() as ledger:
            corrected = correct(ledger, found, bucket, actor=actor)
            with suppress(MailError):  # the next correction or triage does it
                await notice(
                    ledger,
                    mail,
                    app.tier(),
                    rules,
                    owner=owner,
                    now=now,
                    actions=LEFT_ALONE,
                )
        return corrected

    return with_copy(app, source, look, now=now)


def retract_correction(app: App, given: str, *, actor: str) -> RecordedCorrection:
    """Retract the latest correction of the message that an id names.

    Raises:
        NotFound: It has no correction.
        MailError: The ledger cannot be used.
    """
    found = known_id(app, given)
    message_id = found.messages[0] if found and found.messages else given
    with app.ledger() as ledger:
        return retract(ledger, message_id, actor=actor)
