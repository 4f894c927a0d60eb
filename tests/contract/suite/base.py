"""The base of the contract suite: how a subclass makes its mailbox, and how tests run on it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from gaia_email_registry.errors import MailError
from gaia_mail_mcp.mailbox import Capability, Mailbox
from tests.contract.suite.seed import Seed

LIMIT_S = 20.0
"""No contract test may take longer; a hung wait fails instead of hanging the run."""

Scenario = Callable[[Mailbox], Awaitable[None]]
"""What a test does with an open mailbox."""


class ContractBase(ABC):
    """Subclass `MailboxContract`, not this, and give it `open_mailbox`; the others where they apply.

    A test of something the mailbox does not declare as a capability runs all the same: then it must be
    refused with a `MailError`, and nothing may have changed. Each test opens its own mailbox and closes it.
    """

    account: ClassVar[str] = "me@example.org"
    """What the mailbox made by `open_mailbox` must say its account is."""

    receives: ClassVar[bool] = True
    """Whether `deliver` can make a message arrive while the mailbox is open."""

    blank: ClassVar[tuple[str, ...]] = ("",)
    """A text of nothing; none where it counts as not given, as in a call of a tool."""

    @abstractmethod
    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        """A fresh mailbox holding `seeds`, which arrived in that order."""

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        """Make one more message arrive in the open mailbox, as if another program had brought it."""
        raise NotImplementedError

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        """What has left the mailbox by sending, oldest first; for mailboxes with `Capability.SEND`."""
        raise NotImplementedError

    def run(self, seeds: Sequence[Seed], scenario: Scenario, *, needs: Capability | None = None) -> None:
        """Open a mailbox with `seeds`, run `scenario` on it within `LIMIT_S`, close it.

        Args:
            seeds: What the mailbox holds.
            scenario: What to do with it.
            needs: What the mailbox has to be able to do; without it, `scenario` must be refused.
        """

        async def main() -> None:
            mailbox = await self.open_mailbox(seeds)
            try:
                if needs is None or needs in mailbox.capabilities:
                    await asyncio.wait_for(_awaited(scenario(mailbox)), LIMIT_S)
                else:
                    await _check_refused(mailbox, scenario)
            finally:
                await mailbox.aclose()

        asyncio.run(main())


async def refusal(call: Awaitable[object]) -> MailError:
    """The error that `call` is refused with; anything else is a failure of the test."""
    try:
        answer = await call
    except MailError as error:
        assert error.message.strip(), "an error says what was wrong"
        return error
    raise AssertionError(f"this should have been refused, but answered {answer!r}")


async def _check_refused(mailbox: Mailbox, scenario: Scenario) -> None:
    from tests.contract.suite.look import look

    before = await look(mailbox)
    await refusal(asyncio.wait_for(_awaited(scenario(mailbox)), LIMIT_S))
    assert await look(mailbox) == before, "what was refused changed the mailbox"


async def _awaited(result: Awaitable[None]) -> None:
    await result
