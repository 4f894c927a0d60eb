"""Signing in at Microsoft through msal, and keeping the login fresh."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, ProviderError
from gaia_email_registry.extras import missing_extra
from gaia_email_registry.vault import open_vault
from gaia_graph_mcp.failures import CONNECT
from gaia_graph_mcp.login import GraphLogin, MsalTokens, authority_of, scopes_of
from gaia_graph_mcp.server import MICROSOFT
from gaia_graph_mcp.sign_in import SignInRequest, sign_in
from gaia_mail_mcp.web.login_storage import VaultLoginStorage
from tests.graph.emulator.identity import CLIENT, Identity


class Browser:
    """Follows Microsoft's page on loopback; `before` is what a stranger posts first."""

    def __init__(self, identity: Identity, before: tuple[bytes, ...] = ()) -> None:
        self.identity, self.before = identity, before
        self.answers: list[bytes] = []
        self._task: asyncio.Task[None] | None = None

    def __call__(self, url: str) -> None:
        self._task = asyncio.get_running_loop().create_task(self._follow(url))

    async def _follow(self, url: str) -> None:
        back, form = self.identity.authorize(url)
        port = urlsplit(back).port
        assert port is not None
        body = urlencode(form).encode()
        head = f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        for request in (*self.before, head + body):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            self.answers.append(await reader.read())
            writer.close()


def connected(identity: Identity, address: str = "") -> GraphLogin:
    """The login that the browser brings."""

    async def main() -> GraphLogin:
        browser = Browser(identity)
        return await sign_in(
            SignInRequest(client_id=CLIENT, open_browser=browser, wait_s=10, address=address),
            lambda line: None,
            identity,
        )

    return asyncio.run(main())


def kept(login: GraphLogin, home: Path) -> VaultLoginStorage:
    """The same in a vault."""
    environ = {"GAIA_HOME": str(home), "GAIA_VAULT": "file"}
    reference = open_vault(environ).put("me", login.dump())
    return VaultLoginStorage(reference, environ, home / "login", CONNECT, MICROSOFT)


def test_the_browser_brings_a_login_that_gives_tokens(tmp_path: Path) -> None:
    identity = Identity()
    login = connected(identity)
    assert (login.address, login.granted) == ("me@example.org", "Mail.ReadWrite Mail.Send")
    place = kept(login, tmp_path)
    tokens = MsalTokens(place, http=identity)
    assert asyncio.run(tokens.access()) == identity.issued[0]
    assert identity.asked == ["authorization_code"], "a token that is good is not renewed"


def test_a_token_that_was_refused_is_renewed_once_for_every_program(tmp_path: Path) -> None:
    identity = Identity()
    place = kept(connected(identity), tmp_path)

    async def main() -> None:
        tokens = MsalTokens(place, http=identity)
        first = await tokens.access()
        tokens.distrust(first)
        renewed = await asyncio.gather(tokens.access(), tokens.access())
        assert set(renewed) == {identity.issued[1]}
        assert await MsalTokens(place, http=identity).access() == identity.issued[1]

    asyncio.run(main())
    assert identity.asked == ["authorization_code", "refresh_token"]


def test_strangers_on_loopback_are_turned_away_and_the_answer_still_counts() -> None:
    identity = Identity()
    form = b"code=stolen&state=guessed"
    strangers = (
        b"GET /?code=stolen HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % len(form) + form,
        b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n",
    )
    browser = Browser(identity, strangers)

    async def main() -> GraphLogin:
        wish = SignInRequest(client_id=CLIENT, open_browser=browser, wait_s=10)
        return await sign_in(wish, lambda line: None, identity)

    assert asyncio.run(main()).address == "me@example.org"
    assert [b" 400 " in answer for answer in browser.answers[:3]] == [True] * 3


def test_another_device_can_sign_in() -> None:
    identity = Identity()
    said: list[str] = []
    login = asyncio.run(sign_in(SignInRequest(client_id=CLIENT, device_code=True), said.append, identity))
    assert login.address == "me@example.org"
    assert said == ["Open https://microsoft.com/devicelogin on any device and enter the code ABCD1234."]


def test_another_account_than_was_meant_is_refused() -> None:
    with pytest.raises(NeedsAuth, match="was meant"):
        connected(Identity("other@example.org"), address="me@example.org")


@pytest.mark.parametrize(
    ("error", "said", "sentence"),
    [
        ("consent_required", "AADSTS65001: nobody consented.", "administrator"),
        ("access_denied", "AADSTS53003: blocked by access policies.", "policy"),
        ("interaction_required", "AADSTS50076: multi-factor.", "second factor"),
        ("invalid_grant", "AADSTS50173: fresh auth token needed.", "password"),
        ("invalid_grant", "AADSTS70000: revoked.", "revoked"),
        ("invalid_grant", "AADSTS700082: the refresh token has expired due to inactivity.", "too long"),
        ("consent_required", "AADSTS90094: an administrator has to consent.", "has to allow this program"),
        ("interaction_required", "AADSTS50079: enrol for multi-factor.", "set up"),
        ("invalid_grant", "AADSTS50105: not assigned to a role.", "only some people"),
        ("invalid_grant", "AADSTS53000: device is not compliant.", "device that it manages"),
        ("invalid_grant", "AADSTS50057: the user account is disabled.", "switched off"),
        ("access_denied", "AADSTS65004: the user declined to consent.", "did not agree"),
        ("invalid_client", "AADSTS7000218: a client secret is wanted.", "public client"),
        ("unauthorized_client", "AADSTS700016: application not found.", "GAIA_GRAPH_CLIENT_ID"),
        ("server_error", "", "server_error"),
    ],
)
def test_what_microsoft_refuses_is_a_sentence_and_a_command(error: str, said: str, sentence: str) -> None:
    identity = Identity()
    identity.refusal = (error, said)
    with pytest.raises(NeedsAuth, match=sentence) as caught:
        connected(identity)
    assert "gaia" in (caught.value.hint or "")


DEVICE = [
    ("authorization_pending", "AADSTS70016: not yet authorized.", "not entered in time .* for a new one"),
    ("slow_down", "", "not entered in time .* for a new one"),
    ("authorization_declined", "", "did not agree.* run the command again"),
    ("expired_token", "AADSTS70019: Verification code expired.", "not entered in time .* for a new one"),
    ("expired_token", "", "not entered in time .* for a new one"),
    (
        "bad_verification_code",
        "AADSTS70018: Bad verification code.",
        "does not know this code; .* as it is shown",
    ),
    ("bad_verification_code", "", "does not know this code; .* as it is shown"),
    ("invalid_client", "AADSTS7000218: client_assertion wanted.", "Allow public client flows to Yes"),
    ("interaction_required", "AADSTS50076: multi-factor.", "second factor; .* without --device-code"),
    ("interaction_required", "AADSTS50079: enrol.", "set up; sign in again in the browser"),
    ("invalid_grant", "AADSTS65001: nobody consented.", "agree, or ask the administrator"),
    ("invalid_grant", "AADSTS50020: from an identity provider.", "GAIA_GRAPH_TENANT=consumers"),
    ("unauthorized_client", "AADSTS700016: not found in the directory.", "check GAIA_GRAPH_CLIENT_ID"),
    ("access_denied", "AADSTS53003: Conditional Access.", "policy .* leave --device-code out"),
    ("invalid_request", "AADSTS90002: Tenant not found.", "no such tenant; check GAIA_GRAPH_TENANT"),
    ("invalid_request", "AADSTS50194: not multi-tenant.", "one organisation only; set GAIA_GRAPH_TENANT"),
    ("access_denied", "AADSTS530036: flows are blocked.", "without --device-code"),
    ("invalid_grant", "AADSTS1234567: something new.", "connect again"),
    ("temporarily_unavailable", "", "in a few minutes"),
    ("brand_new\x1b", "", "unreadable"),
]


@pytest.mark.parametrize(("error", "said", "sentence"), DEVICE)
def test_each_answer_about_another_device_names_the_next_step(error: str, said: str, sentence: str) -> None:
    identity = Identity()
    identity.refusal, identity.expires_in = (error, said), 0
    with pytest.raises(NeedsAuth, match=sentence) as caught:
        asyncio.run(sign_in(SignInRequest(client_id=CLIENT, device_code=True), lambda line: None, identity))
    assert caught.value.hint == "Run: gaia email connect --provider outlook"
    assert "AADSTS" not in caught.value.message and "\x1b" not in caught.value.message


def test_a_tenant_that_does_not_exist_is_named_before_anything_opens() -> None:
    identity = Identity()
    identity.tenants = False
    with pytest.raises(BadArgument, match=r"no tenant 'contoso\.example'; GAIA_GRAPH_TENANT is consumers"):
        asyncio.run(
            sign_in(SignInRequest(client_id=CLIENT, tenant="contoso.example"), lambda line: None, identity)
        )


def test_a_revoked_login_asks_to_connect_and_a_broken_line_does_not(tmp_path: Path) -> None:
    identity = Identity()
    place = kept(connected(identity), tmp_path)
    tokens = MsalTokens(place, http=identity)
    tokens.distrust(asyncio.run(tokens.access()))
    identity.down = True
    with pytest.raises(ProviderError, match="reached"):
        asyncio.run(tokens.access())
    identity.down, identity.refusal = False, ("invalid_grant", "AADSTS70000: revoked.")
    with pytest.raises(NeedsAuth, match="revoked"):
        asyncio.run(tokens.access())


def test_no_log_and_no_error_holds_a_secret(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    identity = Identity()
    login = connected(identity)
    place = kept(login, tmp_path)
    tokens = MsalTokens(place, http=identity)
    tokens.distrust(asyncio.run(tokens.access()))
    asyncio.run(tokens.access())
    identity.refusal = ("invalid_grant", "AADSTS70000: revoked.")
    tokens.distrust(identity.issued[-1])
    with pytest.raises(MailError) as caught:
        asyncio.run(tokens.access())
    told = caplog.text + caught.value.message + str(caught.value.hint)
    assert len(identity.secrets) > 4
    assert not [secret for secret in identity.secrets if secret in told]
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [secret for secret in identity.secrets if secret.encode() in stored], "the vault is encrypted"


def test_a_changed_password_ends_a_login_in_the_middle_of_work(tmp_path: Path) -> None:
    identity = Identity()
    place = kept(connected(identity), tmp_path)
    tokens = MsalTokens(place, http=identity)
    tokens.distrust(asyncio.run(tokens.access()))
    identity.refusal = (
        "invalid_grant",
        "AADSTS50173: the provided grant has expired, a fresh one is needed.",
    )
    with pytest.raises(NeedsAuth, match="password was changed") as caught:
        asyncio.run(tokens.access())
    assert caught.value.hint == "Run: gaia email connect --provider outlook"


def test_a_shared_mailbox_asks_for_the_scopes_of_other_peoples_mailboxes() -> None:
    assert scopes_of("", shared=True) == ["Mail.ReadWrite.Shared", "Mail.Send.Shared"]
    assert scopes_of("calendar", shared=True) == [
        "Mail.ReadWrite.Shared",
        "Calendars.ReadWrite.Shared",
        "MailboxSettings.Read",
    ]
    assert scopes_of("calendar,settings") == [
        "Mail.ReadWrite",
        "Calendars.ReadWrite",
        "MailboxSettings.ReadWrite",
    ]
    with pytest.raises(BadArgument, match="only its owner"):
        scopes_of("mail,settings", shared=True)


def test_without_a_client_id_it_says_where_to_get_one() -> None:
    with pytest.raises(NeedsAuth, match=r"GAIA_GRAPH_CLIENT_ID.*docs/graph\.md"):
        asyncio.run(sign_in(SignInRequest(client_id=""), lambda line: None, Identity()))


def test_without_msal_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "msal", None)
    with pytest.raises(ModuleNotFoundError) as caught:
        asyncio.run(sign_in(SignInRequest(client_id=CLIENT), lambda line: None, Identity()))
    told = missing_extra(caught.value)
    assert told is not None
    assert told.message.startswith("Outlook and Microsoft 365 accounts need a part")
    assert "gaia-email[graph]" in (told.hint or "")


def test_clouds_and_tenants() -> None:
    assert authority_of("consumers", "global") == "https://login.microsoftonline.com/consumers"
    assert authority_of("contoso.example", "us") == "https://login.microsoftonline.us/contoso.example"
    for tenant, cloud, why in (
        ("common", "china", "21Vianet"),
        ("common", "moon", "moon"),
        ("../x", "global", "tenant"),
    ):
        with pytest.raises(BadArgument, match=why):
            authority_of(tenant, cloud)


def test_listing_tools_imports_neither_msal_nor_an_http_client() -> None:
    code = (
        "import sys\n"
        "from gaia_graph_mcp.server import open_server\n"
        "import asyncio\n"
        "tools = asyncio.run(open_server({'account': 'me@example.org'}).list_tools())\n"
        "assert {'send_email', 'search_emails'} <= {tool.name for tool in tools}\n"
        "print([name for name in ('msal', 'requests', 'gaia_graph_mcp.client') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
