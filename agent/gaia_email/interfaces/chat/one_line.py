"""Answers a single line from an asker who is not a person, without a conversation. Entry point: `answer_line`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.app import App
from gaia_email.app.documents.talk_events import ErrorEvent, FinalEvent, NeedsInput, TalkEvent
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.chat.session import Session
from gaia_email_registry.errors import BadArgument, NeedsApproval, ProviderError
from gaia_email_registry.origin import RequestOrigin

MOST = 4_000


def answer_line(
    app: App, source: SourceSpec, line: str, models: Mapping[str, str], origin: RequestOrigin
) -> str:
    """Answer a line without changing anything.

    Args:
        app: The running program.
        source: The mailbox.
        line: The question.
        models: Environment that names the language model.
        origin: The asker and its interface.

    Raises:
        BadArgument: The line is empty or too long.
        ProviderError: There is no answer; the message gives the reason.
    """
    if not line.strip() or len(line) > MOST:
        raise BadArgument(f"A question has between 1 and {MOST:,} characters.", argument="/invocation/task")
    told: list[TalkEvent] = []
    session = Session(
        app, source, told.append, None, models, None, _refuse, lambda conversation: 0, origin=origin
    )
    session.say(line, turn_id="")
    match told[-1] if told else None:
        case FinalEvent(answer=answer):
            return answer
        case NeedsInput(question=question, options=options):
            return "\n".join([question, *options])
        case ErrorEvent(detail=detail):
            raise ProviderError(detail)
        case _:
            raise ProviderError("There is no answer to this.", hint="say it in other words.")


def _refuse(tool: str, arguments: Mapping[str, object]) -> None:
    raise NeedsApproval(f"Only a person may have {tool} done.", hint="ask the owner of the mailbox.")
