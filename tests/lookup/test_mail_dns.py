"""What DNS says of a domain's mail, from a server on loopback that is honest, slow, broken or lying."""

from __future__ import annotations

import socket

import dns.rcode
import pytest

from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email_registry.providers import Endpoint, provider_of_mx
from tests.egress.conftest import Rows
from tests.egress.conftest import rows as rows
from tests.lookup.dns_server import DnsServer

MX = {("firm.example", "MX"): ["20 spare.firm.example.", "5 mx.firm.example."]}
HOSTS = ["mx.firm.example", "spare.firm.example"]


def asking(server: DnsServer) -> MailDns:
    return MailDns([("127.0.0.1", server.port)])


def test_the_preferred_host_comes_first() -> None:
    with DnsServer(MX) as server:
        assert asking(server).mail_exchangers("firm.example") == HOSTS


@pytest.mark.parametrize("records", [[], ["0 ."]])
def test_a_domain_without_mail_has_no_hosts(records: list[str]) -> None:
    with DnsServer({("firm.example", "MX"): records}) as server:
        assert asking(server).mail_exchangers("firm.example") == []


def test_the_first_service_with_tls_counts_and_its_first_server() -> None:
    records = {
        ("_imaps._tcp.firm.example", "SRV"): ["10 1 993 spare.firm.example.", "5 1 994 mail.firm.example."],
        ("_imap._tcp.firm.example", "SRV"): ["0 1 143 old.firm.example."],
        ("_submissions._tcp.firm.example", "SRV"): ["0 0 0 ."],
        ("_submission._tcp.firm.example", "SRV"): ["0 1 587 send.firm.example."],
    }
    with DnsServer(records) as server:
        dns = asking(server)
        assert dns.service("firm.example", "imap") == Endpoint("mail.firm.example", 994, "tls")
        assert dns.service("firm.example", "smtp") == Endpoint("send.firm.example", 587, "starttls")
        assert dns.service("other.example", "imap") is None


def test_an_answer_that_does_not_fit_is_asked_for_over_tcp_and_all_of_it_is_in_the_ledger(rows: Rows) -> None:
    with DnsServer(MX) as server:
        server.cut = True
        assert asking(server).mail_exchangers("firm.example") == HOSTS
    found = rows()
    assert [(row.host, row.port, row.why, row.open) for row in found] == [
        ("127.0.0.1", server.port, "lookup", False)
    ] * 2
    assert [sum(row.sent for row in found), sum(row.received for row in found)] == server.bytes


def test_an_answer_to_another_question_is_not_believed(rows: Rows) -> None:
    with DnsServer(MX) as server:
        server.wrong_id = True
        assert asking(server).mail_exchangers("firm.example") == HOSTS
    (row,) = rows()
    assert [row.sent, row.received] == server.bytes


def test_the_next_resolver_is_asked_where_one_fails_or_is_not_there() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as nobody,
        DnsServer() as broken,
        DnsServer(MX) as good,
    ):
        nobody.bind(("127.0.0.1", 0))
        gone = nobody.getsockname()[1]
        nobody.close()
        broken.rcode = dns.rcode.SERVFAIL
        dns_of = MailDns([("127.0.0.1", port) for port in (gone, broken.port, good.port)])
        assert dns_of.mail_exchangers("firm.example") == HOSTS
        assert len(broken.asked) == len(good.asked) == 1


def test_a_resolver_that_says_nothing_costs_a_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_email.app.accounts.mail_dns.ANSWER_S", 0.1)
    with DnsServer(MX) as server:
        server.silent = True
        assert asking(server).mail_exchangers("firm.example") is None


def test_a_name_that_is_none_and_a_machine_without_resolvers_tell_nothing() -> None:
    with DnsServer(MX) as server:
        assert asking(server).mail_exchangers("a" * 64 + ".example") == []
        assert server.asked == []
    assert MailDns([]).mail_exchangers("firm.example") is None


@pytest.mark.parametrize(
    ("host", "provider"),
    [
        ("aspmx.l.google.com", "gmail"),
        ("SMTP.GOOGLE.COM.", "gmail"),
        ("firm-example.mail.protection.outlook.com", "microsoft365"),
        ("firm-example.o-v1.mx.microsoft", "microsoft365"),
        ("in1-smtp.messagingengine.com", "fastmail"),
        ("mailsec.protonmail.ch", "proton"),
        ("mx.zoho.eu", "zoho.eu"),
        ("mx01.mail.icloud.com", "icloud"),
        ("notgoogle.com", ""),
        ("google.com.firm.example", ""),
        ("", ""),
    ],
)
def test_whose_mail_hosts_they_are(host: str, provider: str) -> None:
    found = provider_of_mx(host)
    assert (found.id if found else "") == provider
