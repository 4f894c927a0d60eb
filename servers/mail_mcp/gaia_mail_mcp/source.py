"""Opens a mailbox at the first call, and closes it when its account is switched off.

Entry: `MailboxSource`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_mail_mcp.mailbox import Capability, Mailbox

if TYPE_CHECKING:
    import asyncio  # imported only when a mailbox is open: a server lists its tools without it

LOOK_EVERY_S = 2.0
"""Seconds between checks that the account of an open mailbox is still switched on."""


def _always() -> None:
    """Allow opening a mailbox that belongs to no account."""


class MailboxSource:
    """Knows a mailbox's name and capabilities before the mailbox is opened.

    Args:
        opener: Opens the mailbox on first use, and again after the account was switched off and on.
        account: The mailbox's account; a preliminary name if it learns its address only on connection.
        provider: The mailbox's provider.
        capabilities: The mailbox's capabilities, which determine the list of tools.
        may_open: Raises `NeedsApproval` while the account is switched off. Called before each use, and every
            `LOOK_EVERY_S` seconds while the mailbox is open, which is then closed.
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
        """Return the source of an open mailbox; a source is returned unchanged."""
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
        """The mailbox's account; before it is open, the name given."""
        return self._account if self._opened is None else self._opened.account

    def open(self) -> Mailbox:
        """Return the mailbox, opened by the first call.

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

            with suppress(RuntimeError):  # opened outside a loop, by a program that exits after one call
                self._next_look = get_running_loop().call_later(LOOK_EVERY_S, self._look)

    def _look(self) -> None:
        try:
            self._may_open()
        except NeedsApproval:
            self._give_up()
        except MailError:
            self._look_later()  # an unreadable list of accounts switches nothing off
        else:
            self._look_later()

    def _give_up(self) -> None:
        """Close the open mailbox; the next use opens it again."""
        if self._next_look is not None:
            self._next_look.cancel()
        opened, self._opened = self._opened, None
        if opened is not None:
            from asyncio import get_running_loop

            closing = get_running_loop().create_task(opened.aclose())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
