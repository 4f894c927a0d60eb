"""The types of understanding: `Verdict`, its `Context`, the `Tier` that gives it, and the `OwnerModel` of lessons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gaia_mail.mime.receiving import FieldPosition
from gaia_understanding.prepare.extract.model import Entities
from gaia_understanding.prepare.model import Prepared

Bucket = Literal["urgent", "actionable", "informational", "low_priority"]
Category = Literal["primary", "newsletters", "notifications", "promotions", "receipts", "social"]
SpeechAct = Literal["request", "commit", "deliver", "propose", "meet", "amend", "fyi"]
Cohort = Literal[
    "vip",
    "newsletters",
    "social",
    "transactional",
    "first_contact",
    "intra_org",
    "cross_org",
    "default",
]

BUCKETS: tuple[Bucket, ...] = ("urgent", "actionable", "informational", "low_priority")
CATEGORIES: tuple[Category, ...] = (
    "primary",
    "newsletters",
    "notifications",
    "promotions",
    "receipts",
    "social",
)
SPEECH_ACTS: tuple[SpeechAct, ...] = ("request", "commit", "deliver", "propose", "meet", "amend", "fyi")

WarningName = Literal["phishing", "injection", "spam"]
WARNINGS: tuple[WarningName, ...] = ("phishing", "injection", "spam")
WARNED_FROM = 0.5
"""The likelihood from which the user is warned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """The features of a message for an owner's model: hashes of its words (CRC-32), never the words themselves.

    Attributes:
        bucket: The bucket by the shipped model and the rules.
        chances: The shipped model's probability of each of `BUCKETS`, in that order.
        about: Its topics: hashes of the classes that its words belong to.
        words: Hashes of the beginnings of its words, from subject, text and sender's name.
        subject: The hashes of its subject alone.
        sender: The hash of the sender's address; 0 for none.
        kinds: Its kind: who writes, its category, what it does, and the kinds of phrases that it contains.
    """

    bucket: Bucket
    chances: tuple[float, ...]
    about: tuple[int, ...] = ()
    words: tuple[int, ...] = ()
    subject: tuple[int, ...] = ()
    sender: int = 0
    kinds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lean:
    """The bucket that an owner's corrections prefer for a message.

    Attributes:
        was: The bucket without them.
        chance: The model's estimate of how likely the owner would choose `bucket`.
        alike: Corrections into this bucket that resemble the message.
        noticed: Messages like it that the owner acted on, if only those move it.
    """

    bucket: Bucket
    was: Bucket
    chance: float
    alike: int
    noticed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """The place that a message would get if it were in another bucket on its own day.

    Attributes:
        bucket: The present bucket, after fading.
        late: True if the message is past or overdue.
        said: Its reason, uncut.
        ending: The end of the reason, which is kept when the reason is cut.
    """

    bucket: Bucket
    late: bool
    said: str
    ending: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Teachable:
    """The data that the owner's lessons need in addition to a verdict (`lessons.apply_lessons`).

    Attributes:
        seen: The features of the message for an owner's model.
        awaits: True if an answer is awaited, provided that the user is needed.
        placements: Its placement in each of `BUCKETS`, in that order; empty if no lesson may move it.
    """

    seen: Seen
    awaits: bool
    placements: tuple[Placement, ...]


Convention = Literal["undated-business", "private-notes", "alarming-fyi", "bills", "calendar", "copies"]
"""Kinds of mail about which people differ."""

CONVENTION_WORDS: Mapping[Convention, str] = {
    "undated-business": "business mail that asks something and names no day",
    "private-notes": "private notes that ask nothing",
    "alarming-fyi": "alarming news that asks nothing of you",
    "bills": "bills",
    "calendar": "calendar mail",
    "copies": "mail you get a copy of",
}

Weight = Literal["light", "usual", "grave"]
"""The severity of a mistake."""

WEIGHTS: Mapping[Weight, float] = {"light": 0.5, "usual": 1.0, "grave": 2.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """The owner's settings for where mail belongs.

    Attributes:
        buckets: The bucket of each named kind; mail of other kinds stays as judged.
        missing: How bad it is to miss something urgent.
        reading: How bad it is to be shown something worthless.
    """

    buckets: tuple[tuple[Convention, Bucket], ...] = ()
    missing: Weight = "usual"
    reading: Weight = "usual"

    @property
    def costs(self) -> Mapping[str, float]:
        """The cost of mistaking a message of these buckets for another, as a multiple of the usual cost."""
        return {"urgent": WEIGHTS[self.missing], "low_priority": WEIGHTS[self.reading]}


USUAL = Conventions()
"""The conventions of an owner who set none."""


class OwnerModel(Protocol):
    """The lessons that one mailbox's owner has taught by corrections."""

    def lean(self, seen: Seen) -> Lean | None:
        """Return the bucket that the lessons prefer for such a message; None if they would not move it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The mailbox's knowledge of a message's sender and thread, from before the message (except `answered`).

    Attributes:
        owner: The user's own addresses, lower case.
        first_contact: True if neither side wrote to the other before; None if that is unknown (a single message
            without a mailbox around it).
        received_before: Earlier messages from this sender.
        written_to: Messages that the user has sent to this sender, up to this one.
        owner_in_thread: True if the user wrote an earlier message of this thread.
        answered: True if the user wrote in this thread after this message.
        known_domains: Domains that the user has written to, for look-alike checks.
        vip: True if the user named this sender a VIP.
        receivers: Header positions at which the mailbox's server was seen to write Authentication-Results.
        age_s: Seconds by which the mailbox's newest message is younger, by whose clock old mail fades; 0 judges a
            message as of its own date.
        usual_wait_s: Seconds within which the user gave half of their answers to this sender; None if too few are
            known.
        conventions: The owner's settings for where mail belongs; None if there are none.
    """

    owner: frozenset[str] = frozenset()
    first_contact: bool | None = None
    received_before: int = 0
    written_to: int = 0
    owner_in_thread: bool = False
    answered: bool = False
    known_domains: frozenset[str] = frozenset()
    vip: bool = False
    receivers: frozenset[FieldPosition] = frozenset()
    age_s: float = 0.0
    usual_wait_s: float | None = None
    conventions: Conventions | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One reason for the priority. `evidence` is exact text of the message (subject, header or body)."""

    name: str
    weight: float
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Priority:
    """A message's claim to the user's attention, and one sentence that gives the reason.

    The score is in the band of the verdict's bucket (`bands`).
    """

    score: float
    reason: str
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A suspicion between 0 and 1 (0.5 counts as yes), with reasons that quote the message."""

    score: float = 0.0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """SPF, DKIM and DMARC as an Authentication-Results header states them (RFC 8601), else `none`.

    `trusted` is True if its authserv-id is configured or is the host of the topmost Received header. The
    results of an untrusted header are shown and may make the user more careful, but never less.
    """

    spf: str = "none"
    dkim: str = "none"
    dmarc: str = "none"
    trusted: bool = False


def trusts_sender(authentication: Authentication, imitates: bool) -> bool:
    """Return True if the name in `From` is reliable. An untrusted header can only take trust away."""
    return authentication.dmarc != "fail" and not imitates


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsubscribeTargets:
    """List-Unsubscribe targets; `one_click` is RFC 8058 (an https target and the -Post header)."""

    one_click: bool = False
    url: str = ""
    mailto: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """Judgements that do not depend on the content category.

    `imitates` is the domain that the sender's domain imitates, empty for none. `withheld` are cohorts that
    would apply if the sender were reliable. `for_machines` is True if some of the text may be addressed to a
    machine rather than to the reader: no language model is shown the message.
    """

    bulk: bool = False
    spam: float = 0.0
    phishing: Suspicion = field(default_factory=Suspicion)
    injection: Suspicion = field(default_factory=Suspicion)
    unsubscribe: UnsubscribeTargets | None = None
    authentication: Authentication = field(default_factory=Authentication)
    imitates: str = ""
    withheld: tuple[Cohort, ...] = ()
    for_machines: bool = False

    @property
    def warnings(self) -> tuple[WarningName, ...]:
        """The warnings that the user should see, the gravest first."""
        scores = (self.phishing.score, self.injection.score, self.spam)
        return tuple(name for name, score in zip(WARNINGS, scores, strict=True) if score >= WARNED_FROM)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondWord:
    """The answer of a language model on this machine when the rules were unsure, and the side that won.

    Attributes:
        tier: The last tier that answered: `T1` or `T2`.
        model: The model's name.
        prompt: The version of prompt and schema that it was asked with.
        by_rules: The bucket by rules and the shipped model.
        by_model: The bucket by the language model.
        stands: The side whose bucket the verdict has; `model` also if its answer moved it only part of the way.
        evidence: Text of the message that the model pointed at.
        sentence: A sentence by the model itself, checked only for its form; empty if there is none.
    """

    tier: Literal["T1", "T2"]
    model: str
    prompt: str
    by_rules: Bucket
    by_model: Bucket
    stands: Literal["rules", "model"]
    evidence: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A tier's judgement of one message.

    `speech_acts` has a probability for every act, `speech_act` is the most probable one. `confidence` is the
    probability that the user would choose the same bucket on the message's own day, at most 0.99. `summary`
    is one line about the content, in the message's own words. `steady` are the ages, in seconds and both
    exclusive, between which the same message gives the same verdict (`fading.steady`); none by default.
    `second` is None if no language model was asked. `is_over` is True if the day that the message names has
    passed, or if it has waited too long (`fading.fade`). `teachable` is the data that lessons need to move
    the verdict.
    """

    bucket: Bucket
    content_category: Category
    labels: tuple[str, ...]
    speech_act: SpeechAct
    speech_acts: Mapping[SpeechAct, float]
    cohort: Cohort
    needs_reply: bool
    confidence: float
    tier: str
    priority: Priority
    summary: str
    entities: Entities
    flags: Flags
    steady: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    second: SecondWord | None = None
    is_over: bool = False
    teachable: Teachable | None = field(default=None, compare=False, repr=False)


class Tier(Protocol):
    """A level of the cascade: rules, the learned model, or a local language model."""

    @property
    def name(self) -> str:
        """`T0`, `T1`, `T2` or `T3`, as stored in a verdict's `tier`."""
        ...

    def judge(self, prepared: Prepared, context: Context) -> Verdict:
        """Judge one message. Never raises on account of its content."""
        ...
