"""What a mailbox shows of its owner is counted as arithmetic says, and lists are not people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gaia_email.app.documents.layouts.filled_card import FilledTable, fill_layout
from gaia_email.app.documents.layouts.mail import HABITS
from gaia_email.document import json_of
from gaia_email.interfaces.cli.app import gaia
from gaia_email.triage.learn.habits import Habits, Letter
from gaia_email.triage.learn.mailing_lists import MailingList, mailing_list_of
from gaia_email_registry.contract.wire import Address, Summary
from gaia_mail.mime.read import parse_message

NOW = 1_790_000_000.0
HOUR = 3600.0
ME = "me@example.org"
NAMES = {"bo@example.org": "Bo Berg"}


def mail(hours_ago: float, sender: str, thread: str, *, labels: Sequence[str] = ("INBOX",)) -> Summary:
    date = datetime.fromtimestamp(NOW - hours_ago * HOUR, UTC).isoformat()
    someone: Address = {"name": NAMES.get(sender, ""), "address": sender}
    return {
        "id": f"{thread}-{hours_ago}",
        "account": ME,
        "thread_id": thread,
        "message_id": "<x@example.org>",
        "subject": "",
        "from": someone,
        "to": [],
        "cc": [],
        "date": date,
        "snippet": "",
        "labels": list(labels),
        "flags": [],
        "size": 1,
        "has_attachments": False,
    }


def exchange(sender: str, thread: str, *, answered_after: float | None, ago: float = 100) -> list[Summary]:
    """A letter, and perhaps the owner's answer so many hours later."""
    letters = [mail(ago, sender, thread)]
    if answered_after is not None:
        letters.append(mail(ago - answered_after, ME, thread, labels=("SENT",)))
    return letters


def habits(
    summaries: Sequence[Summary], *, lists: Sequence[str] = (), letters: Sequence[Letter] = ()
) -> Habits:
    through = {address: MailingList() for address in lists}
    return Habits.of(summaries, owner=[ME], lists=through, letters=letters, now=NOW)


def test_who_is_answered_three_times_is_close_and_the_wait_is_the_median() -> None:
    summaries = [
        *exchange("bo@example.org", "a", answered_after=1),
        *exchange("bo@example.org", "b", answered_after=2),
        *exchange("bo@example.org", "c", answered_after=30),
    ]
    (person,) = habits(summaries).people
    assert (person.name, person.received, person.answered, person.answer_h) == ("Bo Berg", 3, 3, 2.0)


@pytest.mark.parametrize("unanswered", [0, 2, 3, 9])
def test_who_is_answered_less_than_half_the_time_is_not_close(unanswered: int) -> None:
    summaries = [one for thread in "abc" for one in exchange("bo@example.org", thread, answered_after=1)] + [
        mail(50, "bo@example.org", f"x{number}") for number in range(unanswered)
    ]
    assert bool(habits(summaries).people) == (unanswered < 3)


def test_a_list_is_no_person_however_often_it_is_answered() -> None:
    summaries = [one for thread in "abcd" for one in exchange("news@example.net", thread, answered_after=1)]
    found = habits(summaries, lists=["news@example.net"])
    assert not found.people
    assert [(one.address, one.count) for one in found.newsletters] == [("news@example.net", 4)]


HEADERS = {
    "list software of today": "List-Id: Tea talk <tea.lists.example>\nList-Post: <mailto:tea@lists.example>\n",
    "list software of old": "X-BeenThere: tea@lists.example\nPrecedence: bulk\nList-Id: Tea talk <tea.lists.example>\n",
    "a group server": "Mailing-List: list tea@lists.example; contact tea-owner@lists.example\n"
    "List-Id: Tea talk <tea.lists.example>\nList-Unsubscribe: <mailto:tea-off@lists.example>\n",
}


@pytest.mark.parametrize("written", HEADERS.values(), ids=HEADERS)
def test_of_a_discussion_the_list_is_named_and_none_of_its_people(written: str) -> None:
    through = mailing_list_of(parse_message(f"From: bo@example.org\n{written}\nHello\n".encode()).headers)
    assert through == MailingList(
        identifier="tea.lists.example", name="Tea talk", address="tea@lists.example"
    )
    posts = [mail(5, sender, sender) for sender in ("bo@example.org", "ann@example.net", "bo@example.org")]
    assert through is not None
    lists = {"bo@example.org": through, "ann@example.net": through}
    found = Habits.of(posts, owner=[ME], lists=lists, letters=(), now=NOW)
    assert [(one.name, one.address, one.count) for one in found.newsletters] == [
        ("Tea talk", "tea@lists.example", 3)
    ]


def test_a_list_of_which_people_of_several_places_write_is_a_discussion_whatever_it_says() -> None:
    through = MailingList(identifier="tea.lists.example", name="Tea talk")
    posts = [mail(5, sender, sender) for sender in ("bo@example.org", "ann@example.net")]
    lists = {"bo@example.org": through, "ann@example.net": through}
    found = Habits.of(posts, owner=[ME], lists=lists, letters=(), now=NOW)
    assert [(one.name, one.address) for one in found.newsletters] == [("Tea talk", "tea.lists.example")]


def test_a_newsletter_is_named_by_its_own_sender() -> None:
    written = "From: news@example.net\nList-Id: News <news.example.net>\nList-Post: NO\n\nHello\n"
    through = mailing_list_of(parse_message(written.encode()).headers)
    assert through is not None and not through.address
    found = Habits.of(
        [mail(5, "news@example.net", "a")],
        owner=[ME],
        lists={"news@example.net": through},
        letters=(),
        now=NOW,
    )
    assert [one.address for one in found.newsletters] == ["news@example.net"]


def test_mail_of_a_person_came_through_no_list() -> None:
    assert mailing_list_of(parse_message(b"From: bo@example.org\nSubject: Tea\n\nHello\n").headers) is None


def test_a_list_that_is_silent_for_a_month_is_none_of_the_newsletters() -> None:
    old = mail(31 * 24, "news@example.net", "a")
    assert not habits([old], lists=["news@example.net"]).newsletters


def test_a_sender_of_many_names_is_listed_by_its_address() -> None:
    names = ("Forge", "Bo Berg", "Ann Lee")
    summaries = [mail(number + 1, "notes@forge.example", f"t{number}") for number in range(3)]
    for one, name in zip(summaries, names, strict=True):
        one["from"]["name"] = name
    (only,) = habits(summaries, lists=["notes@forge.example"]).newsletters
    assert (only.name, only.count) == ("notes@forge.example", 3)
    (alone,) = habits(summaries[1:2], lists=["notes@forge.example"]).newsletters
    assert alone.name == "Bo Berg"


def test_what_lies_in_spam_or_trash_says_nothing() -> None:
    summaries = [one for thread in "abc" for one in exchange("bo@example.org", thread, answered_after=1)]
    for one in summaries:
        one["labels"] = ["SPAM"]
    found = habits(summaries)
    assert (found.messages, found.people, found.answer_h) == (0, (), None)


def test_how_soon_they_answer_is_counted_from_the_owners_last_letter() -> None:
    summaries = [
        mail(10, ME, "a", labels=("SENT",)),
        mail(6, "bo@example.org", "a"),
        mail(5, ME, "a", labels=("SENT",)),
        *exchange("bo@example.org", "b", answered_after=1),
        *exchange("bo@example.org", "c", answered_after=1),
    ]
    (person,) = habits(summaries).people
    assert person.theirs_h == pytest.approx(4.0)
    assert person.depth == 3


@given(
    st.permutations(
        [one for thread in "abcd" for one in exchange("bo@example.org", thread, answered_after=3)]
    )
)
def test_the_order_of_a_listing_changes_nothing(shuffled: Sequence[Summary]) -> None:
    found = habits(shuffled)
    assert [(one.received, one.answered, one.answer_h) for one in found.people] == [(4, 4, 3.0)]


def letter(**more: object) -> Letter:
    given: dict[str, object] = {"name": "Me", "signature": "Me", "language": "en", "zone": 60, "words": 30}
    return Letter(**{**given, **more})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_signature_is_what_stands_below_most_letters_not_below_one() -> None:
    assert habits([], letters=[letter(), letter(signature="PS")]).signature == ""
    assert habits([], letters=[letter(), letter(), letter(signature="PS")]).signature == "Me"


def test_zone_and_name_are_those_of_the_newest_letter() -> None:
    found = habits([], letters=[letter(zone=None, name=""), letter(zone=120, name="New"), letter()])
    assert (found.zone_minutes, found.name) == (120, "New")
    assert found.languages == {"en": 1.0}


def test_only_letters_of_some_length_would_show_how_somebody_writes() -> None:
    assert habits([], letters=[letter(words=19), letter(words=20)]).exemplars == 1


def shown(found: Habits) -> list[tuple[str, str]]:
    card = fill_layout(HABITS, json_of(found))
    return [
        (name, value) for part in card.parts if isinstance(part, FilledTable) for name, value in part.rows
    ]


def test_a_card_says_only_what_was_found() -> None:
    assert [name for name, _ in shown(habits([]))] == ["messages"]
    summaries = [one for thread in "abc" for one in exchange("bo@example.org", thread, answered_after=0.5)]
    told = shown(habits(summaries, letters=[letter(zone=-210)]))
    assert ("close", "Bo Berg (3 answered, within 30 min)") in told
    assert ("close", "gaia email vip add ADDRESS") in told
    assert ("you", "Me, at UTC-3:30") in told


def test_the_command_reads_the_sample_mailbox_and_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))
    ran = CliRunner().invoke(gaia, ["email", "habits", "--demo", "--json"])
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert found["name"] == "Alex Rivera"
    addresses = {one["address"] for one in found["newsletters"]}
    assert "angebote@schuhkontor.example" in addresses
    assert "agnes@lindqvist.example" not in addresses
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("label", ["DRAFT", "TRASH", "SPAM"])
def test_an_answer_that_never_left_is_no_exchange(label: str) -> None:
    def of(*labels: str) -> Habits:
        mails = [
            one
            for number in range(5)
            for one in (
                mail(100 + number, "bo@example.org", f"t{number}"),
                mail(99 + number, ME, f"t{number}", labels=labels),
            )
        ]
        return Habits.of(mails, owner={ME}, lists={}, letters=(), now=NOW)

    assert [one.address for one in of("SENT").people] == ["bo@example.org"]
    assert of("SENT", label).people == ()
    assert of("SENT", label).answer_h is None
