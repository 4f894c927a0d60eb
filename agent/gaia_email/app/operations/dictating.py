"""The operation that transcribes speech."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.documents.composing import DictatedDocument
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation


class DictateInput(OperationInput, frozen=True, kw_only=True):
    """A recording of the user's voice."""

    audio: Annotated[
        str, Meta(min_length=1, max_length=1_000_000, description="A WAV or WebM file, in base64.")
    ]


@operation(
    output=DictatedDocument,
    path="POST /v1/email/dictation",
    example={"audio": "UklGRgAAAABXQVZF"},
    risk="draft",
    mailbox="one",
)
def dictate(app: App, call: OperationCall[DictateInput]) -> dict[str, Any]:
    """Transcribe a recording with a model on this machine; the recording is not stored.

    Raises:
        BadArgument: It is no WAV or WebM file.
        MailError: No model here transcribes, or there was no whole answer.
    """
    from gaia_email.app.services.dictating import transcribe
    from gaia_email.document import clean

    text, model = transcribe(app, call.source, call.asked.audio, tell=call.tell)
    return {"schema_version": 1, "text": clean(text), "by": clean(model)}
