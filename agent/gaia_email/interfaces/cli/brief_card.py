"""The brief as terminal lines. Entry: `print_brief`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from gaia_email.app.documents.brief_parts import coverage, groups_of, heading
from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.card import MAX_WIDTH, SENDER_WIDTH, clip
from gaia_email.interfaces.cli.output import chosen_format, console, note
from gaia_email.interfaces.cli.typed_command import make_runnable
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.app.documents.brief import BriefDocument
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

UNCUT = 1_000
"""Width in cells of a line in a pipe, in which nothing is cut."""

LEAST_TEXT = 20
"""Minimum cells for a line's subject next to its note and id."""


def print_brief(document: BriefDocument, answer: OperationAnswer, out: Console | None = None) -> None:
    """Print mail, calendar and follow-ups, one line per item."""
    if out is None:
        for problem in document["problems"]:
            note(problem)
    width = min(out.width, MAX_WIDTH) if out else UNCUT
    if out is None and chosen_format(as_json=False, as_jsonl=False) == "card":
        width = min(console().width, MAX_WIDTH)
    out = out or console()

    def put(text: Text) -> None:
        text.truncate(width, overflow="ellipsis")
        out.print(text, no_wrap=True, overflow="ignore", crop=False)

    put(Text(heading(document), style="bold").append(f"  {coverage(document)}", style="dim not bold"))
    draft, number = "", 0
    ids = [one.id for group in groups_of(document) for part in group.parts for one in part.lines if one.id]
    is_numbered = answer.number_rows([("", id_) for id_ in ids])
    for group in groups_of(document):
        for part in group.parts:
            put(Text("\n" + f"{part.emoji} {part.title} {part.count}".strip(), style="bold"))
            for one in part.lines:
                number += bool(one.id)
                margin = f"{number:>3} " if one.id and is_numbered else "  "
                line = Text(margin).append(clip(one_line(one.lead), SENDER_WIDTH), style="bold")
                tail = Text(f"  {one_line(one.note)}" if one.note else "", style="red" if one.due else "dim")
                tail.append(f"  {visible(one.id)}" if one.id else "", style="dim")
                left = max(LEAST_TEXT, width - line.cell_len - tail.cell_len - len(" · "))
                put(line.append(f" · {clip(one_line(one.text), left)}").append_text(tail))
                draft = draft or (one.id if one.draft else "")
        if not group.parts:
            put(Text(f"\n{group.empty}", style="dim"))
    command = f"gaia email draft {visible(draft)}" if draft else "gaia email followups"
    put(
        Text("\nnext  ", style="dim").append(
            make_runnable(f"{command} {answer.source}".rstrip()), style="bold"
        )
    )
