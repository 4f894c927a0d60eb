"""Opens the mailbox a use case is about, in this process. Entries: `with_mail`, `with_copy`, `open_copy`, `run`."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gaia_email.mailbox.client import MailClient, open_mail
from gaia_email.mailbox.reader import MailReader
from gaia_email.sample.mailbox import SAMPLE_OWNER, write_sample
from gaia_email_registry.servers import InProcessServer, ServerSpec

if TYPE_CHECKING:
    from gaia_email.services.source import Source

Result = TypeVar("Result")


def with_mail(source: Source, use: Callable[[MailClient], Awaitable[Result]], *, now: float) -> Result:
    """Open the source, run `use` with the client, close it again.

    Raises:
        MailError: The source cannot be read.
    """
    if source.kind != "demo":
        return run(_use(server_of(source), use))
    with tempfile.TemporaryDirectory(prefix="gaia-demo-") as folder:
        write_sample(Path(folder), now=now)
        server = InProcessServer(
            provider="local", options={"maildir": folder, "read_only": "true", "account": SAMPLE_OWNER}
        )
        return run(_use(server, use))


def with_copy(source: Source, use: Callable[[MailReader], Awaitable[Result]], *, now: float) -> Result:
    """As `with_mail`, but a connected account is read through the ledger's copy of it (`open_copy`).

    Raises:
        MailError: The source cannot be read, or the ledger cannot be opened.
    """
    if source.kind != "account":
        return with_mail(source, use, now=now)

    async def through() -> Result:
        async with open_copy(source) as mail:
            return await use(mail)

    return run(through())


@asynccontextmanager
async def open_copy(source: Source) -> AsyncGenerator[MailReader, None]:
    """A source to be read: a connected account through the ledger's copy, which is made where there is none.

    Mail files are on this machine already; reading them leaves nothing behind.

    Raises:
        MailError: The source cannot be read, or the ledger cannot be opened.
    """
    if source.kind != "account":
        async with open_mail(server_of(source)) as mail:
            yield mail
        return
    from gaia_email.ledger import open_ledger
    from gaia_email.mailbox.mail_copy import MailCopy
    from gaia_email_registry.accounts import find_account

    account = find_account(source.path, os.environ).address
    with open_ledger() as ledger:
        async with open_mail(server_of(source)) as mail:
            yield MailCopy(mail, ledger, account=account, provider=source.server)


async def _use(server: ServerSpec, use: Callable[[MailClient], Awaitable[Result]]) -> Result:
    async with open_mail(server) as mail:
        return await use(mail)


def run(work: Awaitable[Result]) -> Result:
    """`asyncio.run` for work whose result may be large.

    `asyncio.run` looks up the handler of Ctrl-C as it ends, for which `signal` writes out the handler and with it the
    task, result and all: for an inbox that takes a fifteenth of its time. So the task here has no result.
    """
    results: list[Result] = []

    async def main() -> None:
        results.append(await work)

    asyncio.run(main())
    return results[0]


def server_of(source: Source) -> ServerSpec:
    """The server that gives this source, without its write tools."""
    return source.place.reading


def account_of(source: Source) -> str:
    """What a source is called: the account's address, or where the files are.

    Raises:
        NotFound: There is no such account.
    """
    if source.kind == "account":
        from gaia_email_registry.accounts import find_account

        return find_account(source.path, os.environ).address
    return SAMPLE_OWNER if source.kind == "demo" else source.place.key


def owner_of(source: Source) -> tuple[str, ...]:
    """The addresses whose mailbox it is, as far as they were given; the sample mailbox knows its own."""
    return source.user or ((SAMPLE_OWNER,) if source.kind == "demo" else ())
