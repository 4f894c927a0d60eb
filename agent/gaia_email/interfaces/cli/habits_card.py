"""What a mailbox shows of its owner, as lines for a terminal. Entry: `print_habits`."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rich.text import Text

from gaia_email.app.documents.cards.wording import one_line
from gaia_email.interfaces.cli.card import MAX_WIDTH
from gaia_email.interfaces.cli.output import console

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

MARGIN = 14
"""Cells of the column that names what stands beside it."""

SHOWN = 5
"""People and lists that are named; the rest is counted."""


def print_habits(document: Mapping[str, Any], answer: OperationAnswer | None = None) -> None:
    """A line for each thing that was found, with the command that changes it."""
    out = console()
    for name, value, change in rows(document):
        room = max(20, min(out.width, MAX_WIDTH) - MARGIN)
        parts = [Text(part, style="default") for part in wrap(one_line(value), room)]
        if change:
            parts.append(Text(change, style="dim"))
        for number, part in enumerate(parts):
            margin = Text(f"{'' if number else name:>{MARGIN - 2}}  ", style="dim")
            out.print(margin.append_text(part), soft_wrap=True)


def rows(found: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Name, value, and the command that changes it; only what was found."""
    lines = [("messages", f"{found['messages']:,} in the last 90 days", "")]
    if found["name"]:
        lines.append(
            ("you", f"{found['name']}{_signed(found['signature'])}{_zone(found['zone_minutes'])}", "")
        )
    if found["languages"]:
        shares = ", ".join(f"{name} {share:.0%}" for name, share in found["languages"].items())
        lines.append(("you write", f"{shares}, as {found['exemplars']:,} of your messages show", ""))
    if found["answer_h"] is not None:
        lines.append(("you answer", f"usually within {_hours(found['answer_h'])}", ""))
    if found["people"]:
        named = ", ".join(map(_person, found["people"][:SHOWN]))
        lines.append(("close", named + _more(len(found["people"])), "gaia email vip add ADDRESS"))
    if found["newsletters"]:
        named = ", ".join(
            f"{one['name'] or one['address']} ({one['count']})" for one in found["newsletters"][:SHOWN]
        )
        lines.append(
            (
                "newsletters",
                named + _more(len(found["newsletters"])),
                "gaia email unsubscribe --sender ADDRESS",
            )
        )
    return lines


def _person(one: Mapping[str, Any]) -> str:
    return f"{one['name'] or one['address']} ({one['answered']} answered, within {_hours(one['answer_h'])})"


def _more(count: int) -> str:
    return f" and {count - SHOWN} more" if count > SHOWN else ""


def _signed(signature: str) -> str:
    return f', signs "{signature.splitlines()[0]}"' if signature else ""


def _zone(minutes: int | None) -> str:
    if minutes is None:
        return ""
    hours, rest = divmod(abs(minutes), 60)
    sign = "-" if minutes < 0 else "+"
    return f", at UTC{sign}{hours}{f':{rest:02}' if rest else ''}"


def _hours(hours: float) -> str:
    if hours < 1:
        return f"{max(1, round(hours * 60))} min"
    return f"{hours:.0f} h" if hours < 48 else f"{hours / 24:.0f} days"
