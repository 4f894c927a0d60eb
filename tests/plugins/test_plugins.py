"""The core finds plug-ins by their entry points and does without those whose folder is gone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from gaia_email import plugins
from gaia_email.plugins import ENTRY_POINTS, installed_plugins
from gaia_email_registry.errors import ProviderError

ROOT = Path(__file__).resolve().parents[2]


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name=name, value=value, group=ENTRY_POINTS)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[EntryPoint]]:
    entries: list[EntryPoint] = []

    def of_group(*, group: str) -> EntryPoints:
        return EntryPoints(entries).select(group=group)

    monkeypatch.setattr("importlib.metadata.entry_points", of_group)
    installed_plugins.cache_clear()
    yield entries
    installed_plugins.cache_clear()


def test_plugins_come_in_the_order_of_their_names(
    found: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b", "a"):
        module = type(sys)(f"gaia_email_{name}")
        module.PLUGIN = plugins.Plugin(name=name, package=f"gaia_email_{name}")  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        found.append(entry(name, f"gaia_email_{name}:PLUGIN"))
    assert [plugin.name for plugin in installed_plugins()] == ["a", "b"]


def test_a_plugin_whose_folder_was_deleted_is_left_out(found: list[EntryPoint]) -> None:
    found.append(entry("gone", "gaia_email_gone.plugin:PLUGIN"))
    assert installed_plugins() == ()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "import a_library_that_is_not_there",
            "ModuleNotFoundError: No module named 'a_library_that_is_not_there'",
        ),
        ("1 / 0", "ZeroDivisionError"),
        ("PLUGIN = 1", "is no Plugin"),
    ],
)
def test_a_broken_plugin_is_named_with_the_way_to_remove_it(
    found: list[EntryPoint], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str, reason: str
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "needy_plugin", raising=False)
    (tmp_path / "needy_plugin.py").write_text(f"{code}\n", encoding="utf-8")
    found.append(entry("needy", "needy_plugin:PLUGIN"))
    with pytest.raises(ProviderError) as error:
        installed_plugins()
    assert "'needy'" in error.value.message and reason in error.value.message
    assert error.value.hint == "update it, or remove it: pip uninstall needy_plugin"


def test_one_module_of_another_distribution_adds_a_command_a_route_and_a_schema(tmp_path: Path) -> None:
    package = tmp_path / "gaia_email_hello"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "plugin.py").write_text(
        "from gaia_email.plugins import Plugin\n"
        'PLUGIN = Plugin(name="hello", package="gaia_email_hello", operations=("gaia_email_hello.words",))\n'
    )
    (package / "words.py").write_text(
        '''"""Counts the words of a text."""
from gaia_email.app import App
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_email.document import Document

class CountWordsInput(OperationInput, frozen=True, kw_only=True):
    """A text."""
    text: str = "one two"

class WordCount(Document, frozen=True, kw_only=True):
    """Number of words."""
    words: int

@operation(path="GET /v1/words", columns=("words",), cli=Command(name="count-words", heading="Tools"))
def count_words(app: App, call: OperationCall[CountWordsInput]) -> WordCount:
    """Count the words of a text."""
    return WordCount(words=len(call.asked.text.split()))
'''
    )
    metadata = tmp_path / "gaia_email_hello-1.dist-info"
    metadata.mkdir()
    (metadata / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\nhello = gaia_email_hello.plugin:PLUGIN\n")
    code = """
import subprocess
import sys
sys.path.insert(0, sys.argv[1])
from gaia_email.interfaces.cli.app import gaia
from gaia_email.interfaces.http.openapi import openapi
print("/v1/words" in openapi()["paths"])
for line in (["--help"], ["count-words", "--text", "a b c"], ["schema", "count-words"]):
    gaia.main(["email", *line], standalone_mode=False)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert ran.stdout.startswith("True\n")
    assert "count-words  Count the words of a text." in ran.stdout
    assert "\nwords\n3\n" in ran.stdout and '"title": "gaia email count-words"' in ran.stdout


def test_the_core_names_no_plugin() -> None:
    """Nothing below `plugins/` is needed to run the agent: it asks whatever is installed."""
    bundled = {path.name for path in (ROOT / "plugins").glob("*/gaia_email_*")}
    naming = {
        path.relative_to(ROOT).as_posix()
        for top in ("agent", "understanding", "mail", "registry", "servers")
        for path in (ROOT / top).rglob("*.py")
        if any(name in path.read_text(encoding="utf-8") for name in bundled)
    }
    assert naming == set()
