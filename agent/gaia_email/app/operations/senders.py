"""Senders by volume: who writes most, and how much of it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.inputs import Since, on_command_line, since_of
from gaia_email.app.operations.offers import AgentTool, Command
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation

if TYPE_CHECKING:
    from gaia_email.ledger.senders import TopSenders


class TopSendersInput(OperationInput, frozen=True, kw_only=True):
    """Choice of mail to count."""

    limit: Annotated[
        int, Meta(ge=1, le=100, description="At most so many senders."), on_command_line(metavar="N")
    ] = 20
    since: Since = ""


@operation(
    path="GET /v1/email/top-senders",
    output="ledger.senders.TopSenders",
    example={"limit": 5},
    mailbox="all",
    rows="senders",
    columns=("address", "name", "messages", "read", "read_share", "last"),
    cli=Command(name="top-senders", heading="Read", after="search"),
    tools=(AgentTool(),),
    chat=("who sends me the most mail", "top senders"),
)
def top_senders(app: App, call: OperationCall[TopSendersInput]) -> TopSenders:
    """Senders by number of messages, with the share that was read.

    Mail that the user sent, drafts, spam and Trash are left out.

    Raises:
        MailError: No mailbox can be read.
    """
    from gaia_email.app.services.opening import open_copies, owner_of
    from gaia_email.ledger.senders import senders_by_volume

    own = [address for source in call.sources for address in owner_of(app, source)]
    with open_copies(app, call.sources, tell=call.tell) as (ledger, accounts), ledger.read() as tx:
        return senders_by_volume(
            tx, accounts, own=own, since=since_of(call.asked.since), limit=call.asked.limit
        )
