"""A small mailbox behind the pages, and a person who asks for them. Entries: `Mail`, `PersonsPages`."""

from __future__ import annotations

import mailbox
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path
from typing import Any
from zlib import crc32

import httpx2
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.http.bounds import ServedAt
from gaia_email.interfaces.http.credentials import ApiToken, HttpCredentials, api_token_file
from gaia_email.interfaces.http.serving import http_interface
from gaia_email.interfaces.http.sessions import PersonSessions

ME = "mira@lang.example"
MARK = "<script>window.harm=1</script><img src=x onerror=window.harm=1>"
"""What would show that text of strangers became part of a page."""

HOSTILE_HTML = f"""<html><head><base href="http://evil.example/">
<meta http-equiv="refresh" content="0;url=http://evil.example/">
<link rel="stylesheet" href="http://evil.example/a.css">
<style>@import "http://evil.example/b.css"; body {{ background: url(http://evil.example/c.png) }}</style></head>
<body onload="parent.harm=1">{MARK}
<svg onload="parent.harm=1"><script>parent.harm=1</script></svg>
<form action="http://evil.example/"><input autofocus onfocus="parent.harm=1"></form>
<iframe src="http://evil.example/"></iframe><img src="http://evil.example/d.png">
<p style="color: green">Formatted words.</p></body></html>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail to be put into the mailbox, so many hours old."""

    sender: str
    subject: str
    text: str
    html: str = ""
    file: str = ""
    hours: float = 1
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


USUAL = (
    Mail(
        sender="Priya Nair <priya@kestrel.example>",
        subject="Can you sign the contract by Friday?",
        text="Hello Mira,\n\ncould you please sign the contract and send it back by Friday? "
        "My number: +49 40 123456.\n\nPriya",
    ),
    Mail(sender="Sam <sam@home.example>", subject="Thanks", text="Thank you for yesterday.", hours=5),
    Mail(
        sender="News <news@shop.example>",
        subject="Our offers of the week",
        text="50 % off everything. Unsubscribe at http://shop.example/leave.",
        hours=9,
        headers={"List-Unsubscribe": "<http://shop.example/leave>", "Precedence": "bulk"},
    ),
    Mail(
        sender="News <news@shop.example>",
        subject="Our offers of last week",
        text="40 % off everything. Unsubscribe at http://shop.example/leave.",
        hours=200,
        headers={"List-Unsubscribe": "<http://shop.example/leave>", "Precedence": "bulk"},
    ),
    Mail(
        sender=f'"Eve {MARK}" <eve@evil.example>',
        subject=f"Please answer {MARK} \u202egpj.exe",
        text=f"Could you send me the numbers today?\n{MARK}\n</div></main>",
        html=HOSTILE_HTML,
        hours=2,
    ),
)


@dataclass(slots=True)
class PersonsPages:
    """A mailbox, its server, and a person's session there."""

    home: Path
    mails: Sequence[Mail] = USUAL
    app: App = field(default_factory=App)
    port: int = 8767

    @property
    def source(self) -> SourceSpec:
        """The mailbox, filled when it is asked for first."""
        path = self.home / "Mail"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            box = mailbox.Maildir(path)
            now = datetime.now(UTC)
            for number, mail in enumerate(self.mails):
                box.add(_message(mail, number, now).as_bytes())
        return SourceSpec(kind="maildir", path=str(path), user=(ME,), is_sample=True)

    def interface(
        self, *, sample: bool = True, sessions: PersonSessions | None = None
    ) -> tuple[ASGIApp, PersonSessions]:
        """The application, and what opens sessions of it; without `sample`, over the accounts that are connected."""
        sessions = sessions or PersonSessions(port=self.port)
        token = ApiToken(api_token_file(self.app.environ))
        application = http_interface(
            self.app,
            self.app.environ,
            served=ServedAt.on(self.port),
            credentials=HttpCredentials(token=token, sessions=sessions),
            sample=self.source if sample else None,
        )
        return application, sessions

    def person(self, *, sample: bool = True) -> Pages:
        """A person with a session."""
        application, sessions = self.interface(sample=sample)
        opened = sessions.open(sessions.new_code())
        headers = {"cookie": opened.set_cookie.partition(";")[0], "x-gaia-key": opened.page_key}
        return Pages(TestClient(application, base_url=f"http://127.0.0.1:{self.port}", headers=headers))


@dataclass(slots=True)
class Pages:
    """What a person asks for."""

    client: TestClient

    def get(self, path: str, status: int = 200) -> str:
        """Part of a page."""
        answer = self.client.get(f"/ui/{path}")
        assert answer.status_code == status, answer.text
        return answer.text

    def post(self, path: str, fields: Mapping[str, str | Sequence[str]], status: int = 200) -> str:
        """What a form is answered with."""
        answer: httpx2.Response | Any = self.client.post(f"/ui/{path}", data=dict(fields))
        assert answer.status_code == status, answer.text
        return str(answer.text)

    def thread(self, subject: str, page: str = "inbox") -> str:
        """How a thread is referred to, by a word of its subject."""
        row = next(one for one in self.get(page).split("<li ") if subject in one)
        found = re.search(r'name="of" value="([^"]+)"', row)
        assert found
        return found[1]

    def bucket(self, subject: str) -> str:
        """In which bucket a thread is."""
        names = ("urgent", "actionable", "informational", "low_priority")
        return next(name for name in names if subject in self.get(f"inbox?bucket={name}"))


def undo_of(note: str) -> tuple[str, dict[str, list[str]]]:
    """Where a note's button leads, and what it sends."""
    path = re.search(r'hx-post="ui/([\w-]+)"', note)
    assert path, note
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', note):
        fields.setdefault(name, []).append(value)
    return path[1], fields


def _message(mail: Mail, number: int, now: datetime) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = mail.sender, ME, mail.subject
    message["Date"] = format_datetime(now - timedelta(hours=mail.hours))
    message["Message-ID"] = f"<{number}.{crc32(mail.subject.encode())}@pages.example>"
    for name, value in mail.headers.items():
        message[name] = value
    message.set_content(mail.text)
    if mail.html:
        message.add_alternative(mail.html, subtype="html")
    if mail.file:
        message.add_attachment(b"<svg/>", maintype="image", subtype="svg+xml", filename=mail.file)
    return message
