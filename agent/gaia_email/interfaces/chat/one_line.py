"""The answer to one line of somebody who is no person and goes on with no conversation. Entry point: `answer_line`."""

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
    """What there is to say to a line; nothing is changed by it.

    Args:
        app: The running program.
        source: The mailbox.
        line: What is asked.
        models: Where the choice of a language model is looked up.
        origin: The asker and its interface.

    Raises:
        BadArgument: There is no line, or it is too long.
        ProviderError: There is no answer, with the reason.
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
