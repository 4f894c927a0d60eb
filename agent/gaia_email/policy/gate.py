"""The only way to a write or destructive tool: allow, ask, or refuse. Entry points: `Gate`, `consume`.

A call is judged by the tool contract and its exact arguments, never by what a model or a mail claims about it. A
`Pass` is created only here, is valid for one call, and is spent when that call is made. A question is stored as a
confirmation that is bound to the call's fingerprint, can be answered once and used once, and expires.
"""

from __future__ import annotations

import asyncio
import secrets
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal, NoReturn, Protocol

from gaia_email.policy.facts import CallFacts, missing_facts, sends_mail
from gaia_email.policy.question import CallQuestion, question, recipients, what_changed
from gaia_email_registry.approvals import Approval, ApprovalRequest, AskerApprovals
from gaia_email_registry.calls import ToolCall, texts
from gaia_email_registry.clock import now as clock_now
from gaia_email_registry.errors import BadArgument, NeedsApproval, NotFound
from gaia_mail.asking.people import KnownPerson

VALID_S = 600.0
"""Seconds after the question during which a confirmation can be given and used."""

LOOKED_S = 0.5
"""Seconds between checks for an answer given in another interface."""

ACTS_FROM, AUTONOMOUS_FROM = 4, 5
"""Lowest level for undoable actions without asking, and for actions without undo that the user opted into."""

OPT_INS = frozenset({"unsubscribe", "reply_to_email"})
"""Destructive tools that a user can allow beforehand: one-click unsubscribe, and answers from a template."""

HIDING = frozenset({"trash_email", "report_spam", "mark_read"})
"""Write tools that need `AUTONOMOUS_FROM`, as the policy's levels require for trash and read marks."""

LABEL_ARGUMENTS = (
    ("labelIds", "add"),
    ("addLabelIds", "add"),
    ("add", "add"),
    ("removeLabelIds", "remove"),
    ("remove", "remove"),
)

LookAgain = Callable[[], Awaitable[CallFacts]]
"""Reads the facts of a question from the mailbox again."""

PromptAnswer = Literal["yes", "no", "later"]
GateEventKind = Literal["approval.requested", "approval.granted", "approval.refused", "action.refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The authority for a call.

    Attributes:
        by: `user` if the user typed or pressed exactly this, `level` for the level of a cohort, else `nobody`.
        level: The effective autonomy level, for `level`.
        opted_in: True if the user allowed this kind of call (see `OPT_INS`) and the policy applies here.
        obstacles: Reasons against automation (protected, paused, stopped, flagged). The user can still agree.
        why: One sentence for the question and the ledger.
        cohort: The policy's cohort of the message concerned, if any.
    """

    by: Literal["user", "level", "nobody"] = "nobody"
    level: int = 0
    opted_in: bool = False
    obstacles: tuple[str, ...] = ()
    why: str = ""
    cohort: str = ""


class Prompt(Protocol):
    """An interface's way to ask its user. `later` leaves the question open, to be answered in any interface."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Return the user's answer."""
        ...


class Refusing:
    """A prompt for programs without a user to ask."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """Answer no."""
        return "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRefused:
    """A refused call, with the `reason` for the user."""

    reason: str

    def raise_error(self) -> NoReturn:
        """Raise the refusal as the error that interfaces handle.

        Raises:
            NeedsApproval: Always.
        """
        raise NeedsApproval(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWaiting:
    """A call that waits for the user's answer; `Gate.redeem` resumes it."""

    asked: CallQuestion

    def raise_error(self) -> NoReturn:
        """Raise the error that interfaces handle; its hint explains how to answer.

        Raises:
            NeedsApproval: Always.
        """
        raise NeedsApproval(
            "This waits for your agreement, and nothing was done yet.",
            hint="it is in the Agent Inbox for ten minutes, where only the user answers it.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GateEvent:
    """A gate event for the event log. `reason` explains a refusal."""

    kind: GateEventKind
    call: ToolCall
    confirmation_id: str = ""
    by: str = ""
    reason: str = ""
    cohort: str = ""


class Pass:
    """Permission for one call, once. Only the gate creates passes; `consume` spends them."""

    __slots__ = ("__serial", "__text")

    def __init__(self, key: object, call: ToolCall) -> None:
        """Create a pass; only the gate has the key.

        Raises:
            NeedsApproval: `key` is not the gate's.
        """
        if key is not _KEY:
            raise NeedsApproval("Only the gate gives leave to change a mailbox.")
        self.__serial = secrets.token_hex(16)
        self.__text = call.text
        _outstanding[self.__serial] = call.fingerprint

    def __reduce__(self) -> NoReturn:
        """Refuse pickling and copying."""
        raise TypeError("a pass cannot be pickled or copied")

    def _spend(self) -> ToolCall:
        fingerprint = _outstanding.pop(self.__serial, "")
        call = ToolCall(text=self.__text)
        if not fingerprint or call.fingerprint != fingerprint:
            raise NeedsApproval("This leave was used up or changed; ask the gate again.")
        return call


_KEY = object()
_outstanding: dict[str, str] = {}
"""Fingerprints of unused passes, by serial number."""


def consume(given: object) -> ToolCall:
    """Spend a pass and return its call.

    Raises:
        NeedsApproval: The pass does not come from the gate or was used before.
    """
    if type(given) is not Pass:
        raise NeedsApproval("Changing a mailbox needs a pass from the gate.")
    try:
        return given._spend()  # pyright: ignore[reportPrivateUsage]
    except AttributeError:  # made without the constructor
        raise NeedsApproval("Only the gate gives leave to change a mailbox.") from None


def _unheard(event: GateEvent) -> None:
    pass


class Gate:
    """Decides if a call may be made.

    Args:
        approvals: Store of questions, bound to the program that asks.
        prompt: The interface's way to ask; without one, every question is answered no.
        heard: Called with every question, answer and refusal.
        clock: Returns epoch seconds.
        valid_s: Lifetime of a confirmation in seconds.
    """

    def __init__(
        self,
        approvals: AskerApprovals,
        *,
        prompt: Prompt | None = None,
        heard: Callable[[GateEvent], None] = _unheard,
        clock: Callable[[], float] = clock_now,
        valid_s: float = VALID_S,
    ) -> None:
        self._approvals = approvals
        self._prompt = prompt or Refusing()
        self._heard = heard
        self._clock = clock
        self._valid_s = valid_s

    async def ask(
        self,
        call: ToolCall,
        consent: Consent,
        facts: CallFacts | None = None,
        look_again: LookAgain | None = None,
    ) -> Pass | CallRefused | CallWaiting:
        """Return a pass for `call`, at once or after the user agreed; otherwise the refusal or the open question.

        Args:
            call: The call to be made.
            consent: The authority for it.
            facts: Facts from the mailbox beyond the arguments. A call that changes something is refused if the facts
                of its messages, drafts, threads or recipients are missing.
            look_again: Reads these facts again after a yes; the call is refused if the question would now differ.
        """
        known = facts or CallFacts()
        if call.risk != "read" and consent.by != "user" and consent.obstacles:
            return self._refuse(call, consent.obstacles[0], consent.cohort)
        if reason := _unaskable(call, known):
            return self._refuse(call, reason, consent.cohort)
        if _allowed(call, consent, known):
            return Pass(_KEY, call)
        return await self._confirm(call, consent, known, look_again)

    def approve(self, confirmation_id: str, *, by: str) -> bool:
        """Answer yes. Return False if the confirmation was already answered, used or void.

        Raises:
            NotFound: There is no such confirmation.
        """
        found, call = self._find(confirmation_id)
        if not self._approvals.answer(confirmation_id, "granted", by=by):
            return False
        self._tell("approval.granted", found, call, by=by)
        return True

    def reject(self, confirmation_id: str, *, by: str) -> bool:
        """Answer no. Return False if the confirmation was already answered, used or void.

        Raises:
            NotFound: There is no such confirmation.
        """
        found, call = self._find(confirmation_id)
        if not self._approvals.answer(confirmation_id, "refused", by=by):
            return False
        self._tell("approval.refused", found, call, by=by, reason="the user said no")
        return True

    def redeem(self, confirmation_id: str, call: ToolCall) -> Pass | CallRefused:
        """Use up a confirmation and return a pass for exactly the call that was shown and agreed to.

        Raises:
            NotFound: There is no such confirmation.
        """
        _, kept = self._find(confirmation_id)
        if kept.fingerprint != call.fingerprint:
            return self._refuse(call, "What was agreed to is another call than this one; nothing was done.")
        if not self._approvals.take(call.fingerprint, approval_id=confirmation_id):
            return self._refuse(call, "This confirmation was not given, was used before, or has expired.")
        return Pass(_KEY, call)

    def withdraw(self, confirmation_id: str, call: ToolCall, reason: str) -> CallRefused:
        """Close a question for good, even if it was already agreed to; `reason` is shown to the user.

        Raises:
            NotFound: There is no such confirmation.
        """
        found, _ = self._find(confirmation_id)
        self._void(confirmation_id, call)
        return self._refuse(call, reason, _cohort(found))

    def _void(self, confirmation_id: str, call: ToolCall) -> None:
        if not self.reject(confirmation_id, by="user"):
            self._approvals.take(call.fingerprint, approval_id=confirmation_id)

    async def _confirm(
        self, call: ToolCall, consent: Consent, facts: CallFacts, look_again: LookAgain | None
    ) -> Pass | CallRefused | CallWaiting:
        now = self._clock()
        why = " ".join((*consent.obstacles, consent.why)).strip()
        asked = replace(
            question(call, facts),
            confirmation_id=str(uuid.uuid4()),
            why=why,
            cohort=consent.cohort,
            expires_at=now + self._valid_s,
        )
        request = ApprovalRequest(
            call=call.fingerprint,
            account=call.account,
            tool=call.tool,
            fields=asdict(asked),
            arguments=call.arguments,
            origin=self._approvals.origin,
            run_id=self._approvals.run_id,
            expires_at=asked.expires_at,
        )
        opened = self._approvals.put(request, approval_id=asked.confirmation_id)
        self._tell("approval.requested", opened, call)
        changed = ""
        try:
            answer = await self._answered(asked)
            if answer == "yes" and look_again is not None:
                now_known = await look_again()
                changed = what_changed(asdict(asked), question(call, now_known)) or _unaskable(
                    call, now_known
                )
        except BaseException:  # the interface was interrupted, so this question can no longer be answered
            self._void(asked.confirmation_id, call)
            raise
        if answer == "later":
            return CallWaiting(asked=asked)
        if answer == "yes" and changed:
            return self.withdraw(asked.confirmation_id, call, changed)
        if answer == "yes":
            self.approve(asked.confirmation_id, by="user")
            return self.redeem(asked.confirmation_id, call)
        self.reject(asked.confirmation_id, by="user")
        return CallRefused(reason="That needs your agreement, which was not given; nothing was done.")

    async def _answered(self, asked: CallQuestion) -> PromptAnswer:
        """Return the answer given at the prompt, or earlier in another interface."""
        asking = asyncio.ensure_future(self._prompt.ask(asked))
        try:
            while not (await asyncio.wait((asking,), timeout=LOOKED_S))[0]:
                elsewhere, _ = self._find(asked.confirmation_id)
                if elsewhere.state != "open" or elsewhere.is_over(self._clock()):
                    return "yes" if elsewhere.state == "granted" else "no"
            return asking.result()
        finally:
            if asking.cancel():
                await asyncio.wait((asking,))

    def _find(self, confirmation_id: str) -> tuple[Approval, ToolCall]:
        """Return the confirmation with this ID and its call.

        Raises:
            NotFound: There is no such confirmation.
            BadArgument: The stored call was altered.
        """
        found = self._approvals.get(confirmation_id)
        if found is None:
            raise NotFound(f"There is no confirmation {confirmation_id[:60]!r}.", argument="id")
        return found, found.call

    def _refuse(self, call: ToolCall, reason: str, cohort: str = "") -> CallRefused:
        self._heard(GateEvent(kind="action.refused", call=call, reason=reason, cohort=cohort))
        return CallRefused(reason=reason)

    def _tell(
        self, kind: GateEventKind, about: Approval, call: ToolCall, *, by: str = "", reason: str = ""
    ) -> None:
        self._heard(
            GateEvent(
                kind=kind,
                call=call,
                confirmation_id=about.approval_id,
                by=by,
                reason=reason,
                cohort=_cohort(about),
            )
        )


def _cohort(about: Approval) -> str:
    return str(about.asked.fields.get("cohort", ""))


def _unaskable(call: ToolCall, facts: CallFacts) -> str:
    """Return why a call is refused regardless of consent: it cannot be shown in full, or its facts are missing."""
    if call.risk == "read":
        return ""
    try:
        question(call, facts)
        people = recipients(call, facts)
    except BadArgument as error:
        return error.message
    if sends_mail(call) and not people:
        return "Nobody is named who would get this mail, so it is not sent."
    return missing_facts(call, facts)


def _allowed(call: ToolCall, consent: Consent, facts: CallFacts) -> bool:
    """Return True if the call needs no approval."""
    risk = call.risk
    if risk == "read":
        return True
    if risk == "write":
        by_user = consent.by == "user" and not consent.obstacles
        return by_user or (consent.by == "level" and consent.level >= acts_from(call))
    opted_in = consent.opted_in and consent.by == "level" and consent.level >= AUTONOMOUS_FROM
    if not opted_in or call.tool not in OPT_INS:
        return False
    return call.tool == "unsubscribe" or _answers_inside(call, recipients(call, facts))


def acts_from(call: ToolCall) -> int:
    """Return the lowest level for this write without asking; highest for hiding mail or marking it read."""
    if call.tool in HIDING:
        return AUTONOMOUS_FROM
    added, removed = _label_ids(call)
    return AUTONOMOUS_FROM if added & {"TRASH", "SPAM"} or "UNREAD" in removed else ACTS_FROM


def _label_ids(call: ToolCall) -> tuple[set[str], set[str]]:
    """Return the upper-case label IDs that a call adds to any message, and those it removes."""
    added: set[str] = set()
    removed: set[str] = set()
    own = call.arguments.get("perMessage")
    changes: list[object] = [call.arguments, *(own.values() if isinstance(own, dict) else ())]  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
    for change in changes:
        if isinstance(change, dict):
            for name, into in LABEL_ARGUMENTS:
                ids = texts(change.get(name))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
                (added if into == "add" else removed).update(id_.upper() for id_ in ids)
    return added, removed


def _answers_inside(call: ToolCall, people: Sequence[KnownPerson]) -> bool:
    """Return True for an answer marked as automatic whose recipients all belong to the user's organisation."""
    arguments = call.arguments
    marked = arguments.get("auto_submitted") is True
    more = any(arguments.get(name) for name in ("reply_all", "cc", "attachments", "from"))
    # An empty list means that the recipients were not looked up.
    inside = bool(people) and not any(person.outside or person.only_in_text for person in people)
    return marked and not more and inside
