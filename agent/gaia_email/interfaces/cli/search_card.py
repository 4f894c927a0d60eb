"""Search results as terminal lines. Entry: `print_hits`."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from gaia_email.app.documents.cards.wording import age, one_line
from gaia_email.interfaces.cli.card import clip
from gaia_email.interfaces.cli.output import console, note
from gaia_email.interfaces.cli.typed_command import make_runnable
from gaia_email.interfaces.cli.views import limits
from gaia_email_registry.clock import utc_now
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

WIDTH = 110
SENDER = 24


def print_hits(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Print two lines per message, with the search words in bold."""
    for said in limits(document):
        note(said)
    out, now = console(), utc_now()
    is_numbered = answer.number_rows([("", hit["id"]) for hit in document["hits"]])
    for number, hit in enumerate(document["hits"], 1):
        for line in _lines(hit, number if is_numbered else None, now, min(out.width, WIDTH)):
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
    if not document["hits"]:
        out.print(Text(f"nothing found in {document['searched']:,} messages", style="dim"))
        return
    line = Text("\nnext  ", style="dim")
    command = "gaia email show 1" if is_numbered else f"gaia email show ID {answer.source}".rstrip()
    line.append(make_runnable(command), style="bold")
    out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _lines(hit: Mapping[str, Any], number: int | None, now: datetime, width: int) -> list[Text]:
    sender, date = hit["from"], hit["date"]
    name = clip(one_line(sender["name"] or sender["address"]) or "(no sender)", SENDER)
    when = age(None if date is None else (now - datetime.fromisoformat(date)).total_seconds())
    head = Text("" if number is None else f"{number:>3} ", style="dim").append(name, style="bold not dim")
    subject = one_line(hit["subject"]) or "(no subject)"
    head.append(
        f" · {clip(subject, max(10, width - head.cell_len - len(when) - 6))}",
        style="default not bold not dim",
    )
    head.append(" " * max(2, width - head.cell_len - len(when)))
    head.append(when, style="dim")
    body = Text("  ")
    room = max(20, width - 4 - len(hit["id"]))
    body.append_text(_marked(hit, room))
    body.append(f"  {visible(hit['id'])}", style="dim")
    return [head, body]


def _marked(hit: Mapping[str, Any], room: int) -> Text:
    """Return the excerpt with its search words in bold; each part is sanitized separately, so that marks still fit."""
    text = Text("", style="dim")
    end = 0
    for start, stop in hit["marks"]:
        text.append(visible(hit["snippet"][end:start]))
        text.append(visible(hit["snippet"][start:stop]), style="bold not dim")
        end = stop
    text.append(visible(hit["snippet"][end:]))
    text.truncate(room, overflow="ellipsis")
    return text
