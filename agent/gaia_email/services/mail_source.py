"""Which mailbox a service works on, and how it is read. Entries: `MailSource`, `connected_source`, `sample_source`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time

from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.reader import MailReader
from gaia_email.mailbox.ref import MailboxRef, place_named

DATABASE_URL = "GAIA_EMAIL_DATABASE_URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSource:
    """A mailbox, the user's addresses in it, and the options that name it on the command line."""

    place: MailboxRef
    owner: tuple[str, ...] = ()
    flags: str = ""

    @property
    def account(self) -> str:
        """What the ledger calls it: the address of a connected account, the place of mail files.

        Raises:
            MailError: The account is not connected any more.
        """
        if self.place.kind != "account":
            return self.place.name
        from gaia_email_registry.accounts import find_account

        return find_account(self.place.path, os.environ).address

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[MailReader, None]:
        """The mailbox for reading: a connected account by the ledger's copy of it, mail files as they are.

        Raises:
            MailError: It cannot be read, or the ledger cannot be opened.
        """
        if self.place.kind != "account":
            async with open_mail(self.place.reading) as mail:
                yield mail
            return
        from gaia_email.ledger import open_ledger
        from gaia_email.mailbox.mail_copy import MailCopy

        with open_ledger() as ledger:
            async with open_mail(self.place.reading) as mail:
                yield MailCopy(mail, ledger, account=self.account, provider=self.place.server)


def connected_source(name: str | None, environ: Mapping[str, str]) -> MailSource:
    """The connected account of that name; without one, the only account.

    Raises:
        NeedsAuth: None is connected, or not the one named.
        BadArgument: It has to be said which of several.
    """
    from gaia_email.accounts.connect_files import addresses_of, files_of
    from gaia_email_registry.accounts import find_account

    flags = f"--account {name}" if name else ""
    if (named := place_named(name or "")) is not None:
        return MailSource(place=named, flags=flags)
    account = find_account(name, environ)
    if (files := files_of(account)) is not None:
        return MailSource(place=files, owner=addresses_of(account), flags=flags)
    place = MailboxRef(kind="account", path=account.id, server=account.server)
    return MailSource(place=place, owner=(account.address,), flags=flags)


@contextmanager
def sample_source() -> Generator[MailSource, None, None]:
    """The sample mailbox in a folder of its own, with a data directory beside it; both go when the block ends.

    `GAIA_HOME` of this process is that directory meanwhile, so that what is done to the sample is written down and
    can be undone, and the user's own record is left alone.
    """
    from gaia_email.sample.mailbox import SAMPLE_OWNER, write_sample

    before = {name: os.environ.get(name) for name in ("GAIA_HOME", DATABASE_URL)}
    with tempfile.TemporaryDirectory(prefix="gaia-demo-", ignore_cleanup_errors=True) as folder:
        mail = Path(folder) / "Mail"
        write_sample(mail, now=time())
        os.environ.pop(DATABASE_URL, None)
        os.environ["GAIA_HOME"] = str(Path(folder) / "home")
        try:
            place = MailboxRef(kind="maildir", path=str(mail))
            yield MailSource(place=place, owner=(SAMPLE_OWNER,), flags="--demo")
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
