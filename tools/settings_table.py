"""Makes the settings page of the docs from the one settings table. Entry: `generate`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gaia_email_registry.settings import SETTINGS

TARGET = Path("docs/settings.md")

_INTRODUCTION = """\
# Settings

Each setting is an environment variable. Settings of mail servers are also flags, except secrets; a flag takes
precedence over the environment. This page is generated from `gaia_email_registry.settings`.

| environment variable | flag | for | default | description |
|---|---|---|---|---|
"""

_PROGRAMS = {
    "everywhere": "every program",
    "agent": "`gaia email`",
    "server": "mail servers",
    "imap": "`gaia-imap-mcp`",
    "gmail": "`gaia-gmail-mcp`",
    "graph": "`gaia-graph-mcp`",
}


def generate() -> Iterator[tuple[Path, str]]:
    """The file and its text."""
    rows = "".join(
        f"| `{entry.env}` | {f'`{entry.flag}`' if _has_flag(entry.env) else ''} | {_PROGRAMS[entry.group]} "
        f"| {entry.default} | {entry.help} |\n"
        for entry in SETTINGS
    )
    yield TARGET, _INTRODUCTION + rows


def _has_flag(env: str) -> bool:
    without = ("everywhere", "agent")
    return any(entry.env == env and entry.group not in without and not entry.secret for entry in SETTINGS)
