"""The core finds plug-ins by their entry points and does without those whose folder is gone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from gaia_email import plugins
from gaia_email.plugins import ENTRY_POINTS, installed_plugins


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


def test_a_plugin_that_misses_a_library_says_so(
    found: list[EntryPoint], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    (tmp_path / "needy_plugin.py").write_text("import a_library_that_is_not_there\n", encoding="utf-8")
    found.append(entry("needy", "needy_plugin:PLUGIN"))
    with pytest.raises(ModuleNotFoundError, match="a_library_that_is_not_there"):
        installed_plugins()
