"""The only way to a write or destructive tool: allow, ask, or refuse. Entry points: `Gate`, `consume`.

What a call may do follows from the tool contract and its exact arguments, never from what anybody says about it. A
`Pass` is made here and nowhere else, holds the one call it is for, and is spent when the call is made. A question is
kept as a confirmation: bound to the call's fingerprint, answered once, used once, void after a while.
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
"""Seconds that a confirmation can be given and used after it was asked for."""

LOOKED_S = 0.5
"""Seconds between two looks whether a question that is being asked here was answered elsewhere."""

ACTS_FROM, AUTONOMOUS_FROM = 4, 5
"""Levels from which the agent acts by itself with undo, and from which the user may allow what has none."""

OPT_INS = frozenset({"unsubscribe", "reply_to_email"})
"""Destructive tools a user can allow beforehand: one-click unsubscribe of newsletters, answers from a template."""

HIDING = frozenset({"trash_email", "report_spam", "mark_read"})
"""Write tools that need `AUTONOMOUS_FROM`, as the policy's levels say of trash and read marks."""

LABEL_ARGUMENTS = (
    ("labelIds", "add"),
    ("addLabelIds", "add"),
    ("add", "add"),
    ("removeLabelIds", "remove"),
    ("remove", "remove"),
)

LookAgain = Callable[[], Awaitable[CallFacts]]
"""Reads what a question was made of from the mailbox once more."""

PromptAnswer = Literal["yes", "no", "later"]
GateEventKind = Literal["approval.requested", "approval.granted", "approval.refused", "action.refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """On whose word a call is to be made.

    Attributes:
        by: `user` typed or pressed exactly this; `level` is what the user set for a cohort; else `nobody`.
        level: The effective autonomy level, for `level`.
        opted_in: The user allowed this kind beforehand (see `OPT_INS`), and policy found that it applies.
        obstacles: Why nothing automated may do it: protected, paused, stopped, flagged. The user can still agree.
        why: One sentence for the question and the ledger.
        cohort: The policy's cohort of the message it is about, where there is one.
    """

    by: Literal["user", "level", "nobody"] = "nobody"
    level: int = 0
    opted_in: bool = False
    obstacles: tuple[str, ...] = ()
    why: str = ""
    cohort: str = ""


class Prompt(Protocol):
    """How an interface asks its user. `later` leaves the question open, to be answered anywhere."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """The user's answer."""
        ...


class Refusing:
    """The prompt of whoever has nobody to ask."""

    async def ask(self, asked: CallQuestion) -> PromptAnswer:
        """No."""
        return "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRefused:
    """The call may not be made; `reason` is for the person."""

    reason: str

    def raised(self) -> NoReturn:
        """As the error that interfaces know.

        Raises:
            NeedsApproval: Always.
        """
        raise NeedsApproval(self.reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallWaiting:
    """The user was asked and has not answered; `Gate.redeem` takes it up again."""

    asked: CallQuestion

    def raised(self) -> NoReturn:
        """As the error that interfaces know; its hint says how to answer.

        Raises:
            NeedsApproval: Always.
        """
        raise NeedsApproval(
            "This waits for your agreement, and nothing was done yet.",
            hint="it is in the Agent Inbox for ten minutes, where only the user answers it.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GateEvent:
    """What the gate did, for the event log. `reason` says why something was refused."""

    kind: GateEventKind
    call: ToolCall
    confirmation_id: str = ""
    by: str = ""
    reason: str = ""
    cohort: str = ""


class Pass:
    """Leave to make one call, once. Only the gate makes one; `consume` takes it."""

    __slots__ = ("__serial", "__text")

    def __init__(self, key: object, call: ToolCall) -> None:
        """Not for callers: without the gate's key it refuses.

        Raises:
            NeedsApproval: `key` is not the gate's.
        """
        if key is not _KEY:
            raise NeedsApproval("Only the gate gives leave to change a mailbox.")
        self.__serial = secrets.token_hex(16)
        self.__text = call.text
        _outstanding[self.__serial] = call.fingerprint

    def __reduce__(self) -> NoReturn:
        """A pass is not kept, sent or copied."""
        raise TypeError("a pass cannot be pickled or copied")

    def _spend(self) -> ToolCall:
        fingerprint = _outstanding.pop(self.__serial, "")
        call = ToolCall(text=self.__text)
        if not fingerprint or call.fingerprint != fingerprint:
            raise NeedsApproval("This leave was used up or changed; ask the gate again.")
        return call


_KEY = object()
_outstanding: dict[str, str] = {}
"""Fingerprints of passes that were given and not used, by serial."""


def consume(given: object) -> ToolCall:
    """The call a pass is for; the pass is spent.

    Raises:
        NeedsApproval: It is no pass of the gate's, or it was used before.
    """
    if type(given) is not Pass:
        raise NeedsApproval("Changing a mailbox needs a pass from the gate.")
    try:
        return given._spend()  # pyright: ignore[reportPrivateUsage]
    except AttributeError:  # made past the constructor
        raise NeedsApproval("Only the gate gives leave to change a mailbox.") from None


def _unheard(event: GateEvent) -> None:
    pass


class Gate:
    """Decides about calls.

    Args:
        approvals: Where questions are kept, and whose they are.
        prompt: The interface's way to ask; without one every question is answered no.
        heard: Told every question, answer and refusal.
        clock: Epoch seconds.
        valid_s: How long a confirmation is good for.
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
        """Leave for `call`, at once or after the user agreed; else why not, or the open question.

        Args:
            call: What is to be done.
            consent: On whose word.
            facts: What the mailbox says about it, beyond its arguments. Without the facts of the messages, drafts,
                threads or recipients it is about, a call that changes something is refused.
            look_again: Reads these facts anew after a yes; where the question is another one then, it is refused.
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
        """Answer yes; False when it was answered, used or void before.

        Raises:
            NotFound: There is no such confirmation.
        """
        found, call = self._find(confirmation_id)
        if not self._approvals.answer(confirmation_id, "granted", by=by):
            return False
        self._tell("approval.granted", found, call, by=by)
        return True

    def reject(self, confirmation_id: str, *, by: str) -> bool:
        """Answer no; False when it was answered, used or void before.

        Raises:
            NotFound: There is no such confirmation.
        """
        found, call = self._find(confirmation_id)
        if not self._approvals.answer(confirmation_id, "refused", by=by):
            return False
        self._tell("approval.refused", found, call, by=by, reason="the user said no")
        return True

    def redeem(self, confirmation_id: str, call: ToolCall) -> Pass | CallRefused:
        """Leave for exactly the call that was shown and agreed to; the confirmation is used up.

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
        """Close a question for good, also where somebody agreed to it already; `reason` is for the person.

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
        except BaseException:  # the interface was interrupted: nobody is left who could mean this question
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
        """What the prompt's user says, or somebody in another interface before them."""
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
        """The question of that id, and its call.

        Raises:
            NotFound: There is none.
            BadArgument: Its call is not as it was kept.
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
    """Why a call is refused whatever anybody says: no question can show all of it, or what it is about is unknown."""
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
    """Whether nobody has to be asked."""
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
    """The level from which the agent makes a write by itself: the highest for what hides mail, or its news."""
    if call.tool in HIDING:
        return AUTONOMOUS_FROM
    added, removed = _label_ids(call)
    return AUTONOMOUS_FROM if added & {"TRASH", "SPAM"} or "UNREAD" in removed else ACTS_FROM


def _label_ids(call: ToolCall) -> tuple[set[str], set[str]]:
    """Every label id that a call adds to some message, and every one that it removes, upper case."""
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
    """Whether it is an automatic answer, marked as one, to somebody of the user's organisation and nobody else."""
    arguments = call.arguments
    marked = arguments.get("auto_submitted") is True
    more = any(arguments.get(name) for name in ("reply_all", "cc", "attachments", "from"))
    # Without people nobody looked up whom it would go to.
    inside = bool(people) and not any(person.outside or person.only_in_text for person in people)
    return marked and not more and inside
