"""The contract of what works on mail by itself: filters, unsubscribing."""
# the names of tests are sentences

from __future__ import annotations

from gaia_email_registry.contract.wire import FilterAction, FilterCriteria
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_mail_mcp.mailbox import Capability, FilterStore, Mailbox, Unsubscriber
from tests.contract.suite.base import ContractBase, refusal
from tests.contract.suite.look import labels_of, only
from tests.contract.suite.seed import Seed, many, write_message

FROM_PAT: FilterCriteria = {"from": "pat@example.com"}


def _filters(mailbox: Mailbox) -> FilterStore:
    if not isinstance(mailbox, FilterStore):
        raise BadArgument("This mailbox has no filters.")
    return mailbox


class RulesContract(ContractBase):
    """`FilterStore`, `Unsubscriber`."""

    filtered_mark = "STARRED"
    """The mark that the tests have a filter put on messages; overridden where the provider's filters put no star."""

    @property
    def _marking(self) -> FilterAction:
        return {"addLabelIds": [self.filtered_mark], "removeLabelIds": ["INBOX"]}

    def test_a_filter_is_listed_until_it_is_deleted(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _filters(mailbox)
            made = await store.create_filter(FROM_PAT, self._marking)
            assert (made["criteria"], made["action"]) == (FROM_PAT, self._marking)
            assert await store.filters() == [made]
            assert await store.delete_filter(made["id"]) == made
            assert await store.filters() == []
            assert isinstance(await refusal(store.delete_filter(made["id"])), NotFound)

        self.run([], scenario, needs=Capability.FILTERS)

    def test_a_filter_is_applied_to_mail_that_arrives_and_to_no_other(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            old = await only(mailbox)
            await _filters(mailbox).create_filter(FROM_PAT, self._marking)
            if self.receives:
                await self.deliver(mailbox, Seed(raw=write_message(8)))
                await self.deliver(mailbox, Seed(raw=write_message(9, sender="ann@example.net")))
                marked = await only(mailbox, f"is:{self.filtered_mark.lower()}")
                assert await labels_of(mailbox, marked) == {self.filtered_mark, "UNREAD"}
                assert "INBOX" in await labels_of(mailbox, await only(mailbox, "from:ann@example.net"))
            assert await labels_of(mailbox, old) == {"INBOX", "UNREAD"}

        self.run(many(1), scenario, needs=Capability.FILTERS)

    def test_a_filter_without_criteria_or_action_is_refused(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            store = _filters(mailbox)
            await store.delete_filter((await store.create_filter(FROM_PAT, self._marking))["id"])
            assert isinstance(await refusal(store.create_filter({}, self._marking)), BadArgument)
            assert isinstance(await refusal(store.create_filter(FROM_PAT, {})), BadArgument)
            unknown: FilterAction = {"addLabelIds": ["No such label"]}
            assert isinstance(await refusal(store.create_filter(FROM_PAT, unknown)), BadArgument)
            assert await store.filters() == []

        self.run([], scenario, needs=Capability.FILTERS)

    def test_only_from_a_list_with_one_click_can_one_unsubscribe(self) -> None:
        async def scenario(mailbox: Mailbox) -> None:
            if not isinstance(mailbox, Unsubscriber):
                raise BadArgument("This mailbox cannot unsubscribe.")
            message = await only(mailbox)
            if Capability.UNSUBSCRIBE not in mailbox.capabilities:
                await mailbox.unsubscribe(message)
            assert isinstance(await refusal(mailbox.unsubscribe(message)), BadArgument)
            assert isinstance(await refusal(mailbox.unsubscribe("nothing")), NotFound)

        self.run(many(1), scenario, needs=Capability.UNSUBSCRIBE)
