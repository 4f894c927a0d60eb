"""Connecting an account and staying connected: the files, the callback, refreshing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2
import pytest

from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, ProviderError
from gaia_gmail_mcp.credentials import GoogleLoginStore
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.logins import AuthorizationRequest, connect_account
from gaia_gmail_mcp.scopes import DEFAULT, capabilities_of, names_of, read_names
from gaia_gmail_mcp.server import main
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.web.callback import OAuthCallback
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.tokens import AccessTokens
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.support import connect, write_files

WEB = {"web": {"client_id": "client.apps.example", "client_secret": "client-secret-of-tests"}}


def run(scenario: Callable[[Emulator], Awaitable[None]]) -> None:
    """Run a scenario with a started emulator."""

    async def play() -> None:
        emulator = Emulator()
        await emulator.start()
        try:
            await asyncio.wait_for(_awaited(scenario(emulator)), 20)
        finally:
            await emulator.aclose()

    asyncio.run(play())


async def _awaited(result: Awaitable[None]) -> None:
    await result


def endpoints(emulator: Emulator) -> Endpoints:
    return Endpoints.from_environment(
        {"GAIA_GOOGLE_OAUTH_ROOT": emulator.root, "GAIA_GMAIL_API_ROOT": emulator.root}
    )


async def agree(url: str) -> httpx2.Response:
    """What a browser does when the user agrees."""
    async with httpx2.AsyncClient(follow_redirects=True) as client:
        return await client.get(url)


class User:
    """Shown lines; goes to Google as soon as its address is among them."""

    def __init__(self, *, goes: bool = True) -> None:
        self.lines: list[str] = []
        self.going: list[asyncio.Task[httpx2.Response]] = []
        self._goes = goes

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        if line.startswith("http") and self._goes:
            self.going.append(asyncio.ensure_future(agree(line)))


def plan_for(emulator: Emulator, store: GoogleLoginStore, callback_url: str = "") -> AuthorizationRequest:
    return AuthorizationRequest(
        store=store, endpoints=endpoints(emulator), names=DEFAULT, callback_url=callback_url, browser=False
    )


def test_connecting_writes_a_login_the_archived_server_could_read(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        store.credentials_path.unlink()
        store = GoogleLoginStore(store.keys_path, tmp_path / "new" / "credentials.json")
        user = User()
        login = await connect_account(plan_for(emulator, store), user)
        page = await user.going[0]
        assert "You can close this page" in page.text
        assert page.headers["content-security-policy"] == "default-src 'none'"
        assert names_of(login.scopes) == DEFAULT
        content = json.loads(store.credentials_path.read_text())
        assert set(content) == {"access_token", "refresh_token", "scope", "token_type", "expiry_date"}
        assert content["expiry_date"] > 1_700_000_000_000
        assert store.credentials_path.stat().st_mode & 0o777 == 0o600
        assert store.credentials_path.parent.stat().st_mode & 0o777 == 0o700
        asked = emulator.oauth.consents[0]
        assert (asked["access_type"], asked["prompt"], asked["code_challenge_method"]) == (
            "offline",
            "consent",
            "S256",
        )
        assert asked["redirect_uri"].startswith("http://127.0.0.1:")
        shown = "\n".join(user.lines)
        assert "--no-send" in shown, "the user is told that this scope can send"
        assert content["access_token"] not in shown and "client-secret" not in shown

    run(scenario)


def test_a_callback_can_be_chosen_and_a_web_client_has_the_archived_servers(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        user = User(goes=False)
        with pytest.raises(NeedsAuth, match="in time"):
            await connect_account(plan_for(emulator, store, "http://localhost:0/back"), user, patience_s=0.01)
        assert "redirect_uri=http%3A%2F%2Flocalhost%3A" in user.lines[-1] and "%2Fback&" in user.lines[-1]
        store.keys_path.write_text(json.dumps(WEB))
        assert store.keys().web

    run(scenario)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/oauth2callback",
        "http://example.com:3000/x",
        "http://0.0.0.0:3000/",
        "x",
        "http://localhost:99999/",
    ],
)
def test_a_callback_beyond_this_machine_is_refused(url: str) -> None:
    async def scenario(emulator: Emulator) -> None:
        with pytest.raises(BadArgument, match="on this machine"):
            OAuthCallback(url, "state", GOOGLE)

    run(scenario)


def test_a_callback_with_another_state_changes_nothing() -> None:
    async def scenario(emulator: Emulator) -> None:
        callback = OAuthCallback("http://127.0.0.1:0/oauth2callback", "right", GOOGLE)
        url = await callback.start()
        try:
            assert (await agree(f"{url}?code=evil&state=wrong")).status_code == 400
            assert (await agree(f"{url}?code=evil")).status_code == 400
            assert (await agree(url.replace("oauth2callback", "other"))).status_code == 404
            assert (await agree(f"{url}?code=good&state=right")).status_code == 200
            assert (await agree(f"{url}?code=late&state=right")).status_code == 400
            assert await callback.code(1) == "good"
        finally:
            await callback.aclose()

    run(scenario)


def test_a_user_who_declines_is_told_so() -> None:
    async def scenario(emulator: Emulator) -> None:
        callback = OAuthCallback("http://127.0.0.1:0/oauth2callback", "s", GOOGLE)
        url = await callback.start()
        try:
            page = await agree(f"{url}?error=access_denied%3Cb%3E&state=s")
            assert "not connected" in page.text
            with pytest.raises(NeedsAuth, match="access_denied"):
                await callback.code(1)
        finally:
            await callback.aclose()

    run(scenario)


def test_a_browser_that_keeps_a_connection_for_later_holds_nobody_up() -> None:
    async def scenario(emulator: Emulator) -> None:
        callback = OAuthCallback("http://127.0.0.1:0/x", "s", GOOGLE)
        host, _, port = (await callback.start()).removeprefix("http://").removesuffix("/x").partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await callback.aclose()
        assert await reader.read() == b""
        writer.close()

    run(scenario)


def test_a_code_that_google_did_not_give_out_changes_nothing(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        before = store.credentials_path.read_text()

        def user(line: str) -> None:
            if line.startswith("http"):
                asked = dict(parse_qsl(urlsplit(line).query))
                answer = urlencode({"code": "invented", "state": asked["state"]})
                tasks.append(asyncio.ensure_future(agree(f"{asked['redirect_uri']}?{answer}")))

        tasks: list[asyncio.Future[httpx2.Response]] = []
        with pytest.raises(NeedsAuth, match="run the command again"):
            await connect_account(plan_for(emulator, store), user)
        assert store.credentials_path.read_text() == before

    run(scenario)


def test_a_public_client_has_no_secret(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        store.keys_path.write_text(json.dumps({"installed": {"client_id": emulator.oauth.client_id}}))
        emulator.oauth.client_secret = ""
        user = User()
        assert (await connect_account(plan_for(emulator, store), user)).access_token
        await user.going[0]

    run(scenario)


def test_a_taken_port_is_named() -> None:
    async def scenario(emulator: Emulator) -> None:
        port = emulator.root.rpartition(":")[2]
        with pytest.raises(BadArgument, match=f"Port {port}"):
            await OAuthCallback(f"http://127.0.0.1:{port}/x", "s", GOOGLE).start()

    run(scenario)


def test_an_expired_login_is_refreshed_and_kept(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        content = json.loads(store.credentials_path.read_text())
        store.credentials_path.write_text(json.dumps({**content, "expiry_date": 1000, "mine": "stays"}))
        emulator.oauth.rotates = True
        mailbox = connect(emulator, tmp_path)
        assert await mailbox.labels()
        await mailbox.aclose()
        after = json.loads(store.credentials_path.read_text())
        assert emulator.oauth.refreshes == 1
        assert after["refresh_token"] == emulator.oauth.refresh_token != content["refresh_token"]
        assert after["mine"] == "stays"
        assert after["expiry_date"] > 1_700_000_000_000

    run(scenario)


def test_two_servers_refresh_a_rotating_login_once(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        one, other = connect(emulator, tmp_path), connect(emulator, tmp_path)
        assert await one.labels() and await other.labels()
        emulator.oauth.rotates = True
        emulator.oauth.expire()
        await asyncio.gather(one.labels(), one.labels(), other.labels(), other.labels())
        assert emulator.oauth.refreshes == 1
        login = store.login()
        assert login is not None and login.refresh_token == emulator.oauth.refresh_token
        await one.aclose()
        await other.aclose()

    run(scenario)


def test_a_token_endpoint_that_is_elsewhere_is_found(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        store = write_files(emulator, tmp_path)
        http = HttpClient("Google")
        urls = [f"{emulator.root}/elsewhere", f"{emulator.root}/token"]
        form = {"grant_type": "refresh_token", "refresh_token": emulator.oauth.refresh_token}
        assert (await AccessTokens(store, urls, http.post_form, GOOGLE).exchange(form)).access_token
        await http.aclose()

    run(scenario)


def test_a_revoked_login_is_one_clear_sentence(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        write_files(emulator, tmp_path)
        emulator.oauth.expire()
        emulator.oauth.revoked = True
        mailbox = connect(emulator, tmp_path)
        with pytest.raises(NeedsAuth, match="revoked or has expired") as caught:
            await mailbox.labels()
        assert caught.value.hint == "Run: gaia-gmail-mcp auth"
        status = await mailbox.status()
        assert not status.connected and "gaia-gmail-mcp auth" in status.errors[0]
        await mailbox.aclose()

    run(scenario)


def test_a_login_service_that_is_down_is_no_reason_to_connect_again(tmp_path: Path) -> None:
    async def scenario(emulator: Emulator) -> None:
        write_files(emulator, tmp_path)
        emulator.oauth.expire()
        emulator.fail(Fault(method="token", error=ApiError(503, "busy")))
        mailbox = connect(emulator, tmp_path)
        with pytest.raises(ProviderError, match="try again later"):
            await mailbox.labels()
        assert await mailbox.labels()
        await mailbox.aclose()

    run(scenario)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"installed": {}}', '{"installed": 3}', "\0"])
def test_a_file_that_is_no_key_file_is_said_to_be_none(tmp_path: Path, content: str) -> None:
    store = GoogleLoginStore(tmp_path / "keys.json", tmp_path / "c.json")
    with pytest.raises(NeedsAuth, match=r"keys\.json"):
        store.keys()
    store.keys_path.write_text(content)
    with pytest.raises(NeedsAuth, match=r"keys\.json"):
        store.keys()
    assert store.login() is None


def test_the_usual_files_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert GoogleLoginStore.from_environment({}).keys_path == tmp_path / ".gmail-mcp" / "gcp-oauth.keys.json"
    assert GoogleLoginStore.from_environment({}, "a@b.co").credentials_path.name == "credentials.a@b.co.json"
    (tmp_path / "gcp-oauth.keys.json").write_text(json.dumps(WEB))
    assert GoogleLoginStore.from_environment({}).keys().web
    given = GoogleLoginStore.from_environment(
        {"GMAIL_OAUTH_PATH": "~/k", "GMAIL_CREDENTIALS_PATH": "/x/c.json"}
    )
    assert (given.keys_path, given.credentials_path) == (tmp_path / "k", Path("/x/c.json"))


def test_scopes_say_what_can_be_done() -> None:
    assert capabilities_of(read_names("readonly")) == frozenset()
    assert Capability.DELETE not in capabilities_of(DEFAULT)
    assert Capability.DELETE in capabilities_of(read_names("full"))
    assert Capability.FILTERS not in capabilities_of(read_names("modify"))
    for bad in ("", "settings", "modify,root"):
        with pytest.raises(BadArgument) as caught:
            read_names(bad)
        assert caught.value.argument == "scopes"


@pytest.mark.parametrize(
    "arguments",
    [["auth"], ["auth", "--account", "../x"], ["--scopes", "all"], ["--account", "a/b"], ["--http", "x"]],
)
def test_what_is_wrong_with_a_command_line_is_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    told, *hint = err.splitlines()
    assert out == "" and told.startswith("gaia-gmail-mcp: ")
    assert not hint or (len(hint) == 1 and hint[0].startswith("Next: "))


def test_an_unreadable_login_is_told_not_raised(tmp_path: Path) -> None:
    store = GoogleLoginStore(tmp_path, tmp_path)
    for read in (store.keys, store.login):
        with pytest.raises(MailError):
            read()
