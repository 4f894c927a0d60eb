"""What a request may look like and cost: foreign hosts and pages, tricks in paths and headers, long and slow bodies."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from gaia_email.interfaces.http.bounds import HttpLimits, ServedAt
from gaia_email.interfaces.http.rates import FAILED, HttpRate, HttpRates
from gaia_email.interfaces.http.refusal import HttpRefusal
from tests.http.guarding import OPEN, ORIGIN, PORT, SECRET_WORDS, Guarded, Ticks


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{PORT}",
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        f"127.0.0.1.evil.example:{PORT}",
        f"127.1:{PORT}",
        f"0.0.0.0:{PORT}",
        f"localhost.:{PORT}",
        f"user@127.0.0.1:{PORT}",
        f"::1:{PORT}",
        f"127.0.0.1:{PORT}/",
        f" 127.0.0.1:{PORT}",
        "",
    ],
)
def test_a_host_that_is_not_this_server_is_refused(served: Guarded, host: str) -> None:
    refused = served.ask("/need/read", served.bearer, host=host)
    assert (refused.status, refused.kind) == (421, "wrong_host")
    assert refused.headers["connection"] == "close"


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
def test_every_name_of_this_server_is_taken_with_its_own_origin_only(served: Guarded, host: str) -> None:
    assert served.ask("/need/read", served.bearer, host=host).status == 200
    own = ("origin", f"http://{host}")
    assert served.ask("/need/read", served.bearer, own, host=host).status == 200
    other = ("origin", ORIGIN if "127" not in host else f"http://localhost:{PORT}")
    assert served.ask("/need/read", served.bearer, other, host=host).kind == "wrong_origin"


def test_on_a_unix_socket_the_server_is_localhost() -> None:
    assert ServedAt.on_socket().hosts == {"localhost"}


def test_on_its_scheme_s_own_port_a_server_is_named_without_it() -> None:
    assert ServedAt.on(443, ["mail.example.org"], scheme="https").hosts == {
        "mail.example.org:443",
        "mail.example.org",
    }
    assert ServedAt.on(443, ["a"]).hosts == {"a:443"}


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://evil.example",
        f"http://127.0.0.1:{PORT + 1}",
        "http://127.0.0.1",
        f"https://127.0.0.1:{PORT}",
        f"{ORIGIN}/",
        f"{ORIGIN}.evil.example",
        "file://",
    ],
)
def test_a_page_of_another_origin_or_port_is_refused_even_with_a_session(
    served: Guarded, origin: str
) -> None:
    for proof in (served.person(), (served.bearer,)):
        refused = served.ask("/need/decide", *proof, ("origin", origin), method="POST", body=b"{}")
        assert (refused.status, refused.kind) == (403, "wrong_origin")
        assert "access-control-allow-origin" not in refused.headers


def test_what_a_browser_says_of_where_a_request_comes_from_counts(served: Guarded) -> None:
    def status(site: str, *more: tuple[str, str], method: str = "GET") -> int:
        return served.ask("/x", served.bearer, ("sec-fetch-site", site), *more, method=method).status

    navigate, document = ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")
    assert status("same-origin", method="POST") == status("none") == 200
    assert status("same-site") == status("cross-site") == 403
    assert status("cross-site", navigate, document) == 200
    assert status("cross-site", navigate, document, method="POST") == 403
    assert status("cross-site", navigate, ("sec-fetch-dest", "iframe")) == 403


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"])
def test_other_methods_are_refused_and_no_page_is_told_that_it_may_ask(served: Guarded, method: str) -> None:
    refused = served.ask("/need/read", served.bearer, method=method)
    assert (refused.status, refused.kind) == (405, "bad_method")
    assert "GET" in refused.headers["allow"]
    assert not [name for name in refused.headers if name.startswith("access-control")]


@pytest.mark.parametrize("origin", ["https://evil.example", f"http://127.0.0.1:{PORT + 1}", "null"])
def test_a_browser_that_asks_whether_another_page_may_ask_is_refused(served: Guarded, origin: str) -> None:
    asks = ("access-control-request-method", "POST"), ("access-control-request-headers", "authorization")
    for site in ("cross-site", "same-site"):
        said = ("origin", origin), ("sec-fetch-site", site), ("sec-fetch-mode", "cors")
        refused = served.ask("/need/decide", *said, *asks, method="OPTIONS")
        assert (refused.status, refused.kind) == (403, "wrong_origin")
        assert not [name for name in refused.headers if name.startswith(("access-control", "allow"))]
    rebound = served.ask("/x", *asks, method="OPTIONS", host="evil.example")
    assert (rebound.status, rebound.kind) == (421, "wrong_host")


@pytest.mark.parametrize(
    "raw",
    [
        b"//need/read",
        b"/need//read",
        b"/need/../need/read",
        b"/need/./read",
        b"/need/%2e%2e/need/read",
        b"/need%2fread",
        b"/need%2Fread",
        b"/need\\read",
        b"/need%5cread",
        b"/need/read%00",
        b"/need/read%0d%0aset-cookie:x",
        b"/need/read%7f",
        b"/need/%252e%252e/read",
        b"/need/read#x",
        b"/need/re\xc3\xa4d",
        b"/need/re ad",
        b"http://evil.example/need/read",
        b"need/read",
        b"*",
        b"",
    ],
)
def test_a_path_that_is_not_plainly_written_is_refused(served: Guarded, raw: bytes) -> None:
    refused = served.ask("/need/read", served.bearer, raw_path=raw if raw else b" ")
    assert (refused.status, refused.kind) == (400, "bad_path")


@pytest.mark.parametrize("raw", [b"/", b"/x", b"/x/", b"/x/%3Ca%40b%3E", b"/x/50%25", b"/x/..y/.z"])
def test_a_plain_path_is_taken(served: Guarded, raw: bytes) -> None:
    assert served.ask("/x", served.bearer, raw_path=raw).status == 200


def test_long_addresses_and_many_or_long_headers_are_refused(served: Guarded) -> None:
    assert served.ask("/x", served.bearer, raw_path=b"/" + b"x" * 2048).kind == "too_long"
    assert served.ask("/x", served.bearer, query=b"x" * 4097).kind == "too_long"
    assert served.ask("/x", served.bearer, query=b"a=\xff").kind == "bad_path"
    many = [(f"x-{number}", "") for number in range(64)]
    assert served.ask("/x", served.bearer, *many).status == 431
    assert served.ask("/x", served.bearer, ("x-long", "x" * (16 << 10))).status == 431


@pytest.mark.parametrize(
    "headers",
    [
        [("host", "evil.example")],
        [("content-length", "2"), ("content-length", "2")],
        [("content-length", "2"), ("transfer-encoding", "chunked")],
        [("transfer-encoding", "chunked"), ("transfer-encoding", "identity")],
        [("transfer-encoding", "gzip, chunked")],
        [("transfer-encoding", "xchunked")],
        [("content-length", "-2")],
        [("content-length", "2, 2")],
        [("content-length", "+2")],
        [("content-length", "0x2")],
        [("content-length", "9" * 19)],
        [("authorization", "Bearer x")],
        [("origin", ORIGIN), ("origin", ORIGIN)],
        [("content-type", "a/b"), ("content-type", "c/d")],
    ],
)
def test_headers_that_two_programs_could_read_differently_are_refused(
    served: Guarded, headers: list[tuple[str, str]]
) -> None:
    refused = served.ask("/x", served.bearer, *headers, method="POST", body=b"{}")
    assert (refused.status, refused.kind) == (400, "bad_header")
    assert refused.headers["connection"] == "close"


def test_a_body_arrives_whole_and_one_byte_more_is_refused(served: Guarded) -> None:
    whole = served.ask("/x", served.bearer, method="POST", body=b"x" * 1000)
    assert whole.json["body"] == 1000
    chunked = ("transfer-encoding", "chunked")
    assert served.ask("/x", served.bearer, chunked, method="POST", body=b"x" * 1000).json["body"] == 1000
    for more in ((), (chunked,)):
        refused = served.ask("/x", served.bearer, *more, method="POST", body=b"x" * 1001)
        assert (refused.status, refused.kind, refused.headers["connection"]) == (413, "too_large", "close")


def test_a_body_that_does_not_come_to_its_end_is_given_up(served: Guarded) -> None:
    refused = served.ask("/x", served.bearer, method="POST", body=b"x" * 500, late=True)
    assert (refused.status, refused.kind, refused.headers["connection"]) == (408, "too_slow", "close")


def test_nothing_of_a_body_is_read_for_who_may_not_ask(served: Guarded) -> None:
    refused = served.ask("/x", method="POST", body=b"x" * 500, late=True)
    assert (refused.status, refused.headers["connection"]) == (401, "close")


def test_errors_have_one_shape_and_hold_no_word_of_ours(
    served: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    inside = served.ask("/inside", served.bearer)
    assert (inside.status, inside.kind) == (500, "internal")
    assert SECRET_WORDS not in f"{inside.body!r}{caplog.text}"
    assert "RuntimeError" in caplog.text
    lost = served.ask("/lost", served.bearer)
    assert (lost.status, lost.kind, lost.json["error"]["hint"]) == (404, "not_found", "gaia email inbox")
    busy = served.ask("/busy", served.bearer)
    assert (busy.status, busy.kind, busy.headers["retry-after"]) == (429, "rate_limited", "7")
    head = served.ask("/lost", served.bearer, method="HEAD")
    assert (head.status, head.body) == (404, b"")
    assert int(head.headers["content-length"]) == len(lost.body)


def test_a_connection_of_ours_that_breaks_is_an_error_like_others(served: Guarded) -> None:
    broken = served.ask("/reset", served.bearer)
    assert (broken.status, broken.kind) == (500, "internal")


def test_what_fails_after_a_whole_answer_is_logged_and_changes_nothing(
    served: Guarded, caplog: pytest.LogCaptureFixture
) -> None:
    assert served.ask("/after", served.bearer).json == {"who": "token", "body": 0}
    assert "RuntimeError" in caplog.text
    assert SECRET_WORDS not in caplog.text


def test_an_answer_that_breaks_off_is_seen_to_and_says_nothing(served: Guarded) -> None:
    with pytest.raises(Exception) as broken:
        served.ask("/breaks", served.bearer)
    assert SECRET_WORDS not in str(broken.value)
    assert broken.value.__suppress_context__


def test_rates_count_each_who_and_route_apart(tmp_path: Path) -> None:
    served = Guarded(tmp_path, routes={"POST /v1/query": HttpRate(at_once=2, per_s=0.5)})
    _, key = served.keys.add("phone", ["read"])
    bearer = ("authorization", f"Bearer {key}")

    def query(*proof: tuple[str, str]) -> int:
        return served.ask("/v1/query", *proof, method="POST", body=b"").status

    assert [query(served.bearer) for _ in range(3)] == [200, 200, 429]
    refused = served.ask("/v1/query", served.bearer, method="POST", body=b"")
    assert (refused.kind, refused.headers["retry-after"]) == ("rate_limited", "2")
    assert query(bearer) == query(*served.person()) == 200
    assert served.ask("/v1/query", served.bearer).status == 200, "another method is another route"
    served.ticks.now += 2
    assert [query(served.bearer) for _ in range(2)] == [200, 429]


def test_guessing_is_slowed_and_keeps_nobody_else_out(served: Guarded) -> None:
    wrong = ("authorization", "Bearer guess")
    statuses = [served.ask("/x", wrong).status for _ in range(FAILED.at_once + 5)]
    assert statuses == [401] * FAILED.at_once + [429] * 5
    assert served.ask("/x", served.bearer).status == 200
    assert served.ask("/x", *served.person()).status == 200
    assert served.ask(OPEN).status == 200


def test_counts_do_not_pile_up() -> None:
    rates = HttpRates({}, usual=HttpRate(at_once=1, per_s=1.0), clock=Ticks())
    for number in range(5000):
        rates.take(f"session {number}", "GET", "/")
    with pytest.raises(HttpRefusal):
        rates.take("session 4999", "GET", "/")
    assert len(rates._counts) <= 4096  # pyright: ignore[reportPrivateUsage]


def test_the_limits_that_hold_by_themselves_are_modest() -> None:
    limits = HttpLimits()
    assert limits.body <= 1 << 20
    assert limits.body_s <= 30
