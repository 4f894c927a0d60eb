"""A user's approval of one exact call by a program, in the Agent Inbox. Entries: `call_request`, `wait_for_answer`.

If a program cannot ask the user itself, its question is stored next to those of the mail servers. The program
never learns an id or a command, since a program that may run commands could then approve its own call.
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
"""Seconds between two checks for the answer."""


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
    """Return the question for a call; an approval is valid only for exactly this call, requester and text.

    `once`, a unique id, makes it a separate question: an answer to an equal one does not count.
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
    """Add a question to the Agent Inbox, where it waits for a day, and return its id.

    Raises:
        NeedsApproval: The maximum number of questions is waiting.
        ProviderError: The file of questions cannot be used.
    """
    return Approvals(approvals_file(app.environ)).ask(asked).approval_id


def answer_to(app: App, asked: ApprovalRequest) -> bool | None:
    """Return the user's answer, or None if there is none; reading an approval uses it up. Creates no file.

    Raises:
        ProviderError: The file of questions cannot be used.
    """
    file = approvals_file(app.environ)
    if not file.exists():
        return None
    kept = Approvals(file)
    if kept.take(asked.call, asked.shown_digest):
        return True
    return None if kept.find_refusal(asked.call, asked.shown_digest) is None else False


def withdraw(app: App, call: str) -> None:
    """Close the question about a call that is no longer needed.

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
    """Add a question and wait for the answer; None if there is none within `WAITS_S`, after which it is void.

    `told` receives its id once it is added.

    Raises:
        NeedsApproval: The maximum number of questions is waiting.
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
