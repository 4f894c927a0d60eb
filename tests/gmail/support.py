"""How Gmail tests connect to the emulator. Entries: `connect`, `open_emulated`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from gaia_gmail_mcp.client import GmailClient
from gaia_gmail_mcp.credentials import GoogleLoginStore
from gaia_gmail_mcp.endpoints import GOOGLE
from gaia_gmail_mcp.mailbox import GmailMailbox
from gaia_gmail_mcp.push import PushTopic
from gaia_mail_mcp.pacing import Backoff, TokenBucket
from gaia_mail_mcp.web.http import HttpClient
from gaia_mail_mcp.web.tokens import AccessTokens
from tests.contract.suite import Seed
from tests.gmail.emulator.emulator import EVERY_SCOPE, Emulator
from tests.mailbox_wrapper import MailboxWrapper


class Waits:
    """A clock whose time passes only while somebody sleeps on it."""

    def __init__(self) -> None:
        self.now = 1_772_442_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Pass time; others get their turn."""
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


class EmulatedMailbox(MailboxWrapper):
    """A mailbox that stops its emulator when it is closed."""

    def __init__(self, inner: GmailMailbox, emulator: Emulator) -> None:
        super().__init__(inner)
        self.gmail = inner
        self.emulator = emulator

    async def aclose(self) -> None:
        await super().aclose()
        await self.emulator.aclose()


def write_files(emulator: Emulator, folder: Path, *, scope: str = EVERY_SCOPE) -> GoogleLoginStore:
    """Key and credential files, as the archived server has them."""
    store = GoogleLoginStore(folder / "gcp-oauth.keys.json", folder / "credentials.json")
    keys = {"client_id": emulator.oauth.client_id, "client_secret": emulator.oauth.client_secret}
    store.keys_path.write_text(json.dumps({"installed": keys}))
    emulator.oauth.scope = scope
    login = {
        "access_token": emulator.oauth.issue(scope),
        "refresh_token": emulator.oauth.refresh_token,
        "scope": scope,
        "token_type": "Bearer",
        "expiry_date": 4_000_000_000_000,
    }
    store.credentials_path.write_text(json.dumps(login))
    return store


def connect(
    emulator: Emulator, folder: Path, waits: Waits | None = None, push: PushTopic | None = None
) -> GmailMailbox:
    """A mailbox on a started emulator; time passes only in `waits`."""
    waits = waits or Waits()
    http = HttpClient("Google")
    store = GoogleLoginStore(folder / "gcp-oauth.keys.json", folder / "credentials.json")
    if not store.credentials_path.exists():
        write_files(emulator, folder)
    client = GmailClient(
        root=emulator.root,
        http=http,
        tokens=AccessTokens(store, [f"{emulator.root}/token"], http.post_form, GOOGLE),
        bucket=_bucket(waits),
        backoff=Backoff(jitter=lambda: 0.5),
        sleep=waits.sleep,
    )
    mailbox = GmailMailbox(
        client,
        folder / "home",
        calendar_root=emulator.root,
        push=push or PushTopic(),
        bucket_of=lambda _: _bucket(waits),
    )
    mailbox.follower.first_poll_s = mailbox.follower.longest_poll_s = 0.01
    return mailbox


async def open_emulated(
    emulator: Emulator,
    folder: Path,
    seeds: Sequence[Seed] = (),
    waits: Waits | None = None,
    push: PushTopic | None = None,
) -> EmulatedMailbox:
    """A connected mailbox holding `seeds`, on an emulator of its own."""
    for seed in seeds:
        emulator.account.mailbox.put(seed.raw, seed.labels)
    await emulator.start()
    mailbox = connect(emulator, folder, waits, push)
    await mailbox.connect()
    return EmulatedMailbox(mailbox, emulator)


def _bucket(waits: Waits) -> TokenBucket:
    return TokenBucket(rate=120.0, burst=900.0, clock=waits, sleep=waits.sleep)
