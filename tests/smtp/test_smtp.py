"""Sending to a real server: what leaves, what is refused, and what is said then."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gaia_email_registry.errors import BadArgument, MailError, NeedsAuth, ProviderError, RateLimited
from gaia_email_registry.providers import Endpoint
from gaia_imap_mcp.smtp.sender import SmtpSender
from gaia_mail_mcp.delivery import Delivery

Serve = Callable[..., Endpoint]
Sender = Callable[..., SmtpSender]
PASSWORD = "päss wörd"


def delivery(
    *recipients: str, raw: bytes = b"Subject: hi\r\n\r\nhello\r\n", sender: str = "ida@example.org"
) -> Delivery:
    return Delivery(sender=sender, recipients=recipients or ("ann@example.com",), raw=raw)


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_a_message_arrives_over_every_kind_of_connection(
    serve: Serve, sender: Sender, post: Any, security: str
) -> None:
    sender(serve(security)).send(delivery("ann@example.com", "bo@example.net"))
    (arrived,) = post.arrived
    assert (arrived.mail_from, arrived.rcpt_tos) == ("ida@example.org", ["ann@example.com", "bo@example.net"])
    assert arrived.content == b"Subject: hi\r\n\r\nhello\r\n"
    assert len(post.logins) == 1


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_a_password_beyond_ascii_logs_in_by_either_mechanism(
    serve: Serve, sender: Sender, post: Any, mechanism: str
) -> None:
    other = {"PLAIN": "LOGIN", "LOGIN": "PLAIN"}[mechanism]
    sender(serve(auth_exclude_mechanism=[other])).send(delivery())
    assert post.logins == [mechanism]


def test_an_access_token_logs_in_and_an_expired_one_is_said(serve: Serve, sender: Sender, post: Any) -> None:
    endpoint = serve()
    sender(endpoint, secret="fresh", auth="xoauth2").send(delivery())
    assert post.logins == ["XOAUTH2"]
    with pytest.raises(NeedsAuth):
        sender(endpoint, secret="expired", auth="xoauth2").send(delivery())
    assert len(post.arrived) == 1


def test_a_wrong_password_is_tried_once_and_never_repeated_in_the_error(
    serve: Serve, sender: Sender, post: Any
) -> None:
    with pytest.raises(NeedsAuth, match="does not accept") as caught:
        sender(serve(), secret="hunter2-wrong").check()
    assert post.logins == ["refused"]
    assert "hunter2" not in repr(caught.value) + caught.value.message


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_dots_and_line_ends_cannot_end_a_message_early(
    serve: Serve, sender: Sender, post: Any, end: bytes
) -> None:
    lines = [b"Subject: x", b"", b".", b"..two", b"MAIL FROM:<evil@example.net>", b"."]
    sender(serve()).send(delivery(raw=end.join(lines)))
    (arrived,) = post.arrived
    assert arrived.content == b"\r\n".join(lines) + b"\r\n"


def test_letters_beyond_ascii_are_sent_where_the_server_can(serve: Serve, sender: Sender, post: Any) -> None:
    raw = "Subject: Grüße\r\n\r\nschön\r\n".encode()
    sender(serve()).send(delivery("jürgen@example.com", "ann@bücher.example", raw=raw))
    (arrived,) = post.arrived
    assert arrived.rcpt_tos == ["jürgen@example.com", "ann@xn--bcher-kva.example"]
    assert arrived.content == raw
    assert {"BODY=8BITMIME", "SMTPUTF8"} <= set(post.options[0])


def test_letters_beyond_ascii_are_refused_where_the_server_cannot(
    serve: Serve, sender: Sender, post: Any
) -> None:
    endpoint = serve(enable_SMTPUTF8=False)
    with pytest.raises(BadArgument, match="beyond ASCII"):
        sender(endpoint).send(delivery("jürgen@example.com"))
    sender(endpoint).send(delivery("ann@bücher.example", raw=b"Subject: x\r\n\r\n\xc3\xa4\r\n"))
    assert len(post.arrived) == 1


def test_when_one_recipient_is_refused_nobody_gets_the_message(
    serve: Serve, sender: Sender, post: Any
) -> None:
    post.refuse = {"bo@example.net": "550 5.1.1 No such user", "cy@example.net": "553 no"}
    with pytest.raises(BadArgument, match="No such user") as caught:
        sender(serve()).send(delivery("ann@example.com", "bo@example.net", "cy@example.net"))
    assert "bo@example.net, cy@example.net" in caught.value.message
    assert "nothing was sent" in caught.value.message
    assert caught.value.argument == "to"
    assert post.arrived == []


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("554 5.7.1 looks like spam", BadArgument),
        ("452 4.3.1 disk full", ProviderError),
        ("450 4.7.1 rate limit reached", RateLimited),
        ("421 4.3.2 closing", RateLimited),
    ],
)
def test_a_refused_message_says_what_the_server_said(
    serve: Serve, sender: Sender, post: Any, reply: str, kind: type[MailError]
) -> None:
    post.answer = reply
    with pytest.raises(kind) as caught:
        sender(serve()).send(delivery())
    assert type(caught.value) is kind
    assert reply[4:] in caught.value.message


def test_a_connection_lost_after_the_message_says_that_it_may_have_been_sent(
    serve: Serve, sender: Sender, post: Any
) -> None:
    post.hang_up = True
    with pytest.raises(ProviderError, match="may have been sent"):
        sender(serve()).send(delivery())


def test_a_message_larger_than_the_server_takes_is_refused_before_it_is_sent(
    serve: Serve, sender: Sender, post: Any
) -> None:
    with pytest.raises(BadArgument, match="at most 1,000"):
        sender(serve(data_size_limit=1000)).send(delivery(raw=b"Subject: x\r\n\r\n" + b"y" * 1000))
    assert post.options == []


def test_a_server_that_is_not_there_is_said(sender: Sender) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = Endpoint("127.0.0.1", unused.getsockname()[1], "tls")
        with pytest.raises(ProviderError, match="nothing was sent"):
            sender(endpoint).send(delivery())


def test_a_server_that_says_nothing_does_not_hold_the_caller(sender: Sender) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        quick = sender(Endpoint("127.0.0.1", silent.getsockname()[1], "none"), timeout_s=0.1)
        with pytest.raises(ProviderError, match="no answer in time"):
            quick.send(delivery())


def test_a_password_is_never_shown_to_the_network(sender: Sender, serve: Serve, post: Any) -> None:
    with pytest.raises(BadArgument, match="without TLS"):
        sender(Endpoint("mail.example", 25, "none")).send(delivery())
    plain = serve("none")
    with pytest.raises(ProviderError, match="offers no STARTTLS"):
        sender(Endpoint(plain.host, plain.port, "starttls")).send(delivery())
    assert post.logins == []


def test_a_certificate_that_is_not_trusted_ends_it_before_the_password(
    serve: Serve, sender: Sender, post: Any, certificate: Path, stranger: Path, tmp_path: Path
) -> None:
    for security in ("tls", "starttls"):
        with pytest.raises(ProviderError, match="not trusted"):
            sender(serve(security), certificates=stranger).send(delivery())
        sender(serve(security), certificates=certificate).send(delivery())
    with pytest.raises(BadArgument, match="cannot be read"):
        sender(serve("tls"), certificates=tmp_path / "none").send(delivery())
    assert (len(post.arrived), len(post.logins)) == (2, 2)


@pytest.mark.parametrize(
    "address",
    [
        "ann@example.com>\r\nRCPT TO:<evil@example.net",
        "ann@example.com\nDATA",
        "ann @example.com",
        "ann@exam\0ple.com",
        "<ann@example.com>",
        "ann",
        "",
        "a@" + "b" * 400,
    ],
)
def test_an_address_that_would_be_a_command_is_refused(
    serve: Serve, sender: Sender, post: Any, address: str
) -> None:
    endpoint = serve()
    for message in (delivery(address), delivery(sender=address)):
        with pytest.raises(BadArgument) as caught:
            sender(endpoint).send(message)
        assert "\n" not in caught.value.message
    assert (post.arrived, post.logins) == ([], [])
