"""Handlers of the steps that make a file. Entries: `document`, `speech_generation`."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryFile
from typing import Any, Literal

from gaia_email.ledger import NewLedgerEvent
from gaia_email_automations.artifacts import (
    MOST_BYTES,
    ArtifactFacts,
    ArtifactKind,
    ArtifactRetention,
    ArtifactStore,
    ArtifactVisibility,
)
from gaia_email_automations.engine import StepWork
from gaia_email_registry.errors import BadArgument, NotFound, ProviderError

FILE_ADDED = "file.added"
"""The event for a file that a run has stored; other automations may listen for it."""

SPEECH_S = 300.0
"""Seconds that the speech program may take."""

_FORMS: Mapping[str, tuple[str, str]] = {
    "markdown": (".md", "text/markdown"),
    "text": (".txt", "text/plain"),
    "json": (".json", "application/json"),
}
_AUDIO: Mapping[str, tuple[str, str]] = {
    "wav": (".wav", "audio/wav"),
    "mp3": (".mp3", "audio/mpeg"),
    "ogg": (".ogg", "audio/ogg"),
}


async def document(work: StepWork) -> object:
    """Store a text as a file.

    Raises:
        NeedsApproval: A model would decide who sees the file or for how long, which the user did not allow.
    """
    work.need_no_question()
    ending, media_type = _FORMS[str(work.config.get("format", "markdown"))]
    kind: ArtifactKind = "data" if ending == ".json" else "document"
    return await _kept(work, str(work.config["text"]).encode("utf-8", "replace"), kind, ending, media_type)


async def speech_generation(work: StepWork) -> object:
    """Have the user's program speak a text, and store the recording.

    Raises:
        NotFound: There is no such program.
        NeedsApproval: A model would decide who hears the recording or for how long, which the user did not allow.
        ProviderError: It failed, produced nothing, or took too long.
    """
    work.need_no_question()
    command = speech_command(work.engine.environ)
    ending, media_type = _AUDIO[str(work.config.get("format", "wav"))]
    spoken = await _spoken(command, str(work.config["text"]), work.engine.environ)
    return await _kept(work, spoken, "audio", ending, media_type)


def speech_command(environ: Mapping[str, str]) -> list[str]:
    """Return the command of the speech program, which reads text and writes a recording.

    Raises:
        NotFound: None is set.
        BadArgument: It cannot be parsed.
    """
    text = environ.get("GAIA_SPEECH_COMMAND", "").strip()
    if not text:
        raise NotFound(
            "No program speaks here.",
            hint="Set GAIA_SPEECH_COMMAND to one that reads text and writes a recording, such as 'espeak-ng --stdout'.",
        )
    try:
        return shlex.split(text)
    except ValueError:
        raise BadArgument(
            "GAIA_SPEECH_COMMAND cannot be read as a command line.", argument="GAIA_SPEECH_COMMAND"
        ) from None


async def _spoken(command: list[str], text: str, environ: Mapping[str, str]) -> bytes:
    """Return the program's output; the text is passed on standard input, never as an argument."""
    known = {name: environ[name] for name in ("PATH", "HOME", "LANG", "LC_ALL") if name in environ}
    with TemporaryFile() as given:
        given.write(text.encode("utf-8", "replace"))
        given.seek(0)
        try:
            process = Popen(command, stdin=given, stdout=PIPE, stderr=DEVNULL, env=known)
        except OSError as error:
            raise ProviderError(
                f"The program that speaks cannot be started: {error.strerror}.",
                hint="GAIA_SPEECH_COMMAND names it.",
            ) from None
        with process:
            try:
                found = await asyncio.wait_for(asyncio.to_thread(_written, process), SPEECH_S)
            except TimeoutError:
                raise ProviderError(f"The program that speaks took longer than {SPEECH_S:.0f} s.") from None
            finally:
                if process.poll() is None:
                    process.kill()
    if len(found) > MOST_BYTES:
        raise ProviderError(f"The recording has more than {MOST_BYTES:,} bytes.")
    if process.returncode:
        raise ProviderError(f"The program that speaks ended with {process.returncode}.")
    if not found:
        raise ProviderError("The program that speaks gave nothing.")
    return found


def _written(process: Popen[bytes]) -> bytes:
    """Read all output of a program until it ends, or one byte more than the limit."""
    assert process.stdout is not None
    found = process.stdout.read(MOST_BYTES + 1)
    if len(found) <= MOST_BYTES:
        process.wait()
    return found


async def _kept(work: StepWork, content: bytes, kind: ArtifactKind, ending: str, media_type: str) -> object:
    """Store a file and record it in the event log; the step ends in the same transaction."""
    ledger = work.engine.ledger
    name = str(work.config["name"]).removesuffix(ending)
    retention: ArtifactRetention = _one_of(work.config, "retention", "default")
    visibility: ArtifactVisibility = _one_of(work.config, "visibility", "private")
    facts = ArtifactFacts(
        run_id=work.run.run_id,
        step_id=work.step.step_id,
        account_id=work.run.account_id,
        name=f"{name[:100]}{ending}",
        kind=kind,
        media_type=media_type,
        retention=retention,
        visibility=visibility,
    )
    store = ArtifactStore(work.engine.environ, ledger.clock)
    found = await asyncio.to_thread(store.keep, content, facts)
    told = {
        "artifact_id": found.id,
        "name": found.name,
        "kind": found.kind,
        "bytes": found.bytes,
        "sha256": found.sha256,
    }
    event = NewLedgerEvent(
        kind=FILE_ADDED,
        actor="automation",
        account_id=work.run.account_id,
        run_id=work.run.run_id,
        payload={one: told[one] for one in ("artifact_id", "name", "kind", "bytes")},
    )
    with ledger.write() as tx:
        ledger.events.append(tx, event)
        work.keep(tx, told)
    return told


def _one_of(config: Mapping[str, Any], name: Literal["retention", "visibility"], usual: Any) -> Any:
    """Return an option that the action's schema has validated."""
    return config.get(name, usual)
