"""Operations on automations: check, save by the user, switch, run, explain."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import RowLimit, Since, on_command_line
from gaia_email.app.operations.offers import Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation
from gaia_email_automations import cards

if TYPE_CHECKING:
    from gaia_email_automations.documents import (
        AutomationActionList,
        AutomationList,
        AutomationProgram,
        AutomationRunAccount,
        AutomationRunList,
        AutomationTrial,
        CheckedAutomation,
        RemovedAutomation,
        WebhookToken,
    )

AutomationId = Annotated[
    str,
    Meta(min_length=1, max_length=100, description="An automation's id, the beginning of it, or its name."),
    on_command_line(argument=True, metavar="AUTOMATION"),
]
DefinitionObject = Annotated[
    dict[str, Any], Meta(description="The definition, version 1."), on_command_line(hidden=True)
]

RunWait = Annotated[
    bool, Meta(description="Answer once it is over or waits for you."), on_command_line(hidden=True)
]


class CheckAutomationInput(OperationInput, frozen=True, kw_only=True):
    """A definition."""

    definition: DefinitionObject


class AddAutomationInput(CheckAutomationInput, frozen=True, kw_only=True):
    """A definition, and what may happen in it without a question."""

    flows: Annotated[
        tuple[Annotated[str, Meta(max_length=300)], ...],
        Meta(max_length=100, description="Lines of its check that runs need not ask about."),
        on_command_line(option="--flow", metavar="LINE"),
    ] = ()
    replaces: Annotated[
        str,
        Meta(max_length=100, description="The automation of which it is a new version; empty for a new one."),
        on_command_line(metavar="AUTOMATION"),
    ] = ""


class AutomationInput(OperationInput, frozen=True, kw_only=True):
    """One automation."""

    automation_id: AutomationId


class RunAutomationInput(AutomationInput, frozen=True, kw_only=True):
    """One automation, and what a run by hand is given."""

    inputs: Annotated[dict[str, Any], Meta(description="Inputs by name."), on_command_line(hidden=True)] = (
        msgspec.field(default_factory=dict[str, Any])
    )
    wait: RunWait = False


class TestAutomationInput(AutomationInput, frozen=True, kw_only=True):
    """One automation, and how far back to look."""

    past: Annotated[Since, on_command_line(option="--past", metavar="30d|DATE", moment="since")] = "30d"


class AutomationRunsInput(OperationInput, frozen=True, kw_only=True):
    """Choice of runs."""

    automation_id: Annotated[
        str,
        Meta(max_length=100, description="Only of this automation; empty for all."),
        on_command_line(option="--automation", metavar="AUTOMATION"),
    ] = ""
    limit: RowLimit = 50


class AutomationRunInput(OperationInput, frozen=True, kw_only=True):
    """One run."""

    run_id: Annotated[
        str,
        Meta(min_length=1, max_length=100, description="A run's id, or the beginning of it."),
        on_command_line(argument=True, metavar="RUN"),
    ]


class RetryRunInput(AutomationRunInput, frozen=True, kw_only=True):
    """One run, to be run again."""

    wait: RunWait = False


HELLO: Final = {
    "schema_version": 1,
    "name": "Hello",
    "plan": [{"step_id": "tell", "action": "notification", "config": {"text": "Hello."}}],
}
"""An automation for examples."""


@operation(
    output="automation-check",
    path="POST /v1/automations/check",
    example={"definition": HELLO},
    columns=("pointer", "message"),
    rows=("errors", "warnings"),
    card=cards.CHECK,
)
def check_automation(app: App, call: OperationCall[CheckAutomationInput]) -> CheckedAutomation:
    """Read a definition and say all that is wrong with it, and which words of strangers decide about something."""
    from gaia_email_automations.documents import describe_check
    from gaia_email_automations.use_cases import check

    definition = call.asked.definition
    return describe_check(check(app, definition), definition.get("name", ""))


@operation(
    output="automation",
    path="POST /v1/automations",
    example={"definition": HELLO},
    risk="person",
    mailbox="one",
    columns=("id", "name", "status", "version", "account", "updated_at"),
    rows="automation",
    card=cards.ONE,
)
def add_automation(app: App, call: OperationCall[AddAutomationInput]) -> AutomationProgram:
    """Save a definition for a mailbox, or a new version of one; only a person does.

    Raises:
        BadArgument: It has errors, or the mailbox can only be read.
        MailError: The ledger cannot be written.
    """
    from gaia_email_automations.documents import describe_automation
    from gaia_email_automations.use_cases import save_automation

    asked = call.asked
    found = save_automation(
        app,
        call.source,
        asked.definition,
        flows=asked.flows,
        automation_id=asked.replaces,
        actor=call.actor,
    )
    return describe_automation(found)


@operation(
    output="automations",
    path="GET /v1/automations",
    columns=("id", "name", "status", "version", "account", "updated_at"),
    rows="automations",
    card=cards.LIST,
    cli=Command(
        name="list",
        heading="automations",
        after="delete-file",
        help="Your automations, with what sets them off and how their runs ended.",
    ),
)
def automations(app: App, call: OperationCall[NoInput]) -> AutomationList:
    """List automations with their triggers and how their runs ended.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email_automations.documents import list_automations
    from gaia_email_automations.use_cases import all_automations

    return list_automations(all_automations(app))


@operation(
    output="automation-actions",
    path="GET /v1/automations/actions",
    columns=("name", "side_effects", "description"),
    rows="actions",
    card=cards.ACTIONS,
    cli=Command(
        name="actions",
        heading="automations",
        after="list",
        help="List what a step can do: tools of mail, of connected MCP servers, and more.",
    ),
)
def automation_actions(app: App, call: OperationCall[NoInput]) -> AutomationActionList:
    """List what a step of an automation can do, with the schema of each configuration.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email_automations.documents import list_actions
    from gaia_email_automations.use_cases import possible_actions

    return list_actions(possible_actions(app))


@operation(
    output="automation",
    path="GET /v1/automations/{automation_id}",
    example={"automation_id": "00000000"},
    columns=("id", "name", "status", "version", "account", "updated_at"),
    rows="automation",
    card=cards.ONE,
    cli=Command(
        name="show",
        heading="automations",
        after="actions",
        help="An automation whole; with --json, its definition as you would export it.",
    ),
)
def show_automation(app: App, call: OperationCall[AutomationInput]) -> AutomationProgram:
    """Show an automation whole, as it is exported.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.documents import describe_automation
    from gaia_email_automations.use_cases import details

    return describe_automation(details(app, call.asked.automation_id))


@operation(
    output="automation",
    path="POST /v1/automations/{automation_id}/enable",
    example={"automation_id": "00000000"},
    risk="person",
    columns=("id", "name", "status", "version", "account", "updated_at"),
    rows="automation",
    card=cards.ONE,
    cli=Command(
        name="enable",
        heading="automations",
        after="show",
        help="Switch an automation on.",
    ),
)
def enable_automation(app: App, call: OperationCall[AutomationInput]) -> AutomationProgram:
    """Switch an automation on.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.documents import describe_automation
    from gaia_email_automations.use_cases import switch_automation

    found = switch_automation(app, call.asked.automation_id, "active", actor=call.actor)
    return describe_automation(found)


@operation(
    output="automation",
    path="POST /v1/automations/{automation_id}/disable",
    example={"automation_id": "00000000"},
    risk="restrain",
    columns=("id", "name", "status", "version", "account", "updated_at"),
    rows="automation",
    card=cards.ONE,
    cli=Command(
        name="disable",
        heading="automations",
        after="enable",
        help="Switch an automation off: nothing sets it off, and what runs goes on.",
    ),
)
def disable_automation(app: App, call: OperationCall[AutomationInput]) -> AutomationProgram:
    """Switch an automation off: nothing sets it off any more, and what runs goes on.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.documents import describe_automation
    from gaia_email_automations.use_cases import switch_automation

    found = switch_automation(app, call.asked.automation_id, "paused", actor=call.actor)
    return describe_automation(found)


@operation(
    output="automation-removed",
    path="DELETE /v1/automations/{automation_id}",
    example={"automation_id": "00000000"},
    risk="person",
    columns=("automation_id", "name"),
    card=cards.REMOVED,
    cli=Command(
        name="remove",
        heading="automations",
        after="disable",
        help="Forget an automation; its runs stay in the history.",
    ),
)
def remove_automation(app: App, call: OperationCall[AutomationInput]) -> RemovedAutomation:
    """Forget an automation; its runs stay in the history.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.documents import RemovedAutomation
    from gaia_email_automations.use_cases import remove_automation as forget

    found = forget(app, call.asked.automation_id, actor=call.actor)
    return RemovedAutomation(automation_id=found.automation_id, name=found.name)


@operation(
    output="automation-run",
    path="POST /v1/automations/{automation_id}/run",
    example={"automation_id": "00000000"},
    risk="person",
)
def run_automation(app: App, call: OperationCall[RunAutomationInput]) -> AutomationRunAccount:
    """Run an automation by hand.

    Raises:
        NotFound: There is none.
        MailError: The ledger or the database of runs cannot be used.
    """
    from gaia_email_automations.documents import describe_run
    from gaia_email_automations.use_cases import run_by_hand

    asked = call.asked
    return describe_run(run_by_hand(app, asked.automation_id, asked.inputs, wait=asked.wait))


@operation(
    output="automation-test",
    path="GET /v1/automations/{automation_id}/test",
    example={"automation_id": "00000000"},
    columns=("at", "trigger", "about", "error"),
    rows="firings",
    card=cards.TEST,
    cli=Command(
        name="test",
        heading="automations",
        after="remove",
        help="Show when it would have fired in the past, and with what; nothing is called.",
    ),
)
def test_automation(app: App, call: OperationCall[TestAutomationInput]) -> AutomationTrial:
    """Say when an automation would have fired in the past, and with what; nothing is called.

    Raises:
        NotFound: There is none.
    """
    from gaia_email.app.services.time_words import since_epoch
    from gaia_email_automations.documents import describe_trial
    from gaia_email_automations.use_cases import try_on_past

    now = datetime.fromtimestamp(app.clock()).astimezone()
    since = since_epoch(call.asked.past, now) or 0.0
    found, fired = try_on_past(app, call.asked.automation_id, since)
    return describe_trial(found, fired)


@operation(
    output="automation-runs",
    path="GET /v1/automations/runs",
    columns=("id", "automation", "status", "created_at", "why", "error"),
    rows="runs",
    card=cards.RUNS,
    cli=Command(
        name="runs",
        heading="automations",
        after="test",
        help="Runs, newest first: what set each off, and its end.",
    ),
)
def automation_runs(app: App, call: OperationCall[AutomationRunsInput]) -> AutomationRunList:
    """List runs of automations, newest first, with what set each off and how it ended.

    Raises:
        NotFound: There is no such automation.
    """
    from gaia_email_automations.documents import list_runs
    from gaia_email_automations.use_cases import runs_of

    return list_runs(runs_of(app, call.asked.automation_id, call.asked.limit))


@operation(
    output="automation-run",
    path="GET /v1/automations/runs/{run_id}",
    example={"run_id": "00000000"},
    columns=("step_id", "action", "state", "why"),
    rows="steps",
    card=cards.RUN,
    cli=Command(
        name="history",
        heading="automations",
        after="runs",
        help="One run: what set it off, and why each step did what it did.",
    ),
)
def automation_run(app: App, call: OperationCall[AutomationRunInput]) -> AutomationRunAccount:
    """Show a run: what set it off, and why each step did what it did.

    Raises:
        NotFound: There is none.
    """
    from gaia_email_automations.documents import describe_run
    from gaia_email_automations.use_cases import run_named

    return describe_run(run_named(app, call.asked.run_id))


@operation(
    output="automation-run",
    path="POST /v1/automations/runs/{run_id}/retry",
    example={"run_id": "00000000"},
    risk="person",
)
def retry_run(app: App, call: OperationCall[RetryRunInput]) -> AutomationRunAccount:
    """Run again what a run was, by the newest version of its automation, as a new run.

    Raises:
        BadArgument: It is not over.
        NotFound: There is none, or what set it off is gone.
        MailError: The ledger or the database of runs cannot be used.
    """
    from gaia_email_automations.documents import describe_run
    from gaia_email_automations.use_cases import run_again

    return describe_run(run_again(app, call.asked.run_id, wait=call.asked.wait))


@operation(
    output="automation-token",
    path="POST /v1/automations/{automation_id}/token",
    example={"automation_id": "00000000"},
    risk="person",
    columns=("path", "token"),
    card=cards.TOKEN,
    cli=Command(
        name="token",
        heading="automations",
        after="history",
        help="A new token for its webhook, shown this once; the one before is void.",
    ),
)
def automation_token(app: App, call: OperationCall[AutomationInput]) -> WebhookToken:
    """Make a new token for an automation's webhook, shown this once; the one before is void.

    Raises:
        NotFound: There is no such automation, or it has no webhook.
    """
    from gaia_email_automations.documents import WebhookToken
    from gaia_email_automations.use_cases import make_token

    found, token = make_token(app, call.asked.automation_id)
    path = f"/v1/automations/{found.automation_id}/fire"
    return WebhookToken(automation_id=found.automation_id, path=path, token=token)
