"""Logging in: what is a refusal, what is bad luck, and what is never shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaia_email_registry.errors import MailError, NeedsAuth, ProviderError
from gaia_imap_mcp.protocol.connection import Connection, connect
from gaia_imap_mcp.protocol.errors import CommandRefused, ConnectionDropped
from gaia_imap_mcp.protocol.link import HeldConnection
from gaia_imap_mcp.protocol.login import log_in
from gaia_imap_mcp.settings import ImapSettings, LoginSecret
from tests.contract.suite import write_message
from tests.imap.truth import always, settings
from tools.mail_servers.dovecot import PASSWORD, Dovecot, free_port
from tools.mail_servers.dovecot_config import Options
from tools.mail_servers.other_client import OtherClient
from tools.mail_servers.proxy import Proxy
from tools.mail_servers.scripted_imap import Script, ScriptedImap

from .conftest import DovecotWith

PLAIN = ("IMAP4rev1", "AUTH=PLAIN")


@pytest.mark.parametrize("capabilities", [("IMAP4rev1",), PLAIN])
@pytest.mark.parametrize("answer", ["", "* BYE restarting"])
def test_a_server_that_goes_away_during_the_login_has_not_refused_the_password(
    capabilities: tuple[str, ...], answer: str
) -> None:
    with ScriptedImap(Script(capabilities=capabilities, answers=[("LOGIN|AUTHENTICATE", answer)])) as server:
        with pytest.raises(ConnectionDropped):
            log_in(
                replace(settings(server.port, "bob"), user="bób" if "AUTH=PLAIN" in capabilities else "bob")
            )
        connect(settings(server.port, "bob")).close()


@pytest.mark.parametrize("name", ["john doe", 'say "hi"', "back\\slash", "per%cent*", "(x)", "{3}", "]"])
def test_a_user_name_may_hold_anything_that_can_be_printed(name: str) -> None:
    script = Script()
    with ScriptedImap(script) as server:
        connect(settings(server.port, name)).close()
    assert script.logins == 1


def test_a_server_that_repeats_the_password_is_not_quoted() -> None:
    word = "s3cret-Wörd"
    for answer in (
        f"{{tag}} NO bad password {word.encode().decode('latin-1')}",
        "{tag} BAD what is LOGIN bob hunter2",
    ):
        script = Script(capabilities=("IMAP4rev1",), answers=[("LOGIN", answer)])
        with ScriptedImap(script) as server:
            for secret in ("hunter2",):
                with pytest.raises(MailError) as caught:
                    log_in(replace(settings(server.port, "bob"), secret=always(secret)))
                assert secret not in str(caught.value)


def test_a_password_that_was_refused_is_read_again_and_tried_when_it_is_another_one() -> None:
    stored = ["old"]
    kept: list[str] = []

    def source(fresh: bool) -> LoginSecret:
        if fresh or not kept:
            kept[:] = [stored[0]]
        return LoginSecret(value=kept[0])

    script = Script()
    with ScriptedImap(script) as server:
        link = HeldConnection(replace(settings(server.port, "bob"), secret=source))
        for _ in range(3):
            with pytest.raises(NeedsAuth):
                link.connection()
        assert script.commands.count("LOGIN") == 1
        stored[0] = PASSWORD
        link.connection()
        link.close()


def test_a_server_that_refuses_to_tell_its_capabilities_is_left_alone_for_a_while() -> None:
    def opener(of: ImapSettings) -> Connection:
        raise CommandRefused("busy", code="LIMIT")

    link = HeldConnection(settings(free_port(), "bob"), opener=opener)
    for _ in range(2):
        with pytest.raises(ProviderError, match="busy"):
            link.connection()


def test_a_link_that_was_broken_off_stays_so() -> None:
    with ScriptedImap() as server:
        link = HeldConnection(settings(server.port, "bob"))

        def use(connection: Connection) -> None:
            link.abort()
            connection.command(b"NOOP")

        with pytest.raises(ConnectionDropped):
            link.attempt(use)
        with pytest.raises(ConnectionDropped):
            link.connection()
        assert server.accepted == 1


def test_a_certificate_made_on_this_machine_is_good_enough_for_this_machine(
    dovecot_with: DovecotWith,
) -> None:
    server = dovecot_with(Options(tls=True))
    there = replace(settings(server.port, "bob"), security="tls", port=server.tls_port)
    connect(there).close()
    other = server.base / "home" / "other.pem"
    other.write_text((server.certificate).read_text()[:100])
    with pytest.raises(MailError, match="cannot be read"):
        connect(replace(there, certificates=other))


def test_starttls_is_begun_before_anything_else_is_said(dovecot_with: DovecotWith, user: str) -> None:
    server = dovecot_with(Options(tls=True))
    with OtherClient(server.port, user) as other:
        other.append(write_message(1))
    connection = connect(replace(settings(server.port, user), security="starttls"))
    try:
        assert connection.examine("INBOX").exists == 1
    finally:
        connection.close()
    with Proxy(server.port) as proxy:
        connect(replace(settings(proxy.port, user), security="starttls")).close()
        assert [command for command in proxy.commands if "LOGIN" in command or "AUTH" in command] == []
        assert any(command.startswith("STARTTLS") for command in proxy.commands)


def test_a_server_without_starttls_gets_no_password(dovecot: Dovecot, user: str) -> None:
    with Proxy(dovecot.port) as proxy:
        with pytest.raises(MailError, match="STARTTLS"):
            connect(replace(settings(proxy.port, user), security="starttls"))
        assert not any("LOGIN" in command or "AUTH" in command for command in proxy.commands)


def test_what_does_not_answer_is_named_with_its_port() -> None:
    port = free_port()
    with pytest.raises(ConnectionDropped, match=f"127.0.0.1:{port}.*refused"):
        log_in(settings(port, "bob"))
