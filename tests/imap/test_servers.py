"""The servers that the IMAP tests rest on do what they say."""

from __future__ import annotations

import imaplib
import re
import smtplib
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.mail_servers.dovecot import PASSWORD, Dovecot
from tools.mail_servers.dovecot_config import Options, config, token
from tools.mail_servers.dovecot_config_24 import config_24
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.scripted_imap import Script, ScriptedImap
from tools.mail_servers.smtp_sink import SmtpSink

DovecotWith = Callable[[Options], Dovecot]
ScriptedWith = Callable[[Script], ScriptedImap]

RAW = b"From: ann@example.org\r\nSubject: hello\r\n\r\nHi.\r\n"


def uidvalidity(port: int, user: str, folder: str = "INBOX") -> int:
    client = imaplib.IMAP4("127.0.0.1", port)
    client.login(user, PASSWORD)
    client.select(folder)
    value = client.response("UIDVALIDITY")[1][0]
    client.shutdown()
    return int(value)


def test_a_message_put_by_a_client_is_there_with_its_flags(other: OtherClient) -> None:
    uid = other.append(RAW, flags=["\\Seen", "project"])
    assert other.held()[uid].raw == RAW
    assert other.held()[uid].flags == {"\\Seen", "project"}


def test_a_message_put_on_disk_is_served(dovecot: Dovecot, user: str) -> None:
    dovecot.fill(user, [(RAW, "S"), (RAW, "")])
    with OtherClient(dovecot.port, user) as client:
        assert [held.flags for held in client.held().values()] == [{"\\Seen"}, set()]


def test_renumbering_changes_uidvalidity_and_keeps_the_messages(dovecot: Dovecot, user: str) -> None:
    with OtherClient(dovecot.port, user) as client:
        client.append(RAW, "Archive")
    before = uidvalidity(dovecot.port, user, "Archive")
    dovecot.renumber(user, "Archive")
    assert uidvalidity(dovecot.port, user, "Archive") != before
    with OtherClient(dovecot.port, user) as client:
        assert [held.raw for held in client.held("Archive").values()] == [RAW]


def test_a_full_mailbox_refuses_more(dovecot_with: DovecotWith, user: str) -> None:
    with OtherClient(dovecot_with(Options(quota_kb=20)).port, user) as client:
        client.append(RAW)
        with pytest.raises(imaplib.IMAP4.error, match="OVERQUOTA"):
            client.append(RAW + b"x" * 30_000)


def test_a_forbidden_folder_is_read_only(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(acl=True))
    with OtherClient(server.port, user) as client:
        client.append(RAW, "Archive")
    server.forbid_changes(user, "Archive")
    with OtherClient(server.port, user) as client:
        assert len(client.uids("Archive")) == 1
        with pytest.raises(imaplib.IMAP4.error):
            client.append(RAW, "Archive")


def bearer_login(server: Dovecot, user: str, token: str) -> None:
    blob = f"user={user}\x01auth=Bearer {token}\x01\x01".encode()
    client = imaplib.IMAP4("127.0.0.1", server.port)
    try:
        client.authenticate("XOAUTH2", lambda challenge: b"" if challenge else blob)
    finally:
        client.shutdown()


def test_a_token_lets_in_until_it_has_expired(dovecot_with: DovecotWith, user: str) -> None:
    key = b"k" * 32
    server = dovecot_with(Options(token_key=key))
    bearer_login(server, user, token(key, user))
    with pytest.raises(imaplib.IMAP4.error, match="AUTHENTICATIONFAILED"):
        bearer_login(server, user, token(key, user, lifetime_s=-10))


def test_tls_is_offered_with_a_certificate_that_can_be_checked(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(tls=True))
    context = ssl.create_default_context(cafile=str(server.certificate))
    with OtherClient(server.tls_port, user, tls=context) as client:
        assert "Sent" in client.folders()


def test_sessions_die_and_the_server_lives_on(own_dovecot: Dovecot) -> None:
    with OtherClient(own_dovecot.port, "ann") as client:
        client.append(RAW)
        own_dovecot.kill_sessions()
        with pytest.raises((imaplib.IMAP4.abort, OSError)):
            client.uids()
    with OtherClient(own_dovecot.port, "ann") as again:
        assert len(again.uids()) == 1


def test_a_killed_server_comes_back_with_its_mail(own_dovecot: Dovecot) -> None:
    with OtherClient(own_dovecot.port, "ann") as client:
        client.append(RAW)
    own_dovecot.kill()
    with pytest.raises(OSError):
        OtherClient(own_dovecot.port, "ann")
    own_dovecot.start()
    with OtherClient(own_dovecot.port, "ann") as client:
        assert len(client.uids()) == 1


def test_the_proxy_cuts_before_the_server_has_seen_a_command(
    proxy: Proxy, other: OtherClient, user: str
) -> None:
    proxy.cut_on_command(rb"APPEND")
    with OtherClient(proxy.port, user) as client, pytest.raises((imaplib.IMAP4.abort, OSError)):
        client.append(RAW)
    assert other.uids() == []


def test_the_proxy_cuts_after_the_server_has_done_a_command(
    proxy: Proxy, other: OtherClient, user: str
) -> None:
    proxy.cut_on_answer(rb"APPENDUID")
    with OtherClient(proxy.port, user) as client, pytest.raises((imaplib.IMAP4.abort, OSError)):
        client.append(RAW)
    assert len(other.uids()) == 1


def test_the_proxy_cuts_in_the_middle_of_a_message(proxy: Proxy, other: OtherClient, user: str) -> None:
    other.append(RAW + b"x" * 100_000)
    with OtherClient(proxy.port, user) as client:
        proxy.cut_after(50_000)
        with pytest.raises((imaplib.IMAP4.abort, OSError)):
            client.held()
    assert proxy.accepted == 1
    assert any(command.startswith("UID FETCH") for command in proxy.commands)


def test_a_half_open_connection_carries_nothing_and_does_not_end(proxy: Proxy, user: str) -> None:
    client = imaplib.IMAP4("127.0.0.1", proxy.port, timeout=0.2)
    client.login(user, PASSWORD)
    proxy.silence_on_command(rb"NOOP")
    with pytest.raises(TimeoutError):
        client.noop()
    client.shutdown()


def test_the_scripted_server_refuses_what_it_does_not_announce(
    scripted: ScriptedWith,
) -> None:
    server = scripted(Script())
    server.store.put(RAW, flags=["\\Seen"])
    with OtherClient(server.port, "ann") as client:
        (held,) = client.held().values()
        assert held.raw == RAW
        with pytest.raises(imaplib.IMAP4.error, match="unknown command MOVE"):
            client.move([1], "Trash")
        client.copy([1], "Trash")
        client.expunge([1])
        assert {name: len(box) for name, box in client.everything().items()} == {
            "INBOX": 0,
            "Sent": 0,
            "Trash": 1,
        }


def test_the_scripted_server_says_what_the_script_says(scripted: ScriptedWith) -> None:
    server = scripted(Script(answers=[("SEARCH", "* BYE too many of you")]))
    with OtherClient(server.port, "ann") as client, pytest.raises(imaplib.IMAP4.abort):
        client.uids()


def test_submission_takes_a_message_or_refuses_a_recipient(smtp: SmtpSink) -> None:
    smtp.refuse["nobody@example.org"] = "550 5.1.1 nobody here"
    with smtplib.SMTP("127.0.0.1", smtp.port) as client:
        client.login("ann", PASSWORD)
        refused = client.sendmail("ann@example.org", ["bo@example.org", "nobody@example.org"], RAW)
    assert list(refused) == ["nobody@example.org"]
    (received,) = smtp.received
    assert (received.recipients, received.user, received.raw) == (("bo@example.org",), "ann", RAW)


SHAPES = [
    Options(),
    Options(capability="IMAP4rev1 IDLE", quota_kb=100, acl=True),
    Options(tls=True, token_key=b"key", storage="sdbox", failed_login_s=2),
    Options(separator=".", prefix="INBOX.", roles=False),
]
ONLY_23 = (
    r"mail_location|disable_plaintext_auth|ssl_cert\b|ssl_key\b|\bargs =|^plugin \{|quota_rule|"
    r"service_count|address =|%u|mail_plugins ="
)
ONLY_24 = (
    r"dovecot_config_version|mail_driver|mail_path|ssl_server|%\{user\}|restart_request_count|"
    r"auth_allow_cleartext"
)


@pytest.mark.parametrize("options", SHAPES)
def test_each_dovecot_gets_a_configuration_in_its_own_words(tmp_path: Path, options: Options) -> None:
    (tmp_path / "23").mkdir()
    (tmp_path / "24").mkdir()
    old = config(tmp_path / "23", 1143, 1993, options)
    new = config_24(tmp_path / "24", 1143, 1993, options)
    assert not re.search(ONLY_24, old, re.M)
    assert not re.search(ONLY_23, new, re.M)
    assert new.splitlines()[0].startswith("dovecot_config_version = 2.4")
    for text in (old, new):
        assert len(re.findall(r" \{$", text, re.M)) == len(re.findall(r"^ *\}$", text, re.M))
        assert ("IMAP4rev1 IDLE" in text) == (options.capability is not None)
        assert ("100K" in text) == (options.quota_kb is not None)
        assert ("cert.pem" in text) == options.tls
        assert ("special_use = \\Sent" in text) == options.roles
        assert "port = 1143" in text and "port = 1993" in text
    if options.token_key is not None:
        kept = [(tmp_path / part / "keys/default/HS256/default").read_bytes() for part in ("23", "24")]
        assert kept[0] == kept[1]
