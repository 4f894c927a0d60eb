"""The brief as lines for a terminal. Entry: `print_brief`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app.documents.brief_text import (
    BUCKETS,
    count,
    coverage,
    event_notes,
    heading,
    people_of,
    waits,
    when,
    zone_of,
)
from gaia_email.interfaces.cli.card import MAX_WIDTH, clipped, one_line
from gaia_email.interfaces.cli.output import console, note
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.documents.brief import BriefDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_brief(document: BriefDocument, answer: OperationAnswer) -> None:
    """Mail, calendar, follow-ups, one line a thing."""
    for problem in document["problems"]:
        note(problem)
    out = console()
    width = min(out.width, MAX_WIDTH)

    def put(text: Text) -> None:
        text.truncate(width, overflow="ellipsis")
        out.print(text, no_wrap=True, overflow="ignore", crop=False)

    put(Text(heading(document), style="bold").append(f"  {coverage(document)}", style="dim not bold"))
    for name, (emoji, title) in BUCKETS.items():
        section = document["email"][name]
        if section["threads"]:
            put(Text(f"\n{emoji} {title} {count(section)}", style="bold"))
        for row in section["rows"]:
            line = Text("  ").append(clipped(one_line(row["sender"]), 22), style="bold")
            line.append(f" · {one_line(row['subject'])}").append(f"  {visible(row['id'])}", style="dim")
            put(line)
    put(Text("\nCalendar", style="bold"))
    for event in document["events"]:
        line = Text(f"  {when(event, zone_of(document)):14} {one_line(event['title'])}")
        put(line.append(f"  {event_notes(event)}", style="dim"))
    if not document["events"]:
        put(Text("  no events", style="dim"))
    sides = (
        ("You owe", document["owe_total"], document["owe"]),
        ("They owe", document["owed_total"], document["owed"]),
    )
    for title, total, rows in sides:
        put(Text(f"\n{title} {total}", style="bold"))
        for one in rows:
            line = Text("  ").append(clipped(people_of(one), 22), style="bold")
            line.append(f" · {one_line(one['subject'])}  ")
            put(line.append(waits(one), style="red" if one["due"] else "dim"))
    if document["archived_total"]:
        put(Text(f"\nArchived {document['archived_total']}", style="bold"))
        for archived in document["archived"]:
            put(Text(f"  {one_line(archived['subject'] or archived['id'])}", style="dim"))
    line = Text("\nnext  ", style="dim")
    put(line.append(f"gaia email followups {answer.source}".rstrip(), style="bold"))
