"""The pages: what they show of mail and of what waits, what a person does there; and strangers' text stays text."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path

import pytest

from gaia_email.app.accounts.connect_files import connect_files
from gaia_email.models.answer_store import LedgerAnswers
from tests.pages_web.pages import MARK, ME, USUAL, Mail, PersonsPages, undo_of

ESCAPED = "&lt;script&gt;window.harm=1&lt;/script&gt;"


@pytest.fixture
def pages(tmp_path: Path) -> PersonsPages:
    return PersonsPages(tmp_path)


def test_the_frame_holds_no_mail_and_lets_nothing_in(pages: PersonsPages) -> None:
    client = pages.person().client
    client.headers.clear()
    frame = client.get("/", headers={"host": "127.0.0.1:8767"})
    assert frame.status_code == 200 and "kestrel.example" not in frame.text
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'nonce-")
    assert "unsafe" not in policy and "require-trusted-types-for 'script'" in policy
    assert not re.search(r"\son\w+=|style=|javascript:", frame.text)


def test_only_a_person_is_shown_pages(pages: PersonsPages) -> None:
    client = pages.person().client
    cookie = client.headers["cookie"]
    bearer = pages.app.home.joinpath("email", "agent-http-token").read_text().strip()
    client.headers.clear()
    host = {"host": "127.0.0.1:8767"}
    for headers, status in (
        ({}, 401),
        ({"cookie": cookie}, 401),
        ({"authorization": f"Bearer {bearer}"}, 403),
    ):
        for method, path in (("GET", "inbox"), ("GET", "frame"), ("POST", "archive"), ("POST", "approve")):
            assert client.request(method, f"/ui/{path}", headers={**host, **headers}).status_code == status


def test_the_inbox_shows_each_thread_with_its_reason_and_strangers_text_as_text(pages: PersonsPages) -> None:
    page = pages.person().get("inbox")
    assert "Can you sign the contract by Friday?" in page and "Priya" in page
    assert "Priya asks &#34;could you please sign the contract" in page
    assert MARK not in page and "<script" not in page and ESCAPED in page
    assert "\u202e" not in page, "a direction override is made visible"
    assert re.search(r"Handled 5 · unsure about \d · could not read 0", page)


def test_what_is_archived_is_gone_and_comes_back_by_the_note(pages: PersonsPages) -> None:
    person = pages.person()
    note = person.post("archive", {"of": [person.thread("sign the contract"), person.thread("Thanks")]})
    assert "Archived · 2" in note
    assert "sign the contract" not in person.get("inbox")
    path, fields = undo_of(note)
    assert "Taken back · 2" in person.post(path, fields)
    assert "sign the contract" in person.get("inbox") and "Thanks" in person.get("inbox")


def test_undo_without_a_name_takes_back_what_was_done_last(pages: PersonsPages) -> None:
    person = pages.person()
    person.post("snooze", {"of": person.thread("Thanks"), "until": "3d"})
    assert "Thanks" not in person.get("inbox")
    person.post("undo", {})
    assert "Thanks" in person.get("inbox")


def test_moving_a_thread_teaches_and_is_taken_back(pages: PersonsPages) -> None:
    person = pages.person()
    was = person.bucket("Thanks")
    note = person.post("move", {"of": person.thread("Thanks"), "bucket": "urgent"})
    assert "Moved to Urgent" in note and person.bucket("Thanks") == "urgent"
    path, fields = undo_of(note)
    person.post(path, fields)
    assert person.bucket("Thanks") == was


def test_a_thread_shows_what_it_is_why_and_what_can_be_done(pages: PersonsPages) -> None:
    person = pages.person()
    of = person.thread("sign the contract")
    page = person.get(f"thread?of={of.replace('%', '%25')}")
    assert "could you please sign the contract" in page and "Why this?" in page
    assert ">request</span>" in page and ">T0</span>" in page
    assert 'data-copy="+49 40 123456"' in page
    note = person.post("archive", {"of": of})
    assert "Archived · 1" in note
    assert "What was done" in person.get(f"thread?of={of.replace('%', '%25')}")


def test_a_formatted_mail_is_in_a_frame_that_runs_and_loads_nothing_once(pages: PersonsPages) -> None:
    person = pages.person()
    of = person.thread("Please answer").replace("%", "%25")
    found = re.search(r'<iframe sandbox src="(mail\?key=[\w-]+)"', person.get(f"formatted?of={of}"))
    assert found
    frame = person.client.get(f"/{found[1]}")
    policy = frame.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'") and policy.endswith("sandbox")
    assert "Formatted words." in frame.text
    assert not re.search(r"<(script|iframe|base|meta|link|form)\b", frame.text)
    assert person.client.get(f"/{found[1]}").status_code == 404


def test_what_waits_is_approved_rejected_and_taken_back(pages: PersonsPages) -> None:
    person = pages.person()
    person.client.put("/v1/email/policy", json={"cohort": "newsletters", "level": 3})
    person.client.post("/v1/email/triage", json={"apply": True})
    page = person.get("waiting")
    cards = [one for one in page.split('<li id="') if 'class="card"' in one]
    assert len(cards) >= 2 and MARK not in page
    of = [re.search(r'name="of" value="([^"]+)"', one) for one in cards]
    first, second = (one[1] for one in of[:2] if one)
    note = person.post("approve", {"of": first, "bucket": "informational"})
    assert "Approved · 1" in note
    declined = person.post("reject", {"of": second})
    assert "Rejected · 1" in declined
    left = person.get("waiting")
    assert first not in left and second not in left
    back, asked = undo_of(declined)
    assert "Waits again · 1" in person.post(back, asked)
    assert second in person.get("waiting")
    assert "its time is over" in person.post(back, {"of": first})
    if 'type="hidden"' in note:
        path, fields = undo_of(note)
        assert "Taken back" in person.post(path, fields)


def test_the_brief_tells_the_day_and_a_triage_from_it_can_be_taken_back(pages: PersonsPages) -> None:
    person = pages.person()
    page = person.get("brief")
    assert "sign the contract" in page and "Calendar" in page and MARK not in page
    assert "This evening" in person.get("brief?kind=evening")
    person.client.put("/v1/email/policy", json={"cohort": "newsletters", "level": 5})
    note = person.post("triage", {})
    assert "Sorted" in note
    activity = person.get("activity")
    run = re.search(r'name="run" value="([^"]+)"', activity)
    assert run, "several actions of a run are folded into one"
    assert "Taken back" in person.post("undo", {"run": run[1]})


def test_inbox_zero_shows_one_thread_after_the_other_until_none_is_left(pages: PersonsPages) -> None:
    person = pages.person()
    assert "1 of 5" in person.get("zero") and "5 of 5" in person.get("zero?at=4")
    for left in range(5, 0, -1):
        page = person.get("zero?at=99")
        assert f"{left} of {left}" in page
        of = re.search(r'name="of" value="([^"]+)"', page)
        assert of
        person.post("archive", {"of": of[1]})
    assert "Nothing is left." in person.get("zero")


def test_what_was_put_off_is_answered_one_after_the_other_the_oldest_first(pages: PersonsPages) -> None:
    person = pages.person()
    assert "Nothing waits for an answer." in person.get("focus")
    for subject in ("Thanks", "contract"):
        person.post("later", {"of": person.thread(subject)})
    first = person.get("focus")
    assert "1 of 2" in first and "Thank you for yesterday." in first and 'href="#focus?at=1"' in first
    of = re.search(r'name="of" value="([^"]+)"', first)
    assert of
    note = person.post("answered", {"of": of[1]})
    assert "Removed from the list" in note
    assert "1 of 1" in person.get("focus?at=1") and "sign the contract" in person.get("focus?at=1")
    person.post(*undo_of(note))
    assert "1 of 2" in person.get("focus")


def test_a_hit_is_looked_into_without_opening_it(tmp_path: Path) -> None:
    mail = Mail(sender="Ann <ann@example.com>", subject="The numbers", text=f"Here are the numbers. {MARK}")
    person = PersonsPages(tmp_path, (mail,)).person()
    of = re.search(r'hx-get="ui/preview\?of=([^"]+)"', person.get("search?q=numbers"))
    assert of
    shown = person.get(f"preview?of={unescape(of[1])}")
    assert "Here are the numbers." in shown and MARK not in shown and MARK in unescape(shown)
    person.get("preview?of=nothing", 422)


def test_search_marks_what_matched_and_stays_text(pages: PersonsPages) -> None:
    person = pages.person()
    page = person.get("search?q=contract")
    assert "<mark>contract</mark>" in page and "Showing 1 of 1, of 5 messages searched" in page
    assert MARK not in person.get("search?q=numbers") and "Nothing was found." in person.get("search?q=zebra")
    assert 'value="&lt;b&gt;"' in person.get("search?q=%3Cb%3E")


def test_stop_holds_at_once_and_asks_about_the_accounts(pages: PersonsPages) -> None:
    person = pages.person()
    assert "All email processing local" in person.get("frame")
    person.post("archive", {"of": person.thread("Thanks")})
    asked = person.post("stop", {})
    assert "What it did before" in asked and "Thanks" in asked
    assert "The agent is stopped" in asked and 'hx-post="ui/disable"' in asked
    assert "the agent changes nothing" in person.get("frame")
    person.post("resume", {})
    assert "All email processing local" in person.get("frame")


def test_the_bar_turns_red_and_says_what_the_guard_refused(pages: PersonsPages) -> None:
    person = pages.person()
    person.get("inbox")
    LedgerAnswers(pages.app.environ).record_refusal(None, "The model server's connection ends at 192.0.2.7.")
    bar = person.get("frame")
    assert 'class="local bad" role="alert"' in bar and "ends at 192.0.2.7" in bar
    assert "All email processing local" not in bar


def test_threads_of_several_accounts_are_acted_on_where_they_are(tmp_path: Path) -> None:
    mine, works = PersonsPages(tmp_path / "a", USUAL[:1]), PersonsPages(tmp_path / "b", USUAL[1:2])
    for one in (mine, works):
        asyncio.run(connect_files("maildir", one.source.path, [ME], one.app.environ))
    person = mine.person(sample=False)
    both = [person.thread("sign the contract"), person.thread("Thanks")]
    assert both[0].partition("/")[0] != both[1].partition("/")[0]
    assert "could you please sign" in person.get(f"thread?of={both[0].replace('%', '%25')}")
    note = person.post("archive", {"of": both})
    assert "Archived · 2" in note and "The inbox is empty" in person.get("inbox")
    path, fields = undo_of(note)
    assert "Taken back · 2" in person.post(path, fields)
    person.post("archive", {"of": both[1]})
    assert "Taken back · 1" in person.post("undo", {})


def test_what_does_not_fit_is_a_sentence_with_the_next_step(pages: PersonsPages) -> None:
    person = pages.person()
    assert "Select a thread first" in person.post("archive", {}, 422)
    assert "bucket" in person.post("move", {"of": person.thread("Thanks"), "bucket": "nowhere"}, 422)
    assert "error" in person.get("thread?of=nothing", 422)
    assert "error" in person.get("inbox?offset=-1", 422)
