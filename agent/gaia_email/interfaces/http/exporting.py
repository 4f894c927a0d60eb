"""`POST /v1/email/export`: the content of the ledger, as `gaia email export` writes it. Entry: `export_ledger`."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from typing import Annotated

from msgspec import Meta
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gaia_email.app import App
from gaia_email.app.documents.export import EXPORT_PARTS, ExportPart, export_head, export_text
from gaia_email.app.operations.inputs import Since, since_of
from gaia_email.app.operations.operation import OperationInput, convert_json
from gaia_email.app.services.names import account_named
from gaia_email.app.services.upkeep import Exporter, ExportSelection
from gaia_email.interfaces.http.answering import MOST_NAME, Answering, body_of, person_hint
from gaia_email.interfaces.http.guard import principal_of
from gaia_email.interfaces.http.refusal import NeedsPerson

IN_MEMORY = 8 << 20
"""Size in bytes from which an export is assembled on disk, in a file without a name."""

PIECE = 64 << 10


class ExportInput(OperationInput, frozen=True, kw_only=True):
    """Choice of records to export."""

    what: Annotated[
        tuple[ExportPart, ...], Meta(max_length=50, description="Only these; empty for all.")
    ] = ()
    account: Annotated[str, Meta(max_length=MOST_NAME, description="Only this account's; empty for all.")] = (
        ""
    )
    since: Since = ""
    bodies: Annotated[
        bool, Meta(description="The texts of messages and drafts, too; only a person may have them.")
    ] = False
    people: Annotated[bool, Meta(description="Senders and subjects in the event log, too.")] = False


async def export_ledger(answering: Answering, request: Request) -> Response:
    """Return the export, built completely before its first byte is sent, so that an error can still be reported.

    Raises:
        NeedsPerson: Bodies were requested, but not by a person.
        MailError: The ledger cannot be read.
    """
    asked = convert_json(await body_of(request), ExportInput)
    principal = principal_of(request.scope)
    if asked.bodies and not principal.decides:
        raise NeedsPerson("Only a person may have the texts of mail in an export.", hint=person_hint(request))
    file = await answering.turn(lambda: _written(answering.app, asked))
    return StreamingResponse(_pieces(file), media_type="application/json")


def _written(app: App, asked: ExportInput) -> SpooledTemporaryFile[bytes]:
    account = account_named(app, asked.account or None)
    chosen = ExportSelection(
        account_id=account, since=since_of(asked.since), bodies=asked.bodies, people=asked.people
    )
    head = export_head(account=account, bodies=asked.bodies, people=asked.people)
    file = SpooledTemporaryFile[bytes](max_size=IN_MEMORY)
    with Exporter.open(app) as exporter:
        tables = ((part, exporter.rows(part, chosen)) for part in asked.what or EXPORT_PARTS)
        for text in export_text(head, tables):
            file.write(text.encode("utf-8", "replace"))
    file.seek(0)
    return file


def _pieces(file: SpooledTemporaryFile[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(PIECE):
            yield piece
