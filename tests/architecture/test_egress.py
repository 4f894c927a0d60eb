"""Nothing of ours opens a connection that the egress ledger does not know of."""

from __future__ import annotations

import ast
import re
import tomllib
from importlib import import_module
from inspect import getsource
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    path for folder in ("agent", "servers", "registry", "mail") for path in (ROOT / folder).rglob("*.py")
]

OPENS = re.compile(
    r"create_connection\(|open_connection\((?!sock=)|open_unix_connection\(|sock_connect\(|IMAP4_SSL\(|SMTP_SSL\("
    r"|streamable_http_client\(|sse_client\(|StreamableHttpTransport\(|AsyncClient\(|httpx2\.Client\(|urlopen\(|\bHTTPS?Connection\("
    r"|\brequests\.(?:get|post|Session)\b|resolver\.resolve\(|create_engine\(|system_database_url\b"
)
"""How a connection is opened, by the libraries that are used here."""


def scripts() -> dict[str, str]:
    found: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    return found


def test_whatever_opens_a_connection_counts_it() -> None:
    opening = [path for path in SOURCES if OPENS.search(path.read_text(encoding="utf-8"))]
    assert len(opening) > 6
    for path in opening:
        text = path.read_text(encoding="utf-8")
        # The guard counts what goes through `LocalTransport`, SQLAlchemy's pools tell `count_connections`.
        names = ("gaia_email_registry.egress", "LocalTransport", "count_connections")
        counted = any(name in text for name in names)
        assert counted, f"{path.relative_to(ROOT)} opens a connection and tells the egress ledger nothing"


@pytest.mark.parametrize("name", scripts())
def test_every_program_has_its_connections_written_down(name: str) -> None:
    path, _, function = scripts()[name].partition(":")
    module = import_module(path)
    parts = [part for part in (getattr(module, function), getattr(module, "_run", None)) if part is not None]
    called = {
        node.func.id
        for part in parts
        for node in ast.walk(ast.parse(dedent(getsource(part))))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "record" in called
