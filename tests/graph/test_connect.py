"""`gaia email connect --provider outlook`: from the sign-in to the first listing, and away again."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gaia_email_registry.accounts import read_accounts
from gaia_graph_mcp import login, sign_in
from tests.contract.suite import write_message
from tests.gmail.program import runner
from tests.graph.emulator.emulator import Emulator
from tests.graph.emulator.identity import CLIENT, Identity


@pytest.fixture(name="emulator")
def emulator_fixture() -> Iterator[Emulator]:
    """An emulator that runs beside the program."""
    emulator = Emulator()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(emulator.start(), loop).result(10)
        yield emulator
        asyncio.run_coroutine_threadsafe(emulator.aclose(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@pytest.fixture(name="identity")
def identity_fixture(monkeypatch: pytest.MonkeyPatch, emulator: Emulator) -> Identity:
    """Microsoft's sign-in, whose tokens the emulator takes."""
    identity = Identity(emulator.account.address)
    identity.access_token = emulator.token
    made: Callable[..., Any] = login.application

    def application(client_id: str, tenant: str, cloud: str, cache: Any, http: Any) -> Any:
        return made(client_id, tenant, cloud, cache, identity)

    monkeypatch.setattr(login, "application", application)
    monkeypatch.setattr(sign_in, "application", application)
    return identity


Run = Callable[..., Any]


@pytest.fixture(name="run")
def run_fixture(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    emulator: Emulator,
    identity: Identity,
) -> Run:
    """`gaia email` with a directory of its own."""
    environ = {
        "GAIA_HOME": str(tmp_path),
        "GAIA_VAULT": "file",
        "GAIA_GRAPH_CLIENT_ID": CLIENT,
        "GAIA_GRAPH_API_ROOT": emulator.root,
    }
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    return runner(capsys, monkeypatch)


def test_an_account_is_connected_listed_and_forgotten(
    tmp_path: Path, emulator: Emulator, identity: Identity, run: Run
) -> None:
    environ = {"GAIA_HOME": str(tmp_path)}
    emulator.account.put(write_message(1, subject="Keys for the shed"))
    connected = run("connect", "--provider", "outlook", "--device-code")
    assert connected.code == 0, connected.err
    assert "ABCD1234" in connected.err
    (account,) = read_accounts(environ)
    assert (account.address, account.server, account.provider) == ("me@example.org", "graph", "outlook")
    assert account.settings["granted"] == "Mail.ReadWrite Mail.Send"
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [secret for secret in identity.secrets if secret.encode() in kept]
    listed = run("inbox")
    assert listed.code == 0, listed.err
    assert "Keys for the shed" in listed.out
    gone = run("disconnect", "me@example.org")
    assert gone.code == 0, gone.err
    assert "consent" in gone.out + gone.err
    assert not read_accounts(environ)


def test_commands_on_a_mailbox_that_was_read_ask_little(
    tmp_path: Path, emulator: Emulator, identity: Identity, run: Run
) -> None:
    for number in range(60):
        emulator.account.put(write_message(number))
    assert run("connect", "--provider", "outlook", "--device-code").code == 0

    def asked(*words: str) -> tuple[int, Any]:
        before = len(emulator.requests)
        ran = run(*words, "--json")
        assert ran.code == 0, ran.err
        return len(emulator.requests) - before, json.loads(ran.out)

    _, listed = asked("inbox")
    ids = [row["id"] for rows in listed["buckets"].values() for row in rows]
    assert len(ids) == 60
    for words, most in ((("inbox",), 2), (("why", ids[0]), 2), (("show", ids[0]), 2), (("triage",), 2)):
        times, _ = asked(*words)
        assert times <= most, words


def test_a_shared_mailbox_is_connected_under_its_own_address(
    tmp_path: Path, emulator: Emulator, run: Run
) -> None:
    emulator.shared.add("sales@example.org")
    emulator.account.put(write_message(1, subject="Offer"))
    given = ("--provider", "microsoft365", "--device-code", "--scopes", "mail,send,calendar")
    connected = run("connect", *given, "--shared", "sales@example.org")
    assert connected.code == 0, connected.err
    (account,) = read_accounts({"GAIA_HOME": str(tmp_path)})
    assert (account.address, account.settings["shared"]) == ("sales@example.org",) * 2
    assert "Mail.Send.Shared Calendars.ReadWrite.Shared" in account.settings["granted"]
    assert "Offer" in run("inbox").out
    asked = {one.path for one in emulator.parts}
    assert asked and all(path.startswith("/v1.0/users/sales@example.org/") for path in asked), asked


def test_a_mailbox_that_nobody_shares_is_not_connected(tmp_path: Path, run: Run) -> None:
    refused = run("connect", "--provider", "outlook", "--device-code", "--shared", "boss@example.org")
    assert refused.code != 0
    assert "does not let this account into that mailbox" in refused.err
    assert read_accounts({"GAIA_HOME": str(tmp_path)}) == ()


def test_flags_of_one_provider_are_refused_for_another(run: Run) -> None:
    for flag in (("--shared", "a@example.org"), ("--device-code",)):
        refused = run("connect", "--provider", "gmx", "--email", "me@gmx.example", *flag)
        assert refused.code == 2 and "go with --provider outlook" in refused.err
