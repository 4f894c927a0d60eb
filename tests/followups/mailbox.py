"""A Maildir that is written message by message, and the program at one moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from gaia_email.app import App
from gaia_email.app.services.source import SourceSpec

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
SINCE = (NOW - datetime.now(UTC)).total_seconds() / 86_400
"""Days from today until `NOW`: mail that is so much older is new by the clock of this machine."""

ME, ALIAS, HER = "sam@acme.example", "s.lee@acme.example", "dana@other.example"
ASKS = "Hi,\n\ncould you send me the signed form by Friday?\n\nDana"


class Mailbox:
    """A Maildir that is written message by message."""

    def __init__(self, folder: Path, *, user: str = ME) -> None:
        self._folder, self._count = folder, 0
        self.source = SourceSpec(kind="maildir", path=str(folder), user=(user, ALIAS))
        for name in ("", ".Sent", ".Archive"):
            for part in ("cur", "new", "tmp"):
                (folder / name / part).mkdir(parents=True)

    def put(
        self,
        text: str,
        *,
        days: float,
        sender: str = HER,
        to: str = ME,
        subject: str = "The signed form",
        answers: str = "",
        folder: str = "",
        more: dict[str, str] | None = None,
        calendar: str = "",
    ) -> str:
        """One message, so many days old; its Message-ID."""
        self._count += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, "".join(subject.splitlines())
        mail["Date"] = format_datetime(NOW - timedelta(days=days))
        mail["Message-ID"] = f"<{self._count}@{self._folder.name}.example>"
        if answers:
            mail["In-Reply-To"] = mail["References"] = answers
        for name, value in (more or {}).items():
            mail[name] = value
        mail.set_content(text)
        if calendar:
            mail.add_attachment(calendar.encode(), maintype="text", subtype="calendar")
        (self._folder / folder / "cur" / f"{self._count}.here:2,S").write_bytes(mail.as_bytes())
        return str(mail["Message-ID"])

    def sent(
        self, text: str, *, days: float, sender: str = ME, answers: str = "", subject: str = "The signed form"
    ) -> str:
        """One message of the owner's to her."""
        return self.put(
            text, days=days, sender=sender, to=HER, answers=answers, subject=subject, folder=".Sent"
        )


def app(now: datetime = NOW) -> App:
    """The program at that time."""
    return App(clock=now.timestamp)
