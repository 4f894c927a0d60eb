"""A policy change as a card: its effect on past mail. Entry: `print_change`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from gaia_email.app.documents.cards.wording import MODE_TEXT, PLAN_TEXT, one_line
from gaia_email.interfaces.cli.output import console
from gaia_understanding.cascade.wording.certainty import in_words

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def print_change(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Print the change, its effect on past mail, and the messages with the least certain verdicts."""
    out, tried = console(), document["backtest"]
    out.print(Text(one_line(_headline(document["change"])), style="bold"))
    if document["same"]:
        out.print(Text("That is how it is already."))
        return
    if not tried["total"]:
        out.print(
            Text(
                "There is no past mail here to try it on. gaia email policy test tries it on a mailbox.",
                style="dim",
            )
        )
        return
    for sentence in _meaning(tried):
        out.print(Text(sentence))
    if tried["borderline"]:
        out.print(Text("\nThe least sure of them:", style="dim"))
    for one in tried["borderline"]:
        out.print(_borderline(one), no_wrap=True, overflow="ellipsis")


def _archived(counted: Sequence[Mapping[str, Any]]) -> int:
    return sum(one["count"] for one in counted if (one["mode"], one["action"]) == ("apply", "archive"))


def _meaning(tried: Mapping[str, Any]) -> list[str]:
    before, after = _archived(tried["before"]), _archived(tried["after"])
    than = "as now" if before == after else f"instead of {before:,}"
    moved = f", and put {tried['moved']:,} into another cohort" if tried["moved"] else ""
    told = [
        f"It would have archived {after:,} of {tried['total']:,} messages by itself, {than}.",
        f"It would have treated {tried['changed']:,} in another way, {tried['newly_applied']:,} of them newly "
        f"without asking{moved}.",
    ]
    if tried["unknown"]:
        told.append(
            f"Of {tried['unknown']:,} only the verdict is known here, so rules on senders or subjects could not hold."
        )
    return told


def _headline(change: Mapping[str, Any]) -> str:
    step = f": {change['from'] or 'nothing'} → {change['to'] or 'nothing'}"
    return f"{change['what'].replace('_', ' ')} {change['name']}".strip() + step


def _borderline(one: Mapping[str, Any]) -> Text:
    sender = one["from"]
    line = Text(f"{in_words(one['confidence']):>15}  ", style="yellow")
    line.append(one_line(sender["name"] or sender["address"]) or "(no sender)", style="bold")
    line.append(f" · {one_line(one['subject']) or '(no subject)'}", style="default")
    line.append(f"\n{' ' * 17}{_would(one['before'])} → {_would(one['after'])}", style="dim")
    return line


def _would(decision: Mapping[str, Any]) -> str:
    if decision["mode"] == "leave":
        return MODE_TEXT["leave"]
    return f"{MODE_TEXT[decision['mode']]}: {PLAN_TEXT[decision['action']]}"


def print_saved() -> None:
    """Print that the change was saved."""
    console().print(Text("\nSaved.", style="green"))
