"""Compares the product's answers with those recorded earlier. Entries: `Recorded`, `frozen`.

A difference is either meant, and then recorded anew with `GOLDEN=write` and named in the changelog, or a fault.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest

from gaia_email.app.json_values import is_list, is_object
from gaia_email.app.sample.day import DAY
from gaia_email_registry import clock
from tests.plugins.bundled import is_whole

FOLDER = Path(__file__).with_name("recorded")
WRITE = os.environ.get("GOLDEN") == "write"
WHOLE, LINE = 12_000, 160
"""Characters that are kept of an answer, while of a longer one the rest is kept as a digest, and those of a line."""

_RANDOM = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32,64}\b|\b[0-9a-f]{16}\b"
    r"|(?<=id=\")r[0-9a-f]{12}\b|(?<=#)r[0-9a-f]{12}\b"
)
"""Ids that are drawn by chance or from the place of the mailbox."""
_PLACE = re.compile(r"^maildir:\S*…\s+", re.MULTILINE)
"""The mailbox's name, cut to what fits."""
_TAKEN = re.compile(
    r"\b\d+(?:\.\d+)? (?:ms|s|MB)\b(?= |$|\.|,)|\b\d+\.\d+ s\b|(?<=\"size\": )\d+", re.MULTILINE
)
"""Durations and sizes."""


@contextmanager
def frozen() -> Generator[None]:
    """Hold the clock at the sample's day, in UTC."""
    instant = DAY.replace(tzinfo=UTC).timestamp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "time", SimpleNamespace(time=lambda: instant))
        yield


def text_of(document: object) -> str:
    """A document as lines that can be compared: what is short stands on one."""
    return "\n".join(_lines(document))


def _lines(value: object) -> list[str]:
    short = json.dumps(value, ensure_ascii=False)
    if len(short) > LINE and is_list(value):
        return ["[", *(f" {line}" for held in value for line in _lines(held)), "]"]
    if len(short) > LINE and is_object(value):
        found = ["{"]
        for key, held in value.items():
            first, *rest = _lines(held)
            found += [f" {json.dumps(key)}: {first}", *(f" {line}" for line in rest)]
        return [*found, "}"]
    return [short]


@dataclass
class Recorded:
    """The answers of one door, by name.

    Attributes:
        door: The interface they come through; the folder of their records.
        known: Texts that differ from machine to machine, and what stands for them.
    """

    door: str
    known: dict[str, str] = field(default_factory=dict[str, str])
    _found: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, name: str, answer: str | Any) -> None:
        """Take an answer: text as it is, anything else as JSON."""
        text = answer if isinstance(answer, str) else text_of(answer)
        self._found[re.sub(r"[^\w.=-]+", "-", name).strip("-")] = _shortened(self._without_chance(text))

    def check(self) -> None:
        """Compare with what was recorded, or record it anew."""
        place = FOLDER / self.door
        if WRITE:
            place.mkdir(parents=True, exist_ok=True)
            for path in place.iterdir():
                path.unlink()
            for name, text in self._found.items():
                (place / f"{name}.txt").write_text(text, encoding="utf-8")
            return
        before = {path.stem: path.read_text(encoding="utf-8") for path in sorted(place.iterdir())}
        if not is_whole():  # what a missing plug-in answers was recorded, too
            before = {name: text for name, text in before.items() if name in self._found}
        assert self._found.keys() == before.keys()
        changed = [
            "\n".join(
                islice(unified_diff(before[name].splitlines(), text.splitlines(), name, name, "", "", 0), 12)
            )
            for name, text in self._found.items()
            if text != before[name]
        ]
        assert not changed, "\n".join(("Changed; GOLDEN=write records it anew.", *changed))

    def _without_chance(self, text: str) -> str:
        for known, name in self.known.items():
            for written in (quote(quote(known, ""), ""), quote(known, ""), known):
                text = text.replace(written, name)
        text = _PLACE.sub("maildir:… ", text)
        seen: dict[str, str] = {}
        text = _RANDOM.sub(lambda found: seen.setdefault(found[0], f"ID{len(seen) + 1}"), text)
        return _TAKEN.sub("SOME", text)


def _shortened(text: str) -> str:
    text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
    if len(text) <= WHOLE:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{text[:WHOLE]}\n[{len(text)} characters in all, sha256 {digest}]\n"
