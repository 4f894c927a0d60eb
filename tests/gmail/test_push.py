"""News that Gmail pushes: whose word is taken, who wakes, when a watch is renewed, and progress of a first sync."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jwt
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from fastmcp import Client
from jwt.algorithms import RSAAlgorithm
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from gaia_email_registry.errors import BadArgument, NeedsAuth, ProviderError
from gaia_gmail_mcp.push import PATH, Notification, PushTopic, read_notification
from gaia_gmail_mcp.push_webhook import GmailPushEndpoint, PushVerifier, read_keys
from gaia_mail_mcp.surface.approval.settings import CALLER
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import create_server
from tests.contract.suite import many, write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.failures import ApiError, Fault
from tests.gmail.emulator.pubsub import message_data
from tests.gmail.support import connect, open_emulated

NOW = 1_790_000_000.0
PUSHER = "pusher@my-project.iam.gserviceaccount.com"
PUSH = PushTopic(
    topic="projects/my-project/topics/gmail", audience="https://mail.example/push", service_account=PUSHER
)
PULL = PushTopic(
    topic="projects/my-project/topics/gmail", subscription="projects/my-project/subscriptions/gaia"
)
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CLAIMS: dict[str, object] = {
    "iss": "https://accounts.google.com",
    "aud": PUSH.audience,
    "email": PUSHER,
    "email_verified": True,
    "iat": int(NOW),
    "exp": int(NOW) + 3600,
    "sub": "1",
}


def key_set(**keys: rsa.RSAPrivateKey) -> bytes:
    """As Google publishes them now."""
    listed = [
        {**json.loads(RSAAlgorithm.to_jwk(key.public_key())), "kid": kid, "alg": "RS256"}
        for kid, key in keys.items()
    ]
    return json.dumps({"keys": listed}).encode()


def certificates(**keys: rsa.RSAPrivateKey) -> bytes:
    """As Google published them before, and still does elsewhere."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    made: dict[str, str] = {}
    for kid, key in keys.items():
        builder = x509.CertificateBuilder(name, name, key.public_key(), 1)
        builder = builder.not_valid_before(dt.datetime(2020, 1, 1)).not_valid_after(dt.datetime(2040, 1, 1))  # noqa: DTZ001
        made[kid] = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()
    return json.dumps(made).encode()


class Keys:
    """Where keys are fetched from; counts."""

    def __init__(self, body: bytes) -> None:
        self.body, self.fetched = body, 0

    async def __call__(self, url: str) -> bytes:
        self.fetched += 1
        assert url == "https://www.googleapis.com/oauth2/v3/certs"
        return self.body


def signed(key: rsa.RSAPrivateKey = KEY, kid: str = "k1", **changed: object) -> str:
    claims = {name: value for name, value in {**CLAIMS, **changed}.items() if value is not None}
    return "Bearer " + jwt.encode(claims, key, algorithm="RS256", headers={"kid": kid})


def verifier(body: bytes | None = None, clock: Callable[[], float] = lambda: NOW) -> PushVerifier:
    return PushVerifier(PUSH, Keys(body or key_set(k1=KEY)), clock)


@pytest.mark.parametrize("body", [key_set(k0=OTHER, k1=KEY), certificates(k1=KEY)])
@pytest.mark.parametrize("issuer", ["https://accounts.google.com", "accounts.google.com"])
def test_googles_own_token_is_believed(body: bytes, issuer: str) -> None:
    asyncio.run(verifier(body).verify(signed(iss=issuer)))


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer ",
        "Bearer a.b.c",
        signed()[7:],
        signed()[:-4] + "AAAA",
        signed(OTHER),
        signed(kid="unknown"),
        signed(iss="https://accounts.google.com.evil.example"),
        signed(iss=None),
        signed(aud="https://other.example"),
        signed(aud=None),
        signed(exp=int(NOW) - 60),
        signed(exp=None),
        signed(iat=int(NOW) + 600),
        signed(iat=None),
        signed(email="other@my-project.iam.gserviceaccount.com"),
        signed(email=None),
        signed(email_verified=False),
        signed(email_verified="true"),
        signed(email_verified=None),
        "Bearer " + jwt.encode(CLAIMS, "", algorithm="none", headers={"kid": "k1"}),
        "Bearer "
        + jwt.encode(CLAIMS, "a secret that is long enough for it", algorithm="HS256", headers={"kid": "k1"}),
    ],
)
def test_every_other_token_is_refused(authorization: str) -> None:
    with pytest.raises(NeedsAuth):
        asyncio.run(verifier().verify(authorization))


def test_keys_are_fetched_seldom_and_a_new_one_is_found() -> None:
    async def main() -> None:
        now = [NOW]
        keys = Keys(key_set(k1=KEY))
        found = PushVerifier(PUSH, keys, lambda: now[0])
        for _ in range(3):
            await found.verify(signed())
        for _ in range(3):
            with pytest.raises(NeedsAuth):
                await found.verify(signed(OTHER, "k2"))
        assert keys.fetched == 1
        keys.body = key_set(k2=OTHER)
        now[0] += 61
        await found.verify(signed(OTHER, "k2"))
        assert keys.fetched == 2
        now[0] += 3601
        keys.body = b"<html>"
        await found.verify(signed(OTHER, "k2", exp=int(now[0]) + 60))

    asyncio.run(main())


def test_while_googles_keys_cannot_be_had_a_push_is_neither_believed_nor_refused() -> None:
    async def main() -> None:
        now = [NOW]
        keys = Keys(b"<html>")
        found = PushVerifier(PUSH, keys, lambda: now[0])
        for _ in range(3):
            with pytest.raises(ProviderError):
                await found.verify(signed())
        assert keys.fetched == 1
        keys.body = key_set(k1=KEY)
        now[0] -= 86_400  # a clock that is put right
        await found.verify(signed(iat=int(now[0]), exp=int(now[0]) + 60))

    asyncio.run(main())


def test_what_is_no_key_set_is_not_used() -> None:
    for body in (b"", b"[]", b'{"keys": [3]}', b'{"k": "no certificate"}'):
        with pytest.raises(ProviderError):
            read_keys(body)


async def _inner(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"inner"})


def test_the_door_lets_in_what_is_verified_and_answers_the_rest() -> None:
    told: list[Notification] = []
    door = TestClient(GmailPushEndpoint(_inner, verifier(), told.append))
    body = {"message": {"data": message_data("me@example.org", 7), "messageId": "1"}, "subscription": "s"}
    allowed = {"Authorization": signed()}
    assert door.post(PATH, json=body).status_code == 401
    assert door.post(PATH, json=body, headers={"Authorization": signed(OTHER)}).status_code == 401
    assert not told
    assert door.post(PATH, json=body, headers=allowed).status_code == 204
    assert told == [Notification(address="me@example.org", history="7")]
    for rubbish in (b"", b"[]", b"{", b'{"message": {"data": 3}}', b'{"message": {"data": "AAAA"}}'):
        assert door.post(PATH, content=rubbish, headers=allowed).status_code == 204
    assert door.post(PATH, content=b"x" * 70_000, headers=allowed).status_code == 413
    assert door.get(PATH, headers=allowed).status_code == 405
    assert door.post("/mcp", json=body).status_code == 418
    assert len(told) == 1


def test_a_notification_is_read_in_both_alphabets() -> None:
    data = message_data("m?>~e@example.org", 12)
    for form in (data, data.replace("+", "-").replace("/", "_").rstrip("=")):
        assert read_notification(form) == Notification(address="m?>~e@example.org", history="12")


def test_settings_that_cannot_be_right_are_refused() -> None:
    for environ in (
        {"GAIA_PUBSUB_TOPIC": "gmail"},
        {"GAIA_PUBSUB_TOPIC": "projects/p/topics/gmail?x=1"},
        {"GAIA_PUBSUB_SUBSCRIPTION": "projects/p/subscriptions/../../x"},
        {"GAIA_PUBSUB_AUDIENCE": "https://x.example"},
        {"GAIA_GOOGLE_CERTS_URL": "http://keys.example/certs"},
    ):
        with pytest.raises(BadArgument):
            PushTopic.from_environment(environ)
    assert PushTopic.from_environment({"GAIA_PUBSUB_TOPIC": PUSH.topic}).topic == PUSH.topic


def _watch_for(emulator: Emulator, seconds: float) -> None:
    emulator.gmail.watch_until_ms = int((time.time() + seconds) * 1000)


def test_who_waits_wakes_when_google_pushes_and_hardly_polls(tmp_path: Path) -> None:
    async def main() -> None:
        opened = await open_emulated(Emulator(), tmp_path, many(1))
        emulator = opened.emulator
        mailbox = connect(emulator, tmp_path, push=PUSH)
        _watch_for(emulator, 7 * 86_400)
        await mailbox.watch()
        assert emulator.gmail.watches == [{"topicName": PUSH.topic}]
        cursor = await mailbox.cursor()
        emulator.forget_requests()
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=60))
        while not emulator.calls["history.list"]:
            await asyncio.sleep(0)
        await emulator.deliver(write_message(5))
        mailbox.follower.news.tell()
        assert await asyncio.wait_for(waiting, 10)
        assert emulator.calls["history.list"] == 2
        assert emulator.calls["watch"] == 0
        await mailbox.aclose()
        await opened.aclose()

    asyncio.run(main())


def test_news_is_pulled_from_a_subscription_and_others_news_is_left(tmp_path: Path) -> None:
    async def main() -> None:
        opened = await open_emulated(Emulator(), tmp_path, many(1))
        emulator = opened.emulator
        mailbox = connect(emulator, tmp_path, push=replace(PULL, root=emulator.root))
        assert mailbox.push_watch.puller is not None
        mailbox.push_watch.puller.pause_s = 0.01
        _watch_for(emulator, 7 * 86_400)
        await mailbox.watch()
        cursor = await mailbox.cursor()
        emulator.pubsub.publish("somebody@example.org", 3)
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=60))
        while emulator.pubsub.pulls < 2:
            await asyncio.sleep(0.001)
        await emulator.deliver(write_message(5))
        emulator.pubsub.publish("ME@example.org", emulator.account.history_id)
        assert await asyncio.wait_for(waiting, 10)
        while (
            len(emulator.pubsub.waiting) > 1 and emulator.calls["pubsub.projects.subscriptions.acknowledge"]
        ):
            await asyncio.sleep(0.001)
        assert "ack-1" in emulator.pubsub.waiting
        await mailbox.aclose()
        await opened.aclose()

    asyncio.run(main())


@pytest.mark.parametrize(("left_h", "renewals"), [(25.0, 0), (23.0, 1), (-5.0, 1)])
def test_a_watch_is_renewed_when_under_a_day_is_left(tmp_path: Path, left_h: float, renewals: int) -> None:
    async def main() -> None:
        opened = await open_emulated(Emulator(), tmp_path, many(1))
        emulator = opened.emulator
        _watch_for(emulator, left_h * 3600)
        mailbox = connect(emulator, tmp_path, push=PUSH)
        await mailbox.watch()
        _watch_for(emulator, 7 * 86_400)
        again = connect(emulator, tmp_path, push=PUSH)
        cursor = await again.cursor()
        emulator.forget_requests()
        for _ in range(3):
            assert not await again.wait(cursor, timeout_s=0)
        assert emulator.calls["watch"] == renewals
        assert await again.unwatch()
        assert not await again.unwatch()
        await again.aclose()
        await mailbox.aclose()
        await opened.aclose()

    asyncio.run(main())


def test_a_watch_that_cannot_be_renewed_is_tried_again_later_and_polling_goes_on(tmp_path: Path) -> None:
    async def main() -> None:
        opened = await open_emulated(Emulator(), tmp_path, many(1))
        emulator = opened.emulator
        _watch_for(emulator, -60)
        mailbox = connect(emulator, tmp_path, push=PUSH)
        await mailbox.watch()
        cursor = await mailbox.cursor()
        emulator.forget_requests()
        emulator.fail(
            Fault(
                method="watch",
                error=ApiError(403, "User not authorized to perform this action.", "forbidden"),
            )
        )
        waiting = asyncio.create_task(mailbox.wait(cursor, timeout_s=60))
        while emulator.calls["history.list"] < 3:
            await asyncio.sleep(0.001)
        await emulator.deliver(write_message(5))
        assert await asyncio.wait_for(waiting, 10)
        assert emulator.calls["watch"] == 1
        await mailbox.aclose()
        await opened.aclose()

    asyncio.run(main())


def test_a_first_sync_tells_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[float, float | None]] = []

    async def hear(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total))

    async def main() -> None:
        mailbox = await open_emulated(Emulator(), tmp_path, many(250))
        async with Client(
            create_server(mailbox, SurfaceSettings(approval=CALLER)), progress_handler=hear
        ) as client:
            cursor, more = None, True
            while more:
                page = await client.call_tool("sync_emails", {"cursor": cursor, "limit": 150})
                assert page.structured_content is not None
                cursor, more = page.structured_content["cursor"], page.structured_content["more"]
        await mailbox.aclose()

    asyncio.run(main())
    assert told == [(100, 250), (150, 250), (250, 250)]
