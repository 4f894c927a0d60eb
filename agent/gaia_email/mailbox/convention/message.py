"""Build an RFC 5322 message from the text of `read_email`, and list its unjudged parts. Entry: `build_message`.

It contains only what the server returned: no Received, no Authentication-Results, no list headers, so its sender never
counts as verified. Attached files are included by name and type, without content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import quote

from gaia_email.mailbox.convention.texts import NamedFile, ReadMessage

MOST_TEXT = 200_000
"""Maximum length of a text in characters; a hundred messages are in memory at once."""

_KEPT = {
    "subject": "Subject",
    "from": "From",
    "to": "To",
    "cc": "Cc",
    "date": "Date",
    "message-id": "Message-ID",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

SENDER = (
    "whether the sender is who it says could not be judged: this mail server gives no authentication results"
)
HIDDEN = "text hidden behind the plain one could not be judged: this mail server gives only the plain text"
HEADERS = (
    "lists, replies and automatic mail are known by their words alone: this mail server gives few headers"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltMessage:
    """A message as bytes; `unjudged` describes what could not be judged."""

    raw: bytes
    unjudged: tuple[str, ...]


def build_message(told: ReadMessage) -> BuiltMessage:
    """Return the message; the same text always gives the same bytes."""
    text = _SURROGATE.sub("\ufffd", told.body[:MOST_TEXT])
    unjudged = [SENDER, HEADERS]
    if not told.is_html:
        unjudged.append(HIDDEN)
    if told.files:
        unjudged.append(
            f"what is in {len(told.files)} attached file{'s' if len(told.files) > 1 else ''} could not be judged: "
            "this mail server names them only"
        )
    if len(told.body) > MOST_TEXT:
        unjudged.append(
            f"the text has {len(told.body):,} characters; only the first {MOST_TEXT:,} were taken in"
        )
    head = [f"{name}: {_line(told.fields[key])}" for key, name in _KEPT.items() if told.fields.get(key)]
    kind = "html" if told.is_html else "plain"
    body = [f"Content-Type: text/{kind}; charset=utf-8", "Content-Transfer-Encoding: 8bit", "", text]
    if told.files:
        mark = blake2b(text.encode(), digest_size=16).hexdigest()
        body = [
            f'Content-Type: multipart/mixed; boundary="{mark}"',
            "",
            f"--{mark}",
            *body,
            *(line for file in told.files for line in (f"--{mark}", *_part(file))),
            f"--{mark}--",
            "",
        ]
    lines = "\n".join((*head, "MIME-Version: 1.0", *body))
    raw = _SURROGATE.sub("\ufffd", lines).replace("\r\n", "\n").replace("\n", "\r\n").encode()
    return BuiltMessage(raw=raw, unjudged=tuple(unjudged))


def _part(file: NamedFile) -> list[str]:
    name = quote(_SURROGATE.sub("\ufffd", file.name), safe="")
    return [
        f"Content-Type: {file.content_type}",
        f"Content-Disposition: attachment; filename*=UTF-8''{name}",
        "Content-Transfer-Encoding: base64",
        "",
        "",
    ]


def _line(value: str) -> str:
    return _CONTROL.sub(" ", value)
