"""Operations that report the current state, from data on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.documents.layouts import policy as policy_cards
from gaia_email.app.documents.layouts import state as cards
from gaia_email.app.operations.inputs import KnownIdText, RowLimit, Since, on_command_line, since_of
from gaia_email.app.operations.offers import AgentTool, Command
from gaia_email.app.operations.operation import NoInput, OperationCall, OperationInput, operation

if TYPE_CHECKING:
    from gaia_email.app.documents.accounts import AccountList, DiscoveredAccounts
    from gaia_email.app.documents.actions import ActionList
    from gaia_email.app.services.doctor import Examination
    from gaia_email.app.services.egress import Traffic
    from gaia_email.app.services.memory import RememberedSentences
    from gaia_email.app.services.policy_overview import PolicyOverview
    from gaia_email.app.services.status import OverallStatus
    from gaia_email.app.services.teaching import LessonList
    from gaia_email.app.services.templates import TemplateList
    from gaia_email.runs.status import RunList, ScheduleList

AccountName = Annotated[
    str,
    Meta(max_length=200, description="Only of this account; empty for all."),
    on_command_line(metavar="NAME"),
]


class StatusInput(OperationInput, frozen=True, kw_only=True):
    """Choice to check accounts as well."""

    quick: Annotated[bool, Meta(description="Skip the check of the event log.")] = False


class ActionsInput(OperationInput, frozen=True, kw_only=True):
    """Choice of actions."""

    account: Annotated[AccountName, on_command_line(words="Only what was done on this account.")] = ""
    message_id: Annotated[
        str,
        Meta(max_length=500, description="Only what was done with this message; empty for all."),
        on_command_line(hidden=True),
    ] = ""
    run_id: Annotated[
        KnownIdText,
        Meta(description="Only this run (the beginning of its id will do)."),
        on_command_line(option="--run", metavar="ID"),
    ] = ""
    session_id: Annotated[
        KnownIdText,
        Meta(description="Only this chat session."),
        on_command_line(option="--session", metavar="ID"),
    ] = ""
    since: Since = ""
    until: Annotated[
        str,
        Meta(max_length=40, description="Only before then: a date such as 2026-11-02; empty for all."),
        on_command_line(metavar="DATE", words="Only before then."),
    ] = ""
    type: Annotated[
        str,
        Meta(max_length=40, description="Only actions of this type, such as archive; empty for all."),
        on_command_line(metavar="TYPE", words="Only of this type, such as archive."),
    ] = ""
    about: Annotated[
        str,
        Meta(max_length=200, description="Only where this stands in sender or subject; empty for all."),
        on_command_line(metavar="WORDS", words="Only where this stands in sender or subject."),
    ] = ""
    limit: Annotated[
        int,
        Meta(ge=1, description="At most N; usually 200."),
        on_command_line(metavar="N"),
    ] = 200


class PendingInput(OperationInput, frozen=True, kw_only=True):
    """Choice of waiting items."""

    type: Annotated[
        Literal["", "confirmation", "question", "review", "notify"],
        Meta(description="Only these; empty for all."),
        on_command_line(words="Only these."),
    ] = ""
    cohort: Annotated[
        str,
        Meta(max_length=100, description="Only of this cohort; empty for all."),
        on_command_line(metavar="C", words="Only of this cohort."),
    ] = ""


class RunsInput(OperationInput, frozen=True, kw_only=True):
    """Number of runs."""

    limit: Annotated[RowLimit, on_command_line(words="Usually 20.")] = 20


class EgressInput(OperationInput, frozen=True, kw_only=True):
    """Choice of connections."""

    since: Since = ""
    account: Annotated[AccountName, on_command_line(words="Only what was opened for this account.")] = ""
    each: Annotated[
        bool,
        Meta(description="Each connection, newest first, instead of sums."),
        on_command_line(option="--all"),
    ] = False


class DoctorInput(OperationInput, frozen=True, kw_only=True):
    """Choice of checks."""

    offline: Annotated[bool, Meta(description="Ask no server, no DNS and no model.")] = False


@operation(
    output="app.services.status.OverallStatus",
    path="GET /v1/email/status",
    example={"quick": "true"},
    columns=(
        "switches.stopped_at",
        "switches.paused_at",
        "last_run.started_at",
        "pending.confirmation",
        "pending.question",
        "pending.review",
        "pending.notify",
        "planned_actions",
        "ledger.verified",
    ),
    card=cards.STATUS,
    cli=Command(
        name="status",
        heading="Accounts",
        after="egress",
        line="Show accounts, switches, the last run, and what is waiting.",
        help="""Accounts, switches, the last run, what waits for you, and whether the event log is whole.

    Exit code 1 where the log is broken: somebody changed the ledger's file past this program.
    """,
        failed="ledger.broken",
    ),
)
def status(app: App, call: OperationCall[StatusInput]) -> OverallStatus:
    """Accounts, switches, the last run, what waits, and whether the event log is whole.

    Raises:
        MailError: The accounts or the ledger cannot be read.
    """
    from gaia_email.app.services.status import overall_status

    return overall_status(app, verify=not call.asked.quick)


@operation(
    output="accounts",
    path="GET /v1/email/accounts",
    columns=("id", "address", "provider", "server", "password", "enabled", "added_at", "aliases"),
    rows="accounts",
    card=cards.ACCOUNTS,
)
def accounts(app: App, call: OperationCall[NoInput]) -> AccountList:
    """The connected accounts, the user's other addresses, and where each password is; never a password.

    Raises:
        MailError: The list of accounts cannot be read.
    """
    from gaia_email.app.documents.accounts import AccountDetails, AccountList
    from gaia_email_registry.accounts import read_accounts

    return AccountList(accounts=[AccountDetails.of(one) for one in read_accounts(app.environ)])


@operation(
    output="discover",
    path="GET /v1/email/discovery",
    cli=Command(
        name="discover",
        heading="Accounts",
        after="connect",
        line="Find the mail accounts that this machine already knows.",
        help="""Accounts that the mail programs of this machine name and that are not connected yet.

    Reads the settings of mail programs (Thunderbird, Apple Mail, GNOME, KMail, mutt and others), of git and of MCP
    clients, and no password. With GAIA_DISCOVER_BROWSERS=1 also whom browsers are signed in as. What was found is kept
    in email/discovery.json of GAIA_HOME.
    """,
        view="views.CANDIDATES",
    ),
)
def discover(app: App, call: OperationCall[NoInput]) -> DiscoveredAccounts:
    """The mail accounts that this machine already knows and that are not connected yet, and how we know them.

    Raises:
        MailError: The list of accounts cannot be read.
    """
    from gaia_email.app.documents.accounts import DiscoveredAccount, DiscoveredAccounts
    from gaia_email.app.services.finding_accounts import look

    return DiscoveredAccounts(candidates=[DiscoveredAccount.of(one) for one in look(app.environ)])


@operation(
    output="actions",
    path="GET /v1/email/actions",
    example={"limit": 5},
    cli=Command(
        name="actions",
        heading="Act",
        after="unsubscribe",
        line="List what was done to your mail, newest first.",
        help="""Everything that was done to your mail, newest first, each with its reason and its undo.

    A run is one card; --json lists its actions one by one.
    """,
        view="views.ACTIONS",
    ),
)
def actions(app: App, call: OperationCall[ActionsInput]) -> ActionList:
    """List what was done to the user's mail, newest first, each with its reason and its undo.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.history import ActionSelection, list_actions
    from gaia_email.app.services.names import account_named

    asked = call.asked
    chosen = ActionSelection(
        message_id=asked.message_id or None,
        run_id=asked.run_id or None,
        session_id=asked.session_id or None,
        since=since_of(asked.since),
        until=since_of(asked.until),
        type=asked.type,
        about=asked.about,
    )
    return list_actions(app, account_named(app, asked.account or None), chosen, limit=asked.limit)


@operation(
    output="pending",
    path="GET /v1/email/pending",
    cli=Command(
        name="pending",
        heading="Act",
        after="actions",
        line="List what is waiting for your answer.",
        help="""What the agent asks you, has prepared for you, and wants you to know. Changes nothing.

    A confirmation is one exact call that needs your yes: a program waits for it for ten minutes, a mail server that an
    assistant uses for a day. A question is asked
    where the agent is unsure, where a sender is new, and at L2; a review is prepared at L3; a note tells of what was
    done from L4 on. Answers: gaia email review, approve, reject.
    """,
        view="views.PENDING",
    ),
)
def pending(app: App, call: OperationCall[PendingInput]) -> dict[str, Any]:
    """List what waits for the user's answer: questions, reviews, notes, and exact calls that need their yes.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.actions.pending.questions import asked_by_servers
    from gaia_email.app.documents.pending import confirmation_row, pending_document
    from gaia_email.app.services.agent_inbox import what_waits

    type_, cohort = call.asked.type or None, call.asked.cohort or None
    servers = asked_by_servers(environ=app.environ)
    found = what_waits(app, call.actor, type_=type_, cohort=cohort)
    counts = {**found.counts, "confirmation": found.counts.get("confirmation", 0) + len(servers)}
    # A server's questions belong to no cohort.
    shown = servers if type_ in (None, "confirmation") and cohort is None else []
    asked = [confirmation_row(one) for one in (*found.calls, *shown)]
    return {**pending_document(found.items, asked, counts)}


@operation(
    output="policy",
    path="GET /v1/email/policy",
    tools=(
        AgentTool(
            name="get_policy",
            fields=(
                *("version", "cohorts.name", "cohorts.level", "cohorts.level_name"),
                *("vips", "quiet_hours", "switches"),
            ),
            description="Show what the agent may do for each kind of sender (levels 0 to 5), and the switches.",
        ),
    ),
    columns=("name", "level", "level_name", "own", "match"),
    rows="cohorts",
    card=policy_cards.POLICY,
    cli=Command(
        name="list",
        heading="policy",
        help="Your cohorts in the order they are asked, their levels, and everything else you decided.",
    ),
)
def policy(app: App, call: OperationCall[NoInput]) -> PolicyOverview:
    """Show what the agent may do for each kind of sender, and everything else the user decided.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.policy_overview import policy_overview

    return policy_overview(app)


@operation(
    output="runs.status.RunList",
    path="GET /v1/email/runs",
    columns=("id", "kind", "mailbox", "state", "started_at", "messages", "actions", "asked", "reason"),
    rows="runs",
    card=cards.RUNS,
)
def runs(app: App, call: OperationCall[RunsInput]) -> RunList:
    """List past, present and scheduled runs, newest first, each with its outcome.

    Raises:
        ProviderError: The database of runs cannot be used.
    """
    from gaia_email.runs.history import runs as latest
    from gaia_email.runs.status import RunList

    found = latest(app.environ, limit=call.asked.limit)
    return RunList(shown=len(found), runs=found)


@operation(
    output="runs.status.ScheduleList",
    path="GET /v1/email/schedules",
    columns=("name", "kind", "mailbox", "cron", "zone", "overlap", "active", "last_fired_at"),
    rows="schedules",
    card=cards.SCHEDULES,
)
def schedules(app: App, call: OperationCall[NoInput]) -> ScheduleList:
    """List what runs by the clock, and when.

    Raises:
        ProviderError: The database of runs cannot be used.
    """
    from gaia_email.runs.history import schedules as all_schedules
    from gaia_email.runs.status import ScheduleList

    return ScheduleList(schedules=all_schedules(app.environ))


@operation(
    output="policy-templates",
    path="GET /v1/email/policy/templates",
    columns=("name", "cohorts", "slots", "always_asks", "problem"),
    rows="templates",
    card=policy_cards.TEMPLATES,
    cli=Command(
        name="templates",
        heading="policy",
        after="scripts",
        help="The answers you wrote in email/templates/*.md below GAIA_HOME, and what is wrong with one.",
    ),
)
def templates(app: App, call: OperationCall[NoInput]) -> TemplateList:
    """The answers that the user wrote to be sent, and what is wrong with one.

    Raises:
        MailError: Their folder cannot be read.
    """
    from gaia_email.app.services.templates import list_templates

    return list_templates(app)


@operation(output="app.services.egress.Traffic", path="GET /v1/email/egress")
def egress(app: App, call: OperationCall[EgressInput]) -> Traffic:
    """Every connection that left this machine: to whom, why, how many bytes; no mail is in it.

    Raises:
        MailError: The egress ledger cannot be read.
    """
    from gaia_email.app.services.egress import connections, traffic_of

    since, account = since_of(call.asked.since), call.asked.account or None
    rows = connections(app, since, account)
    return traffic_of(rows, each=call.asked.each, since=since, account=account)


@operation(output="lessons", path="GET /v1/email/lessons", rows="lessons", card=policy_cards.LESSONS)
def lessons(app: App, call: OperationCall[NoInput]) -> LessonList:
    """List what the user taught by corrections, answers and their own actions, newest first.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services.teaching import list_lessons

    return list_lessons(app)


@operation(
    name="remembered",
    output="remember",
    path="GET /v1/email/remembered",
    columns=("n", "text", "said_in"),
    rows="sentences",
    card=policy_cards.REMEMBERED,
)
def list_remembered(app: App, call: OperationCall[NoInput]) -> RememberedSentences:
    """The sentences that the user asked to remember.

    Raises:
        MailError: The ledger cannot be read.
    """
    from gaia_email.app.services import memory

    return memory.RememberedSentences.of(memory.list_preferences(app))


@operation(
    output="app.services.doctor.Examination",
    path="GET /v1/email/doctor",
    example={"offline": "true"},
    columns=("ok", "check", "says", "mend"),
    rows="findings",
    card=cards.DOCTOR,
    cli=Command(
        name="doctor",
        heading="Accounts",
        after="disconnect",
        line="Find what is wrong on this machine, and the command that mends it.",
        help="""
    Look at disk, files, passwords, clock, ledgers, schedule, MCP clients, models, logins, certificates and MX.

    It asks the servers of your accounts and DNS, and changes nothing. Each thing that is wrong comes with the command
    that mends it. Exit code 1 while anything is.
    """,
        failed="wrong",
    ),
)
def doctor(app: App, call: OperationCall[DoctorInput]) -> Examination:
    """Find what is wrong on this machine, with the command that mends it."""
    from gaia_email.app.services.doctor import examine

    return examine(app, offline=call.asked.offline)
