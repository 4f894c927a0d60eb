"""The terminal's review screen: one item after another, answered with one key. Entry point: `review`.

The keys are listed under each item, so nothing depends on colour or on knowing them. Each answer counts at once;
leaving with q or Ctrl-C does not revert any.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.text import Text

from gaia_email.actions.pending.calls import OpenQuestions
from gaia_email.actions.pending.groups import is_group, people_of
from gaia_email.actions.pending.inbox import AgentInbox, AnsweredItem
from gaia_email.actions.pending.proposal import PendingProposal
from gaia_email.app.documents.cards.wording import HEADINGS, one_line
from gaia_email.app.documents.pending import confirmation_row, item_origin, proposal_text
from gaia_email.app.services.answers import GivenAnswer
from gaia_email.interfaces.cli.card import clip, in_terminal
from gaia_email.interfaces.cli.output import console
from gaia_email.interfaces.cli.pending_lines import confirmation_lines
from gaia_email.policy.levels import level_text
from gaia_email_registry.errors import MailError
from gaia_understanding.cascade.verdict import Bucket
from gaia_understanding.cascade.wording.certainty import in_words

if TYPE_CHECKING:
    from rich.console import Console

    from gaia_email.ledger import PendingItem
    from gaia_email_registry.approvals import Approval

ReadKey = Callable[[], str]
"""Waits for a key; returns an empty text at the end of the input."""

BUCKET_KEYS: Mapping[str, Bucket] = {
    "u": "urgent",
    "a": "actionable",
    "i": "informational",
    "l": "low_priority",
}

ITEM_KEYS = (
    ("a", "do what is proposed, to exactly this mail; undo takes it back"),
    ("e", "do it as something else; the agent notes that it was wrong"),
    ("r", "do nothing, and do not ask again about this"),
    ("w", "why it is proposed, and why you are asked"),
    ("s", "not now; it waits on"),
    ("c", "approve every one of this kind and cohort that waits"),
    ("o", "where many are asked about together: look at them one by one"),
    ("q", "leave; what you answered stands"),
)
NOTE_KEYS = (
    ("a", "you have seen it; nothing changes"),
    ("w", "why it was done, and how to take it back"),
    ("s", "not now; it waits on"),
    ("c", "you have seen every one of this cohort"),
    ("q", "leave; what you answered stands"),
)


@dataclass(slots=True)
class ReviewOutcome:
    """The result of a review."""

    answers: list[GivenAnswer] = field(default_factory=list[GivenAnswer])
    skipped: int = 0
    left: int = 0


class _Done(Exception):
    """The user leaves the review."""


def review(
    inbox: AgentInbox,
    items: Sequence[PendingItem],
    read_key: ReadKey,
    *,
    questions: OpenQuestions,
    calls: Sequence[Approval] = (),
) -> ReviewOutcome:
    """Go through the calls, which expire soon, then the items, until they are answered or the user leaves."""
    screen = _Screen(inbox, list(items), read_key)
    with suppress(_Done):
        screen.run_calls(questions, calls)
        screen.run()
    return screen.reviewed


class _Screen:
    def __init__(self, inbox: AgentInbox, items: list[PendingItem], read_key: ReadKey) -> None:
        self._inbox = inbox
        self._waiting: list[PendingItem] = items
        self._total = len(items)
        self._read_key = read_key
        self._out: Console = console()
        self.reviewed = ReviewOutcome()

    def run(self) -> None:
        while self._waiting:
            self.reviewed.left = len(self._waiting)
            item = self._waiting[0]
            self._show(item)
            while not self._answer(item, self._key(item)):
                pass
            self._waiting = [one for one in self._waiting if one.item_id != item.item_id]
        self.reviewed.left = 0

    def run_calls(self, questions: OpenQuestions, calls: Sequence[Approval]) -> None:
        for place, call in enumerate(calls):
            self.reviewed.left = len(calls) - place + self._total
            self._put("")
            for number, line in enumerate(confirmation_lines(confirmation_row(call))):
                # In full: a mark at the end of a line would be lost if the line were cut.
                self._out.print(Text(line, style="bold red" if number == 0 else "default"), soft_wrap=True)
            answered = False
            while not answered:
                self._keys("[a] approve  [r] reject  [s] skip  [q] quit")
                answered = self._answer_call(questions, call, self._read())

    def _answer_call(self, questions: OpenQuestions, call: Approval, key: str) -> bool:
        if key == "s":
            self.reviewed.skipped += 1
            self._put("skipped; it waits until its time is over.", "dim")
            return True
        if key not in ("a", "r"):
            self._put("That is none of the keys below.", "dim")
            return False
        id_ = call.approval_id
        try:
            done = asyncio.run(questions.approve(id_)) if key == "a" else questions.reject(id_)
        except MailError as error:
            self._put(f"Not done: {error.message}", "bold")
            return True
        self.reviewed.answers.append(done)
        words = "approved." if done.result == "approved" else "rejected; nothing was done."
        self._put(done.reason or words, "green" if done.counts else "bold")
        return True

    def _key(self, item: PendingItem) -> str:
        alike = sum(one.cohort == item.cohort and one.type == item.type for one in self._waiting)
        if is_group(item):
            keys = "[a] approve all  [o] one by one  [e] edit  [r] reject  [w] why  [s] skip  [q] quit"
        elif item.type == "notify":
            keys = "[a] seen  [w] why  [s] skip  [q] quit"
        else:
            keys = "[a] approve  [e] edit  [r] reject  [w] why  [s] skip  [q] quit"
        if alike > 1:
            answer = "seen" if item.type == "notify" else "approve"
            which = item.cohort or "this kind"
            self._keys(f"[c] {answer} all {alike:,} of {which}  [?] what the keys do")
        else:
            self._keys("[?] what the keys do")
        self._keys(keys)
        return self._read()

    def _read(self) -> str:
        key = self._read_key()
        if not key or key in ("\x04", "q"):
            raise _Done
        return key.lower()

    def _answer(self, item: PendingItem, key: str) -> bool:
        """Handle a key; return True if the item is finished."""
        if key == "s":
            self.reviewed.skipped += 1
            self._put("skipped; it waits on.", "dim")
            return True
        if key in ("w", "?"):
            self._why(item) if key == "w" else self._help(item)
            return False
        if key == "a":
            return self._try(lambda: [asyncio.run(self._inbox.approve(item.item_id))])
        if key == "c":
            return self._all(item)
        if key == "o" and is_group(item):
            return self._open(item)
        if item.type != "notify" and key == "r":
            return self._try(lambda: [self._inbox.reject(item.item_id)])
        if item.type != "notify" and key == "e":
            return self._edit(item)
        self._put("That is none of the keys below.", "dim")
        return False

    def _try(self, answer: Callable[[], list[AnsweredItem]]) -> bool:
        try:
            answers = answer()
        except MailError as error:
            self._put(f"Not done: {error.message} The item waits on.", "bold")
            return False
        self.reviewed.answers += answers
        done = {answered.item.item_id for answered in answers}
        self._waiting = [one for one in self._waiting if one.item_id not in done]
        if len(answers) == 1:
            self._put(_outcome(answers[0]), "green" if answers[0].counts else "bold")
        else:
            counted = sum(answered.counts for answered in answers)
            self._put(f"{counted:,} of {len(answers):,} approved.", "green")
            for answered in answers:
                if not answered.counts:
                    self._put(f"  {answered.item.item_id[:8]}: {answered.reason}", "bold")
        return True

    def _open(self, item: PendingItem) -> bool:
        try:
            found = self._inbox.open_group(item.item_id)
        except MailError as error:
            self._put(f"Not done: {error.message}", "bold")
            return False
        self._waiting = [*found, *(one for one in self._waiting if one.item_id != item.item_id)]
        self._total += len(found) - 1
        return True

    def _all(self, item: PendingItem) -> bool:
        ids = [one.item_id for one in self._waiting if one.cohort == item.cohort and one.type == item.type]
        return self._try(lambda: asyncio.run(self._inbox.batch_approve(ids)))

    def _edit(self, item: PendingItem) -> bool:
        self._keys("What is it?  [u] urgent  [a] actionable  [i] informational  [l] low priority  [b] back")
        bucket = BUCKET_KEYS.get(self._read())
        if bucket is None:
            return False
        return self._try(lambda: [asyncio.run(self._inbox.approve(item.item_id, {"bucket": bucket}))])

    def _show(self, item: PendingItem) -> None:
        proposal = PendingProposal.of(item)
        place = self._total - len(self._waiting) + 1
        sure = "" if item.confidence is None else f" · {in_words(item.confidence)}"
        emoji = in_terminal(HEADINGS[proposal.bucket][0])
        self._put("")
        self._put(f"{place:,} of {self._total:,} · {item.type} · {item.cohort or 'no cohort'}{sure}", "dim")
        if proposal.targets:
            first = proposal.targets[0]
            who = f"{first.name} <{first.address}>" if first.name else first.address
            subject = one_line(first.subject) or "(no subject)"
            if is_group(item):
                who, subject = people_of(proposal), f"{len(proposal.targets):,} messages, such as: {subject}"
            self._put(f"{emoji} {one_line(who) or '(no sender)'}", "bold")
            self._put(f"   {subject}")
        self._put(
            f"   proposes to {proposal_text(proposal)}" if item.type != "notify" else f"   {proposal.asked}"
        )
        if item.why:
            self._put(f"   {one_line(item.why)}", "dim")
        self._put(f"   {one_line(item_origin(item)['text'])}", "dim")

    def _help(self, item: PendingItem) -> None:
        for key, what in NOTE_KEYS if item.type == "notify" else ITEM_KEYS:
            self._put(f"   {key}  {what}")

    def _why(self, item: PendingItem) -> None:
        proposal = PendingProposal.of(item)
        lines = [
            f"Reason: {one_line(item.why) or 'none was kept'}",
            f"You are told because: {proposal.asked}"
            if item.type == "notify"
            else f"You are asked because: {proposal.asked}",
        ]
        if proposal.targets:
            lines.append(f"Cohort {item.cohort or 'none'}, level {level_text(proposal.level)}.")
        if item.type != "notify":
            labels = f", with the labels {', '.join(proposal.names)}" if proposal.names else ""
            lines.append(f"Approving would {proposal_text(proposal)}{labels}.")
        if proposal.targets:
            lines.append(f"All of it: gaia email why {item.item_id[:8]}")
        if item.type == "notify" and item.run_id:
            lines.append(f"Take it back: gaia email undo {item.run_id[:8]}")
        for line in lines:
            self._whole(line)

    def _keys(self, text: str) -> None:
        """Print keys without cutting; a key that is cut off cannot be read."""
        self._out.print(Text(text, style="bold"))

    def _whole(self, text: str) -> None:
        """Wrap a text instead of cutting it, since the user asked for it."""
        for line in wrap(one_line(text), max(20, self._out.width - 5)) or [""]:
            self._out.print(Text(f"   {line}"), no_wrap=True, crop=False)

    def _put(self, text: str, style: str = "default") -> None:
        width = max(20, self._out.width)
        self._out.print(
            Text(clip(one_line(text) if not text.startswith(" ") else text, width), style=style),
            no_wrap=True,
            crop=False,
        )


def _outcome(answered: AnsweredItem) -> str:
    if answered.counts:
        words = {"approved": "approved.", "rejected": "rejected; nothing was done.", "seen": "seen."}
        return words.get(answered.result, "approved.") + (f" {answered.reason}" if answered.reason else "")
    return answered.reason


@contextmanager
def keys_of_terminal() -> Generator[ReadKey, None, None]:
    """Yield a reader of single keys from the terminal, without Enter; restore the terminal afterwards."""
    import os
    import select
    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)

    def read_key() -> str:
        sys.stdout.flush()
        # A Ctrl-C just before `read` does not interrupt it; Python handles signals between two waits.
        while not select.select([descriptor], [], [], 0.25)[0]:
            pass
        key = os.read(descriptor, 1)
        if key == b"\x1b":  # the rest of a function key is not an answer
            _swallow(descriptor)
            return "\x1b"
        return key.decode("ascii", "replace")

    try:
        tty.setcbreak(descriptor)
        yield read_key
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _swallow(descriptor: int) -> None:
    import os
    import select

    while select.select([descriptor], [], [], 0.02)[0]:
        if not os.read(descriptor, 16):
            return
