"""Parses any bytes into a `ParsedMessage`. Entry: `parse_message`, never raises; `scan_headers` reads headers only."""

from __future__ import annotations

from gaia_mail.mime import headers
from gaia_mail.mime.address import MAX_ADDRESSES, parse_addresses
from gaia_mail.mime.bodies import BodyParts, gather
from gaia_mail.mime.headers import DecodedHeaders, HeaderFields
from gaia_mail.mime.model import ParsedMessage
from gaia_mail.mime.scan import HeaderScan, addresses, normalize, scan_headers, summarize, top_fields
from gaia_mail.mime.walk import Tree, media_type, walk

__all__ = ["HeaderScan", "parse_message", "scan_headers", "texts_as_written"]

MAX_DEFECTS = 10
"""Defects reported for one message; the first ones are kept."""

ENCRYPTED_SMIME = "the message is encrypted with S/MIME and cannot be read here"
ENCRYPTED_PGP = "the message is encrypted with PGP and cannot be read here"
SIGNED_OPAQUE = "the text is inside an S/MIME signature and cannot be read here"
EMPTY = "the message is empty"
NO_DATE = "the date cannot be read"
MANY_RECIPIENTS = f"the message has about {MAX_ADDRESSES:,} recipients or more; the rest was not read"
NO_FROM = "the message does not say who sent it"

_PGP = "-----BEGIN PGP MESSAGE-----"
_INNER_MESSAGES = 3


def parse_message(raw: bytes) -> ParsedMessage:
    """Parse a message as far as possible, whatever the bytes; problems are listed in `defects`.

    Standards: RFC 5322, 6532 (headers), 2045-2047, 2183, 2231 (MIME). The result depends on `raw` alone.
    """
    return _parse(raw, _INNER_MESSAGES)


def texts_as_written(raw: bytes) -> tuple[str, str]:
    """Return the text and HTML of a message with original line ends; the parts of each are simply concatenated."""
    raw = normalize(raw)[0]
    bodies = gather(raw, walk(raw, top_fields(raw)), as_written=True)
    return "".join(bodies.text), "".join(bodies.html)


def _parse(raw: bytes, inner: int) -> ParsedMessage:
    size = len(raw)
    raw, defects = normalize(raw)
    fields = top_fields(raw)
    defects += fields.defects if raw else [EMPTY]
    tree = walk(raw, fields)
    bodies = gather(raw, tree)
    text, html = _join(bodies.text), _join(bodies.html)
    if (
        not text.strip()
        and not html.strip()
        and inner
        and len(bodies.messages) == 1 == len(bodies.attachments)
    ):
        forwarded = _parse(bodies.messages[0], inner - 1)
        text, html = forwarded.text, forwarded.html
        bodies.calendars += forwarded.calendars
        for defect in forwarded.defects:
            tree.add(defect)
    secret = _encryption(tree, text)
    if secret:
        tree.add(secret)
    return _build(fields, size, bodies, text, html, bool(secret), defects + tree.defects)


def _build(
    fields: HeaderFields,
    size: int,
    bodies: BodyParts,
    text: str,
    html: str,
    encrypted: bool,
    defects: list[str],
) -> ParsedMessage:
    first = fields.first
    scan = summarize(fields)
    most = max(len(scan.to), len(scan.cc))
    if most >= MAX_ADDRESSES or (most >= MAX_ADDRESSES // 2 and headers.LONG_FIELD in defects):
        defects.append(MANY_RECIPIENTS)
    if first.get("date", "").strip() and scan.date is None:
        defects.append(NO_DATE)
    if scan.sender is None and headers.NO_HEADER not in defects and size:
        defects.append(NO_FROM)
    return ParsedMessage(
        headers=DecodedHeaders(tuple(fields.fields), first),
        message_id=scan.message_id,
        in_reply_to=scan.in_reply_to,
        references=scan.references,
        subject=scan.subject,
        sender=scan.sender,
        reply_to=parse_addresses(first["reply-to"]) if "reply-to" in first else (),
        to=scan.to,
        cc=scan.cc,
        bcc=addresses(fields, "bcc") if "bcc" in first else (),
        date=scan.date,
        text=text,
        html=html,
        calendars=tuple(bodies.calendars),
        attachments=tuple(bodies.attachments),
        content_type=media_type(first, "text/plain")[0],
        encrypted=encrypted,
        size=size,
        defects=tuple(dict.fromkeys(defects))[:MAX_DEFECTS],
    )


def _join(parts: list[str]) -> str:
    if len(parts) == 1:
        return parts[0]
    return "\n".join(part.removesuffix("\n") for part in parts)


def _encryption(tree: Tree, text: str) -> str:
    """Return the reason why the text cannot be read; `""` if it can."""
    if "multipart/encrypted" in tree.multiparts:
        return ENCRYPTED_PGP
    for leaf in tree.leaves:
        if leaf.content_type in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            kind = leaf.parameters.get("smime-type", "").lower()
            if kind == "signed-data":
                return SIGNED_OPAQUE
            if kind not in ("certs-only", "compressed-data"):
                return ENCRYPTED_SMIME
    return ENCRYPTED_PGP if text[:2000].lstrip().startswith(_PGP) else ""
