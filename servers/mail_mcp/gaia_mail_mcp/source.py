"""Where a server gets a mailbox: opened at the first call, closed when its account is switched off.

Entry: `MailboxSource`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_mail_mcp.mailbox import Capability, Mailbox

if TYPE_CHECKING:
    import asyncio  # at run time only where a mailbox is open: a server lists its tools without it

LOOK_EVERY_S = 2.0
"""Seconds between looks at whether the account of an open mailbox is still switched on."""


def _always() -> None:
    """For a mailbox that no account says anything about."""


class MailboxSource:
    """Knows a mailbox's name and capabilities before the mailbox is opened.

    Args:
        opener: Opens the mailbox; called at the first use, and at the first after the account was switched off and on.
        account: As the mailbox will say; where it learns that only later, a name until then.
        provider: As the mailbox will say.
        capabilities: As the mailbox will say; the tool list is made from them.
        may_open: Raises `NeedsApproval` while the account is switched off: asked before each use, and every
            `LOOK_EVERY_S` while the mailbox is open, which is then closed.
    """

    def __init__(
        self,
        opener: Callable[[], Mailbox],
        *,
        account: str,
        provider: str,
        capabilities: frozenset[Capability],
        may_open: Callable[[], None] = _always,
    ) -> None:
        self._opener, self._may_open = opener, may_open
        self._opened: Mailbox | None = None
        self._next_look: asyncio.TimerHandle | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._account, self.provider, self.capabilities = account, provider, capabilities

    @classmethod
    def of(cls, mailbox: Mailbox | MailboxSource) -> MailboxSource:
        """The source of a mailbox that is there already; a source as it is."""
        if isinstance(mailbox, MailboxSource):
            return mailbox
        source = cls(
            lambda: mailbox,
            account=mailbox.account,
            provider=mailbox.provider,
            capabilities=mailbox.capabilities,
        )
        source._opened = mailbox
        return source

    @property
    def account(self) -> str:
        """As the mailbox says once it is open; before that as given."""
        return self._account if self._opened is None else self._opened.account

    def open(self) -> Mailbox:
        """The mailbox, opened by the first call.

        Raises:
            NeedsApproval: Its account is switched off.
            MailError: It cannot be opened.
        """
        try:
            self._may_open()
        except NeedsApproval:
            self._give_up()
            raise
        if self._opened is None:
            self._opened = self._opener()
            self._look_later()
        return self._opened

    async def aclose(self) -> None:
        """Close the mailbox if it was ever opened."""
        if self._next_look is not None:
            self._next_look.cancel()
        for closing in tuple(self._closing):
            await closing
        if self._opened is not None:
            await self._opened.aclose()

    def _look_later(self) -> None:
        if self._may_open is not _always:
            from asyncio import get_running_loop

            with suppress(RuntimeError):  # opened outside a loop, by a program that ends with its one call
                self._next_look = get_running_loop().call_later(LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        try:
            self._may_open()
        except NeedsApproval:
            self._give_up()
        except MailError:
            self._look_later()  # the list of accounts cannot be read just now; that switches nothing off
        else:
            self._look_later()

    def _give_up(self) -> None:
        """Close what is open; the next use opens it anew."""
        if self._next_look is not None:
            self._next_look.cancel()
        opened, self._opened = self._opened, None
        if opened is not None:
            from asyncio import get_running_loop

            closing = get_running_loop().create_task(opened.aclose())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
