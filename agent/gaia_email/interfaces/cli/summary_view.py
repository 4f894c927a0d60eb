"""A thread summed up, as lines for a terminal. Entry: `print_summary`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.typed_command import typed

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

MADE_BY = {
    "model": "By the language model you chose; each name, number and date stands in the message named beside it.",
    "T0": "Lines taken out of the messages themselves (T0); no model wrote any of it.",
}


def print_summary(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The same for a person."""
    out = console()
    out.print(Text(one_line(document["subject"]) or "(no subject)", style="bold"), soft_wrap=True)
    for line in document["lines"]:
        sender = line["from"]
        text = Text(f"• {one_line(line['text'])}")
        text.append(f"  {one_line(sender['name'] or sender['address'])}, {line['message']}", style="dim")
        out.print(text, soft_wrap=True)
    out.print(Text(MADE_BY[document["made_by"]], style="dim"), soft_wrap=True)
    if document["said"]:
        out.print(Text(one_line(document["said"]), style="yellow"), soft_wrap=True)
    if document["dropped"]:
        out.print(
            Text(f"{document['dropped']:,} of its sentences did not hold and are not shown.", style="yellow")
        )
    for one in document["warned"]:
        sender = one["from"]
        who = f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"]
        looks = f"⚠ {one_line(who)} looks like {' and '.join(one['warnings'])} ({one['id']})"
        out.print(Text(looks, style="bold red"), soft_wrap=True)
    if document["withheld"]:
        said = f"{document['withheld']:,} messages are left out: suspect or protected."
        out.print(Text(said, style="yellow"))
    command = typed(f"gaia email show {document['newest']} {answer.source}".rstrip())
    out.print(Text(f"Next: {command}", style="bold"), soft_wrap=True)
