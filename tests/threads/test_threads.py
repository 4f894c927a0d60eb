"""Conversations are rebuilt as a reader would draw them, whatever order the messages come in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaia_mail.mime.read import scan_headers
from gaia_mail.subjects import base_subject
from gaia_mail.threads import ThreadIndex

DAY = 86_400.0


class Mails:
    """Adds messages in a short notation and says which are together."""

    def __init__(self) -> None:
        self.index = ThreadIndex()
        self.count = 0

    def add(
        self,
        message_id: str = "",
        *,
        refs: Sequence[str] = (),
        reply: Sequence[str] = (),
        subject: str = "",
        date: float | None = 0.0,
        sender: str = "ann@x.example",
        to: Sequence[str] = ("me@x.example",),
        hint: str = "",
    ) -> int:
        ordinal, self.count = self.count, self.count + 1
        self.index.add(
            ordinal,
            message_id=message_id,
            references=refs,
            in_reply_to=reply,
            subject=subject,
            date=date,
            sender=sender,
            recipients=to,
            hint=hint,
        )
        return ordinal

    def together(self, *ordinals: int) -> bool:
        return len({self.index.thread_id(ordinal) for ordinal in ordinals}) == 1


def test_references_join_and_strangers_stay_apart() -> None:
    mails = Mails()
    first, answer = mails.add("<a@x>"), mails.add("<b@x>", refs=["<a@x>"])
    stranger = mails.add("<c@x>")
    assert mails.together(first, answer)
    assert not mails.together(first, stranger)


def test_two_answers_to_a_missing_message_are_one_thread() -> None:
    mails = Mails()
    assert mails.together(mails.add("<b@x>", refs=["<gone@x>"]), mails.add("<c@x>", reply=["<gone@x>"]))


def test_an_ancestor_is_known_through_somebody_elses_references() -> None:
    mails = Mails()
    first = mails.add("<a@x>")
    last = mails.add("<d@x>", refs=["<a@x>", "<gone@x>"])
    assert mails.together(first, last)


def test_what_a_message_says_of_itself_wins() -> None:
    mails = Mails()
    other = mails.add("<a@b>")
    one = mails.add("<b@b>", refs=["<a@b>", "<c@b>"])
    two = mails.add("<c@b>", refs=["<b@b>"])
    assert mails.together(one, two)
    assert not mails.together(other, one)


def test_a_loop_of_references_ends() -> None:
    mails = Mails()
    ordinals = [mails.add(f"<{n}@x>", refs=[f"<{(n + 1) % 3}@x>"]) for n in range(3)]
    assert mails.together(*ordinals)


def test_a_reply_without_references_joins_by_subject() -> None:
    mails = Mails()
    first = mails.add("<a@x>", subject="Budget 2026")
    answer = mails.add("<b@x>", subject="AW: [team] Budget 2026", date=2 * DAY)
    assert mails.together(first, answer)


def test_equal_subjects_without_a_reply_prefix_stay_apart() -> None:
    mails = Mails()
    assert not mails.together(
        mails.add("<a@x>", subject="Your receipt"), mails.add("<b@x>", subject="Your receipt")
    )


def test_a_subject_of_long_ago_is_another_conversation() -> None:
    mails = Mails()
    first = mails.add("<a@x>", subject="Lunch")
    answer = mails.add("<b@x>", subject="Re: Lunch", date=400 * DAY)
    assert not mails.together(first, answer)


def test_a_reply_by_subject_is_of_somebody_who_took_part() -> None:
    mails = Mails()
    asked = mails.add("<a@x>", subject="Wire", sender="boss@x.example", to=["me@x.example", "lee@x.example"])
    own = mails.add("<b@x>", subject="Re: Wire", sender="me@x.example", to=["boss@x.example"], date=1.0)
    of_lee = mails.add("<c@x>", subject="Re: Wire", sender="LEE@x.example", to=["boss@x.example"], date=2.0)
    to_boss = mails.add("<d@x>", subject="Re: Wire", sender="boss@y.example", to=["boss@x.example"], date=3.0)
    assert mails.together(asked, own, of_lee)
    assert not mails.together(asked, to_boss)


def test_strangers_with_one_subject_are_no_conversation() -> None:
    mails = Mails()
    for place, sender in enumerate(("bill@acme.example", "z@zed.example", "y@yan.example")):
        mails.add(f"<{place}@x>", subject="Re: Invoice", sender=sender, date=float(place))
    assert len({mails.index.thread_id(place) for place in range(3)}) == 3


@pytest.mark.parametrize("message_id", ["<dup@x>", ""])
def test_one_message_id_of_two_senders_is_two_messages(message_id: str) -> None:
    mails = Mails()
    lunch = mails.add(message_id, subject="Lunch?", date=5.0, sender="lee@x.example")
    same = mails.add(message_id, subject="Lunch?", date=5.0, sender="lee@x.example")
    trap = mails.add(message_id, subject="Lunch?", date=5.0, sender="x@evil.example")
    assert mails.together(lunch, same)
    assert not mails.together(lunch, trap)


def test_answers_to_a_message_id_that_is_used_twice_belong_to_the_earlier_message() -> None:
    mails = Mails()
    trap = mails.add("<dup@x>", subject="Your account", date=5.0, sender="x@evil.example")
    lunch = mails.add("<dup@x>", subject="Lunch?", date=1.0, sender="lee@x.example")
    answer = mails.add("<b@x>", refs=["<dup@x>"], subject="Re: Lunch?", date=6.0, sender="me@x.example")
    assert mails.together(lunch, answer)
    assert not mails.together(trap, answer)


def test_a_message_that_names_two_conversations_joins_the_one_it_answers() -> None:
    mails = Mails()
    one, two = mails.add("<a@x>", subject="Wire"), mails.add("<b@x>", subject="Lunch", date=1.0)
    last = mails.add("<c@y>", refs=["<a@x>", "<b@x>"], date=2.0, sender="x@evil.example")
    assert mails.together(two, last)
    assert not mails.together(one, two)
    frozen = Mails()
    said = [
        frozen.index.freeze(frozen.add(name, refs=refs))
        for name, refs in (("<a@x>", ()), ("<b@x>", ()), ("<c@y>", ("<a@x>", "<b@x>")))
    ]
    assert said[2] == said[1] != said[0]


def test_a_stream_keeps_strangers_apart() -> None:
    mails = Mails()
    said = [
        mails.index.freeze(
            mails.add(name, subject=subject, date=date, sender=sender, to=["me@x.example", "boss@x.example"])
        )
        for name, subject, date, sender in (
            ("<a@x>", "Wire", 0.0, "boss@x.example"),
            ("<b@y>", "Re: Wire", 1.0, "boss@evil.example"),
            ("<a@x>", "Your account", 2.0, "x@evil.example"),
            ("<c@x>", "Re: Wire", 3.0, "me@x.example"),
        )
    ]
    assert said[0] == said[3]
    assert len(set(said)) == 3


def test_the_store_knows_best() -> None:
    mails = Mails()
    one = mails.add("<a@x>", hint="1")
    two = mails.add("<b@x>", refs=["<a@x>"], hint="2")
    three = mails.add("<c@x>", hint="1")
    assert mails.together(one, three)
    assert not mails.together(one, two)


def test_the_id_outlives_later_answers() -> None:
    mails = Mails()
    first = mails.add("<a@x>", date=1.0)
    before = mails.index.thread_id(first)
    mails.add("<b@x>", refs=["<a@x>"], date=2.0)
    assert mails.index.thread_id(first) == before


def test_a_stream_keeps_what_it_said() -> None:
    mails = Mails()
    first = mails.add("<b@x>", refs=["<a@x>"])
    said = mails.index.freeze(first)
    parent = mails.add("<a@x>")
    assert mails.index.freeze(parent) == said
    by_subject = mails.add("<z@x>", subject="Plan")
    plan = mails.index.freeze(by_subject)
    answer = mails.add("<y@x>", subject="Re: Plan", date=5.0)
    assert mails.index.freeze(answer) == plan != said


def test_ordinals_have_no_gaps() -> None:
    with pytest.raises(ValueError, match="expected message 0"):
        ThreadIndex().add(3, message_id="", references=(), in_reply_to=(), subject="", date=None)


IDS = st.sampled_from([f"<{letter}@x>" for letter in "abcdef"])
MAIL = st.tuples(IDS, st.lists(IDS, max_size=3), st.sampled_from(["", "Tea", "Re: Tea"]), st.floats(0, 100))


@given(st.lists(MAIL, max_size=8, unique_by=lambda mail: mail[0]), st.permutations(range(8)))
def test_the_order_of_adding_does_not_matter(
    mails: list[tuple[str, list[str], str, float]], order: list[int]
) -> None:
    def threads(sequence: Sequence[tuple[str, list[str], str, float]]) -> dict[str, str]:
        index = ThreadIndex()
        for number, (message_id, refs, subject, date) in enumerate(sequence):
            index.add(
                number,
                message_id=message_id,
                references=refs,
                in_reply_to=(),
                subject=subject,
                date=date,
                sender=f"{int(date) % 2}@x.example",
                recipients=["1@x.example"],
            )
        return {mail[0]: index.thread_id(number) for number, mail in enumerate(sequence)}

    shuffled = [mails[number] for number in order if number < len(mails)]
    assert threads(mails) == threads(shuffled)


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("Re: Budget", ("budget", True)),
        ("RE: AW: [team] Fwd: Budget (fwd)", ("budget", True)),
        ("Re[2]: Budget", ("budget", True)),
        ("[team] Budget", ("budget", False)),
        ("[team]", ("[team]", False)),
        ("回复：预算", ("预算", True)),
        ("Reminder: pay", ("reminder: pay", False)),
        ("", ("", False)),
    ],
)
def test_prefixes_in_many_languages_come_off(subject: str, expected: tuple[str, bool]) -> None:
    assert base_subject(subject) == expected


def test_the_development_cases_are_as_good_as_the_best_known(shared: Path) -> None:
    groups: dict[str, list[dict[str, str]]] = {}
    for line in (shared / "data/threads/expected.jsonl").read_text().splitlines():
        row = json.loads(line)
        groups.setdefault(row["group"], []).append(row)
    exact = 0
    for rows in groups.values():
        index = ThreadIndex()
        for number, row in enumerate(rows):
            scan = scan_headers(row["message"].encode())
            index.add(
                number,
                message_id=scan.message_id,
                references=scan.references,
                in_reply_to=scan.in_reply_to,
                subject=scan.subject,
                date=scan.date.timestamp() if scan.date else None,
                sender=scan.sender.address if scan.sender else "",
                recipients=[one.address for one in (*scan.to, *scan.cc)],
            )
        ours = [index.thread_id(number) for number in range(len(rows))]
        pairs = [(a, b) for a in range(len(rows)) for b in range(a)]
        exact += all((ours[a] == ours[b]) == (rows[a]["thread"] == rows[b]["thread"]) for a, b in pairs)
    assert exact == len(groups)
