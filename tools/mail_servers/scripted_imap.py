"""A small IMAP server that is exactly as capable, deaf or wrong as a test says. Entry: `ScriptedImap`.

It obeys RFC 3501 strictly: a command of an extension that it does not announce is answered BAD, so a client
that uses one anyway is found out.
"""

from __future__ import annotations

import base64
import re
import socketserver
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tools.mail_servers.dovecot import PASSWORD
from tools.mail_servers.scripted_session import Session
from tools.mail_servers.scripted_store import Store

Assault = Callable[[str], Iterable[bytes]]
"""What is sent instead of an answer to the command with that tag, until it ends or the client has left."""


@dataclass(slots=True)
class Script:
    """How the server behaves; changed while it runs.

    Attributes:
        capabilities: Announced before login.
        capabilities_after: Announced after login; the same where None.
        password: What LOGIN and PLAIN take.
        tokens: What XOAUTH2 and OAUTHBEARER take; any other has expired.
        deaf_idle: IDLE is accepted and never says anything.
        answers: (pattern of a command line, what to answer) in order; once each. `{tag}` stands for its tag;
            an answer that begins with `* BYE` closes the connection, an empty one closes it without a word.
        rewrite: What becomes of each response before it is sent: as it is, or as a server with a quirk writes it.
        assaults: (pattern of a command line, what is sent then), every time; an empty pattern stands for the greeting.
        commands: What clients sent, without tags.
    """

    capabilities: Sequence[str] = ("IMAP4rev1",)
    capabilities_after: Sequence[str] | None = None
    password: str = PASSWORD
    tokens: set[str] = field(default_factory=set[str])
    deaf_idle: bool = False
    rewrite: Callable[[bytes], bytes] = bytes
    answers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    assaults: list[tuple[str, Assault]] = field(default_factory=list[tuple[str, Assault]])
    commands: list[str] = field(default_factory=list[str])
    logins: int = 0

    def has(self, extension: str, *, logged_in: bool = True) -> bool:
        """Whether an extension is announced (then)."""
        return extension in self.announced(logged_in)

    def announced(self, logged_in: bool) -> Sequence[str]:
        """What CAPABILITY says."""
        after = self.capabilities_after if logged_in else None
        return self.capabilities if after is None else after

    def answer_to(self, line: str) -> str | None:
        """The scripted answer to a command, which is thereby spent; None for the ordinary one."""
        for entry in self.answers:
            if re.search(entry[0], line, re.I):
                self.answers.remove(entry)
                return entry[1]
        return None

    def assault_on(self, line: str) -> Assault | None:
        """What is sent instead of any answer to a command; None for an answer."""
        found = (
            assault
            for pattern, assault in self.assaults
            if (re.search(pattern, line, re.I) if pattern else not line)
        )
        return next(found, None)

    def takes_token(self, blob: bytes) -> bool:
        """Whether an XOAUTH2 or OAUTHBEARER response holds a token that is good."""
        match = re.search(rb"auth=Bearer ([^\x01]+)", blob)
        return match is not None and match[1].decode() in self.tokens

    def takes_plain(self, blob: bytes) -> bool:
        """Whether a PLAIN response holds the password."""
        return blob.split(b"\0")[-1].decode() == self.password


def bearer(user: str, token: str) -> str:
    """What XOAUTH2 sends, as a test compares it."""
    return base64.b64encode(f"user={user}\x01auth=Bearer {token}\x01\x01".encode()).decode()


class ScriptedImap:
    """Runs in threads of its own; a context manager."""

    def __init__(self, script: Script | None = None, *, store: Store | None = None) -> None:
        self.script = script or Script()
        self.store = store if store is not None else Store(("Sent", "Trash"))
        self.accepted = 0
        sessions = self._sessions = set[Session]()

        def made(session: Session) -> None:
            self.accepted += 1
            sessions.add(session)

        self._server = _server(self.script, self.store, made, sessions.discard)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> ScriptedImap:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self.cut_all()
        self._server.server_close()
        self._thread.join()

    def cut_all(self) -> None:
        """Close every connection without a word."""
        for session in list(self._sessions):
            session.cut()
        self.store.touch()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = True


def _server(
    script: Script, store: Store, made: Callable[[Session], None], gone: Callable[[Session], None]
) -> _Server:
    class Handler(socketserver.StreamRequestHandler):
        disable_nagle_algorithm = True

        def handle(self) -> None:
            session = Session(self.rfile, self.wfile, self.connection, script, store)
            made(session)
            try:
                session.serve()
            except (OSError, ValueError):
                return  # the client went away, or the test cut the connection
            finally:
                gone(session)

        def finish(self) -> None:
            try:
                super().finish()
            except OSError:
                return

    return _Server(("127.0.0.1", 0), Handler)
