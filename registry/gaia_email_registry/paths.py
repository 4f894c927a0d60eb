"""Where gaia-email keeps its data: `GAIA_HOME`, else `~/.gaia`. Entry: `home`.

Nothing is created at import; a program's `main` calls `ensure_private_directory` when it is about to write.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def home(environ: Mapping[str, str]) -> Path:
    """The data directory, absolute; it need not exist."""
    given = environ.get("GAIA_HOME", "").strip()
    return Path(given or "~/.gaia").expanduser().absolute()


def downloads(environ: Mapping[str, str]) -> Path:
    """Where attachments go when no directory was configured."""
    return home(environ) / "downloads"


def servers_file(environ: Mapping[str, str]) -> Path:
    """The user's `mcp_servers.json`."""
    return home(environ) / "mcp_servers.json"


def approvals_file(environ: Mapping[str, str]) -> Path:
    """Where the questions of this user's servers wait for an answer."""
    return home(environ) / "approvals.db"


def discovery_file(environ: Mapping[str, str]) -> Path:
    """What the last look for mail accounts on this machine found."""
    return home(environ) / "email" / "discovery.json"


def http_token_file(environ: Mapping[str, str]) -> Path:
    """Where the bearer token of servers on loopback is, when the user sets none."""
    return home(environ) / "http-token"


def ensure_private_directory(path: Path) -> Path:
    """Create `path` and its parents, readable by the owner only; an existing one is left as it is.

    Raises:
        OSError: It cannot be created, or a file stands in its place.
    """
    if not path.parent.exists():  # `mkdir` gives the parents it makes to everybody
        ensure_private_directory(path.parent)
    path.mkdir(mode=0o700, exist_ok=True)
    return path


def account_directory(environ: Mapping[str, str], account_id: str) -> Path:
    """Where what was read of an account is kept between runs; gone when it is disconnected."""
    from hashlib import sha256

    return home(environ) / "accounts" / sha256(account_id.encode()).hexdigest()[:16]
