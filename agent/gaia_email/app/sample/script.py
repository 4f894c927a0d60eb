"""Reads the scripts of the sample mailbox (`*.mailscript`). Entry point: `parse_script`.

A script contains messages separated by lines that begin with `=== ` and the message's name. Fields come
first, then an empty line, then the text. An `<<html>>` line begins the HTML alternative, `<<ics>>` an
invitation.

Fields: `From`, `To` (default: the owner), `Cc`, `Subject`, `Age` (`2d3h`, `40m` before now), `Re` (the name
of the message answered), `Labels`, `Auth` (`pass`, `fail`, `none`), `List` (list id, then an unsubscribe
address), `Attach` (`name.pdf 48000`, repeatable); any other field is a header of the message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

FIELD = re.compile(r"([A-Za-z][A-Za-z0-9-]*):[ \t]*(.*)")
OWN_FIELDS = frozenset({"from", "to", "cc", "subject", "age", "re", "labels", "auth", "list", "attach"})

_AGE = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?")


@dataclass(slots=True, kw_only=True)
class Scripted:
    """One message of a script. `age_s` is seconds before now; `headers` are fields without a special meaning."""

    name: str
    sender: str = ""
    to: str = ""
    cc: str = ""
    subject: str = ""
    age_s: int = 0
    answers: str = ""
    labels: tuple[str, ...] = ("INBOX",)
    auth: str = "pass"
    list_id: str = ""
    unsubscribe: str = ""
    attachments: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    text: str = ""
    html: str = ""
    ics: str = ""


def parse_age(text: str) -> int:
    """Convert `1d2h30m` to seconds.

    Raises:
        ValueError: The text does not have that form.
    """
    match = _AGE.fullmatch(text.strip())
    if match is None or not text.strip():
        raise ValueError(f"not an age: {text!r}")
    days, hours, minutes = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60


def parse_script(script: str) -> list[Scripted]:
    """Return all messages of a script, in order.

    Raises:
        ValueError: A field line is invalid; the error names it.
    """
    messages: list[Scripted] = []
    for block in re.split(r"^=== ", script, flags=re.MULTILINE)[1:]:
        name, _, rest = block.partition("\n")
        messages.append(_message(name.strip(), rest))
    return messages


def _message(name: str, rest: str) -> Scripted:
    head, _, body = rest.partition("\n\n")
    message = Scripted(name=name)
    for line in head.splitlines():
        match = FIELD.fullmatch(line)
        if match is None:
            raise ValueError(f"{name}: not a field: {line!r}")
        _set_field(message, match[1], match[2])
    text, _, ics = body.partition("<<ics>>\n")
    message.text, _, message.html = text.partition("<<html>>\n")
    message.text = message.text.strip("\n") + "\n" if message.text.strip() else ""
    message.ics = ics
    return message


def _set_field(message: Scripted, name: str, value: str) -> None:
    match name.lower():
        case "from":
            message.sender = value
        case "to":
            message.to = value
        case "cc":
            message.cc = value
        case "subject":
            message.subject = value
        case "age":
            message.age_s = parse_age(value)
        case "re":
            message.answers = value
        case "labels":
            message.labels = tuple(value.split())
        case "auth":
            message.auth = value
        case "list":
            message.list_id, _, message.unsubscribe = value.partition(" ")
        case "attach":
            filename, _, size = value.rpartition(" ")
            message.attachments.append((filename, int(size)))
        case _:
            message.headers.append((name, value))
