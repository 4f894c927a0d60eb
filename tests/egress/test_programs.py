"""The programs themselves write down what they open: a session of commands, against what a proxy saw."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.egress.recording_proxy import RecordingProxy
from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.scripted_imap import ScriptedImap
from tools.mail_servers.smtp_sink import SmtpSink

MAIN = "import sys; sys.argv[0] = 'gaia'; from gaia_email.faces.cli import main; main()"
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
