"""Our servers in the config files of MCP clients: added, taken out, and nothing else touched."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from gaia_email_registry.client_files import CLIENTS, client_file, install, uninstall
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError

ENTRY = {"command": "/opt/gaia/bin/gaia-imap-mcp", "args": ["--account", "ada@posteo.de"]}
THEIRS = (
    b'{\r\n  // mine\r\n  "SECTION": {\r\n    "x": {"command": "npx"}\r\n  },\r\n  "theme": "dark"\r\n}\r\n'
)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_clients_file_is_byte_for_byte_and_mode_for_mode_as_before(
    tmp_path: Path, client: str, platform: str
) -> None:
    path = client_file(client, tmp_path, platform)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = THEIRS.replace(b"SECTION", CLIENTS[client].section.encode())
    path.write_bytes(before)
    path.chmod(0o644)
    install(path, client, "mail", ENTRY)
    assert b'"mail": {"command": "/opt/gaia/bin/gaia-imap-mcp"' in path.read_bytes()
    uninstall(path, client, "mail")
    assert path.read_bytes() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_without_a_file_gets_one(tmp_path: Path, client: str) -> None:
    path = client_file(client, tmp_path, "linux")
    install(path, client, "mail", ENTRY)
    assert json.loads(path.read_text()) == {CLIENTS[client].section: {"mail": ENTRY}}


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "mcp.json"
    real.write_text("{}")
    link.symlink_to(real)
    install(link, "cursor", "mail", ENTRY)
    assert link.is_symlink()
    assert "mail" in real.read_text()


@pytest.mark.parametrize("content", [b"[", b"\xff\xfe", b'{"mcpServers": {"mail": {}}}'])
def test_a_file_that_cannot_take_the_entry_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(content)
    with pytest.raises(BadArgument, match=r"mcp\.json"):
        install(path, "cursor", "mail", ENTRY)
    assert path.read_bytes() == content


def test_taking_out_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises((NotFound, BadArgument), match=r"mcp\.json"):
        path = tmp_path / "mcp.json"
        path.write_text("{}")
        uninstall(path, "cursor", "mail")


def test_a_change_by_the_client_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gaia_email_registry import client_files

    path = tmp_path / "mcp.json"
    path.write_text("{}")

    def slow(text: str, *_: object) -> str:
        path.write_text('{"theirs": 1}')
        return text + " "

    monkeypatch.setattr(client_files, "add_entry", slow)
    with pytest.raises(ProviderError, match="changed meanwhile"):
        install(path, "cursor", "mail", ENTRY)
    assert path.read_text() == '{"theirs": 1}'
