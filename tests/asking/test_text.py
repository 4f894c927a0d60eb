"""The question as text: whoever wrote the mail, it reads as the program says it and cannot be imitated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gaia_mail.asking.text import BAR, block, mail_text
from gaia_mail.mime.compose import NewMessage, OutgoingFile
from tests.asking.mails import FULL, PLAIN, at, shown, written

ASKED = "Send this email?"


def text_of(
    mail: NewMessage | bytes, *, known: tuple[str, ...] | None = None, in_text: tuple[str, ...] = ()
) -> str:
    return mail_text(ASKED, shown(mail, known, in_text))


def test_an_ordinary_mail_reads_as_it_is() -> None:
    assert text_of(PLAIN) == ("Send this email?\nTo: ada@corp.example\nSubject: Lunch\n\n│ At noon?")


def test_everything_that_matters_is_marked() -> None:
    mail = replace(
        FULL,
        to=(at("evil@other.example", "boss@corp.example"),),
        cc=(),
        reply_to=(at("eve@other.example"),),
        html="<p>Pay Eve</p>",
    )
    assert text_of(mail, known=(), in_text=("evil@other.example",)) == "\n".join(
        (
            "Send this email?",
            "To: evil@other.example [another organisation] [never written to] "
            "[address stands only in mail text] [name imitates another address]",
            '    named "boss@corp.example"',
            "Bcc: dora@other.example [another organisation] [never written to]",
            "Answers go to: eve@other.example [another organisation] [never written to]",
            "Subject: Figures",
            'Attachment: application/pdf, 6 bytes, "a.pdf"',
            'Attachment: text/plain, 6 bytes, "b.txt"',
            "",
            "│ As promised.",
            "",
            "The formatted version, as text:",
            "│ Pay Eve",
        )
    )


def test_every_one_of_many_recipients_has_a_line() -> None:
    people = tuple(at(f"p{number}@other.example") for number in range(300))
    lines = text_of(replace(PLAIN, to=people)).splitlines()
    assert sum(line.startswith("To: ") for line in lines) == 300


def test_a_sender_who_is_not_the_account_is_shown_and_receipts_are() -> None:
    found = text_of(
        written("Sender: evil@other.example\nDisposition-Notification-To: eve@other.example\n")
    ).splitlines()
    assert "From: me@corp.example [your own address]" in found
    assert "Sender: evil@other.example [another organisation]" in found
    assert "Asks for a receipt to: eve@other.example [another organisation]" in found


def test_long_texts_are_cut_at_the_end_and_the_rest_is_counted() -> None:
    lines = mail_text(ASKED, shown(written("", "x" * 2_500)), most=100).splitlines()
    assert lines[-1] == "[2,400 more characters]"
    assert block("x" * 4_001)[-1] == "[1 more characters]"


def test_a_text_cannot_imitate_the_questions_lines() -> None:
    fake = "fine\n\nTo: ada@corp.example [your own address]\n[12 more characters]\nSubject: Lunch"
    question, _, body = text_of(replace(PLAIN, text=fake, to=(at("evil@other.example"),))).partition("\n\n")
    assert "evil@other.example" in question
    assert all(line.startswith(BAR.rstrip()) for line in body.splitlines())


def test_no_line_of_a_strangers_is_long_enough_to_be_wrapped_past_its_bar() -> None:
    text = text_of(written("Content-Type: text/plain; charset=utf-8\n", f"{'a' * 74}To: me\n{'宽' * 60}"))
    text += "\n" + text_of(replace(PLAIN, subject="s" * 300, text=""))
    for line in text.splitlines():
        assert sum(2 if "一" <= char <= "鿿" else 1 for char in line) <= 76
    assert sum(line.startswith(BAR) for line in text.splitlines()) == 2 + 2


def test_empty_lines_cannot_push_the_question_off_the_screen() -> None:
    assert block("a\n\n\nb") == ["│ a", "│", "│", "│ b"]
    assert block(f"a{chr(10) * 1000}b") == ["│ a", "[999 empty lines]", "│ b"]
    invisible = "\u3000 \u200b\n" * 3
    assert block(f"a\n{invisible}b") == ["│ a", "[3 empty lines]", "│ b"]


@pytest.mark.parametrize(
    "sly",
    [
        "\x1b[2K",
        "\r",
        "\x85",
        "\u2028",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\U000e0041",
        "\x00",
        "\u3164",
        "\u2800",
    ],
)
def test_nothing_unseen_reaches_the_reader(sly: str) -> None:
    mail = written(
        f"X-Odd: a{sly}b\n".replace("\r\n", "\n") if sly != "\r" else "X-Odd: a\n", f"Hello{sly}there"
    )
    fancy = replace(
        shown(mail),
        subject=f"a{sly}b",
        recipients=(replace(shown(PLAIN).recipients[0], name=f"Ada{sly}", address=f"a{sly}b@corp.example"),),
        hidden=(f"a{sly}b",),
    )
    found = mail_text(f"{ASKED}", fancy)
    assert sly not in found
    assert found.replace("\n", "").isprintable()


def test_a_name_cannot_pass_for_a_mark_or_an_address() -> None:
    name = 'ada@corp.example" [your own address]'
    line = text_of(replace(PLAIN, to=(at("evil@other.example", name),))).splitlines()
    assert line[1].startswith("To: evil@other.example [another organisation] [name imitates another address]")
    assert line[2] == '    named "ada@corp.example\' [your own address]"'


def test_a_long_name_is_cut_and_a_file_name_cannot_pass_for_more() -> None:
    line = text_of(replace(PLAIN, to=(at("ada@corp.example", "A" * 100),)))
    assert f'"{"A" * 60}… 40 more characters"' in line
    file = OutgoingFile(filename='a.pdf", the mail "Hello', content_type="application/pdf", content=b"")
    assert "\"a.pdf', the mail 'Hello\"" in text_of(replace(PLAIN, attachments=(file,)))


def test_a_domain_in_another_script_is_shown_in_ascii_too() -> None:
    (found,) = (
        line for line in text_of(written("Cc: ada@bücher.example\n")).splitlines() if line.startswith("Cc")
    )
    assert "[letters beyond ASCII, in ASCII ada@xn--bcher-kva.example]" in found


def test_attachments_and_headers_without_end_are_counted() -> None:
    head = "".join(f"X-{number}: 1\n" for number in range(150))
    assert "[50 more headers]" in text_of(written(head)).splitlines()


def test_what_is_hidden_in_the_html_is_shown_and_a_mail_without_text_says_so() -> None:
    assert "Hidden in the formatted version:\n│ Pay Eve" in text_of(
        replace(FULL, html="<p>As promised.<b hidden>Pay Eve</b></p>")
    )
    assert text_of(replace(PLAIN, text="")).endswith("(no text)")
