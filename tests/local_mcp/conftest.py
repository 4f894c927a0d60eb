"""Makes Maildirs, mboxes and folders of messages out of seeds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gaia_local_mcp.layout import folder_path
from gaia_mail.files.maildir import keyword_of
from tests.contract.suite.seed import Seed

Fill = Callable[[Path, Sequence[Seed]], None]

_FOLDERS = {"TRASH": ".Trash", "SPAM": ".Junk", "INBOX": "", "DRAFT": ".Drafts", "SENT": ".Sent"}


def _folder(path: Path) -> Path:
    for part in ("cur", "new", "tmp"):
        (path / part).mkdir(parents=True, exist_ok=True)
    return path


def _letters(folder: Path, words: Sequence[str]) -> str:
    """The flag letters of keywords, added to the folder's list where they are new."""
    table = folder / "dovecot-keywords"
    lines = table.read_text().splitlines() if table.exists() else []
    known = [line.partition(" ")[2] for line in lines]
    known += [word for word in words if word not in known]
    if known:
        table.write_text("".join(f"{number} {word}\n" for number, word in enumerate(known)))
    return "".join(chr(ord("a") + known.index(word)) for word in words)


@pytest.fixture
def fill_maildir() -> Fill:
    """Adds seeds to a Maildir as another program would: folders, flags, keywords."""
    count = 0

    def fill(root: Path, seeds: Sequence[Seed]) -> None:
        nonlocal count
        _folder(root)
        for seed in seeds:
            count += 1
            places = [name for label, name in _FOLDERS.items() if label in seed.labels]
            folder = _folder(root / (places[0] if places else ".Archive"))
            own = [
                label for label in seed.labels if label not in (*_FOLDERS, "UNREAD", "STARRED", "IMPORTANT")
            ]
            for label in own:
                _folder(Path(folder_path(str(root), label, dotted=True)))
            words = [keyword_of(label) for label in seed.labels if label in (*own, "IMPORTANT")]
            fixed = ("" if "UNREAD" in seed.labels else "S") + ("F" if "STARRED" in seed.labels else "")
            letters = "".join(sorted(fixed)) + _letters(folder, words)
            name = f"{1_700_000_000 + count}.M{count}P1.host:2,{letters}"
            (folder / "tmp" / name).write_bytes(seed.raw)
            os.rename(folder / "tmp" / name, folder / "cur" / name)

    return fill
