"""With `--approve host` the two-step token works as hosts know it, and is good for no other call."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.client import CallToolResult as Called
from mcp_types import CallToolResult

from gaia_email_registry.approvals import Approvals
from gaia_gmail_mcp.server import SERVER
from gaia_mail.query.grammar import parse_query
from tests.contract.suite.seed import Seed, write_message
from tests.gmail import test_archived_server
from tests.obedient.accounts import KINDS, Kind, honest
from tests.obedient.conftest import Open
from tests.obedient.harness import ERAS, Era, connected, settings_for, store_in
from tests.obedient.test_swaps import SWAPS, staged, text_of, whole


def token_in(answer: CallToolResult) -> str:
    """The token of a first call, from where hosts take it; its text says the same."""
    assert answer.is_error and answer.structured_content is not None
    token: str = answer.structured_content["confirm"]
    assert f"confirm={token}" in text_of(answer)
    return token


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_second_call_does_it_once_whoever_could_be_asked(
    kind: Kind, era: Era, opened: Open, tmp_path: Path
) -> None:
    async def main() -> None:
        async with opened(kind, [Seed(raw=write_message(number)) for number in (1, 2)]) as account:
            asked: list[str] = []

            async def never(message: str, *_: object) -> object:
                asked.append(message)
                return {"value": True}

            first, second = (await account.mailbox.search(parse_query("in:inbox"), limit=9)).ids
            settings = settings_for(tmp_path, way="host")
            async with connected(account.mailbox, settings, era, never) as client:
                token = token_in(await client.call_tool_mcp("delete_email", {"messageId": first}))
                other = await client.call_tool_mcp("delete_email", {"messageId": second, "confirm": token})
                assert other.is_error and not account.mailbox.log.effects
                token = token_in(await client.call_tool_mcp("delete_email", {"messageId": first}))
                wrong = {"messageIds": [first], "confirm": token}
                assert (await client.call_tool_mcp("batch_delete_emails", wrong)).is_error
                token = token_in(await client.call_tool_mcp("delete_email", {"messageId": first}))
                again = {"messageId": first, "confirm": token}
                assert not (await client.call_tool_mcp("delete_email", again)).is_error
                assert (await client.call_tool_mcp("delete_email", again)).is_error
            assert [effect.what for effect in account.mailbox.log.effects] == ["trash"]
            assert not asked and not Approvals(store_in(tmp_path)).waiting()

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("name", SWAPS)
def test_a_token_is_worth_nothing_for_what_was_swapped(name: str, opened: Open, tmp_path: Path) -> None:
    case = SWAPS[name]

    async def main() -> None:
        async with opened("memory", honest()) as account:
            stage = await staged(account)
            arguments = await case.arguments(stage)
            async with connected(stage.box, settings_for(tmp_path, way="host"), "auto") as client:
                token = token_in(await client.call_tool_mcp(case.tool, arguments))
                await case.swap(stage)
                there = await whole(stage)
                answer = await client.call_tool_mcp(case.tool, {**arguments, "confirm": token})
            assert answer.is_error
            assert not account.left() and not stage.box.log.effects
            assert await whole(stage) == there

    asyncio.run(asyncio.wait_for(main(), 20))


@dataclass(kw_only=True)
class Host:
    """A program that shows every call to its user, who agrees: it calls again with the token it was given."""

    client: Client[Any]
    agreed: list[str] = field(default_factory=list[str])

    async def call_tool(self, tool: str, arguments: dict[str, Any], *, raise_on_error: bool) -> Called:
        """As `Client.call_tool`."""
        first = await self.client.call_tool(tool, arguments, raise_on_error=raise_on_error)
        token = (first.structured_content or {}).get("confirm")
        if token is None:
            return first
        self.agreed.append(tool)
        again = {**arguments, "confirm": token}
        return await self.client.call_tool(tool, again, raise_on_error=raise_on_error)


@pytest.mark.parametrize("era", ERAS)
def test_every_recorded_call_of_the_archived_server_is_answered_as_before(
    era: Era, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        emulator, names = await test_archived_server._prepared(tmp_path)  # pyright: ignore[reportPrivateUsage]
        monkeypatch.setenv("HOME", str(tmp_path))
        environ = {"GAIA_GMAIL_API_ROOT": emulator.root, "GAIA_HOME": str(tmp_path / ".gaia")}
        settings = replace(settings_for(tmp_path, way="host"), download_dir=tmp_path, attachment_dir=tmp_path)
        try:
            async with connected(SERVER.source(SERVER.login_of("", environ)), settings, era) as client:
                host: Any = Host(client=client)
                texts = await test_archived_server._answers(host, names)  # pyright: ignore[reportPrivateUsage]
        finally:
            await emulator.aclose()
        assert len(texts) == len(test_archived_server.CALLS) >= 57
        test_archived_server._compared(  # pyright: ignore[reportPrivateUsage]
            texts, names, lambda call: call.get("ours", call["archived"])
        )
        assert {"send_email", "delete_email", "batch_delete_emails", "create_filter"} <= set(host.agreed)

    asyncio.run(asyncio.wait_for(main(), 30))
