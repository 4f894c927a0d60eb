"""Reads a question back, as its reader would, to compare it with what left the mailbox. Entries: `told`, `read`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import getaddresses

_PERSON = re.compile(r"^(To|Cc|Bcc): (\S+)")
_FILE = re.compile(r'^Attachment: (\S+), ([\d,]+) bytes(?:, "(.*)")?$')
_BAR = "│"
_FORMATTED = "The formatted version, as text:"
_HIDDEN = "Hidden in the formatted version:"


@dataclass(frozen=True, kw_only=True)
class Mail:
    """What counts of a mail: who gets it, by field, and all that they get; white space as it may wrap is left out."""

    people: tuple[tuple[str, str], ...]
    subject: str
    text: str
    html: str
    files: tuple[tuple[str, int, str], ...]


def bare(text: str) -> str:
    """Without any white space: a question wraps its lines."""
    return "".join(text.split())


def told(question: str) -> Mail:
    """The mail that a question describes."""
    lines = _unwrapped(question.splitlines())
    parts: dict[str, list[str]] = {"text": [], "html": []}
    part = "text"
    people: list[tuple[str, str]] = []
    files: list[tuple[str, int, str]] = []
    subject = ""
    for line in lines:
        if line in (_FORMATTED, _HIDDEN):
            part = "html"
        elif line.startswith(_BAR):
            parts[part].append(line[1:])
        elif person := _PERSON.match(line):
            people.append((person[1], person[2]))
        elif file := _FILE.match(line):
            files.append((file[1], int(file[2].replace(",", "")), file[3] or ""))
        elif line.startswith("Subject: "):
            subject = line.removeprefix("Subject: ")
    return Mail(
        people=tuple(people),
        subject=bare(subject),
        text=bare("".join(parts["text"])),
        html=bare("".join(parts["html"])),
        files=tuple(files),
    )


def _unwrapped(lines: list[str]) -> list[str]:
    """Lines of the question's own that were continued, in one."""
    whole: list[str] = []
    for line in lines:
        if line.startswith("    ") and whole and not whole[-1].startswith(_BAR):
            whole[-1] += " " + line.strip()
        else:
            whole.append(line)
    return whole


def read(raw: bytes) -> Mail:
    """The mail that those bytes are, read with the standard library; its HTML as the text in it."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    people = [
        (name, address)
        for name in ("To", "Cc", "Bcc")
        for _, address in getaddresses([str(value) for value in message.get_all(name, [])])
    ]
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    files = [
        (part.get_content_type(), len(_bytes(part)), part.get_filename() or "")
        for part in message.iter_attachments()
    ]
    return Mail(
        people=tuple(people),
        subject=bare(str(message["Subject"] or "")),
        text=bare(str(plain.get_content()) if plain is not None else ""),
        html=bare(re.sub(r"<[^>]+>", "", str(html.get_content()) if html is not None else "")),
        files=tuple(files),
    )


def _bytes(part: object) -> bytes:
    assert isinstance(part, EmailMessage)
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
