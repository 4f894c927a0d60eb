"""The copy of mail, filled by a triage as it reads, so that nothing is read twice. Entry point: `Filling`.

What is put in here is confirmed by the next sync, which lists it, or forgotten by it, where it is gone by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from gaia_email.ledger import Ledger
from gaia_email.ledger.cache import UNCONFIRMED
from gaia_email.syncing import cached_message
from gaia_email.triage import MailReader
from gaia_email.understand import raw_bytes
from gaia_email_registry.contract.wire import Email, Label, ListEmailsResult, ReadEmailsResult, StatusResult
from gaia_email_registry.errors import ProviderError


class Filling:
    """A mailbox that is read through; `account_id` is what its copy is called.

    Where the copy cannot be written, the mail is read all the same: it can be made again at any time.
    """

    def __init__(self, mail: MailReader, ledger: Ledger, account_id: str) -> None:
        self._mail = mail
        self._ledger = ledger
        self._account = account_id

    async def list_emails(
        self, *, query: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> ListEmailsResult:
        """As the mailbox answers."""
        return await self._mail.list_emails(query=query, limit=limit, cursor=cursor)

    async def labels(self) -> Sequence[Label]:
        """As the mailbox answers."""
        return await self._mail.labels()

    async def status(self) -> StatusResult:
        """As the mailbox answers."""
        return await self._mail.status()

    async def read_emails(self, ids: Sequence[str]) -> ReadEmailsResult:
        """As the mailbox answers; what is not in the copy yet is put there."""
        answer = await self._mail.read_emails(ids)
        with suppress(ProviderError):
            self._keep(answer["emails"])
        return answer

    def _keep(self, emails: Sequence[Email]) -> None:
        cache, account = self._ledger.cache, self._account
        with self._ledger.read() as tx:
            known = cache.get(tx, account, [email["id"] for email in emails])
        new = [cached_message(account, one, raw_bytes(one)) for one in emails if one["id"] not in known]
        if not new:
            return
        with self._ledger.write() as tx:  # a sync may have been faster
            known = cache.get(tx, account, [one.message_id for one in new])
            cache.put(tx, [one for one in new if one.message_id not in known], generation=UNCONFIRMED)
