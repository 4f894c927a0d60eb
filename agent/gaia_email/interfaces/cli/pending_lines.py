"""Waiting questions as terminal lines. Entry: `confirmation_lines`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.app.documents.pending import person_of
from gaia_email.interfaces.cli.asked_lines import quote_untrusted, visible_person
from gaia_email.interfaces.cli.output import SHORT
from gaia_email_registry.clock import now as clock_now
from gaia_mail.asking.text import BAR, person_lines
from gaia_mail.printable import visible_block

if TYPE_CHECKING:
    from gaia_email.app.documents.pending_types import ConfirmationRow


MOST_LINES = 120
"""Maximum lines of a server's question shown at once; the rest are counted, and shown on request."""


def confirmation_lines(row: ConfirmationRow, *, now: float | None = None, whole: bool = False) -> list[str]:
    """Return the lines of a call that needs a yes.

    They contain the proposed action or question, the recipients, the content, the reason, and the remaining time. A
    server's question is cut to `MOST_LINES`, unless `whole`.
    """
    left = max(
        0.0, datetime.fromisoformat(row["expires_at"]).timestamp() - (clock_now() if now is None else now)
    )
    head = [row["tool"], one_line(row["account"])]
    if row["server"]:
        return _server_lines(row, head, left, whole=whole)
    lines = [f"⏳ {one_line(row['text'])}"]
    lines.append(_under(row, [*head, f"good for {left / 60:.0f} more minutes"]))
    for one in row["recipients"]:
        person = visible_person(person_of(one))
        lines += [f"   {line}" for line in person_lines(person.field, person)]
    lines.append(f"   {one_line(row['origin']['text'])}")
    told = [("subject", row["subject"]), ("why", row["why"])]
    for name, values in (("file", row["files"]), ("message", row["messages"]), ("from", row["senders"])):
        told += [(name, value) for value in values]
    lines += [f"   {name}: {one_line(value)}" for name, value in told if value]
    lines += [f"   {BAR}{one_line(line)}" for line in row["details"]]
    lines += quote_untrusted("", row["body"], "   ")
    lines += quote_untrusted("   formatted version, as text", row["html_text"], "   ")
    return lines + quote_untrusted("   hidden in the formatted version", "\n".join(row["hidden"]), "   ")


def _server_lines(row: ConfirmationRow, head: list[str], left: float, *, whole: bool) -> list[str]:
    rest = row["body"]
    shown = [f"   {line}".rstrip() for line in visible_block(rest).split("\n") if rest]
    more = 0 if whole else len(shown) - MOST_LINES
    about = [
        *map(one_line, head),
        f"asked by {one_line(row['server'])}",
        f"waits {left / 3600:.0f} more hours",
    ]
    return [
        f"⏳ {one_line(row['text'])}",
        _under(row, about),
        f"   {one_line(row['origin']['text'])}",
        *(shown if more <= 0 else shown[:MOST_LINES]),
        *([f"   [{more:,} more lines: `gaia email review` shows all of it with v]"] if more > 0 else []),
    ]


def _under(row: ConfirmationRow, about: list[str]) -> str:
    return f"   {row['id'][:SHORT]}  confirmation · {' · '.join(about)}"
