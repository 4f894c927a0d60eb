"""Opens the mailbox of a use case, in this process.

Entries: `with_mail`, `with_copy`, `open_copy`, `open_copies`, `run`.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gaia_email.app import App
from gaia_email.mailbox.client import MailClient, open_mail
from gaia_email.mailbox.reader import MailReader, Remarking
from gaia_email.mailbox.ref import FILES, server_account
from gaia_email_registry.accounts import read_accounts
from gaia_email_registry.errors import MailError
from gaia_email_registry.servers import InProcessServer, ServerSpec

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.ledger import Ledger
    from gaia_email.mailbox.mail_copy import MailCopy

Result = TypeVar("Result")


def with_mail(
    app: App, source: SourceSpec, use: Callable[[MailClient], Awaitable[Result]], *, now: float
) -> Result:
    """Open the source, run `use` with the client, close it again."""
    if source.kind != "demo":
        return run(_use(server_of(app, source), use))
    from gaia_email.app.sample.day import local_zone
    from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample

    with tempfile.TemporaryDirectory(prefix="gaia-demo-") as folder:
        write_sample(Path(folder), now=now, zone=local_zone(app.environ))
        server = InProcessServer(
            provider="local", options={"maildir": folder, "read_only": "true", "account": SAMPLE_OWNER}
        )
        return run(_use(server, use))


def with_copy(
    app: App, source: SourceSpec, use: Callable[[MailReader], Awaitable[Result]], *, now: float
) -> Result:
    """As `with_mail`, but read connected mailboxes through the ledger's copy (`open_copy`).

    Raises:
        MailError: The source cannot be read, or the ledger cannot be opened.
    """
    if not is_connected(app, source) and source.kind != "server":
        return with_mail(app, source, use, now=now)

    async def through() -> Result:
        async with open_copy(app, source) as mail:
            return await use(mail)

    return run(through())


@asynccontextmanager
async def open_copy(app: App, source: SourceSpec) -> AsyncGenerator[MailReader, None]:
    """Open a source for reading: connected mailboxes through the ledger's copy, which is made if missing.

    Mail files that were only named are read in place and leave no trace. So are MCP servers that notify of
    changes; for a server that has to be polled, the messages read are kept.

    Raises:
        MailError: The source cannot be read, or the ledger cannot be opened.
    """
    if not is_connected(app, source):
        async with open_mail(server_of(app, source)) as mail:
            if not mail.poll_s:
                yield mail
                return
            from gaia_email.mailbox.mail_copy import MailCopy

            with app.ledger() as ledger:
                yield MailCopy(mail, ledger, account=server_account(source.path))
        return
    async with open_kept_copy(app, source) as copy:
        yield copy


@asynccontextmanager
async def open_kept_copy(app: App, source: SourceSpec) -> AsyncGenerator[MailCopy, None]:
    """Open the ledger's copy of a source, which is made if missing, even for a source that was only named.

    Raises:
        MailError: The source cannot be read, or the ledger cannot be opened.
    """
    from gaia_email.app.services.account_failures import noting
    from gaia_email.mailbox.mail_copy import MailCopy
    from gaia_email_registry.accounts import find_account

    is_account = source.kind == "account"
    account = find_account(source.path, app.environ).address if is_account else source.mailbox.name
    if source.kind == "server":
        account = server_account(source.path)
    # A server of mail files is asked for its status: only the server knows which files cannot be read.
    provider = source.server if is_account else None
    with app.ledger() as ledger, noting(ledger, account, app.environ):
        async with open_mail(source.mailbox.indexed_spec(app.environ)) as mail:
            yield MailCopy(mail, ledger, account=account, provider=provider)


@contextmanager
def open_copies(
    app: App, sources: Sequence[SourceSpec], *, tell: Callable[[str], None]
) -> Generator[tuple[Ledger, list[str]], None, None]:
    """Yield a ledger with an up-to-date copy of these mailboxes' headers, and their names in it.

    Sources that were only named are copied into a temporary ledger. If one of several mailboxes does not
    answer, its last copy is used and `tell` receives a sentence about it.

    Raises:
        MailError: None of them can be read.
    """
    from gaia_email.mailbox.mail_copy import MailCopy

    if any(not is_connected(app, source) for source in sources):
        from gaia_email.ledger import open_ledger

        with (
            tempfile.TemporaryDirectory(prefix="gaia-copy-") as folder,
            open_ledger(url=f"sqlite:///{Path(folder) / 'ledger.db'}") as ledger,
        ):
            names: list[str] = []

            async def follow(mail: MailClient) -> None:
                name = (await mail.status())["account"]
                await MailCopy(mail, ledger, account=name).refresh()
                names.append(name)

            for source in sources:
                with_mail(app, source, follow, now=app.clock())
            yield ledger, names
        return
    failed: MailError | None = None
    found: list[str] = []
    for source in sources:
        try:
            found.append(run(_refreshed(app, source)))
        except MailError as error:
            failed = failed or error
            tell(f"{source.path} could not be read: {error.message}")
            found.append(account_of(app, source))
    if failed is not None and len(sources) == 1:
        raise failed
    with app.ledger(read_only=True) as ledger:
        yield ledger, found


async def _refreshed(app: App, source: SourceSpec) -> str:
    async with open_kept_copy(app, source) as copy:
        await copy.refresh()
        return copy.account


def tell_remarks(mail: MailReader, tell: Callable[[str], None]) -> None:
    """Report the parts of a mailbox that its server cannot show, as far as noticed."""
    for remark in mail.remarks if isinstance(mail, Remarking) else ():
        tell(remark)


def is_connected(app: App, source: SourceSpec) -> bool:
    """Return True if the mailbox was connected: an account, or mail files that the user added permanently.

    The sample counts as connected: its data directory and the copy in it are deleted together.
    """
    if source.is_sample:
        return True
    if source.kind not in FILES:
        return source.kind == "account"
    key = source.mailbox.key
    return any(account.id == key for account in read_accounts(app.environ))


async def _use(server: ServerSpec, use: Callable[[MailClient], Awaitable[Result]]) -> Result:
    async with open_mail(server) as mail:
        return await use(mail)


def run(work: Awaitable[Result]) -> Result:
    """Run work like `asyncio.run`, but faster for large results.

    `asyncio.run` looks up the Ctrl-C handler as it ends, and `signal` then formats the handler together with
    the task and its result: for an inbox, that takes a fifteenth of the total time. The task here therefore
    has no result.
    """
    results: list[Result] = []

    async def main() -> None:
        results.append(await work)

    asyncio.run(main())
    return results[0]


def server_of(app: App, source: SourceSpec) -> ServerSpec:
    """Return the server for this source, without its write tools."""
    return source.mailbox.reading(app.environ)


def account_of(app: App, source: SourceSpec) -> str:
    """Return the name of a source: the account's address, the path of files, or the name that an MCP server reports.

    Raises:
        NotFound: The account does not exist.
        MailError: The MCP server does not answer.
    """
    if source.kind == "account":
        from gaia_email_registry.accounts import find_account

        return find_account(source.path, app.environ).address
    if source.kind == "server":
        return with_mail(app, source, _account_there, now=0.0)
    return _sample_owner() if source.kind == "demo" else source.mailbox.key


async def _account_there(mail: MailClient) -> str:
    return (await mail.status())["account"]


def owner_of(app: App, source: SourceSpec) -> tuple[str, ...]:
    """Return the owner's addresses: those given, and the addresses and aliases of a connected account.

    The sample mailbox has its own owner.
    """
    if source.kind == "demo":
        return source.user or (_sample_owner(),)
    if source.kind != "account" and source.kind not in FILES:
        return source.user
    key = source.path if source.kind == "account" else source.mailbox.key
    account = next((one for one in read_accounts(app.environ) if one.id == key), None)
    if account is None:
        return source.user
    from gaia_email.app.accounts.connect_files import addresses_of

    return tuple(dict.fromkeys((*source.user, *addresses_of(account), *(account.aliases or ()))))


def _sample_owner() -> str:
    from gaia_email.app.sample.mailbox import SAMPLE_OWNER

    return SAMPLE_OWNER
