"""The address of a model server: `ModelServerAddress`, read from a URL by `read_address`, on this machine only.

No name is ever resolved: `localhost` means 127.0.0.1 whatever the hosts file says, and any other name is refused, so
that no name server can send mail elsewhere (DNS rebinding).
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from gaia_email_registry.errors import BadArgument

_LOCAL_NAMES = ("localhost", "localhost.")
_SETTING = "GAIA_MODEL_BASE_URL"
_EXAMPLE = "It looks like http://127.0.0.1:8080/v1, or unix:/run/user/1000/model.sock for a socket."


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServerAddress:
    """An address on this machine: a loopback host and port, or a Unix socket, plus the path of its OpenAI API.

    Attributes:
        host: A numeric loopback address; empty for a Unix socket.
        port: Its port; 0 for a Unix socket.
        socket: The path of a Unix socket; empty for TCP.
        api: The path before `/chat/completions`, such as `/v1`, without a slash at its end.
    """

    host: str = ""
    port: int = 0
    socket: str = ""
    api: str = "/v1"

    def __str__(self) -> str:
        return f"unix:{self.socket}" if self.socket else f"{self.authority}{self.api}"

    @property
    def authority(self) -> str:
        """`http://127.0.0.1:8080`; for a Unix socket a placeholder that is never resolved."""
        if self.socket:
            return "http://localhost"
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"

    @property
    def place(self) -> str:
        """The address without the API's path, to which the user's trust is bound."""
        return f"unix:{self.socket}" if self.socket else self.authority

    @property
    def base_url(self) -> str:
        """The base URL for the OpenAI client."""
        return f"{self.authority}{self.api}"


def read_address(url: str) -> ModelServerAddress:
    """Return the address in a URL.

    Raises:
        BadArgument: It is not on this machine, or the URL is invalid; the message says which.
    """
    text = url.strip()
    if text.startswith("unix:"):
        return _unix(text)
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise _refused("is no URL", url) from None
    if parts.scheme != "http":
        raise _refused("does not begin with http:// (on this machine nothing needs https)", url)
    if parts.username is not None or parts.password is not None:
        raise _refused("names a user or a password", url)
    if parts.query or parts.fragment:
        raise _refused("has a ? or a # in it", url)
    numeric = loopback(host)
    if numeric is None:
        raise _refused("is not an address of this machine", url)
    return ModelServerAddress(host=numeric, port=port or 80, api=parts.path.rstrip("/") or "/v1")


def loopback(host: str) -> str | None:
    """Return the numeric loopback address of `host`, or None for every other host, name or spelling.

    Only plain spellings count: programs read `127.1`, `0x7f000001`, `2130706433` and scope ids differently, so these
    are refused; `0.0.0.0` is not a loopback address (RFC 1122, 3.2.1.3).
    """
    if host.lower() in _LOCAL_NAMES:
        return "127.0.0.1"
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        if found.scope_id is not None:
            return None
        mapped = found.ipv4_mapped
        if mapped is not None:
            return str(mapped) if mapped.is_loopback else None
    return str(found) if found.is_loopback else None


def _unix(text: str) -> ModelServerAddress:
    path = unquote(text.removeprefix("unix:"))
    path = path[2:] if path.startswith("///") else path
    if not path.startswith("/") or path.startswith("//") or "\0" in path:
        raise _refused("does not name a socket by its whole path", text)
    return ModelServerAddress(socket=path)


def _refused(why: str, url: str) -> BadArgument:
    return BadArgument(
        f"{url[:80]!r} {why}; mail is shown only to models on this machine.",
        hint=f"{_EXAMPLE}",
        argument=_SETTING,
    )
