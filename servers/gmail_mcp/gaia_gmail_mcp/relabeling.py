"""Adds and removes labels on many messages with as few requests as possible. Entry: `GmailRelabeler`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gaia_email_registry.contract.wire import Failure
from gaia_email_registry.errors import BadArgument, MailError, NotFound
from gaia_gmail_mcp.account import GmailAccount
from gaia_gmail_mcp.calls import GmailCall, post
from gaia_gmail_mcp.units import Units
from gaia_mail_mcp.mailbox import WriteOutcome

MOST_AT_ONCE = 1000
"""Most ids that batchModify and batchDelete accept."""

FEW = 9
"""Up to this many single changes (5 units each) beat one batchModify (50 units), and each reports its outcome."""

Delta = tuple[frozenset[str], frozenset[str]]
"""Label ids to add, and label ids to remove."""


class GmailRelabeler:
    """Writes labels as given; callers decide what else a move involves."""

    def __init__(self, account: GmailAccount) -> None:
        self._account = account

    async def relabel(self, ids: Sequence[str], delta: Delta, *, begun: bool = False) -> dict[str, str]:
        """Change the labels; return an error message by id for messages that could not be changed.

        `begun` is True if an earlier part of the same operation has already been written.

        Raises:
            MailError: No message could be changed, and `begun` is False.
        """
        add, remove = delta
        if not ids or not (add or remove):
            return {}
        body = {"addLabelIds": sorted(add), "removeLabelIds": sorted(remove)}
        try:
            if len(ids) <= FEW:
                missed = await self._each(ids, body)
            else:
                missed = await self.in_chunks("batchModify", ids, body)
        except MailError as error:
            if not begun:
                if isinstance(error, BadArgument):
                    raise BadArgument(error.message, argument="labels") from None
                raise
            missed = dict.fromkeys(ids, error.message)
        finally:
            self._account.known.distrust()
        for message_id in ids:
            if message_id not in missed:
                self._account.known.relabel(message_id, add=add, remove=remove)
        return missed

    async def _each(self, ids: Sequence[str], body: dict[str, list[str]]) -> dict[str, str]:
        """Change messages one by one; ignore those that have vanished meanwhile."""
        outcomes = await self._account.client.many([_modify(message_id, body) for message_id in ids])
        refused = {
            message_id: outcome
            for message_id, outcome in zip(ids, outcomes, strict=True)
            if isinstance(outcome, MailError) and not isinstance(outcome, NotFound)
        }
        if len(refused) == len(ids):
            raise refused[ids[0]]
        return {message_id: error.message for message_id, error in refused.items()}

    async def in_chunks(self, verb: str, ids: Sequence[str], body: dict[str, list[str]]) -> dict[str, str]:
        """Change as many messages at once as Gmail accepts; after a failure, leave the rest unchanged."""
        for number, chunk in enumerate(_chunks(ids)):
            try:
                call = post("messages", verb, units=Units.MANY, body={"ids": chunk, **body})
                await self._account.client.call(call)
            except MailError as error:
                if not number:
                    raise
                return dict.fromkeys(ids[number * MOST_AT_ONCE :], error.message)
        return {}


def applied_to(present: Iterable[str], failed: Iterable[Failure], missed: Mapping[str, str]) -> WriteOutcome:
    """Return the outcome of a write on `present`: `missed` could not be changed, `failed` does not exist."""
    unreached = (Failure(id=message_id, error=error) for message_id, error in missed.items())
    return WriteOutcome(
        ids=tuple(message_id for message_id in present if message_id not in missed),
        failed=(*failed, *unreached),
    )


def _modify(message_id: str, body: dict[str, list[str]]) -> GmailCall:
    return post("messages", message_id, "modify", units=Units.MESSAGE, body=body, fields="id,labelIds")


def _chunks(ids: Sequence[str]) -> list[list[str]]:
    return [list(ids[start : start + MOST_AT_ONCE]) for start in range(0, len(ids), MOST_AT_ONCE)]
