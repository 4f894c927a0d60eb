"""Labelled messages in TOML, written and edited by hand. Entry: `read_fixtures`.

One file holds many `[[mail]]` tables; `evals/LABELS.md` explains the labels.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTPUTF8
from email.utils import format_datetime, parseaddr
from pathlib import Path
from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from gaia_email_evals.cases import LabelledMessage, Labels
from gaia_email_registry.errors import BadArgument
from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, Context, SpeechAct

_POLICY = SMTPUTF8.clone(max_line_length=200)
_KNOWN_MESSAGES = 4


class _Mail(BaseModel):
    """One `[[mail]]` table."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    template: str
    thread: str = ""
    sender: Literal["person", "machine", "list", "bulk"]
    bucket: Bucket
    also: tuple[Bucket, ...] = ()
    category: Category
    act: SpeechAct
    needs_reply: bool
    cohort: Cohort
    language: str
    tags: tuple[str, ...] = ()
    known: bool
    user: str
    from_: str = Field(alias="from")
    to: tuple[str, ...]
    cc: tuple[str, ...] = ()
    subject: str
    sent: AwareDatetime
    text: str = ""
    html: str = ""
    headers: dict[str, str] = {}
    attachments: tuple[str, ...] = ()
    calendar: bool = False
    phishing: bool = False
    spam: bool = False
    injection: bool = False


def read_fixtures(path: Path) -> Iterator[LabelledMessage]:
    """Yield the cases of a TOML file, or of all in a folder, in the order of their names.

    The source of a case is the first word of its file's name: `people_long.toml` holds `people`.

    Raises:
        BadArgument: A file is not TOML, or a table has a missing or wrong label; the error names the place.
    """
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    for file in files:
        try:
            tables = tomllib.loads(file.read_text(encoding="utf-8")).get("mail", [])
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadArgument(f"{file} is not valid TOML: {error}") from error
        for number, table in enumerate(tables, start=1):
            yield _case(_mail(file, number, table), file.stem.partition("_")[0])


def _mail(file: Path, number: int, table: object) -> _Mail:
    try:
        return _Mail.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadArgument(f"{file}, mail {number}: {where}: {first['msg']}") from error


def _case(mail: _Mail, source: str) -> LabelledMessage:
    return LabelledMessage(
        name=mail.id,
        source=source,
        group=mail.thread or mail.template,
        raw=_render(mail),
        context=_context(mail),
        labels=Labels(
            buckets=(mail.bucket, *(bucket for bucket in mail.also if bucket != mail.bucket)),
            category=mail.category,
            act=mail.act,
            needs_reply=mail.needs_reply,
            cohort=mail.cohort,
            spam=mail.spam,
            phishing=mail.phishing,
            injection=mail.injection,
        ),
        language=mail.language,
        tags=mail.tags,
    )


def _context(mail: _Mail) -> Context:
    return Context(
        owner=frozenset({mail.user.lower()}),
        first_contact=not mail.known,
        received_before=_KNOWN_MESSAGES if mail.known else 0,
        written_to=1 if mail.known and mail.sender == "person" else 0,
        owner_in_thread=mail.known and mail.sender == "person" and _is_reply(mail),
    )


def _is_reply(mail: _Mail) -> bool:
    return mail.subject.lower().startswith(("re:", "aw:", "antw:", "rif:", "res:", "sv:"))


def _render(mail: _Mail) -> bytes:
    message = EmailMessage(policy=_POLICY)
    message["From"] = mail.from_
    message["To"] = ", ".join(mail.to)
    if mail.cc:
        message["Cc"] = ", ".join(mail.cc)
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.sent)
    message["Message-ID"] = _message_id(mail.id, mail.from_)
    if _is_reply(mail):
        message["In-Reply-To"] = _message_id(f"before {mail.id}", mail.user)
    for name, value in mail.headers.items():
        message[name] = value
    if mail.text or not mail.html:
        message.set_content(mail.text, cte="8bit")
        if mail.html:
            message.add_alternative(mail.html, subtype="html", cte="8bit")
    else:
        message.set_content(mail.html, subtype="html", cte="8bit")
    if mail.calendar:
        _attach_invitation(message, mail)
    for filename in mail.attachments:
        content = hashlib.blake2b(filename.encode()).digest() * 40
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=filename)
    return message.as_bytes()


def _attach_invitation(message: EmailMessage, mail: _Mail) -> None:
    stamp = mail.sent.strftime("%Y%m%dT%H%M%S")
    method = "CANCEL" if mail.act == "amend" and "cancel" in mail.subject.lower() else "REQUEST"
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"METHOD:{method}",
        "BEGIN:VEVENT",
        f"UID:{mail.id}",
        f"DTSTAMP:{stamp}",
        f"DTSTART:{_next_day(mail.sent)}",
        f"SUMMARY:{mail.subject}",
        f"ORGANIZER:mailto:{parseaddr(mail.from_)[1]}",
        f"ATTENDEE:mailto:{mail.user}",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
    )
    message.add_attachment(
        "\r\n".join(lines).encode(),
        maintype="text",
        subtype="calendar",
        filename="invite.ics",
        params={"method": method},
    )


def _next_day(sent: datetime) -> str:
    return (sent + timedelta(days=1)).strftime("%Y%m%dT%H0000")


def _message_id(name: str, sender: str) -> str:
    domain = parseaddr(sender)[1].rpartition("@")[2] or "fixture.example"
    return f"<{hashlib.blake2b(name.encode(), digest_size=9).hexdigest()}@{domain}>"
