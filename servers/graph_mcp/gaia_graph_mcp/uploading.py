"""Messages too large for Graph: their attachments are uploaded separately. Entries: `detach_large`, `attach`.

https://learn.microsoft.com/graph/outlook-large-attachments. The URL of an upload session is itself a secret: it gets no
access token, and must be on one of Microsoft's hosts.
"""

from __future__ import annotations

import base64
import email
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from email.policy import compat32
from typing import cast
from urllib.parse import urlsplit

from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_graph_mcp.calls import Resource, post
from gaia_graph_mcp.client import GraphClient
from gaia_graph_mcp.failures import GraphRefusal
from gaia_mail_mcp.web.http import LostConnection

SMALL = 3_000_000
"""Size in bytes below which an attachment is sent in one request."""

PIECE = 10 * 327_680
"""Bytes per piece of a larger attachment: a multiple of 320 KiB below 4 MB."""

MOST = 150_000_000
"""Largest attachment in bytes that Microsoft accepts."""

_HOSTS = (".office.com", ".office365.com", ".office365.us", ".live.com", ".microsoft.com", ".microsoft.us")
_WIRE = compat32.clone(linesep="\r\n", mangle_from_=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeAttachment:
    """An attachment that is uploaded separately."""

    name: str
    content_type: str
    content: bytes
    content_id: str = ""


def detach_large(raw: bytes, most: int) -> tuple[bytes, list[LargeAttachment]]:
    """Remove the largest attachments until the message fits; return the message and the attachments.

    Raises:
        BadArgument: The message does not fit even without them, or its parts cannot be separated.
    """
    message = email.message_from_bytes(raw, policy=_WIRE)
    parts = sorted(_attachments(message), key=lambda found: -len(found[1].as_bytes()))
    taken: list[LargeAttachment] = []
    while len(raw) > most:
        if not parts:
            raise BadArgument(
                f"Microsoft takes {most // 1_000_000} MB of a message besides its attachments, and this one has "
                f"{len(raw) / 1_000_000:.1f} MB; make the text shorter, or do not sign or encrypt it.",
                argument="body",
            )
        inside, part = parts.pop(0)
        taken.append(_heavy(part))
        inside.set_payload([one for one in inside.get_payload() if one is not part])
        raw = message.as_bytes()
    return raw, taken


async def attach(client: GraphClient, message_id: str, heavy: LargeAttachment) -> None:
    """Add an attachment to a draft.

    Raises:
        MailError: The upload failed; part of it may be stored.
    """
    about: Resource = {"name": heavy.name, "contentType": heavy.content_type}
    about |= {"isInline": True, "contentId": heavy.content_id} if heavy.content_id else {}
    if len(heavy.content) < SMALL:
        body = {
            "@odata.type": "#microsoft.graph.fileAttachment",
            "contentBytes": base64.b64encode(heavy.content).decode(),
            **about,
        }
        await client.call(post("messages", message_id, "attachments", body=body))
        return
    item = {"attachmentType": "file", "size": len(heavy.content), **about}
    opened = await client.call(
        post("messages", message_id, "attachments", "createUploadSession", body={"AttachmentItem": item})
    )
    await _upload(client, _check_host(opened.get("uploadUrl"), client.root), heavy.content)


async def _upload(client: GraphClient, url: str, content: bytes) -> None:
    sent = failed = 0
    while sent < len(content):
        piece = content[sent : sent + PIECE]
        headers = {
            "Content-Type": "application/octet-stream",
            "Content-Range": f"bytes {sent}-{sent + len(piece) - 1}/{len(content)}",
        }
        try:
            answer = await client.exchange_once("PUT", url, headers, piece)
        except LostConnection:
            refusal = GraphRefusal(status=504)
        else:
            if 200 <= answer.status < 300:
                sent += len(piece)
                continue
            refusal = GraphRefusal.of(answer.status, answer.headers, answer.body)
        failed += 1
        wait = client.backoff.delay(failed, refusal.retry_after_s)
        if wait is None or not (refusal.throttled or refusal.transient):
            raise ProviderError("An attachment could not be handed over to Microsoft; try again later.")
        await client.sleep(wait)


def _check_host(url: object, root: str) -> str:
    """Return the URL of an upload session if it is on one of Microsoft's hosts or the API's own."""
    found, own = urlsplit(str(url)), urlsplit(root)
    if (found.scheme, found.netloc) == (own.scheme, own.netloc):
        return str(url)
    if found.scheme == "https" and f".{found.hostname or ''}".endswith(_HOSTS):
        return str(url)
    raise ProviderError("Microsoft's answer leads to another server, where nothing is sent; try again later.")


def _attachments(message: Message) -> Iterator[tuple[Message, Message]]:
    """Yield each attachment with its parent part; signed and encrypted parts are left alone, as changes break them."""
    if message.get_content_type() in ("multipart/signed", "multipart/encrypted"):
        return
    if not message.is_multipart() or message.get_content_type() == "message/rfc822":
        return
    for part in cast(list[Message], message.get_payload()):
        if part.get_content_maintype() != "multipart" and (part.get_filename() or part["Content-ID"]):
            yield message, part
        else:
            yield from _attachments(part)


def _heavy(part: Message) -> LargeAttachment:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):  # an attached message
        inner = part.get_payload(0)
        content = inner.as_bytes() if isinstance(inner, Message) else b""
    if len(content) > MOST:
        raise BadArgument(
            "Microsoft takes attachments up to 150 MB; send a link instead.", argument="attachments"
        )
    inline = part.get_content_disposition() != "attachment" and part["Content-ID"] is not None
    return LargeAttachment(
        name=part.get_filename() or "attachment",
        content_type=part.get_content_type(),
        content=content,
        content_id=str(part["Content-ID"]).strip("<> ") if inline else "",
    )
