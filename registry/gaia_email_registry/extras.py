"""The installed distribution and version, and the error for a missing extra.

Entries: `installed_version`, `missing_extra`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from gaia_email_registry.errors import BadArgument

MODULES: Mapping[str, str] = {"imapclient": "imap", "msal": "graph", "tzlocal": "graph", "openai": "models"}
"""The extra of `gaia-email` that provides each of these modules.

The dependencies of the extra `gmail` (httpx2, pyjwt) are always installed, because `mcp` needs them.
"""

_FOR: Mapping[str, str] = {
    "imap": "IMAP accounts",
    "graph": "Outlook and Microsoft 365 accounts",
    "models": "Local models",
}


DISTRIBUTIONS = ("gaia-email", "gaia-email-servers")
"""The whole program, and the mail servers alone."""


def installed_distribution() -> str:
    """Return the name of the distribution that this program belongs to."""
    from importlib.metadata import PackageNotFoundError, version

    for name in DISTRIBUTIONS:
        try:
            version(name)
        except PackageNotFoundError:
            continue
        return name
    return DISTRIBUTIONS[0]


def installed_version() -> str:
    """Return the version of the distribution that this program belongs to."""
    from importlib.metadata import version

    return version(installed_distribution())


def missing_extra(error: BaseException) -> BadArgument | None:
    """Return the error to show for a part of the program that is not installed; None for any other error.

    The import error may be wrapped in other errors.
    """
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if isinstance(cause, ModuleNotFoundError):
            extra = MODULES.get((cause.name or "").partition(".")[0])
            if extra is not None:
                return BadArgument(
                    f"{_FOR[extra]} need a part of gaia-email that is not installed.",
                    hint=f"{install_command(extra)}, then the same again.",
                )
        cause = cause.__cause__ or cause.__context__
    return None


def install_command(extra: str, prefix: str = sys.prefix) -> str:
    """Return the command that installs an extra, for the installer of the environment at `prefix`."""
    path, wanted = prefix.replace("\\", "/"), f"'{installed_distribution()}[{extra}]'"
    if "/pipx/" in path:
        return f"pipx install --force {wanted}"
    if "/uv/tools/" in path:
        return f"uv tool install {wanted}"
    return f"pip install {wanted}"
