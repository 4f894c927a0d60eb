"""Tool cards: what was done, how long it took, why, how to take it back. Entries: `print_run`, `print_actions`.

A run's actions fold into one card with one undo. An amber ribbon is a write, a red one what cannot be undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from gaia_email.actions.kinds import ARCHIVE, JUNK, LABEL, MAKE_LABEL, SEND, SNOOZE, UNDO, UNSUBSCRIBE, WAKE
from gaia_email.documents.actions import Acted
from gaia_email.interfaces.cli.card import MAX_WIDTH, clipped, one_line
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.terminal import age

if TYPE_CHECKING:
    from gaia_email.actions.applying import AppliedActions
    from gaia_email.actions.triaging import RunReport
    from gaia_email.actions.undo import UndoOutcome
    from gaia_email.ledger import LoggedAction

WORDS = {
    ARCHIVE: "archived",
    JUNK: "moved to spam",
    LABEL: "labelled",
    MAKE_LABEL: "label made",
    SNOOZE: "snoozed",
    WAKE: "back in the inbox",
    UNSUBSCRIBE: "list left",
    SEND: "answered",
    UNDO: "taken back",
}
NAMED = 10
"""Messages named of those that were not done or not taken back; the rest is counted."""

ID_SHOWN = 8


def counted(actions: Iterable[LoggedAction]) -> str:
    """`45 archived · 67 labelled`."""
    kinds = Counter(action.action_type for action in actions if action.action_type != MAKE_LABEL)
    return " · ".join(f"{count:,} {WORDS.get(kind, kind)}" for kind, count in kinds.most_common())


def print_run(report: RunReport, undo: str) -> None:
    """The card of a triage that acted."""
    out = console()
    done = counted(report.applied.done) or "nothing was changed"
    _ribbon(out, f"triage  {done}", seconds=report.seconds)
    if counted(report.earlier.done):
        _put(out, f"earlier: {counted(report.earlier.done)}, left half done by a program that ended")
    inbox = report.inbox
    facts = [f"handled {len(inbox.judged):,}", f"could not read {inbox.unreadable:,}"]
    facts += [f"{inbox.handled:,} handled before"] if inbox.handled else []
    if report.taken_back:
        _put(
            out, f"{report.taken_back:,} of it you took back; gaia email triage --apply --again does it anew"
        )
    waits = "waits" if report.asked == 1 else "wait"
    facts += [f"{report.asked:,} {waits} for you (gaia email review)"] if report.asked else []
    _put(out, " · ".join(facts))
    if report.applied.done:
        _put(out, "why: the level of their senders allows it (gaia email policy list)")
    _outcome(out, report.applied)
    _outcome(out, report.earlier)
    _undo(out, undo)
    _final(out, [*report.earlier.done, *report.applied.done])


def print_acted(acted: Acted) -> None:
    """The card of one command."""
    out = console()
    final = any(action.reversal_payload is None for action in acted.applied.done)
    until = f" until {acted.until}" if acted.until and acted.applied.done else ""
    _ribbon(
        out,
        f"{acted.command}  {counted(acted.applied.done) or 'nothing was changed'}{until}",
        seconds=acted.seconds,
        style="red" if final else "yellow",
    )
    for action in acted.applied.done[:NAMED]:
        _put(out, _about(action))
    _outcome(out, acted.applied)
    _undo(out, acted.undo)


def print_undone(result: UndoOutcome, seconds: float) -> None:
    """The card of an undo: what is as before, and by name what is not."""
    out = console()
    words = counted(result.taken_back) or "nothing"
    _ribbon(out, f"undo  taken back: {words}", seconds=seconds)
    if result.cleared:
        word = "label" if len(result.cleared) == 1 else "labels"
        _put(out, f"removed, since nothing carries it any more: {len(result.cleared)} {word} of ours")
    for kept in result.kept[:NAMED]:
        _put(out, f"left alone: {_about(kept.action)}")
        _put(out, f"  {kept.reason}")
    _more(out, len(result.kept))
    if result.problem is not None:
        _put(out, f"{len(result.left):,} not tried yet: {one_line(result.problem.message)}")


def print_actions(actions: Sequence[LoggedAction], total: int, now: float) -> None:
    """The list, newest first; actions of one run that follow one another are one card."""
    out = console()
    if not actions:
        _put(out, "Nothing was done yet.")
        return
    shown = [action for action in actions if action.action_type != MAKE_LABEL]
    for (run_id, state), group in groupby(shown, lambda action: (action.run_id, action.state)):
        if run_id is None:
            for action in group:
                _single(out, action, now)
        else:
            _folded(out, run_id, state, list(group), now)
    if len(actions) < total:
        _put(out, f"showing {len(actions):,} of {total:,}; --limit shows more")


def _single(out: Console, action: LoggedAction, now: float) -> None:
    final = action.reversal_payload is None and action.state == "applied"
    style = "red" if final else "yellow"
    what = WORDS.get(action.action_type, action.action_type)
    _ribbon(out, f"{what}  {action.state}", when=age(now - action.timestamp), style=style)
    _put(out, _about(action))
    if action.error:
        _put(out, one_line(action.error))
    if action.state == "applied" and not final:
        _undo(out, f"gaia email undo --action {action.action_id[:ID_SHOWN]}")


def _folded(out: Console, run_id: str, state: str, actions: list[LoggedAction], now: float) -> None:
    what = "undo" if all(action.action_type == UNDO for action in actions) else "run"
    _ribbon(out, f"{what}  {counted(actions)}  {state}", when=age(now - actions[0].timestamp))
    cohorts = Counter(action.cohort for action in actions if action.cohort)
    if cohorts:
        _put(out, "for " + ", ".join(f"{cohort} {count:,}" for cohort, count in cohorts.most_common()))
    errors = Counter(action.error for action in actions if action.error)
    for error, count in errors.most_common(3):
        _put(out, f"{count:,} × {one_line(error or '')}")
    if state == "applied":
        _undo(out, f"gaia email undo --run {run_id[:ID_SHOWN]}")
        _final(out, actions)


def _final(out: Console, actions: Sequence[LoggedAction]) -> None:
    """Name, in red, what of a run nothing takes back."""
    final = [one for one in actions if one.state == "applied" and one.action_type == SEND]
    for action in final[:NAMED]:
        _ribbon(out, f"answered, which cannot be undone: {_about(action)}", when="", style="red")
    _more(out, len(final))


def _about(action: LoggedAction) -> str:
    sender = one_line(str(action.action_payload.get("sender", "")))
    subject = one_line(str(action.action_payload.get("subject", ""))) or "(no subject)"
    return f"{sender} · {subject}" if sender else subject


def _outcome(out: Console, applied: AppliedActions) -> None:
    for action in applied.failed[:NAMED]:
        _put(out, f"not done: {_about(action)}")
        _put(out, f"  {one_line(action.error or '')}")
    _more(out, len(applied.failed))
    if applied.problem is not None:
        _put(out, f"{len(applied.left):,} left for the next run: {one_line(applied.problem.message)}")


def _more(out: Console, count: int) -> None:
    if count > NAMED:
        _put(out, f"and {count - NAMED:,} more; --json names them all")


def _ribbon(
    out: Console, text: str, *, seconds: float | None = None, when: str = "", style: str = "yellow"
) -> None:
    line = Text("▌ ", style=style)
    line.append(clipped(text, min(out.width, MAX_WIDTH) - 14), style="bold")
    tail = when if seconds is None else f"{seconds:.1f} s"
    line.append(f"  {tail}", style="dim")
    out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _undo(out: Console, command: str) -> None:
    if command:
        line = Text("  undo  ", style="dim")
        line.append(command, style="bold")
        out.print(line, no_wrap=True, overflow="ignore", crop=False)


def _put(out: Console, text: str) -> None:
    line = Text("  " + clipped(text, min(out.width, MAX_WIDTH) - 2), style="dim")
    out.print(line, no_wrap=True, overflow="ignore", crop=False)
