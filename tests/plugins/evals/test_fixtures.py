"""Labelled messages written as TOML: what is read, and what is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from gaia_email_evals.cases import PARTS, part_of
from gaia_email_evals.fixtures import read_fixtures
from gaia_email_registry.errors import BadArgument
from gaia_understanding.cascade.understand import decode

MAIL = """
[[mail]]
id = "one"
template = "lunch"
sender = "person"
bucket = "actionable"
also = ["urgent", "actionable"]
category = "primary"
act = "request"
needs_reply = true
cohort = "cross_org"
language = "en"
known = true
user = "me@home.example"
from = "Ann Lee <ann@lee.example>"
to = ["Me <me@home.example>"]
subject = "Re: Lunch"
sent = 2026-03-02T09:00:00+01:00
text = "Are you in?"
"""


def test_a_table_becomes_a_message_with_its_labels(tmp_path: Path) -> None:
    (tmp_path / "people_work.toml").write_text(MAIL)
    (case,) = read_fixtures(tmp_path)
    message = decode(case.raw)
    assert (case.name, case.source, case.group) == ("one", "people", "lunch")
    assert (message.subject, message.text.strip()) == ("Re: Lunch", "Are you in?")
    assert case.labels.buckets == ("actionable", "urgent")
    assert case.context.owner == {"me@home.example"}
    assert case.context.owner_in_thread


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('bucket = "actionable"', 'bucket = "soon"', "mail 1: bucket"),
        ('act = "request"\n', "", "mail 1: act"),
        ("known = true", "knwon = true", "mail 1: kn"),
        ("[[mail]]", "[[mail]", "not valid TOML"),
    ],
)
def test_a_wrong_table_is_named(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = tmp_path / "people.toml"
    file.write_text(MAIL.replace(old, new))
    with pytest.raises(BadArgument, match=says):
        list(read_fixtures(file))


def test_a_group_always_lies_in_the_same_part_and_every_part_gets_some() -> None:
    parts = [part_of(f"group {number}") for number in range(500)]
    assert parts == [part_of(f"group {number}") for number in range(500)]
    assert set(parts) == set(PARTS)
    assert parts.count("train") > 250
