"""What a summary may say: every number, date, name and amount stands in the message that it is from."""

from __future__ import annotations

import pytest

from gaia_email.models.claims import holds

MAIL = """Ann Lee
The lease
Hi, the rent rises to €1,250.50 from 1 March. Please sign by Friday, Dr. O'Neil will countersign. Both rooms, two keys.
"""


@pytest.mark.parametrize(
    "sentence",
    [
        "Ann Lee says that the rent rises to €1,250.50.",
        "Please sign by Friday.",
        "The rent rises from 1 March and Dr. O'Neil will countersign.",
        "Ann asks for a signature; there are two keys.",
    ],
)
def test_what_the_mail_says_holds(sentence: str) -> None:
    assert holds(sentence, MAIL)


@pytest.mark.parametrize(
    "sentence",
    [
        "The rent rises to €1,250.",
        "The rent rises to $1,250.50.",
        "The rent rises from 2 March.",
        "Please sign by Monday.",
        "please sign by tuesday.",
        "Bob says that the rent rises.",
        "The rent rises, says Ann Miller.",
        "There are three keys.",
        "The rent rises by 10%.",
        "Sign at https://lease.example now.",
        "Write to ann@lease.example.",
        "Die Miete steigt, sagt 安.",
        "Sign\x1b[2J by Friday.",
    ],
)
def test_what_the_mail_does_not_say_is_dropped(sentence: str) -> None:
    assert not holds(sentence, MAIL)


def test_in_scripts_without_capital_letters_only_the_mails_own_words_hold() -> None:
    mail = "会議は金曜日の10時に変更されました。よろしくお願いします。"
    assert holds("会議は金曜日の10時に変更されました。", mail)
    assert not holds("会議は月曜日の10時に変更されました。", mail)
