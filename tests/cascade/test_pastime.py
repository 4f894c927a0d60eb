"""What people pass on for luck or fun, sell or announce to all is of low priority; what only looks so is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Context
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
MakeMail = Callable[..., Prepared]
FRIEND = Context(owner=frozenset({OWNER}), written_to=3, received_before=5)
FEW = (OWNER, "jo@home.example", "kit@home.example")
ALL = ("everybody@club.example",)


@pytest.mark.parametrize(
    ("subject", "text", "quoted", "to", "said"),
    [
        ("Fw: Luck!", "Send it to 9 people you love TODAY or else! Urgent!!", "", FEW, "chain letter"),
        ("WG: Bitte lesen", "Schick das an zehn Freunde weiter, noch heute!", "", FEW, "chain letter"),
        ("RV: suerte", "Reenvía este mensaje a 10 amigos hoy.", "", FEW, "chain letter"),
        ("FW: FW: the frog", "Enjoy.", ">> A frog goes to a bank. LOL", FEW, "for fun"),
        ("Friday joke", "Why did the hen cross the road", "", ALL, "for fun"),
        ("FW: stars", "", "> Aries: soup.\n> Leo: more soup.\n> Virgo: no soup.", FEW, "for fun"),
        ("Selling my kayak", "Green, one paddle, 200 EUR, pick up in Kiel.", "", ALL, "to give or sell"),
        ("te koop: kinderfiets", "Rood, 16 inch, 40 euro.", "", ALL, "to give or sell"),
        ("Bake sale on Friday", "In the hall from ten. All are welcome.", "", ALL, "an event"),
    ],
)
def test_what_is_meant_for_nobody_in_particular_is_of_low_priority(
    mail: MakeMail, subject: str, text: str, quoted: str, to: tuple[str, ...], said: str
) -> None:
    message = mail(text, subject=subject, sender="pam@friends.example", name="Pam Lark", to=to, quoted=quoted)
    for tier in (BuiltinTier(), BuiltinTier(model=False)):
        verdict = tier.judge(message, FRIEND)
        assert verdict.bucket == "low_priority"
        assert not verdict.needs_reply
        assert said in verdict.priority.reason
        evidence = [signal.evidence for signal in verdict.priority.signals]
        assert all(
            words in f"{subject}\n{text}\n{quoted}\n{OWNER}\npam@friends.example" for words in evidence
        )


@pytest.mark.parametrize(
    ("subject", "text", "to"),
    [
        ("FW: FW: funny invoice", "Can you check this before Friday? They charge us twice.", (OWNER,)),
        ("Fw: Joke contract", "Robin, could you send me your comments today?", FEW),
        ("The minutes", "Please forward this to the three people in your team by Monday.", (OWNER,)),
        ("Re: Selling my kayak", "Would you take 180 EUR for it?", (OWNER,)),
        ("House for sale", "Robin, shall we go and see it on Saturday at 10?", (OWNER,)),
        ("Bake sale on Friday", "Could you bring a cake, Robin?", (OWNER,)),
    ],
)
def test_who_asks_the_user_for_something_is_heard_even_among_jokes(
    mail: MakeMail, subject: str, text: str, to: tuple[str, ...]
) -> None:
    message = mail(text, subject=subject, sender="pam@friends.example", name="Pam Lark", to=to)
    assert BuiltinTier().judge(message, FRIEND).bucket in ("urgent", "actionable")


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("FW: FW: Stage 2 declared", "FYI"),
        ("Chain hoist inspected", "The chain was broken on Monday and is repaired."),
        ("Sale of the Kiel office", "The office was sold for 2 million euros, as the board wished."),
    ],
)
def test_news_that_shares_a_word_with_them_stays_worth_knowing(
    mail: MakeMail, subject: str, text: str
) -> None:
    message = mail(text, subject=subject, sender="pam@home.example", name="Pam Lark")
    assert BuiltinTier(model=False).judge(message, FRIEND).bucket == "informational"
