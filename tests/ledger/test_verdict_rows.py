"""A mailbox that was looked at before is sorted as one that was not, and its mail is not read again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from gaia_email.app.sample.mailbox import SAMPLE_OWNER, sample_messages
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.reader import MailReader
from gaia_email.policy.inbox_row import InboxVerdict
from gaia_email.policy.owner_says import OneCorrection, OwnerSays
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage import verdict_rows
from gaia_email.triage.inbox import Inbox, look_up, triage
from gaia_email.triage.surveying import LISTING
from gaia_email_registry.errors import ProviderError
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.understand import read_raw, understand
from gaia_understanding.cascade.verdict import Context, Tier, Verdict
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.prepare.model import Prepared
from tests.contract.memory import MemoryMailbox
from tests.ledger.conftest import START, Clock
from tests.ledger.post import ME, Direct, Shaky, letter
from tests.ledger.test_mail_copy import LABELS, same

DAY = 86_400.0
PEOPLE = (
    "Ann Lee <ann@example.com>",
    "Bob <bob@northwind-traders.example>",
    "Bob <bob@northw1nd-traders.example>",
    "Northwind-traders IT <it@elsewhere.example>",
    "Shop <noreply@shop.example>",
    "Cleo <cleo@gmail.com>",
)
BODIES = (
    "Could you send me the figures by Friday?",
    "Your invoice is due on 3 April. Please pay 120 EUR.",
    "Shall we meet tomorrow at 10:00?",
    "Thanks, got it.",
    "URGENT: your account will be closed today, verify your password at https://elsewhere.example/login",
    "We need your answer before 12 January.",
)


def look(mail: MailReader, *, rules: UserRules | None = None, now: float = START) -> Inbox:
    return asyncio.run(triage(mail, BuiltinTier(), now=now, rules=rules))


def sample() -> MemoryMailbox:
    made = MemoryMailbox(SAMPLE_OWNER)
    for message in sample_messages(datetime.fromtimestamp(START, UTC)):
        made.put(message.raw, LABELS[message.folder])
    return made


@pytest.fixture(name="post")
def posted() -> MemoryMailbox:
    return sample()


def test_a_second_look_judges_nothing_and_sorts_alike(
    post: MemoryMailbox, ledger: Ledger, judged: list[Context]
) -> None:
    first = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    assert len(judged) == len(first.judged) > 10
    judged.clear()
    second = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    assert judged == []
    same(second, first)
    same(second, look(Direct(post)))


def test_a_listed_message_is_looked_up_without_being_judged_again(
    post: MemoryMailbox, ledger: Ledger, judged: list[Context]
) -> None:
    first = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    judged.clear()
    for one in first.judged[:10]:
        mail, message_id = MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), one.summary["id"]
        found = asyncio.run(look_up(mail, BuiltinTier(), message_id, now=START, entities=False))
        assert judged == []
        whole = asyncio.run(look_up(mail, BuiltinTier(), message_id, now=START))
        assert len(judged) == 1, "whoever wants entities has it judged"
        judged.clear()
        steady = replace(whole.understood.verdict, entities=Entities())
        assert found.understood == replace(whole.understood, verdict=steady)
        assert (found.facts, found.decision) == (whole.facts, whole.decision)


def test_a_new_message_alone_is_judged(post: MemoryMailbox, ledger: Ledger, judged: list[Context]) -> None:
    look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    judged.clear()
    post.put(letter("Old news", "Hello.", sender="New <new@example.net>"), ["INBOX"])
    found = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    assert len(judged) == 1
    same(found, look(Direct(post)))


def test_a_reply_of_the_owner_has_its_thread_judged_again(ledger: Ledger, judged: list[Context]) -> None:
    post = MemoryMailbox(ME)
    asked = letter("Figures", BODIES[0])
    post.put(asked, ["INBOX"])
    for number in range(3):
        post.put(letter(f"Other {number}", "Thanks.", date="Mon, 02 Mar 2026 10:00:00 +0000"), ["INBOX"])
    before = look(MailCopy(Direct(post), ledger, account=ME))
    judged.clear()
    answer = letter(
        "Re: Figures",
        "Here they are.",
        sender=ME,
        to="ann@example.com",
        date="Tue, 03 Mar 2026 12:00:00 +0000",
        more=[("In-Reply-To", f"<{asked.partition(b'Message-ID: <')[2].partition(b'>')[0].decode()}>")],
    )
    post.put(answer, ["SENT"])
    after = look(MailCopy(Direct(post), ledger, account=ME))
    assert [one.answered for one in judged if one.answered] == [True]
    same(after, look(Direct(post)))
    assert after.buckets != before.buckets


def test_a_vip_and_a_correction_take_effect_at_once(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    ids = [post.put(letter(f"S{n}", "Thanks, got it."), ["INBOX"]) for n in range(3)]
    plain = look(MailCopy(Direct(post), ledger, account=ME))
    was = plain.judged[0].verdict.bucket
    said = OneCorrection(account=ME, message_id=ids[0], sender="", was=was, now="urgent")
    rules = UserRules(says=OwnerSays.of([said]))
    found = look(MailCopy(Direct(post), ledger, account=ME), rules=rules)
    assert [one.summary["id"] for one in found.buckets["urgent"]] == [ids[0]]
    same(found, look(Direct(post), rules=rules))
    same(look(MailCopy(Direct(post), ledger, account=ME)), plain)


def test_another_build_of_the_program_judges_anew(
    post: MemoryMailbox, ledger: Ledger, judged: list[Context], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    judged.clear()
    monkeypatch.setattr(verdict_rows, "fingerprint", lambda: "another")
    look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    assert len(judged) == len(first.judged)


def test_another_tier_judges_anew(post: MemoryMailbox, ledger: Ledger, judged: list[Context]) -> None:
    first = look(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER))
    for tier in (BuiltinTier(model=False), BuiltinTier(trusted_servers=frozenset(("mx.example.com",)))):
        judged.clear()
        asyncio.run(triage(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), tier, now=START))
        assert len(judged) == len(first.judged)


def test_a_tier_that_cannot_be_told_from_another_keeps_nothing(post: MemoryMailbox, ledger: Ledger) -> None:
    class Unknown:
        name = "T1"
        times = 0

        def judge(self, prepared: Prepared, context: Context) -> Verdict:
            self.times += 1
            return BuiltinTier().judge(prepared, context)

    tier = Unknown()
    checked: Tier = tier
    looks = [
        asyncio.run(triage(MailCopy(Direct(post), ledger, account=SAMPLE_OWNER), checked, now=START))
        for _ in range(2)
    ]
    assert tier.times == sum(len(one.judged) for one in looks) > 20


def test_what_is_kept_goes_with_its_message(ledger: Ledger) -> None:
    post = MemoryMailbox(ME)
    ids = [post.put(letter(f"S{n}", "Thanks."), ["INBOX"]) for n in range(3)]
    look(MailCopy(Direct(post), ledger, account=ME))
    asyncio.run(post.delete(ids[:1]))
    look(MailCopy(Direct(post), ledger, account=ME))
    with ledger.read() as tx:
        assert set(ledger.cache.rows.verdicts(tx, ME, ids)) == set(ids[1:])
        assert tx.exec_driver_sql("SELECT count(*) FROM inbox_verdicts").scalar_one() == 2
    ledger.purge("mail")
    with ledger.read() as tx:
        assert tx.exec_driver_sql("SELECT count(*) FROM inbox_verdicts").scalar_one() == 0


@pytest.mark.parametrize("value", [b"", b"\x90", b"\xc0", b"\x81\xa1a\x01", bytes((0x99, *range(9)))])
def test_what_is_kept_in_another_form_is_judged_again(ledger: Ledger, value: bytes) -> None:
    post = MemoryMailbox(ME)
    (id_,) = [post.put(letter("S", "Thanks."), ["INBOX"])]
    look(MailCopy(Direct(post), ledger, account=ME))
    with ledger.write() as tx:
        found = ledger.cache.rows.verdicts(tx, ME, [id_])[id_]
        ledger.cache.rows.store_verdicts(tx, ME, [replace(found, value=value)])
    same(look(MailCopy(Direct(post), ledger, account=ME)), look(Direct(post)))


def test_a_verdict_is_kept_whole_but_for_entities(post: MemoryMailbox) -> None:
    ids = [summary["id"] for summary in asyncio.run(Direct(post).list_emails(limit=500))["emails"]]
    for email in asyncio.run(Direct(post).read_emails(ids))["emails"]:
        context = Context(owner=frozenset((SAMPLE_OWNER,)), age_s=DAY)
        verdict = understand(read_raw(email), context, BuiltinTier()).verdict
        judged = verdict_rows.Judgement(
            verdict=verdict, sender=("a@b.example", "A"), list_id="l", headers={"x": "y"}, content_hash="h"
        )
        back = verdict_rows.judgement_in(verdict_rows.row_of("m", judged, DAY, "v", "b"))
        assert back.verdict == replace(verdict, entities=Entities())
        assert (back.sender, back.list_id, back.headers) == (judged.sender, "l", {"x": "y"})
        assert back.verdict.steady == verdict.steady
        assert back.verdict.teachable == verdict.teachable
        assert verdict.teachable is not None


def test_between_the_ages_it_names_a_verdict_stays_the_same_and_at_them_it_need_not() -> None:
    changes = 0
    for body in BODIES:
        for zone in ("+0000", "-0900", "+1345"):
            raw = letter("Plan", body, date=f"Fri, 27 Dec 2024 21:17:05 {zone}")
            message = read_raw({"raw": "", "size": len(raw)}, raw)  # type: ignore[typeddict-item]

            def at(age: float, message: object = message) -> Verdict:
                return understand(message, Context(age_s=age), BuiltinTier()).verdict  # type: ignore[arg-type]

            age = 1.0
            while age < 900 * DAY:
                now = at(age)
                after, until = now.steady
                assert after <= age <= until
                for other in (after + 1, age + 1, (age + min(until, 900 * DAY)) / 2, until - 1):
                    if after < other < until:
                        assert at(other) == now
                age = until + 1
                changes += at(age) != now
    assert changes > 10


@dataclass(slots=True)
class World:
    """A mailbox to which things happen, what its owner said, and what time it is."""

    chance: random.Random
    post: MemoryMailbox = field(default_factory=lambda: MemoryMailbox(ME))
    rules: UserRules = field(default_factory=UserRules)
    said: list[OneCorrection] = field(default_factory=list[OneCorrection])
    live: list[str] = field(default_factory=list[str])
    clock: datetime = datetime(2025, 12, 22, 9, 0, tzinfo=UTC)
    number: int = 0

    def happen(self) -> None:
        """One thing, by chance."""
        self.clock += timedelta(hours=self.chance.choice((0, 1, 7, 30, 24 * 8, 24 * 100)))
        getattr(self, self.chance.choice(("mail", "mail", "mail", "write", "spam", "leave", "say", "vip")))()

    def mail(self) -> None:
        """Somebody writes."""
        self._put(self.chance.choice(PEOPLE), ME, ["INBOX"])

    def write(self) -> None:
        """The owner writes to somebody, perhaps in a thread."""
        self._put(ME, self.chance.choice(PEOPLE), ["SENT"])

    def spam(self) -> None:
        """A message is taken for spam, and its sender is met less."""
        asyncio.run(self.post.modify(self._one(), add=["SPAM"], remove=["INBOX"]))

    def leave(self) -> None:
        """A message is deleted."""
        chosen = self._one()
        asyncio.run(self.post.delete(chosen))
        self.live = [id_ for id_ in self.live if id_ not in chosen]

    def say(self) -> None:
        """The owner says where a message belongs."""
        for id_ in self._one():
            found = {one.summary["id"]: one for one in look(Direct(self.post)).judged}.get(id_)
            if found is not None:
                bucket = self.chance.choice(("urgent", "low_priority"))
                sender = found.summary["from"]["address"]
                said = OneCorrection(
                    account=ME, message_id=id_, sender=sender, was=found.verdict.bucket, now=bucket
                )
                self.said.append(said)
                self.rules = replace(self.rules, says=OwnerSays.of(self.said))

    def vip(self) -> None:
        """The owner names a sender a VIP."""
        policy = self.rules.policy.with_vip("bob@northwind-traders.example")
        self.rules = replace(self.rules, policy=policy)

    def _put(self, sender: str, to: str, labels: list[str]) -> None:
        self.number += 1
        about = self.chance.choice(("Figures", "Plan", f"S{self.number}"))
        subject = f"Re: {about}" if self.chance.random() < 0.5 else about
        raw = letter(
            subject,
            self.chance.choice(BODIES),
            sender=sender,
            to=to,
            date=format_datetime(self.clock),
        )
        self.live.append(self.post.put(raw, labels))

    def _one(self) -> list[str]:
        return [self.chance.choice(self.live)] if self.live else []


@pytest.fixture(scope="module", name="empty")
def empty_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    url = f"sqlite:///{tmp_path_factory.mktemp('kept') / 'ledger.db'}"
    with open_ledger(url=url, clock=Clock()) as opened:
        yield opened


@pytest.mark.parametrize("seed", range(12))
def test_whatever_happens_kept_verdicts_sort_as_fresh_ones(empty: Ledger, seed: int) -> None:
    with empty.write() as tx:
        empty.cache.clear(tx)
    world = World(random.Random(seed))
    for _ in range(25):
        world.happen()
        now = world.clock.timestamp()
        same(
            look(MailCopy(Direct(world.post), empty, account=ME), rules=world.rules, now=now),
            look(Direct(world.post), rules=world.rules, now=now),
        )


def test_a_verdict_holds_at_its_age_and_between_its_bounds_alone() -> None:
    one = InboxVerdict(message_id="m", version="v", basis="b", age=10.0, after=5.0, until=20.0, value=b"")
    assert [one.holds("b", age) for age in (5.0, 5.1, 10.0, 19.9, 20.0)] == [False, True, True, True, False]
    assert not one.holds("c", 10.0)
    assert replace(one, age=0.0, after=0.0, until=0.0).holds("b", 0.0)


def test_progress_is_told_from_the_first_listing_on_and_of_nothing_where_nothing_is_new(
    ledger: Ledger,
) -> None:
    post = MemoryMailbox(ME)
    for number in range(3):
        post.put(letter(f"S{number}", "Thanks."), ["INBOX"])

    def told(mail: MailReader) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        asyncio.run(
            triage(mail, BuiltinTier(), now=START, progress=lambda done, total: found.append((done, total)))
        )
        return found

    done = [(0, 0), (3, 3), (3, 3)]
    assert told(MailCopy(Direct(post), ledger, account=ME)) == [(0, LISTING), (3, LISTING), *done]
    assert told(MailCopy(Direct(post), ledger, account=ME)) == [(0, 0), (0, 0)]
    assert told(Direct(post)) == [(0, LISTING), *done]


def test_a_listing_that_fails_ends_its_progress(ledger: Ledger) -> None:
    found: list[tuple[int, int]] = []
    mail = MailCopy(Shaky(Direct(MemoryMailbox(ME)), [ProviderError("gone")]), ledger, account=ME)
    with pytest.raises(ProviderError):
        asyncio.run(
            triage(mail, BuiltinTier(), now=START, progress=lambda done, total: found.append((done, total)))
        )
    assert found == [(0, LISTING), (0, 0)]
