"""Speech transcribed by a model on this machine. Entries: `transcribe`, `dictation_model`."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable

from gaia_email.app import App
from gaia_email.app.services.opening import account_of
from gaia_email.app.services.source import SourceSpec
from gaia_email.models.client import SpeechRecording
from gaia_email.models.one_question import asking, transcriber
from gaia_email.triage.tiers import has_models
from gaia_email_registry.errors import BadArgument
from gaia_mail.printable import visible_text

MOST_CHARS = 4_000
"""Maximum length of one transcription in characters."""


def dictation_model(app: App) -> str:
    """Return the model that transcribes speech; empty if the user's model server has none."""
    return asyncio.run(transcriber(app.environ)) if has_models(app.environ) else ""


def transcribe(
    app: App, source: SourceSpec, audio: str, *, tell: Callable[[str], None] = lambda said: None
) -> tuple[str, str]:
    """Return the text of a recording, and the model that transcribed it. The recording is not stored.

    Args:
        app: The running program.
        source: The mailbox that the mail is written from.
        audio: A WAV or WebM file, in base64.
        tell: Progress callback that receives sentences for the user.

    Raises:
        BadArgument: It is not such a file.
        MailError: No model here can transcribe, or the answer was incomplete.
    """
    recording = _recording(audio)

    async def ask() -> tuple[str, str]:
        why, account = "words you dictated", account_of(app, source)
        async with asking(app.environ, why=why, tier="speech", account=account, tell=tell) as client:
            return await client.transcribe(recording), client.model

    text, model = asyncio.run(ask())
    return visible_text(" ".join(text.split()))[:MOST_CHARS], model


def _recording(audio: str) -> SpeechRecording:
    try:
        data = base64.b64decode(audio, validate=True)
    except (binascii.Error, ValueError):
        raise BadArgument("audio: a file in base64.", argument="/audio") from None
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return SpeechRecording(data=data, kind="wav")
    if data.startswith(b"\x1aE\xdf\xa3"):
        return SpeechRecording(data=data, kind="webm")
    raise BadArgument("audio: a WAV or WebM file.", argument="/audio", hint="record it anew.")
