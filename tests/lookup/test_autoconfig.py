"""What a domain publishes for mail programs, as far as it can be used; whatever a web server does is bounded."""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gaia_email.app.accounts.autoconfig import MOST_BYTES, UnusableSettings, fetch_page, pages_of, servers_in
from gaia_email_registry.providers import Endpoint
from tests.certificates import make_certificate
from tests.egress.conftest import Rows
from tests.egress.conftest import rows as rows
from tests.egress.recording_proxy import RecordingProxy
from tests.lookup.pages import PAGE, server
from tests.models.in_thread import listening
from tests.models.model_server import Answer, ModelServer

ME = "ida@firm.example"
HOSTS = ("autoconfig.firm.example", "firm.example", "www.firm.example", "evil.example")
PATH = "/mail/config-v1.1.xml"

Fetch = Callable[[ModelServer], bytes | None]


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls") / "firm.pem", *HOSTS)


@pytest.fixture
def fetch(authority: Path, monkeypatch: pytest.MonkeyPatch) -> Fetch:
    """Fetches the settings of firm.example, where every host on port 443 is the server given, behind TLS."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(authority)

    def get(pages: ModelServer) -> bytes | None:
        with (
            listening(pages) as found,
            RecordingProxy(found.address.port, tls) as inside,
            RecordingProxy(None, elsewhere={443: inside.port}) as between,
        ):
            monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{between.port}")
            return asyncio.run(fetch_page(pages_of("firm.example")[0], "firm.example"))

    return get


def leading(*to: str) -> ModelServer:
    """A server whose pages lead one to the next."""
    paths = [PATH, *(f"/{number}" for number in range(1, len(to)))]
    return ModelServer(
        pages={
            path: Answer(status=302, raw=b"", headers={"Location": target})
            for path, target in zip(paths, to, strict=True)
        }
        | {"/there": Answer(raw=b"<found/>")}
    )


def test_a_page_is_fetched_without_telling_whose_address_it_is_for(fetch: Fetch, rows: Rows) -> None:
    pages = ModelServer(pages={PATH: Answer(raw=PAGE)})
    assert fetch(pages) == PAGE
    assert [one.path for one in pages.asked] == [PATH]
    (row,) = rows()
    assert (row.host, row.port, row.why) == ("autoconfig.firm.example", 443, "lookup")
    assert row.received > len(PAGE)


def test_where_there_is_none_there_is_none(fetch: Fetch) -> None:
    assert fetch(ModelServer()) is None


def test_a_redirect_within_the_domain_is_followed(fetch: Fetch) -> None:
    assert fetch(leading("/1", "https://www.firm.example/there")) == b"<found/>"


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("https://evil.example/there", "another site"),
        ("https://firm.example.evil.example/there", "another site"),
        ("https://evilfirm.example/there", "another site"),
        ("http://firm.example/there", "another site"),
        ("https://firm.example:8443/there", "another site"),
        ("file:///etc/passwd", "another site"),
        ("https://[/there", "no address"),
        (PATH, "one page to the next"),
    ],
)
def test_a_redirect_to_another_site_or_for_ever_is_not(fetch: Fetch, target: str, why: str) -> None:
    with pytest.raises(UnusableSettings, match=why):
        fetch(leading(target))


def test_a_page_has_a_size_and_a_time(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnusableSettings, match="too large"):
        fetch(ModelServer(pages={PATH: Answer(raw=b" " * (MOST_BYTES + 1))}))
    monkeypatch.setattr("gaia_email.app.accounts.autoconfig.WHOLE_S", 0.3)
    with pytest.raises(UnusableSettings, match="too long"):
        fetch(ModelServer(pages={PATH: Answer(hangs=True)}))


def test_a_server_with_a_certificate_that_is_not_its_own_is_none(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(make_certificate(tmp_path / "other.pem", *HOSTS)))
    assert fetch(ModelServer(pages={PATH: Answer(raw=PAGE)})) is None


def test_the_first_server_with_tls_counts() -> None:
    told = servers_in(PAGE, ME)
    assert told.imap == Endpoint("mail.firm.example", 993, "tls")
    assert told.smtp == Endpoint("send.firm.example", 587, "starttls")
    assert told.user == ""


@pytest.mark.parametrize(
    ("user", "means"),
    [
        ("%EMAILADDRESS%", ""),
        ("%EMAILLOCALPART%", "ida"),
        ("%EMAILLOCALPART%.%EMAILDOMAIN%", "ida.firm.example"),
        ("mail-ida", "mail-ida"),
        ("%REALNAME%", ""),
        ("", ""),
        ("i&#10;da", ""),
        ("x" * 400, ""),
    ],
)
def test_who_logs_in(user: str, means: str) -> None:
    assert servers_in(server(user=user), ME).user == means


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (server(security="plain"), "without encryption"),
        (server(security=""), "without encryption"),
        (server(port="0"), "without encryption"),
        (server(port="99999"), "without encryption"),
        (server(port="²"), "without encryption"),
        (server(kind="pop3"), "no IMAP server"),
        (b"<clientConfig/>", "no IMAP server"),
        (b"<html><p>Not found", "not XML"),
        (b"", "not XML"),
        (b"\xff\xfe\x00", "not XML"),
        (b"<?xml version='1.0' encoding='no-such'?><a/>", "not XML"),
        (b"<!DOCTYPE a><a/>", "DOCTYPE"),
        (b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>", "DOCTYPE"),
        ("<!DOCTYPE a [<!ENTITY b 'x'>]><a>&b;</a>".encode("utf-16"), "DOCTYPE"),
    ],
)
def test_a_page_that_is_of_no_use_is_refused_with_the_reason(page: bytes, why: str) -> None:
    with pytest.raises(UnusableSettings, match=why):
        servers_in(page, ME)


def test_entities_that_grow_cost_nothing() -> None:
    levels = "".join(f"<!ENTITY e{n} '{f'&e{n - 1};' * 10}'>" for n in range(1, 12))
    began = time.monotonic()
    with pytest.raises(UnusableSettings, match="DOCTYPE"):
        servers_in(f"<!DOCTYPE a [<!ENTITY e0 'x'>{levels}]><a>&e11;</a>".encode(), ME)
    assert time.monotonic() - began < 1


def test_a_deep_page_is_read_or_refused() -> None:
    deep = b"<a>" * 100_000 + b"</a>" * 100_000
    with pytest.raises(UnusableSettings, match="no IMAP server"):
        servers_in(deep, ME)
