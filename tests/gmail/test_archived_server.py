"""The same calls to the archived server and to ours: what each answers, to the letter.

`archived_server.json` holds the calls, in order, with what Gmail-MCP-Server 1.1.11 answered them when it was run on our
emulator. Where we answer otherwise on purpose, `ours` says what and `why`. With `pytest -m emulate` the archived
server is fetched and asked again.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from gaia_gmail_mcp.server import SERVER
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.gmail.archived import install, node_server
from tests.gmail.emulator.emulator import EVERY_SCOPE, Emulator

Json = dict[str, Any]
CALLS: list[Json] = json.loads(Path(__file__).with_name("archived_server.json").read_text(encoding="utf-8"))
TEXT, HTML = "Content-Type: text/plain; charset=utf-8", "Content-Type: text/html; charset=utf-8"
WHEN = "Date: Mon, 2 Mar 2026 09:00:00 +0000"
MIXED, OTHERS = "Content-Type: multipart/mixed; boundary=b", "Content-Type: multipart/alternative; boundary=b"


def _message(*head: str, body: str = "Hello\r\n", sender: str = "Ann <ann@example.com>") -> bytes:
    lines = [f"From: {sender}", "To: me@example.org", *head]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def _parts(*parts: tuple[str, str]) -> str:
    return "".join(f"--b\r\n{head}\r\n\r\n{body}\r\n" for head, body in parts) + "--b--\r\n"


FILE = 'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="a.pdf"'
MESSAGES = {
    "plain": _message(
        "Subject: Plain", WHEN, "Message-ID: <plain@example.com>", TEXT, body="Hello\r\nthere\r\n"
    ),
    "quoted": _message("Subject: Named", f"{WHEN} (UTC)", TEXT, sender='"Doe, John" <john@example.com>'),
    "other-date": _message("Subject: GMT", "Date: 2 Mar 2026 09:00:00 GMT", sender="<bare@example.com>"),
    "bare": _message(sender="bare@example.com"),
    "non-ascii": _message("Subject: =?utf-8?b?w5xiZXJzaWNodA==?=", WHEN, TEXT, body="Grüße\r\n"),
    "alternative": _message(
        "Subject: Two", WHEN, OTHERS, body=_parts((TEXT, "plain"), (HTML, "<p>html</p>"))
    ),
    "html": _message("Subject: Only HTML", WHEN, HTML, body="<p>Hi &amp; bye</p>\r\n"),
    "stub": _message("Subject: Stub", WHEN, OTHERS, body=_parts((TEXT, " "), (HTML, "<p>Real</p>"))),
    "files": _message(
        "Subject: Files", WHEN, MIXED, body=_parts((TEXT, "See file."), (FILE, "ABC" * 500), (TEXT, "More."))
    ),
    "folded": _message("Subject: A folded\r\n subject", WHEN, TEXT),
    "empty": _message("Subject: Empty", WHEN, body=""),
}


async def _prepared(home: Path) -> tuple[Emulator, dict[str, str]]:
    """A started emulator with the messages, its files in `home`, and what stands for what in the calls."""
    emulator = Emulator()
    names: dict[str, str] = {"home": str(home), "gone": "18f00000000fffff"}
    for number, (name, raw) in enumerate(MESSAGES.items(), 1):
        emulator.account.mailbox.put(raw, ("INBOX", "UNREAD"))
        names[name] = emulator.account.outer(f"m{number}")
    await emulator.start()
    emulator.oauth.scope = EVERY_SCOPE
    keys = {"client_id": emulator.oauth.client_id, "client_secret": emulator.oauth.client_secret}
    login = {
        "access_token": emulator.oauth.issue(EVERY_SCOPE),
        "refresh_token": emulator.oauth.refresh_token,
        "scope": EVERY_SCOPE,
        "token_type": "Bearer",
        "expiry_date": 4_000_000_000_000,
    }
    folder = home / ".gmail-mcp"
    folder.mkdir(parents=True)
    (home / "note.txt").write_text("A note.")
    (folder / "gcp-oauth.keys.json").write_text(json.dumps({"installed": keys}))
    (folder / "credentials.json").write_text(json.dumps(login))
    return emulator, names


async def _answers(client: Client[Any], names: Mapping[str, str]) -> list[str]:
    """The text of every call's answer, with the names in place of what they stand for."""
    texts: list[str] = []
    for call in CALLS:
        arguments = json.loads(_filled(json.dumps(call["arguments"]), names))
        found = await client.call_tool(call["tool"], arguments, raise_on_error=False)
        texts.append("".join(item.text for item in found.content if item.type == "text"))
    return texts


def _filled(text: str, names: Mapping[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _compared(texts: list[str], names: Mapping[str, str], expected: Callable[[Json], Any]) -> None:
    wrong = [
        f"{call['tool']} {call['arguments']}\n  {text!r}\n  {_filled(expected(call), names)!r}"
        for call, text in zip(CALLS, texts, strict=True)
        if text != _filled(expected(call), names)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_answer_is_the_archived_servers_or_differs_as_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        emulator, names = await _prepared(tmp_path)
        monkeypatch.setenv("HOME", str(tmp_path))
        environ = {"GAIA_GMAIL_API_ROOT": emulator.root, "GAIA_HOME": str(tmp_path / ".gaia")}
        settings = SurfaceSettings(approval=CALLER, download_dir=tmp_path, attachment_dir=tmp_path)
        try:
            async with Client(create_server(SERVER.source(SERVER.login_of("", environ)), settings)) as client:
                _compared(
                    await _answers(client, names), names, lambda call: call.get("ours", call["archived"])
                )
        finally:
            await emulator.aclose()

    asyncio.run(main())


def test_what_differs_is_said_why() -> None:
    assert len({call["tool"] for call in CALLS}) == 19
    for call in CALLS:
        assert ("ours" in call) == bool(call.get("why")), call
        assert call.get("ours") != call["archived"], call


@pytest.mark.emulate
@pytest.mark.timeout(300)
def test_the_archived_server_answers_as_recorded(tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        pytest.skip("npm is not here")
    install(tmp_path / "node")

    async def main() -> None:
        emulator, names = await _prepared(tmp_path / "home")
        try:
            async with Client(node_server(tmp_path / "node", tmp_path / "home", emulator.root)) as client:
                _compared(await _answers(client, names), names, lambda call: call["archived"])
        finally:
            emulator.violations.clear()  # those of the other program
            await emulator.aclose()

    asyncio.run(main())
