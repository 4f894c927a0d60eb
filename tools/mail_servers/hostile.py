"""What a hostile or broken mail server sends instead of an answer. Entry: `SmtpAssailant`, beside the functions.

Each function makes an `Assault`. None is without end, so that a client without bounds fails a test instead of the
machine: there is some 100 MB of what is much, and ten seconds of what is slow.
"""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterable, Iterator
from itertools import cycle, islice

from tools.mail_servers.scripted_imap import Assault

VOLUME = 128 << 20
PIECE = 1 << 16
SLOW_S = 10.0
PACE_S = 0.05


def line_without_end(start: str, filler: bytes = b"x") -> Assault:
    """One line that begins like this and goes on with the same again and again."""

    def assault(tag: str) -> Iterator[bytes]:
        yield start.replace("{tag}", tag).encode()
        piece = (filler * (PIECE // len(filler) + 1))[: PIECE - PIECE % len(filler)]
        for _ in range(VOLUME // len(piece)):
            yield piece
        yield f"\r\n{tag} OK done\r\n".encode()

    return assault


def literal_without_end(start: str, announced: int = VOLUME) -> Assault:
    """A line that begins like this and ends in a literal of that size, of which there is much."""

    def assault(tag: str) -> Iterator[bytes]:
        yield f"{start} {{{announced}}}\r\n".encode()
        yield from [b"x" * PIECE] * (min(announced, VOLUME) // PIECE)
        yield f")\r\n{tag} OK done\r\n".encode()

    return assault


def lines_without_end(line: str, volume: int = VOLUME) -> Assault:
    """The same line again and again, with another number in place of `{n}`."""

    def assault(tag: str) -> Iterator[bytes]:
        size = len(line) + 2
        together = PIECE // size + 1
        for start in range(0, volume // size, together):
            numbers = range(start + 1, start + 1 + together)
            yield "".join(line.replace("{n}", str(number)) + "\r\n" for number in numbers).encode()
        yield f"{tag} OK done\r\n".encode()

    return assault


def literals_without_end(start: str, size: int) -> Assault:
    """One response with a literal of that size, and another one, and so on."""

    def assault(tag: str) -> Iterator[bytes]:
        yield start.encode()
        for _ in range(VOLUME // (size + 10)):
            yield b" {%d}\r\n" % size + b"x" * size
        yield f"\r\n{tag} OK done\r\n".encode()

    return assault


def trickle(text: str = "* OK still at it\r\n") -> Assault:
    """A byte every now and then, soon enough to seem alive."""

    def assault(tag: str) -> Iterator[bytes]:
        pause = threading.Event()
        for byte in islice(cycle(text.encode()), int(SLOW_S / PACE_S)):
            pause.wait(PACE_S)
            yield bytes([byte])

    return assault


def said(*pieces: str) -> Assault:
    """Just this; `{tag}` stands for the tag."""

    def assault(tag: str) -> Iterable[bytes]:
        return [piece.replace("{tag}", tag).encode("latin-1") for piece in pieces]

    return assault


class SmtpAssailant:
    """A submission server that answers as it should until one command, and then assails; a context manager.

    Args:
        command: The command it waits for, in capitals; empty for the greeting, `.` for the end of the message.
        assault: What comes then.
    """

    def __init__(self, command: str, assault: Assault) -> None:
        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                try:
                    _converse(self, command, assault)
                except OSError:
                    return

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> SmtpAssailant:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


_ANSWERS = {"EHLO": b"250-me\r\n250 8BITMIME\r\n", "DATA": b"354 go on\r\n", "QUIT": b"221 bye\r\n"}


def _converse(handler: socketserver.StreamRequestHandler, wanted: str, assault: Assault) -> None:
    command, answer = "", b"220 me\r\n"
    while True:
        for piece in assault("250") if command == wanted else [answer]:
            handler.wfile.write(piece)
        line = handler.rfile.readline()
        if not line:
            return
        if command == "DATA":
            while line not in (b".\r\n", b""):
                line = handler.rfile.readline()
            command = "."
        else:
            command = line.split()[0].decode("ascii").upper()
        answer = _ANSWERS.get(command, b"250 fine\r\n")
