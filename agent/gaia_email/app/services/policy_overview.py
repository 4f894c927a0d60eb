"""Everything the user decided beforehand, as people and programs are shown it. Entry: `policy_overview`."""

from __future__ import annotations

from typing import Annotated

from gaia_email.app import App
from gaia_email.app.services.policy_changes import read_policy
from gaia_email.document import Count, Document, Level, OneOf, Ratio
from gaia_email.policy.cohorts import WHY_BUILT_IN
from gaia_email.policy.conventions import NAMES, shown, words_of
from gaia_email.policy.document import DEFAULT_LEVELS, PolicyCohort
from gaia_email.policy.earned import LevelProposal
from gaia_email.policy.levels import LEVEL_NAMES
from gaia_email.policy.protection import Protected
from gaia_email.policy.switches import QuietHours, Switches


class CohortDetails(Document, frozen=True, kw_only=True):
    """A kind of sender, how much may be done with its mail, and its rules, or for a built-in one a reason in words."""

    name: str
    level: Level
    level_name: str
    default_level: Level | None
    own: bool
    match: list[str]
    earned: Level

    @staticmethod
    def of(cohort: PolicyCohort) -> CohortDetails:
        """Describe a cohort."""
        built_in = cohort.is_built_in
        return CohortDetails(
            name=cohort.name,
            level=cohort.level,
            level_name=LEVEL_NAMES[cohort.level],
            default_level=DEFAULT_LEVELS.get(cohort.name),
            own=not built_in,
            match=[WHY_BUILT_IN[cohort.name].format(sender="the sender")]
            if built_in
            else list(map(str, cohort.rules)),
            earned=cohort.earned,
        )


class QuietHoursDetails(Document, frozen=True, kw_only=True):
    """Hours in which nothing is started."""

    start: str
    end: str
    zone: str

    @staticmethod
    def of(hours: QuietHours) -> QuietHoursDetails:
        """Describe quiet hours."""
        return QuietHoursDetails(start=f"{hours.start:%H:%M}", end=f"{hours.end:%H:%M}", zone=hours.zone)


class ConventionSetting(Document, frozen=True, kw_only=True):
    """A habit on which people differ, and what is set."""

    name: Annotated[str, OneOf(NAMES)]
    set_to: str
    about: str


class PolicyOverview(Document, frozen=True, kw_only=True):
    """The policy, and what is switched."""

    version: Count
    cohorts: list[CohortDetails]
    vips: tuple[str, ...]
    protected: Protected
    quiet_hours: QuietHoursDetails | None
    unsubscribe: bool
    unsure_below: Ratio
    behaviour: bool
    conventions: list[ConventionSetting]
    switches: Switches
    proposals: tuple[LevelProposal, ...]


class ConventionList(Document, frozen=True, kw_only=True):
    """The part of the policy that `policy conventions` prints."""

    conventions: list[ConventionSetting]


class VipList(Document, frozen=True, kw_only=True):
    """The part of the policy that `vip` prints."""

    vips: list[str]


class ProtectedList(Document, frozen=True, kw_only=True):
    """The part of the policy that `protect` prints."""

    protected: Protected


def policy_overview(app: App) -> PolicyOverview:
    """Read everything the user decided.

    Raises:
        MailError: The ledger cannot be read.
    """
    found, proposals = read_policy(app)
    policy, quiet = found.policy, found.policy.quiet_hours
    return PolicyOverview(
        version=found.policy_version,
        cohorts=[CohortDetails.of(cohort) for cohort in policy.cohorts],
        vips=policy.vips,
        protected=policy.protected,
        quiet_hours=None if quiet is None else QuietHoursDetails.of(quiet),
        unsubscribe=policy.unsubscribe,
        unsure_below=policy.unsure_below,
        behaviour=policy.behaviour,
        conventions=[
            ConventionSetting(name=name, set_to=value, about=words_of(name))
            for name, value in shown(policy.conventions).items()
        ],
        switches=found.switches,
        proposals=proposals,
    )
