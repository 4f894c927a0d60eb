"""The programs themselves write down what they open: a session of commands, against what a proxy saw."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from gaia_email.app import App
from gaia_email.app.services.scripts import let_scripts_answer
from gaia_email.mailbox.tool_calls import call_tool, open_session
from gaia_email_registry.servers import StdioServer
from tests.egress.recording_proxy import RecordingProxy
from tests.models.in_thread import listening
from tests.models.model_server import ModelServer, lemonade
from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.scripted_imap import ScriptedImap
from tools.mail_servers.smtp_sink import SmtpSink

MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.interfaces.cli import main; main()"
LISTEN = """
import os, sys
def hear(event, details):
    if event == "socket.connect" and isinstance(details[1], tuple):
        with open(os.environ["HEARD"], "a") as file:
            file.write(f"{details[1][0]}:{details[1][1]}\\n")
sys.addaudithook(hear)
"""
"""What Python itself tells of every connection, whoever opens it (https://docs.python.org/3/library/audit_events.html)."""

BYE = 100
"""Bytes of a good-bye at most, which a client that leaves does not wait for."""


def test_a_session_of_commands_is_in_the_ledger_as_a_proxy_saw_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_VAULT", "file")
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))

    def run(*words: str) -> str:
        command = [sys.executable, "-c", MAIN, "email", *words]
        ran = subprocess.run(command, capture_output=True, text=True, input=PASSWORD + "\n", check=False)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    with (
        ScriptedImap() as imap,
        SmtpSink() as smtp,
        RecordingProxy(imap.port) as reading,
        RecordingProxy(smtp.port) as sending,
    ):
        run(
            *("connect", "--email", "me@example.org", "--imap-host", "127.0.0.1", "--imap-security", "none"),
            *("--imap-port", str(reading.port), "--smtp-host", "127.0.0.1", "--smtp-security", "none"),
            *("--smtp-port", str(sending.port)),
        )
        for command in ("inbox", "inbox", "status"):
            run(command, "--json")
        told = json.loads(run("egress", "--all", "--json"))["connections"]
    assert {(one["program"], one["account"], one["host"], one["open"]) for one in told} == {
        ("gaia", "me@example.org", "127.0.0.1", False)
    }
    for why, proxy in (("mail", reading), ("send", sending)):
        rows = sorted((one["sent"], one["received"]) for one in told if one["why"] == why)
        assert [sent for sent, _ in rows] == [sent for sent, _ in proxy.totals] != []
        received, seen = sum(one for _, one in rows), sum(one for _, one in proxy.totals)
        assert received <= seen <= received + BYE * len(rows)
    everything = b"".join(path.read_bytes() for path in (tmp_path / "home").glob("egress*"))
    assert PASSWORD.encode() not in everything and os.stat(tmp_path / "home" / "egress.jsonl").st_size > 0


def test_no_library_opens_a_connection_behind_the_ledgers_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = tmp_path / "heard"
    for name, value in (("GAIA_VAULT", "file"), ("GAIA_HOME", str(tmp_path / "home")), ("HEARD", str(heard))):
        monkeypatch.setenv(name, value)

    def run(*words: str) -> str:
        command = [sys.executable, "-c", LISTEN + MAIN, "email", *words]
        ran = subprocess.run(command, capture_output=True, text=True, input=PASSWORD + "\n", check=False)
        assert ran.returncode in (0, 1), ran.stderr
        return ran.stdout

    with ScriptedImap() as imap, listening(ModelServer(pages=lemonade(("m", "llamacpp")))) as models:
        imap.store.put(b"From: Ann <ann@example.org>\r\nSubject: Roof\r\n\r\nCan you call me today?\r\n")
        run(
            *("connect", "--email", "me@example.org", "--imap-host", "127.0.0.1", "--imap-security", "none"),
            *("--imap-port", str(imap.port)),
        )
        let_scripts_answer(App(), answer=True)
        monkeypatch.setenv("GAIA_MODEL_BASE_URL", f"http://127.0.0.1:{models.address.port}/v1")
        for words in (
            ("triage", "--apply", "--yes"),
            ("models", "list"),
            ("doctor", "--offline"),
            (
                "schedule",
                "add",
                "triage",
                "--account",
                "me@example.org",
                "--cron",
                "0 7 * * *",
                "--zone",
                "UTC",
            ),
            ("disconnect", "me@example.org"),
        ):
            run(*words)
        _ask_the_server(imap.port)
        told = json.loads(run("egress", "--all", "--json"))["connections"]
    opened = Counter(heard.read_text().split())
    assert Counter(f"{one['host']}:{one['port']}" for one in told) == opened
    assert {one["program"] for one in told} == {"gaia", "gaia-imap-mcp"}
    assert {one["why"] for one in told} == {"mail", "model"}


def _ask_the_server(port: int) -> None:
    """An MCP client starts `gaia-imap-mcp` and asks it something."""
    server = StdioServer(
        command=sys.executable,
        args=("-c", LISTEN + "from gaia_imap_mcp.server import main; main()"),
        env={
            "GAIA_IMAP_HOST": "127.0.0.1",
            "GAIA_IMAP_PORT": str(port),
            "GAIA_IMAP_SECURITY": "none",
            "GAIA_IMAP_USER": "me",
            "GAIA_IMAP_PASSWORD": PASSWORD,
            "HEARD": os.environ["HEARD"],
        },
    )

    async def asked() -> str:
        async with open_session(server) as session:
            answer = await call_tool(session, "server_status", {})
            return answer.text if answer.is_error else ""

    assert asyncio.run(asked()) == ""
