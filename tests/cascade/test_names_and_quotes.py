"""Names, quotations and summaries on a card: whole, balanced, cut where a person would stop."""

from __future__ import annotations

from typing import Protocol

import pytest

from gaia_understanding.cascade.verdict import Context, Verdict
from gaia_understanding.cascade.wording.lines import key_sentence, quotable, quote, says_nothing, tag, topic
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"


class MakeMail(Protocol):
    def __call__(self, text: str = ..., **fields: object) -> Prepared: ...


class Judge(Protocol):
    def __call__(self, prepared: Prepared, context: Context | None = ...) -> Verdict: ...


@pytest.mark.parametrize(
    ("name", "sender", "called"),
    [
        ("Dana Reyes", "dana@friends.example", "Dana"),
        ("Dana Reyes", "dana.reyes@friends.example", "Dana"),
        ("Tomás Reyes", "tomas.reyes@friends.example", "Tomás"),
        ("Ulrike Stein", "stein@kanzlei.example", "Ulrike"),
        ("Reyes, Dana", "reyes@friends.example", "Dana"),
        ("Frank Neuhaus", "frank@friends.example", "Frank"),
        ("Mira", "mira@friends.example", "Mira"),
        ("Aunt Rosa", "rosa@friends.example", "Aunt Rosa"),
        ("Tía Rosa", "tia@friends.example", "Tía Rosa"),
        ("Ms Albers", "ms@school.example", "Ms Albers"),
        ("Coach Bea", "coach@club.example", "Coach Bea"),
        ("Dr. Lee Park", "dr@park.example", "Dr. Lee Park"),
        ("Papierhaus Vogel", "papierhaus@vogel.example", "Papierhaus Vogel"),
        ("Praxis Dr. Yilmaz", "praxis@yilmaz.example", "Praxis Dr. Yilmaz"),
        ("Imprimerie Martin", "imprimerie@martin.example", "Imprimerie Martin"),
        ("Tierarztpraxis am Park", "tierarztpraxis@park.example", "Tierarztpraxis am Park"),
        ("Rosa Apotheke", "rosa@pharma.example", "Rosa Apotheke"),
        ("Marc at Stackly", "marc@stackly.example", "Marc at Stackly"),
        ("田中 美咲", "tanaka@moji.example", "田中 美咲"),
        ("陈伟", "chen@paper.example", "陈伟"),
    ],
)
def test_only_a_persons_name_is_shortened(
    mail: MakeMail, judge: Judge, name: str, sender: str, called: str
) -> None:
    verdict = judge(mail("Could you send me the signed lease?", subject="Lease", name=name, sender=sender))
    assert verdict.priority.reason.startswith(f"{called} asks ")


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Hi Robin, the boat is dry.", '"the boat is dry"'),
        ("Quick question: where is the oar?", '"where is the oar"'),
        ("I'm sorry, the boat is two days late.", '"the boat is two days late"'),
        (
            "The boat is dry and painted and stands in the hall, but the mast is missing.",
            '"The boat is dry and painted and stands in the hall"',
        ),
        (
            "Please look at the boat that stands behind the old hall near the river bank today",
            "",
        ),
        ("The new film: https://films.example/boat is out", '"The new film"'),
        ('She calls it "the boat" now.', "\"She calls it 'the boat' now\""),
        ("船は三日遅れます。", '"船は三日遅れます"'),
        ("", ""),
    ],
)
def test_quotations_are_whole_sentences_or_clauses(sentence: str, shown: str) -> None:
    assert quote(sentence, 62) == shown
    assert shown.strip('"') == quotable(sentence, 62)


@pytest.mark.parametrize(
    ("subject", "about", "list_name"),
    [
        ("Re: [club] Fwd: Boats", "Boats", "club"),
        ("[club] Boats [new]", "Boats [new]", "club"),
        ("AW: WG: Boote", "Boote", ""),
        ("Re:", "", ""),
        ("Regatta: boats", "Regatta: boats", ""),
    ],
)
def test_a_subject_is_named_without_what_mail_programs_add(subject: str, about: str, list_name: str) -> None:
    assert topic(subject) == about
    assert tag(subject) == list_name


@pytest.mark.parametrize(
    ("sentence", "empty"),
    [
        ("Lee Park commented:", True),
        ("お世話になっております。", True),
        ("田中様", True),
        ("Cześć Robin,", True),
        ("您好，样品今天寄出了。", False),
        ("The roof is dry.", False),
    ],
)
def test_greetings_and_lead_ins_say_nothing(sentence: str, empty: bool) -> None:
    assert says_nothing(sentence) is empty


@pytest.mark.parametrize(
    ("subject", "text", "reason"),
    [
        (
            "Boat",
            "I am sorry, the boat is two days late. The mast broke.",
            'Dana writes "the boat is two days late".',
        ),
        (
            "Water is off",
            "The water is off on Saturday. Thank you for your understanding.",
            'Dana writes "The water is off on Saturday".',
        ),
        (
            "Boat",
            "Could you send me the key? I need it by the end of the week.",
            'Dana asks "Could you send me the key"; due by the end of the week.',
        ),
        (
            "Boat",
            "Could you send me the key? I need it by 9 March.",
            'Dana asks "Could you send me the key"; due 9 March.',
        ),
    ],
)
def test_reasons_quote_the_news_and_name_the_day(
    mail: MakeMail, judge: Judge, subject: str, text: str, reason: str
) -> None:
    assert judge(mail(text, subject=subject)).priority.reason == reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("We row on Friday this week.", 'Dana writes to the list club: "We row on Friday this week".'),
        ("Does anybody have a spare oar?", 'Dana asks the list club "Does anybody have a spare oar".'),
    ],
)
def test_mail_on_a_list_says_so(mail: MakeMail, judge: Judge, text: str, reason: str) -> None:
    headers = (
        ("List-Id", "<club.boats.example>"),
        ("List-Unsubscribe", "<mailto:club-leave@boats.example>"),
    )
    verdict = judge(mail(text, subject="[club] Rowing", to=("club@boats.example",), headers=headers))
    assert verdict.bucket == "informational"
    assert verdict.content_category == "primary"
    assert verdict.priority.reason == reason


def test_a_person_who_writes_through_a_service_is_named_and_placed(mail: MakeMail, judge: Judge) -> None:
    verdict = judge(
        mail(
            "Frank Reyes commented:\n\nI like the second one.",
            subject="Re: [club/site] Dark colours (#12)",
            sender="notifications@forge.example",
            name="Frank Reyes",
            headers=(("List-Id", "<site.club.forge.example>"),),
        )
    )
    assert verdict.content_category == "notifications"
    assert verdict.priority.reason == 'Frank Reyes writes on forge.example about "Dark colours (#12)".'
    assert verdict.summary == "I like the second one."


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        (
            "The boat lies on the wrong side of the lake. Could you row it over?",
            "The boat lies on the wrong side of the lake.",
        ),
        (
            "Are you rowing with us on Sunday? I am baking two apple cakes.",
            "I am baking two apple cakes.",
        ),
        ("Could you row the boat over? Otherwise the boat stays there.", "Could you row the boat over?"),
        ("Dear Robin,\n\nthe boat lies on the wrong side.", "The boat lies on the wrong side."),
        ("Please vote for a name: https://polls.example/boat", "Please vote for a name"),
        ("Are you in?", "Are you in?"),
    ],
)
def test_the_summary_tells_what_the_reason_does_not(
    mail: MakeMail, judge: Judge, text: str, summary: str
) -> None:
    assert judge(mail(text, subject="Boat trip on Sunday")).summary == summary


def test_an_invitation_is_told_with_its_hour_and_is_sure(mail: MakeMail, judge: Judge) -> None:
    calendar = (
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1@x.example\r\n"
        "DTSTART:20260309T130000Z\r\nDTEND:20260309T140000Z\r\nSUMMARY:Boat meeting\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n"
    )
    verdict = judge(mail("", subject="Invitation: Boat meeting", calendars=(calendar,)))
    assert verdict.priority.reason == 'Dana invites you to "Boat meeting" on Monday, 9 March at 14:00.'
    assert verdict.confidence >= 0.6


def test_the_key_sentence_of_a_mail_of_courtesies_is_none(mail: MakeMail) -> None:
    from gaia_understanding.cascade.facts import gather
    from gaia_understanding.cascade.view import look
    from gaia_understanding.prepare.extract.model import Entities
    from gaia_understanding.prepare.extract.reading import read

    reading = read(mail("Hello Robin,\n\nThank you very much indeed.\n\nKind regards and hugs"))
    view = look("", reading.text, reading.sentences)
    facts = gather(reading, Context(), Entities(), view, frozenset())
    assert key_sentence(facts) == ""
