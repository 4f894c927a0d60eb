"""Who owes whom, as lines for a terminal. Entries: `print_followups`, `print_said`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app.documents.brief_parts import LONG_OVERDUE, is_long_overdue, usually
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.card import MAX_WIDTH, clipped
from gaia_email.interfaces.cli.commands.followups import limits
from gaia_email.interfaces.cli.output import console, note
from gaia_email.interfaces.cli.typed_command import typed
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.documents.followups import FollowupDocument, FollowupRow, FollowupsDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

SENDER = 24
_HEADINGS = {"you": "You owe", "they": "They owe"}


def print_followups(document: FollowupsDocument, answer: OperationAnswer) -> None:
    """Two sides, two lines a thread, what is due first."""
    for said in (*document["problems"], *limits(document)):
        note(said)
    out = console()
    width = min(out.width, MAX_WIDTH)
    rows_in_order = sorted(document["followups"], key=is_long_overdue)
    by_side = {owes: [row for row in rows_in_order if row["owes"] == owes] for owes in _HEADINGS}
    shown = [row for rows in by_side.values() for row in rows]
    is_numbered = answer.number_rows([(row["account"], row["id"]) for row in shown])
    number = 0
    for owes, heading in _HEADINGS.items():
        rows = by_side[owes]
        if not rows:
            continue
        old = sum(map(is_long_overdue, rows))
        for at, row in enumerate(rows):
            if at == 0 and old < len(rows):
                out.print(Text(f"{heading} {len(rows) - old}", style="bold"))
            if at == len(rows) - old:
                out.print(Text(f"{heading}, {LONG_OVERDUE}: {old}", style="bold"))
            number += 1
            for line in lines(row, width, number if is_numbered else None):
                out.print(line, no_wrap=True, overflow="ignore", crop=False)
    counts = f"{document['threads']:,} threads followed, {document['settled']:,} settled"
    if document["waiting"]:
        counts += f", {document['waiting']:,} put off"
    out.print(Text(counts, style="dim"))
    if document["followups"]:
        line = Text("\nnext  ", style="dim")
        line.append(
            typed(f"gaia email followups {answer.source} --dismiss ID".replace("  ", " ")), style="bold"
        )
        out.print(line, no_wrap=True, overflow="ignore", crop=False)


def lines(row: FollowupRow, width: int, number: int | None = None) -> list[Text]:
    """Who and what; the sentence that shows it and the id; and what to do where the user is slower than usual."""
    who = ", ".join(one["name"] or one["address"] for one in row["people"]) or "(nobody named)"
    when = "" if is_long_overdue(row) else waited(row)
    head = Text("  " if number is None else f"{number:>3} ").append(
        clipped(one_line(who), SENDER), style="bold"
    )
    subject = one_line(row["subject"]) or "(no subject)"
    head.append(f" · {clipped(subject, max(10, width - head.cell_len - len(when) - 6))}")
    head.append(" " * max(2, width - head.cell_len - len(when)))
    head.append(when, style="bold red" if row["due"] else "dim")
    identity = visible(row["id"])
    body = Text("    ").append(clipped(one_line(row["why"]), max(20, width - 8 - len(identity))), style="dim")
    body.append(f"  {identity}", style="dim")
    if not row["late"]:
        return [head, body]
    return [head, body, Text(f"    {usually(row)}: {typed('gaia email draft')} {identity}")]


def waited(row: FollowupRow) -> str:
    """How long it has waited, and until when it should come."""
    told = (
        "less than a working day"
        if not row["days"]
        else f"{row['days']} working day{'s' if row['days'] > 1 else ''}"
    )
    if row["until"] is None:
        return told
    day = datetime.fromisoformat(row["until"]).astimezone().strftime("%a %d %b")
    return f"{told}, by {day}"


def print_said(document: FollowupDocument, answer: OperationAnswer) -> None:
    """How the thread stands now."""
    words = {"you": "you owe", "they": "they owe", "done": "settled", "nothing": "nothing is owed"}
    told = "put off" if document["said"] == "waiting" else words[document["owes"]]
    console().print(Text(f"{told}: {one_line(document['subject'])}"))
