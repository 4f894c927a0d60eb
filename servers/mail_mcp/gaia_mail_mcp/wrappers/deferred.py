"""A mailbox that is opened when it is first used, so that a server can list its tools at once. Entry: `Deferred`."""

from __future__ import annotations

from collections.abc import Callable

from gaia_mail_mcp.mailbox import Capability, Mailbox
from gaia_mail_mcp.wrappers.base import MailboxWrapper


class Deferred(MailboxWrapper):
    """Knows its name and capabilities; everything else opens the mailbox first.

    Args:
        account: As the mailbox will say; where it learns that only later, a name until then.
        provider: As the mailbox will say.
        capabilities: As the mailbox will say; the tool list is made from them.
        opener: Opens the mailbox; called once, at the first use.
    """

    def __init__(
        self,
        opener: Callable[[], Mailbox],
        *,
        account: str,
        provider: str,
        capabilities: frozenset[Capability],
    ) -> None:
        self._opener = opener
        self._opened: Mailbox | None = None
        self._account, self._provider, self._capabilities = account, provider, capabilities

    @property
    def inner(self) -> Mailbox:  # type: ignore[override]
        """The mailbox, opened by the first access."""
        if self._opened is None:
            self._opened = self._opener()
        return self._opened

    @property
    def account(self) -> str:
        """As the mailbox says once it is open; before that as given."""
        return self._account if self._opened is None else self._opened.account

    @property
    def provider(self) -> str:
        """As given."""
        return self._provider

    @property
    def capabilities(self) -> frozenset[Capability]:
        """As given."""
        return self._capabilities

    async def aclose(self) -> None:
        """Close the mailbox if it was ever opened."""
        if self._opened is not None:
            await self._opened.aclose()
