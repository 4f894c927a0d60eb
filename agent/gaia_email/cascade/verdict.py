"""What understanding gives: `Verdict`; what it may know beyond the message: `Context`; who gives it: `Tier`.

`OwnerModel` is what one mailbox's owner has taught.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from gaia_email.prepare.extract.model import Entities
from gaia_email.prepare.model import Prepared
from gaia_mail.mime.receiving import FieldPosition

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
"""Likelihood from which a person is warned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a message looks like to an owner's model; no word of it, only marks of words (CRC-32).

    Attributes:
        bucket: What the shipped model and the rules say.
        chances: What the shipped model thinks of each of `BUCKETS`, in that order.
        about: What its words are about: marks of the classes they belong to.
        words: Its words' beginnings, of subject, text and sender's name.
        subject: Those of its subject.
        sender: The sender's address; 0 for none.
        kinds: What kind of mail it is: who writes, its category, what it does, and which kinds of phrases it holds.
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
    """Where an owner's corrections would rather have a message.

    Attributes:
        was: Where the message would be without them.
        chance: How likely the owner would say so, by what the model knows.
        alike: How many of the corrections into this bucket resemble the message.
        noticed: How many messages like it the owner did something with, where only that moves it.
    """

    bucket: Bucket
    was: Bucket
    chance: float
    alike: int
    noticed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """How a message would stand, were the bucket of its own day another one.

    Attributes:
        bucket: The bucket by now, after what time takes from it.
        late: Whether something of it is over.
        said: Its reason, uncut.
        ending: What the reason ends with, whatever is cut of it.
    """

    bucket: Bucket
    late: bool
    said: str
    ending: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Teachable:
    """What the owner's lessons need of a message beside its verdict (`lessons.taught`).

    Attributes:
        seen: What the message looks like to an owner's model.
        awaits: Whether an answer is awaited where the user is needed.
        placements: How it would stand in each of `BUCKETS`, in that order; empty where no lesson may move it.
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
"""How bad a mistake is."""

WEIGHTS: Mapping[Weight, float] = {"light": 0.5, "usual": 1.0, "grave": 2.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conventions:
    """What its owner set about where mail belongs.

    Attributes:
        buckets: Where mail of a kind belongs, by the kind's name; as judged where a kind is not named.
        missing: How bad it is to miss something urgent.
        reading: How bad it is to be shown what is worth nothing.
    """

    buckets: tuple[tuple[Convention, Bucket], ...] = ()
    missing: Weight = "usual"
    reading: Weight = "usual"

    @property
    def costs(self) -> Mapping[str, float]:
        """How many times as bad as usual it is to take a message of these buckets for another."""
        return {"urgent": WEIGHTS[self.missing], "low_priority": WEIGHTS[self.reading]}


USUAL = Conventions()
"""What holds where its owner set nothing."""


class OwnerModel(Protocol):
    """What the owner of one mailbox has taught by corrections."""

    def lean(self, seen: Seen) -> Lean | None:
        """Where such a message belongs by what was taught; None where that is where it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the mailbox knows about a message's sender and thread, from before the message (but `answered`).

    Attributes:
        owner: The user's own addresses, lower case.
        first_contact: True when neither side wrote to the other before; None when nobody can say
            (a single message without a mailbox around it).
        received_before: Earlier messages from this sender.
        written_to: Messages the user has sent to this sender, up to this one.
        owner_in_thread: The user wrote an earlier message of this thread.
        answered: The user wrote in this thread after this message.
        known_domains: Domains the user has written to, for look-alike checks.
        vip: The user named this sender a VIP.
        receivers: Where the mailbox's server is seen to write Authentication-Results.
        age_s: Seconds by which the mailbox's newest message is younger, by whose clock old mail fades; 0 judges a
            message as of its own date.
        usual_wait_s: Seconds within which the user gave half of their answers to this sender; None where too few are
            known.
        conventions: What the owner set about where mail belongs; None where nothing was.
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
    """One thing that moved the priority. `evidence` is exact text of the message (subject, header or body)."""

    name: str
    weight: float
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Priority:
    """How much the message wants the user's attention, and one sentence that says why.

    The score lies in the band of the verdict's bucket (`bands`).
    """

    score: float
    reason: str
    signals: tuple[Signal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A suspicion between 0 and 1 (0.5 counts as yes), with reasons in words that quote the message."""

    score: float = 0.0
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Authentication:
    """SPF, DKIM and DMARC as an Authentication-Results header states them (RFC 8601), else `none`.

    `trusted` is True when its authserv-id is configured or is the host of the topmost Received header; what an
    untrusted header says is shown, and may make the user more careful, but never less.
    """

    spf: str = "none"
    dkim: str = "none"
    dmarc: str = "none"
    trusted: bool = False


def trusts_sender(authentication: Authentication, imitates: bool) -> bool:
    """Whether the name in `From` may be relied upon. An untrusted header can only take trust away."""
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

    `imitates` is the domain that the sender's imitates, empty for none. `withheld` are cohorts that would hold, were
    the sender to be relied upon. `for_machines` says that some of its words may be meant for a machine rather than
    for its reader: no language model is shown them.
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
        """What the person should be warned of, the gravest first."""
        scores = (self.phishing.score, self.injection.score, self.spam)
        return tuple(name for name, score in zip(WARNINGS, scores, strict=True) if score >= WARNED_FROM)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondWord:
    """What a language model of this machine said where the rules were unsure, and whose word stood.

    Attributes:
        tier: The tier that spoke last: `T1` or `T2`.
        model: The model's name.
        prompt: The version of prompt and schema that it was asked with.
        by_rules: The bucket by rules and the shipped model.
        by_model: The bucket by the language model.
        stands: Whose bucket the verdict has; `model` also where its word only moved part of the way.
        evidence: Words of the message that the model pointed at.
        sentence: What it said of its own, checked for its form and for nothing else; empty when nothing.
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
    """What a tier says about one message.

    `speech_acts` has a probability for every act, `speech_act` is the most probable one. `confidence` is
    the probability that the bucket of the message's own day is what the user would say, at most 0.99. `summary`
    is one line about the content, made of the message's own words. `steady` are the ages, in seconds and both
    exclusive, between which the same message gives the same verdict (`fading.steady`); none by default. `second` is
    None where no language model was asked. `is_over`: the day that the message names has passed, or it has waited
    too long (`fading.fade`). `teachable` is what lessons need to move it; it says nothing of its own.
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
        """Understand one message. Never raises on account of what the message holds."""
        ...
