"""Several programs on one Outlook mailbox, and what may never be seen of it: its concurrency, its secrets, its size."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email_registry.errors import MailError
from gaia_graph_mcp.calls import delta
from gaia_graph_mcp.failures import OutOfSync
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import find, many
from tests.gmail.emulator.http import Request, Response
from tests.graph.emulator.answering import Refused, refusal
from tests.graph.emulator.emulator import MOST_AT_ONCE, Emulator
from tests.graph.support import GivenToken, connect, let_in, open_emulated
from tests.mailbox_wrapper import MailboxWrapper

PROGRAMS = 3


async def work(root: str, folder: Path) -> None:
    """One program: it lists, reads, changes and looks again."""
    emulator = Emulator()
    emulator.root = root
    mailbox = connect(emulator, folder)
    try:
        ids = await find(mailbox, "", page=200)
        assert len(await mailbox.read(ids, raw=True)) == len(ids)
        await mailbox.modify(ids, add=["STARRED"], remove=["UNREAD"])
        await mailbox.modify(ids, add=[], remove=["STARRED"])
    finally:
        await mailbox.aclose()


def test_over_all_programs_never_more_than_four_requests_are_under_way(tmp_path: Path) -> None:
    async def main() -> None:
        emulator = Emulator()
        most = at_once = 0
        seen: set[int] = set()
        one = emulator._one  # pyright: ignore[reportPrivateUsage]

        async def counted(request: Request) -> Response:
            nonlocal most, at_once
            at_once += 1
            most = max(most, at_once)
            try:
                await asyncio.sleep(0.001)  # so that those of another program would come in between
                return await one(request)
            finally:
                at_once -= 1

        emulator._one = counted  # type: ignore[method-assign]  # pyright: ignore[reportPrivateUsage]
        for seed in many(60):
            emulator.account.put(seed.raw, seed.labels)
        await emulator.start()
        command = [sys.executable, "-m", "tests.graph.test_together", emulator.root, str(tmp_path)]
        running = [await asyncio.create_subprocess_exec(*command) for _ in range(PROGRAMS)]
        for process in running:
            assert await asyncio.wait_for(process.wait(), 50) == 0
            seen.add(process.pid)
        assert len(seen) == PROGRAMS and 1 < most <= MOST_AT_ONCE
        await emulator.aclose()

    asyncio.run(main())


def test_no_log_error_or_file_holds_a_token_or_a_delta_link_in_the_open(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []

    async def main() -> list[str]:
        emulator = Emulator()
        mailbox = await open_emulated(emulator, tmp_path, many(5))
        let_in(emulator, mailbox.graph, tmp_path)
        secrets: list[str] = []
        try:
            async with Client(create_server(mailbox, SurfaceSettings())) as client:
                await mailbox.watch()
                first: Any = (await client.call_tool("sync_emails", {})).structured_content
                ids = await find(mailbox, "")
                secrets += [emulator.token, *emulator.account.tokens]
                secrets.append(json.loads((tmp_path / "watch.json").read_text())["state"])
                answers = [
                    refusal(Refused(status, code, f"See {emulator.root}/x?$deltatoken={secrets[-2]}"))
                    for status, code in (
                        (403, "Bad"),
                        (400, "Bad"),
                        (500, "Bad"),
                        (410, "resync"),
                        (401, "Bad"),
                    )
                ]
                broken = [
                    Response(hang_up=True),
                    Response(cut=True, headers={"Content-Type": "text/plain"}, body=b"x" * 500),
                ]
                for answer in [*broken, *answers]:

                    def fault(request: Request, answer: Response = answer) -> Response | None:
                        return answer if "delta" in request.path or "$value" in request.path else None

                    emulator.fault = fault
                    for tool, given in (
                        ("sync_emails", {"cursor": first["cursor"]}),
                        ("read_email", {"messageId": ids[0]}),
                        ("server_status", {}),
                    ):
                        found = await client.call_tool(tool, given, raise_on_error=False)
                        told.append(str(found.content) + str(found.structured_content))
                    try:
                        await mailbox.graph.bodies(list((await _rows(mailbox, ids)).values()))
                    except MailError as error:
                        told.append(f"{error.message} {error.hint}")
                emulator.fault = lambda request: None
                link = f"/me/mailFolders/delta?$deltatoken={secrets[-2]}"
                mailbox.graph.client.tokens = GivenToken(emulator.token)
                with pytest.raises(OutOfSync):  # by itself, so that its address is that of a request
                    await mailbox.graph.client.call(delta(link))
        finally:
            await mailbox.aclose()
        return secrets

    async def _rows(mailbox: MailboxWrapper, ids: list[str]) -> Any:
        graph: Any = mailbox.inner
        return {id_: graph.replica.get(id_) for id_ in ids}

    secrets = asyncio.run(main())
    captured = capfd.readouterr()
    shown = [*told, caplog.text, captured.out, captured.err]
    assert len(secrets) > 5 and len(told) > 20
    assert any("refused this (See …)" in text for text in told), "the link is left out, the rest is told"
    assert not [secret for secret in secrets for text in shown if secret in text]
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert path.stat().st_mode & 0o077 == 0, f"{path.name} can be read by others"


@pytest.mark.parametrize(("core", "most"), [(False, 32_000), (True, 10_000)])
def test_the_tools_with_mail_and_calendar_stay_below_their_ceilings(core: bool, most: int) -> None:
    """All that a server with every scope and with pushes lists, and that it imports no msal, client or model for it."""
    code = f"""
import asyncio, json, os, sys
from fastmcp import Client
from gaia_email_registry.accounts import Account
from gaia_graph_mcp.server import SERVER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server

granted = "Mail.ReadWrite Mail.Send Calendars.ReadWrite MailboxSettings.ReadWrite"
account = Account(id="me", provider="outlook", address="me@example.org", server="graph", settings=dict(granted=granted))
source = SERVER.source(SERVER.known_login(account, os.environ))
server = create_server(source, SurfaceSettings(enabled_tools={("core",) if core else ()}))

async def main():
    async with Client(server) as client:
        found = (await client.list_tools_mcp()).model_dump(by_alias=True, exclude_none=True, mode="json")
    print(len(json.dumps(found["tools"], separators=(",", ":"), ensure_ascii=False).encode()))
    print([tool["name"] for tool in found["tools"]])
    heavy = ("msal", "gaia_graph_mcp.client", "gaia_graph_mcp.mailbox", "icalendar", "gaia_email")
    print([name for name in heavy if name in sys.modules])

asyncio.run(main())
"""
    environ = {
        "GAIA_GRAPH_NOTIFICATION_URL": "https://mail.example/push/graph",
        "PYTHONPATH": ":".join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ
    )
    size, names, imported = done.stdout.splitlines()
    assert 5_000 < int(size) <= most
    assert imported == "[]"
    more = {"list_calendar_events", "create_filter", "set_vacation", "watch_mailbox", "respond_to_invitation"}
    assert core or not [name for name in more if f"'{name}'" not in names]


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2])))
