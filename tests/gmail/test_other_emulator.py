"""The mailbox contract over an emulator that is not ours: npm `emulate`, run with `pytest -m emulate`.

It is fetched by npx. It knows no batches and no profile, and differs from Gmail in ways that are named below.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from gaia_email_registry.errors import NeedsAuth
from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.credentials import GoogleLoginStore
from gaia_gmail_mcp.endpoints import GOOGLE, Endpoints
from gaia_gmail_mcp.logins import granted_login
from gaia_gmail_mcp.mailbox import CAPABILITIES, GmailMailbox
from gaia_gmail_mcp.push import PushTopic
from gaia_gmail_mcp.server import SERVER
from gaia_mail_mcp.mailbox import SYSTEM_LABELS, Capability, Mailbox
from gaia_mail_mcp.pacing import TokenBucket
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.revoke import revoke
from gaia_mail_mcp.web.tokens import AccessTokens
from tests.contract.suite import MailboxContract, Seed
from tests.gmail.emulator.emulator import EVERY_SCOPE

pytestmark = [pytest.mark.emulate, pytest.mark.timeout(300)]

USERS = 120
COMMAND = ["npx", "-y", "-p", "node@20", "-p", "emulate@0.11.2", "emulate", "start", "--service", "google"]
_NUMBERS = itertools.count()


NO_DELIVERY = "it does not tell what left the account, and delivers nothing"
ONE_EVENT = "it has no call for one event, and none that changes one"
DIFFERENCES = {
    "test_a_sent_message_leaves_once_and_stays_in_sent": NO_DELIVERY,
    "test_nobody_who_receives_a_message_sees_who_got_a_blind_copy": NO_DELIVERY,
    "test_a_message_to_oneself_arrives": NO_DELIVERY,
    "test_a_draft_that_was_sent_is_no_draft_any_more": NO_DELIVERY,
    "test_a_message_to_nobody_is_refused_and_its_draft_stays": "it sends to nobody",
    "test_a_draft_in_trash_is_no_draft_until_it_is_taken_out": "it lists drafts in Trash",
    "test_an_archived_message_is_out_of_the_inbox_and_still_found": "its search does not know in:archive",
    "test_a_snoozed_message_leaves_the_inbox": "its search does not know OR",
    "test_a_label_that_a_message_came_with_can_be_searched_for": "its search does not know has:userlabels",
    "test_a_search_looks_at_headers_text_and_attachments": "its search does not know filename:",
    "test_a_cursor_survives_mail_that_arrives": "its page tokens are offsets",
    "test_an_event_is_seen_where_it_touches_and_nowhere_else": ONE_EVENT,
    "test_a_deleted_event_is_gone_until_it_is_brought_back": ONE_EVENT,
    "test_an_event_that_is_over_before_it_begins_is_refused": ONE_EVENT,
    "test_only_who_is_invited_can_answer": ONE_EVENT,
    "test_a_message_that_says_nothing_of_itself_still_has_a_summary": "it adds Message-ID and Date",
}
"""Where it is unlike Gmail; each of these has to fail, so that one that no longer does is noticed."""


def user(number: int) -> str:
    return f"user{number}@example.org"


def _seed(folder: Path) -> Path:
    users = [{"email": user(number), "name": f"User {number}"} for number in range(USERS)]
    tokens = {
        f"token{number}": {"login": user(number), "scopes": EVERY_SCOPE.split()} for number in range(USERS)
    }
    path = folder / "seed.json"
    path.write_text(json.dumps({"tokens": tokens, "google": {"users": users}}))
    return path


@pytest.fixture(scope="session", name="root")
def root_fixture(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running `emulate`, each test with a user of its own."""
    if shutil.which("npx") is None:
        pytest.skip("npx is not here")
    folder = tmp_path_factory.mktemp("emulate")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [*COMMAND, "--seed", str(_seed(folder)), "--port", str(port)]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True) as process,
    ):
        try:
            for _ in range(240):
                if b"google" in (folder / "log").read_bytes():
                    break
                if process.poll() is not None:
                    pytest.skip(f"emulate does not start: {(folder / 'log').read_text()[-300:]}")
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)  # npx does not end what it started


class TestEmulate(MailboxContract):
    @pytest.fixture(autouse=True)
    def place(self, root: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
        name: str = request.function.__name__
        if name in DIFFERENCES:
            request.node.add_marker(pytest.mark.xfail(reason=DIFFERENCES[name], strict=True))
        number = next(_NUMBERS)
        self.root, self.path, self.token = root, tmp_path, f"token{number}"
        type(self).account = user(number)

    async def open_mailbox(self, seeds: Sequence[Seed]) -> Mailbox:
        names = {label for seed in seeds for label in seed.labels if label not in SYSTEM_LABELS}
        made = {name: self.api("labels", {"name": name})["id"] for name in sorted(names)}
        for seed in seeds:
            self.insert(seed.raw, [made.get(label, label) for label in seed.labels])
        store = GoogleLoginStore(self.path / "keys.json", self.path / "credentials.json")
        login = {"access_token": self.token, "refresh_token": "none", "scope": EVERY_SCOPE}
        store.credentials_path.write_text(json.dumps(login))
        http = HttpClient("Google")
        client = GmailClient(
            root=self.root,
            http=http,
            tokens=AccessTokens(store, [f"{self.root}/token"], http.post_form, GOOGLE),
            bucket=_unlimited(),
        )
        mailbox = GmailMailbox(
            client,
            self.path / "home",
            calendar_root=self.root,
            push=PushTopic(),
            capabilities=CAPABILITIES - {Capability.PUSH},
            bucket_of=lambda _: _unlimited(),
        )
        mailbox.follower.first_poll_s = 0.05
        await mailbox.connect()
        return mailbox

    async def outbox(self, mailbox: Mailbox) -> list[bytes]:
        return []

    async def deliver(self, mailbox: Mailbox, seed: Seed) -> None:
        self.insert(seed.raw, ["INBOX", "UNREAD"])

    def insert(self, raw: bytes, labels: Sequence[str]) -> None:
        """Put a message into the account."""
        self.api("messages", {"raw": base64.urlsafe_b64encode(raw).decode(), "labelIds": list(labels)})

    def api(self, path: str, body: dict[str, Any]) -> Any:
        """Call the emulator as another program would."""
        request = urllib.request.Request(
            f"{self.root}/gmail/v1/users/me/{path}",
            data=json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read())


def _agree(url: str, email: str) -> None:
    """What a browser does when its user picks an account on the page at `url`."""
    parts = urlsplit(url)
    form = {name: values[0] for name, values in parse_qs(parts.query).items()} | {"email": email}
    page = f"{parts.scheme}://{parts.netloc}/o/oauth2/v2/auth/callback"
    with urllib.request.urlopen(page, data=urlencode(form).encode(), timeout=20) as answer:
        assert b"You can close this page" in answer.read()


def test_an_account_connects_there_stays_connected_and_is_revoked(root: str, tmp_path: Path) -> None:
    (tmp_path / "keys.json").write_text(json.dumps({"installed": {"client_id": "c", "client_secret": "s"}}))
    roots = dict.fromkeys(("GAIA_GMAIL_API_ROOT", "GAIA_GOOGLE_OAUTH_ROOT", "GAIA_CALENDAR_API_ROOT"), root)
    environ = {**roots, "GMAIL_OAUTH_PATH": str(tmp_path / "keys.json"), "GAIA_HOME": str(tmp_path)}
    email = user(USERS - 1)
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        if line.startswith("http"):
            threading.Thread(target=_agree, args=(line, email), daemon=True).start()

    async def main() -> None:
        granted = await granted_login({"email": email, "no_browser": "true"}, environ, say, lambda: True)
        assert (granted["address"], granted["granted"]) == (email, "modify,settings")
        login = json.loads(granted["login"])
        path = tmp_path / "credentials.json"
        path.write_text(json.dumps({**login, "expiry_date": 1000}))
        mailbox = SERVER.source(SERVER.login_of("", {**environ, "GMAIL_CREDENTIALS_PATH": str(path)})).open()
        assert {label["id"] for label in await mailbox.labels()} >= {"INBOX"}
        assert json.loads(path.read_text())["access_token"] != login["access_token"]
        await mailbox.aclose()
        told = await revoke(
            GoogleLoginStore(tmp_path / "keys.json", path), Endpoints.from_environment(environ).revoke, GOOGLE
        )
        assert told.startswith("Google has revoked its login")
        path.write_text(json.dumps({**login, "refresh_token": "gone", "expiry_date": 1000}))
        mailbox = SERVER.source(SERVER.login_of("", {**environ, "GMAIL_CREDENTIALS_PATH": str(path)})).open()
        with pytest.raises(NeedsAuth):
            await mailbox.labels()
        await mailbox.aclose()

    asyncio.run(asyncio.wait_for(main(), 60))


def _unlimited() -> TokenBucket:
    return TokenBucket(rate=1e9, burst=1e9)
