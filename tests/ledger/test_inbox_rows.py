"""Whatever happens to mail, to what its owner says and to the program, the rows of the inbox are as if made anew."""

from __future__ import annotations

import asyncio
import os
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.documents.card import card_of
from gaia_email.app.documents.listing import InboxListing, InboxPart
from gaia_email.app.services import inbox_rows
from gaia_email.app.services.inbox_rows import InboxRequest, RowsOfInbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.ledger import Ledger
from gaia_email.ledger.inbox_rows import InboxRows
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.policy.inbox_row import NewInboxThread
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.policy.user_rules import UserRules
from gaia_email.triage import verdict_rows
from gaia_email.triage.inbox import Inbox, triage
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.errors import ProviderError
from gaia_understanding.cascade.model.owner import Owners
from tests.contract.memory import MemoryMailbox
from tests.ledger.post import ME, Direct
from tests.ledger.test_lessons_on_verdict_rows import founds_of, taught
from tests.ledger.test_verdict_rows import World, sample

FILES = SourceSpec(kind="maildir", path="/mail", user=())


@pytest.fixture(name="ledger")
def own_ledger() -> Iterator[Ledger]:
    with App().ledger() as opened:
        yield opened


def by_rows(
    post: MemoryMailbox, ledger: Ledger, rules: UserRules, now: float, *, only_recent: bool = False
) -> InboxListing:
    async def listed() -> InboxPart:
        mail = MailCopy(Direct(post), ledger, account=post.account)
        await mail.refresh()
        request = InboxRequest(rules=rules, now=now, only_recent=only_recent)
        return await RowsOfInbox(app=App(), mail=mail, source=FILES, request=request).part()

    return InboxListing.of([asyncio.run(listed())])


def made_anew(post: MemoryMailbox, rules: UserRules, now: float) -> InboxListing:
    found = triage(Direct(post), default_tier(environ=os.environ), now=now, rules=rules)
    return InboxListing.of([InboxPart.of(asyncio.run(found))])


def shown(listing: InboxListing, now: float) -> tuple[object, ...]:
    return card_of(listing, now=now, most=None), listing.documents(now=now, with_plan=True)


class LivelyWorld(World):
    """One in which mail is read, too."""

    def happen(self) -> None:
        """One thing, by chance."""
        super().happen()
        if self.chance.random() < 0.3 and self.live:
            asyncio.run(self.post.modify(self._one(), add=[], remove=["UNREAD"]))


@pytest.fixture(name="crash")
def failing(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether rows are not to be kept, as on a disk that is full, the next times."""
    times: list[bool] = []
    keep = InboxRows.keep

    def perhaps(self: InboxRows, *arguments: Any, **named: Any) -> None:
        keep(self, *arguments, **named)
        if times and times.pop():
            raise ProviderError("The disk is full.")

    monkeypatch.setattr(InboxRows, "keep", perhaps)
    return times


@pytest.mark.parametrize("seed", range(10))
def test_whatever_happens_the_rows_are_as_if_made_anew(
    ledger: Ledger, seed: int, crash: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = LivelyWorld(random.Random(seed))
    for step in range(25):
        world.happen()
        chance = world.chance.random()
        if chance < 0.1:
            crash.append(True)
        elif chance < 0.2:
            build = f"{step}"

            def fingerprint(packages: tuple[str, ...] = (), build: str = build) -> str:
                return build

            for module in (verdict_rows, inbox_rows):
                monkeypatch.setattr(module, "fingerprint", fingerprint)
        elif chance < 0.3 and world.live:
            id_ = world.chance.choice(world.live)
            world.rules = replace(world.rules, taken_back=world.rules.taken_back ^ {(ME, id_)})
        elif chance < 0.4:
            world.said = world.said[1:]
            world.rules = replace(world.rules, says=OwnerSays.of(world.said))
        if world.chance.random() < 0.3:
            continue  # several things between two looks
        now = world.clock.timestamp()
        anew = made_anew(world.post, world.rules, now)
        for _ in range(2):
            assert shown(by_rows(world.post, ledger, world.rules, now), now) == shown(anew, now)
        recent = by_rows(world.post, ledger, world.rules, now, only_recent=True)
        assert card_of(recent, now=now, most=10) == card_of(anew, now=now, most=10)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_taught_the_rows_are_as_if_made_anew(ledger: Ledger, seed: int) -> None:
    dice, post = random.Random(seed), sample()
    now = 1_780_000_000.0
    plain = made_anew(post, UserRules(), now)
    by_rows(post, ledger, UserRules(), now)
    ids = [row.message_id for row in plain.rows]
    for _ in range(4):
        rules = taught(founds_of(post, dice.sample(ids, dice.randint(1, 12)), now), dice)
        if dice.random() < 0.3:
            rules = replace(rules, owners=Owners({}))
        assert shown(by_rows(post, ledger, rules, now), now) == shown(made_anew(post, rules, now), now)
    assert shown(by_rows(post, ledger, UserRules(), now), now) == shown(plain, now)


def test_of_two_who_look_at_once_the_slower_replaces_no_newer_rows(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(random.Random(3))
    for _ in range(12):
        world.mail()
    now = world.clock.timestamp()
    by_rows(world.post, ledger, world.rules, now)
    real, overtaken = inbox_rows.new_threads, list[bool]()

    def overtake(inbox: Inbox) -> list[NewInboxThread]:
        """Whoever is about to keep rows is too late: more mail came, and somebody else has seen to it."""
        if not overtaken:
            overtaken.append(True)
            world.mail()
            other = threading.Thread(target=by_rows, args=(world.post, ledger, world.rules, now))
            other.start()
            other.join()
        return real(inbox)

    world.mail()
    monkeypatch.setattr(inbox_rows, "new_threads", overtake)
    by_rows(world.post, ledger, world.rules, now)
    assert overtaken
    found, expected = (
        by_rows(world.post, ledger, world.rules, now),
        made_anew(world.post, world.rules, now),
    )
    assert found.total == 14
    assert shown(found, now) == shown(expected, now)
