"""Writes the sample mailbox as a Maildir. Entry points: `write_sample`, `in_the_day`, `SAMPLE_OWNER`.

The same time gives the same bytes: nothing is random, and ids come from the messages' names.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta, tzinfo
from importlib.resources import files
from pathlib import Path

from gaia_email.app.sample.broken import broken_messages
from gaia_email.app.sample.dates import fill
from gaia_email.app.sample.render import SAMPLE_OWNER, Rendered, render
from gaia_email.app.sample.script import Scripted, parse_script
from gaia_email_registry.paths import ensure_private_directory
from gaia_email_registry.private_file import write_new_private

__all__ = ["SAMPLE_OWNER", "in_the_day", "sample_messages", "write_sample"]

FOLDERS = {"INBOX": "", "SENT": ".Sent", "SPAM": ".Junk", "ARCHIVE": ".Archive"}
"""The script's folder labels and their Maildir++ folders."""


_MORNING, _EVENING = timedelta(hours=9), timedelta(hours=18)


def in_the_day(now: float, zone: tzinfo = UTC) -> float:
    """Return the latest time at which the sample can be set: during the day, since its mails say "today" and "by 3:30".

    Args:
        now: Epoch seconds; before nine in the morning, six in the evening before is used instead.
        zone: The time zone of that morning.
    """
    instant = datetime.fromtimestamp(now, UTC).astimezone(zone)
    midnight = instant.replace(hour=0, minute=0, second=0, microsecond=0)
    if instant - midnight >= _MORNING:
        return now
    return (midnight - timedelta(days=1) + _EVENING).timestamp()


def scripts() -> list[Scripted]:
    """Return all scripted messages, sorted by file name."""
    folder = files("gaia_email.app.sample") / "scripts"
    found: list[Scripted] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".mailscript"):
            found.extend(parse_script(entry.read_text(encoding="utf-8")))
    return found


def sample_messages(now: datetime) -> list[Rendered]:
    """Return all messages as bytes with folder and flags, in the zone of `now`, which is rounded down to the minute."""
    instant = now.replace(second=0, microsecond=0)
    messages = scripts()
    by_name = {message.name: message for message in messages}
    rendered = [render(_dated(message, instant), by_name, instant) for message in messages]
    return rendered + broken_messages(instant)


def _dated(message: Scripted, instant: datetime) -> Scripted:
    date = instant - timedelta(seconds=message.age_s)
    message.subject = fill(message.subject, date)
    message.text = fill(message.text, date)
    message.html = fill(message.html, date)
    message.ics = fill(message.ics, date)
    return message


def write_sample(folder: Path, *, now: float, zone: tzinfo = UTC) -> int:
    """Write the Maildir into `folder` (created if missing); return the number of messages.

    Args:
        folder: An empty or missing folder.
        now: Epoch seconds to which all dates are relative, adjusted by `in_the_day`.
        zone: The time zone of its people.
    """
    messages = sample_messages(datetime.fromtimestamp(in_the_day(now, zone), UTC).astimezone(zone))
    for name in FOLDERS.values():
        for part in ("cur", "new", "tmp"):
            ensure_private_directory(folder / name / part)
    for message in messages:
        unread = "new" if not message.flags else "cur"
        suffix = f":2,{message.flags}" if message.flags else ""
        digest = hashlib.blake2b(message.name.encode(), digest_size=6).hexdigest()
        path = folder / FOLDERS[message.folder] / unread / f"{digest}.{message.name}.sample{suffix}"
        write_new_private(path, message.raw)
    return len(messages)
