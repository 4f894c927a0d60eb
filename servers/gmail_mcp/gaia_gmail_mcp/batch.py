"""Google's batch form: many calls in one HTTP request. Entries: `write`, `read`.

https://developers.google.com/gmail/api/guides/batch
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence

from gaia_gmail_mcp.calls import GmailCall
from gaia_mail_mcp.web.http import HttpResponse

MOST = 100
"""Most calls that Google accepts in one batch."""

_BOUNDARY = re.compile(r'boundary="?([^";]+)"?', re.IGNORECASE)
_NUMBER = re.compile(r"(\d+)>?\s*\Z")


def write(calls: Sequence[GmailCall]) -> tuple[str, bytes]:
    """Return the content type and body of a batch. Each part's Content-ID is the call's index."""
    boundary = f"batch_{secrets.token_hex(12)}"
    pieces: list[bytes] = []
    for number, call in enumerate(calls):
        head = f"--{boundary}\r\nContent-Type: application/http\r\nContent-ID: <{number}>\r\n\r\n"
        head += f"{call.method} {call.target} HTTP/1.1\r\n"
        if call.body is not None:
            head += f"Content-Type: {call.content_type}\r\nContent-Length: {len(call.body)}\r\n"
        pieces += [head.encode("ascii"), b"\r\n", call.body or b"", b"\r\n"]
    pieces.append(f"--{boundary}--\r\n".encode())
    return f"multipart/mixed; boundary={boundary}", b"".join(pieces)


def read(answer: HttpResponse, count: int) -> list[HttpResponse | None]:
    """Return the responses of a batch of `count` calls, in call order; None for a call without a response."""
    answers: list[HttpResponse | None] = [None] * count
    found = _BOUNDARY.search(answer.headers.get("content-type", ""))
    if found is None:
        return answers
    for part in answer.body.split(b"--" + found[1].encode())[1:]:
        head, _, rest = part.partition(b"\r\n\r\n")
        number = _NUMBER.search(_headers(head).get("content-id", ""))
        inner, _, body = rest.partition(b"\r\n\r\n")
        status = inner.split(b" ", 2)[1:2]
        if number is None or int(number[1]) >= count or not status or not status[0][:3].isdigit():
            continue
        answers[int(number[1])] = HttpResponse(
            status=int(status[0][:3]), headers=_headers(inner), body=body.removesuffix(b"\r\n")
        )
    return answers


def _headers(head: bytes) -> dict[str, str]:
    pairs = (line.partition(":") for line in head.decode("latin-1").split("\r\n"))
    return {name.strip().lower(): value.strip() for name, colon, value in pairs if colon}
