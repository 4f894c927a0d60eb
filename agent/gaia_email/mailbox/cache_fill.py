"""The copy of mail, filled by a triage with what it reads, so that nothing is read twice. Entry point: `CacheFill`.

What is put in here is confirmed by the next sync, which lists it, or forgotten by it, where it is gone by then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from gaia_email.ledger import Ledger
from gaia_email.ledger.cache import UNCONFIRMED, Cached
from gaia_email.mailbox.sync import cached_message
from gaia_email_registry.contract.wire import Email
from gaia_email_registry.errors import ProviderError
from gaia_mail.mime.model import ParsedMessage

Note = Callable[[Email, ParsedMessage, str], None]
"""Takes a message as it was read and decoded, with the `content_hash` of its bytes."""


class CacheFill:
    """The copy of an account's mail, as `triage` fills it.

    Where it cannot be written, the mail is sorted all the same: the copy can be made again at any time.
    """

    def __init__(self, ledger: Ledger, account_id: str) -> None:
        self._ledger = ledger
        self._account = account_id

    @contextmanager
    def page(self, ids: Sequence[str]) -> Generator[Note, None, None]:
        """Takes messages while these are read, and keeps in one transaction those that are not here yet."""
        try:
            with self._ledger.read() as tx:
                known = self._ledger.cache.here(tx, self._account, ids)
        except ProviderError:
            known = set(ids)
        new: list[Cached] = []

        def note(email: Email, message: ParsedMessage, digest: str) -> None:
            if email["id"] not in known:
                new.append(cached_message(self._account, email, message, digest))

        yield note
        try:
            self._keep(new)
        except ProviderError:
            return

    def _keep(self, new: Sequence[Cached]) -> None:
        if not new:
            return
        cache = self._ledger.cache
        with self._ledger.write() as tx:  # a sync may have been faster
            known = cache.here(tx, self._account, [one.message_id for one in new])
            cache.put(tx, [one for one in new if one.message_id not in known], generation=UNCONFIRMED)
