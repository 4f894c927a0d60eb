"""Mail servers of a domain in DNS: those that receive mail (MX), and those it names (SRV, RFC 6186). Entry: `MailDns`.

Queries go to the resolvers of this machine, each recorded in the egress ledger. DNS proves nothing: callers
must check the owner of a server before using an answer.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from gaia_email_registry.egress.flow import Flow, start_flow
from gaia_email_registry.providers import Endpoint, Security

if TYPE_CHECKING:
    from dns.message import Message
    from dns.rdatatype import RdataType

ANSWER_S = 3.0
"""Seconds for one query, over all resolvers."""
_TRIES = 3
"""Maximum number of resolvers per query."""
_PAYLOAD = 1232
"""Bytes of a UDP answer that no network has to fragment (RFC 9715)."""

SERVICES: dict[str, tuple[tuple[str, Security], ...]] = {
    "imap": (("_imaps._tcp", "tls"), ("_imap._tcp", "starttls")),
    "smtp": (("_submissions._tcp", "tls"), ("_submission._tcp", "starttls")),
}
"""Service names (RFC 6186 §3, RFC 8314 §5.1), better ones first; none is for a connection without TLS."""

Resolver = tuple[str, int]


class MailDns:
    """Queries DNS.

    Args:
        resolvers: Address and port of each; None for those of this machine.
    """

    def __init__(self, resolvers: Sequence[Resolver] | None = None) -> None:
        self._given = resolvers

    def mail_exchangers(self, domain: str) -> list[str] | None:
        """Return the hosts that receive mail for a domain, preferred ones first; None if no resolver answers."""
        records = self._asked(domain, "MX")
        if records is None:
            return None
        found = [(int(one.preference), _host(one.exchange)) for one in records]
        return [host for _, host in sorted(found) if host]

    def has_address(self, domain: str) -> bool:
        """Return True if the name has an address record."""
        return any(self._asked(domain, kind) for kind in ("A", "AAAA"))

    def service(self, domain: str, kind: str) -> Endpoint | None:
        """Return the server that a domain names for `imap` or `smtp`, or None if it names none with TLS."""
        for name, security in SERVICES[kind]:
            found = sorted(
                (int(one.priority), -int(one.weight), _host(one.target), int(one.port))
                for one in self._asked(f"{name}.{domain}", "SRV") or ()
            )
            for _, _, host, port in found:
                if host and 0 < port < 65_536:
                    return Endpoint(host, port, security)
        return None

    def _asked(self, name: str, kind: str) -> list[Any] | None:
        """Return the records of that type, or None if no resolver answers."""
        from dns.exception import DNSException
        from dns.flags import RD
        from dns.message import make_query
        from dns.name import from_text
        from dns.rcode import NOERROR, NXDOMAIN
        from dns.rdatatype import RdataType

        sought = RdataType[kind]
        until = time.monotonic() + ANSWER_S
        try:
            question = make_query(from_text(name), sought, use_edns=0, payload=_PAYLOAD, flags=RD)
        except DNSException:
            return []  # a label is too long, so the name cannot exist
        for place in self._resolvers()[:_TRIES]:
            try:
                answer = _exchange(question, place, until)
            except (OSError, DNSException, ValueError):
                continue
            if answer.rcode() in (NOERROR, NXDOMAIN):
                return _records(answer, sought)
        return None

    def _resolvers(self) -> Sequence[Resolver]:
        if self._given is None:
            self._given = system_resolvers()
        return self._given


def system_resolvers() -> list[Resolver]:
    """Return the resolvers of this machine; empty if none are configured."""
    from dns.exception import DNSException
    from dns.resolver import Resolver as System

    try:
        told = System()
    except (DNSException, OSError):
        return []
    return [(str(one), told.port) for one in told.nameservers if isinstance(one, str) and "/" not in one]


def _exchange(question: Message, place: Resolver, until: float) -> Message:
    """Return a resolver's answer, over TCP if it does not fit into a UDP packet.

    Raises:
        OSError, DNSException, ValueError: It does not answer in time, or not as a resolver does.
    """
    from dns.flags import TC

    answer = _by(_over_udp, socket.SOCK_DGRAM, question, place, until)
    return _by(_over_tcp, socket.SOCK_STREAM, question, place, until) if answer.flags & TC else answer


def _by(
    way: Callable[[socket.socket, bytes, Flow], Iterator[bytes]],
    kind: socket.SocketKind,
    question: Message,
    place: Resolver,
    until: float,
) -> Message:
    from dns.message import from_wire

    family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
    with socket.socket(family, kind) as connected:
        connected.settimeout(max(0.01, (until - time.monotonic()) / 2))
        connected.connect(place)
        with closing(start_flow(*place, "lookup")) as flow:
            for data in way(connected, question.to_wire(), flow):
                answer = from_wire(data)
                if question.is_response(answer):
                    return answer
                if time.monotonic() > until:
                    break
    raise TimeoutError("no answer to the question")


def _over_udp(connected: socket.socket, question: bytes, flow: Flow) -> Iterator[bytes]:
    flow.count_sent(len(question))
    connected.send(question)
    while True:
        data = connected.recv(65_535)
        flow.count_received(len(data))
        yield data


def _over_tcp(connected: socket.socket, question: bytes, flow: Flow) -> Iterator[bytes]:
    flow.count_sent(len(question) + 2)
    connected.sendall(len(question).to_bytes(2, "big") + question)
    with connected.makefile("rb") as answers:
        length = answers.read(2)
        data = answers.read(int.from_bytes(length, "big"))
        flow.count_received(len(length) + len(data))
        yield data


def _records(answer: Message, kind: RdataType) -> list[Any]:
    """Return the records of an answer, including those behind an alias (CNAME)."""
    groups: list[Any] = [group for group in answer.answer if group.rdtype == kind]
    return [record for group in groups for record in group]


def _host(name: Any) -> str:
    """Return a host name in text form; empty for the root, which means "none" (RFC 7505, RFC 2782)."""
    return str(name.to_text(omit_final_dot=True)).lower().strip(".")
