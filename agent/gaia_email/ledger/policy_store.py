"""The user's policy, switches and lessons in the ledger. Entry points: `load_policy` to read, `PolicyStore` to change.

There are three documents: `policy`, `switches` and `scripts`. Every change is saved in one transaction with its event
`policy.changed`, and only over the version that was read: of two concurrent changes, one is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import structs

from gaia_email.policy.document import Policy
from gaia_email.policy.earned import LevelProposal, OutcomeKind, ProposalOutcome, propose, take_back
from gaia_email.policy.levels import BY_TRIAGE
from gaia_email.policy.owner_says import OneCorrection, OwnerSays
from gaia_email.policy.switches import STOPPED, Switches, holds_run
from gaia_email.policy.user_rules import UserRules
from gaia_email_registry import clock
from gaia_email_registry.halt import Halt, read_halt
from gaia_email_registry.paths import home

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Correction, Ledger
    from gaia_understanding.cascade.model.owner import Owners

POLICY, SWITCHES, SCRIPTS = "policy", "switches", "scripts"
CHANGED = "policy.changed"
NOT_SAID: Final = "implied"
MOST_DEEDS = 100
"""Maximum number of lessons from observed behaviour (source `NOT_SAID`); the newest are used."""

DATABASE_URL = "GAIA_EMAIL_DATABASE_URL"

OUTCOMES: Mapping[str, OutcomeKind] = {
    "approval.granted": "confirmed",
    "approval.refused": "corrected",
    "correction.recorded": "corrected",
    "action.reversed": "corrected",
    CHANGED: "changed",
}
"""Meaning of an event for the level of the cohort in its payload."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPolicy:
    """The stored policy and switches; version 0 is a new user's, which is not stored yet."""

    policy: Policy = field(default_factory=Policy)
    switches: Switches = field(default_factory=Switches)
    says: OwnerSays = field(default_factory=OwnerSays)
    taken_back: frozenset[tuple[str, str]] = frozenset()
    owners: Owners | None = None
    policy_version: int = 0
    switches_version: int = 0

    @property
    def rules(self) -> UserRules:
        """The rules for going through a mailbox."""
        return UserRules(
            policy=self.policy,
            switches=self.switches,
            says=self.says,
            taken_back=self.taken_back,
            owners=self.owners,
        )


def has_ledger(environ: Mapping[str, str]) -> bool:
    """Return True if a ledger exists, so that reading does not create one."""
    return bool(environ.get(DATABASE_URL)) or Path(home(environ) / "email" / "ledger.db").exists()


def explain_hold(environ: Mapping[str, str]) -> str:
    """Return why nothing may start by itself now (stopped, paused) and how to end it; empty if it may.

    Raises:
        MailError: As in `load_policy`.
    """
    now = clock.now()
    by_file = holds_run(with_halt(Switches(), read_halt(environ)), None, now=now, scheduled=True)
    hold = by_file or holds_run(load_policy(environ).switches, None, now=now, scheduled=True)
    return "" if hold is None else hold.reason


def with_halt(switches: Switches, halt: Halt) -> Switches:
    """Return the switches with a stop or pause in the halt file added; it takes precedence over the ledger."""
    return structs.replace(
        switches,
        stopped_at=switches.stopped_at if halt.stopped_at is None else halt.stopped_at,
        paused_at=switches.paused_at if halt.paused_at is None else halt.paused_at,
    )


def load_policy(environ: Mapping[str, str]) -> StoredPolicy:
    """Return the user's decisions, or those of a new user.

    Raises:
        MailError: The ledger cannot be read, or its policy is not understood; no defaults are assumed.
    """
    if not has_ledger(environ):
        return StoredPolicy(switches=with_halt(Switches(), read_halt(environ)))
    from gaia_email.ledger import open_ledger

    with open_ledger(environ=environ, read_only=True) as ledger, ledger.read() as tx:
        return PolicyStore(ledger).read(tx)


def stored_rules(environ: Mapping[str, str]) -> UserRules:
    """Return the rules of the stored policy."""
    return load_policy(environ).rules


def open_proposals(environ: Mapping[str, str], policy: Policy) -> tuple[LevelProposal, ...]:
    """Return the higher levels that could be offered to the user now."""
    if not has_ledger(environ):
        return ()
    from gaia_email.ledger import open_ledger

    with open_ledger(environ=environ, read_only=True) as ledger, ledger.read() as tx:
        return PolicyStore(ledger).proposals(tx, policy)


def says_of(in_force: Iterable[Correction]) -> OwnerSays:
    """Return the user's corrections; an action that fits its message's bucket counts as "left alone"."""
    return OwnerSays.of(
        OneCorrection(
            account=one.account_id,
            message_id=one.message_id,
            sender=one.sender,
            was=one.original.bucket,
            now=one.corrected.bucket,
            left_alone=one.source == NOT_SAID,
        )
        for one in in_force
        if one.source != NOT_SAID or one.original.bucket == one.corrected.bucket
    )


def owners_of(in_force: Sequence[Correction]) -> Owners | None:
    """Return lessons from corrections and the newest actions, by account; None if there are none."""
    told = [one for one in in_force if one.source != NOT_SAID]
    done = [one for one in in_force if one.source == NOT_SAID]
    corrections = [*done[-MOST_DEEDS:], *told]
    if not corrections:
        return None
    from gaia_understanding.cascade.model.owner import (  # imported late, because it loads the whole classifier
        NOTICED,
        OwnerLesson,
        Owners,
        bucket_named,
        seen_from_json,
        seen_of_sender,
    )

    lessons: dict[str, list[OwnerLesson]] = {}
    for one in corrections:
        bucket = bucket_named(one.corrected.bucket)
        seen = seen_from_json(one.features.get("seen"))
        if seen is None and one.sender:
            was = bucket_named(one.original.bucket)
            seen = None if was is None else seen_of_sender(one.sender, was)
        if bucket is not None and seen is not None:
            weight = NOTICED if one.source == NOT_SAID else 1.0
            lessons.setdefault(one.account_id, []).append(
                OwnerLesson(number=one.id, seen=seen, bucket=bucket, weight=weight)
            )
    return Owners(lessons)


class PolicyStore:
    """Reads and changes the policy and switches; every method takes the connection of a transaction."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def read(self, tx: Connection) -> StoredPolicy:
        """Read both documents and the user's corrections and lessons.

        Raises:
            BadArgument: A document is invalid.
        """
        kept = self._ledger.documents.read(tx, POLICY)
        policy = Policy() if kept is None else Policy.from_json(kept.value)
        in_force = [
            one for one in self._ledger.corrections.since(tx) if policy.behaviour or one.source != NOT_SAID
        ]
        return replace(
            self.read_switches(tx),
            policy=policy,
            policy_version=kept.version if kept else 0,
            taken_back=self._ledger.actions.taken_back(tx, BY_TRIAGE),
            says=says_of(in_force),
            owners=owners_of(in_force),
        )

    def read_switches(self, tx: Connection) -> StoredPolicy:
        """Read only the switches, with the halt file applied, so that they work even if the policy is invalid.

        Raises:
            BadArgument: The switches are invalid.
        """
        noted = self.noted_switches(tx)
        return replace(noted, switches=with_halt(noted.switches, read_halt(self._ledger.environ)))

    def noted_switches(self, tx: Connection) -> StoredPolicy:
        """Read the switches as stored in the ledger.

        Raises:
            BadArgument: The switches are invalid.
        """
        switches = self._ledger.documents.read(tx, SWITCHES)
        if switches is None:
            return StoredPolicy()
        return StoredPolicy(switches=Switches.from_json(switches.value), switches_version=switches.version)

    def save_policy(
        self,
        tx: Connection,
        policy: Policy,
        over: StoredPolicy,
        *,
        change: Mapping[str, object],
        actor: str = "user",
    ) -> StoredPolicy:
        """Replace the policy that was read, and log an event with `change`.

        Raises:
            BadArgument: The policy changed since it was read (`LostRace`).
        """
        if policy == over.policy:
            return over
        version = self._ledger.documents.write(tx, POLICY, policy.to_json(), over.policy_version)
        self._tell(tx, actor, {"version": version, **change})
        return replace(over, policy=policy, policy_version=version)

    def save_switches(
        self,
        tx: Connection,
        switches: Switches,
        over: StoredPolicy,
        *,
        change: Mapping[str, object],
        actor: str = "user",
    ) -> StoredPolicy:
        """Replace the switches that were read, and log an event with `change`.

        Raises:
            BadArgument: The switches changed since they were read (`LostRace`).
        """
        if switches == over.switches:
            return over
        version = self._ledger.documents.write(tx, SWITCHES, switches.to_json(), over.switches_version)
        self._tell(tx, actor, {"version": version, **change})
        return replace(over, switches=switches, switches_version=version)

    def read_scripts(self, tx: Connection) -> tuple[bool, int]:
        """Return True if scripts may approve for the user, and the document's version (0 if it does not exist)."""
        kept = self._ledger.documents.read(tx, SCRIPTS)
        return (False, 0) if kept is None else (kept.value.get("answer") is True, kept.version)

    def save_scripts(self, tx: Connection, *, answer: bool, actor: str = "user") -> None:
        """Allow or forbid that scripts approve for the user, and log an event.

        Raises:
            BadArgument: The setting changed since it was read (`LostRace`).
        """
        before, version = self.read_scripts(tx)
        if before == answer:
            return
        self._ledger.documents.write(tx, SCRIPTS, {"answer": answer}, version)
        self._tell(tx, actor, {"what": "scripts_answer", "from": before, "to": answer})

    def take_back_step(self, tx: Connection, cohort: str, *, actor: str = "user") -> StoredPolicy:
        """Take back an earned step of the cohort's level after a correction, if there is one.

        Call it in the transaction that records the correction.
        """
        stored = self.read(tx)
        policy = take_back(stored.policy, cohort)
        if policy == stored.policy:
            return stored
        change = {
            "what": "earned_step_taken_back",
            "cohort": cohort,
            "from": stored.policy.cohort(cohort).level,
            "to": policy.cohort(cohort).level,
        }
        return self.save_policy(tx, policy, stored, change=change, actor=actor)

    def proposals(self, tx: Connection, policy: Policy) -> tuple[LevelProposal, ...]:
        """Return the higher levels that the user's confirmations justify; none is applied without asking."""
        return propose(policy, self._outcomes(tx))

    def _outcomes(self, tx: Connection) -> list[ProposalOutcome]:
        found: list[tuple[int, ProposalOutcome]] = []
        for name, kind in OUTCOMES.items():
            seq = 0
            while events := self._ledger.events.since(tx, seq, kind=name):
                found += (
                    (event.seq, ProposalOutcome(cohort=cohort, kind=kind))
                    for event in events
                    if isinstance(cohort := event.payload.get("cohort"), str)
                )
                seq = events[-1].seq
        return [outcome for _, outcome in sorted(found, key=lambda pair: pair[0])]

    def _tell(self, tx: Connection, actor: str, payload: Mapping[str, object]) -> None:
        from gaia_email.ledger import NewLedgerEvent

        self._ledger.events.append(tx, NewLedgerEvent(kind=CHANGED, actor=actor, payload=payload))


class StoredBrakes:
    """Checks of the switches by a run, before it starts and between any two effects."""

    def __init__(self, ledger: Ledger, *, scheduled: bool = False) -> None:
        """`scheduled` is True if a schedule started the run, so that quiet hours apply."""
        self._ledger = ledger
        self._scheduled = scheduled

    def explain_hold(self) -> str:
        """Return a sentence on why no new run may start; empty if one may."""
        if self._is_stopped_by_file():
            return STOPPED.reason
        with self._ledger.read() as tx:
            found = PolicyStore(self._ledger).read(tx)
        hold = holds_run(
            found.switches, found.policy.quiet_hours, now=self._ledger.clock(), scheduled=self._scheduled
        )
        return "" if hold is None else hold.reason

    def explain_halt(self) -> str:
        """Return a sentence on why a current run must end; empty if it may continue.

        A stop is read from a file, so it works even if the ledger is locked or damaged.
        """
        if self._is_stopped_by_file():
            return STOPPED.reason
        with self._ledger.read() as tx:
            switches = PolicyStore(self._ledger).read_switches(tx).switches
        now = self._ledger.clock()
        hold = holds_run(switches, None, now=now, scheduled=False, started_at=float("-inf"))
        return "" if hold is None else hold.reason

    def _is_stopped_by_file(self) -> bool:
        return read_halt(self._ledger.environ).stopped_at is not None
