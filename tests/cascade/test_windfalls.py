"""Fortunes that strangers offer a share of, in stories of many kinds; and honest letters about large sums."""

from __future__ import annotations

import pytest

from tests.cascade.test_demands_for_money import MakeMail, context, judged

STORIES = {
    "an official": (
        "Dear friend, I head the audit unit of a ministry. A contractor was paid twice and USD 18,400,000.00 "
        "sits in a holding account. I need a foreign partner whose account can receive the fund; thirty "
        "percent is yours. Keep this strictly confidential."
    ),
    "a widow": (
        "Beloved in the Lord, I am the widow of the late Mr Anselm Okoro, who left 4.2 million dollars for "
        "orphans. My doctors give me weeks. I need your assistance to carry out his wish. God bless you."
    ),
    "a banker": (
        "A client of my bank died in a plane crash and named no next of kin. You share his surname. If you "
        "stand as his relative, the sum of £9.7 million can be released. I do not know you, but I trust you "
        "are an honest person."
    ),
    "a soldier": (
        "I am a captain posted abroad. We found a metal box with US$6.5 million in it. Please help me move "
        "the money to your country. This is top secret."
    ),
    "a German notary": (
        "Wir suchen einen Empfänger für eine Erbschaft von 12,5 Millionen Euro (12.500.000 Euro). Für den "
        "Transfer bitten wir um Ihre Hilfe. Bitte behandeln Sie dies vertraulich."
    ),
}
HONEST = {
    "news": (
        "The council voted on Tuesday. The city will spend $3.6 million on the harbour bridge, half of it "
        "from the state. Work begins in spring."
    ),
    "a pitch": (
        "We closed a round of €2,400,000 last week and look for a head of design. Would you have half an hour"
        " on Friday?"
    ),
    "a will": (
        "My late father left me his workshop. I am selling the lathes and thought of you. Shall I bring you "
        "the list?"
    ),
    "a fundraiser": (
        "Our hospice needs a new roof; the appeal stands at 40,000 euros. The concert on Sunday is free, "
        "donations welcome."
    ),
    "a syndicate": (
        "The lottery draw is on Saturday; the jackpot stands at 12 million euros. Two euros each, as always?"
    ),
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
@pytest.mark.parametrize("mails", [0, 5])
def test_a_fortune_is_warned_of_and_is_spam_the_fifth_time_as_the_first(
    mail: MakeMail, story: str, mails: int
) -> None:
    verdict = judged(
        mail(story, name="Jon Ade", sender="jon.ade@post.example", subject="Your help"), context(mails)
    )
    assert verdict.flags.phishing.score >= 0.5
    assert verdict.flags.spam >= 0.5
    assert verdict.bucket == "low_priority"
    assert "fortune" in " ".join(verdict.flags.phishing.reasons)


@pytest.mark.parametrize("letter", HONEST.values(), ids=HONEST)
def test_an_honest_letter_about_a_large_sum_is_none(mail: MakeMail, letter: str) -> None:
    verdict = judged(mail(letter, name="Jon Ade", sender="jon.ade@post.example", subject="News"), context())
    assert verdict.flags.phishing.score < 0.5


def test_whoever_had_an_answer_may_speak_of_an_inheritance(mail: MakeMail) -> None:
    text = (
        "As executor I can now release your share of the estate: £1,200,000. I need your bank details in confidence; "
        "call me before you send them."
    )
    prepared = mail(text, name="Ann Lee", sender="ann@lee-law.example", subject="Your late aunt's estate")
    assert judged(prepared, context(3, answers=2)).flags.phishing.score < 0.5
    assert judged(prepared, context()).flags.phishing.score >= 0.5
