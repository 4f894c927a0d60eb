"""`gaia email policy`: which cohorts there are, how far the agent may go with each, and why with a message."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from gaia_email.app import App
from gaia_email.interfaces.cli.from_operation import OperationView, operation_command
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    NamedSource,
    field_list,
    output_options,
    pass_app,
    source_options,
)
from gaia_email.interfaces.cli.output import chosen_format
from gaia_email.operations.reading import EXPLAIN

if TYPE_CHECKING:
    from gaia_email.documents.policy_change import ChangedSetting
    from gaia_email.policy.document import Policy

YES = click.option(
    "--yes", is_flag=True, help="Save without asking, where it lets the agent do more by itself."
)
MATCH = click.option(
    "--match",
    "lines",
    metavar="RULE",
    multiple=True,
    help="Conditions that must all hold, such as 'domain:example.org subject:invoice'; repeat for alternatives.",
)


@click.group(name="policy", cls=HelpfulGroup)
def command() -> None:
    """Cohorts, levels and what follows from them.

    Every message is in one cohort, and each cohort has a level: L0 manual, L1 query only, L2 suggest per message,
    L3 batch suggest, L4 act with undo, L5 autonomous. A level says what is done, never what is understood.
    """


@command.command(name="list")
@output_options
@pass_app
def list_policy(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Your cohorts in the order they are asked, their levels, and everything else you decided."""
    from gaia_email.interfaces.cli.policy_printing import print_whole_policy

    print_whole_policy(app, chosen_format(as_json, as_jsonl, fields), field_list(fields))


@command.command(name="set")
@click.option("--cohort", metavar="C", help="Which cohort; with --level.")
@click.option("--level", metavar="N", type=int, help="Its level, from 0 to 5.")
@click.option(
    "--unsubscribe",
    type=click.Choice(("on", "off")),
    help="Leave newsletters by one click without asking, at L5.",
)
@click.option("--unsure-below", metavar="PERCENT", type=click.IntRange(0, 100), help="Usually 60.")
@click.option("--behaviour", type=click.Choice(("on", "off")), help="Learn from what you do with mail.")
@YES
@output_options
@pass_app
def set_policy(
    app: App,
    cohort: str | None,
    level: int | None,
    unsubscribe: str | None,
    unsure_below: int | None,
    behaviour: str | None,
    yes: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Change a level, or one of the other settings; what it would have meant for past mail is shown first."""
    from gaia_email.documents.policy_change import ChangedSetting
    from gaia_email.interfaces.cli.changing import change_policy
    from gaia_email.services.policy_changes import level_change, with_level

    level_kept = cohort is None and level is None
    if [level_kept, unsubscribe is None, unsure_below is None, behaviour is None].count(False) != 1:
        raise click.UsageError(
            "Change one thing at a time: --cohort with --level, --unsubscribe, --unsure-below, or --behaviour."
        )
    if (cohort is None) != (level is None):
        raise click.UsageError("--cohort and --level belong together.")

    def edit(policy: Policy) -> Policy:
        if cohort is not None and level is not None:
            return with_level(app, policy, cohort, level)
        if unsubscribe is not None:
            return replace(policy, unsubscribe=unsubscribe == "on")
        if behaviour is not None:
            return replace(policy, behaviour=behaviour == "on")
        return replace(policy, unsure_below=(unsure_below or 0) / 100)

    def name_it(before: Policy, after: Policy) -> ChangedSetting:
        if cohort is not None:
            return level_change(before, after, cohort)
        if unsubscribe is not None:
            return ChangedSetting(
                what="unsubscribe", before=_on(before.unsubscribe), after=_on(after.unsubscribe)
            )
        if behaviour is not None:
            return ChangedSetting(what="behaviour", before=_on(before.behaviour), after=_on(after.behaviour))
        return ChangedSetting(
            what="unsure_below", before=f"{before.unsure_below:.0%}", after=f"{after.unsure_below:.0%}"
        )

    form = chosen_format(as_json, as_jsonl, fields)
    change_policy(app, edit, name_it, yes=yes, form=form, fields=field_list(fields))


def _on(flag: bool) -> str:
    return "on" if flag else "off"


command.add_command(
    operation_command(
        EXPLAIN,
        "Why message ID got its cohort and level, and what the agent may do with it, has to ask for, and may not.",
        OperationView(
            columns=("id", "cohort", "level", "effective_level", "plan.action", "plan.mode", "sentences"),
            card="policy_card.print_explanation",
        ),
    )
)


@command.command(name="test")
@click.option("--cohort", metavar="C", required=True, help="Which cohort; with --match a new one.")
@click.option("--level", metavar="N", type=int, required=True, help="The level to try, from 0 to 5.")
@MATCH
@source_options
@output_options
@pass_app
def test(
    app: App,
    cohort: str,
    level: int,
    lines: tuple[str, ...],
    named: NamedSource,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Try a level, or a new cohort, on the inbox of a mailbox, and save nothing."""
    from gaia_email.interfaces.cli.policy_printing import print_test
    from gaia_email.policy.document import own_cohort
    from gaia_email.services.policy_changes import level_change

    source = named.chosen(app)

    def edit(policy: Policy) -> Policy:
        if lines:
            return policy.with_cohort(own_cohort(cohort, level, lines))
        return policy.with_level(cohort, level)

    def name_it(before: Policy, after: Policy) -> ChangedSetting:
        return cohort_change("cohort_added", after, cohort) if lines else level_change(before, after, cohort)

    print_test(
        app, source, edit, name_it, form=chosen_format(as_json, as_jsonl, fields), fields=field_list(fields)
    )


def cohort_change(what: str, policy: Policy, name: str) -> ChangedSetting:
    """A cohort of the user's own, in words."""
    from gaia_email.documents.policy_change import ChangedSetting

    cohort = policy.cohort(name)
    text = f"L{cohort.level}, {' or '.join(map(str, cohort.rules))}"
    added = what == "cohort_added"
    return ChangedSetting(
        what=what, name=name, before="" if added else text, after=text if added else "", of_cohort=True
    )


@command.group(name="cohort")
def cohorts() -> None:
    """Cohorts of your own."""


@cohorts.command(name="add")
@click.argument("name", metavar="NAME")
@MATCH
@click.option("--level", metavar="N", type=int, required=True, help="From 0 to 5.")
@click.option(
    "--before", metavar="C", default="newsletters", help="Ask it just before that one. Usually newsletters."
)
@YES
@output_options
@pass_app
def add_cohort(
    app: App,
    name: str,
    lines: tuple[str, ...],
    level: int,
    before: str,
    yes: bool,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Add the cohort NAME for what one of the rules holds for.

    Conditions of a rule: from:ADDRESS, domain:DOMAIN, to:ADDRESS, list:LIST-ID, header:NAME or header:NAME=WORDS,
    subject:WORD or subject:"SOME WORDS", label:NAME, category:NAME.
    """
    from gaia_email.interfaces.cli.changing import change_policy
    from gaia_email.policy.document import own_cohort

    change_policy(
        app,
        lambda policy: policy.with_cohort(own_cohort(name, level, lines), before=before),
        lambda old, new: cohort_change("cohort_added", new, name),
        yes=yes,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )


@cohorts.command(name="remove")
@click.argument("name", metavar="NAME")
@YES
@output_options
@pass_app
def remove_cohort(app: App, name: str, yes: bool, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """Remove the cohort NAME of yours; its mail goes to the next one that holds."""
    from gaia_email.interfaces.cli.changing import change_policy

    change_policy(
        app,
        lambda policy: policy.without_cohort(name),
        lambda old, new: cohort_change("cohort_removed", old, name),
        yes=yes,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )


@command.command(name="quiet-hours")
@click.argument("start", metavar="START|off")
@click.argument("end", metavar="END", default="")
@click.option("--zone", metavar="ZONE", help="Such as Europe/Berlin. Usually this machine's.")
@YES
@output_options
@pass_app
def quiet_hours(
    app: App, start: str, end: str, zone: str | None, yes: bool, as_json: bool, as_jsonl: bool, fields: str
) -> None:
    """No alerts and no scheduled runs from START to END, such as 22:00 07:00; off ends that."""
    from gaia_email.documents.policy_change import ChangedSetting
    from gaia_email.interfaces.cli.changing import change_policy
    from gaia_email.interfaces.cli.zones import this_zone
    from gaia_email.policy.switches import QuietHours

    if (start == "off") != (not end):
        raise click.UsageError("Give a start and an end, such as 22:00 07:00, or off.")
    hours = None if start == "off" else QuietHours.parse(start, end, zone or this_zone(app.environ))
    change_policy(
        app,
        lambda policy: replace(policy, quiet_hours=hours),
        lambda old, new: ChangedSetting(
            what="quiet_hours", before=str(old.quiet_hours or "none"), after=str(new.quiet_hours or "none")
        ),
        yes=yes,
        form=chosen_format(as_json, as_jsonl, fields),
        fields=field_list(fields),
    )


@command.command(name="convention")
@click.argument("name", metavar="NAME", default="")
@click.argument("value", metavar="VALUE", default="")
@YES
@output_options
@pass_app
def convention(
    app: App, name: str, value: str, yes: bool, as_json: bool, as_jsonl: bool, fields: str
) -> None:
    """Where you want mail about which people differ, and how bad which mistake is; without NAME, what is set.

    NAME is undated-business, private-notes, alarming-fyi, bills, calendar or copies, and VALUE urgent, actionable,
    informational, low_priority or as-judged. Or NAME is missed-urgent or worthless-shown, and VALUE how bad that is:
    light, usual or grave.
    """
    from gaia_email.documents.policy_change import ChangedSetting
    from gaia_email.interfaces.cli.changing import change_policy
    from gaia_email.interfaces.cli.person import need_person
    from gaia_email.policy.conventions import changed, shown, words_of

    form, columns = chosen_format(as_json, as_jsonl), field_list(fields)
    if not name:
        from gaia_email.interfaces.cli.policy_printing import print_conventions

        print_conventions(app, form, columns)
        return
    if not value:
        raise click.UsageError("Say what it is to be, such as: bills actionable, or missed-urgent grave.")
    need_person(app)
    change_policy(
        app,
        lambda policy: replace(policy, conventions=changed(policy.conventions, name, value)),
        lambda old, new: ChangedSetting(
            what="convention",
            name=words_of(name.lower()),
            before=shown(old.conventions)[name.lower()],
            after=shown(new.conventions)[name.lower()],
        ),
        yes=yes,
        form=form,
        fields=columns,
    )


@command.command(name="scripts")
@click.argument("answer", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@pass_app
def scripts(app: App, answer: str | None) -> None:
    """Whether a script of yours, which has no terminal, may say yes for you; usually not.

    Without on or off it says what holds.
    Switching it on takes you at a terminal. While it is on, every program that runs as you can say yes, too.
    """
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.cli.person import need_yes
    from gaia_email.services.scripts import let_scripts_answer, scripts_may_answer

    if answer == "on" and not scripts_may_answer(app):
        need_yes(app, "Let every program that runs as you say yes for you", scripts=False)
    if answer is not None:
        let_scripts_answer(app, answer=answer == "on")
    note("scripts may say yes for you." if scripts_may_answer(app) else "only you at a terminal say yes.")


@command.command(name="templates")
@output_options
@pass_app
def templates(app: App, as_json: bool, as_jsonl: bool, fields: str) -> None:
    """The answers you wrote in email/templates/*.md below GAIA_HOME, and what is wrong with one."""
    from gaia_email.interfaces.cli.policy_printing import print_templates

    print_templates(app, chosen_format(as_json, as_jsonl, fields), field_list(fields))
