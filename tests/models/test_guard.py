"""Ways out of this machine, tried at the socket: no byte of mail takes any of them, and each refusal is a sentence."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path
from typing import Any

import httpx2
import pytest

from gaia_email.models import guard
from gaia_email.models.address import ModelServerAddress, loopback, read_address
from gaia_email.models.guard import LocalTransport
from gaia_email.models.refused import GuardRefused
from gaia_email_registry.errors import BadArgument
from tests.architecture.trees import tree_of
from tests.models.model_server import ModelServer, serving

ELSEWHERE = (
    "http://192.0.2.1:8080/v1",
    "http://10.0.0.1:11434/v1",
    "http://169.254.169.254/latest",
    "http://0.0.0.0:8080/v1",
    "http://[::]:8080/v1",
    "http://[::ffff:192.0.2.1]:8080/v1",
    "http://[::ffff:10.0.0.7]:8080/v1",
    "http://[64:ff9b::c000:201]:8080/v1",
    "http://[fe80::1%25eth0]:8080/v1",
    "http://[::1%25lo]:8080/v1",
    "http://models.example:8080/v1",
    "http://localhost.example:8080/v1",
    "http://127.0.0.1.example:8080/v1",
    "http://rebind.localhost:8080/v1",
    "http://ip6-localhost:8080/v1",
    "http://host.docker.internal:11434/v1",
    "http://127.1:8080/v1",
    "http://2130706433:8080/v1",
    "http://0x7f000001:8080/v1",
    "http://0177.0.0.1:8080/v1",
    "http://127.0.0.1@192.0.2.1:8080/v1",
    "http://user:password@127.0.0.1:8080/v1",
    "http://192.0.2.1#@127.0.0.1:8080/v1",
    "http://127.0.0.1:8080/v1?to=192.0.2.1",
    "http://127.0.0.1:99999/v1",
    "http://①②⑦.0.0.1:8080/v1",
    "https://127.0.0.1:8080/v1",
    "ftp://127.0.0.1/v1",
    "file:///etc/passwd",
    "//127.0.0.1:8080/v1",
    "unix:relative.sock",
    "unix://host/run/model.sock",
    "127.0.0.1:8080",
    "",
)


@pytest.mark.parametrize("url", ELSEWHERE)
def test_an_address_that_is_not_plainly_this_machines_is_refused(url: str) -> None:
    with pytest.raises(BadArgument, match="only to models on this machine") as refused:
        read_address(url)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:8080/v1", ModelServerAddress(host="127.0.0.1", port=8080)),
        ("http://127.8.9.1:8080", ModelServerAddress(host="127.8.9.1", port=8080)),
        ("http://LOCALHOST:1234/v1/", ModelServerAddress(host="127.0.0.1", port=1234)),
        ("http://localhost./api/v1", ModelServerAddress(host="127.0.0.1", port=80, api="/api/v1")),
        ("http://[::1]:8080/v1", ModelServerAddress(host="::1", port=8080)),
        ("http://[::ffff:127.0.0.1]:8080/v1", ModelServerAddress(host="127.0.0.1", port=8080)),
        ("unix:/run/model.sock", ModelServerAddress(socket="/run/model.sock")),
        ("unix:///run/model.sock", ModelServerAddress(socket="/run/model.sock")),
    ],
)
def test_this_machines_addresses_are_read(url: str, address: ModelServerAddress) -> None:
    assert read_address(url) == address
    assert read_address(str(address)) == address


def test_no_name_is_ever_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(*arguments: object, **named: object) -> Any:
        raise AssertionError(f"somebody looked up {arguments[0]!r}")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "gethostbyname", look_up)
    assert loopback("localhost") == "127.0.0.1"

    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {"ok": 1}})) as server:
            address = read_address(f"http://localhost:{server.address.port}/v1")
            async with httpx2.AsyncClient(transport=LocalTransport(address)) as client:
                assert (await client.get(f"{address.authority}/x")).json() == {"ok": 1}

    asyncio.run(run())


class _Ended:
    """A connected socket whose other end is where the kernel says."""

    family = socket.AF_INET6

    def __init__(self, host: str) -> None:
        self._host = host

    def getpeername(self) -> tuple[str, int]:
        return self._host, 8080


@pytest.mark.parametrize(
    "host", ["192.0.2.1", "10.1.1.1", "::ffff:192.0.2.1", "fe80::1%2", "2001:db8::1", "0.0.0.0"]
)
def test_a_socket_that_ends_elsewhere_is_refused_whatever_it_was_opened_for(host: str) -> None:
    with pytest.raises(GuardRefused, match="not on this machine; nothing was sent"):
        guard.check_peer(_Ended(host))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_a_socket_that_ends_here_is_let_through(host: str) -> None:
    guard.check_peer(_Ended(host))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_nothing_is_sent_before_the_other_end_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: socket.socket) -> None:
        raise GuardRefused("elsewhere")

    monkeypatch.setattr(guard, "check_peer", refuse)

    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}})) as server:
            async with httpx2.AsyncClient(transport=LocalTransport(server.address)) as client:
                with pytest.raises(GuardRefused):
                    await client.post(f"{server.address.authority}/x", content=b"mail")
            assert not server.asked

    asyncio.run(run())


@pytest.mark.parametrize(
    "other", ["http://127.0.0.1:1/x", "http://192.0.2.1/x", "https://127.0.0.1/x", "http://localhost/x"]
)
def test_a_request_for_another_address_is_not_sent(other: str) -> None:
    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}})) as server:
            async with httpx2.AsyncClient(transport=LocalTransport(server.address)) as client:
                with pytest.raises(GuardRefused, match="another address"):
                    await client.post(other, content=b"mail")
            assert not server.asked

    asyncio.run(run())


def test_a_host_header_leads_nowhere_else() -> None:
    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}})) as server:
            transport = LocalTransport(server.address)
            async with httpx2.AsyncClient(transport=transport) as client:
                await client.get(
                    f"{server.address.authority}/x",
                    headers={"Host": "models.example", "Proxy-Authorization": "x", "Cookie": "x"},
                )
            (one,) = server.asked
            assert not {"proxy-authorization", "cookie"} & set(one.headers)

    asyncio.run(run())


def test_proxies_of_the_environment_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with serving(ModelServer()) as proxy, serving(ModelServer(pages={"/x": {"ok": 1}})) as server:
            for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
                monkeypatch.setenv(name, proxy.address.authority)
            async with httpx2.AsyncClient(transport=LocalTransport(server.address)) as client:
                assert (await client.get(f"{server.address.authority}/x")).status_code == 200
            assert not proxy.asked

    asyncio.run(run())


async def _get(path: Path) -> httpx2.Response:
    address = ModelServerAddress(socket=str(path))
    async with httpx2.AsyncClient(transport=LocalTransport(address)) as client:
        return await client.get(f"{address.authority}/x")


def test_a_socket_of_ones_own_is_used_also_behind_a_link(tmp_path: Path) -> None:
    async def run() -> None:
        real, link = tmp_path / "s", tmp_path / "link"
        async with serving(ModelServer(pages={"/x": {"ok": 1}}), socket=str(real)):
            link.symlink_to(real)
            assert (await _get(real)).json() == {"ok": 1}
            assert (await _get(link)).json() == {"ok": 1}

    asyncio.run(run())


@pytest.fixture
def as_another_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that there is belongs to somebody else."""
    mine = os.getuid()
    monkeypatch.setattr(guard, "_ROOT", mine + 7_000)
    monkeypatch.setattr(os, "getuid", lambda: mine + 7_001)


@pytest.mark.usefixtures("as_another_user")
def test_another_users_socket_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}}), socket=str(tmp_path / "s")) as server:
            with pytest.raises(GuardRefused, match="belongs to another user"):
                await _get(tmp_path / "s")
            assert not server.asked

    asyncio.run(run())


@pytest.mark.usefixtures("as_another_user")
def test_ones_own_link_to_another_users_socket_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, real = tmp_path / "link", tmp_path / "s"
    mine, lstat = os.getuid(), os.lstat

    def owned(path: Any) -> os.stat_result:
        found = lstat(path)
        return os.stat_result((*found[:4], mine, *found[5:10])) if str(path) == str(link) else found

    monkeypatch.setattr(os, "lstat", owned)

    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}}), socket=str(real)) as server:
            link.symlink_to(real)
            with pytest.raises(GuardRefused, match="belongs to another user"):
                await _get(link)
            assert not server.asked

    asyncio.run(run())


@pytest.mark.usefixtures("as_another_user")
@pytest.mark.skipif(not hasattr(socket, "SO_PEERCRED"), reason="this system does not say who listens")
def test_a_socket_at_which_another_user_listens_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pass_by(path: str) -> None:
        assert path

    monkeypatch.setattr(guard, "_check_file", pass_by)

    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}}), socket=str(tmp_path / "s")) as server:
            with pytest.raises(GuardRefused, match="Another user of this machine listens"):
                await _get(tmp_path / "s")
            assert not server.asked

    asyncio.run(run())


def test_a_file_that_is_no_socket_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("x")
    with pytest.raises(GuardRefused, match="is not a socket"):
        asyncio.run(_get(tmp_path / "s"))


def test_a_request_larger_than_any_question_is_not_sent() -> None:
    async def run() -> None:
        async with serving(ModelServer(pages={"/x": {}})) as server:
            async with httpx2.AsyncClient(transport=LocalTransport(server.address)) as client:
                with pytest.raises(GuardRefused, match="larger than"):
                    await client.post(f"{server.address.authority}/x", content=b"x" * (guard.MOST_SENT + 1))
            assert not server.asked

    asyncio.run(run())


def test_only_the_guard_opens_connections_and_only_the_client_knows_the_library() -> None:
    import ast

    import gaia_email

    package = Path(gaia_email.__path__[0])
    opening = {"socket", "httpcore2", "http.client", "urllib.request", "ssl"}
    for path in package.rglob("*.py"):
        name = str(path.relative_to(package))
        imported: set[str] = set()
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module)
        roots = {module.partition(".")[0] for module in imported}
        if name != "models/client.py":
            assert "openai" not in roots, name
        if name.startswith("models/") and name != "models/guard.py":
            assert not (imported | roots) & opening, name
            assert "asyncio.open_connection" not in path.read_text(encoding="utf-8"), name
