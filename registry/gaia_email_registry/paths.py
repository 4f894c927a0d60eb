"""The location of gaia-email's data: `GAIA_HOME`, else `~/.gaia`. Entry: `home`.

Nothing is created at import; a program's `main` calls `ensure_private_directory` before it writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def home(environ: Mapping[str, str]) -> Path:
    """Return the absolute path of the data directory, which may not exist."""
    given = environ.get("GAIA_HOME", "").strip()
    return Path(given or "~/.gaia").expanduser().absolute()


def downloads(environ: Mapping[str, str]) -> Path:
    """Return the default directory for saved attachments."""
    return home(environ) / "downloads"


def servers_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the user's `mcp_servers.json`."""
    return home(environ) / "mcp_servers.json"


def approvals_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the database of pending questions from this user's servers."""
    return home(environ) / "approvals.db"


def discovery_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the results of the last search for mail accounts on this machine."""
    return home(environ) / "email" / "discovery.json"


def http_token_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the bearer token for servers on loopback, used if the user sets none."""
    return home(environ) / "http-token"


def ensure_private_directory(path: Path) -> Path:
    """Create `path` and its parents, readable by the owner only; an existing one is left unchanged.

    Raises:
        OSError: The directory cannot be created, or a file has its name.
    """
    if not path.parent.exists():  # `mkdir` creates parents that everyone can read
        ensure_private_directory(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def account_directory(environ: Mapping[str, str], account_id: str) -> Path:
    """Return the directory for cached data of an account; removed when it is disconnected."""
    from hashlib import sha256

    return home(environ) / "accounts" / sha256(account_id.encode()).hexdigest()[:16]
