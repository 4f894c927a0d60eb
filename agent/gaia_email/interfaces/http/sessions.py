"""A person's session: opened by a code, proved by a cookie and a page key together. Entry point: `PersonSessions`.

All ports of a host share cookies, so any server on this machine may read or set ours. Only our page has the key: it is
stored for the page's origin and sent as a header, which no other page can do. Sessions are never written to disk: they
end with the program, which keeps only digests of their secrets.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from gaia_email.interfaces.http.refusal import HttpRefusal

CODE_S = 60.0
"""Seconds during which a code can open a session, once."""

IDLE_S = 3600.0
"""Seconds without a request after which a session ends."""

LONGEST_S = 12 * 3600.0
"""Maximum seconds of a session, regardless of its use."""

MOST_CODES, MOST_SESSIONS = 8, 16
"""Maximum numbers of codes and sessions; beyond them the oldest end."""

KEY_HEADER = b"x-gaia-key"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSession:
    """The page's credentials, returned once.

    Attributes:
        set_cookie: The value of the Set-Cookie header.
        page_key: The key that the page stores and sends as `X-Gaia-Key`.
    """

    set_cookie: str = field(repr=False)
    page_key: str = field(repr=False)


@dataclass(slots=True, kw_only=True)
class _Code:
    ends_at: float
    session_id: str = ""


@dataclass(slots=True, kw_only=True)
class _Session:
    cookie: bytes
    page_key: bytes
    began_at: float
    used_at: float


class PersonSessions:
    """The sessions of one program; none outlives it."""

    def __init__(
        self,
        *,
        port: int,
        secure: bool = False,
        idle_s: float = IDLE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start without sessions.

        Args:
            port: The program's port; part of the cookie's name, since ports share cookies.
            secure: True if the server speaks TLS; the cookie is then sent only over TLS.
            idle_s: Seconds without a request after which a session ends.
            clock: Monotonic clock in seconds.
        """
        self.cookie_name = f"{'__Host-' if secure else ''}gaia_session_{port}"
        self._secure = secure
        self._idle_s = idle_s
        self._clock = clock
        self._codes: dict[bytes, _Code] = {}
        self._sessions: dict[str, _Session] = {}

    def new_code(self) -> str:
        """Return a code that opens one session within a minute; only for a person's eyes or browser (`opening.py`)."""
        self._forget_ended()
        while len(self._codes) >= MOST_CODES:
            del self._codes[next(iter(self._codes))]
        code = secrets.token_urlsafe(24)
        self._codes[_digest(code)] = _Code(ends_at=self._clock() + CODE_S)
        return code

    def open(self, code: str) -> OpenedSession:
        """Open a session with a code.

        A code used a second time was seen by someone else, so the session that it opened ends. A page therefore removes
        the code from its URL before using it.

        Raises:
            HttpRefusal: The code does not exist, has expired, or was already used.
        """
        self._forget_ended()
        found = self._codes.get(_digest(code))
        if found is None or found.session_id:
            if found is not None:
                self.close(found.session_id)
            raise HttpRefusal(
                401,
                "bad_code",
                "This code is not valid: a code works once, within a minute.",
                hint="gaia email serve --open",
            )
        while len(self._sessions) >= MOST_SESSIONS:
            self.close(min(self._sessions, key=lambda session_id: self._sessions[session_id].used_at))
        cookie, page_key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        found.session_id = secrets.token_hex(8)
        now = self._clock()
        self._sessions[found.session_id] = _Session(
            cookie=_digest(cookie), page_key=_digest(page_key), began_at=now, used_at=now
        )
        secure = "; Secure" if self._secure else ""
        return OpenedSession(
            set_cookie=f"{self.cookie_name}={cookie}; HttpOnly; SameSite=Strict; Path=/{secure}",
            page_key=page_key,
        )

    def of_cookie(self, cookie: str) -> str | None:
        """Return the id of the session with this cookie, or None. A cookie alone does not prove who sent it."""
        self._forget_ended()
        given, found = _digest(cookie), None
        for session_id, session in self._sessions.items():
            if hmac.compare_digest(session.cookie, given):
                found = session_id
        return found

    def proves(self, session_id: str, page_key: str) -> bool:
        """Return True if this is the session's page key; the session then counts as used."""
        session = self._sessions.get(session_id)
        if session is None or not hmac.compare_digest(session.page_key, _digest(page_key)):
            return False
        session.used_at = self._clock()
        return True

    def is_open(self, session_id: str) -> bool:
        """Return True if the session is open, without counting as a use."""
        self._forget_ended()
        return session_id in self._sessions

    def close(self, session_id: str) -> None:
        """End a session; harmless if it has already ended."""
        self._sessions.pop(session_id, None)

    def close_all(self) -> None:
        """End every session and invalidate every code."""
        self._sessions.clear()
        self._codes.clear()

    def __len__(self) -> int:
        self._forget_ended()
        return len(self._sessions)

    def _forget_ended(self) -> None:
        now = self._clock()
        self._codes = {digest: code for digest, code in self._codes.items() if now < code.ends_at}
        self._sessions = {
            session_id: session
            for session_id, session in self._sessions.items()
            if now < session.used_at + self._idle_s and now < session.began_at + LONGEST_S
        }


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
