"""A thread summed up, as lines for a terminal. Entry: `print_summary`."""

from __future__ import annotations

from rich.text import Text

from gaia_email.interfaces.cli.card import one_line
from gaia_email.interfaces.cli.output import console
from gaia_email.services.source import SourceSpec
from gaia_email.triage.summary import ThreadSummary

MADE_BY = {
    "model": "By the language model you chose; each name, number and date stands in the message named beside it.",
    "T0": "Lines taken out of the messages themselves (T0); no model wrote any of it.",
}


def print_summary(found: ThreadSummary, source: SourceSpec) -> None:
    """The same for a person."""
    out = console()
    newest = found.thread[-1]
    out.print(Text(one_line(newest["subject"]) or "(no subject)", style="bold"), soft_wrap=True)
    for line in found.lines:
        sender = line.summary["from"]
        text = Text(f"• {one_line(line.text)}")
        text.append(f"  {one_line(sender['name'] or sender['address'])}, {line.summary['id']}", style="dim")
        out.print(text, soft_wrap=True)
    out.print(Text(MADE_BY[found.made_by], style="dim"), soft_wrap=True)
    if found.said:
        out.print(Text(one_line(found.said), style="yellow"), soft_wrap=True)
    if found.dropped:
        out.print(Text(f"{found.dropped:,} of its sentences did not hold and are not shown.", style="yellow"))
    if found.withheld:
        said = f"{found.withheld:,} messages are left out: suspect or protected."
        out.print(Text(said, style="yellow"))
    command = f"gaia email show {newest['id']} {source.flags}".rstrip()
    out.print(Text(f"Next: {command}", style="bold"), soft_wrap=True)
