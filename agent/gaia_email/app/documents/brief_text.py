"""A brief as text: Markdown, HTML, for a printer, to be read aloud. Entry: `brief_text`.

Words of strangers are shown as they stand: whatever means something in the form is escaped, control and direction
characters are made visible, and no link or image of theirs is in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from html import escape
from typing import Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo

from gaia_email.app.documents.brief import BriefDocument, BriefEvent, BriefSection
from gaia_email.app.documents.card import SectionName
from gaia_email.app.documents.followups import FollowupRow
from gaia_mail.printable import visible

BriefForm: TypeAlias = Literal["markdown", "html", "print", "speech"]
FORMS: tuple[BriefForm, ...] = get_args(BriefForm)

BUCKETS: Mapping[SectionName, tuple[str, str]] = {
    "urgent": ("🔥", "Urgent"),
    "actionable": ("📬", "Needs you"),
    "informational": ("ℹ️", "Worth knowing"),
    "suspicious": ("⚠️", "Suspicious"),
    "low_priority": ("🗃️", "Low priority"),
}
"""Emoji and heading of each bucket, and of what looks like fraud."""

WIDTH = 78
SPOKEN_WORDS, SPOKEN_ROWS = 8, 3
"""Words of a title that are read aloud, and titles of a bucket."""

_MARKED = re.compile(r"([\\`*_{}\[\]()<>#+.!|~&-])")


def brief_text(document: BriefDocument, form: BriefForm) -> str:
    """The brief in a form; it ends with a line end."""
    render: Mapping[BriefForm, Callable[[BriefDocument], str]] = {
        "markdown": _markdown,
        "html": _html,
        "print": _plain,
        "speech": _speech,
    }
    return render[form](document)


def heading(document: BriefDocument) -> str:
    """`Morning brief, Monday 30 November 2026`."""
    day = date.fromisoformat(document["date"])
    return f"{document['kind'].capitalize()} brief, {day:%A} {day.day} {day:%B %Y}"


def count(section: BriefSection) -> str:
    """How many threads, and how many of them are not named."""
    more = section["threads"] - section["shown"]
    return f"{section['threads']}" + (f", {section['shown']} shown" if more and section["shown"] else "")


def when(event: BriefEvent, zone: tzinfo) -> str:
    """The hours of an event by the owner's clock."""
    if event["all_day"]:
        return "all day"
    start, end = (datetime.fromisoformat(event[side]).astimezone(zone) for side in ("start", "end"))
    return f"{start:%H:%M}" if start == end else f"{start:%H:%M} to {end:%H:%M}"


def zone_of(document: BriefDocument) -> tzinfo:
    """The zone that a brief was made in."""
    try:
        return ZoneInfo(document["zone"])
    except (KeyError, ValueError, OSError):
        made = datetime.fromisoformat(document["made_at"])
        match = re.fullmatch(r"UTC([+-])(\d\d):(\d\d)", document["zone"])
        if match is None:
            return made.tzinfo or UTC
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(-offset if match[1] == "-" else offset)


def line_of(text: str) -> str:
    """Text of a stranger as one visible line."""
    return visible(" ".join(text.split()))


def people_of(row: FollowupRow) -> str:
    """Who is on the other side of a thread."""
    return ", ".join(line_of(one["name"] or one["address"]) for one in row["people"][:3]) or "somebody"


def event_notes(event: BriefEvent) -> str:
    """Where, with how many, and whether an answer is open."""
    notes = [line_of(event["location"])] if event["location"] else []
    if event["people"]:
        notes.append(f"with {event['people']} other{'s' if event['people'] > 1 else ''}")
    if event["response"] == "needs-action":
        notes.append("not answered yet")
    return ", ".join(notes)


def waits(row: FollowupRow) -> str:
    """Since how long, and until when."""
    days = row["days"]
    told = "since today" if not days else f"for {days} working day{'s' if days > 1 else ''}"
    due = f", due {row['until'][:10]}" if row["until"] else ""
    return f"{told}{due}{' (overdue)' if row['due'] else ''}"


def coverage(document: BriefDocument) -> str:
    """What was looked at, what is unsure, what could not be read."""
    told = f"{document['messages']:,} messages in {document['threads']:,} threads"
    told += f", unsure about {document['unsure']:,}"
    return told + (f", {document['unreadable']:,} could not be read" if document["unreadable"] else "")


def _markdown(document: BriefDocument) -> str:
    def shown(text: str) -> str:
        return _MARKED.sub(r"\\\1", line_of(text))

    lines = [f"# {heading(document)}", "", f"{coverage(document)}.", "", "## Email", ""]
    for name, (emoji, title) in BUCKETS.items():
        section = document["email"][name]
        if not section["threads"]:
            continue
        lines.append(f"**{emoji} {title}** ({count(section)})")
        lines += [
            f"- **{shown(row['sender'])}**: {shown(row['subject'])}. {shown(row['line'])}"
            for row in section["rows"]
        ]
        lines.append("")
    lines += ["## Calendar", ""]
    zone = zone_of(document)
    for event in document["events"]:
        notes = event_notes(event)
        lines.append(f"- {when(event, zone)}: {shown(event['title'])}{f' ({shown(notes)})' if notes else ''}")
    lines += ["No events.", ""] if not document["events"] else [""]
    lines += ["## Follow-ups", ""]
    for title, total, rows in _sides(document):
        if total:
            lines.append(f"**{title}** ({total})")
            lines += [
                f"- **{shown(people_of(row))}**: {shown(row['subject'])}, {waits(row)}. {shown(row['why'])}"
                for row in rows
            ]
            lines.append("")
    if not document["owe_total"] + document["owed_total"]:
        lines += ["Nothing is owed.", ""]
    if document["archived"]:
        lines += [f"## Archived ({document['archived_total']})", ""]
        lines += [
            f"- {shown(row['subject'] or row['id'])}: {shown(row['why'])}" for row in document["archived"]
        ]
        lines.append("")
    lines += [f"> {shown(problem)}" for problem in document["problems"]]
    return "\n".join(lines).rstrip() + "\n"


def _sides(document: BriefDocument) -> tuple[tuple[str, int, list[FollowupRow]], ...]:
    return (
        ("You owe", document["owe_total"], document["owe"]),
        ("They owe", document["owed_total"], document["owed"]),
    )


def _plain(document: BriefDocument) -> str:
    """For a printer: no emoji, no marks, lines of one page's width."""
    lines = [heading(document), "=" * len(heading(document)), coverage(document), ""]

    def put(text: str, indent: str = "  ") -> None:
        lines.append((indent + line_of(text))[:WIDTH])

    for name, (_, title) in BUCKETS.items():
        section = document["email"][name]
        if section["threads"]:
            lines.append(f"{title} ({count(section)})")
            for row in section["rows"]:
                put(f"[ ] {row['sender']}: {row['subject']}")
                put(row["line"], "      ")
    lines += ["", "Calendar"]
    zone = zone_of(document)
    for event in document["events"]:
        notes = event_notes(event)
        put(f"{when(event, zone):14} {event['title']}{f' ({notes})' if notes else ''}")
    if not document["events"]:
        put("No events.")
    for title, total, rows in _sides(document):
        lines += ["", f"{title} ({total})"]
        for one in rows:
            put(f"[ ] {people_of(one)}: {one['subject']}")
            put(waits(one), "      ")
    if document["archived"]:
        lines += ["", f"Archived ({document['archived_total']})"]
        for archived in document["archived"]:
            put(archived["subject"] or archived["id"])
    for problem in document["problems"]:
        put(problem, "")
    return "\n".join(lines) + "\n"


def _html(document: BriefDocument) -> str:
    """A page without script, style from elsewhere, link or image."""

    def shown(text: str) -> str:
        return escape(line_of(text))

    parts = [f"<h1>{shown(heading(document))}</h1>", f"<p>{shown(coverage(document))}.</p>", "<h2>Email</h2>"]
    for name, (emoji, title) in BUCKETS.items():
        section = document["email"][name]
        if section["threads"]:
            items = "".join(
                f"<li><strong>{shown(row['sender'])}</strong>: {shown(row['subject'])}<br>{shown(row['line'])}</li>"
                for row in section["rows"]
            )
            parts.append(f"<h3>{emoji} {title} ({count(section)})</h3><ul>{items}</ul>")
    zone = zone_of(document)
    events = "".join(
        f"<li>{shown(when(one, zone))}: <strong>{shown(one['title'])}</strong> {shown(event_notes(one))}</li>"
        for one in document["events"]
    )
    parts += ["<h2>Calendar</h2>", f"<ul>{events}</ul>" if events else "<p>No events.</p>"]
    parts.append("<h2>Follow-ups</h2>")
    for title, total, rows in _sides(document):
        items = "".join(
            f"<li><strong>{shown(people_of(row))}</strong>: {shown(row['subject'])}, {shown(waits(row))}<br>"
            f"{shown(row['why'])}</li>"
            for row in rows
        )
        parts.append(f"<h3>{title} ({total})</h3><ul>{items}</ul>" if total else f"<p>{title}: nothing.</p>")
    if document["archived"]:
        items = "".join(
            f"<li>{shown(row['subject'] or row['id'])}: {shown(row['why'])}</li>"
            for row in document["archived"]
        )
        parts.append(f"<h2>Archived ({document['archived_total']})</h2><ul>{items}</ul>")
    parts += [f"<p>{shown(problem)}</p>" for problem in document["problems"]]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
        f"<title>{shown(heading(document))}</title></head><body>\n{body}\n</body></html>\n"
    )


def _speech(document: BriefDocument) -> str:
    """Sentences: buckets as words, short titles, no ids."""

    def title(text: str) -> str:
        words = re.sub(r"[^\w\s'’.,?!-]+", " ", line_of(text)).split()
        return " ".join(words[:SPOKEN_WORDS]) or "no subject"

    lines = [f"{heading(document)}."]
    for name, (_, words) in BUCKETS.items():
        section = document["email"][name]
        if section["threads"]:
            threads = f"{section['threads']} thread{'s' if section['threads'] > 1 else ''}"
            lines.append(f"{words}: {threads}.")
            lines += [
                f"{title(row['sender'])}: {title(row['subject'])}."
                for row in section["rows"][:SPOKEN_ROWS]
                if name in ("urgent", "actionable")
            ]
    zone = zone_of(document)
    lines += [f"{when(one, zone)}: {title(one['title'])}." for one in document["events"]]
    if not document["events"]:
        lines.append("No events.")
    for words, total, rows in _sides(document):
        if total:
            lines.append(f"{words} {total}.")
            lines += [f"{title(people_of(row))}: {title(row['subject'])}." for row in rows[:SPOKEN_ROWS]]
    return "\n".join(lines) + "\n"
