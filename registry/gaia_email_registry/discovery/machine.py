"""The view of a machine that collectors get: its platform, its environment and small files in one home.

Tests pass a home they have built. No file outside the home is opened, even through links, and nothing is written.
"""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, cast

from gaia_email_registry.providers import AccountServers

MAX_FILE_BYTES = 1_000_000
MAX_FILES = 200

Confidence = Literal["very high", "high", "medium"]

_ADDRESS = re.compile(
    r"[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9\-]{0,62})\.)+[A-Za-z][A-Za-z0-9\-]{1,62}"
)
_NOT_MAIL = re.compile(
    r"\A(?:no-?reply|do-?not-?reply|root|git|nobody|you|user|username|your\.?name|email)@"
    r"|@(?:[^@]*\.)?(?:example\.(?:com|org|net)|noreply\.github\.com|noreply\.gitlab\.com)\Z"
    r"|\.(?:local|localdomain|internal|lan|home|invalid|test|example)\Z",
    re.IGNORECASE,
)  # RFC 2606 and RFC 6762 names, and placeholder addresses of sample files and forges


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountTrace:
    """One trace of an account.

    Attributes:
        address: Its address.
        source: The program that has the account.
        where: The file or variable with the trace.
        confidence: Confidence in the trace.
        servers: Its mail servers and login name; None if the file has none. Never a password.
        aliases: Other addresses that its owner writes from.
    """

    address: str
    source: str
    where: str
    confidence: Confidence
    servers: AccountServers | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine as collectors see it; `platform` is a value of `sys.platform`."""

    home: Path
    platform: str = "linux"
    environ: Mapping[str, str] = field(default_factory=dict[str, str])

    def config(self, *parts: str) -> Path:
        """Return a path below the user's configuration directory (XDG base directories)."""
        given = self.environ.get("XDG_CONFIG_HOME", "").strip()
        return (Path(given) if given else self.home / ".config").joinpath(*parts)

    def read(self, path: Path) -> str:
        """Return the text of a file in the home; empty if missing, too large, not a regular file, or outside."""
        return self.read_bytes(path).decode("utf-8-sig", "replace")

    def read_bytes(self, path: Path, limit: int = MAX_FILE_BYTES) -> bytes:
        """Return the content of a file in the home; empty if missing, too large, not a regular file, or outside."""
        try:
            real = path.resolve()
            if not real.is_relative_to(self.home.resolve()) or not real.is_file():
                return b""
            with real.open("rb") as file:
                content = file.read(limit + 1)
        except (OSError, RuntimeError, ValueError):
            return b""
        return b"" if len(content) > limit else content

    def files(self, directory: Path, pattern: str) -> tuple[Path, ...]:
        """Return the matching files in a folder of the home, sorted by name; at most `MAX_FILES`."""
        try:
            if not directory.resolve().is_relative_to(self.home.resolve()):
                return ()
            return tuple(sorted(directory.glob(pattern))[:MAX_FILES])
        except (OSError, RuntimeError, ValueError):
            return ()

    def sections(self, path: Path) -> Mapping[str, Mapping[str, str]]:
        """Return the sections of an INI file, with option names in lower case; empty if it is damaged."""
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(self.read(path))
        except configparser.Error:
            return {}
        return {name: {key: value or "" for key, value in parser.items(name)} for name in parser.sections()}

    def signals(
        self,
        source: str,
        path: Path,
        address: str,
        *,
        confidence: Confidence = "high",
        servers: AccountServers | None = None,
        aliases: Iterable[str] = (),
    ) -> tuple[AccountTrace, ...]:
        """Return the trace of one account in a file; empty if `address` contains no personal address.

        Args:
            source: The program.
            path: Its file.
            address: Text with the account's address.
            confidence: Confidence in the trace.
            servers: Its mail servers, from `servers.servers`.
            aliases: Texts with other addresses of its owner.
        """
        found = mail_address(address)
        if not found:
            return ()
        own = dict.fromkeys(alias for text in aliases for alias in mail_addresses(text))
        return (
            AccountTrace(
                address=found,
                source=source,
                where=self.shorten(path),
                confidence=confidence,
                servers=replace(servers, user="") if servers and servers.user == found else servers,
                aliases=tuple(alias for alias in own if alias.casefold() != found.casefold()),
            ),
        )

    def shorten(self, path: Path) -> str:
        """Return a path relative to the home, as `~/…`."""
        return f"~/{path.relative_to(self.home).as_posix()}" if path.is_relative_to(self.home) else str(path)


def mapping(value: object) -> Mapping[str, object]:
    """Return a parsed value if it is an object or table; else an empty one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def mail_address(text: str) -> str:
    """Return the first address in a text if it can be personal, else an empty string."""
    found = _ADDRESS.search(text[:1000])
    return _personal(found.group()) if found else ""


def mail_addresses(text: str) -> tuple[str, ...]:
    """Return every address in a text that can be personal."""
    return tuple(own for found in _ADDRESS.findall(text[:10_000]) if (own := _personal(found)))


def first_address(texts: Iterable[str]) -> str:
    """Return the address in the first text that has one, or an empty string."""
    for text in texts:
        if address := mail_address(text):
            return address
    return ""


def _personal(address: str) -> str:
    if _NOT_MAIL.search(address):
        return ""
    name, _, domain = address.rpartition("@")
    return f"{name}@{domain.lower()}"
