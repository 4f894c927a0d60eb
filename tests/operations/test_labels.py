"""Labels of the user's: what a sentence is read as, which mail that means, and how labelling corrects it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gaia_email.app.services.labels import rule_of
from gaia_email_registry.errors import BadArgument, NotFound
from tests.operations.test_operations import Sample
from tests.pages_web.pages import MARK, Mail, PersonsPages

MAILS = (
    Mail(sender="Air <desk@air.example>", subject="Your flight to Rome", text="Gate 4, boarding at noon."),
    Mail(
        sender="Inn <stay@inn.example>",
        subject="Your stay",
        text="The hotel and your train tickets are booked.",
    ),
    Mail(sender="Ann <ann@acme.example>", subject="Lunch", text="After the flight we met.", hours=3),
    Mail(sender="Bo <bo@acme.example>", subject="Model trains club", text="A train of 1920.", hours=4),
    Mail(sender="Bo <bo@acme.example>", subject="Club evening", text="We meet on Friday.", hours=5),
    Mail(sender="Bo <bo@acme.example>", subject="Club dues", text="Ten a year.", hours=6),
)
SENTENCE = "Flights, hotels and train tickets; not the club"


@pytest.fixture
def sample(tmp_path: Path) -> Iterator[Sample]:
    found = PersonsPages(tmp_path, MAILS)
    yield Sample(found.app, found.source)


def threads(document: dict[str, Any]) -> dict[str, list[str]]:
    """Why each thread has a label, by subject."""
    return {one["thread"]["subject"]: one["because"] for one in document["threads"]}


@pytest.mark.parametrize(
    ("sentence", "words", "without"),
    [
        (SENTENCE, ("flights", "hotels", "train", "tickets"), ("club",)),
        ('Mail about "quarterly report" from ann@acme.example', ("quarterly report", "ann@acme.example"), ()),
        ("Rechnungen und Mahnungen, außer von shop.example", ("rechnungen", "mahnungen"), ("shop.example",)),
        ("everything from my mail", (), ()),
        (f"{MARK}", ("script", "window.harm", "img", "src", "onerror"), ()),
    ],
)
def test_a_sentence_is_read_as_its_words(
    sentence: str, words: tuple[str, ...], without: tuple[str, ...]
) -> None:
    rule = rule_of(sentence)
    assert (rule.words, rule.without) == (words, without)


def test_a_sentence_is_tried_before_a_label_is_made(sample: Sample) -> None:
    tried = sample.call("test_label", sentence=SENTENCE)
    found = threads(tried)
    assert set(found) == {"Your flight to Rome", "Your stay"}
    assert found["Your flight to Rome"] == ["flights"] and "hotels" in found["Your stay"]
    assert (tried["total"], tried["inbox"]) == (2, 6) and sample.call("labels")["labels"] == []


def test_a_label_counts_its_threads_and_is_changed_moved_removed_and_brought_back(sample: Sample) -> None:
    travel = sample.call("add_label", name="Travel", sentence=SENTENCE)
    sample.call("add_label", name="Club", sentence="club")
    found = sample.call("labels", counts=True)["labels"]
    assert [(one["name"], one["threads"], one["unread"]) for one in found] == [
        ("Travel", 2, 2),
        ("Club", 3, 3),
    ]
    moved = sample.call("change_label", id="Club", position=0)
    assert moved["position"] == 0 and sample.call("labels")["labels"][0]["name"] == "Club"
    sample.call("change_label", id=travel["id"], sentence="lunch")
    assert set(threads(sample.call("label_threads", id="Travel"))) == {"Lunch"}
    sample.call("remove_label", id=travel["id"])
    with pytest.raises(NotFound):
        sample.call("label_threads", id="Travel")
    assert sample.call("remove_label", id=travel["id"], back=True)["name"] == "Travel"
    assert len(sample.call("labels")["labels"]) == 2


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"name": "Inbox", "sentence": "flights"}, "label of the mail provider"),
        ({"name": "gaia/x", "sentence": "flights"}, "label of the mail provider"),
        ({"name": 'a"b', "sentence": "flights"}, "no quotation marks"),
        ({"name": "Travel", "sentence": "all of my mail"}, "No word of this sentence"),
        ({"name": "club", "sentence": "flights"}, "already"),
    ],
)
def test_what_can_be_no_label_is_refused_with_the_reason(
    sample: Sample, asked: dict[str, str], said: str
) -> None:
    sample.call("add_label", name="Club", sentence="club")
    with pytest.raises(BadArgument, match=said):
        sample.call("add_label", **asked)


def test_labelling_adds_teaches_senders_and_is_undone(sample: Sample) -> None:
    sample.call("add_label", name="Travel", sentence="flights and boarding")
    ids = {
        one["thread"]["subject"]: one["thread"]["id"]
        for one in sample.call("test_label", sentence="club")["threads"]
    }
    first = sample.call("put_label", message_ids=[ids["Club evening"]], label="Travel")
    found = threads(sample.call("label_threads", id="Travel"))
    assert found["Club evening"] == ["you labelled it"] and "Club dues" not in found
    second = sample.call("put_label", message_ids=[ids["Model trains club"]], label="Travel")
    assert threads(sample.call("label_threads", id="Travel"))["Club dues"] == ["bo@acme.example"]
    for done in (second, first):
        sample.call("undo", id=done["undo"])
    assert set(threads(sample.call("label_threads", id="Travel"))) == {"Your flight to Rome"}


def test_what_a_label_is_taken_off_never_has_it_until_that_is_taken_back(sample: Sample) -> None:
    sample.call("add_label", name="Travel", sentence="flights and boarding")
    (row,) = sample.call("label_threads", id="Travel")["threads"]
    asked = {"message_ids": [row["thread"]["id"]], "label": "Travel"}
    sample.call("put_label", **asked, off=True)
    assert sample.call("label_threads", id="Travel")["total"] == 0
    sample.call("put_label", **asked, off=True, back=True)
    assert sample.call("label_threads", id="Travel")["total"] == 1
