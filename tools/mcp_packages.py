"""How MCP clients learn of our servers: `server.json` for registries, a manifest for bundles. Entry: `generate`.

Both are made from the settings table, so that neither can promise what a server does not take.
Formats: https://modelcontextprotocol.io/registry/package-types and MCPB's MANIFEST.md, version 0.4.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gaia_email_registry.setting_model import Setting, SettingGroup
from gaia_email_registry.settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path("packaging")
NAMESPACE = "io.github.gaia-email"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
ASKED = frozenset({"GAIA_READ_ONLY", "GAIA_NO_SEND"})
"""What every bundle asks its user about, beside where the mail is."""

_TYPES = {"switch": "boolean", "path": "string", "number": "number"}
_FORMATS = {"switch": "boolean", "path": "filepath", "number": "number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Packaged:
    """One mail server as others install it.

    Attributes:
        name: The name of its program.
        extra: The extra of the distribution that it needs; empty for none.
        group: The settings that are its own.
        title: What a person reads.
        says: What it is, in at most a hundred characters.
        asks: Settings that its bundle asks for, by environment variable.
    """

    name: str
    extra: str
    group: SettingGroup | None
    title: str
    says: str
    asks: tuple[str, ...] = ()


PACKAGED: Sequence[Packaged] = (
    Packaged(
        name="gaia-imap-mcp",
        extra="imap",
        group="imap",
        title="Mail over IMAP",
        says="Any IMAP mailbox: read, search, label and send, with undo; final actions need your approval.",
    ),
    Packaged(
        name="gaia-gmail-mcp",
        extra="gmail",
        group="gmail",
        title="Gmail",
        says="Gmail and Google Calendar with the same tools, and one request where others need a hundred.",
        asks=("GMAIL_OAUTH_PATH",),
    ),
    Packaged(
        name="gaia-graph-mcp",
        extra="graph",
        group="graph",
        title="Outlook and Microsoft 365",
        says="Outlook.com and Microsoft 365 over Graph, with the same tools as Gmail and IMAP.",
        asks=("GAIA_GRAPH_CLIENT_ID",),
    ),
    Packaged(
        name="gaia-local-mcp",
        extra="",
        group=None,
        title="Mail files",
        says="A Maildir, an mbox file (such as Google Takeout's) or a folder of .eml files on this machine.",
    ),
)


def generate() -> Iterator[tuple[Path, str]]:
    """A folder for each server, with its `server.json` and `manifest.json`."""
    for one in PACKAGED:
        yield FOLDER / one.name / "server.json", _text(server_json(one))
        yield FOLDER / one.name / "manifest.json", _text(manifest(one))


def project() -> Mapping[str, object]:
    """The `[project]` table of the distribution."""
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def requirement(one: Packaged) -> str:
    """What to install: the distribution with the server's extra, at this version."""
    extra = f"[{one.extra}]" if one.extra else ""
    return f"gaia-email{extra}=={project()['version']}"


def server_json(one: Packaged) -> dict[str, object]:
    """The entry for MCP's registry."""
    version = project()["version"]
    return {
        "$schema": SCHEMA,
        "name": f"{NAMESPACE}/{one.name}",
        "title": one.title,
        "description": one.says,
        "version": version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": "gaia-email",
                "version": version,
                "runtimeHint": "uvx",
                "runtimeArguments": [
                    {"type": "named", "name": "--from", "value": requirement(one)},
                    {"type": "positional", "value": one.name},
                ],
                "transport": {"type": "stdio"},
                "environmentVariables": [_variable(setting) for setting in settings_of(one)],
            }
        ],
    }


def manifest(one: Packaged) -> dict[str, object]:
    """The manifest of the bundle, which runs `server.py` beside it with uv."""
    asked = [setting for setting in settings_of(one) if setting.env in {*ASKED, *one.asks}]
    config = {setting.dest: _asked(setting) for setting in asked}
    arguments: list[str] = []
    if one.group is None:
        config = {"maildir": _maildir(), **config}
        arguments = ["--maildir", "${user_config.maildir}"]
    return {
        "manifest_version": "0.4",
        "name": one.name,
        "display_name": f"{one.title} (gaia-email)",
        "version": project()["version"],
        "description": one.says,
        "author": {"name": "The gaia-email developers"},
        "license": project()["license"],
        "keywords": project()["keywords"],
        "server": {
            "type": "uv",
            "entry_point": "server.py",
            "mcp_config": {
                "command": "uv",
                "args": ["run", "--directory", "${__dirname}", "server.py", *arguments],
                "env": {setting.env: f"${{user_config.{setting.dest}}}" for setting in asked},
            },
        },
        "tools_generated": True,
        "compatibility": {"platforms": ["darwin", "linux"], "runtimes": {"python": ">=3.11"}},
        "user_config": config,
    }


def settings_of(one: Packaged) -> list[Setting]:
    """The settings that the server takes, its own first."""
    own = [setting for setting in SETTINGS if setting.group == one.group]
    return own + [setting for setting in SETTINGS if setting.group in ("server", "everywhere")]


def _variable(setting: Setting) -> dict[str, object]:
    found: dict[str, object] = {
        "name": setting.env,
        "description": setting.help,
        "format": _FORMATS.get(setting.kind, "string"),
    }
    if setting.secret:
        found["isSecret"] = True
    if setting.choices:
        found["choices"] = list(setting.choices)
    return found


def _asked(setting: Setting) -> dict[str, object]:
    kind = "file" if setting.kind == "path" else _TYPES.get(setting.kind, "string")
    found: dict[str, object] = {
        "type": kind,
        "title": setting.dest.replace("_", " ").capitalize(),
        "description": setting.help,
        "required": False,
    }
    return {**found, "default": False if setting.kind == "switch" else ""}


def _maildir() -> dict[str, object]:
    return {
        "type": "directory",
        "title": "Maildir",
        "description": "The folder with cur, new and tmp, or a folder of such folders.",
        "required": True,
    }


def _text(value: Mapping[str, object]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
