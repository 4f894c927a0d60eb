"""Sends the request of a one-click unsubscribe. Entry: `post`.

It follows no redirects, sends no cookies or logins and uses no proxy. The name is resolved once, all its addresses must
be public, and the connection goes to a checked address, so that the name cannot change in between.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Callable, Sequence

from gaia_email_registry.egress.flow import Flow, start_flow
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_mail_mcp.one_click.offer import UnsubscribeOffer

TIMEOUT_S = 20.0
MAX_HEAD = 16_384
"""Bytes of a response that are read; its body is not."""

_BODY = b"List-Unsubscribe=One-Click"
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
"""All allocated IPv6 addresses (RFC 4291 §2.4); the others embed IPv4 or are local to a site."""
_NOT_A_HOST = (
    ipaddress.ip_network("192.88.99.0/24"),  # 6to4 relays, deprecated by RFC 7526
    ipaddress.ip_network("3fff::/20"),  # documentation, RFC 9637; unknown to Python 3.11
)

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the IP addresses of a host name; raises `OSError` if there are none."""
Connect = Callable[[str, str], Awaitable[Streams]]
"""Opens a TLS connection to an address, for a host name."""

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


async def post(offer: UnsubscribeOffer, resolve: Resolve, connect: Connect) -> int:
    """Send the request and return the HTTP status.

    Raises:
        BadArgument: The server is not public.
        ProviderError: The server cannot be reached, or is not a web server.
    """
    try:
        async with asyncio.timeout(TIMEOUT_S):
            addresses = await resolve(offer.host)
            if not addresses or not all(is_public(address) for address in addresses):
                raise BadArgument(
                    f"{offer.host} is not a public server; nothing was sent.", argument="message_id"
                )
            reader, writer = await connect(addresses[0], offer.host)
            flow = start_flow(offer.host, 443, "unsubscribe")
            try:
                return await _exchange(offer, reader, writer, flow)
            finally:
                writer.close()
                flow.close()
    except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise ProviderError(
            f"{offer.host} could not be reached or did not answer; try again later."
        ) from None


async def resolve_host(host: str) -> Sequence[str]:
    """Resolve a host name with this machine's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in found))


async def connect_tls(address: str, host: str) -> Streams:
    """Connect with TLS; the certificate must be valid for the host."""
    context = ssl.create_default_context()
    return await asyncio.open_connection(address, 443, ssl=context, server_hostname=host, limit=MAX_HEAD)


def is_public(text: str) -> bool:
    """Return True if an IP address is on the public internet, including any IPv4 address embedded in it."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return all(_is_open(each) for each in _all_of(address))


def _is_open(address: IpAddress) -> bool:
    allotted = address.version == 4 or address in _GLOBAL_UNICAST or address in _NAT64
    named = not any(address in network for network in _NOT_A_HOST if network.version == address.version)
    return address.is_global and not address.is_multicast and allotted and named


def _all_of(address: IpAddress) -> list[IpAddress]:
    """Return the address and the IPv4 addresses embedded in it: mapped, 6to4, Teredo, NAT64."""
    found: list[IpAddress] = [address]
    if isinstance(address, ipaddress.IPv4Address):
        return found
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        found.append(address.sixtofour)
    if address.teredo is not None:
        found.extend(address.teredo)
    if address in _NAT64:
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return found


async def _exchange(
    offer: UnsubscribeOffer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, flow: Flow
) -> int:
    head = (
        f"POST {offer.target} HTTP/1.1\r\nHost: {offer.host}\r\nUser-Agent: gaia-email\r\nAccept: */*\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(_BODY)}\r\n"
        "Connection: close\r\n\r\n"
    )
    request = head.encode("ascii") + _BODY
    flow.count_sent(len(request))
    writer.write(request)
    await writer.drain()
    while True:
        answer = await reader.readuntil(b"\r\n\r\n")
        flow.count_received(len(answer))
        version, _, rest = answer.partition(b" ")
        if not version.startswith(b"HTTP/1.") or not rest[:3].isdigit():
            raise ValueError("no HTTP answer")
        status = int(rest[:3])
        if status >= 200 or status == 101:
            return status
