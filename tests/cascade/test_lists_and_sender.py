"""List headers, sender patterns, audience."""

from __future__ import annotations

import pytest

from gaia_mail.mime.model import Headers
from gaia_understanding.cascade.sender import lists
from gaia_understanding.cascade.sender.sender import SenderKind, kind_of


def test_one_click_needs_an_https_target_and_the_post_header() -> None:
    fields = (
        ("List-Unsubscribe", "<mailto:leave@news.example?subject=x>, <https://news.example/u/1>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
    )
    found = lists.read(Headers(fields)).unsubscribe
    assert found is not None
    assert found.one_click
    assert found.url == "https://news.example/u/1"
    assert found.mailto == "mailto:leave@news.example?subject=x"


@pytest.mark.parametrize(
    "value", ["<mailto:leave@news.example>", "<http://news.example/u/1>", "garbage", "<>"]
)
def test_without_https_there_is_no_one_click(value: str) -> None:
    fields = (("List-Unsubscribe", value), ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"))
    found = lists.read(Headers(fields)).unsubscribe
    assert found is not None
    assert not found.one_click


def test_no_header_means_no_unsubscribe() -> None:
    assert lists.read(Headers((("Subject", "x"),))).unsubscribe is None


@pytest.mark.parametrize(
    ("fields", "bulk", "discussion", "automatic"),
    [
        (
            (("List-Id", "<dev.lists.example>"), ("List-Post", "<mailto:dev@lists.example>")),
            True,
            True,
            False,
        ),
        ((("List-Id", "<news.shop.example>"), ("List-Post", "NO")), True, False, False),
        ((("Precedence", "bulk"),), True, False, False),
        ((("Auto-Submitted", "auto-generated"),), False, False, True),
        ((("Auto-Submitted", "no"),), False, False, False),
        ((("X-Beenthere", "talk@lists.example"),), True, True, False),
        ((("X-GitHub-Reason", "mention"),), False, False, True),
        ((), False, False, False),
    ],
)
def test_headers_tell_lists_bulk_and_machines_apart(
    fields: tuple[tuple[str, str], ...], bulk: bool, discussion: bool, automatic: bool
) -> None:
    found = lists.read(Headers(fields))
    assert (found.bulk, found.discussion, found.automatic) == (bulk, discussion, automatic)


def test_an_out_of_office_note_is_an_automatic_answer() -> None:
    assert lists.read(Headers((("Auto-Submitted", "auto-replied"),))).auto_reply


@pytest.mark.parametrize(
    ("local", "name", "kind"),
    [
        ("noreply", "Shop", "machine"),
        ("no-reply", "", "machine"),
        ("notifications", "GitHub", "machine"),
        ("security-noreply", "Google", "machine"),
        ("account-alerts", "My Bank", "machine"),
        ("mailer-daemon", "Mail Delivery System", "machine"),
        ("hello", "Bakery on the corner", "role"),
        ("hr", "HR Department", "role"),
        ("info", "City Recreation", "role"),
        ("dana.reyes", "Dana Reyes", "person"),
        ("dreyes77", "Dana Reyes", "person"),
        ("d.reyes", "", "person"),
        ("order", "Dana Reyes", "machine"),
    ],
)
def test_address_and_name_tell_people_from_machines(local: str, name: str, kind: SenderKind) -> None:
    assert kind_of(local, name) == kind
