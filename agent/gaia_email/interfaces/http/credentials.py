"""Callers over HTTP and their permissions. Entry points: `HttpCredentials`, `Principal`.

| caller | proof | permissions |
|---|---|---|
| a program of the user's | the API token, from a file that only the user can read | read, draft, act; never decide |
| a person | a session's cookie and the page's key, together | the same, and decide |
| a program elsewhere | an API key | its scopes |
| an agent of another program | the key of its grant | what its plug-in allows, and nothing else |
| not yet authenticated | a session's cookie alone | see the empty frame |

Only a person decides: approves, confirms, raises a level, resumes, trusts a model. A model may have the token.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from gaia_email.app.services.api_keys import ApiKeys, KeyScope
from gaia_email.interfaces.http.bounds import header_values
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email.interfaces.http.sessions import KEY_HEADER, PersonSessions
from gaia_email.interfaces.scoped import RouteScope
from gaia_email_registry import origin as origins
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin
from gaia_email_registry.paths import home
from gaia_email_registry.token_file import given_token, token_in_file

if TYPE_CHECKING:
    from starlette.types import Scope as AsgiScope

PrincipalKind = Literal["token", "person", "key", "agent", "cookie"]

_ASKERS: Mapping[PrincipalKind, origins.PrincipalKind] = {
    "token": "api_token",
    "person": "person",
    "key": "api_key",
    "agent": "agent",
    "cookie": "unknown",
}

ALL: frozenset[KeyScope] = frozenset({"read", "draft", "act"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """An authenticated caller.

    Attributes:
        kind: The kind of proof.
        name: Name for rates and for `actor` in the event log; contains no secret.
        proof: The session, key or version of the token; not a secret, either.
        scopes: The scopes granted.
        decides: True if their yes counts as a person's.
        agent_id: The agent of another program; empty for others.
        hosts: True for the host that started this program.
        title: The name that the user gave a key; empty for others.
    """

    kind: PrincipalKind
    name: str
    proof: str = ""
    scopes: frozenset[KeyScope] = ALL
    decides: bool = False
    agent_id: str = ""
    hosts: bool = False
    title: str = ""

    @property
    def origin(self) -> RequestOrigin:
        """Origin of the caller's requests."""
        return RequestOrigin(principal=_ASKERS[self.kind], interface="http", name=self.title or self.agent_id)

    def check_proved(self) -> None:
        """Refuse a cookie without its key.

        Raises:
            HttpRefusal: Status 401.
        """
        if self.kind == "cookie":
            raise HttpRefusal(
                401,
                "needs_key",
                "The page key is missing.",
                hint="open the page anew: gaia email serve --open",
            )

    def need(self, need: RouteScope, *, page: str = "") -> None:
        """Refuse a caller without the needed permission.

        Args:
            need: The scope that the route requires.
            page: The URL of the page on which a person can do it.

        Raises:
            HttpRefusal: Status 403, or 401 for a cookie without its key.
        """
        self.check_proved()
        if need == "decide":
            if not self.decides:
                raise HttpRefusal(
                    403,
                    "needs_person",
                    "Only a person can do this, on the page or in the terminal.",
                    hint=page or "gaia email serve --open",
                )
        elif need == "host":
            if not (self.decides or self.hosts):
                raise HttpRefusal(
                    403,
                    "needs_person",
                    "Only a person connects a mailbox, or the host that started this program.",
                    hint=page or "gaia email connect",
                )
        elif need == "control":
            if self.kind != "agent":
                self._need_scope("read")
        elif need != "open" and need != "own":
            self._need_scope(need)

    def _need_scope(self, need: KeyScope) -> None:
        if need not in self.scopes:
            raise HttpRefusal(
                403,
                "needs_scope",
                f"This key does not have the scope {need}.",
                hint="gaia email serve keys add",
            )


class ApiToken:
    """The API token of a running program. It follows its file: after the file is replaced, the old token is invalid."""

    def __init__(self, path: Path, *, given: bool = False) -> None:
        """Read the token; create it if it does not exist.

        Args:
            path: The token's file.
            given: True if a host made the token for this program alone; it is then read once and never created or
                replaced.

        Raises:
            BadArgument: Others can read the file, it cannot be created, the token is guessable, or the host's token is
                missing.
        """
        self.path = path
        self._token = given_token(path).encode() if given else b""
        self._given = given
        self._read_as: tuple[int, ...] | None = None
        self._made = 0
        if not given:
            token_in_file(path)
            self._follow()

    @property
    def is_given(self) -> bool:
        """True if a host made the token for this program alone."""
        return self._given

    def match(self, given: bytes) -> str:
        """Return the version of the token if `given` matches it, or else an empty text. Compares in constant time."""
        self._follow()
        return str(self._made) if self._token and hmac.compare_digest(self._token, given) else ""

    def _follow(self) -> None:
        if self._given:
            return
        found = self._signature()
        if found == self._read_as:
            return
        try:
            self._token = token_in_file(self.path).encode() if found else b""
        except BadArgument:  # others can read it by now
            self._token = b""
        self._read_as = found
        self._made += 1

    @property
    def made(self) -> str:
        """Version of the token, which changes with the file."""
        self._follow()
        return str(self._made)

    def _signature(self) -> tuple[int, ...] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_ino, found.st_mode, found.st_uid


def api_token_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the API token; the agent's MCP server over HTTP uses the same token."""
    return home(environ) / "email" / "agent-http-token"


class AgentKey(Protocol):
    """The valid key of another program's agent."""

    @property
    def agent_id(self) -> str:
        """The agent."""
        ...

    @property
    def key_id(self) -> str:
        """The public part of the key."""
        ...


class AgentKeys(Protocol):
    """The keys of other programs' agents."""

    def of_key(self, given: str) -> AgentKey | None:
        """Return the agent with this key; None if the key is not valid."""
        ...

    def knows(self, key_id: str) -> bool:
        """Return True if a grant with this key still exists."""
        ...


class HttpCredentials:
    """Every credential that a server accepts; None for a kind that it does not accept."""

    def __init__(
        self,
        *,
        token: ApiToken | None = None,
        sessions: PersonSessions | None = None,
        keys: ApiKeys | None = None,
        agents: Sequence[AgentKeys] = (),
        token_decides: bool = False,
    ) -> None:
        """Accept these credentials.

        Args:
            token: The API token.
            sessions: The person's sessions.
            keys: API keys.
            agents: The keys of agents.
            token_decides: `--approve host`: the token's yes counts as a person's, regardless of its holder.
        """
        self.token = token
        self.sessions = sessions
        self.keys = keys
        self.agents = agents
        self._token_decides = token_decides

    def principal(self, scope: AsgiScope) -> Principal | None:
        """Return the caller; None if no credentials were sent.

        Raises:
            HttpRefusal: The credentials are invalid, or two kinds were sent at once.
        """
        bearer = header_values(scope, b"authorization")
        page_keys = header_values(scope, KEY_HEADER)
        if bearer and page_keys:
            raise self.build_refusal("Send a token or a session, not both.")
        if bearer:
            return self._by_bearer(bearer)
        return self._by_session(scope, page_keys)

    def build_refusal(self, message: str, *, kind: str = "bad_credentials") -> HttpRefusal:
        """Return the refusal for missing or invalid credentials: how to send them, but not where the token is."""
        hints: list[str] = []
        if self.token is not None:
            hints.append(
                "a program sends the token from the file that was named at the start as a bearer token"
            )
        if self.sessions is not None:
            hints.append("a person opens the page by gaia email serve --open")
        return HttpRefusal(401, kind, message, hint="; ".join(hints), headers={"www-authenticate": "Bearer"})

    def still_holds(self, principal: Principal) -> bool:
        """Return True if the credential is still valid; check it from time to time during a long answer."""
        if principal.kind == "token":
            return self.token is not None and self.token.made == principal.proof
        if principal.kind == "person":
            return self.sessions is not None and self.sessions.is_open(principal.proof)
        if principal.kind == "agent":
            return any(keys.knows(principal.proof) for keys in self.agents)
        return principal.kind == "key" and self.keys is not None and self.keys.knows(principal.proof)

    def _by_bearer(self, values: list[bytes]) -> Principal:
        scheme, _, given = values[0].partition(b" ")
        if len(values) == 1 and scheme.lower() == b"bearer":
            made = "" if self.token is None else self.token.match(given)
            if made:
                hosts = self.token is not None and self.token.is_given
                return Principal(
                    kind="token", name="token", proof=made, decides=self._token_decides, hosts=hosts
                )
            key = None if self.keys is None else self.keys.match(given.decode("latin-1"))
            if key is not None:
                return Principal(
                    kind="key",
                    name=f"key {key.id}",
                    proof=key.id,
                    scopes=frozenset(key.scopes),
                    title=key.name,
                )
            agent = self._agent(given.decode("latin-1"))
            if agent is not None:
                return Principal(
                    kind="agent",
                    name=f"agent {agent.agent_id}",
                    proof=agent.key_id,
                    scopes=frozenset(),
                    agent_id=agent.agent_id,
                )
        raise self.build_refusal("This token is not valid.")

    def _agent(self, given: str) -> AgentKey | None:
        found = (keys.of_key(given) for keys in self.agents)
        return next((agent for agent in found if agent is not None), None)

    def _by_session(self, scope: AsgiScope, page_keys: list[bytes]) -> Principal | None:
        sessions = self.sessions
        cookies = [] if sessions is None else _cookies(scope, sessions.cookie_name)
        session_id = sessions.of_cookie(cookies[0]) if sessions is not None and len(cookies) == 1 else None
        if page_keys:
            if (
                sessions is not None
                and session_id is not None
                and len(page_keys) == 1
                and sessions.proves(session_id, page_keys[0].decode("latin-1"))
            ):
                return Principal(kind="person", name=f"session {session_id}", proof=session_id, decides=True)
            raise self.build_refusal("This session has ended.")
        # Another server on this host may have set a cookie that opens nothing here.
        return None if session_id is None else Principal(kind="cookie", name="cookie", scopes=frozenset())


def _cookies(scope: AsgiScope, name: str) -> list[str]:
    pairs = [
        pair.strip().partition("=")
        for value in header_values(scope, b"cookie")
        for pair in value.decode("latin-1").split(";")
    ]
    return [value for given, _, value in pairs if given == name]
