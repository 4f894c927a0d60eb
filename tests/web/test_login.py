"""A login at any provider: asked for in a browser, kept in a file, renewed once among processes, ended."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest

from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError
from gaia_gmail_mcp.client import Health
from gaia_mail_mcp.web.grant import GrantRequest, grant
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.login_storage import FileLoginStorage, MemoryLoginStorage
from gaia_mail_mcp.web.login_store import LoginStore, OAuthClient
from gaia_mail_mcp.web.provider import ProviderNames
from gaia_mail_mcp.web.revoke import revoke
from gaia_mail_mcp.web.tokens import AccessTokens

EXAMPLE = ProviderNames(company="Example", service="Example Mail", permissions="account.example/apps")
KEYS = OAuthClient(client_id="client", client_secret="secret-of-tests")
CONNECT = "example auth"
NOW = 1_772_442_000.0


class TokenServer:
    """An OAuth provider's token and revocation endpoint; each refresh token is good once (RFC 6749 §6)."""

    def __init__(self) -> None:
        self.good = {"refresh-0"}
        self.codes: dict[str, str] = {}
        """PKCE challenges by the code that was given out for them."""
        self.asked: list[Mapping[str, str]] = []
        self.revoked: list[str] = []
        self.down = False

    def answer(self, path: str, form: Mapping[str, str]) -> tuple[int, Mapping[str, object]]:
        """Status and body of the answer to a form."""
        self.asked.append(form)
        if self.down:
            return 503, {}
        if path == "/revoke":
            self.revoked.append(form["token"])
            return 200, {}
        if form["client_id"] != KEYS.client_id or form["client_secret"] != KEYS.client_secret:
            return 401, {"error": "invalid_client"}
        known = form.get("refresh_token") in self.good or self._proves(form)
        if not known:
            return 400, {"error": "invalid_grant"}
        self.good.discard(form.get("refresh_token", ""))
        number = len(self.asked)
        self.good.add(f"refresh-{number}")
        granted = {"access_token": f"access-{number}", "refresh_token": f"refresh-{number}"}
        return 200, {**granted, "expires_in": 3600, "scope": "read write", "token_type": "Bearer"}

    def _proves(self, form: Mapping[str, str]) -> bool:
        """Whether who brings the code is who asked for it (RFC 7636 §4.6)."""
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        return self.codes.pop(form.get("code", ""), "") == challenge

    @asynccontextmanager
    async def listening(self) -> AsyncGenerator[str]:
        """Listen; the root URL."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        async with server:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.partition("content-length:")[2].partition("\r\n")[0])
        form = dict(parse_qsl((await reader.readexactly(length)).decode()))
        status, found = self.answer(head.split(" ")[1], form)
        body = json.dumps(found).encode()
        writer.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body))
        writer.close()


Scenario = Callable[[TokenServer, str], Awaitable[None]]


def play(scenario: Scenario) -> None:
    async def main() -> None:
        server = TokenServer()
        async with server.listening() as root:
            await asyncio.wait_for(_awaited(scenario(server, root)), 20)

    asyncio.run(main())


async def _awaited(result: Awaitable[None]) -> None:
    await result


def stored(path: Path, **tokens: object) -> LoginStore:
    """A login in a file, whose access token has expired."""
    expired = {"access_token": "access-0", "refresh_token": "refresh-0", "expiry_date": 1000, "mine": "stays"}
    path.write_text(json.dumps({**expired, **tokens}))
    return LoginStore(FileLoginStorage(path, CONNECT), lambda: KEYS)


def tokens_of(store: LoginStore, root: str, http: HttpClient) -> AccessTokens:
    return AccessTokens(store, [f"{root}/token"], http.post_form, EXAMPLE, lambda: NOW)


class Browser:
    """A user who agrees: brings the code back to where the page was told to send it."""

    def __init__(self, server: TokenServer) -> None:
        self.lines: list[str] = []
        self.pages: list[asyncio.Task[httpx2.Response]] = []
        self._server = server

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        if line.startswith("https://"):
            asked = dict(parse_qsl(urlsplit(line).query))
            self._server.codes["code-1"] = asked["code_challenge"]
            back = urlencode({"code": "code-1", "state": asked["state"]})
            self.pages.append(asyncio.ensure_future(self._go(f"{asked['redirect_uri']}?{back}")))

    async def _go(self, url: str) -> httpx2.Response:
        async with httpx2.AsyncClient() as client:
            return await client.get(url)


def request_of(store: LoginStore, root: str) -> GrantRequest:
    return GrantRequest(
        store=store,
        provider=EXAMPLE,
        authorize="https://login.example/authorize",
        tokens=(f"{root}/token",),
        scope="read write",
        allows=("read and write your mail",),
        parameters={"prompt": "select_account"},
        browser=False,
    )


def test_who_agrees_in_the_browser_is_connected() -> None:
    async def scenario(server: TokenServer, root: str) -> None:
        storage, browser = MemoryLoginStorage(CONNECT), Browser(server)
        login = await grant(request_of(LoginStore(storage, lambda: KEYS), root), browser)
        assert login.access_token == "access-1" and login.scopes == ("read", "write")
        assert storage.tokens is not None and storage.tokens["refresh_token"] == "refresh-1"
        assert "Example agreed" in (await browser.pages[0]).text
        assert browser.lines[:2] == [
            "Example will ask you to let gaia-email:",
            "  - read and write your mail",
        ]
        asked = dict(parse_qsl(urlsplit(browser.lines[-1]).query))
        assert (asked["prompt"], asked["code_challenge_method"]) == ("select_account", "S256")
        assert urlsplit(asked["redirect_uri"]).hostname == "127.0.0.1"

    play(scenario)


def test_a_code_that_somebody_else_asked_for_connects_nobody() -> None:
    async def scenario(server: TokenServer, root: str) -> None:
        storage, browser = MemoryLoginStorage(CONNECT), Browser(server)

        def say(line: str) -> None:
            browser(line)
            if server.codes:
                server.codes["code-1"] = "another challenge"

        with pytest.raises(NeedsAuth, match="Example does not know the answer that came from the browser"):
            await grant(request_of(LoginStore(storage, lambda: KEYS), root), say)
        assert storage.tokens is None
        await asyncio.gather(*browser.pages)

    play(scenario)


def test_an_expired_login_is_renewed_once_by_all_who_use_it(tmp_path: Path) -> None:
    async def scenario(server: TokenServer, root: str) -> None:
        store = stored(tmp_path / "login.json")
        http = HttpClient("Example")
        processes = [tokens_of(store, root, http) for _ in range(3)]
        given = await asyncio.gather(*(tokens.access() for tokens in processes))
        assert given == ["access-1"] * 3 and len(server.asked) == 1
        kept = json.loads((tmp_path / "login.json").read_text())
        assert (kept["refresh_token"], kept["mine"]) == ("refresh-1", "stays")
        assert kept["expiry_date"] == (NOW + 3600) * 1000
        assert (tmp_path / "login.json").stat().st_mode & 0o777 == 0o600
        processes[0].distrust("access-1")
        assert await processes[0].access() == "access-2"
        await http.aclose()

    play(scenario)


def test_what_is_wrong_with_a_login_says_whose_it_is_and_what_to_do(tmp_path: Path) -> None:
    async def scenario(server: TokenServer, root: str) -> None:
        http = HttpClient("Example")
        ended = tokens_of(stored(tmp_path / "ended.json", refresh_token="gone"), root, http)
        with pytest.raises(NeedsAuth, match="Example no longer accepts this Example Mail login") as caught:
            await ended.access()
        assert caught.value.hint == f"Run: {CONNECT}"
        never = LoginStore(FileLoginStorage(tmp_path / "none.json", CONNECT), lambda: KEYS)
        with pytest.raises(NeedsAuth, match="Example Mail is not connected yet"):
            await tokens_of(never, root, http).access()
        wrong = stored(tmp_path / "wrong.json")
        foreign = LoginStore(wrong.storage, lambda: OAuthClient(client_id="x", client_secret="y"))
        with pytest.raises(NeedsAuth, match=r"Example refused the login \(invalid_client\)"):
            await tokens_of(foreign, root, http).access()
        server.down = True
        with pytest.raises(ProviderError, match="login service does not work right now"):
            await tokens_of(wrong, root, http).access()
        await http.aclose()

    play(scenario)


def test_a_login_is_ended_at_the_provider_or_by_hand(tmp_path: Path) -> None:
    async def scenario(server: TokenServer, root: str) -> None:
        store = stored(tmp_path / "login.json")
        urls = [f"{root}/revoke"]
        assert await revoke(store, urls, EXAMPLE) == "Example has revoked its login."
        assert server.revoked == ["refresh-0"]
        server.down = True
        told = await revoke(store, urls, EXAMPLE)
        assert told == "Example did not revoke its login (503): remove it at account.example/apps."
        nobody = await revoke(store, ["http://127.0.0.1:9/revoke"], EXAMPLE)
        assert nobody.startswith("Example could not be told")
        none = LoginStore(FileLoginStorage(tmp_path / "none.json", CONNECT), lambda: KEYS)
        assert await revoke(none, urls, EXAMPLE) == "There was no login here that Example could revoke."

    play(scenario)


def test_no_secret_is_in_what_is_shown_of_a_login(tmp_path: Path) -> None:
    store = stored(tmp_path / "login.json")
    shown = f"{store.login()!r} {store.keys()!r}"
    assert "access-0" not in shown and "refresh-0" not in shown and "secret-of-tests" not in shown


@pytest.mark.parametrize("content", ["", "[]", "\0"])
def test_a_file_without_a_login_is_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "login.json").write_text(content)
    assert LoginStore(FileLoginStorage(tmp_path / "login.json", CONNECT), lambda: KEYS).login() is None
    with pytest.raises(MailError):
        LoginStore(FileLoginStorage(tmp_path, CONNECT), lambda: KEYS).login()


def test_health_tells_throttling_of_the_last_hour_and_the_last_failures() -> None:
    now = NOW
    health = Health(service="Example Mail", clock=lambda: now)
    assert health.errors() == ()
    health.throttle()
    health.throttle()
    for number in range(7):
        health.fail(f"failure {number}")
    first, *rest = health.errors()
    assert first.startswith("Example Mail throttled this server 2 times in the last hour")
    assert [line.rpartition(" ")[2] for line in rest] == ["2", "3", "4", "5", "6"]
    now += 3601
    assert len(health.errors()) == 5
