"""Runs a search for the command line and prints what it found. Entry point: `run_search`."""

from __future__ import annotations

import sys
import time
from datetime import datetime
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.app import App
from gaia_email.documents.search import SEARCH_COLUMNS, hit_row, search_document
from gaia_email.interfaces.cli.card import clipped, one_line
from gaia_email.interfaces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.interfaces.cli.terminal import age
from gaia_email.services.opening import account_of
from gaia_email.services.searching import SearchRequest, search_mail
from gaia_email.services.source import SourceSpec
from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.ledger.search import SearchHit
    from gaia_email.mailbox.search import MailSearchResult

WIDTH = 110
SENDER = 24


def run_search(
    app: App, source: SourceSpec, asked: SearchRequest, *, form: OutputFormat, fields: list[str]
) -> None:
    """Search and print.

    Raises:
        MailError: The query cannot be read, or there is neither a mailbox nor a copy of it.
    """
    answer = search_mail(app, source, asked, progress=_progress)
    _tell(answer, asked)
    if form == "card":
        _print(answer, source)
        return
    rows = [hit_row(hit) for hit in answer.found.hits]
    document = search_document(
        answer,
        rows,
        query=asked.query,
        newest=asked.newest,
        offline=asked.offline,
        account=account_of(app, source),
    )
    write_rows(document, rows, SEARCH_COLUMNS, form, fields)


def _progress(done: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\rcopied {done:,} messages" if done >= 500 else "\r\x1b[K")
        sys.stderr.flush()


def _tell(answer: MailSearchResult, asked: SearchRequest) -> None:
    found = answer.found
    if answer.problem:
        when = "an unfinished copy" if answer.as_of is None else f"the copy of {_local(answer.as_of)}"
        note(f"{answer.problem} This is from {when} on this machine.")
    if answer.headers_only:
        note(
            f"Of {answer.headers_only:,} messages only the headers are on this machine; "
            "the next search that reaches the mailbox reads their text."
        )
    if found.total > len(found.hits):
        total = f"{found.total:,}" if found.exact else f"more than {found.total - 1:,}"
        note(f"showing {len(found.hits):,} of {total}; --limit shows more")


def _local(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")


def _print(answer: MailSearchResult, source: SourceSpec) -> None:
    out = console()
    width = min(out.width, WIDTH)
    now = time.time()
    for hit in answer.found.hits:
        for line in _lines(hit, now, width):
            out.print(line, no_wrap=True, overflow="ignore", crop=False)
    if not answer.found.hits:
        out.print(Text(f"nothing found in {answer.messages:,} messages", style="dim"))
        return
    line = Text("\nnext  ", style="dim")
    line.append(f"gaia email show ID {source.flags}".rstrip(), style="bold")
    out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _lines(hit: SearchHit, now: float, width: int) -> list[Text]:
    message = hit.message
    name = clipped(one_line(message.sender_name or message.sender) or "(no sender)", SENDER)
    when = age(None if message.date is None else now - message.date)
    head = Text(name, style="bold")
    subject = one_line(message.subject) or "(no subject)"
    head.append(
        f" · {clipped(subject, max(10, width - head.cell_len - len(when) - 6))}", style="default not bold"
    )
    head.append(" " * max(2, width - head.cell_len - len(when)))
    head.append(when, style="dim")
    body = Text("  ")
    room = max(20, width - 4 - len(message.message_id))
    body.append_text(_marked(hit, room))
    body.append(f"  {visible(message.message_id)}", style="dim")
    return [head, body]


def _marked(hit: SearchHit, room: int) -> Text:
    """The excerpt, its words in bold; each piece is made visible by itself, so that marks stay where they are."""
    text = Text("", style="dim")
    end = 0
    for start, stop in hit.excerpt.marks:
        text.append(visible(hit.excerpt.text[end:start]))
        text.append(visible(hit.excerpt.text[start:stop]), style="bold not dim")
        end = stop
    text.append(visible(hit.excerpt.text[end:]))
    text.truncate(room, overflow="ellipsis")
    return text
