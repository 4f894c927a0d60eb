"""`gaia email disable` and `enable`: an account that is switched off has no connection, no run and no watch."""

from __future__ import annotations

import asyncio
import os
import threading
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli import watching
from gaia_email.mailbox.ref import MailboxRef
from gaia_email.mailbox.tool_calls import open_session
from gaia_email.runs import steps
from gaia_email.runs.job import Job
from gaia_email_registry.accounts import Account, read_accounts, set_enabled, store_account
from gaia_email_registry.errors import NeedsApproval
from tests.cli.printed import Run
from tests.origins import PERSON

ADA = "ada@posteo.de"


@pytest.fixture
def environ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A home with one account, whose server is not there."""
    found = {"GAIA_HOME": str(tmp_path / "gaia")}
    monkeypatch.setenv("GAIA_HOME", found["GAIA_HOME"])
    store_account(Account(id=ADA, provider="posteo", address=ADA, server="imap"), found)
    return found


def test_disable_and_enable_keep_everything_about_the_account(run: Run, environ: dict[str, str]) -> None:
    before = read_accounts(environ)
    assert f"{ADA} is switched off" in run("disable").err
    assert not read_accounts(environ)[0].enabled
    refused = run("inbox", "--account", ADA)
    assert refused.code != 0
    assert f"gaia email enable --account {ADA}" in refused.err
    assert "nothing changed" in run("disable", "--account", ADA).err
    assert f"{ADA} is switched on" in run("enable", "--account", ADA).err
    assert read_accounts(environ) == before


@pytest.mark.parametrize("server", ["imap", "gmail"])
def test_no_server_is_opened_for_an_account_that_is_switched_off(
    environ: dict[str, str], server: str
) -> None:
    set_enabled(ADA, False, environ)

    async def opened() -> None:
        async with open_session(MailboxRef(kind="account", path=ADA, server=server).spec(os.environ)):
            pass

    with pytest.raises(NeedsApproval, match="switched off"):
        asyncio.run(opened())


def test_a_watch_ends_when_its_account_is_switched_off(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK_EVERY_S", 0.01)
    source = SourceSpec(kind="account", path=ADA, user=(ADA,), server="imap")

    async def ended() -> None:
        work: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        switch = asyncio.ensure_future(watching._end_when_off(App(), source, work))  # pyright: ignore[reportPrivateUsage]
        set_enabled(ADA, False, environ)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(work, 5)
        with pytest.raises(NeedsApproval):
            await switch

    asyncio.run(ended())


def test_a_wait_of_the_worker_drops_its_connection_when_the_account_is_switched_off(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "LOOK_EVERY_S", 0.01)
    waiting, closed = threading.Event(), threading.Event()

    async def changed(*_: object) -> dict[str, object]:
        waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            closed.set()
        return {"changed": True}

    monkeypatch.setattr(steps, "_changed", changed)
    job = Job(
        run_id="r1", kind="watch", place=MailboxRef(kind="account", path=ADA, server="imap"), origin=PERSON
    )

    async def waited() -> object:
        work = asyncio.ensure_future(steps.wait_for_mail(job, seconds=60, environ=environ))
        await asyncio.to_thread(waiting.wait, 5)
        set_enabled(ADA, False, environ)
        return await asyncio.wait_for(work, 5)

    assert asyncio.run(waited()) == {"account": ADA, "changed": False}
    assert closed.is_set()
    waiting.clear()
    assert asyncio.run(steps.wait_for_mail(job, seconds=0.05, environ=environ))["changed"] is False
    assert not waiting.is_set()


def test_no_run_of_an_account_that_is_switched_off_may_start(environ: dict[str, str]) -> None:
    job = Job(
        run_id="r1", kind="triage", place=MailboxRef(kind="account", path=ADA, server="imap"), origin=PERSON
    )
    assert steps.explain_hold(job, environ=environ) == ""
    set_enabled(ADA, False, environ)
    assert "switched off" in steps.explain_hold(job, environ=environ)
