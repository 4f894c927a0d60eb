"""Short questions about the user's mail, and the lessons learned. Entries: `Sitting`, `measure_lesson`, `take_back`."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from gaia_email.app import App
from gaia_email.app.documents.pending_types import SaidBucket
from gaia_email.app.services.opening import owner_of, with_copy
from gaia_email.document import Count, Document
from gaia_email.ledger.policy_store import has_ledger, stored_rules
from gaia_email.policy.owner_says import OwnerSays
from gaia_email.triage.inbox import FoundMessage, Inbox, look_up_all, triage
from gaia_email.triage.learn.behaviour import notice
from gaia_email.triage.learn.carrying import CarriedLessons, take_in, to_document
from gaia_email.triage.learn.corrections import retract_numbers
from gaia_email.triage.learn.owner_actions import LEFT_ALONE, OwnerAction, owner_action_of
from gaia_email.triage.learn.teach import (
    Habit,
    HeldBackAgreement,
    MovedThread,
    TeachingSession,
    answered_in,
    chosen_of,
    find_moved,
    pool_of,
    suspicious,
)
from gaia_email_registry.errors import BadArgument, NotFound
from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Bucket

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.ledger import Correction
    from gaia_email.mailbox.reader import MailReader


class TeachingQuestion(Document, frozen=True, kw_only=True):
    """A message that the user is asked about, and its bucket; `from_` is the sender's name or address."""

    id: str
    from_: str
    address: str
    subject: str
    bucket: Bucket

    @staticmethod
    def of(found: FoundMessage) -> TeachingQuestion:
        """Make a question from a message."""
        sender = found.summary["from"]
        return TeachingQuestion(
            id=found.summary["id"],
            from_=sender["name"] or sender["address"],
            address=sender["address"],
            subject=found.summary["subject"],
            bucket=found.understood.verdict.bucket,
        )


class MovedMessage(Document, frozen=True, kw_only=True):
    """A message that the answers moved to another bucket; `from_` is the sender's address."""

    id: str
    from_: str
    subject: str
    was: Bucket
    bucket: Bucket


class TeachingOutcome(Document, frozen=True, kw_only=True):
    """The questions and answers of a sitting, how well the answers were learned, and the other mail they moved."""

    account: str
    questions: tuple[TeachingQuestion, ...] = ()
    answered: Count = 0
    skipped: Count = 0
    left: Count = 0
    agreement: HeldBackAgreement = HeldBackAgreement()
    changed: tuple[MovedMessage, ...] = ()
    habits: tuple[Habit, ...] = ()


class TaughtLesson(Document, frozen=True, kw_only=True):
    """A lesson that the user taught, by a correction or an action."""

    number: Count
    account: str
    id: str
    sender: str
    was: SaidBucket | None
    bucket: SaidBucket | None
    deed: OwnerAction | None


class LessonList(Document, frozen=True, kw_only=True):
    """Lessons, newest first."""

    lessons: list[TaughtLesson]


class Sitting:
    """A sitting: the mailbox before it, its questions, and the mailbox after it.

    Attributes:
        questions: The messages that are asked about.
        account: The account of the mailbox.
    """

    def __init__(self, app: App, source: SourceSpec, *, count: int, ids: Sequence[str] | None = None) -> None:
        """Sort the inbox and choose `count` questions, or use the messages named in `ids`.

        Raises:
            BadArgument: A named message is marked as suspicious.
            NotFound: A named message does not exist.
            MailError: The mailbox cannot be read.
        """
        self._app = app
        self._source, self._tier = source, BuiltinTier()
        rules, owner = stored_rules(environ=app.environ), owner_of(app, source)

        async def look(mail: MailReader) -> tuple[Inbox, list[FoundMessage]]:
            inbox = await triage(mail, self._tier, now=self._app.clock(), owner=owner, rules=rules)
            wanted = pool_of(inbox, _answered(app, inbox.account)) if ids is None else ids
            own = replace(rules, says=OwnerSays())  # record the verdict of the rules alone
            return inbox, await look_up_all(
                mail, self._tier, wanted, now=self._app.clock(), owner=owner, rules=own
            )

        self._before, found = with_copy(app, source, look, now=app.clock())
        for one in found if ids is not None else ():
            if suspicious(one.understood.verdict):
                raise BadArgument(f"{one.summary['id']} is marked as suspicious; no lesson is drawn from it.")
        self.account = self._before.account
        self.questions: list[FoundMessage] = found if ids is not None else chosen_of(found, count, self._tier)

    def outcome(
        self,
        agreement: HeldBackAgreement | None = None,
        changed: Sequence[MovedThread] = (),
        *,
        answered: int = 0,
        skipped: int = 0,
        habits: Sequence[Habit] = (),
    ) -> TeachingOutcome:
        """Describe the sitting and its results so far."""
        return TeachingOutcome(
            account=self.account,
            questions=tuple(map(TeachingQuestion.of, self.questions)),
            answered=answered,
            skipped=skipped,
            left=len(self.questions) - answered - skipped,
            agreement=agreement or HeldBackAgreement(),
            changed=tuple(
                MovedMessage(
                    id=one.summary["id"],
                    from_=one.summary["from"]["address"],
                    subject=one.summary["subject"],
                    was=one.was,
                    bucket=one.bucket,
                )
                for one in changed
            ),
            habits=tuple(habits),
        )

    @contextmanager
    def lesson(self) -> Generator[TeachingSession, None, None]:
        """Accept the answers; each is stored at once."""
        with self._app.ledger() as ledger:
            yield TeachingSession(ledger=ledger, tier=self._tier, questions=self.questions)

    def finish(self) -> list[MovedThread]:
        """Learn from mail that was read and left alone, and return the other threads that the answers moved."""
        owner, now = owner_of(self._app, self._source), self._app.clock()

        async def look(mail: MailReader) -> Inbox:
            with self._app.ledger() as ledger:
                await notice(
                    ledger,
                    mail,
                    self._tier,
                    stored_rules(environ=self._app.environ),
                    owner=owner,
                    now=now,
                    actions=LEFT_ALONE,
                )
            return await triage(
                mail, self._tier, now=now, owner=owner, rules=stored_rules(environ=self._app.environ)
            )

        asked = [found.summary["id"] for found in self.questions]
        return find_moved(self._before, with_copy(self._app, self._source, look, now=now), asked)


def measure_lesson(
    app: App, source: SourceSpec, answers: Mapping[str, Bucket], shown: Mapping[str, Bucket], *, actor: str
) -> TeachingOutcome:
    """Measure how well the answers of a finished lesson were learned, and store the result.

    Args:
        app: The program.
        source: The mailbox.
        answers: The bucket that the user chose for each message, in the order of the questions.
        shown: The bucket of each message when it was asked about.
        actor: The author of the record.

    Raises:
        BadArgument: A message is marked as suspicious.
        NotFound: A message is gone.
        MailError: The mailbox or the ledger cannot be used.
    """
    sitting = Sitting(app, source, count=len(answers), ids=list(answers))
    with sitting.lesson() as lesson:
        lesson.answers = dict(answers)
        agreement = lesson.agreement(shown)
        lesson.note(agreement, sitting.account, actor=actor)
    return TeachingOutcome(account=sitting.account, agreement=agreement)


def _answered(app: App, account: str) -> set[str]:
    if not has_ledger(environ=app.environ):
        return set()
    with app.ledger() as ledger:
        return answered_in(ledger, account)


def lessons_taught(app: App) -> list[Correction]:
    """Return the lessons that the user taught by corrections and answers, oldest first."""
    if not has_ledger(environ=app.environ):
        return []
    with app.ledger(read_only=True) as ledger, ledger.read() as tx:
        return ledger.corrections.since(tx)


def list_lessons(app: App) -> LessonList:
    """List the lessons that the user taught, newest first."""
    return LessonList(
        lessons=[
            TaughtLesson(
                number=one.id,
                account=one.account_id,
                id=one.message_id,
                sender=one.sender,
                was=one.original.bucket,
                bucket=one.corrected.bucket,
                deed=owner_action_of(one.features),
            )
            for one in reversed(lessons_taught(app))
        ]
    )


def notice_behaviour(app: App, source: SourceSpec) -> int:
    """Learn from the owner's actions since the last check; return the number of new lessons.

    Raises:
        BadArgument: The user switched this off.
        MailError: The mailbox or the ledger cannot be used.
    """
    rules, owner = stored_rules(environ=app.environ), owner_of(app, source)
    if not rules.policy.behaviour:
        raise BadArgument(
            "Learning from what you do is switched off.",
            hint="gaia email policy set --behaviour on switches it on.",
        )
    with app.ledger() as ledger:

        async def look(mail: MailReader) -> int:
            return await notice(ledger, mail, app.tier(), rules, owner=owner, now=app.clock())

        return with_copy(app, source, look, now=app.clock())


def lessons_to_carry(app: App) -> dict[str, object]:
    """Return all lessons as a document for another machine."""
    return to_document(lessons_taught(app))


def take_in_lessons(app: App, document: object, *, actor: str) -> CarriedLessons:
    """Store the lessons of such a document, all or none.

    Raises:
        BadArgument: It is not such a document.
        MailError: The ledger cannot be written.
    """
    with app.ledger() as ledger:
        return take_in(ledger, document, actor=actor)


def take_back(app: App, numbers: Sequence[int], *, actor: str) -> None:
    """Retract lessons, as if they had never been taught.

    Raises:
        NotFound: One of the numbers is not a lesson.
        MailError: The ledger cannot be written.
    """
    known = {one.id for one in lessons_taught(app)}
    for number in numbers:
        if number not in known:
            raise NotFound(
                f"There is no lesson {number}.", argument="N", hint="gaia email lessons lists them."
            )
    with app.ledger() as ledger:
        retract_numbers(ledger, numbers, actor=actor)
