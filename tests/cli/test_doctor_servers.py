"""`gaia email doctor` about what lies outside this machine: TLS, MX, the clock, models, what clients start."""

from __future__ import annotations

import json
import os
import socket
import ssl
import sys
import threading
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app.accounts.certificates import check_certificate
from gaia_email.app.accounts.checks import CheckFinding
from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email.app.accounts.provider_checks import check_mx
from gaia_email_registry.accounts import Account, store_account
from gaia_email_registry.egress.rows import ledger_file
from gaia_email_registry.providers import Endpoint
from tests.certificates import make_certificate
from tests.cli.printed import Run
from tests.lookup.dns_server import DnsServer
from tests.models.in_thread import listening
from tests.models.model_server import Answer, ModelServer, lemonade
from tools.mail_servers.smtp_sink import SmtpSink

ME = "ida@firm.example"


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))


def findings(run: Run, *options: str) -> dict[str, dict[str, Any]]:
    told = json.loads(run("doctor", "--json", *options).out)["findings"]
    return {one["check"]: one for one in told}


def account(provider: str = "other", address: str = ME, server: str = "imap") -> Account:
    return Account(id=address, provider=provider, address=address, server=server)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    return make_certificate(tmp_path / "server.pem")


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@contextmanager
def speaking(tls: ssl.SSLContext | None, *said: bytes) -> Generator[int, None, None]:
    """A server that says the first at once and the next ones after a line each, then begins TLS."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                plain, _ = server.accept()
                with plain, plain.makefile("rb", buffering=0) as lines:
                    plain.sendall(said[0])
                    for answer in said[1:]:
                        lines.readline()
                        plain.sendall(answer)
                    if tls is not None:
                        with tls.wrap_socket(plain, server_side=True) as secure:
                            secure.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1]
        thread.join(10)


def looked_at(port: int, certificate: Path) -> CheckFinding:
    trusting = ssl.create_default_context(cafile=str(certificate))
    return check_certificate(Endpoint("127.0.0.1", port, "starttls"), trusting)


def test_the_certificate_of_a_server_that_begins_without_tls_is_looked_at_too(
    tls: ssl.SSLContext, certificate: Path
) -> None:
    with SmtpSink(tls=tls) as smtp:
        assert looked_at(smtp.port, certificate).says == "It ends in 0 days."
    with speaking(tls, b"* OK [CAPABILITY IMAP4rev1 STARTTLS] hi\r\n", b"a OK begin\r\n") as port:
        assert looked_at(port, certificate).says == "It ends in 0 days."


@pytest.mark.parametrize(
    "said",
    [
        (b"* OK hi\r\n", b"a BAD no\r\n"),
        (b"220 hi\r\n", b"250-x\r\n250 y\r\n", b"502 no\r\n"),
        (b"* BYE\r\n",),
        (b"x" * 100_000,),
        (b"250-more\r\n" * 1_000,),
        (b"",),
    ],
)
def test_a_server_that_does_not_begin_tls_is_said_and_bounded(
    said: tuple[bytes, ...], certificate: Path
) -> None:
    with speaking(None, *said) as port:
        found = looked_at(port, certificate)
    assert not found.ok and "cannot be reached" in found.says


@pytest.mark.parametrize(
    ("records", "provider", "ok", "says"),
    [
        ({("firm.example", "MX"): ["5 mx.firm.example."]}, "other", True, "goes to mx.firm.example."),
        ({("firm.example", "MX"): ["5 aspmx.l.google.com."]}, "gmail", True, "goes to aspmx.l.google.com."),
        ({("firm.example", "MX"): ["5 aspmx.l.google.com."]}, "other", True, "goes to aspmx.l.google.com."),
        ({("firm.example", "MX"): ["5 f.mail.protection.outlook.com."]}, "outlook", True, "goes to f.mail"),
        ({("firm.example", "MX"): ["5 aspmx.l.google.com."]}, "fastmail", False, "goes to Gmail, but"),
        ({("firm.example", "A"): ["192.0.2.1"]}, "other", True, "goes to firm.example itself"),
        ({}, "other", False, "names no server that takes in mail"),
    ],
)
def test_where_new_mail_of_the_domain_goes(
    records: dict[tuple[str, str], list[str]], provider: str, ok: bool, says: str
) -> None:
    with DnsServer(records) as server:
        found = check_mx(account(provider), MailDns([("127.0.0.1", server.port)]))
    assert found is not None
    assert (found.check, found.ok) == ("MX firm.example", ok) and says in found.says
    assert bool(found.mend) is not ok


def test_without_resolvers_or_at_a_providers_own_domain_nothing_is_wrong() -> None:
    found = check_mx(account(), MailDns([]))
    assert found is not None and found.ok and "No resolver" in found.says
    with DnsServer() as server:
        assert check_mx(account("posteo", "ida@posteo.de"), MailDns([("127.0.0.1", server.port)])) is None
        assert server.asked == []


@pytest.fixture
def no_resolvers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaia_email.app.accounts.mail_dns.system_resolvers", list)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """What stands for Google's API: it refuses every login, and has a clock."""
    with listening(ModelServer()) as server:
        root = f"http://127.0.0.1:{server.address.port}"
        monkeypatch.setenv("GAIA_GMAIL_API_ROOT", root)
        monkeypatch.setenv("GAIA_GOOGLE_OAUTH_ROOT", root)
        yield server


@pytest.mark.parametrize(
    ("off", "ok", "says"),
    [
        (0, True, "goes as theirs does"),
        (-3600, False, "60 minutes ahead of theirs"),
        (3600, False, "60 minutes behind theirs"),
    ],
)
def test_a_clock_that_is_off_by_the_providers_is_found(
    run: Run, api: ModelServer, no_resolvers: None, off: float, ok: bool, says: str
) -> None:
    api.pages["/"] = Answer(raw=b"", headers={"Date": formatdate(time.time() + off, usegmt=True)})
    store_account(account("gmail", server="gmail"), os.environ)
    found = findings(run)["clock by 127.0.0.1"]
    assert found["ok"] is ok and says in found["says"]
    assert ok or "timedatectl" in found["mend"]


@pytest.mark.parametrize("date", ["", "yesterday", "Thu, 99 Foo 2026 99:99:99 GMT"])
def test_a_provider_without_a_clock_tells_nothing(
    run: Run, api: ModelServer, no_resolvers: None, date: str
) -> None:
    api.pages["/"] = Answer(raw=b"", headers={"Date": date})
    store_account(account("gmail", server="gmail"), os.environ)
    assert "clock by 127.0.0.1" not in findings(run)


def test_offline_nobody_is_asked(run: Run, api: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    store_account(account("gmail", server="gmail"), os.environ)
    monkeypatch.setenv("GAIA_MODEL_BASE_URL", f"http://127.0.0.1:{api.address.port}/v1")
    with DnsServer() as dns:
        monkeypatch.setattr(
            "gaia_email.app.accounts.mail_dns.system_resolvers", lambda: [("127.0.0.1", dns.port)]
        )
        findings(run, "--offline")
        assert (dns.asked, api.asked) == ([], [])


def test_a_model_that_was_chosen_is_looked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "models" not in findings(run)
    with listening(ModelServer(pages=lemonade(("Qwen3-4B-GGUF", "llamacpp")))) as server:
        monkeypatch.setenv("GAIA_MODEL_BASE_URL", f"http://127.0.0.1:{server.address.port}/v1")
        assert "No model is chosen" in findings(run)["models"]["says"]
        monkeypatch.setenv("GAIA_MODEL_T2", "Qwen3-4B-GGUF")
        found = findings(run)["models"]
        assert found["ok"] and found["says"].startswith("Qwen3-4B-GGUF: there, at Lemonade")
        monkeypatch.setenv("GAIA_MODEL_T2", "Other-GGUF")
        found = findings(run)["models"]
        assert not found["ok"] and "Other-GGUF, chosen for T2, is not there" in found["says"]
    found = findings(run)["models"]
    assert not found["ok"] and "No model server answers" in found["says"] and found["mend"]
    monkeypatch.setenv("GAIA_MODEL_BASE_URL", "http://192.0.2.1/v1")
    assert not findings(run)["models"]["ok"]


def program(path: Path, says: str) -> str:
    path.write_text(f"#!{sys.executable}\n{says}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("says", "ok", "told"),
    [
        ("from gaia_imap_mcp.server import main\nmain()", True, "starts and lists"),
        (f"print('gaia-imap-mcp {version('gaia-email')}')", False, "does not start"),
        ("print('gaia-imap-mcp 0.0.1')", False, "which is of 0.0.1; this is"),
        ("raise SystemExit(2)", False, "an unknown version"),
        ("", False, "an unknown version"),
    ],
)
def test_a_client_that_starts_another_version_of_ours_is_found(
    run: Run, tmp_path: Path, says: str, ok: bool, told: str
) -> None:
    command = program(tmp_path / "gaia-imap-mcp", says)
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": {"mail": {"command": command}}}))
    found = findings(run, "--offline")["Claude Code"]
    assert found["ok"] is ok and told in found["says"]
    mend = "gaia email servers remove claude-code --name mail, then gaia email servers install claude-code"
    assert ok or found["mend"] == mend


@pytest.mark.parametrize(
    "module",
    [
        *(f"gaia_{name}_mcp.server" for name in ("gmail", "graph", "imap", "local")),
        "gaia_email.interfaces.mcp.server",
    ],
)
def test_every_server_says_which_version_it_is(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        import_module(module).main(["--version"])
    assert ended.value.code == 0
    name, told = capsys.readouterr().out.split()
    assert name.startswith("gaia-") and told == version("gaia-email")


def test_an_egress_ledger_that_cannot_be_written_is_found(run: Run) -> None:
    path = ledger_file(os.environ)
    path.parent.mkdir(parents=True, mode=0o700)
    assert findings(run)["egress ledger"]["ok"]
    path.mkdir(mode=0o700)
    found = findings(run)["egress ledger"]
    assert not found["ok"] and found["mend"] == f"move {path} away"


@pytest.mark.parametrize(
    "name", ["email/ledger.db", "egress.jsonl", "http-token", "accounts/ab/index.sqlite"]
)
def test_whatever_holds_mail_or_says_what_was_done_is_for_its_owner_only(run: Run, name: str) -> None:
    path = ledger_file(os.environ).parent / name
    path.parent.mkdir(parents=True)
    for folder in (path.parent, path.parent.parent, ledger_file(os.environ).parent):
        folder.chmod(0o700)
    path.write_text("")
    path.chmod(0o644)
    assert findings(run, "--offline")["file modes"]["mend"] == f"chmod go-rwx {path}"
