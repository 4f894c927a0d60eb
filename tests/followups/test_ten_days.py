"""Ten days, written down with what a person would want in the brief of each: nothing missing, nothing twice."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from email.utils import parseaddr
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app import App
from gaia_email.app.documents.brief import BriefDocument, brief_document
from gaia_email.app.services.brief import make_brief
from gaia_mail.subjects import base_subject
from tests.followups.mailbox import ME, NOW, Mailbox

DAYS = sorted(Path(__file__).with_name("days").glob("*.toml"))
AUTO = {"Auto-Submitted": "auto-generated", "Precedence": "bulk"}


def ics(invite: str, zone: str) -> str:
    uid, method, start, end, title, place = (part.strip() for part in invite.split("|"))

    def at(name: str, text: str) -> str:
        plain = text.replace("-", "").replace(":", "")
        return f"{name};TZID={zone}:{plain}00" if "T" in text else f"{name};VALUE=DATE:{plain}"

    lines = (
        *("BEGIN:VCALENDAR", "VERSION:2.0", f"METHOD:{method}", "BEGIN:VEVENT", f"UID:{uid}"),
        *(at("DTSTART", start), at("DTEND", end), f"SUMMARY:{title}", f"LOCATION:{place}"),
        *("END:VEVENT", "END:VCALENDAR", ""),
    )
    return "\r\n".join(lines)


def filled(mailbox: Mailbox, day: Mapping[str, Any]) -> datetime:
    """The mailbox of a day; its moment."""
    now: datetime = day["now"]
    until = (NOW - now).total_seconds() / 86_400
    keys: dict[str, str] = {}
    for mail in day["mail"]:
        more = dict(AUTO) if mail.get("auto") else {}
        more |= {"Cc": mail["cc"]} if "cc" in mail else {}
        if mail.get("list"):
            host = parseaddr(mail["from"])[1].partition("@")[2]
            more |= {"List-Id": f"<list.{host}>", "List-Unsubscribe": f"<https://{host}/off>"}
        keys[mail["key"]] = mailbox.put(
            mail["text"].strip(),
            days=until + mail["days"],
            sender=mail["from"],
            to=mail.get("to", ME),
            subject=mail["subject"],
            answers=keys.get(mail.get("answers", ""), ""),
            folder=mail.get("folder", ""),
            more=more,
            calendar=ics(mail["invite"], day["zone"]) if "invite" in mail else "",
        )
    return now


def told(brief: BriefDocument) -> dict[str, list[str]]:
    """What the brief names, by what it says of it."""
    rows = {name: section["rows"] for name, section in brief["email"].items()}
    inside = [row["followup"] for some in rows.values() for row in some if row["followup"]]
    followups = [*inside, *brief["owe"], *brief["owed"]]
    return {
        "events": [one["title"] for one in brief["events"]],
        "owe": sorted(_base(one["subject"]) for one in followups if one["owes"] == "you"),
        "owed": sorted(_base(one["subject"]) for one in followups if one["owes"] == "they"),
        "needs": [_base(row["subject"]) for name in ("urgent", "actionable") for row in rows[name]],
    }


def _base(subject: str) -> str:
    return base_subject(subject)[0]


@pytest.mark.parametrize("path", DAYS, ids=lambda path: path.stem)
def test_a_brief_names_what_a_person_would_want_and_nothing_twice(mailbox: Mailbox, path: Path) -> None:
    day = tomllib.loads(path.read_text(encoding="utf-8"))
    now, want = filled(mailbox, day), day["want"]
    app = App(environ={"TZ": day["zone"]}, clock=now.timestamp)
    brief = brief_document(make_brief(app, [mailbox.source]))
    found = told(brief)
    assert found["events"] == want["events"]
    assert found["owe"] == sorted(map(_base, want["owe"]))
    assert found["owed"] == sorted(map(_base, want["owed"]))
    assert set(map(_base, want["needs"])) <= set(found["needs"])
    loud = {*found["needs"], *found["owe"], *found["owed"]}
    assert loud & set(map(_base, want["quiet"])) == set(map(_base, want.get("otherwise", ())))
    rows = [row["id"] for section in brief["email"].values() for row in section["rows"]]
    rows += [one["id"] for one in (*brief["events"], *brief["owe"], *brief["owed"])]
    threads = Counter(rows)
    assert threads.most_common(1)[0][1] == 1 and not brief["problems"]


def test_there_are_ten() -> None:
    assert len(DAYS) == 10
