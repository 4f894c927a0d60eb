"""A server whose pages come to no end, or that gives other messages than were asked for, is given up."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_email.mailbox.paging import EMPTY_PAGES, Paging, check_read
from gaia_email_registry.contract.wire import ReadEmailsResult
from gaia_email_registry.errors import ProviderError
from tests.mail_client.test_mail_client import SUMMARY

LISTING = ("list_emails", "", "", "50")


def follow(paging: Paging, cursors: Sequence[str | None], *, given: int = 1) -> None:
    """Ask page after page, each with the cursor of the page before; the last is None or leads nowhere."""
    cursor: str | None = None
    for following in cursors:
        paging.check(LISTING, cursor, given, following, most=50)
        cursor = following


@pytest.mark.parametrize("cursors", [["a", "a"], ["a", "b", "a"], ["a", "b", "c", "d", "b"]])
def test_pages_that_lead_back_are_not_followed(cursors: list[str]) -> None:
    with pytest.raises(ProviderError, match="come to no end"):
        follow(Paging(), cursors)


@given(st.lists(st.text(min_size=1, max_size=3), unique=True, max_size=30))
def test_pages_that_end_are_followed_as_often_as_is_wished_and_asked_for_again(cursors: list[str]) -> None:
    paging = Paging()
    for _ in range(3):
        follow(paging, [*cursors, None])
        follow(paging, cursors)
    for before, following in zip([None, *cursors], cursors, strict=False):
        paging.check(LISTING, before, 1, following, most=50)


def test_two_readers_may_list_the_same_at_once() -> None:
    paging, steps = Paging(), [(None, "a"), ("a", "b"), ("b", "c"), ("c", None)]
    one, other = iter(steps), iter(steps)
    for reader in (one, one, other, one, other, other, one, other):
        before, following = next(reader)
        paging.check(LISTING, before, 1, following, most=50)


def test_pages_without_messages_are_followed_for_a_while() -> None:
    follow(Paging(), [str(number) for number in range(EMPTY_PAGES)], given=0)
    with pytest.raises(ProviderError, match="come to no end"):
        follow(Paging(), [str(number) for number in range(EMPTY_PAGES + 1)], given=0)


def test_a_page_has_no_more_messages_than_were_asked_for() -> None:
    with pytest.raises(ProviderError, match="51 messages; 50 were asked for"):
        Paging().check(LISTING, None, 51, None, most=50)


def read(*ids: str, missing: Sequence[str] = ()) -> ReadEmailsResult:
    emails = [{**SUMMARY, "id": one} for one in ids]
    return {"emails": emails, "missing": list(missing)}  # type: ignore[typeddict-item]


def test_only_messages_that_were_asked_for_are_taken_each_once() -> None:
    check_read(read("b", missing=["a"]), ["a", "b"])
    for answer in (read("c"), read("a", missing=["c"]), read("a", "a")):
        with pytest.raises(ProviderError, match="other messages"):
            check_read(answer, ["a", "b"])
