"""Wrappers keep the whole mailbox contract, and refuse what they are there to refuse."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable, Coroutine, Sequence

import pytest

from gaia_email_registry.errors import BadArgument, NeedsApproval
from gaia_mail_mcp.calendar import NewCalendarEvent
from gaia_mail_mcp.mailbox import Capability, Mailbox
from gaia_mail_mcp.memory import Delivery, MemoryMailbox
from gaia_mail_mcp.memory.base import NO_VACATION
from gaia_mail_mcp.testing import MailboxContract, Seed, an_event, find, look, write_message
from gaia_mail_mcp.wrappers import Deferred, MailboxWrapper, NoPermanentDelete, NoSend, ReadOnly

ALL = frozenset(Capability)
LIST = (
    ("List-Unsubscribe", "<https://list.example/off>"),
    ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
)


class WrapperContract(MailboxContract):
    """The contract over a mailbox in memory inside a wrapper."""

    def wrap(self, inner: Mailbox) -> Mailbox:
        raise NotImplementedError

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        self.left: list[Delivery] = []
        self.inside = MemoryMailbox(self.account, deliver=self.left.append)
        for seed in seeds:
            self.inside.put(seed.raw, seed.labels)
        return self.wrap(self.inside)

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        self.inside.receive(seed.raw)

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return [delivery.raw for delivery in self.left]


class TestMailboxWrapper(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return MailboxWrapper(inner)


class TestReadOnly(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return ReadOnly(inner)


class TestNoSend(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return NoSend(inner)


class TestNoPermanentDelete(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return NoPermanentDelete(inner)


class TestDeferred(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return Deferred(
            lambda: inner, account=self.account, provider="memory", capabilities=inner.capabilities
        )


class TestAllOfThem(WrapperContract):
    def wrap(self, inner: Mailbox) -> Mailbox:
        return ReadOnly(NoSend(NoPermanentDelete(inner)))


class Inside:
    """A mailbox with a message, a draft, a label and a filter."""

    def __init__(self) -> None:
        self.left: list[Delivery] = []
        self.asked: list[str] = []
        self.mailbox = MemoryMailbox(deliver=self.left.append, on_unsubscribe=self.asked.append)
        self.message = self.mailbox.put(write_message(1, extra=LIST))

    async def prepare(self) -> None:
        raw = write_message(2, to="ann@example.com")
        self.mailbox.put_event(an_event("meeting", attendees=["me@example.org", "boss@example.net"]))
        self.draft = (await self.mailbox.create_draft(raw, None)).id
        self.label = (await self.mailbox.create_label("Garden", {}))["id"]
        self.filter = (await self.mailbox.create_filter({"from": "ann"}, {"addLabelIds": ["STARRED"]}))["id"]


def run(scenario: Callable[[Inside], Coroutine[None, None, None]]) -> Inside:
    inside = Inside()

    async def main() -> None:
        await inside.prepare()
        await scenario(inside)

    asyncio.run(main())
    return inside


TRIP = NewCalendarEvent(
    title="Trip",
    start=dt.date(2026, 3, 2),
    end=dt.date(2026, 3, 3),
    time_zone="UTC",
    attendees=("bo@example.net",),
)
Calls = dict[str, Callable[[MailboxWrapper, Inside], Awaitable[object]]]

SENDING: Calls = {
    "send": lambda mailbox, _: mailbox.send(write_message(3), None),
    "send_draft": lambda mailbox, inside: mailbox.send_draft(inside.draft),
    "unsubscribe": lambda mailbox, inside: mailbox.unsubscribe(inside.message),
    "create_filter": lambda mailbox, _: mailbox.create_filter({"from": "bo"}, {"forward": "bo@example.net"}),
    "set_vacation": lambda mailbox, _: mailbox.set_vacation({**NO_VACATION, "enabled": True, "body": "Away"}),
    "create_event": lambda mailbox, _: mailbox.create_event(TRIP),
    "respond": lambda mailbox, _: mailbox.respond("meeting", "accepted", comment=None, notify=True),
    "delete_event": lambda mailbox, _: mailbox.delete_event("meeting", notify=True),
}
CHANGING: Calls = {
    **SENDING,
    "create_label": lambda mailbox, _: mailbox.create_label("New", {}),
    "update_label": lambda mailbox, inside: mailbox.update_label(inside.label, "New", {}),
    "delete_label": lambda mailbox, inside: mailbox.delete_label(inside.label),
    "modify": lambda mailbox, inside: mailbox.modify([inside.message], add=["STARRED"], remove=[]),
    "trash": lambda mailbox, inside: mailbox.trash([inside.message]),
    "untrash": lambda mailbox, inside: mailbox.untrash([inside.message]),
    "delete": lambda mailbox, inside: mailbox.delete([inside.message]),
    "snooze": lambda mailbox, inside: mailbox.snooze([inside.message], "2999-01-01T00:00:00Z"),
    "create_draft": lambda mailbox, _: mailbox.create_draft(write_message(3), None),
    "update_draft": lambda mailbox, inside: mailbox.update_draft(inside.draft, write_message(3)),
    "delete_draft": lambda mailbox, inside: mailbox.delete_draft(inside.draft),
    "delete_filter": lambda mailbox, inside: mailbox.delete_filter(inside.filter),
    "report_phishing": lambda mailbox, inside: mailbox.report_phishing([inside.message]),
    "watch": lambda mailbox, _: mailbox.watch(),
    "unwatch": lambda mailbox, _: mailbox.unwatch(),
}


def check_refused(
    wrapper: Callable[[Mailbox], MailboxWrapper],
    call: Callable[[MailboxWrapper, Inside], Awaitable[object]],
) -> NeedsApproval:
    errors: list[NeedsApproval] = []

    async def scenario(inside: Inside) -> None:
        before = await look(inside.mailbox), await inside.mailbox.labels(), await inside.mailbox.filters()
        with pytest.raises(NeedsApproval) as caught:
            await call(wrapper(inside.mailbox), inside)
        errors.append(caught.value)
        after = await look(inside.mailbox), await inside.mailbox.labels(), await inside.mailbox.filters()
        assert after == before
        assert await inside.mailbox.vacation() == NO_VACATION
        assert inside.mailbox.watched_until is None and not inside.mailbox.notices
        assert (await inside.mailbox.event("meeting"))["response"] == "needsAction"

    inside = run(scenario)
    assert not inside.left
    assert not inside.asked
    assert not inside.mailbox.reported
    return errors[0]


@pytest.mark.parametrize("name", CHANGING)
def test_what_is_read_only_refuses_every_change_and_says_how_to_allow_it(name: str) -> None:
    error = check_refused(ReadOnly, CHANGING[name])
    assert "read-only" in error.message
    assert "--read-only" in (error.hint or "")


@pytest.mark.parametrize("name", SENDING)
def test_what_does_not_send_refuses_everything_that_leaves(name: str) -> None:
    assert "--no-send" in check_refused(NoSend, SENDING[name]).message


def test_what_does_not_delete_refuses_to() -> None:
    error = check_refused(NoPermanentDelete, CHANGING["delete"])
    assert "Trash" in error.message
    assert "--allow-permanent-delete" in (error.hint or "")


@pytest.mark.parametrize(
    ("wrapper", "missing"),
    [
        (MailboxWrapper, frozenset[Capability]()),
        (ReadOnly, ALL),
        (NoSend, frozenset({Capability.SEND, Capability.UNSUBSCRIBE})),
        (NoPermanentDelete, frozenset({Capability.DELETE})),
    ],
)
def test_what_is_refused_is_no_capability(
    wrapper: Callable[[Mailbox], MailboxWrapper], missing: frozenset[Capability]
) -> None:
    assert wrapper(MemoryMailbox()).capabilities == ALL - missing


def test_no_method_that_changes_something_is_forgotten() -> None:
    """A method added to the wrapper base has to be sorted into reading or changing here."""
    reading = {"search", "read", "thread", "attachment", "labels", "drafts", "filters"}
    reading |= {"calendar_zone", "events", "event", "invitation", "busy", "answering"}
    reading |= {
        "changes",
        "cursor",
        "wait",
        "status",
        "aclose",
        "account",
        "provider",
        "capabilities",
        "inner",
        "connect",
        "send_as",
        "vacation",
    }
    public = {name for name in vars(MailboxWrapper) if not name.startswith("_")}
    assert public - reading == set(CHANGING)
    assert set(CHANGING) <= set(vars(ReadOnly))


def test_what_is_deferred_is_opened_once_and_only_when_needed() -> None:
    opened: list[MemoryMailbox] = []

    def opener() -> Mailbox:
        opened.append(MemoryMailbox())
        return opened[0]

    async def scenario() -> None:
        mailbox = Deferred(opener, account="me@example.org", provider="memory", capabilities=ALL)
        assert (mailbox.account, mailbox.provider, mailbox.capabilities) == ("me@example.org", "memory", ALL)
        await mailbox.aclose()
        assert not opened
        await mailbox.labels()
        await mailbox.status()
        await mailbox.aclose()
        assert len(opened) == 1
        assert not (await opened[0].status()).connected

    asyncio.run(scenario())


def test_what_does_not_send_still_keeps_drafts_and_other_filters() -> None:
    async def scenario(inside: Inside) -> None:
        mailbox = NoSend(inside.mailbox)
        await mailbox.create_draft(write_message(3, to="ann@example.com"), None)
        await mailbox.create_filter({"from": "bo"}, {"removeLabelIds": ["INBOX"]})
        assert len(await mailbox.drafts(limit=9)) == 2
        assert len(await mailbox.filters()) == 2

    run(scenario)


def test_what_does_not_delete_still_uses_trash() -> None:
    async def scenario(inside: Inside) -> None:
        await NoPermanentDelete(inside.mailbox).trash([inside.message])
        assert await find(inside.mailbox, "in:trash") == [inside.message]

    run(scenario)


def test_a_wrapper_adds_nothing_to_what_a_mailbox_can_do() -> None:
    async def scenario(inside: Inside) -> None:
        bare = MemoryMailbox(capabilities=frozenset())
        with pytest.raises(BadArgument):
            await MailboxWrapper(bare).filters()
        with pytest.raises(BadArgument):
            await MailboxWrapper(bare).unsubscribe(inside.message)

    run(scenario)


def test_what_does_not_send_still_switches_an_automatic_answer_off() -> None:
    async def scenario(inside: Inside) -> None:
        mailbox = NoSend(inside.mailbox)
        await inside.mailbox.set_vacation({**NO_VACATION, "enabled": True, "body": "Away"})
        assert not (await mailbox.set_vacation({**NO_VACATION, "body": "Away"}))["enabled"]

    run(scenario)


def test_a_wrapper_adds_no_senders_vacation_or_reports() -> None:
    async def scenario(inside: Inside) -> None:
        bare = MailboxWrapper(MemoryMailbox(capabilities=frozenset()))
        for call in (bare.send_as, bare.vacation, lambda: bare.report_phishing([inside.message])):
            with pytest.raises(BadArgument):
                await call()

    run(scenario)
