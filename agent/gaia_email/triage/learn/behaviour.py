"""Learn from the owner's actions on mail, as the mailbox shows them. Entry: `notice`.

An action is weaker evidence than a correction: it counts a fifth of one, moves mail only together with a similar
action, and never to urgent (`cascade/model/owner.py`). Mail that was read and left alone moves nothing; it limits the
effect of other lessons. The agent's own actions are ignored, and suspicious mail teaches nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_email.ledger import Ledger, NewCorrection, NewLedgerEvent, Selection, VerdictFields
from gaia_email.ledger.policy_store import NOT_SAID
from gaia_email.mailbox.contact_graph import parse_date
from gaia_email.mailbox.reader import ANYWHERE
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.triage.inbox import look_up_all
from gaia_email.triage.learn.owner_actions import (
    BACK_S,
    WORDS,
    HandledMessage,
    OwnerAction,
    infer_bucket,
    owner_actions_in,
)
from gaia_email.triage.learn.teach import suspicious
from gaia_email_registry.accounts import addresses_in
from gaia_understanding.cascade.model.owner import seen_to_json

if TYPE_CHECKING:
    from gaia_email.mailbox.reader import MailReader
    from gaia_email.policy.user_rules import UserRules
    from gaia_email_registry.contract.wire import Summary
    from gaia_understanding.cascade.verdict import Tier, Verdict

MOST_AT_A_TIME = 40
_PAGE = 500


async def notice(
    ledger: Ledger,
    mail: MailReader,
    tier: Tier,
    rules: UserRules,
    *,
    owner: Sequence[str] = (),
    now: float,
    actions: Collection[OwnerAction] = tuple(WORDS),
) -> int:
    """Record the owner's actions since the last call as lessons, and return how many.

    Only the given `actions` count; none if the user switched learning from behaviour off. Left out are messages that
    were corrected, whose lesson was undone, or on which the agent acted. Verdicts from a listing are reused.
    """
    if not rules.policy.behaviour:
        return 0
    account = (await mail.status())["account"]
    own = {address.lower() for address in (owner or addresses_in(account))}
    with ledger.read() as tx:
        known = {
            one.message_id for one in ledger.corrections.since(tx, account_id=account, retracted=True)
        } | {one.message_id for one in ledger.actions.select(tx, Selection(account_id=account))}
    seen = owner_actions_in(await _recent(mail, now), own, now)
    new = [one for one in seen if one.action in actions and one.summary["id"] not in known][:MOST_AT_A_TIME]
    if not new:
        return 0
    ids = [one.summary["id"] for one in new]
    untaught = replace(rules, says=OwnerSays(), owners=None)
    founds = await look_up_all(mail, tier, ids, now=now, owner=owner, rules=untaught, entities=False)
    kept = 0
    for one, found in zip(new, founds, strict=True):
        verdict = found.understood.verdict
        if found.context.answered:  # as it was before the answer
            verdict = tier.judge(found.understood.prepared, replace(found.context, answered=False))
        if one.action == "read" and rules.correct(one.summary, verdict).bucket != verdict.bucket:
            continue  # lessons moved it, so leaving it alone is not evidence for its bucket without them
        kept += _keep(ledger, one, verdict)
    return kept


async def _recent(mail: MailReader, now: float) -> list[Summary]:
    found: list[Summary] = []
    cursor: str | None = None
    while True:
        page = await mail.list_emails(query=ANYWHERE, limit=_PAGE, cursor=cursor)
        new = [one for one in page["emails"] if (parse_date(one["date"]) or 0.0) >= now - BACK_S]
        found += new
        cursor = page.get("next_cursor")
        if not cursor or not new:
            return found


def _keep(ledger: Ledger, done: HandledMessage, verdict: Verdict) -> bool:
    """Record the lesson; return False if there is nothing to learn."""
    bucket, teachable = infer_bucket(done.action, verdict.bucket), verdict.teachable
    if bucket is None or teachable is None or suspicious(verdict):
        return False
    account, message = done.summary["account"], done.summary["id"]
    new = NewCorrection(
        account_id=account,
        message_id=message,
        original=VerdictFields(bucket=verdict.bucket),
        corrected=VerdictFields(bucket=bucket),
        source=NOT_SAID,
        sender=done.summary["from"]["address"].lower(),
        features={"seen": seen_to_json(teachable.seen), "deed": done.action},
    )
    with ledger.write() as tx:
        number = ledger.corrections.record(tx, new)
        payload = {"number": number, "deed": done.action, "bucket": bucket, "was": verdict.bucket}
        event = NewLedgerEvent(
            kind="behaviour.noticed", actor="agent", account_id=account, message_id=message, payload=payload
        )
        ledger.events.append(tx, event)
    return True
