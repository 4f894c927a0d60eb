"""The mailbox that a long-running program works on. Entries: `connected_source`, `every_source`."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email_registry import clock

HOME, DATABASE_URL = "GAIA_HOME", "GAIA_EMAIL_DATABASE_URL"


def connected_source(name: str | None, environ: Mapping[str, str], user: tuple[str, ...] = ()) -> SourceSpec:
    """Return the connected account with that name, or the only account; its owner is `user` or its own addresses.

    Raises:
        NeedsAuth: No account is connected, or not the one named.
        BadArgument: There are several, so one must be named.
    """
    from gaia_email.app.accounts.connect_files import addresses_of, files_of
    from gaia_email.mailbox.ref import mailbox_named
    from gaia_email_registry.accounts import find_account

    if (named := mailbox_named(name or "")) is not None:
        return SourceSpec(kind=named.kind, path=named.path, user=user)
    account, assumed = find_account(name, environ), name is None
    if (files := files_of(account)) is not None:
        return SourceSpec(
            kind=files.kind, path=files.path, user=user or addresses_of(account), assumed=assumed
        )
    return SourceSpec(
        kind="account",
        path=account.id,
        user=user or (account.address,),
        server=account.server,
        assumed=assumed,
    )


def every_source(environ: Mapping[str, str]) -> list[SourceSpec]:
    """Return all enabled accounts, in the order in which they were connected.

    Raises:
        NeedsAuth: None is connected.
    """
    from gaia_email_registry.accounts import read_accounts

    enabled = [account.id for account in read_accounts(environ) if account.enabled]
    return [connected_source(name, environ) for name in enabled] or [connected_source(None, environ)]


@contextmanager
def sample_source(app: App) -> Generator[tuple[App, SourceSpec], None, None]:
    """Yield the sample mailbox, and a program with its own data directory; both are deleted afterwards.

    Actions on the sample are thus recorded and can be undone, without touching the user's own record. In the
    meantime, `GAIA_HOME` of this process is that directory, for the mail servers that run in it, and the
    clock is the sample's.
    """
    import tempfile  # imported late: not needed for a connected account

    from gaia_email.app.sample.day import sample_day
    from gaia_email.app.sample.mailbox import SAMPLE_OWNER, write_sample

    before = {name: os.environ.get(name) for name in (HOME, DATABASE_URL)}
    with (
        sample_day(app.environ) as zone,
        tempfile.TemporaryDirectory(prefix="gaia-demo-", ignore_cleanup_errors=True) as folder,
    ):
        mail = Path(folder) / "Mail"
        write_sample(mail, now=clock.now(), zone=zone)
        os.environ.pop(DATABASE_URL, None)
        os.environ[HOME] = str(Path(folder) / "home")
        clock.leave_in(Path(folder) / "home")
        inside = {name: value for name, value in app.environ.items() if name != DATABASE_URL}
        try:
            yield (
                replace(app, environ={**inside, **{name: os.environ[name] for name in (HOME, clock.OFFSET)}}),
                SourceSpec(kind="maildir", path=str(mail), user=(SAMPLE_OWNER,), is_sample=True),
            )
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
