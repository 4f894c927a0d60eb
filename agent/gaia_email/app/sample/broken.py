"""Messages that real servers deliver although no standard allows them. Entry point: `broken_messages`."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta
from email.utils import format_datetime

from gaia_email.app.sample.render import SAMPLE_OWNER, Rendered


def _head(now: datetime, minutes: int, sender: str, subject: str) -> bytes:
    date = format_datetime(now - timedelta(minutes=minutes))
    return f"From: {sender}\r\nTo: {SAMPLE_OWNER}\r\nDate: {date}\r\nSubject: {subject}\r\n".encode()


def broken_messages(now: datetime) -> list[Rendered]:
    """Return broken messages that people can still read; `now` dates those that have a date."""
    bodies = {
        "broken-charset": _head(now, 700, "Bistro Ponte <info@bistro-ponte.example>", "Menu of the week")
        + b"Content-Type: text/plain; charset=x-menu-font\r\n\r\n"
        + "Montag: Kürbissuppe. Dienstag: Käsespätzle. Mittwoch: Gemüsecurry.\r\n".encode("latin-1"),
        "broken-boundary": _head(now, 1500, "Werkhof <post@werkhof.example>", "Keys for the workshop")
        + b'Content-Type: multipart/mixed; boundary="one"\r\n\r\n--one\r\nContent-Type: text/plain\r\n\r\n'
        + b"The keys for the workshop are in the red box at the gate. The code is on your contract.\r\n",
        "broken-base64": _head(now, 2600, "Scanstation <scan@lindenwerk.example>", "Scan from station 2")
        + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n'
        + b"Your scan is attached.\r\n--b\r\nContent-Type: application/pdf; name=scan.pdf\r\n"
        + b"Content-Transfer-Encoding: base64\r\n\r\n"
        + base64.b64encode(b"%PDF-1.7 scan")
        + b"!!==%\r\n--b--\r\n",
        "broken-no-date": b"From: Studio Door <door@lindenwerk.example>\r\nTo: "
        + SAMPLE_OWNER.encode()
        + b"\r\nSubject: Door battery at 20 percent\r\n\r\nThe battery of the studio door lock is at 20 percent.\r\n",
        "broken-raw-8bit": _head(
            now, 3000, "Café Sütterlin <cafe@suetterlin.example>", "Geöffnet über die Feiertage"
        )
        + b"\r\nWir haben \xfcber die Feiertage ge\xf6ffnet, t\xe4glich von 9 bis 18 Uhr.\r\n",
        "broken-name": _head(now, 3300, "Plotservice <plot@plotservice.example>", "Your plots")
        + b'Content-Type: multipart/mixed; boundary="p"\r\n\r\n--p\r\nContent-Type: text/plain\r\n\r\n'
        + b"Your plots are ready, the preview is attached.\r\n--p\r\n"
        + b'Content-Type: image/png; name="../../preview.png"\r\nContent-Disposition: attachment; '
        + b'filename="../../preview.png"\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n--p--\r\n',
        "broken-empty": _head(
            now, 4000, "Jonas Weber <jonas.weber@lindenwerk.example>", "(sent from the train)"
        )
        + b"\r\n",
    }
    return [Rendered(name=name, raw=raw, folder="INBOX", flags="") for name, raw in bodies.items()]
