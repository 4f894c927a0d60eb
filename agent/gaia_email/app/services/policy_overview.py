"""An overview of all decisions that the user made in advance. Entry: `policy_overview`."""

from __future__ import annotations

from typing import Annotated

from gaia_email.app import App
from gaia_email.app.services.policy_changes import read_policy
from gaia_email.document import Count, Document, Level, OneOf, Ratio
from gaia_email.policy.cohorts import WHY_BUILT_IN
from gaia_email.policy.conventions import NAMES, list_conventions, words_of
from gaia_email.policy.document import DEFAULT_LEVELS, PolicyCohort
from gaia_email.policy.earned import LevelProposal
from gaia_email.policy.levels import LEVEL_NAMES
from gaia_email.policy.protection import Protected
from gaia_email.policy.switches import QuietHours, Switches


class CohortDetails(Document, frozen=True, kw_only=True):
    """A kind of sender, its autonomy level, and its rules; for a built-in one, the reason in words."""

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
    """Hours during which nothing is started."""

    start: str
    end: str
    zone: str

    @staticmethod
    def of(hours: QuietHours) -> QuietHoursDetails:
        """Describe quiet hours."""
        return QuietHoursDetails(start=f"{hours.start:%H:%M}", end=f"{hours.end:%H:%M}", zone=hours.zone)


class ConventionSetting(Document, frozen=True, kw_only=True):
    """A convention on which people differ, and its setting."""

    name: Annotated[str, OneOf(NAMES)]
    set_to: str
    about: str


class PolicyOverview(Document, frozen=True, kw_only=True):
    """The policy and the switches."""

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
    """The document of `policy conventions`."""

    conventions: list[ConventionSetting]


class VipList(Document, frozen=True, kw_only=True):
    """The document of `vip`."""

    vips: list[str]


class ProtectedList(Document, frozen=True, kw_only=True):
    """The document of `protect`."""

    protected: Protected


def policy_overview(app: App) -> PolicyOverview:
    """Return all decisions of the user."""
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
            for name, value in list_conventions(policy.conventions).items()
        ],
        switches=found.switches,
        proposals=proposals,
    )
