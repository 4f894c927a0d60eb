"""Bounds on what a server says: counted in one place, in bytes, lines and time spent waiting."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from gaia_imap_mcp.protocol.bounds import ORDINARY, SLOWEST_BYTES_A_S, ResponseBounds, bodies, searching
from gaia_imap_mcp.protocol.connection import Connection
from gaia_imap_mcp.protocol.errors import ConnectionDropped, ExcessiveResponse, TooSlow
from gaia_imap_mcp.protocol.link import EXCESSES, HeldConnection
from gaia_imap_mcp.protocol.numbers import LAST_UID, MAX_UIDS, ascending, number, read_uid_set
from gaia_imap_mcp.protocol.stream import SocketStream
from gaia_imap_mcp.protocol.wire import MAX_DEPTH, MAX_ITEMS, Token, Wire, tokens
from gaia_imap_mcp.sync.renumbered import FIRST_REST_S, LONGEST_REST_S, Renumbered
from tests.imap.truth import settings

SMALL = ResponseBounds(line=100, literal=50, answer=1000, lines=5, patience=2.0)


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Slow(socket.socket):
    """A socket whose bytes come one piece at a time, each after some seconds."""

    def __init__(self, pieces: Iterable[bytes], clock: Clock, pause_s: float, timeout_s: float) -> None:
        super().__init__()
        self.close()
        self._pieces = iter(pieces)
        self._clock, self._pause_s, self._patience = clock, pause_s, timeout_s

    def gettimeout(self) -> float | None:
        return self._patience

    def settimeout(self, value: float | None) -> None:
        self._patience = value or 0.0

    def recv(self, bufsize: int, flags: int = 0) -> bytes:
        self._clock.now += min(self._pause_s, self._patience)
        if self._pause_s > self._patience:
            raise TimeoutError
        return next(self._pieces, b"")[:bufsize]


def slow(
    pieces: Iterable[bytes], pause_s: float, bounds: ResponseBounds = SMALL, timeout_s: float = 10.0
) -> tuple[SocketStream, Clock]:
    """A stream of pieces that come `pause_s` apart, with silence borne for `timeout_s`."""
    clock = Clock()
    return SocketStream(
        Slow(pieces, clock, pause_s, timeout_s), endpoint="mail.example.org", bounds=bounds, clock=clock
    ), clock


def given(data: bytes, bounds: ResponseBounds = SMALL) -> SocketStream:
    """A stream that has all of it in its buffer."""
    return SocketStream(Slow([], Clock(), 0.0, 1.0), data, endpoint="mail.example.org", bounds=bounds)


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (lambda: given(b"x" * 101 + b"\n").readline(), "a line of more than 100 bytes"),
        (lambda: slow([b"x" * 40] * 9, 0.0)[0].readline(), "a line of more than 100 bytes"),
        (lambda: given(b"").read(51), "announced 51 bytes at once, of which it may send 50"),
        (lambda: slow([b"x" * 1001], 0.0)[0].readline(), "more than 1,000 bytes in one answer"),
        (lambda: list(iter(given(b"a\n" * 9).readline, b"")), "more than 5 lines in one answer"),
        (
            lambda: list(iter(given(b"a\n" * 9, replace(SMALL, too_many="lists a lot")).readline, b"")),
            "lists a lot",
        ),
    ],
)
def test_more_than_may_be_said_is_named_with_the_server_and_the_next_step(
    read: Callable[[], object], says: str
) -> None:
    with pytest.raises(
        ExcessiveResponse, match=f"^mail.example.org .*{says}.*closed. Try again later; if that does not help"
    ):
        read()


def test_what_is_within_the_bounds_is_read_however_it_is_cut() -> None:
    stream, _ = slow([bytes([byte]) for byte in b"ab\ncd\nefghi"], 0.0)
    assert [stream.readline(), stream.readline(), stream.read(5)] == [b"ab\n", b"cd\n", b"efghi"]


def test_another_answer_is_counted_anew() -> None:
    stream = given(b"a\n" * 9)
    for _ in range(9):
        stream.expect(SMALL)
        assert stream.readline() == b"a\n"


def test_a_byte_now_and_then_comes_to_an_end() -> None:
    stream, clock = slow((b"x" for _ in range(10_000)), 9.0)
    with pytest.raises(TooSlow, match=r"takes too long over one answer \(2 bytes in 20 seconds\)"):
        stream.readline()
    assert clock.now == pytest.approx(20.0, abs=0.01)


def test_silence_is_still_silence() -> None:
    stream, clock = slow([b"x"], 11.0)
    with pytest.raises(TimeoutError):
        stream.readline()
    assert clock.now == 10.0


def test_a_slow_line_that_gives_what_was_asked_for_is_left_its_time() -> None:
    size = 2000 * 5 * SLOWEST_BYTES_A_S
    asked = ResponseBounds(literal=size, answer=size, patience=2.0)
    stream, clock = slow((b"x" * 5 * SLOWEST_BYTES_A_S for _ in range(2000)), 4.0, asked)
    assert len(stream.read(size)) == size
    assert clock.now == 8000.0


def test_the_time_that_the_program_itself_takes_is_not_the_servers() -> None:
    stream, clock = slow((b"x\n" for _ in range(9)), 5.0)
    for _ in range(3):
        stream.readline()
        clock.now += 1000.0


def test_more_is_allowed_where_more_was_asked_for() -> None:
    assert searching(MAX_UIDS).line > 10 * MAX_UIDS > ORDINARY.line
    assert searching(LAST_UID) == searching(MAX_UIDS)
    assert bodies([10], 0).literal < 64 << 20 < bodies([100 << 20], 0).literal
    assert bodies([10] * 1000, 0).answer < 64 << 20
    assert bodies([1 << 60], 0).literal < 1 << 30


def test_lists_are_read_as_deep_and_as_long_as_any_server_means_them() -> None:
    def depth(token: Token | list[Token]) -> int:
        return 1 + max((depth(item) for item in token), default=0) if isinstance(token, list) else 0

    assert tokens([b"(" * 3 + b"a" + b")" * 3 + b" b"]) == [[[[b"a"]]], b"b"]
    deep = tokens([b"(" * 100_000 + b"a" + b")" * 100_000 + b" b"])
    assert depth(deep) == MAX_DEPTH + 1
    assert len(tokens([b"a " * 200_000])) == MAX_ITEMS
    assert len(tokens([b'"\\"' * 100_000])) <= MAX_ITEMS


def test_an_open_string_ends_with_its_text() -> None:
    assert tokens([b'a "b c']) == [b"a", b"b c"]
    assert tokens([b'a "b\\']) == [b"a", b"b"]
    assert tokens([b'a "b\\"', b"lit", b" d"]) == [b"a", b'b"', b"lit", b"d"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"1", 1),
        (b"4294967295", LAST_UID),
        (b"4294967296", 0),
        (b"9" * 9000, 0),
        (b"-1", 0),
        (b"", 0),
        (None, 0),
    ],
)
def test_a_number_that_cannot_be_is_none(text: object, found: int) -> None:
    assert number(text) == found


def test_numbers_in_any_order_are_put_in_order_once() -> None:
    numbers = read_uid_set(b"200000:1,7,150000:250000")
    assert list(numbers) == list(range(1, 250_001))
    assert list(ascending(numbers[::-1])) == list(numbers)


def test_a_server_that_says_too_much_again_and_again_is_given_a_rest() -> None:
    opened: list[int] = []
    here, there = socket.socketpair()

    def opener(_: object) -> Connection:
        opened.append(1)
        return Connection(SocketStream(here), settings(143, "bob"))

    def use(connection: Connection) -> None:
        connection.abort()
        raise ExcessiveResponse("too much")

    clock = Clock()
    link = HeldConnection(settings(143, "bob"), opener=opener, clock=clock)
    with here, there:
        for _ in range(EXCESSES + 1):
            with pytest.raises(ExcessiveResponse):
                link.attempt(use)
        tried = len(opened)
        with pytest.raises(ExcessiveResponse, match="too much"):
            link.attempt(use)
        assert len(opened) == tried == EXCESSES + 1
        clock.now += link.pause_s
        with pytest.raises(ExcessiveResponse):
            link.attempt(use)
        assert len(opened) == tried + 1


def test_a_folder_with_other_numbers_at_every_look_is_looked_at_less_and_less() -> None:
    clock = Clock()
    folders = Renumbered(clock)
    folders.note("a", anew=True)
    assert not folders.is_resting("a")
    rests: list[float] = []
    for _ in range(9):
        folders.note("a", anew=True)
        began = clock.now
        while folders.is_resting("a"):
            clock.now += 1.0
        rests.append(clock.now - began)
    assert rests[:3] == [FIRST_REST_S, 2 * FIRST_REST_S, 4 * FIRST_REST_S]
    assert rests[-1] == LONGEST_REST_S
    folders.note("a", anew=False)
    folders.note("a", anew=True)
    assert not folders.is_resting("a")


def test_the_end_of_a_connection_is_no_excess() -> None:
    with pytest.raises(ConnectionDropped):
        Wire(given(b"* OK hel")).read()
