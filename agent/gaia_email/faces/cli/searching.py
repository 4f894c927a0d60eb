"""Runs a search for the command line and prints what it found. Entry point: `run_search`."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.text import Text

from gaia_email.faces.cli.card import clipped, one_line
from gaia_email.faces.cli.options import Source
from gaia_email.faces.cli.output import OutputFormat, console, note, write_rows
from gaia_email.faces.cli.session import owner_of, with_mail
from gaia_email.faces.cli.terminal import age
from gaia_email.ledger import Ledger, open_ledger
from gaia_email.ledger.search import Hit
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.mailbox.search import Answer, Wanted, find
from gaia_email.mailbox.sync import Synced
from gaia_email.sample.mailbox import SAMPLE_OWNER
from gaia_email_registry.errors import NotFound
from gaia_mail.printable import visible

COLUMNS = ("id", "date", "from.address", "subject", "snippet")
WIDTH = 110
SENDER = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """What was asked for on the command line."""

    query: str
    limit: int
    newest: bool
    offline: bool


def account_of(source: Source) -> str:
    """What a source is called: the account's address, or where the files are."""
    if source.kind == "account":
        from gaia_email_registry.accounts import find_account

        return find_account(source.path, os.environ).address
    if source.kind == "demo":
        return SAMPLE_OWNER
    return source.place.key


def run_search(source: Source, asked: Search, *, form: OutputFormat, fields: list[str]) -> None:
    """Search and print.

    Raises:
        MailError: The query cannot be read, or there is neither a mailbox nor a copy of it.
    """
    if source.kind == "demo":
        with (
            tempfile.TemporaryDirectory(prefix="gaia-demo-") as folder,
            open_ledger(url=f"sqlite:///{Path(folder) / 'ledger.db'}") as ledger,
        ):
            answer = _find(ledger, source, asked)
    else:
        with open_ledger() as ledger:
            answer = _find(ledger, source, asked)
    _tell(answer, asked)
    if form == "card":
        _print(answer, source)
        return
    rows = [_row(hit) for hit in answer.found.hits]
    write_rows(_document(answer, asked, account_of(source), rows), rows, COLUMNS, form, fields)


def _find(ledger: Ledger, source: Source, asked: Search) -> Answer:
    account = account_of(source)
    wanted = Wanted(
        query=asked.query,
        account_id=account,
        me=owner_of(source),
        order="newest" if asked.newest else "best",
        limit=asked.limit,
    )

    async def follow(mail: MailClient) -> Synced:
        return await MailCopy(mail, ledger, account=account).follow(progress=_progress)

    def refresh() -> Synced:
        try:
            return with_mail(source, follow, now=time.time())
        finally:
            _progress(0)

    if asked.offline:
        with ledger.read() as tx:
            if not ledger.cache.count(tx, account):
                raise NotFound(
                    "There is no copy of this mail yet.", hint="repeat the search without --offline."
                )
    return find(ledger, wanted, None if asked.offline else refresh)


def _progress(done: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\rcopied {done:,} messages" if done >= 500 else "\r\x1b[K")
        sys.stderr.flush()


def _tell(answer: Answer, asked: Search) -> None:
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


def _iso(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def _document(
    answer: Answer, asked: Search, account: str, rows: list[dict[str, object]]
) -> dict[str, object]:
    return {
        "schema_version": 1,
        "account": account,
        "query": asked.query,
        "order": "newest" if asked.newest else "best",
        "shown": len(rows),
        "total": answer.found.total,
        "total_is_exact": answer.found.exact,
        "searched": answer.messages,
        "as_of": _iso(answer.as_of),
        "up_to_date": not answer.problem and not asked.offline,
        "problem": answer.problem or None,
        "hits": rows,
    }


def _row(hit: Hit) -> dict[str, object]:
    message = hit.message
    return {
        "id": message.message_id,
        "thread_id": message.thread_id,
        "message_id": message.header_message_id,
        "from": {"name": message.sender_name, "address": message.sender},
        "subject": message.subject,
        "date": _iso(message.date),
        "labels": list(message.labels),
        "unread": "UNREAD" in message.labels,
        "has_attachments": message.has_attachments,
        "snippet": hit.excerpt.text,
        "marks": [list(mark) for mark in hit.excerpt.marks],
        "score": round(hit.score, 4),
    }


def _print(answer: Answer, source: Source) -> None:
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


def _lines(hit: Hit, now: float, width: int) -> list[Text]:
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


def _marked(hit: Hit, room: int) -> Text:
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
