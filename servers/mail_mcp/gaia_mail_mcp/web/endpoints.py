"""Service URLs from the environment, for tests and private gateways. Entry: `service_root`."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from gaia_email_registry.errors import BadArgument

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def service_root(name: str, environ: Mapping[str, str]) -> str:
    """Return the URL in a variable; empty if it is not set.

    Raises:
        BadArgument: It is not a URL, or would send a login unencrypted beyond this machine.
    """
    given = environ.get(name, "").strip().rstrip("/")
    if not given:
        return ""
    parts = urlsplit(given)
    safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    if not safe or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise BadArgument(f"{name} must be an https URL (http only on this machine).", argument=name)
    return given
