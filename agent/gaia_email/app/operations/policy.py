"""Operations that change the policy: test on past mail, show, then save."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, structs

from gaia_email.app import App
from gaia_email.app.operations.inputs import on_command_line
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_email.document import answer_of
from gaia_email_registry.errors import BadArgument

if TYPE_CHECKING:
    from gaia_email.app.services.policy_changes import (
        ChangedSetting,
        Edit,
        Naming,
        PolicyChange,
        PolicyChangeDetails,
    )
    from gaia_email.policy.document import Policy

OnOff = Literal["", "on", "off"]
CohortName = Annotated[str, Meta(min_length=1, max_length=100, description="As `policy` names it.")]
Level = Annotated[
    int,
    Meta(
        description="L0 manual to L5 autonomous.",
        extra_json_schema={"minimum": 0, "maximum": 5},  # our own error message is used instead
    ),
]
Rules = Annotated[
    tuple[Annotated[str, Meta(max_length=500)], ...],
    Meta(max_length=100, description="Conditions that must all hold, one rule each; any rule will do."),
    on_command_line(
        option="--match",
        metavar="RULE",
        words="Conditions that must all hold, such as 'domain:example.org subject:invoice'; repeat for alternatives.",
    ),
]


class ChangeInput(OperationInput, frozen=True, kw_only=True):
    """Choice to try a change without saving it."""

    dry_run: Annotated[
        bool,
        Meta(description="Only show what it would have meant for past mail; save nothing."),
        on_command_line(hidden=True),
    ] = False


class SetLevelInput(ChangeInput, frozen=True, kw_only=True):
    """Another level for a kind of sender."""

    cohort: CohortName
    level: Level


class SettingInput(ChangeInput, frozen=True, kw_only=True):
    """One of the other settings."""

    unsubscribe: Annotated[
        OnOff, Meta(description="Leave newsletters with one click without asking, at L5.")
    ] = ""
    unsure_below: Annotated[
        int, Meta(ge=-1, le=100, description="Percent of confidence; -1 for as it is.")
    ] = -1
    behaviour: Annotated[OnOff, Meta(description="Learn from what the user does with mail.")] = ""


class CohortInput(ChangeInput, frozen=True, kw_only=True):
    """A cohort of the user's own."""

    name: Annotated[str, Meta(max_length=100), on_command_line(argument=True, metavar="NAME")]


class AddCohortInput(CohortInput, frozen=True, kw_only=True):
    """A cohort of the user's own, what it holds for and how far the agent may go with it."""

    rules: Rules = ()
    level: Annotated[Level, on_command_line(metavar="N", words="From 0 to 5.")]
    before: Annotated[
        str,
        Meta(max_length=100, description="It is asked just before that one."),
        on_command_line(metavar="C", words="Ask it just before that one. Usually newsletters."),
    ] = "newsletters"


class TryInput(OperationInput, frozen=True, kw_only=True):
    """A level, or with rules a new cohort."""

    cohort: Annotated[CohortName, on_command_line(metavar="C", words="Which cohort; with --match a new one.")]
    level: Annotated[Level, on_command_line(metavar="N", words="The level to try, from 0 to 5.")]
    rules: Rules = ()


class QuietHoursInput(ChangeInput, frozen=True, kw_only=True):
    """From when to when, each day; without an end, none."""

    start: Annotated[str, Meta(max_length=20, description="Such as 22:00, or off.")]
    end: Annotated[str, Meta(max_length=20, description="Such as 07:00.")] = ""
    zone: Annotated[str, Meta(max_length=60, description="Such as Europe/Berlin; empty for UTC.")] = ""


class SetConventionInput(ChangeInput, frozen=True, kw_only=True):
    """Bucket for a kind of mail about which people differ, or the cost of a mistake."""

    name: Annotated[str, Meta(max_length=60)]
    value: Annotated[str, Meta(max_length=60)]


class AddressInput(ChangeInput, frozen=True, kw_only=True):
    """Somebody."""

    address: Annotated[str, Meta(max_length=320), on_command_line(argument=True, metavar="ADDRESS")]


class ProtectInput(ChangeInput, frozen=True, kw_only=True):
    """Senders, labels or threads to protect."""

    kind: Literal["sender", "label", "thread"]
    value: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=320,
            description="An address or a domain, the name of a label, or a thread's id.",
        ),
    ]


def _is_saved(asked: ChangeInput) -> bool:
    return not asked.dry_run


def _changed(app: App, call: OperationCall[Any], edit: Edit, name_it: Naming) -> PolicyChangeDetails:
    from gaia_email.app.services.policy_changes import plan_change

    return _saved(app, call, plan_change(app, edit, name_it))


def _saved(app: App, call: OperationCall[Any], planned: PolicyChange) -> PolicyChangeDetails:
    """Save a change unless it is a dry run, and describe it."""
    from gaia_email.app.services.policy_changes import change_details, save_change

    tried = change_details(planned)
    if call.asked.dry_run:
        return tried
    agreed = call.by_person if call.confirm is None else call.confirm(answer_of(tried))
    version = save_change(app, planned, agreed=agreed, actor=call.actor).policy_version
    return structs.replace(tried, saved=version != tried.version, version=version)


@operation(
    output="policy-change",
    path="PUT /v1/email/policy",
    example={"cohort": "newsletters", "level": 2, "dry_run": True},
    needs_person=_is_saved,
)
def set_level(app: App, call: OperationCall[SetLevelInput]) -> PolicyChangeDetails:
    """Change how much may be done for a kind of sender; what it would have meant for past mail is shown.

    Raises:
        BadArgument: There is no such cohort or level, or somebody changed the policy meanwhile.
        MailError: The ledger cannot be used.
    """
    from gaia_email.app.services.policy_changes import plan_level

    return _saved(app, call, plan_level(app, call.asked.cohort, call.asked.level))


@operation(
    output="policy-change",
    path="PUT /v1/email/policy/settings",
    example={"behaviour": "off", "dry_run": True},
    needs_person=_is_saved,
)
def set_policy(app: App, call: OperationCall[SettingInput]) -> PolicyChangeDetails:
    """Change one of the settings beside the levels.

    Raises:
        BadArgument: It is none, or several.
        MailError: The ledger cannot be used.
    """
    asked = call.asked
    given: dict[str, Any] = {}
    if asked.unsubscribe:
        given["unsubscribe"] = asked.unsubscribe == "on"
    if asked.unsure_below >= 0:
        given["unsure_below"] = asked.unsure_below / 100
    if asked.behaviour:
        given["behaviour"] = asked.behaviour == "on"
    if len(given) != 1:
        raise BadArgument("Change one thing at a time: unsubscribe, unsure_below, or behaviour.")
    (name,) = given

    def format_value(policy: Policy) -> str:
        value: float = getattr(policy, name)
        return f"{value:.0%}" if name == "unsure_below" else ("on" if value else "off")

    return _changed(
        app,
        call,
        lambda policy: replace(policy, **given),
        lambda old, new: _setting(name, before=format_value(old), after=format_value(new)),
    )


@operation(
    output="policy-change",
    path="POST /v1/email/policy/cohorts",
    example={"name": "bills", "rules": ["subject:invoice"], "level": 2, "dry_run": True},
    needs_person=_is_saved,
)
def add_cohort(app: App, call: OperationCall[AddCohortInput]) -> PolicyChangeDetails:
    """Add a cohort of the user's own for what one of the rules holds for.

    Raises:
        BadArgument: A rule cannot be read, or there is a cohort of that name.
        MailError: The ledger cannot be used.
    """
    from gaia_email.policy.document import own_cohort

    asked = call.asked
    return _changed(
        app,
        call,
        lambda policy: policy.with_cohort(
            own_cohort(asked.name, asked.level, asked.rules), before=asked.before
        ),
        lambda old, new: _cohort_added(new, asked.name),
    )


@operation(
    output="policy-change",
    path="DELETE /v1/email/policy/cohorts/{name}",
    example={"name": "bills"},
    needs_person=_is_saved,
)
def remove_cohort(app: App, call: OperationCall[CohortInput]) -> PolicyChangeDetails:
    """Remove a cohort of the user's own; its mail goes to the next one that holds.

    Raises:
        BadArgument: There is none of that name.
        MailError: The ledger cannot be used.
    """
    name = call.asked.name
    return _changed(
        app,
        call,
        lambda policy: policy.without_cohort(name),
        lambda old, new: _setting("cohort_removed", name, before=_cohort_added(old, name).to),
    )


def _cohort_added(policy: Policy, name: str) -> ChangedSetting:
    cohort = policy.cohort(name)
    text = f"L{cohort.level}, {' or '.join(map(str, cohort.rules))}"
    return _setting("cohort_added", name, after=text)


def _setting(what: str, name: str = "", *, before: str = "", after: str = "") -> ChangedSetting:
    from gaia_email.app.services.policy_changes import ChangedSetting

    return ChangedSetting(what=what, name=name, from_=before, to=after)


@operation(
    output="policy-change",
    path="POST /v1/email/policy/try",
    example={"cohort": "newsletters", "level": 2},
    mailbox="one",
    cli=Command(
        name="test",
        heading="policy",
        after="explain",
        help="Try a level, or a new cohort, on the inbox of a mailbox, and save nothing.",
        view="changing.CHANGE",
    ),
)
def try_policy(app: App, call: OperationCall[TryInput]) -> PolicyChangeDetails:
    """Show what another level, or a new cohort by rules, would mean for an inbox; nothing is saved.

    Raises:
        BadArgument: There is no such cohort or level, or a rule cannot be read.
        MailError: The mailbox cannot be read.
    """
    from gaia_email.app.services.policy_changes import change_details, level_change, plan_change
    from gaia_email.app.services.reading import read_inbox
    from gaia_email.policy.document import own_cohort

    cohort, level, rules = call.asked.cohort, call.asked.level, call.asked.rules

    def edit(policy: Policy) -> Policy:
        if rules:
            return policy.with_cohort(own_cohort(cohort, level, rules))
        return policy.with_level(cohort, level)

    def name_it(before: Policy, after: Policy) -> ChangedSetting:
        return _cohort_added(after, cohort) if rules else level_change(before, after, cohort)

    inbox = read_inbox(app, call.source, progress=call.progress)
    return change_details(plan_change(app, edit, name_it, inbox=inbox))


@operation(
    output="policy-change",
    path="PUT /v1/email/policy/quiet_hours",
    example={"start": "22:00", "end": "07:00", "dry_run": True},
    needs_person=_is_saved,
)
def quiet_hours(app: App, call: OperationCall[QuietHoursInput]) -> PolicyChangeDetails:
    """No alerts and no scheduled runs between two times of the day.

    Raises:
        BadArgument: It is no time or zone.
        MailError: The ledger cannot be used.
    """
    from gaia_email.policy.switches import QuietHours

    asked = call.asked
    if (asked.start == "off") != (not asked.end):
        raise BadArgument("Give a start and an end, such as 22:00 and 07:00, or off.")
    hours = None if asked.start == "off" else QuietHours.parse(asked.start, asked.end, asked.zone or "UTC")
    return _changed(
        app,
        call,
        lambda policy: replace(policy, quiet_hours=hours),
        lambda old, new: _setting(
            "quiet_hours", before=str(old.quiet_hours or "none"), after=str(new.quiet_hours or "none")
        ),
    )


@operation(
    output="policy-change",
    path="PUT /v1/email/policy/conventions",
    example={"name": "bills", "value": "actionable", "dry_run": True},
    needs_person=_is_saved,
)
def convention(app: App, call: OperationCall[SetConventionInput]) -> PolicyChangeDetails:
    """Say where mail about which people differ belongs, or how bad which mistake is.

    Raises:
        BadArgument: There is none of that name, or it has no such value.
        MailError: The ledger cannot be used.
    """
    from gaia_email.policy.conventions import list_conventions, set_convention, words_of

    name, value = call.asked.name.lower(), call.asked.value
    return _changed(
        app,
        call,
        lambda policy: replace(policy, conventions=set_convention(policy.conventions, name, value)),
        lambda old, new: _setting(
            "convention",
            words_of(name),
            before=list_conventions(old.conventions)[name],
            after=list_conventions(new.conventions)[name],
        ),
    )


@operation(
    output="policy-change",
    path="POST /v1/email/policy/vips",
    example={"address": "ann@example.com", "dry_run": True},
    needs_person=_is_saved,
)
def add_vip(app: App, call: OperationCall[AddressInput]) -> PolicyChangeDetails:
    """Name somebody a VIP.

    Raises:
        BadArgument: It is no address.
        MailError: The ledger cannot be used.
    """
    address = call.asked.address
    return _changed(
        app,
        call,
        lambda policy: policy.with_vip(address),
        lambda old, new: _setting("vip_added", address, after="VIP"),
    )


@operation(
    output="policy-change",
    path="DELETE /v1/email/policy/vips/{address}",
    example={"address": "ann@example.com"},
    needs_person=_is_saved,
)
def remove_vip(app: App, call: OperationCall[AddressInput]) -> PolicyChangeDetails:
    """Take somebody off the list of VIPs; whom the user usually answers counts as one all the same.

    Raises:
        BadArgument: They are not on it.
        MailError: The ledger cannot be used.
    """
    address = call.asked.address
    return _changed(
        app,
        call,
        lambda policy: policy.without_vip(address),
        lambda old, new: _setting("vip_removed", address, before="VIP"),
    )


@operation(
    output="policy-change",
    path="POST /v1/email/policy/protected",
    example={"kind": "sender", "value": "example.com", "dry_run": True},
    needs_person=_is_saved,
)
def protect(app: App, call: OperationCall[ProtectInput]) -> PolicyChangeDetails:
    """Protect a sender, a label or a thread: nothing automated touches it, whatever the level.

    Raises:
        BadArgument: It cannot be protected.
        MailError: The ledger cannot be used.
    """
    kind, value = call.asked.kind, call.asked.value
    return _changed(
        app,
        call,
        lambda policy: replace(policy, protected=policy.protected.add(kind, value)),
        lambda old, new: _setting(f"{kind}_protected", value, after="protected"),
    )


@operation(
    output="policy-change",
    path="DELETE /v1/email/policy/protected",
    example={"kind": "sender", "value": "example.com"},
    needs_person=_is_saved,
)
def unprotect(app: App, call: OperationCall[ProtectInput]) -> PolicyChangeDetails:
    """Take a protection off again.

    Raises:
        BadArgument: It is not protected.
        MailError: The ledger cannot be used.
    """
    kind, value = call.asked.kind, call.asked.value
    return _changed(
        app,
        call,
        lambda policy: replace(policy, protected=policy.protected.remove(kind, value)),
        lambda old, new: _setting(f"{kind}_unprotected", value, before="protected"),
    )
