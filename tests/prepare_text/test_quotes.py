"""Every convention of quoting is parted from what was newly written, and what only looks like one is not."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.quotes import split_quotes

BLOCKS = {
    "en": (
        "From: Kim Vale [mailto:kim@example.com]",
        "Sent: Monday, March 3, 2025 10:00 AM",
        "To: Lee",
        "Subject: x",
    ),
    "en bold": ("*From:* Kim Vale", "*Sent:* Monday, March 3, 2025 10:00 AM", "*To:* Lee", "*Subject:* x"),
    "de": ("Von: Kim Vale", "Gesendet: Montag, 3. März 2025 10:00", "An: Lee", "Betreff: x"),
    "fr": ("De : Kim Vale", "Envoyé : lundi 3 mars 2025 10:00", "À : Lee", "Objet : x"),
    "es": ("De: Kim Vale", "Enviado el: lunes, 3 de marzo de 2025 10:00", "Para: Lee", "Asunto: x"),
    "it": ("Da: Kim Vale", "Inviato: lunedì 3 marzo 2025 10:00", "A: Lee", "Oggetto: x"),
    "pt": ("De: Kim Vale", "Enviada em: segunda-feira, 3 de março de 2025 10:00", "Para: Lee", "Assunto: x"),
    "nl": ("Van: Kim Vale", "Verzonden: maandag 3 maart 2025 10:00", "Aan: Lee", "Onderwerp: x"),
    "sv": ("Från: Kim Vale", "Skickat: den 3 mars 2025 10:00", "Till: Lee", "Ämne: x"),
    "da": ("Fra: Kim Vale", "Sendt: 3. marts 2025 10:00", "Til: Lee", "Emne: x"),
    "fi": (
        "Lähettäjä: Kim Vale",
        "Lähetetty: maanantai 3. maaliskuuta 2025 10.00",
        "Vastaanottaja: Lee",
        "Aihe: x",
    ),
    "pl": ("Od: Kim Vale", "Wysłano: poniedziałek, 3 marca 2025 10:00", "Do: Lee", "Temat: x"),
    "cs": ("Od: Kim Vale", "Odesláno: pondělí 3. března 2025 10:00", "Komu: Lee", "Předmět: x"),
    "ru": ("От: Kim Vale", "Отправлено: 3 марта 2025 г. 10:00", "Кому: Lee", "Тема: x"),
    "uk": ("Від: Kim Vale", "Надіслано: 3 березня 2025 р. 10:00", "Кому: Lee", "Тема: x"),
    "tr": ("Kimden: Kim Vale", "Gönderildi: 3 Mart 2025 Pazartesi 10:00", "Kime: Lee", "Konu: x"),
    "hu": ("Feladó: Kim Vale", "Elküldve: 2025. március 3. 10:00", "Címzett: Lee", "Tárgy: x"),
    "ro": ("De la: Kim Vale", "Trimis: luni, 3 martie 2025 10:00", "Către: Lee", "Subiect: x"),
    "el": ("Από: Kim Vale", "Στάλθηκε: Δευτέρα, 3 Μαρτίου 2025 10:00", "Προς: Lee", "Θέμα: x"),
    "ja": ("差出人: Kim Vale", "送信日時: 2025年3月3日 10:00", "宛先: Lee", "件名: x"),
    "zh": ("发件人： Kim Vale", "发送时间： 2025年3月3日 10:00", "收件人： Lee", "主题： x"),
    "ko": ("보낸 사람: Kim Vale", "보낸 날짜: 2025년 3월 3일 10:00", "받는 사람: Lee", "제목: x"),
    "vi": ("Từ: Kim Vale", "Đã gửi: 3 tháng 3, 2025 10:00", "Đến: Lee", "Chủ đề: x"),
}

SEPARATORS = [
    "-----Original Message-----", "------- Original Message -------", "-----Ursprüngliche Nachricht-----",
    "-----Message d'origine-----", "-----Mensaje original-----", "-----Messaggio originale-----",
    "-----Mensagem Original-----", "-----Oorspronkelijk bericht-----", "-----Ursprungligt meddelande-----",
    "-----Oprindelig meddelelse-----", "-----Opprinnelig melding-----", "-----Alkuperäinen viesti-----",
    "-----Wiadomość oryginalna-----", "-----Původní zpráva-----", "-----Исходное сообщение-----",
    "-----Оригінальне повідомлення-----", "-----Özgün İleti-----", "-----Eredeti üzenet-----",
    "-----Mesaj original-----", "-----Αρχικό μήνυμα-----", "-----元のメッセージ-----",
    "------------------ 原始邮件 ------------------",
    "-----원본 메시지-----", "-----Thư gốc-----", "-------- Original message --------",
    "-----Original Appointment-----",
    "---------- Forwarded message ---------", "Begin forwarded message:", "Anfang der weitergeleiteten Nachricht:",
    "Début du message réexpédié :", "---------- Weitergeleitete Nachricht ----------",
    "--- Please reply above this line ---",
    "## Reply above this line ##", "---------------------- Forwarded by Kim Vale/Corp on 03/03/2025 10:00 AM ------",
]  # fmt: skip


def test_a_header_block_in_any_language_begins_the_quote(subtests: pytest.Subtests) -> None:
    for name, block in BLOCKS.items():
        with subtests.test(name):
            text = (
                "Will do.\n\n________________________________\n"
                + "\n".join(block)
                + "\n\nPlease pay the bill.\n"
            )
            split = split_quotes(text)
            assert (split.kept, split.how) == ("Will do.", "header_block")
            assert split.removed.startswith("____")


def test_a_separator_in_any_language_begins_the_quote(subtests: pytest.Subtests) -> None:
    for line in SEPARATORS:
        with subtests.test(line=line):
            split = split_quotes(f"Will do.\n\n{line}\n\nPlease pay the bill.\n")
            assert (split.kept, split.removed) == ("Will do.", f"{line}\n\nPlease pay the bill.")


@pytest.mark.parametrize(
    "text",
    [
        "Trip\n\nFrom: Berlin\nTo: Paris\nClass: second",
        "Date: Monday\nTime: 10:00\nPlace: Hall 2",
        "Subject: gas is cold\n\nThe gas is cold.",
        "1. one\n2. two\n\n- three\n- four\n* five",
        "Enter below.\n\n------- Enter Feedback Below -------\n\nIt was good.",
        "Intro\n\n---\n\nMain part",
        "5c5\n< old line\n---\n> new line\n",
        "Look:\n>>> 1 + 1\n2\n>>> exit()",
        "Buy now\n>>> >>>  https://example.com <<<\nonly today",
        "if a\n>= b then stop",
        "@@ -1,2 +1,2 @@\n-a -> b\n+a -> c",
    ],
)
def test_what_only_looks_like_a_quote_is_kept(text: str) -> None:
    assert split_quotes(text, subject="Re: x").kept == text


def test_marked_lines_without_an_announcement_are_a_quote() -> None:
    split = split_quotes("Hello\n\n> Subject: Test\n> From: kim@example.com\n>\n> Hi\n", subject="Re: Test")
    assert (split.kept.strip(), split.how) == ("Hello", "prefix")


def test_an_answer_below_the_quote_is_the_new_text() -> None:
    split = split_quotes("On 03/03/2025 10:00 AM, Kim wrote:\n> Hi\nHello")
    assert (split.kept, split.removed) == ("Hello", "On 03/03/2025 10:00 AM, Kim wrote:\n> Hi")


def test_a_long_quoted_line_that_was_wrapped_stays_with_its_quote() -> None:
    quoted = "> This line is long enough that the mail program broke it into\ntwo pieces\n> and went on.\n"
    assert split_quotes("Yes.\n\nOn 03/03/2025 10:00 AM, Kim wrote:\n" + quoted).kept == "Yes."


def test_headers_on_the_line_of_the_separator_are_quoted_with_it() -> None:
    line = "-------- Original message --------From: Kim <kim@example.com> Date: 03.03.25 10:00 To: Lee Subject: x"
    assert split_quotes(f"Yes.\n\n{line} Can you?\n").kept == "Yes."


def test_a_bare_forward_keeps_the_forwarded_text() -> None:
    head = (
        "---------- Forwarded message ---------\nFrom: Kim <kim@example.com>\nDate: 3 March 2025\nSubject: x"
    )
    split = split_quotes(
        head + "\n\nThe hall is booked.\n\nOn 01/03/2025 9:00, Lee wrote:\n> Is it?\n", subject="Fwd: x"
    )
    assert (split.kept.strip(), split.how) == ("The hall is booked.", "bare_forward")
    assert "Is it?" in split.removed


@pytest.mark.parametrize(
    "above", ["Sent from my iPhone\n\n", "Von meinem iPhone gesendet\n\n", "-- \nKim Vale\n\n", "\n\n"]
)
def test_a_forward_with_only_a_signature_above_is_bare(above: str) -> None:
    split = split_quotes(
        above
        + "Begin forwarded message:\n\nFrom: Kim <kim@example.com>\nSubject: x\nDate: 3 March 2025\n\nBooked.\n"
    )
    assert "Booked." in split.kept
    assert "From:" not in split.kept


def test_a_comment_above_a_forward_is_what_was_newly_written() -> None:
    assert (
        split_quotes(
            "FYI\n\nBegin forwarded message:\n\nFrom: Kim <kim@example.com>\nSubject: x\n\nBooked."
        ).kept
        == "FYI"
    )


def test_only_marked_lines_leave_nothing() -> None:
    assert split_quotes("On 03/03/2025 10:00 AM, Kim wrote:\n> Hi\n> there").kept == ""


def test_groupwise_marks_its_quote_with_arrows() -> None:
    assert (
        split_quotes("Yes.\n\n>>> Kim Vale <kim@example.com> 03/03/2025 10:00 AM >>>\nCan you?").kept
        == "Yes."
    )


def test_hidden_quote_notices_of_gmail_are_dropped() -> None:
    assert split_quotes("Yes.\n[Quoted text hidden]\n").kept == "Yes."


def test_windows_line_ends_change_nothing() -> None:
    assert split_quotes("Yes.\r\n\r\nOn 03/03/2025 10:00 AM, Kim wrote:\r\n> Hi\r\n").kept.strip() == "Yes."
