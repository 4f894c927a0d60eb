"""The inbox of all mailboxes with the errors of unreadable ones, for another program's contract. Entry: `overview`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

from gaia_email.app import App
from gaia_email.app.documents.mail_types import InboxDocument
from gaia_email.app.operations.operation import NoInput, OperationCall, operation
from gaia_email.document import Count
from gaia_email_registry.errors import MailError, NotFound

if TYPE_CHECKING:
    from gaia_email.app.services.source import SourceSpec

UNREAD = "in:inbox is:unread"


class FailedMailboxRow(TypedDict):
    """A mailbox that could not be read, by its index among those requested."""

    mailbox: Count
    error: str


class OverviewDocument(InboxDocument):
    """The inbox; `unread` counts messages, `problems` are unreadable files, `failed` unreadable mailboxes."""

    unread: Count
    problems: list[str]
    failed: list[FailedMailboxRow]


@operation(output=OverviewDocument, mailbox="all")
def overview(app: App, call: OperationCall[NoInput]) -> dict[str, Any]:
    """The inbox of all mailboxes that can be read as one.

    Raises:
        MailError: None of them can be read.
    """
    from gaia_email.app.documents.listing import InboxListing, InboxPart, inbox_document
    from gaia_email.app.services.inbox_rows import InboxRequest, list_inbox
    from gaia_email.document import clean
    from gaia_email.ledger.policy_store import stored_rules

    request = InboxRequest(rules=stored_rules(environ=app.environ), now=app.clock())
    parts, failed, unread = list[InboxPart](), list[FailedMailboxRow](), 0
    failure: MailError | None = None
    for place, source in enumerate(call.sources):
        try:
            parts += list_inbox(app, [source], request)[0].parts
            unread += _count_unread(app, source)
        except MailError as error:
            failure = failure or error
            failed.append({"mailbox": place, "error": clean(error.message)})
    if failure is not None and not parts:
        raise failure
    found = InboxListing.of(parts)
    return {
        **inbox_document(found, found.documents(now=request.now)),
        "unread": unread,
        "problems": [clean(problem) for problem in found.problems],
        "failed": failed,
    }


def _count_unread(app: App, source: SourceSpec) -> int:
    """Return the number of unread messages of an inbox that was just read, from its copy if there is one."""
    from gaia_email.app.services.searching import SearchRequest, search_mail

    asked = SearchRequest(query=UNREAD, limit=1, offline=True)
    try:
        return search_mail(app, source, asked).found.total
    except NotFound:
        return search_mail(app, source, replace(asked, offline=False)).found.total
