"""A person's yes to one exact call of a program, asked in the Agent Inbox. Entries: `call_request`, `wait_for_answer`.

Where a program cannot ask the person itself, its question is kept beside those of the mail servers. Nothing that the
program is told names an id or a command, since one that may run commands would run it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from gaia_email.app import App
from gaia_email_registry.approvals import ApprovalRequest, Approvals
from gaia_email_registry.calls import call_digest
from gaia_email_registry.origin import RequestOrigin
from gaia_email_registry.paths import approvals_file

WAITS_S = 600.0
"""Seconds that a program waits for the answer."""

LOOKED_S = 0.25
"""Seconds between two looks whether it is there."""


def call_request(
    program: str,
    account: str,
    tool: str,
    arguments: Mapping[str, object],
    shown: str,
    *,
    origin: RequestOrigin,
    once: str = "",
) -> ApprovalRequest:
    """The question whether a call may be made; an answer holds for exactly this call of this asker, shown as here.

    With `once`, an id that no other question has, it is a question of its own: an equal one is not answered with it.
    """
    return ApprovalRequest(
        call=call_digest(program, tool, account, arguments, origin.to_text(), once),
        shown_digest=call_digest(shown),
        server=program,
        account=account,
        tool=tool,
        shown=shown,
        origin=origin,
    )


def put_up(app: App, asked: ApprovalRequest) -> str:
    """Put a question into the Agent Inbox, where it waits for a day, and return its id.

    Raises:
        NeedsApproval: As many as may wait do.
        ProviderError: The file of questions cannot be used.
    """
    return Approvals(approvals_file(app.environ)).ask(asked).approval_id


def answer_to(app: App, asked: ApprovalRequest) -> bool | None:
    """What the person said, a yes used up by it; None where they have said nothing. No file is made by looking.

    Raises:
        ProviderError: The file of questions cannot be used.
    """
    file = approvals_file(app.environ)
    if not file.exists():
        return None
    kept = Approvals(file)
    if kept.take(asked.call, asked.shown_digest):
        return True
    return None if kept.refused(asked.call, asked.shown_digest) is None else False


def withdraw(app: App, call: str) -> None:
    """Close the question about a call that nobody waits for any more.

    Raises:
        ProviderError: The file of questions cannot be used.
    """
    Approvals(approvals_file(app.environ)).withdraw(call)


def wait_for_answer(
    app: App,
    asked: ApprovalRequest,
    told: Callable[[str], None] = lambda approval_id: None,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> bool | None:
    """Put a question up and wait until it is answered; None where nobody did in `WAITS_S`, after which it is void.

    `told` is given its id once it is up.

    Raises:
        NeedsApproval: As many as may wait do.
        ProviderError: The file of questions cannot be used.
    """
    told(put_up(app, asked))
    ends = clock() + WAITS_S
    while (answer := answer_to(app, asked)) is None:
        if clock() > ends:
            withdraw(app, asked.call)
            return None
        sleep(LOOKED_S)
    return answer
