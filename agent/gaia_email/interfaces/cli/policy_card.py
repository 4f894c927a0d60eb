"""Policy, changes, explanations and switches for a person. Entry points: `print_policy`, `print_change`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from gaia_email.app.documents.cards.wording import MODE_TEXT, PLAN_TEXT, one_line
from gaia_email.cascade.verdict import Conventions
from gaia_email.cascade.wording.certainty import in_words
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.typed_command import typed
from gaia_email.policy.conventions import shown
from gaia_email.policy.levels import level_text

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer


def instant(at: float) -> str:
    """An epoch time in the reader's own zone, as people write it."""
    return datetime.fromtimestamp(at).astimezone().strftime("%a %d %b %Y, %H:%M")


def print_policy(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """The cohorts in the order they are asked, then everything else that was decided."""
    out = console()
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("cohort", "level", "holds for mail"):
        table.add_column(heading, overflow="fold")
    for cohort in document["cohorts"]:
        table.add_row(cohort["name"], _level(cohort), "\n".join(map(one_line, cohort["match"])))
    out.print(table)
    count, vips, quiet = sum(map(len, _protected(document))), document["vips"], document["quiet_hours"]
    rows = [
        ("VIPs", f"{len(vips):,}" if vips else "none named"),
        ("protected", f"{count:,}" if count else "nothing"),
        ("quiet hours", f"{quiet['start']} to {quiet['end']} ({quiet['zone']})" if quiet else "none"),
        (
            "newsletters",
            "left by one click from L5" if document["unsubscribe"] else "never left without asking",
        ),
        ("conventions", _conventions(document["conventions"])),
        ("learning", "from your words and deeds" if document["behaviour"] else "from your words alone"),
        ("unsure", f"below {document['unsure_below']:.0%}, which lowers the level by one"),
        *switch_rows(document["switches"]),
    ]
    out.print(Text(""))
    for name, value in rows:
        out.print(Text(f"{name:>12}  ", style="dim").append(value, style="default"))
    for proposal in document["proposals"]:
        out.print(Text(f"\n{proposal['reason']}"))
        command = typed(f"gaia email policy set --cohort {proposal['cohort']} --level {proposal['to_level']}")
        out.print(Text("next  ", style="dim").append(command, style="bold"))


def _protected(document: Mapping[str, Any]) -> tuple[list[str], ...]:
    protected = document["protected"]
    return protected["senders"], protected["labels"], protected["threads"]


def switch_rows(switches: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is switched, a row each; nothing for what is not."""
    rows: list[tuple[str, str]] = []
    if (stopped := switches["stopped_at"]) is not None:
        rows.append(("stopped", f"since {instant(stopped)}; gaia email resume ends that"))
    if (paused := switches["paused_at"]) is not None:
        rows.append(("paused", f"since {instant(paused)}; gaia email resume ends that"))
    if (travelling := switches["travel_until"]) is not None:
        rows.append(("travel mode", f"until {instant(travelling)}"))
    return rows


def _conventions(rows: Sequence[Mapping[str, Any]]) -> str:
    """What is set otherwise than usual."""
    usual = shown(Conventions())
    set_so = [f"{row['name']} {row['set_to']}" for row in rows if row["set_to"] != usual[row["name"]]]
    return ", ".join(set_so) or "as judged"


def _level(cohort: Mapping[str, Any]) -> str:
    text, usual = level_text(cohort["level"]), cohort["default_level"]
    return text if usual in (None, cohort["level"]) else f"{text} (usually L{usual})"


def print_change(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """What is changed, what it would have meant, and the messages about which it was least sure."""
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
    """That it was saved."""
    console().print(Text("\nSaved.", style="green"))


def print_explanation(found: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Why a message got its cohort, level and permitted actions, in sentences."""
    out = console()
    sender = found["from"]
    who = f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"]
    out.print(Text(one_line(found["subject"]) or "(no subject)", style="bold"))
    out.print(Text(one_line(who) or "(no sender)", style="dim"))
    out.print(Text(""))
    for sentence in found["sentences"]:
        out.print(Text(one_line(sentence)))
