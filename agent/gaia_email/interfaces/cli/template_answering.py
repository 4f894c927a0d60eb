"""What `gaia email answer` does: prepare, show, ask, send. Entry point: `answer_with`."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

from rich.text import Text

from gaia_email.actions.account_session import AccountSession
from gaia_email.actions.answer import TemplateAnswer
from gaia_email.actions.applying import AppliedActions
from gaia_email.app import App
from gaia_email.app.documents.actions import Acted, acted_document
from gaia_email.app.services.answering import answer_from_template
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.cli.acting import lines, with_account_session
from gaia_email.interfaces.cli.did import ACTED
from gaia_email.interfaces.cli.from_operation import OperationAnswer, print_document
from gaia_email.interfaces.cli.output import OutputFormat, console, note
from gaia_email.policy.question import question


def answer_with(
    app: App,
    message_id: str,
    name: str,
    chosen: Mapping[str, str],
    source: SourceSpec,
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

    async def scenario(session: AccountSession) -> Acted:
        result = await answer_from_template(app, session, source, message_id, name, chosen, dry_run=dry_run)
        applied = AppliedActions()
        if isinstance(result, TemplateAnswer):
            _show(result)
        else:
            applied = result
        seconds = perf_counter() - started
        return Acted(command="answer", account=session.account, applied=applied, seconds=seconds)

    acted = with_account_session(app, source, scenario)
    if dry_run:
        note("nothing was sent.")
        return 0
    if acted.applied.problem is not None and not acted.applied.done:
        raise acted.applied.problem
    answer = OperationAnswer(document=acted_document(acted))
    return print_document(answer, ACTED, form, fields)


def _show(answer: TemplateAnswer) -> None:
    out = console()
    for line in lines(question(answer.call, answer.facts)):
        out.print(Text(line), soft_wrap=True)
