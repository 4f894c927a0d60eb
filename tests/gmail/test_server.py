"""The server over the emulated Gmail, as an MCP client sees it."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email_registry.contract.tools import TOOLS
from gaia_gmail_mcp.server import SERVER
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.serving import Serve, Session
from tests.gmail.support import write_files
from tests.surface.test_listing import names_types_and_limits

Json = dict[str, Any]
CORE = [name for name, spec in TOOLS.items() if spec.core]
MODIFY = "https://www.googleapis.com/auth/gmail.modify"
EXTRA = {
    "account",
    "confirm",
    "dryRun",
    "from",
    "references",
    "format",
    "maxBodyLength",
    "pageToken",
    "permanent",
    "perMessage",
    "raw",
    "signature",
    "unusedOnly",
}


def test_the_19_tools_take_what_the_convention_takes(serve: Serve, shared: Path) -> None:
    published = json.loads((shared / "spec" / "gongrzhe_tools.json").read_text(encoding="utf-8"))
    convention: dict[str, Json] = {tool["name"]: tool for tool in published}

    async def scenario(session: Session) -> None:
        listed = {tool.name: tool.input_schema for tool in await session.client.list_tools()}
        assert set(convention) <= set(listed)
        for name, tool in convention.items():
            expected, found = tool["inputSchema"], json.loads(json.dumps(listed[name]))
            extra = set(found["properties"]) - set(expected["properties"])
            assert extra <= EXTRA, name
            for argument in extra:
                del found["properties"][argument]
            assert names_types_and_limits(found) == names_types_and_limits(expected), name

    serve(scenario)


def test_the_tool_list_keeps_within_its_bytes(serve: Serve) -> None:
    async def whole(session: Session) -> None:
        tools = await session.client.list_tools()
        sizes = [len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools]
        assert sum(sizes) <= 32_000

    async def core(session: Session) -> None:
        tools = await session.client.list_tools()
        assert {tool.name for tool in tools} == set(CORE)
        sizes = [len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools]
        assert sum(sizes) <= 10_000

    serve(whole)
    serve(core, settings=SurfaceSettings(enabled_tools=("core",), approval=CALLER))


def test_what_the_login_does_not_allow_is_not_offered(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        names = {tool.name for tool in await session.client.list_tools()}
        assert "modify_email" in names
        assert not names & {"create_filter", "list_filters"}

    serve(scenario, scope=MODIFY)


def test_scopes_narrow_what_is_offered(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(session: Session) -> None:
        names = {tool.name for tool in await session.client.list_tools()}
        assert names == {
            "read_email",
            "search_emails",
            "list_email_labels",
            "download_attachment",
            "list_emails",
            "read_emails",
            "get_thread",
            "get_attachment",
            "sync_emails",
            "wait_for_changes",
            "server_status",
        }

    serve(scenario, options={"scopes": "readonly"})


def test_read_only_and_no_send_take_their_tools_away(serve: Serve) -> None:
    async def read_only(session: Session) -> None:
        assert all(TOOLS[tool.name].risk == "read" for tool in await session.client.list_tools())

    async def no_send(session: Session) -> None:
        names = {tool.name for tool in await session.client.list_tools()}
        assert not names & {"send_email", "send_draft"}
        assert "draft_email" in names

    serve(read_only, options={"read_only": "true"})
    serve(no_send, options={"no_send": "true"})


def test_texts_are_the_conventions(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = await session.ids()
        found = await session.call("search_emails", query="subject:3")
        assert found.text == (
            f"ID: {ids[0]}\nSubject: Message number 3\nFrom: Pat Example <pat@example.com>\n"
            "Date: Mon, 02 Mar 2026 09:03:00 +0000\n"
        )
        assert (await session.call("search_emails", query="from:nobody")).text == ""
        read = await session.call("read_email", messageId=ids[0])
        assert read.text.startswith(f"Thread ID: {read.data['thread_id']}\nSubject: Message number 3\n")
        done = await session.call("modify_email", messageId=ids[0], addLabelIds=["STARRED"])
        assert done.text == f"Email {ids[0]} labels updated successfully"
        assert done.data["undo"]["arguments"]["removeLabelIds"] == ["STARRED"]
        sent = await session.call("send_email", to=["ann@example.com"], subject="Hi", body="Hello")
        assert sent.text == f"Email sent successfully with ID: {sent.data['ids'][0]}"
        kept = await session.call("draft_email", to=["ann@example.com"], subject="Hi", body="Hello")
        assert kept.text == f"Email draft created successfully with ID: {kept.data['ids'][0]}"
        made = await session.call(
            "create_filter", criteria={"from": "a@b.co"}, action={"addLabelIds": ["STARRED"]}
        )
        assert made.text == (
            f"Filter created successfully:\nID: {made.data['ids'][0]}\nCriteria: from: a@b.co\n"
            "Actions: addLabelIds: STARRED"
        )
        assert (await session.call("list_filters")).text.startswith("Found 1 filters:\n\nID: ")
        missing = await session.call("update_label", id="Label_99", name="x")
        assert missing.failed and missing.text == 'Error: Label with ID "Label_99" not found.'

    serve(scenario)


def test_mail_is_sent_from_the_account_itself(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        await session.call("send_email", to=["Ann <ann@example.com>"], subject="Grüße", body="Hello")
        (left,) = session.emulator.account.sent
        assert b"From: Me Example <me@example.org>\r\n" in left.raw.replace(b"\n", b"\r\n").replace(
            b"\r\r", b"\r"
        )
        for bad in ("no address", "a@b.co\r\nBcc: evil@x.y", "a@b.co, c@d.e\n"):
            refused = await session.call("send_email", to=[bad], subject="x", body="x")
            assert refused.failed and "Recipient email address is invalid" in refused.text
        refused = await session.call("send_email", to=["a@b.co"], subject="S\r\nBcc: evil@x.y", body="x")
        assert refused.failed and refused.data["error"]["argument"] == "subject"
        assert len(session.emulator.account.sent) == 1

    serve(scenario)


def test_a_write_can_be_taken_back(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        ids = await session.ids()
        before = (await session.call("read_emails", ids=ids, format="summary")).data
        for tool, arguments in (
            ("trash_email", {"ids": ids}),
            ("delete_email", {"messageId": ids[0]}),
            ("archive_email", {"ids": ids}),
            ("report_spam", {"ids": ids[:1]}),
            (
                "batch_modify_emails",
                {"messageIds": ids, "addLabelIds": ["STARRED"], "removeLabelIds": ["UNREAD"]},
            ),
            ("snooze_email", {"ids": ids, "until": "2999-01-01T00:00:00+00:00"}),
        ):
            done = await session.call(tool, **arguments)
            assert not done.failed, done.text
            changed = (await session.call("read_emails", ids=ids, format="summary")).data
            assert changed != before, tool
            back = done.data["undo"]
            assert not (await session.call(back["tool"], **back["arguments"])).failed
            assert (await session.call("read_emails", ids=ids, format="summary")).data == before, tool

    serve(scenario)


def test_a_hundred_hits_and_a_thousand_changes_are_few_requests(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        session.emulator.forget_requests()
        hits = await session.call("search_emails", query="", maxResults=100)
        assert len(hits.data["emails"]) == 100
        assert len(session.emulator.requests) == 3, "the profile, the list, a batch"
        ids = [email["id"] for email in hits.data["emails"]]
        session.emulator.forget_requests()
        done = await session.call("batch_modify_emails", messageIds=ids, addLabelIds=["STARRED"])
        assert done.text == "Batch label modification complete.\nSuccessfully processed: 100 messages\n"
        assert [seen.calls for seen in session.emulator.requests] == [("messages.batchModify",)]

    serve(scenario, count=100)


def test_no_secret_is_in_an_answer_a_log_or_a_file(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    shown: list[str] = []
    secrets: set[str] = set()

    async def scenario(session: Session) -> None:
        oauth = session.emulator.oauth
        secrets.update({oauth.client_secret, oauth.refresh_token, *oauth.access})
        ids = await session.ids()
        oauth.rotates = True
        oauth.expire()
        calls: list[tuple[str, Json]] = [
            ("read_email", {"messageId": ids[0]}),
            ("trash_email", {"ids": ids}),
            ("create_label", {"name": ""}),
            ("send_email", {"to": ["ann@example.com"], "subject": "x", "body": "y"}),
            ("sync_emails", {}),
            ("server_status", {}),
        ]
        for tool, arguments in calls:
            answer = await session.call(tool, **arguments)
            shown.append(f"{answer.text} {answer.data}")
        secrets.update({oauth.refresh_token, *oauth.access})
        oauth.expire()
        oauth.revoked = True
        for tool in ("list_email_labels", "server_status"):
            answer = await session.call(tool)
            shown.append(f"{answer.text} {answer.data}")
            assert "gaia-gmail-mcp auth" in answer.text

    with caplog.at_level(logging.DEBUG):
        serve(scenario)
    own = {"credentials.json", "gcp-oauth.keys.json"}
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.name not in own]
    assert {path.name for path in files} >= {"quota.json", "places.json"}
    shown += [path.read_text() for path in files]
    text = "\n".join([*shown, caplog.text, *capfd.readouterr()])
    assert len(secrets) >= 5
    assert not [secret for secret in secrets if secret in text]


def test_the_status_shows_scopes_and_quota(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        await session.ids()
        status = (await session.call("server_status")).data
        assert status["connected"] and status["account"] == "me@example.org"
        assert MODIFY not in status["scopes"] and "https://mail.google.com/" in status["scopes"]
        assert status["quota"]["limit"] == 4500 and status["quota"]["used"] >= 20

    serve(scenario)


def test_a_page_token_leads_on(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        first = await session.call("search_emails", query="", maxResults=2)
        rest = await session.call(
            "search_emails", query="", maxResults=2, pageToken=first.data["next_cursor"]
        )
        assert [len(first.data["emails"]), len(rest.data["emails"])] == [2, 1]
        assert rest.data["next_cursor"] is None

    serve(scenario)


def test_a_label_can_be_listed_by_its_id(serve: Serve) -> None:
    async def scenario(session: Session) -> None:
        made = (await session.call("create_label", name="Garden tools")).data["label"]["id"]
        ids = await session.ids()
        await session.call("modify_email", messageId=ids[1], addLabelIds=[made])
        listed = await session.call("list_emails", label=made)
        assert [email["id"] for email in listed.data["emails"]] == [ids[1]]

    serve(scenario)


def test_several_accounts_are_told_apart_by_account(tmp_path: Path) -> None:
    async def main() -> None:
        emulators = [Emulator("one@example.org"), Emulator("two@example.org")]
        mailboxes: dict[str, MailboxSource] = {}
        for number, emulator in enumerate(emulators):
            emulator.account.mailbox.put(write_message(number + 1, subject=f"Mail of {number}"))
            await emulator.start()
            folder = tmp_path / str(number)
            folder.mkdir()
            store = write_files(emulator, folder)
            mailboxes[f"name{number}"] = SERVER.source(
                SERVER.login_of(
                    "",
                    {
                        "GAIA_GMAIL_API_ROOT": emulator.root,
                        "GMAIL_OAUTH_PATH": str(store.keys_path),
                        "GMAIL_CREDENTIALS_PATH": str(store.credentials_path),
                        "GAIA_HOME": str(tmp_path / "home"),
                    },
                )
            )
        server = create_server(mailboxes, SurfaceSettings(approval=CALLER))
        async with Client(server) as client:
            for tool in await client.list_tools():
                names = {"enum": ["name0", "name1"]} if tool.name == "server_status" else {}
                assert tool.input_schema["properties"]["account"] == {"type": "string", **names}
            assert "name0, name1;" in str(server.instructions)
            session = Session(emulators[0], {}, client)
            for arguments, subject in (
                ({}, 0),
                ({"account": "name1"}, 1),
                ({"account": "two@example.org"}, 1),
            ):
                found = await session.call("search_emails", query="", **arguments)
                assert [email["subject"] for email in found.data["emails"]] == [f"Mail of {subject}"]
            wrong = await session.call("search_emails", query="", account="three")
            assert wrong.failed and wrong.data["error"]["argument"] == "account"
        for emulator in emulators:
            await emulator.aclose()

    asyncio.run(asyncio.wait_for(main(), 30))


def test_without_a_login_the_server_lists_its_tools_over_stdio_and_says_how_to_connect(
    tmp_path: Path,
) -> None:
    initialize: Json = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    call: Json = {
        "jsonrpc": "2.0",
        "id": 3,
        "method": "tools/call",
        "params": {"name": "search_emails", "arguments": {"query": "x"}},
    }
    requests: list[Json] = [
        initialize,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        call,
        {**call, "id": 4, "params": {"name": "server_status", "arguments": {}}},
    ]
    command = [sys.executable, "-m", "gaia_gmail_mcp.server"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers: dict[int, Json] = {}
        for request in requests:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            while "id" in request and request["id"] not in answers:
                answer: Json = json.loads(process.stdout.readline())
                answers[answer.get("id", -1)] = answer
        process.stdin.close()
        process.wait(timeout=20)
    names = {tool["name"] for tool in answers[2]["result"]["tools"]}
    assert set(CORE) <= names
    assert answers[3]["result"]["isError"]
    assert "gaia-gmail-mcp auth" in json.dumps(answers[3])
    assert answers[4]["result"]["structuredContent"]["connected"] is False


def test_opening_a_server_loads_no_client() -> None:
    program = (
        "import sys\n"
        "from gaia_gmail_mcp.server import SERVER\n"
        "SERVER.source(SERVER.login_of('', {}))\n"
        "print(sorted({'httpx2', 'email', 'pydantic', 'gaia_mail.mime.read'} & set(sys.modules)))\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert found.stdout.strip() == "[]"


def test_the_generated_schemas_are_there() -> None:
    assert files("gaia_email_registry.contract").joinpath("schemas.json").is_file()
