"""Deletes data about mail, after showing how much it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation

if TYPE_CHECKING:
    from gaia_email.app.services.upkeep import PurgedRecords


class PurgeInput(OperationInput, frozen=True, kw_only=True):
    """Rows to delete, or only to count."""

    extent: Annotated[
        Literal["mail", "everything"],
        Meta(
            description="The copy of mail, which the next look makes again, or all that was understood and done."
        ),
    ] = "mail"
    account: Annotated[str, Meta(max_length=320, description="Only of this account; empty for all.")] = ""
    dry_run: Annotated[bool, Meta(description="Only count.")] = False


@operation(
    output="app.services.upkeep.PurgedRecords",
    path="POST /v1/email/purge",
    example={"extent": "mail", "dry_run": True},
    risk="person",
)
def purge(app: App, call: OperationCall[PurgeInput]) -> PurgedRecords:
    """Delete what is kept here, by kind and number; nothing in any mailbox is touched, and it cannot be taken back.

    Raises:
        MailError: The ledger cannot be opened, or something cannot be deleted.
    """
    from gaia_email.app.services.names import account_named
    from gaia_email.app.services.upkeep import PurgedRecords, planned_purge

    asked = call.asked
    account = account_named(app, asked.account or None)
    with planned_purge(app, asked.extent, account) as planned:
        gone = dict(planned.counts) if asked.dry_run else planned.carry_out()
        return PurgedRecords(extent=asked.extent, account=account, gone=gone)
