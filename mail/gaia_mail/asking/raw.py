"""Decodes the mail in a `raw` argument, which overrides the other arguments. Entry: `mail_of_raw`."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping

from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.people import same
from gaia_mail.mime.address import parse_addresses
from gaia_mail.mime.model import MailboxAddress, ParsedMessage
from gaia_mail.mime.read import parse_message

_WITHOUT_EFFECT = ("htmlBody", "html_body", "mimeType", "inReplyTo", "signature", "attachments", "from")
"""Arguments that `raw` overrides: a caller who sets one means a mail other than the one to be stored."""


def mail_of_raw(arguments: Mapping[str, object]) -> bytes | None:
    """Return the RFC 5322 bytes of `raw`; None if the call has no such argument.

    Raises:
        BadArgument: `raw` is not base64url, or another argument contradicts the mail in it.
    """
    text = arguments.get("raw")
    if not isinstance(text, str):
        return None
    try:
        raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise BadArgument("raw must be base64url of an RFC 5322 message.", argument="raw") from None
    if named := _find_contradiction(arguments, parse_message(raw)):
        raise BadArgument(
            f"raw holds a mail that differs from {named}, so it is refused. Leave out {named}, or raw.",
            argument=named,
        )
    return raw


def _find_contradiction(arguments: Mapping[str, object], mail: ParsedMessage) -> str:
    """Return the first argument that contradicts the mail; empty if all agree or are empty."""
    for name, people in (("to", mail.to), ("cc", mail.cc), ("bcc", mail.bcc)):
        value = arguments.get(name)
        if isinstance(value, list) and value and _parse_all(value) != _addresses(people):  # pyright: ignore[reportUnknownArgumentType]
            return name
    if arguments.get("subject") and arguments["subject"] != mail.subject:
        return "subject"
    body = arguments.get("body")
    if isinstance(body, str) and body.strip() and _plain(body) != _plain(mail.text):
        return "body"
    return next(
        (name for name in _WITHOUT_EFFECT if arguments.get(name) not in (None, "", [], False, "text/plain")),
        "",
    )


def _parse_all(values: Iterable[object]) -> set[str]:
    return _addresses(box for value in values for box in parse_addresses(str(value)))


def _addresses(people: Iterable[MailboxAddress]) -> set[str]:
    return {same(one.address) for one in people}


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
