"""Action cards: the action, its duration, its reason, its undo. Entries: `print_run`, `print_actions`.

A run's actions share one card with one undo. An amber ribbon marks a write, a red one an irreversible action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from rich.console import Console
from rich.text import Text

from gaia_email.actions.kinds import (
    ARCHIVE,
    JUNK,
    LABEL,
    MAKE_LABEL,
    MARKS,
    MOVE,
    SEND,
    SNOOZE,
    TRASH,
    UNDO,
    UNSUBSCRIBE,
    WAKE,
)
from gaia_email.app.documents.cards.wording import age, one_line
from gaia_email.interfaces.cli.card import MAX_WIDTH, clip
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.typed_command import NAMED, after_failure, make_runnable
from gaia_email_registry.clock import utc_now

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

WORDS = {
    ARCHIVE: "archived",
    JUNK: "moved to spam",
    LABEL: "labelled",
    MAKE_LABEL: "label made",
    TRASH: "moved to Trash",
    MOVE: "moved",
    MARKS["read"]: "marked read",
    MARKS["unread"]: "marked unread",
    MARKS["starred"]: "starred",
    MARKS["unstarred"]: "no longer starred",
    SNOOZE: "snoozed",
    WAKE: "back in the inbox",
    UNSUBSCRIBE: "list left",
    SEND: "answered",
    UNDO: "taken back",
}
ID_SHOWN = 8


def summarize_actions(actions: Iterable[DrawnAction]) -> str:
    """Return action counts: `45 archived · 67 labelled`."""
    kinds = Counter(action["type"] for action in actions if action["type"] != MAKE_LABEL)
    return " · ".join(f"{count:,} {WORDS.get(kind, kind)}" for kind, count in kinds.most_common())


def print_run(report: Mapping[str, Any]) -> None:
    """Print the card of a triage that acted."""
    out = console()
    done, earlier = report["done"], report["earlier"]
    _ribbon(out, f"triage  {summarize_actions(done) or 'nothing was changed'}", seconds=report["seconds"])
    if summarize_actions(earlier["done"]):
        _put(out, f"earlier: {summarize_actions(earlier['done'])}, left half done by a program that ended")
    before, taken_back, asked = report["handled_before"], report["taken_back"], report["asked"]
    facts = [f"handled {report['judged']:,}", f"could not read {report['unreadable']:,}"]
    facts += [f"{before:,} handled before"] if before else []
    if taken_back:
        _put(out, f"{taken_back:,} of it you took back; gaia email triage --apply --again does it anew")
    facts += [f"{asked:,} {'waits' if asked == 1 else 'wait'} for you (gaia email review)"] if asked else []
    _put(out, " · ".join(facts))
    if done:
        _put(out, "why: the level of their senders allows it (gaia email policy list)")
    _outcome(out, report)
    _outcome(out, earlier)
    _undo(out, report["undo"])
    _final(out, [*earlier["done"], *done])


def print_acted(acted: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Print the card of a single command."""
    out, done = console(), acted["done"]
    until = f" until {acted['until']}" if acted["until"] and done else ""
    _ribbon(
        out,
        f"{acted['command']}  {summarize_actions(done) or 'nothing was changed'}{until}",
        seconds=acted["seconds"],
        style="yellow" if all(action["undoable"] for action in done) else "red",
    )
    for action in done[:NAMED]:
        _put(out, _about(action))
    _outcome(out, acted)
    _undo(out, acted["undo"])


def print_undone(result: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Print the card of an undo: what was restored, and by name what was not."""
    out = console()
    words = summarize_actions(result["taken_back"]) or "nothing"
    _ribbon(out, f"undo  taken back: {words}", seconds=result["seconds"])
    if cleared := result["cleared"]:
        word = "label" if cleared == 1 else "labels"
        _put(out, f"removed, since nothing carries it any more: {cleared} {word} of ours")
    for kept in result["kept"][:NAMED]:
        _put(out, f"left alone: {_about(kept['action'])}")
        _put(out, f"  {kept['reason']}")
    _more(out, len(result["kept"]))
    if result["problem"]:
        _put(out, f"{result['left']:,} not tried yet: {one_line(result['problem'])}")


def print_actions(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Print actions, newest first; consecutive actions of one run share a card."""
    print_rows(document["actions"], document["total"])


class DrawnAction(TypedDict):
    """The fields of an action that a card needs; the rows of `actions` have more."""

    action_id: str
    at: str
    run_id: str | None
    type: str
    state: Literal["planned", "applied", "reversed", "failed"]
    sender: str
    subject: str
    cohort: str | None
    undoable: bool
    error: str | None


def print_rows(actions: Sequence[DrawnAction], total: int) -> None:
    """Print actions as a list; `total` is the number of all actions."""
    out, now = console(), utc_now()
    if not actions:
        _put(out, "Nothing was done yet.")
        return
    shown = [action for action in actions if action["type"] != MAKE_LABEL]
    for (run_id, state), group in groupby(shown, lambda action: (action["run_id"], action["state"])):
        if run_id is None:
            for action in group:
                _single(out, action, now)
        else:
            _folded(out, run_id, state, list(group), now)
    if len(actions) < total:
        _put(out, f"showing {len(actions):,} of {total:,}; --limit shows more")


def _single(out: Console, action: DrawnAction, now: datetime) -> None:
    final = action["state"] == "applied" and not action["undoable"]
    what = WORDS.get(action["type"], action["type"])
    style = "red" if final else "yellow"
    _ribbon(out, f"{what}  {action['state']}", when=_age(action, now), style=style)
    _put(out, _about(action))
    if action["error"]:
        _put(out, one_line(action["error"]))
    if action["undoable"]:
        _undo(out, f"gaia email undo --action {action['action_id'][:ID_SHOWN]}")


def _age(action: DrawnAction, now: datetime) -> str:
    return age((now - datetime.fromisoformat(action["at"])).total_seconds())


def _folded(out: Console, run_id: str, state: str, actions: list[DrawnAction], now: datetime) -> None:
    what = "undo" if all(action["type"] == UNDO for action in actions) else "run"
    _ribbon(out, f"{what}  {summarize_actions(actions)}  {state}", when=_age(actions[0], now))
    cohorts = Counter(action["cohort"] for action in actions if action["cohort"])
    if cohorts:
        _put(out, "for " + ", ".join(f"{cohort} {count:,}" for cohort, count in cohorts.most_common()))
    errors = Counter(action["error"] for action in actions if action["error"])
    for error, count in errors.most_common(3):
        _put(out, f"{count:,} × {one_line(error or '')}")
    if state == "applied":
        _undo(out, f"gaia email undo --run {run_id[:ID_SHOWN]}")
        _final(out, actions)


def _final(out: Console, actions: Sequence[DrawnAction]) -> None:
    """Name, in red, the actions of a run that cannot be undone."""
    final = [one for one in actions if one["state"] == "applied" and one["type"] == SEND]
    for action in final[:NAMED]:
        _ribbon(out, f"answered, which cannot be undone: {_about(action)}", when="", style="red")
    _more(out, len(final))


def _about(action: DrawnAction) -> str:
    sender, subject = one_line(action["sender"]), one_line(action["subject"]) or "(no subject)"
    return f"{sender} · {subject}" if sender else subject


def _outcome(out: Console, applied: Mapping[str, Any]) -> None:
    for action in applied["failed"][:NAMED]:
        _put(out, f"not done: {_about(action)}")
        _put(out, f"  {one_line(action['error'] or '')}")
        _put(out, f"  next: {make_runnable(after_failure(action['message_id']))}")
    _more(out, len(applied["failed"]))
    if applied["problem"]:
        _put(out, f"{applied['left']:,} left for the next run: {one_line(applied['problem'])}")


def _more(out: Console, count: int) -> None:
    if count > NAMED:
        _put(out, f"and {count - NAMED:,} more; --json names them all")


def _ribbon(
    out: Console, text: str, *, seconds: float | None = None, when: str = "", style: str = "yellow"
) -> None:
    line = Text("▌ ", style=style)
    line.append(clip(text, min(out.width, MAX_WIDTH) - 14), style="bold")
    tail = when if seconds is None else f"{seconds:.1f} s"
    line.append(f"  {tail}", style="dim")
    out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _undo(out: Console, command: str) -> None:
    if command:
        line = Text("  undo  ", style="dim")
        line.append(make_runnable(command), style="bold")
        out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _put(out: Console, text: str) -> None:
    line = Text("  " + clip(text, min(out.width, MAX_WIDTH) - 2), style="dim")
    out.print(line, no_wrap=True, overflow="ignore", crop=False)
