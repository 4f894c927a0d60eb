"""Labels on the pages: made after a look at what they would have, put on threads, and all of it taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pages_web.pages import MARK, Pages, PersonsPages, undo_of


@pytest.fixture
def person(tmp_path: Path) -> Pages:
    return PersonsPages(tmp_path).person()


def make(person: Pages, name: str = "Deals", sentence: str = "contracts and offers") -> str:
    """The id of a new label."""
    note = person.post("label-new", {"name": name, "sentence": sentence})
    return undo_of(note)[1]["label"][0]


def test_a_sentence_is_tried_while_it_is_typed_and_its_label_gets_a_tab(person: Pages) -> None:
    tried = person.post("label-try", {"sentence": "contracts and offers"})
    assert "3 of 5 threads" in tried and "sign the contract" in tried and "offers" in tried
    label = make(person)
    for page in ("inbox", f"label?id={label}"):
        tab = person.get(page).split(f'data-label="{label}"')[1].split("</a>")[0]
        assert "Deals" in tab and '3<span class="vh"> unread' in tab
    shown = person.get(f"label?id={label}")
    assert shown.count("<li id=") == 3 and "Thanks" not in shown and 'value="contracts and offers"' in shown


def test_a_label_is_made_changed_and_removed_and_each_is_taken_back(person: Pages) -> None:
    label = make(person)
    note = person.post(
        "label-change", {"label": label, "sentence": "thanks", "before": "contracts and offers"}
    )
    assert "Thanks" in person.get(f"label?id={label}")
    path, fields = undo_of(note)
    person.post(path, fields)
    assert "sign the contract" in person.get(f"label?id={label}")
    path, fields = undo_of(person.post("label-remove", {"label": label}))
    person.get(f"label?id={label}", 404)
    person.post(path, fields)
    assert "sign the contract" in person.get(f"label?id={label}")


def test_tabs_are_put_into_another_order(person: Pages) -> None:
    first, second = make(person), make(person, "Thanks", "thanks")
    person.post("label-place", {"label": second, "position": "0"})
    assert re.findall(r'data-label="(\w+)"', person.get("inbox")) == [second, first]


def test_a_thread_is_labelled_and_taken_off_and_both_are_taken_back(person: Pages) -> None:
    label = make(person)
    of = person.thread("Thanks")
    path, fields = undo_of(person.post("label-put", {"of": of, "label": label}))
    assert "Thanks" in person.get(f"label?id={label}")
    person.post(path, fields)
    assert "Thanks" not in person.get(f"label?id={label}")
    of = person.thread("sign the contract")
    path, fields = undo_of(person.post("label-off", {"of": of, "label": label}))
    assert "sign the contract" not in person.get(f"label?id={label}")
    person.post(path, fields)
    assert "sign the contract" in person.get(f"label?id={label}")


def test_hostile_names_and_sentences_stay_text(person: Pages) -> None:
    name = "<img src=x onerror=window.harm=1>"
    label = make(person, name, f"offers {MARK}")
    for page in ("inbox", f"label?id={label}", f"thread?of={person.thread('Thanks').replace('%', '%25')}"):
        shown = person.get(page)
        assert MARK not in shown and name not in shown
    assert MARK not in person.post("label-try", {"sentence": f"offers {MARK}"})


def test_what_can_be_no_label_is_a_sentence_with_the_next_step(person: Pages) -> None:
    assert "No word of this sentence" in person.post("label-new", {"name": "A", "sentence": "my mail"}, 422)
    assert "Select a thread first" in person.post("label-put", {"label": make(person)}, 422)
