"""What to know before meetings, as lines for a terminal. Entry: `print_meetings`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.card import MAX_WIDTH
from gaia_email.interfaces.cli.followups_card import lines
from gaia_email.interfaces.cli.output import console, note
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.documents.meeting_prep import PrepDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_meetings(document: PrepDocument, answer: OperationAnswer) -> None:
    """A meeting after the other: people, threads, what is open each way."""
    for problem in document["problems"]:
        note(problem)
    out = console()
    width = min(out.width, MAX_WIDTH)

    def put(text: Text) -> None:
        text.truncate(width, overflow="ellipsis")
        out.print(text, no_wrap=True, overflow="ignore", crop=False)

    for meeting in document["meetings"]:
        start = datetime.fromisoformat(meeting["start"]).astimezone()
        place = f" · {one_line(meeting['location'])}" if meeting["location"] else ""
        put(Text(f"{start:%a %H:%M} {one_line(meeting['title'])}{place}", style="bold"))
        who = ", ".join(one_line(one["name"] or one["address"]) for one in meeting["who"])
        put(Text(f"  with {who or 'nobody known'}"))
        for thread in meeting["threads"]:
            line = Text(f"  {one_line(thread['sender'])} · {one_line(thread['subject'])}", style="dim")
            put(line.append(f"  {visible(thread['id'])}{'  📎' if thread['has_files'] else ''}"))
        for heading, rows in (("  you owe", meeting["owe"]), ("  they owe", meeting["owed"])):
            if rows:
                put(Text(heading, style="bold"))
            for row in rows:
                for line in lines(row, width - 2):
                    put(Text("  ").append_text(line))
    if not document["meetings"]:
        put(Text("no meetings", style="dim"))
