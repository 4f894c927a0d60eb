"""A DNS server on loopback that says what a test has it say, over UDP and TCP. Entry: `DnsServer`."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Mapping

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class DnsServer:
    """Runs in threads of its own; a context manager.

    Args:
        records: (name without its last dot, kind) → the records, as a zone file has them.

    Attributes:
        asked: Names and kinds of all questions, in order.
        bytes: What came in and went out.
        cut: Whether answers over UDP are cut, so that TCP is used.
        rcode: What is answered beside records.
        wrong_id: Whether an answer to another question comes first.
    """

    def __init__(self, records: Mapping[tuple[str, str], list[str]] | None = None) -> None:
        self.records = dict(records or {})
        self.asked: list[tuple[str, str]] = []
        self.bytes = [0, 0]
        self.cut = self.wrong_id = self.silent = False
        self.rcode = dns.rcode.NOERROR
        tell = self.answers

        class Udp(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                data, replying = self.request
                for answer in tell(data, udp=True):
                    replying.sendto(answer, self.client_address)

        class Tcp(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                length = int.from_bytes(self.rfile.read(2), "big")
                for answer in tell(self.rfile.read(length), udp=False):
                    self.wfile.write(len(answer).to_bytes(2, "big") + answer)

        self._tcp = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Tcp)
        self.port: int = self._tcp.server_address[1]
        self._udp = socketserver.UDPServer(("127.0.0.1", self.port), Udp)
        self._threads = [
            threading.Thread(target=one.serve_forever, args=(0.02,)) for one in (self._tcp, self._udp)
        ]

    def __enter__(self) -> DnsServer:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in (self._tcp, self._udp):
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    def answers(self, data: bytes, *, udp: bool) -> list[bytes]:
        """What a question is answered with."""
        question = dns.message.from_wire(data)
        (asked,) = question.question
        name, kind = asked.name.to_text(omit_final_dot=True), dns.rdatatype.to_text(asked.rdtype)
        self.asked.append((name, kind))
        answer = dns.message.make_response(question)
        answer.set_rcode(self.rcode)
        records = self.records.get((name, kind), [])
        if records:
            answer.answer.append(dns.rrset.from_text(asked.name, 60, "IN", kind, *records))
        if udp and self.cut:
            answer.answer.clear()
            answer.flags |= dns.flags.TC
        sent = [] if self.silent else [answer.to_wire()]
        if self.wrong_id:
            answer.id ^= 1
            sent.insert(0, answer.to_wire())
        frame = 0 if udp else 2
        self.bytes[0] += len(data) + frame
        self.bytes[1] += sum(len(one) + frame for one in sent)
        return sent
