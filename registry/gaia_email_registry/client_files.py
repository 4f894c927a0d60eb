"""Edits the server lists of MCP clients and our own. Entries: `CLIENTS`, `client_file`, `install`, `change_file`.

Each edit changes one entry, completely or not at all; a file that changed in the meantime is left alone. The version
before the day's first change is kept under the same name with `.backup`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gaia_email_registry.errors import BadArgument, NotFound, ProviderError
from gaia_email_registry.json_edit import add_entry, entries_of, remove_entry
from gaia_email_registry.private_file import write_private

MAX_FILE_BYTES = 5_000_000

BACKUP_S = 86_400.0
"""Age in seconds at which the next change replaces a backup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFile:
    """A client: its title, its file below the home by platform (`""` for any other), and the section for servers."""

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
"""Clients by their command-line name; the paths are those of each client's own documentation."""


def client_file(client: str, home: Path, platform: str) -> Path:
    """Return the path of the client's file, which may not exist."""
    paths = CLIENTS[client].paths
    return home / paths.get(platform, paths[""])


def install(
    path: Path,
    client: str,
    name: str,
    entry: Mapping[str, object],
    *,
    instead_of: Mapping[str, object] | None = None,
) -> None:
    """Add an entry to the client's file, which is created if missing.

    Args:
        path: The file.
        client: The client that the file belongs to.
        name: The client's name for the server.
        entry: The command or URL of the server.
        instead_of: The existing entry of that name to replace; any other one is kept.

    Raises:
        BadArgument: The file is not JSON of that form, or has another entry of that name.
        ProviderError: The file cannot be read or written, or changed in the meantime; it is left unchanged.
    """
    section = CLIENTS[client].section

    def change(text: str) -> str:
        if instead_of is not None and entries_of(text, section).get(name) == instead_of:
            text = remove_entry(text, section, name)
        return add_entry(text, section, name, entry)

    change_file(path, change)


def uninstall(path: Path, client: str, name: str) -> None:
    """Remove an entry from the client's file.

    Raises:
        NotFound: There is no such entry.
        BadArgument, ProviderError: As in `install`.
    """
    change_file(path, lambda text: remove_entry(text, CLIENTS[client].section, name))


def client_entries(client: str, home: Path, platform: str) -> Mapping[str, Mapping[str, object]]:
    """Return the servers in a client's file by name; empty if there is no file.

    Raises:
        BadArgument: The file is not JSON of that form.
        ProviderError: The file cannot be read.
    """
    path = client_file(client, home, platform)
    try:
        text = _read(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadArgument(f"{path} is not UTF-8 text.") from None
    except OSError as error:
        raise ProviderError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return entries_of(text, CLIENTS[client].section) if text.strip() else {}
    except BadArgument as error:
        raise BadArgument(f"{path}: {error.message}", argument=error.argument) from None


def change_file(path: Path, change: Callable[[str], str]) -> None:
    """Replace a file's text by the result of `change`.

    Raises:
        BadArgument, NotFound: `change` rejects the text; the file is left unchanged.
        ProviderError: The file cannot be read or written, or changed in the meantime; it is left unchanged.
    """
    path = path.resolve()  # a link stays a link; its target is changed
    try:
        before = _read(path)
        after = change(before.decode("utf-8")).encode("utf-8")
        if _read(path) != before:
            raise ProviderError(f"{path} changed meanwhile and was left unchanged; try again.")
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
        _back_up(path, before)
        write_private(path, after)
        os.chmod(path, mode)
    except UnicodeDecodeError:
        raise BadArgument(f"{path} is not UTF-8 text.") from None
    except (BadArgument, NotFound) as error:
        raise type(error)(f"{path}: {error.message}", argument=error.argument) from None
    except OSError as error:
        raise ProviderError(f"{path} cannot be changed: {error.strerror}.") from None


def _back_up(path: Path, content: bytes) -> None:
    backup = path.with_name(f"{path.name}.backup")
    try:
        fresh = time.time() - backup.stat().st_mtime < BACKUP_S
    except FileNotFoundError:
        fresh = False
    if content and not fresh:
        write_private(backup, content)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return b""
    if len(content) > MAX_FILE_BYTES:
        raise BadArgument("it is too large to be a list of servers.")
    return content
