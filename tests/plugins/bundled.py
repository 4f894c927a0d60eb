"""Plug-ins of this repository that a test of the whole product needs. Entries: `needs_plugin`, `is_whole`."""

from __future__ import annotations

import pytest

from gaia_email.plugins import installed_plugins


def is_installed(name: str) -> bool:
    """Tells whether a bundled plug-in is there; its folder may have been removed."""
    return name in {plugin.name for plugin in installed_plugins()}


BUNDLED = ("automations", "control", "evals", "gaia")


def is_whole() -> bool:
    """Tells whether every bundled plug-in is there."""
    return all(map(is_installed, BUNDLED))


def is_left_out(path: str) -> bool:
    """Tells whether a path of a source or a test belongs to a bundled plug-in that is not there."""
    gone = [name for name in BUNDLED if not is_installed(name)]
    return path.startswith(tuple(f"{top}/{name}/" for top in ("plugins", "tests/plugins") for name in gone))


def needs_plugin(name: str) -> pytest.MarkDecorator:
    """Skips a test without this plug-in."""
    return pytest.mark.skipif(not is_installed(name), reason=f"the plug-in {name} is not installed")
