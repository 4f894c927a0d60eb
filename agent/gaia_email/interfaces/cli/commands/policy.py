"""`gaia email policy`: cohorts, the agent's level for each, and explanations for single messages."""

from __future__ import annotations

import click

from gaia_email.app import App
from gaia_email.app.operations import policy as operations
from gaia_email.app.operations.state import policy
from gaia_email.interfaces.cli.changing import YES, change_command, change_policy
from gaia_email.interfaces.cli.from_operation import (
    call_operation,
    print_document,
)
from gaia_email.interfaces.cli.options import (
    HelpfulGroup,
    OutputChoice,
    pass_app,
    pass_asking_app,
    pass_output,
)
from gaia_email.policy.levels import check_level


@click.group(name="policy", cls=HelpfulGroup)
def command() -> None:
    """Cohorts, levels and what follows from them.

    Every message is in one cohort, and each cohort has a level: L0 manual, L1 query only, L2 suggest per message,
    L3 batch suggest, L4 act with undo, L5 autonomous. A level says what is done, never what is understood.
    """


@command.command(name="set")
@click.option("--cohort", metavar="C", help="Cohort to change; with --level.")
@click.option("--level", metavar="N", type=int, help="Its level, from 0 to 5.")
@click.option(
    "--unsubscribe",
    type=click.Choice(("on", "off")),
    help="Leave newsletters with one click without asking, at L5.",
)
@click.option("--unsure-below", metavar="PERCENT", type=click.IntRange(0, 100), help="Usually 60.")
@click.option("--behaviour", type=click.Choice(("on", "off")), help="Learn from what you do with mail.")
@YES
@pass_output
@pass_asking_app
def set_policy(
    app: App,
    cohort: str | None,
    level: int | None,
    unsubscribe: str | None,
    unsure_below: int | None,
    behaviour: str | None,
    yes: bool,
    out: OutputChoice,
) -> None:
    """Change a level, or one of the other settings; what it would have meant for past mail is shown first."""
    level_kept = cohort is None and level is None
    if [level_kept, unsubscribe is None, unsure_below is None, behaviour is None].count(False) != 1:
        raise click.UsageError(
            "Change one thing at a time: --cohort with --level, --unsubscribe, --unsure-below, or --behaviour."
        )
    if (cohort is None) != (level is None):
        raise click.UsageError("--cohort and --level belong together.")
    if level is not None:
        check_level(level)
    setting = {"unsubscribe": unsubscribe, "unsure_below": unsure_below, "behaviour": behaviour}
    operation, asked = (
        (operations.set_policy, setting)
        if level_kept
        else (operations.set_level, {"cohort": cohort, "level": level})
    )
    change_policy(app, operation, asked, yes=yes, out=out)


@command.group(name="cohort")
def cohorts() -> None:
    """Cohorts of your own."""


cohorts.add_command(
    change_command(
        operations.add_cohort,
        """Add the cohort NAME for what one of the rules holds for.

        Conditions of a rule: from:ADDRESS, domain:DOMAIN, to:ADDRESS, list:LIST-ID, header:NAME or header:NAME=WORDS,
        subject:WORD or subject:"SOME WORDS", label:NAME, category:NAME.
        """,
        name="add",
    )
)
cohorts.add_command(
    change_command(
        operations.remove_cohort,
        "Remove the cohort NAME of yours; its mail goes to the next one that holds.",
        name="remove",
    )
)


@command.command(name="quiet-hours")
@click.argument("start", metavar="START|off")
@click.argument("end", metavar="END", default="")
@click.option("--zone", metavar="ZONE", help="Such as Europe/Berlin. Usually this machine's.")
@YES
@pass_output
@pass_asking_app
def quiet_hours(app: App, start: str, end: str, zone: str | None, yes: bool, out: OutputChoice) -> None:
    """No alerts and no scheduled runs from START to END, such as 22:00 07:00; off ends that."""
    from gaia_email.interfaces.cli.zones import this_zone

    if (start == "off") != (not end):
        raise click.UsageError("Give a start and an end, such as 22:00 07:00, or off.")
    asked = {"start": start, "end": end, "zone": zone or (this_zone(app.environ) if end else "")}
    change_policy(app, operations.quiet_hours, asked, yes=yes, out=out)


@command.command(name="convention")
@click.argument("name", metavar="NAME", default="")
@click.argument("value", metavar="VALUE", default="")
@YES
@pass_output
@pass_asking_app
def convention(app: App, name: str, value: str, yes: bool, out: OutputChoice) -> None:
    """Set the bucket of mail about which people differ, or the cost of a mistake; without NAME, list what is set.

    NAME is undated-business, private-notes, alarming-fyi, bills, calendar or copies, and VALUE urgent, actionable,
    informational, low_priority or as-judged. Or NAME is missed-urgent or worthless-shown, and VALUE how bad that is:
    light, usual or grave.
    """
    if not name:
        from gaia_email.interfaces.cli.policy_printing import CONVENTIONS

        print_document(call_operation(app, policy, {}), CONVENTIONS, *out)
        return
    if not value:
        raise click.UsageError("Say what it is to be, such as: bills actionable, or missed-urgent grave.")
    asked = {"name": name, "value": value}
    change_policy(app, operations.convention, asked, yes=yes, out=out, asks_first=True)


@command.command(name="scripts")
@click.argument("answer", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@pass_app
def scripts(app: App, answer: str | None) -> None:
    """Allow or forbid your scripts, which have no terminal, to say yes for you; usually forbidden.

    Without on or off it says what holds.
    Switching it on takes you at a terminal. While it is on, every program that runs as you can say yes, too.
    """
    from gaia_email.app.services.scripts import let_scripts_answer, scripts_may_answer
    from gaia_email.interfaces.cli.output import note
    from gaia_email.interfaces.cli.person import need_yes

    if answer == "on" and not scripts_may_answer(app):
        need_yes(app, "Let every program that runs as you say yes for you", scripts=False)
    if answer is not None:
        let_scripts_answer(app, answer=answer == "on")
    note("scripts may say yes for you." if scripts_may_answer(app) else "only you at a terminal say yes.")
