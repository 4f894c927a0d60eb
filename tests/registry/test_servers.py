"""`mcp_servers.json`, and where gaia-email keeps its data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gaia_email_registry import paths
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_email_registry.servers import HttpServer, StdioServer, parse_servers, read_servers
from gaia_email_registry.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_is_valid() -> None:
    servers = read_servers(ROOT / "mcp_servers.json.example")
    commands = [server.command for server in servers.values() if isinstance(server, StdioServer)]
    assert commands == [
        "gaia-local-mcp",
        "gaia-local-mcp",
        "gaia-imap-mcp",
        "gaia-imap-mcp",
        "gaia-gmail-mcp",
        "gaia-graph-mcp",
    ]
    assert len(servers) == len(commands)


def test_command_and_url_are_both_understood() -> None:
    servers = parse_servers(
        '{"mcpServers": {"a": {"command": "x", "args": ["--y"], "env": {"Z": "1"}}, "b": {"url": "http://h:1/mcp"}}}'
    )
    assert servers["a"] == StdioServer(command="x", args=("--y",), env={"Z": "1"}, name="a")
    assert servers["b"] == HttpServer(url="http://h:1/mcp", name="b")


@pytest.mark.parametrize(
    "server",
    [
        '{"command": "x", "env": {"GAIA_IMAP_PASSWORD": "hunter2"}}',
        '{"command": "x", "args": ["--api-key=abc"]}',
        '{"command": "x", "args": ["--token", "abc"]}',
        '{"url": "http://h/mcp", "headers": {"Authorization": "Bearer abc"}}',
        '{"url": "http://user:pw@h/mcp"}',
        '{"url": "http://h/mcp?api_key=hunter2"}',
        '{"command": "x", "env": {"GH": "ghp_hunter2hunter2hunter2"}}',
        '{"command": "x", "args": ["--gh", "ghp_hunter2hunter2hunter2"]}',
    ],
)
def test_secrets_are_refused_and_not_repeated(server: str) -> None:
    with pytest.raises(BadArgument, match="secret") as caught:
        parse_servers('{"mcpServers": {"mail": ' + server + "}}")
    assert not {"hunter2", "abc"} & set(caught.value.message.replace(".", " ").split())


@pytest.mark.parametrize(
    "server",
    [
        '{"command": "x", "env": {"A_TOKEN": "vault:file:ann@example.org"}}',
        '{"command": "x", "env": {"PLAIN": "vault:file:server/other/A_TOKEN"}}',
        '{"url": "http://h/mcp", "headers": {"Authorization": "Bearer vault:keyring:ann@example.org"}}',
    ],
)
def test_a_server_is_given_no_secret_that_was_kept_for_another(server: str) -> None:
    with pytest.raises(BadArgument, match="not a secret of this server"):
        parse_servers('{"mcpServers": {"mail": ' + server + "}}")


def test_headers_are_kept_and_must_fit_in_a_line() -> None:
    headers = '{"Authorization": "Bearer vault:file:server/a/Authorization", "X-Team": "mail"}'
    server = parse_servers(f'{{"mcpServers": {{"a": {{"url": "http://h/mcp", "headers": {headers}}}}}}}')["a"]
    assert isinstance(server, HttpServer)
    assert server.secret == "vault:file:server/a/Authorization" and server.headers == {"X-Team": "mail"}
    for bad in ({"X Team": "mail"}, {"X-Team": "mail\r\nX-Other: 1"}, {"X-Team": 1}):
        entries = {"a": {"url": "http://h/mcp", "headers": bad}}
        with pytest.raises(BadArgument, match="cannot be sent"):
            parse_servers(json.dumps({"mcpServers": entries}))


def test_where_a_secret_comes_from_is_no_secret() -> None:
    text = '{"mcpServers": {"a": {"command": "x", "env": {"GAIA_IMAP_PASSWORD_COMMAND": "pass show mail"}}}}'
    assert "a" in parse_servers(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[]", "braces"),
        ("{}", "mcpServers"),
        ('{"mcpServers": {"a": {}}}', "command"),
        ('{"mcpServers": {"a b": {"command": "x"}}}', "named"),
        ('{"mcpServers": {"a": {"command": "x", "args": "y"}}}', "args"),
        ('{"mcpServers": {"a": {"command": "x", "env": {"A": 1}}}}', "env"),
        ('{"mcpServers": {"a": {"url": "ftp://x"}}}', "url"),
        ("[" * 100_000, "JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(BadArgument, match=said):
        parse_servers(text)


def test_a_file_that_is_not_there_or_not_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_servers(tmp_path / "none.json")
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe")
    with pytest.raises(BadArgument, match="UTF-8"):
        read_servers(tmp_path / "bad.json")
    with pytest.raises(BadArgument, match="cannot be read"):
        read_servers(tmp_path)


def test_the_home_directory_is_where_it_was_put_and_not_made_by_looking(tmp_path: Path) -> None:
    home = paths.home({"GAIA_HOME": str(tmp_path / "g")})
    assert home == tmp_path / "g" and not home.exists()
    assert paths.home({}).name == ".gaia"
    assert paths.ensure_private_directory(home).stat().st_mode & 0o777 == 0o700


def test_settings_are_named_like_their_flags_and_no_secret_has_one() -> None:
    assert len({entry.env for entry in SETTINGS}) == len(SETTINGS)
    for entry in SETTINGS:
        assert entry.env.startswith(("GAIA_", "GMAIL_")) and entry.help.endswith(".")
        assert (entry.flag is None) == entry.secret
