"""Past mail with its stored verdicts, for trying out a policy. Entry points: `past_mail`, `past_of_inbox`.

The ledger stores verdicts with their suspicions, and headers. Verdicts stored without suspicions, by older versions,
count as those of ordinary messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from email.utils import getaddresses
from typing import TYPE_CHECKING, Any

from gaia_email.ledger.policy_store import has_ledger
from gaia_email.policy.document import BUILT_IN
from gaia_email.policy.model import YES, MessageFacts, PolicyVerdict
from gaia_email.policy.reading import list_id
from gaia_email.triage.inbox import Inbox
from gaia_mail.exchanged import NOT_EXCHANGED
from gaia_understanding.cascade.verdict import BUCKETS, CATEGORIES, Bucket, Category, Cohort

if TYPE_CHECKING:
    from sqlalchemy import Connection

LATEST = 10_000
"""Number of messages a change is tried on, the most recently judged ones."""

_BUCKETS: Mapping[str, Bucket] = {bucket: bucket for bucket in BUCKETS}
_CATEGORIES: Mapping[str, Category] = {category: category for category in CATEGORIES}
_COHORTS: Mapping[str, Cohort] = {cohort: cohort for cohort in BUILT_IN}

Past = Iterator[tuple[MessageFacts, PolicyVerdict]]


def past_of_inbox(inbox: Inbox) -> Past:
    """Yield the threads of an inbox, each by the message that decides its bucket."""
    for items in inbox.buckets.values():
        for item in items:
            yield item.facts, PolicyVerdict.of(item.verdict, item.bucket)


def past_mail(environ: Mapping[str, str], *, limit: int = LATEST) -> Past:
    """Yield past mail from the user's ledger, newest verdict first; nothing if there is no ledger."""
    if not has_ledger(environ):
        return
    from gaia_email.ledger import open_ledger

    with open_ledger(environ=environ) as ledger, ledger.read() as tx:
        yield from _stored_mail(tx, limit)


def _stored_mail(tx: Connection, limit: int) -> Past:
    from sqlalchemy import and_, select

    from gaia_email.ledger.statements import from_lines
    from gaia_email.ledger.tables import MESSAGE_STATE, MESSAGES

    state, message = MESSAGE_STATE.c, MESSAGES.c
    query = (
        select(
            state.message_id,
            state.thread_id,
            state.bucket,
            state.content_category,
            state.cohort,
            state.confidence,
            state.phishing,
            state.injection,
            state.needs_reply,
            state.unsubscribe,
            state.forged,
            state.withheld,
            message.sender,
            message.sender_name,
            message.subject,
            message.labels,
            message.list_id,
            message.recipients,
        )
        .outerjoin_from(
            MESSAGE_STATE,
            MESSAGES,
            and_(state.account_id == message.account_id, state.message_id == message.message_id),
        )
        .order_by(state.processed_at.desc(), state.account_id, state.message_id)
        .limit(limit)
    )
    for row in map(dict, tx.execute(query).mappings()):
        if not NOT_EXCHANGED.isdisjoint(from_lines(row["labels"] or "")):
            continue
        judged = _judged(row)
        if judged is not None:
            yield _facts(row), judged


def _judged(row: Mapping[str, Any]) -> PolicyVerdict | None:
    """Return the stored verdict, or None if another version of the program used different names."""
    bucket, category = _BUCKETS.get(row["bucket"]), _CATEGORIES.get(row["content_category"])
    if bucket is None or category is None:
        return None
    from gaia_email.ledger.statements import from_lines

    cohort = _COHORTS.get(row["cohort"], "default")
    unsubscribe = row["unsubscribe"]
    return PolicyVerdict(
        bucket=bucket,
        category=category,
        cohort=cohort,
        withheld=tuple(_COHORTS[name] for name in from_lines(row["withheld"] or "") if name in _COHORTS),
        confidence=row["confidence"],
        needs_reply=bool(row["needs_reply"]),
        phishing=(row["phishing"] or 0.0) >= YES,
        injection=(row["injection"] or 0.0) >= YES,
        listed=cohort == "newsletters" if unsubscribe is None else unsubscribe != "no",
        one_click=unsubscribe == "one_click",
        forged=row["forged"] or "",
    )


def _facts(row: Mapping[str, Any]) -> MessageFacts:
    from gaia_email.ledger.text import from_json

    people = from_json(row["recipients"] or "{}")
    addressed = [text for name in ("to", "cc") if isinstance(text := people.get(name), str)]
    return MessageFacts(
        message_id=row["message_id"],
        thread_id=row["thread_id"],
        sender=(row["sender"] or "").lower(),
        sender_name=row["sender_name"] or "",
        recipients=tuple(address.lower() for _, address in getaddresses(addressed) if address),
        list_id=list_id(row["list_id"] or ""),
        subject=row["subject"] or "",
        labels=frozenset(label.casefold() for label in (row["labels"] or "").split("\n") if label),
    )
