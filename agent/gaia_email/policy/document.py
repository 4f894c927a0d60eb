"""The user's decisions as one document: `Policy`. `Policy.from_json` reads what `to_json` writes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import get_args

from gaia_email.policy import conventions
from gaia_email.policy.levels import check_level
from gaia_email.policy.protection import Protected, holds, normalize_value
from gaia_email.policy.rules import MAX_RULES, PolicyRule, parse_rule
from gaia_email.policy.switches import QuietHours
from gaia_email.policy.wire import ObjectFields, read_object
from gaia_email_registry.errors import BadArgument, NotFound, StateConflict
from gaia_understanding.cascade.verdict import Cohort, Conventions

BUILT_IN: tuple[Cohort, ...] = get_args(Cohort)
"""The built-in cohorts, in the order in which they are tried."""

DEFAULT_LEVELS: dict[str, int] = {
    "vip": 2,
    "newsletters": 5,
    "social": 5,
    "transactional": 4,
    "first_contact": 1,
    "intra_org": 2,
    "cross_org": 1,
    "default": 2,
}

UNSURE_BELOW = 0.6
FORMAT = 1
MAX_COHORTS, MAX_VIPS = 100, 10_000

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyCohort:
    """A set of senders and the autonomy level for their mail.

    Attributes:
        name: The cohort's name.
        level: 0 to 5.
        rules: Rules of a user's cohort, which applies if any rule matches. Built-in cohorts have none.
        earned: Number of steps of `level` earned by confirmations; each correction takes one back.
    """

    name: str
    level: int
    rules: tuple[PolicyRule, ...] = ()
    earned: int = 0

    @property
    def is_built_in(self) -> bool:
        """True if the cohort comes with the program."""
        return self.name in BUILT_IN


def default_cohorts() -> tuple[PolicyCohort, ...]:
    """Return the built-in cohorts with their initial levels."""
    return tuple(PolicyCohort(name=name, level=DEFAULT_LEVELS[name]) for name in BUILT_IN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Everything the user can decide beforehand.

    Attributes:
        cohorts: In the order in which they are tried; the first match wins, and `default` is last.
        vips: Lower-case addresses, sorted.
        protected: Senders, labels and threads that nothing automated may touch.
        quiet_hours: Hours without alerts and scheduled runs.
        unsubscribe: True to leave newsletters by one click at L5, without asking.
        unsure_below: Confidence below which a verdict lowers the level by one.
        behaviour: True to learn from what the user does with mail.
        conventions: Buckets for some kinds of mail, and the weight of each kind of mistake.
    """

    cohorts: tuple[PolicyCohort, ...] = field(default_factory=default_cohorts)
    vips: tuple[str, ...] = ()
    protected: Protected = field(default_factory=Protected)
    quiet_hours: QuietHours | None = None
    unsubscribe: bool = False
    unsure_below: float = UNSURE_BELOW
    behaviour: bool = True
    conventions: Conventions = field(default_factory=Conventions)

    def cohort(self, name: str) -> PolicyCohort:
        """Return the cohort with this name.

        Raises:
            NotFound: There is no such cohort.
        """
        for cohort in self.cohorts:
            if cohort.name == name:
                return cohort
        names = ", ".join(cohort.name for cohort in self.cohorts)
        raise NotFound(f"There is no cohort {name[:60]!r}; there are {names}.", argument="cohort")

    def with_level(self, name: str, level: int, *, earned: int = 0) -> Policy:
        """Return a policy with a new level for one cohort; `earned` is the number of steps earned by confirmations."""
        changed = replace(self.cohort(name), level=check_level(level), earned=earned)
        return self._with(tuple(changed if one.name == name else one for one in self.cohorts))

    def with_cohort(self, cohort: PolicyCohort, *, before: str = "newsletters") -> Policy:
        """Return a policy with a user's cohort inserted before the cohort `before`.

        Raises:
            StateConflict: The name is taken.
            NotFound: There is no cohort `before`.
        """
        if any(one.name == cohort.name for one in self.cohorts):
            raise StateConflict(f"There is a cohort {cohort.name} already.", argument="cohort")
        place = self.cohorts.index(self.cohort(before))
        return self._with((*self.cohorts[:place], cohort, *self.cohorts[place:]))

    def without_cohort(self, name: str) -> Policy:
        """Return a policy without a user's cohort; its mail goes to the next cohort that applies.

        Raises:
            BadArgument: The cohort is built in.
            NotFound: There is no cohort with this name.
        """
        if self.cohort(name).is_built_in:
            raise BadArgument(
                f"{name} comes with the program and stays; give it level 0 to have it left alone.",
                argument="cohort",
            )
        return self._with(tuple(one for one in self.cohorts if one.name != name))

    def with_vip(self, address: str) -> Policy:
        """Return a policy with another VIP.

        Raises:
            BadArgument: The address is invalid.
        """
        return replace(self, vips=_vips([*self.vips, _address(address)]))

    def without_vip(self, address: str) -> Policy:
        """Return a policy without a VIP.

        Raises:
            NotFound: The address is not a VIP.
        """
        address = _address(address)
        if address not in self.vips:
            raise NotFound(f"{address[:80]!r} is not on your list of VIPs.", argument="address")
        return replace(self, vips=tuple(vip for vip in self.vips if vip != address))

    def is_vip(self, address: str) -> bool:
        """Return True if this lower-case address is a VIP."""
        return holds(self.vips, address)

    def header_names(self) -> frozenset[str]:
        """Return the lower-case names of the header fields that rules match."""
        return frozenset(
            condition.value.partition("=")[0].lower()
            for cohort in self.cohorts
            for rule in cohort.rules
            for condition in rule.conditions
            if condition.field == "header"
        )

    def names_labels(self) -> bool:
        """Return True if a rule or the protected set names a label."""
        return bool(self.protected.labels) or any(
            condition.field == "label"
            for cohort in self.cohorts
            for rule in cohort.rules
            for condition in rule.conditions
        )

    def to_json(self) -> dict[str, object]:
        """Return the policy as a ledger document."""
        quiet = self.quiet_hours
        return {
            "format": FORMAT,
            "cohorts": [_cohort_json(cohort) for cohort in self.cohorts],
            "vips": list(self.vips),
            "protected": {
                "senders": list(self.protected.senders),
                "labels": list(self.protected.labels),
                "threads": list(self.protected.threads),
            },
            "quiet_hours": quiet
            and {"start": f"{quiet.start:%H:%M}", "end": f"{quiet.end:%H:%M}", "zone": quiet.zone},
            "unsubscribe": self.unsubscribe,
            "unsure_below": self.unsure_below,
            "behaviour": self.behaviour,
            "conventions": conventions.to_json(self.conventions),
        }

    @staticmethod
    def from_json(value: object) -> Policy:
        """Read a policy from a document, stored in the ledger or written by hand.

        Raises:
            BadArgument: A field is invalid; the message names it.
        """
        fields = read_object(
            value,
            "policy",
            required=("format", "cohorts"),
            optional=(
                "vips",
                "protected",
                "quiet_hours",
                "unsubscribe",
                "unsure_below",
                "behaviour",
                "conventions",
            ),
        )
        if fields.get("format") != FORMAT:
            raise BadArgument(
                "This policy was written by a newer gaia email; please update the program.", argument="format"
            )
        policy = Policy(
            vips=_vips([_address(address) for address in fields.texts("vips")]),
            protected=_protected(fields.get("protected")),
            quiet_hours=_quiet(fields.get("quiet_hours")),
            unsubscribe=fields.flag("unsubscribe"),
            unsure_below=(
                UNSURE_BELOW
                if fields.get("unsure_below") is None
                else fields.number("unsure_below", 0.0, 1.0)
            ),
            behaviour=fields.get("behaviour") is None or fields.flag("behaviour"),
            conventions=conventions.from_json(fields.get("conventions")),
        )
        return policy._with(tuple(_cohort(item) for item in fields.items("cohorts")))

    def _with(self, cohorts: tuple[PolicyCohort, ...]) -> Policy:
        """Return a policy with these cohorts, after checking them."""
        names = [cohort.name for cohort in cohorts]
        if len(set(names)) != len(names):
            raise StateConflict("Two cohorts of a policy cannot have one name.", argument="cohorts")
        missing = [name for name in BUILT_IN if name not in names]
        if missing or names[-1] != "default":
            lacks = f"lacks {missing[0]}" if missing else "ends with another cohort than default"
            raise BadArgument(
                f"A policy holds every built-in cohort, and default last; this one {lacks}.",
                argument="cohorts",
            )
        if len(names) > MAX_COHORTS:
            raise BadArgument(f"There can be at most {MAX_COHORTS} cohorts.", argument="cohorts")
        return replace(self, cohorts=cohorts)


def own_cohort(name: str, level: int, lines: tuple[str, ...], *, earned: int = 0) -> PolicyCohort:
    """Return a user's cohort, with its rules parsed.

    Raises:
        BadArgument: The name, the level or a rule is invalid.
    """
    if not _NAME.fullmatch(name) or name in BUILT_IN:
        raise BadArgument(
            f"{name[:60]!r} cannot be the name of a cohort of yours: up to 40 of a-z, 0-9, - and _, and none "
            "of the built-in names.",
            argument="cohort",
        )
    if not lines or len(lines) > MAX_RULES:
        raise BadArgument(
            f"A cohort needs from one to {MAX_RULES} rules, such as domain:example.org.", argument="match"
        )
    rules = tuple(parse_rule(line) for line in lines)
    return PolicyCohort(name=name, level=check_level(level), rules=rules, earned=earned)


def _cohort_json(cohort: PolicyCohort) -> dict[str, object]:
    found: dict[str, object] = {"name": cohort.name, "level": cohort.level}
    if cohort.rules:
        found["match"] = [str(rule) for rule in cohort.rules]
    if cohort.earned:
        found["earned"] = cohort.earned
    return found


def _cohort(value: object) -> PolicyCohort:
    fields = read_object(value, "cohort", required=("name", "level"), optional=("match", "earned"))
    name, level = fields.text("name"), check_level(fields.get("level"))
    earned = 0 if fields.get("earned") is None else int(fields.number("earned", 0, level))
    lines = tuple(fields.texts("match"))
    if name not in BUILT_IN:
        return own_cohort(name, level, lines, earned=earned)
    if lines:
        raise BadArgument(f"The built-in cohort {name} has rules of its own; match has no place there.")
    return PolicyCohort(name=name, level=level, earned=earned)


def _protected(value: object) -> Protected:
    if value is None:
        return Protected()
    fields: ObjectFields = read_object(value, "protected set", optional=("senders", "labels", "threads"))
    return Protected(
        senders=tuple(sorted({normalize_value("sender", text) for text in fields.texts("senders")})),
        labels=tuple(sorted({normalize_value("label", text) for text in fields.texts("labels")})),
        threads=tuple(sorted({normalize_value("thread", text) for text in fields.texts("threads")})),
    )


def _quiet(value: object) -> QuietHours | None:
    if value is None:
        return None
    fields = read_object(value, "quiet hours", required=("start", "end", "zone"))
    return QuietHours.parse(fields.text("start"), fields.text("end"), fields.text("zone"))


def _vips(addresses: list[str]) -> tuple[str, ...]:
    vips = tuple(sorted(set(addresses)))
    if len(vips) > MAX_VIPS:
        raise BadArgument(f"There can be at most {MAX_VIPS:,} VIPs.", argument="address")
    return vips


def _address(text: str) -> str:
    if "@" not in text:
        raise BadArgument(f"{text[:80]!r} is not an address such as ann@example.org.", argument="address")
    return normalize_value("sender", text)
