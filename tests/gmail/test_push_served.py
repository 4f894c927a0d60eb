"""Pushes as a whole: the program listens, Google's token is checked against its keys, and who waits wakes."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx2
import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from fastmcp import Client
from jwt.algorithms import RSAAlgorithm

from gaia_gmail_mcp.push import PATH
from tests.contract.suite import many, write_message
from tests.gmail.emulator.emulator import Emulator
from tests.gmail.emulator.pubsub import message_data
from tests.gmail.support import write_files

AUDIENCE = "https://mail.example/push/gmail"
PUSHER = "pusher@my-project.iam.gserviceaccount.com"
BEARER = "what-clients-of-this-server-must-know"
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
FORGED = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def token(key: rsa.RSAPrivateKey = KEY, **changed: object) -> str:
    now = int(time.time())
    claims: dict[str, object] = {
        "iss": "https://accounts.google.com",
        "aud": AUDIENCE,
        "email": PUSHER,
        "email_verified": True,
        "iat": now,
        "exp": now + 3600,
        **changed,
    }
    return "Bearer " + jwt.encode(claims, key, algorithm="RS256", headers={"kid": "k1"})


async def listening(client: httpx2.AsyncClient) -> None:
    while True:
        try:
            await client.get(PATH)
        except httpx2.ConnectError:
            await asyncio.sleep(0.05)
        else:
            return


async def pushed(client: httpx2.AsyncClient, address: str, authorization: str) -> int:
    body = {"message": {"data": message_data(address, 9), "messageId": "1"}, "subscription": "s"}
    return (await client.post(PATH, json=body, headers={"Authorization": authorization})).status_code


def test_a_push_wakes_who_waits_and_a_forged_one_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        emulator = Emulator()
        for seed in many(1):
            emulator.account.mailbox.put(seed.raw, seed.labels)
        jwk = {**json.loads(RSAAlgorithm.to_jwk(KEY.public_key())), "kid": "k1", "alg": "RS256"}
        emulator.certs = json.dumps({"keys": [jwk]}).encode()
        await emulator.start()
        store = write_files(emulator, tmp_path)
        port = free_port()
        environ = {
            "GAIA_HOME": str(tmp_path / "home"),
            "GAIA_GMAIL_API_ROOT": emulator.root,
            "GAIA_GOOGLE_OAUTH_ROOT": emulator.root,
            "GAIA_GOOGLE_CERTS_URL": f"{emulator.root}/certs",
            "GMAIL_OAUTH_PATH": str(store.keys_path),
            "GMAIL_CREDENTIALS_PATH": str(store.credentials_path),
            "GAIA_HTTP_TOKEN": BEARER,
            "GAIA_PUBSUB_TOPIC": "projects/my-project/topics/gmail",
            "GAIA_PUBSUB_AUDIENCE": AUDIENCE,
            "GAIA_PUBSUB_SERVICE_ACCOUNT": PUSHER,
        }
        with _program(port, environ) as process:
            try:
                base = f"http://127.0.0.1:{port}"
                async with httpx2.AsyncClient(base_url=base, timeout=20) as google:
                    await listening(google)
                    async with Client(f"{base}/mcp", auth=BEARER) as client:
                        await _scenario(emulator, client, google)
            finally:
                process.terminate()
        await emulator.aclose()

    asyncio.run(asyncio.wait_for(main(), 60))


def _program(port: int, environ: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "gaia_gmail_mcp.server", "--http", f"127.0.0.1:{port}"]
    return subprocess.Popen(command, env={**os.environ, **environ}, stdin=subprocess.DEVNULL)


async def _scenario(emulator: Emulator, client: Client[Any], google: httpx2.AsyncClient) -> None:
    answer: Any = (await client.call_tool("watch_mailbox", {})).structured_content
    assert answer["ok"] and emulator.gmail.watches == [{"topicName": "projects/my-project/topics/gmail"}]
    first: Any = (await client.call_tool("sync_emails", {})).structured_content
    emulator.forget_requests()
    arguments = {"cursor": first["cursor"], "timeout_s": 50}
    waiting = asyncio.create_task(client.call_tool("wait_for_changes", arguments))
    while not emulator.calls["history.list"]:
        await asyncio.sleep(0.01)
    await emulator.deliver(write_message(5))
    me = emulator.account.address
    for wrong in (
        token(FORGED),
        token(aud="https://other.example"),
        token(exp=1),
        token(email="x@y.example"),
    ):
        assert await pushed(google, me, wrong) == 401
    assert await pushed(google, "somebody@example.org", token()) == 204
    assert not waiting.done() and emulator.calls["history.list"] == 1
    assert await pushed(google, me, token()) == 204
    woken: Any = (await waiting).structured_content
    assert woken["changed"] is True and emulator.calls["history.list"] == 2
