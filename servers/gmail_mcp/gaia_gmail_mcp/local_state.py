"""State that Gmail does not store for us: where trashed messages were, and when snoozed ones return. Entry: `Notes`.

One small file per account, shared by the processes that serve it. It contains message ids, label ids and times.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gaia_email_registry.private_file import lock_file
from gaia_mail_mcp.web.json_files import Json, read_json, write_json

MOST = 20_000
"""Most messages remembered; the oldest is forgotten first."""

Origins = Mapping[str, frozenset[str]]
"""For a message in Spam or Trash: the labels it had before it moved there, by location."""


@dataclass(slots=True, kw_only=True)
class LocalState:
    """Content of the file."""

    origins: dict[str, dict[str, list[str]]] = field(default_factory=dict[str, dict[str, list[str]]])
    snoozed: dict[str, str] = field(default_factory=dict[str, str])

    def set_origin(self, message_id: str, origins: Origins) -> None:
        """Remember where a message was; an empty mapping forgets it."""
        self.origins.pop(message_id, None)
        if origins:
            self.origins[message_id] = {location: sorted(before) for location, before in origins.items()}

    def origin(self, message_id: str) -> Origins:
        """Return where a message was."""
        found = self.origins.get(message_id, {})
        return {location: frozenset(before) for location, before in found.items()}

    def forget(self, ids: Iterable[str]) -> None:
        """Forget messages that no longer exist."""
        for message_id in ids:
            self.origins.pop(message_id, None)
            self.snoozed.pop(message_id, None)


class Notes:
    """Access to the file, re-read whenever it has changed: another process may have written to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / "places.json"
        self._read: tuple[object, LocalState] = (None, LocalState())

    def read(self) -> LocalState:
        """Return the current state, which must not be modified."""
        state = _state(self._path)
        if state != self._read[0]:
            self._read = (state, self._load())
        return self._read[1]

    @contextmanager
    def changing(self) -> Generator[LocalState, None, None]:
        """Change the state while other processes are locked out."""
        with lock_file(self._path):
            content = self._load()
            before = (dict(content.origins), dict(content.snoozed))
            yield content
            if before != (content.origins, content.snoozed):
                self._write(content)

    def _load(self) -> LocalState:
        found = read_json(self._path) or {}
        return LocalState(origins=_origins(found.get("origins")), snoozed=_texts(found.get("snoozed")))

    def _write(self, content: LocalState) -> None:
        origins: dict[str, Json] = {
            message_id: {location: list(before) for location, before in locations.items()}
            for message_id, locations in list(content.origins.items())[-MOST:]
        }
        snoozed: dict[str, Json] = dict(list(content.snoozed.items())[-MOST:])
        write_json(self._path, {"origins": origins, "snoozed": snoozed})


def _state(path: Path) -> object:
    """Return a value that changes when the file is replaced; None if the file does not exist."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _origins(value: Json) -> dict[str, dict[str, list[str]]]:
    if not isinstance(value, dict):
        return {}
    return {
        message_id: {
            location: [name for name in before if isinstance(name, str)]
            for location, before in locations.items()
            if isinstance(before, list)
        }
        for message_id, locations in value.items()
        if isinstance(locations, dict)
    }


def _texts(value: Json) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: text for key, text in value.items() if isinstance(text, str)}
