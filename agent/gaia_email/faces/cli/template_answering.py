"""What `gaia email answer` does: prepare, show, ask, send. Entry point: `answer_with`."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter, time

from rich.text import Text

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import Answer, prepare_answer
from gaia_email.actions.answering import require_answerable, send_answer
from gaia_email.actions.applying import Applied
from gaia_email.documents.actions import Acted
from gaia_email.faces.cli.acting import lines, with_desk
from gaia_email.faces.cli.did import show_acted
from gaia_email.faces.cli.options import Source
from gaia_email.faces.cli.output import OutputFormat, console, note
from gaia_email.faces.cli.session import owner_of
from gaia_email.policy.question import question
from gaia_email.policy_store import stored_rules
from gaia_email.triage.inbox import look_up
from gaia_email.triage.tiers import default_tier
from gaia_email_registry.errors import NotFound


def answer_with(
    message_id: str,
    name: str,
    chosen: Mapping[str, str],
    source: Source,
    form: OutputFormat,
    fields: list[str],
    *,
    dry_run: bool,
) -> int:
    """Answer the message from the template of that name; the exit code.

    Raises:
        NotFound: There is no such message or template.
        BadArgument: The message may not be answered so, or a slot cannot be filled.
        NeedsApproval: The user did not agree; nothing was sent.
        MailError: The mailbox cannot be used, or nobody knows whether the answer went out.
    """
    started = perf_counter()
    rules = stored_rules()

    async def scenario(desk: AccountSession) -> Acted:
        template = desk.templates.get(name)
        if template is None:
            raise NotFound(
                f"There is no usable template {name[:60]!r}.",
                argument="template",
                hint="gaia email policy templates lists them, and says what is wrong with one.",
            )
        owner = owner_of(source)
        found = await look_up(desk.copy, default_tier(), message_id, now=time(), owner=owner, rules=rules)
        cohort = found.decision.cohort
        answer = await prepare_answer(desk, found.summary, template, cohort, owner=owner, chosen=chosen)
        if dry_run:
            await require_answerable(desk, answer, cohort)
            _show(answer)
            applied = Applied()
        else:
            applied = await send_answer(desk, answer, cohort)
        seconds = perf_counter() - started
        return Acted(command="answer", account=desk.account, applied=applied, seconds=seconds)

    acted = with_desk(source, scenario)
    if dry_run:
        note("nothing was sent.")
        return 0
    return show_acted(acted, form, fields)


def _show(answer: Answer) -> None:
    out = console()
    for line in lines(question(answer.call, answer.facts)):
        out.print(Text(line), soft_wrap=True)
