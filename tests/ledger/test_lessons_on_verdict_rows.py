"""What was taught is put to kept verdicts: it voids none of them, and sorts mail as judging all of it would."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from gaia_email.app.sample.mailbox import SAMPLE_OWNER
from gaia_email.ledger import Ledger
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.owner_says import OneCorrection, OwnerSays
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage.inbox import FoundMessage, Inbox, look_up_all, triage
from gaia_understanding.cascade.bands import BANDS
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.model.owner import NOTICED, OwnerLesson, Owners
from gaia_understanding.cascade.verdict import BUCKETS, Context
from gaia_understanding.cascade.wording.lines import LIMIT
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import START
from tests.ledger.post import Direct
from tests.ledger.test_mail_copy import same, sample


def look(mail: MailReader, rules: UserRules | None = None, now: float = START) -> Inbox:
    return asyncio.run(triage(mail, BuiltinTier(), now=now, rules=rules))


@pytest.fixture(name="post")
def posted() -> MemoryMailbox:
    return sample()


def taught(founds: Sequence[FoundMessage], dice: random.Random, *, deeds: bool = True) -> UserRules:
    """The rules of an owner who said of these messages, by chance, where they belong, or did something with them."""
    lessons: list[OwnerLesson] = []
    said: list[OneCorrection] = []
    for number, found in enumerate(founds, start=1):
        known, summary = found.understood.verdict.teachable, found.summary
        assert known is not None
        bucket, noticed = dice.choice(BUCKETS), deeds and dice.random() < 0.3
        lessons.append(
            OwnerLesson(number=number, seen=known.seen, bucket=bucket, weight=NOTICED if noticed else 1.0)
        )
        if not noticed and dice.random() < 0.5:
            said.append(
                OneCorrection(
                    account=SAMPLE_OWNER,
                    message_id=summary["id"],
                    sender=summary["from"]["address"],
                    was=found.understood.verdict.bucket,
                    now=bucket,
                )
            )
    return UserRules(owners=Owners({SAMPLE_OWNER: lessons}), says=OwnerSays.of(said))


def founds_of(post: MemoryMailbox, ids: Sequence[str], now: float = START) -> list[FoundMessage]:
    return asyncio.run(look_up_all(Direct(post), BuiltinTier(), ids, now=now))


def test_after_a_correction_and_after_its_undo_nothing_is_judged_again(
    post: MemoryMailbox, ledger: Ledger, judged: list[Context]
) -> None:
    first = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    rules = taught(
        founds_of(post, [one.summary["id"] for one in first.judged[:6]]), random.Random(1), deeds=False
    )
    judged.clear()
    after = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), rules)
    undone = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    assert judged == []
    assert after.buckets != first.buckets
    same(undone, first)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_was_taught_kept_verdicts_sort_as_a_triage_that_judges_everything(
    post: MemoryMailbox, ledger: Ledger, judged: list[Context], seed: int
) -> None:
    dice = random.Random(seed)
    now = START + dice.choice((0, 3, 40)) * 86_400.0
    ids = [
        one.summary["id"]
        for one in look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), now=now).judged
    ]
    for _ in range(3):
        rules = taught(founds_of(post, dice.sample(ids, dice.randint(1, 12)), now), dice)
        judged.clear()
        kept = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), rules, now)
        assert judged == []
        same(kept, look(Direct(post), rules, now))
        shown = dice.sample(ids, 5)
        ledger_mail, tier = MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), BuiltinTier()
        looked_up = asyncio.run(look_up_all(ledger_mail, tier, shown, now=now, rules=rules))
        listed = {one.summary["id"]: one.verdict for one in kept.judged}
        for found in looked_up:  # `why` says what the listing says
            verdict = found.understood.verdict
            assert (
                replace(verdict, entities=listed[found.summary["id"]].entities) == listed[found.summary["id"]]
            )


@pytest.mark.parametrize("seed", range(6))
def test_a_moved_verdict_agrees_with_itself(post: MemoryMailbox, seed: int) -> None:
    """Its score lies in its bucket's band, its reason needs nobody where nobody is needed, and says why it moved."""
    dice = random.Random(100 + seed)
    plain = look(Direct(post))
    ids = [one.summary["id"] for one in plain.judged]
    lessons = taught(founds_of(post, dice.sample(ids, 15)), dice, deeds=False)
    moved = 0
    before = {one.summary["id"]: one.verdict for one in plain.judged}
    for one in look(Direct(post), replace(lessons, says=OwnerSays())).judged:
        verdict = one.verdict
        if verdict == before[one.summary["id"]]:
            continue
        moved += 1
        low, high = BANDS[verdict.bucket]
        assert low <= verdict.priority.score <= high
        because, _, said = verdict.priority.reason.rpartition(" like it: ")
        assert len(said) <= LIMIT
        assert because.startswith("Because you corrected ") or said.startswith("Looks like")
        assert [signal.name for signal in verdict.priority.signals].count("like_your_corrections") == 1
        if verdict.bucket == "low_priority":
            assert "needs you" not in verdict.priority.reason
            assert not verdict.needs_reply
        assert ("today" in verdict.priority.reason.rpartition("needs you")[2]) <= (verdict.bucket == "urgent")
    assert moved
