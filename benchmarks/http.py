"""What HTTP costs beside the same call in process, and many calls at once. Entry: `rows`.

A server of this process on the sample mailbox, asked as a program asks it, in turn with the operation itself.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median, quantiles
from time import perf_counter

import httpx2

from benchmarks.measure import Pairs, Row, in_turn
from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.choosing import sample_source
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.listening import server_of
from gaia_email.interfaces.http.serving import http_interface
from gaia_email_registry.origin import RequestOrigin

AT_ONCE = 50


def rows(*, quick: bool) -> list[Row]:
    """Seconds of one `classify` over HTTP and in process, and of fifty at once."""
    with sample_source(App()) as (app, source), served(app, source) as client:
        message = client.get("/v1/email/inbox", params={"limit": 1}).json()["buckets"]["urgent"][0]["id"]
        operation = OPERATIONS["classify"]
        asked = operation.read({"message_id": message})

        def over_http() -> float:
            return seconds_of(
                lambda: client.post("/v1/email/classify", json={"message_id": message}).raise_for_status()
            )

        def in_process() -> float:
            call = OperationCall(
                asked=asked, origin=RequestOrigin(principal="person", interface="cli"), sources=(source,)
            )
            return seconds_of(lambda: operation.run(app, call))

        pairs = in_turn(over_http, in_process, 5 if quick else 31)
        times = sorted(over_http() for _ in range(20 if quick else 100))
        return [_single(pairs, times), _at_once(over_http, pairs)]


def _single(pairs: Pairs, times: list[float]) -> Row:
    ours, theirs = median(pairs.ours) * 1e3, median(pairs.theirs) * 1e3
    more = median(mine - other for mine, other in zip(pairs.ours, pairs.theirs, strict=True)) * 1e3
    return Row(
        name="classify over HTTP, beside the operation in process",
        ours=f"{ours:.1f} ms",
        theirs=f"{theirs:.1f} ms ({more:+.1f} ms; p99 {quantiles(times, n=100)[98] * 1e3:.1f} ms)",
        ratio=pairs.ratio,
        target="<= 3 ms more",
        met=more <= 3,
    )


def _at_once(over_http: Callable[[], float], pairs: Pairs) -> Row:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        whole = seconds_of(lambda: [one.result() for one in [pool.submit(over_http) for _ in range(AT_ONCE)]])
    one_by_one = AT_ONCE * median(pairs.theirs)
    return Row(
        name=f"{AT_ONCE} classify at once over HTTP, beside one by one in process",
        ours=f"{whole:.2f} s",
        theirs=f"{one_by_one:.2f} s",
        ratio=one_by_one / whole,
        target="",
        met=None,
    )


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds that work takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


@contextmanager
def served(app: App, source: SourceSpec) -> Generator[httpx2.Client]:
    """A client of a server on that mailbox, with the API token."""
    token = ApiToken(api_token_file(app.environ))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        credentials = HttpCredentials(token=token)
        server = server_of(
            http_interface(app, app.environ, served=ServedAt.on(port), credentials=credentials, sample=source)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        bearer = f"Bearer {token.path.read_text(encoding='ascii').strip()}"
        try:
            with httpx2.Client(
                base_url=f"http://127.0.0.1:{port}", timeout=120, headers={"authorization": bearer}
            ) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join(20)
