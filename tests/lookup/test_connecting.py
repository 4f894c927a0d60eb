"""`gaia email connect` of an address of an unknown domain: announced, asked, shown, agreed to, connected."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from gaia_email.app.accounts.connect import ConnectedAccount
from gaia_email_registry.accounts import Account, read_accounts
from tests.certificates import make_certificate
from tests.cli.printed import Ran, Run, runner
from tests.egress.conftest import Rows
from tests.egress.conftest import rows as rows
from tests.egress.recording_proxy import RecordingProxy
from tests.lookup.dns_server import DnsServer
from tests.lookup.pages import PAGE
from tests.models.in_thread import listening
from tests.models.model_server import Answer, ModelServer

ME = "ida@firm.example"
OWN = {
    ("_imaps._tcp.firm.example", "SRV"): ["0 1 993 mail.firm.example."],
    ("_submissions._tcp.firm.example", "SRV"): ["0 1 465 mail.firm.example."],
}
HOSTED = {("_imaps._tcp.firm.example", "SRV"): ["0 1 993 imap.host.example."]}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Every login succeeds: what is tried here is which servers are found."""
    monkeypatch.setenv("GAIA_VAULT", "file")

    async def works(account: Account) -> ConnectedAccount:
        return ConnectedAccount(account=account, labels=3, can_send=True, problems=())

    monkeypatch.setattr("gaia_email.app.accounts.connect._try", works)
    plain = runner(capsys, monkeypatch)
    return lambda *words: plain(*words, stdin=b"secret\n")


@pytest.fixture
def dns(monkeypatch: pytest.MonkeyPatch) -> Iterator[DnsServer]:
    """The only resolver of this machine."""
    with DnsServer() as server:
        monkeypatch.setattr(
            "gaia_email.app.accounts.mail_dns.system_resolvers", lambda: [("127.0.0.1", server.port)]
        )
        yield server


@pytest.fixture
def nothing_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """No host can be reached over HTTPS."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")


def connect(run: Run, *more: str) -> Ran:
    return run("connect", "--email", ME, *more)


def stored() -> Account:
    (account,) = read_accounts(os.environ)
    return account


def test_a_domain_whose_mail_a_known_provider_takes_in_is_that_providers(
    run: Run, dns: DnsServer, rows: Rows
) -> None:
    dns.records = {("firm.example", "MX"): ["1 in1-smtp.messagingengine.com."]}
    told = connect(run)
    assert told.code == 0, told.err
    assert "asking DNS which servers take in the mail of firm.example (MX)" in told.err
    assert "the mail of firm.example is at Fastmail, says DNS (MX)" in told.err
    assert (stored().provider, stored().settings) == ("fastmail", {})
    assert dns.asked == [("firm.example", "MX")]
    (row,) = rows()
    assert (row.why, [row.sent, row.received]) == ("lookup", dns.bytes)


def test_microsofts_is_logged_in_at_on_microsofts_own_page(run: Run, dns: DnsServer) -> None:
    dns.records = {("firm.example", "MX"): ["0 firm-example.mail.protection.outlook.com."]}
    told = connect(run)
    assert "is at Microsoft 365" in told.err and "GAIA_GRAPH_CLIENT_ID" in told.err
    assert told.code == 4 and read_accounts(os.environ) == ()


def test_servers_that_the_domain_names_in_dns_are_used_as_they_are_named(run: Run, dns: DnsServer) -> None:
    dns.records = OWN
    told = connect(run)
    assert told.code == 0, told.err
    assert "is at mail.firm.example:993, and is sent by mail.firm.example:465, says DNS (SRV)" in told.err
    assert (stored().provider, stored().settings) == (
        "other",
        {
            "imap_host": "mail.firm.example",
            "imap_port": "993",
            "imap_security": "tls",
            "smtp_host": "mail.firm.example",
            "smtp_port": "465",
            "smtp_security": "tls",
        },
    )


def test_a_server_outside_the_domain_that_only_dns_names_gets_no_password_unasked(
    run: Run, dns: DnsServer
) -> None:
    dns.records = HOSTED
    told = connect(run)
    assert told.code == 5 and read_accounts(os.environ) == ()
    assert "only DNS names imap.host.example, outside firm.example" in told.err
    flags = "--imap-host imap.host.example --imap-port 993 --imap-security tls"
    assert f"gaia email connect --email {ME} {flags}" in told.err
    assert connect(run, *flags.split()).code == 0
    assert stored().settings["imap_host"] == "imap.host.example"


@pytest.mark.parametrize("agrees", [True, False])
def test_at_a_terminal_a_person_is_asked_about_it(
    run: Run, dns: DnsServer, monkeypatch: pytest.MonkeyPatch, agrees: bool
) -> None:
    dns.records = HOSTED
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return agrees

    monkeypatch.setattr("click.confirm", confirm)
    monkeypatch.setattr(
        "gaia_email.interfaces.cli.looking_up.sys",
        SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)),
    )
    told = connect(run)
    assert asked and "imap.host.example, outside firm.example" in asked[0]
    assert (told.code, len(read_accounts(os.environ))) == ((0, 1) if agrees else (5, 0))


@pytest.mark.parametrize("host", ["127.0.0.1.", "localhost.", "mail.", "evil_host.firm.example."])
def test_what_is_no_host_of_the_open_internet_is_not_used(
    run: Run, dns: DnsServer, host: str, nothing_published: None
) -> None:
    dns.records = {("_imaps._tcp.firm.example", "SRV"): [f"0 1 993 {host}"]}
    told = connect(run)
    assert told.code == 2 and "are not known here" in told.err


def test_what_the_domain_publishes_over_https_is_the_last_that_is_asked_for(
    run: Run, dns: DnsServer, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = make_certificate(tmp_path / "firm.pem", "autoconfig.firm.example", "firm.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    pages = ModelServer(pages={"/.well-known/autoconfig/mail/config-v1.1.xml": Answer(raw=PAGE)})
    with (
        listening(pages) as server,
        RecordingProxy(server.address.port, tls) as inside,
        RecordingProxy(None, elsewhere={443: inside.port}) as between,
    ):
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{between.port}")
        told = connect(run)
    assert told.code == 0, told.err
    announced = [line for line in told.err.splitlines() if line.startswith("asking")]
    assert [line.split(" (")[1].split(")")[0] for line in announced] == ["MX", "SRV", "HTTPS", "HTTPS"]
    assert (
        "is at mail.firm.example:993, and is sent by send.firm.example:587, says its web server" in told.err
    )
    assert stored().settings["smtp_security"] == "starttls"
    found = rows()
    assert {row.why for row in found} == {"lookup"}
    assert [row.host for row in found if row.port == 443] == ["autoconfig.firm.example", "firm.example"]
    web = [row for row in found if row.port == 443]
    heads = sum(len(one.first) for one in between.seen)
    assert sum(row.sent for row in web) == sum(one.sent for one in inside.seen) + heads
    assert sum(row.sent for row in found if row.port == dns.port) == dns.bytes[0]


def test_nothing_is_asked_with_no_lookup_or_where_all_is_known(
    run: Run, dns: DnsServer, rows: Rows, nothing_published: None
) -> None:
    told = connect(run, "--no-lookup")
    assert told.code == 2 and "are not known here" in told.err and "asking" not in told.err
    assert connect(run, "--imap-host", "mail.firm.example").code == 0
    assert connect(run, "--provider", "posteo").code == 0
    assert run("connect", "--email", "ida@posteo.de").code == 0
    assert dns.asked == [] and rows() == []


def test_a_domain_that_says_nothing_is_named_by_hand(
    run: Run, dns: DnsServer, nothing_published: None
) -> None:
    told = connect(run)
    assert told.code == 2
    assert "firm.example does not say where its mail is." in told.err
    assert f"gaia email connect --email {ME} --imap-host HOST --smtp-host HOST" in told.err


@pytest.mark.parametrize("address", ["ida@localhost", "ida@127.0.0.1", "ida@[::1]", "ida@-.example", "ida"])
def test_what_is_no_domain_is_asked_about_nowhere(run: Run, dns: DnsServer, address: str) -> None:
    told = run("connect", "--email", address)
    assert told.code == 2 and "asking" not in told.err and dns.asked == []


def test_a_domain_of_other_letters_is_asked_about_as_dns_writes_it(
    run: Run, dns: DnsServer, nothing_published: None
) -> None:
    run("connect", "--email", "ida@bücher.example")
    assert dns.asked[0] == ("xn--bcher-kva.example", "MX")
