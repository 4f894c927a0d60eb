"""Leaving lists by one click: who may ask for it, where the request goes, what is kept of it."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gaia_email_registry.errors import BadArgument, MailError, ProviderError
from gaia_mail_mcp.mailbox import Unsubscribed
from gaia_mail_mcp.one_click import TrustedAuthServers
from gaia_mail_mcp.one_click.request import is_public
from tests.one_click.support import GOOD, GOOGLE, LINK, POST, RESULTS, SIGNATURE, Server

Change = Callable[[str], str]

NO_PLAIN_OFFERS: list[tuple[Change, str]] = [
    (lambda raw: raw.replace(POST, ""), "no one-click"),
    (lambda raw: raw.replace(LINK, ""), "no one-click"),
    (lambda raw: raw.replace("=One-Click", "=Two-Clicks"), "no one-click"),
    (lambda raw: raw.replace("https://", "http://"), "no https address"),
    (lambda raw: raw.replace(LINK, "List-Unsubscribe: <mailto:off@list.example>\n"), "no https address"),
    (lambda raw: LINK.replace("list.example", "evil.example") + raw, "two List-Unsubscribe"),
    (lambda raw: raw.replace(POST, POST * 2), "two List-Unsubscribe"),
    (lambda raw: raw.replace("list.example/off", "user:pw@list.example/off"), "plain https address"),
    (lambda raw: raw.replace("list.example/off", "list.example:8443/off"), "plain https address"),
    (lambda raw: raw.replace("list.example/off", "localhost/off"), "plain https address"),
    (lambda raw: raw.replace("list.example/off", "127.0.0.1/off"), "plain https address"),
    (lambda raw: raw.replace("list.example/off", "[::1]/off"), "plain https address"),
    (lambda raw: raw.replace("list.example/off", "8.8.8.10/off"), "plain https address"),
    (lambda raw: raw.replace("list.example/off", "list.example:x/off"), "cannot be read"),
]

NOT_VOUCHED_FOR: list[Change] = [
    lambda raw: raw.replace(RESULTS, ""),
    lambda raw: raw.replace("dkim=pass", "dkim=fail"),
    lambda raw: raw.replace("dkim=pass", 'dkim=fail reason="; dkim=pass header.i=@list.example"'),
    lambda raw: raw.replace("mx.google.com;", "mx.evil.example;"),
    lambda raw: raw.replace(SIGNATURE, ""),
    lambda raw: raw.replace(":List-Unsubscribe-Post;", ";"),
    lambda raw: raw.replace(":List-Unsubscribe:", ":"),
    lambda raw: raw.replace("header.s=s1", "header.s=s2"),
    lambda raw: raw.replace("header.i=@list.example", "header.i=@evil.example"),
    lambda raw: raw.replace("b=Ab/+cdE1", "b=Qq/+cdE1"),
    # A signature that passes beside one that covers the header but does not pass.
    lambda raw: raw.replace(SIGNATURE, SIGNATURE.replace(":List-Unsubscribe-Post", "") + SIGNATURE),
    # Another server's words below its own Received line, as in mail fetched from elsewhere.
    lambda raw: raw.replace(RESULTS, "Received: from x by pop.evil.example; Mon\n" + RESULTS),
    # The delivering server's own verdict stands above what the sender wrote in its name.
    lambda raw: raw.replace(RESULTS, RESULTS.replace("dkim=pass", "dkim=fail") + RESULTS),
]


def refused(raw: str, server: Server | None = None, trust: TrustedAuthServers = GOOGLE) -> MailError:
    """Why it was refused; nothing was sent to anybody."""
    server = server or Server()
    with pytest.raises(BadArgument) as caught:
        server.leave(raw, trust=trust)
    assert not server.asked
    assert not server.connected
    return caught.value


def test_one_request_goes_to_the_list_and_carries_nothing_of_the_user() -> None:
    server = Server()
    outcome = server.leave(GOOD)
    assert outcome == Unsubscribed(host="list.example", status=200, at="2026-03-02T09:00:00+00:00")
    assert server.connected == [("203.0.114.7", "list.example")]
    (asked,) = server.asked
    head, _, body = asked.partition(b"\r\n\r\n")
    assert head.split(b"\r\n")[:2] == [b"POST /off?u=1&k=secret HTTP/1.1", b"Host: list.example"]
    assert b"Content-Type: application/x-www-form-urlencoded" in head
    assert body == b"List-Unsubscribe=One-Click"
    for name in (b"cookie", b"authorization", b"referer"):
        assert name not in head.lower()


def test_the_delivering_server_is_believed_where_none_is_named() -> None:
    raw = GOOD.replace("by 2002:a05:6520:1:b0:2c7:1:2", "by mx.google.com")
    assert Server().leave(raw, trust=TrustedAuthServers()).status == 200


@pytest.mark.parametrize(("change", "why"), NO_PLAIN_OFFERS)
def test_what_is_no_plain_offer_is_refused(change: Change, why: str) -> None:
    assert change(GOOD) != GOOD
    assert why in refused(change(GOOD)).message


@pytest.mark.parametrize("change", NOT_VOUCHED_FOR)
def test_an_offer_that_no_good_signature_covers_is_refused(change: Change) -> None:
    assert change(GOOD) != GOOD
    assert "not proven" in refused(change(GOOD)).message


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "2002:7f00:1::",
        "64:ff9b::7f00:1",
        "64:ff9b:1::7f00:1",
        "::127.0.0.1",
        "::8.8.8.8",
        "::ffff:0:127.0.0.1",
        "::ffff:0:8.8.8.8",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fec0::1",
        "4000::1",
        "3fff::1",
        "2001:db8::1",
        "192.88.99.1",
        "127.1",
        "0x7f.1",
        "2130706433",
        "not an address",
    ],
)
def test_a_name_that_leads_to_a_private_address_is_refused(address: str) -> None:
    assert not is_public(address)
    for addresses in ([address], ["203.0.114.7", address]):
        server = Server(addresses=addresses)
        assert "not a public server" in refused(GOOD, server).message
        assert server.resolved == ["list.example"]


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


def test_a_name_without_addresses_is_refused() -> None:
    assert "not a public server" in refused(GOOD, Server(addresses=())).message


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"HTTP/1.1 302 Found\r\nLocation: https://other.example/\r\n\r\n", "redirect (302)"),
        (b"HTTP/1.1 307 Again\r\nLocation: https://list.example/x\r\n\r\n", "redirect (307)"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", "refused the request (404)"),
        (b"HTTP/1.1 500 Oh\r\n\r\n", "refused the request (500)"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "did not answer"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, "did not answer"),
        (b"", "did not answer"),
    ],
)
def test_no_redirect_is_followed_and_a_refusal_is_told(answer: bytes, why: str) -> None:
    server = Server(answer)
    with pytest.raises(ProviderError) as caught:
        server.leave(GOOD)
    assert why in caught.value.message
    assert len(server.connected) == len(server.asked) == 1
    assert "secret" not in caught.value.message


@pytest.mark.parametrize("word", [b"", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_a_server_that_says_nothing_or_goes_on_for_ever_is_given_up(
    word: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Endless(Server):
        async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with suppress(ConnectionError):
                while not reader.at_eof():
                    writer.write(word)
                    await writer.drain()
                    await asyncio.sleep(0)
                    if not word:
                        await reader.read()
            writer.close()

    monkeypatch.setattr("gaia_mail_mcp.one_click.request.TIMEOUT_S", 0.05)
    with pytest.raises(ProviderError, match="did not answer"):
        Endless().leave(GOOD)


def test_an_interim_answer_is_not_the_answer() -> None:
    assert Server(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 202 Accepted\r\n\r\n").leave(GOOD).status == 202


def test_the_outcome_is_kept_privately_and_without_the_address(tmp_path: Path) -> None:
    path = tmp_path / "home" / "unsubscribed.jsonl"
    Server().leave(GOOD, log=path)
    with pytest.raises(ProviderError):
        Server(b"HTTP/1.1 500 Oh\r\n\r\n").leave(GOOD, log=path)
    with pytest.raises(BadArgument):
        Server(addresses=["10.0.0.1"]).leave(GOOD, log=path)
    entries = [json.loads(line) for line in path.read_text().splitlines()]
    assert [entry["outcome"] for entry in entries] == ["200", "500", "bad_argument"]
    assert {entry["host"] for entry in entries} == {"list.example"}
    assert entries[0]["message_id"] == "<n1@list.example>"
    assert "secret" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_log_that_cannot_be_written_hides_no_success(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert Server().leave(GOOD, log=tmp_path / "file" / "unsubscribed.jsonl").status == 200
