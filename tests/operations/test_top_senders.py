"""Senders by volume: what is counted, and one door per interface to the same rows."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_email.interfaces.mcp.server import create_agent_server
from tests.chat.test_conversations import Talk
from tests.cli.printed import Run, document, runner
from tests.http.conftest import Sample, demo, is_hosted, sample, seen_sample

__all__ = ["demo", "is_hosted", "sample", "seen_sample"]

OWNER = "me@home.example"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return runner(capsys, monkeypatch)


def mailbox(folder: Path, *mails: tuple[str, int, bool], owner: str = OWNER) -> str:
    """A Maildir of mails: sender, day of March, and whether it was read."""
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    for number, (sender, day, is_read) in enumerate(mails):
        text = (
            f"From: {sender}\nTo: {owner}\nSubject: {number}\nMessage-ID: <{number}@{folder.name}.example>\n"
            f"Date: {day:02} Mar 2026 09:00:00 +0000\n\nHello.\n"
        )
        place = f"cur/{number}:2,S" if is_read else f"new/{number}"
        (folder / place).write_text(text, encoding="utf-8")
    return str(folder)


ANN, SHOP = "Ann <ann@friends.example>", "Shop <News@Shop.example>"
MAILS = (
    (ANN, 1, True),
    ("Ann Lee <ANN@friends.example>", 3, False),
    ("ann@friends.example", 2, True),
    (SHOP, 4, False),
    (f"Me <{OWNER}>", 5, True),
)


def test_mail_is_counted_by_address_without_the_owner_s_own(run: Run, tmp_path: Path) -> None:
    place = mailbox(tmp_path / "Mail", *MAILS)
    found = document(run, "top-senders", "top-senders", "--maildir", place, "--user", OWNER)
    assert (found["total"], found["messages"]) == (2, 4)
    assert found["senders"] == [
        {
            "address": "ann@friends.example",
            "name": "Ann Lee",
            "messages": 3,
            "read": 2,
            "read_share": 0.67,
            "last": "2026-03-03T09:00:00Z",
        },
        {
            "address": "news@shop.example",
            "name": "Shop",
            "messages": 1,
            "read": 0,
            "read_share": 0.0,
            "last": "2026-03-04T09:00:00Z",
        },
    ]


def test_whose_mailbox_it_is_need_not_be_said(run: Run, tmp_path: Path) -> None:
    place = mailbox(tmp_path / "Mail", *MAILS)
    found = document(run, "top-senders", "top-senders", "--maildir", place)
    assert [one["address"] for one in found["senders"]] == ["ann@friends.example", "news@shop.example"]


def test_it_is_limited_by_time_and_number(run: Run, tmp_path: Path) -> None:
    place = mailbox(tmp_path / "Mail", *MAILS)
    late = document(run, "top-senders", "top-senders", "--maildir", place, "--since", "2026-03-03")
    assert [one["messages"] for one in late["senders"]] == [1, 1]
    first = document(run, "top-senders", "top-senders", "--maildir", place, "--limit", "1")
    assert (len(first["senders"]), first["total"]) == (1, 2)
    assert run("top-senders", "--maildir", place, "--limit", "101").code == 2


def test_several_accounts_are_counted_together(run: Run, tmp_path: Path) -> None:
    other = "me@work.example"
    for name, owner, mails in (
        ("Home", OWNER, MAILS),
        ("Work", other, ((ANN, 6, True), (f"Me <{OWNER}>", 7, True))),
    ):
        place = mailbox(tmp_path / name, *mails, owner=owner)
        assert run("connect", "--maildir", place, "--user", owner).code == 0
    found = document(run, "top-senders", "top-senders")
    assert [(one["address"], one["messages"], one["read"]) for one in found["senders"]] == [
        ("ann@friends.example", 4, 3),
        ("news@shop.example", 1, 0),
    ]
    one = document(run, "top-senders", "top-senders", "--account", f"maildir:{tmp_path / 'Work'}")
    assert [row["address"] for row in one["senders"]] == ["ann@friends.example", OWNER]


def test_every_interface_tells_the_same(sample: Sample, run: Run) -> None:
    over_http = sample.program.ok("GET", "/v1/email/top-senders", params={"limit": 3})
    assert sample.program.refused(422, "GET", "/v1/email/top-senders", params={"limit": 0})

    async def tool() -> Any:
        async with Client(create_agent_server(sample.app, lambda: sample.source)) as client:
            return (await client.call_tool("top_senders", {"limit": 3})).structured_content

    assert asyncio.run(tool()) == over_http
    printed = json.loads(run("top-senders", "--demo", "--limit", "3", "--json").out)  # on a day of its own
    assert [{**one, "last": ""} for one in printed["senders"]] == [
        {**one, "last": ""} for one in over_http["senders"]
    ]
    talk = Talk(sample.source)
    for line in ("who sends me the most mail?", "Show me my top senders"):
        told = talk.say(line).text
        assert told.startswith("Senders by number of messages")
        for row in over_http["senders"]:
            assert f"{row['address']} · {row['name']} · messages {row['messages']}" in told
