"""What the doctor found, as lines for a terminal. Entry: `print_findings`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.output import console

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_findings(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A line a finding, and below what is wrong the command that mends it."""
    out = console()
    for one in document["findings"]:
        mark, style = ("ok   ", "green") if one["ok"] else ("wrong", "bold red")
        line = Text(mark, style=style).append(f"  {one_line(one['check'])}  ", style="bold")
        out.print(line.append(one_line(one["says"]), style="default"), soft_wrap=True)
        if one["mend"]:
            out.print(Text("       ").append(one_line(one["mend"]), style="yellow"), soft_wrap=True)
    wrong, total = document["wrong"], len(document["findings"])
    out.print(Text(f"{wrong} of {total} to mend" if wrong else "nothing to mend", style="dim"))
