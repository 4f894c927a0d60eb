"""Our servers in the config files of MCP clients. Entries: `CLIENTS`, `client_file`, `install`, `uninstall`.

A file is changed by one entry, whole or not at all; one that changed meanwhile is left as it is.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_email_registry.json_edit import add_entry, remove_entry
from gaia_email_registry.private_file import write_private

MAX_FILE_BYTES = 5_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFile:
    """A client: its title, its file below the home by platform (`""` for any other), and where servers stand in it."""

    title: str
    paths: Mapping[str, str]
    section: str = "mcpServers"


CLIENTS = {
    "claude-desktop": ClientFile(
        title="Claude Desktop",
        paths={
            "darwin": "Library/Application Support/Claude/claude_desktop_config.json",
            "win32": "AppData/Roaming/Claude/claude_desktop_config.json",
            "": ".config/Claude/claude_desktop_config.json",
        },
    ),
    "claude-code": ClientFile(title="Claude Code", paths={"": ".claude.json"}),
    "cursor": ClientFile(title="Cursor", paths={"": ".cursor/mcp.json"}),
    "vscode": ClientFile(
        title="VS Code",
        paths={
            "darwin": "Library/Application Support/Code/User/mcp.json",
            "win32": "AppData/Roaming/Code/User/mcp.json",
            "": ".config/Code/User/mcp.json",
        },
        section="servers",
    ),
}
"""By the name that commands take; the places are those of each client's own documentation."""


def client_file(client: str, home: Path, platform: str) -> Path:
    """Where the client's file is, there or not."""
    paths = CLIENTS[client].paths
    return home / paths.get(platform, paths[""])


def install(path: Path, client: str, name: str, entry: Mapping[str, object]) -> None:
    """Add an entry to the client's file, which is made where it is missing.

    Raises:
        BadArgument: The file is not JSON of that form, or has an entry of that name.
        ProviderError: It cannot be read or written, or changed meanwhile; it is as it was.
    """
    _change(path, lambda text: add_entry(text, CLIENTS[client].section, name, entry))


def uninstall(path: Path, client: str, name: str) -> None:
    """Take an entry out of the client's file.

    Raises:
        NotFound: There is no such entry.
        BadArgument, ProviderError: As `install`.
    """
    _change(path, lambda text: remove_entry(text, CLIENTS[client].section, name))


def _change(path: Path, change: Callable[[str], str]) -> None:
    path = path.resolve()  # a link stays a link; what it points to is changed
    try:
        before = _read(path)
        after = change(before.decode("utf-8")).encode("utf-8")
        if _read(path) != before:
            raise ProviderError(f"{path} changed meanwhile and was left as it is; try again.")
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        write_private(path, after)
        os.chmod(path, mode)
    except UnicodeDecodeError:
        raise BadArgument(f"{path} is not UTF-8 text.") from None
    except (BadArgument, NotFound) as error:
        raise type(error)(f"{path}: {error.message}", argument=error.argument) from None
    except OSError as error:
        raise ProviderError(f"{path} cannot be changed: {error.strerror}.") from None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return b""
    if len(content) > MAX_FILE_BYTES:
        raise BadArgument("it is too large to be a list of servers.")
    return content
