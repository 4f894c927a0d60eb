"""A host forwards a login: the account is there in memory, does what any account does, and leaves no token anywhere."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest

from gaia_email.app import App
from gaia_email.app.accounts.checks import check_account
from gaia_email.app.services.agent_inbox import server_inbox
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.serving import http_interface
from gaia_email.interfaces.http.sessions import PersonSessions
from gaia_email_registry.accounts import accounts_file, read_accounts
from gaia_email_registry.forwarded import forwarded_logins
from tests.contract.suite import write_message
from tests.gmail.emulator.emulator import EVERY_SCOPE
from tests.gmail.program import Google, serving_all
from tests.graph.acting import Beside
from tests.graph.emulator.emulator import Emulator
from tests.http.serving import Caller, free_port, served_at
from tests.plugins.bundled import needs_plugin

Json = dict[str, Any]
Provider = Literal["google", "microsoft"]

ENDS = 4e9
ADDRESS = "me@example.org"


@dataclass
class Hosted:
    """A server without an account, and the provider whose login a host has."""

    app: App
    program: Caller
    provider: Provider
    token: str
    revoke: Callable[[], None]

    @property
    def path(self) -> str:
        return f"/v1/connections/{self.provider}"

    def forward(self, **more: object) -> Json:
        """What the server says to a login."""
        login = {"access_token": self.token, "expires_at": ENDS, "host": "Corridor", **more}
        found: Json = self.program.ok("POST", self.path, login)["connection"]
        return found

    def inbox(self) -> list[Json]:
        """The messages of the inbox."""
        buckets = self.program.ok("GET", "/v1/email/inbox")["buckets"]
        return [row for rows in buckets.values() for row in rows]

    def told(self) -> str:
        """Everything of the event log."""
        return self.program.answer("POST", "/v1/email/export", {"people": True}).text


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("GAIA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@contextmanager
def hosted(provider: Provider, token: str, revoke: Callable[[], None]) -> Generator[Hosted]:
    app = App()
    with free_port() as (listening, port):
        kept = ApiToken(ApiToken(api_token_file(app.environ)).path, given=True)  # the host made it
        credentials = HttpCredentials(token=kept, sessions=PersonSessions(port=port))
        asgi = http_interface(app, app.environ, served=ServedAt.on(port), credentials=credentials)
        bearer = {"authorization": f"Bearer {kept.path.read_text().strip()}"}
        with (
            served_at(asgi, listening) as url,
            httpx2.Client(base_url=url, timeout=60, headers=bearer) as program,
        ):
            yield Hosted(app, Caller(program), provider, token, revoke)


@pytest.fixture
def google(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Google]:
    with serving_all(monkeypatch) as google:
        google.emulator.account.mailbox.put(
            write_message(1, subject="Keys for the shed"), ("INBOX", "UNREAD")
        )
        google.do(google.emulator.account.settle())
        yield google


@pytest.fixture
def outlook(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Emulator]:
    with Beside() as beside:
        emulator = beside.start("me", {"<1@example.org>": "Keys for the shed"})
        monkeypatch.setenv("GAIA_GRAPH_API_ROOT", emulator.root)
        yield emulator


@pytest.fixture(params=["google", "microsoft"])
def host(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    """Either provider."""
    if request.param == "google":
        google: Google = request.getfixturevalue("google")
        token = google.emulator.oauth.issue(EVERY_SCOPE)
        with hosted("google", token, google.emulator.oauth.expire) as found:
            yield found
        return
    emulator: Emulator = request.getfixturevalue("outlook")
    emulator.token = "EwB-emulated-token-of-the-host"

    def revoke() -> None:
        emulator.token = "another"

    with hosted("microsoft", emulator.token, revoke) as found:
        yield found


def test_mail_is_triaged_read_and_asked_about_over_a_forwarded_login(host: Hosted) -> None:
    assert host.forward()["account"] == ADDRESS
    (row,) = host.inbox()
    assert row["subject"] == "Keys for the shed"
    assert "Keys for the shed" in str(host.program.ok("POST", "/v1/email/triage", {"limit": 3}))
    assert host.program.ok("POST", "/v1/email/show", {"message_id": row["id"]})["subject"] == row["subject"]
    draft = host.program.ok("POST", "/v1/email/draft", {"message_id": row["id"], "say": "Thank you."})
    assert "Thank you." in str(draft)
    asked = {"query": "find shed", "run_id": str(uuid.uuid4())}
    events = list(host.program.stream("POST", "/v1/email/query", asked))
    assert events[-1]["type"] == "final" and "Keys for the shed" in str(events)


def test_the_token_is_in_no_file_argument_variable_log_or_answer(
    host: Hosted, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = [str(host.forward()), str(host.program.ok("GET", "/v1/connections"))]
    host.inbox()
    asked = {"query": "find shed", "run_id": str(uuid.uuid4()), "session_id": "s"}
    answers += map(str, host.program.stream("POST", "/v1/email/query", asked))
    secret = host.token.encode()
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files and not [path for path in files if secret in path.read_bytes()]
    assert not accounts_file(host.app.environ).exists()
    seen = _processes()
    assert any(b"conversation_worker" in told for told in seen)
    assert not [told for told in seen if secret in told]
    host.revoke()
    answers += [host.program.answer("GET", "/v1/email/inbox").text, host.told()]
    assert not [text for text in (*answers, caplog.text) if host.token in text]


def _processes() -> list[bytes]:
    """What every process that can be looked at was started with."""
    found: list[bytes] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found.append((process / "cmdline").read_bytes() + (process / "environ").read_bytes())
        except OSError:
            continue
    return found


def test_an_expired_or_revoked_login_names_the_host(host: Hosted, monkeypatch: pytest.MonkeyPatch) -> None:
    host.forward()
    host.revoke()
    refused = host.program.refused(409, "GET", "/v1/email/inbox")
    assert refused["kind"] == "needs_auth"
    assert "Corridor" in refused["message"] and "Corridor" in refused["hint"]
    late = host.program.refused(409, "POST", host.path, {"access_token": "a", "expires_at": 1})
    assert late["argument"] == "/expires_at"
    host.forward(expires_at=host.app.clock() + 0.05, account_email=ADDRESS)
    monkeypatch.setattr("gaia_mail_mcp.web.token_source.time.time", lambda: ENDS)
    refused = host.program.refused(409, "GET", "/v1/email/inbox")
    assert refused["kind"] == "needs_auth" and "Corridor" in refused["message"]
    (account,) = read_accounts(host.app.environ)
    finding = asyncio.run(check_account(account, host.app.environ))
    assert not finding.ok and "forward it again" in finding.mend


def test_a_withdrawn_login_is_over_at_once_and_so_is_what_uses_it(host: Hosted) -> None:
    host.forward()
    asked = {"query": "find shed", "run_id": str(uuid.uuid4()), "session_id": "s"}
    list(host.program.stream("POST", "/v1/email/query", asked))
    assert host.program.ok("DELETE", host.path)["withdrawn"]
    assert not host.program.ok("DELETE", host.path)["withdrawn"]
    assert not host.program.ok("GET", "/v1/connections")["connections"]
    assert host.program.refused(409, "GET", "/v1/email/inbox")["kind"] == "needs_auth"
    assert host.program.ok("GET", "/v1/email/accounts")["accounts"] == []


def test_nothing_is_left_when_the_server_stops(google: Google) -> None:
    token = google.emulator.oauth.issue(EVERY_SCOPE)
    with hosted("google", token, google.emulator.oauth.expire) as host:
        host.forward()
        assert [one.id for one in read_accounts(host.app.environ)] == [ADDRESS]
    assert not read_accounts(host.app.environ) and not forwarded_logins(host.app.environ)


@needs_plugin("gaia")
def test_a_send_over_a_forwarded_login_takes_the_person_as_ever(host: Hosted) -> None:
    login = {"access_token": host.token, "expires_at": ENDS}
    answer = host.program.ok("POST", f"/gaia{host.path}", login)
    assert (answer["account_email"], answer["forwarded"]) == (ADDRESS, True)
    mail = {
        "to": [{"email": "ann@acme.example"}],
        "subject": "Hello",
        "body": "Yes.",
        "provider": host.provider,
    }
    token = host.program.ok("POST", "/gaia/v1/email/draft", mail)["confirmation_token"]
    given = {**mail, "confirmation_token": token}
    assert host.program.answer("POST", "/gaia/v1/email/send", given).status_code == 403
    inbox = server_inbox(host.app, "tests")
    (one,) = inbox.waiting()
    assert inbox.approve(one.approval_id).counts
    assert host.program.ok("POST", "/gaia/v1/email/send", given)["sent"]
    assert host.program.answer("POST", "/gaia/v1/email/send", given).status_code == 403


def test_an_account_that_its_owner_connected_is_left_as_it_is(host: Hosted) -> None:
    accounts_file(host.app.environ).parent.mkdir(parents=True, exist_ok=True)
    row = {
        "id": ADDRESS,
        "provider": "gmail",
        "address": ADDRESS,
        "server": "gmail",
        "secret": "vault:file:a",
    }
    text = f'{{"schema_version": 1, "accounts": [{row}]}}'.replace("'", '"')
    accounts_file(host.app.environ).write_text(text)
    login = {"access_token": host.token, "expires_at": ENDS, "account_email": ADDRESS}
    assert "connected here" in host.program.refused(403, "POST", host.path, login)["message"]
    assert accounts_file(host.app.environ).read_text() == text


def test_what_is_no_login_is_refused(host: Hosted) -> None:
    for wrong in ("a b", "a\r\nX: y", "", "ä"):
        host.program.refused(422, "POST", host.path, {"access_token": wrong, "expires_at": ENDS})
    host.program.refused(404, "POST", "/v1/connections/elsewhere", {"access_token": "a", "expires_at": ENDS})
    refused = host.program.refused(409, "POST", host.path, {"access_token": "a", "expires_at": ENDS})
    assert refused["kind"] == "needs_auth" and not host.program.ok("GET", "/v1/connections")["connections"]
    known = SourceSpec(kind="account", path=ADDRESS, user=())
    assert known.path not in [one.id for one in read_accounts(host.app.environ)]
