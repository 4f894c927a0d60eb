"""How many threads there are, beside every page: counted without a listing, and the same as the listing says."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app.accounts.connect_files import connect_files
from gaia_email.app.services import inbox_rows, kept_inbox
from tests.pages_web.pages import ME, USUAL, Mail, Pages, PersonsPages


def _connected(home: Path, *mails: Sequence[Mail]) -> Pages:
    found = [PersonsPages(home / str(at), some) for at, some in enumerate(mails)]
    for one in found:
        asyncio.run(connect_files("maildir", one.source.path, [ME], one.app.environ))
    return found[0].person(sample=False)


def _counts(person: Pages, path: str) -> Any:
    return person.client.get(f"/v1/email/{path}").raise_for_status().json()["counts"]


def test_nothing_is_counted_before_the_first_look_and_the_frame_stands(tmp_path: Path) -> None:
    person = _connected(tmp_path, USUAL)
    assert _counts(person, "inbox/counts") == {}
    assert "Needs you" in person.get("frame")


def test_the_counts_are_those_of_the_listing_and_need_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = _connected(tmp_path, USUAL)
    listed = _counts(person, "inbox")
    person.post("archive", {"of": person.thread("Thanks")})
    listed = _counts(person, "inbox")

    def unasked(*args: object, **more: object) -> object:
        raise AssertionError("the inbox was listed")

    for module in (inbox_rows, kept_inbox):
        monkeypatch.setattr(module, "list_inbox", unasked)
    assert _counts(person, "inbox/counts") == listed
    assert 'class="count"' in person.get("frame")


def test_what_came_to_several_accounts_counts_once(tmp_path: Path) -> None:
    person = _connected(tmp_path, USUAL, USUAL[:3])
    listed = _counts(person, "inbox")
    assert sum(one["threads"] for one in listed.values()) == len(USUAL)
    assert _counts(person, "inbox/counts") == listed
