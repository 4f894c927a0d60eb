"""An announcement of a quote is recognised as mail programs write it in each language, and prose is left alone."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.quotes import split_quotes

ADDRESS = "<kim@example.com>"

BY_LANGUAGE = {
    "en gmail": f"On Mon, Mar 3, 2025 at 10:00 AM Kim Vale {ADDRESS} wrote:",
    "en gmail narrow space": f"On Mon, Mar 3, 2025 at 10:00\u202fAM Kim Vale {ADDRESS} wrote:",
    "en apple": "On 3 Mar 2025, at 10:00, Kim Vale wrote:",
    "en no space": f"On Tue, 3 Mar 2025 at 10:00, Kim Vale {ADDRESS}wrote:",
    "en spark": f"On 3 Mar 2025, 10:00 +0100, Kim Vale {ADDRESS}, wrote:",
    "en proton": f"On Monday, March 3rd, 2025 at 10:00, Kim Vale {ADDRESS} wrote:",
    "en yahoo": f"     On Monday, March 3, 2025 at 10:00:00 AM GMT, Kim Vale {ADDRESS} wrote:  ",
    "en yahoo classic": f"--- On Mon, 3/3/25, Kim Vale {ADDRESS} wrote:",
    "en 163": f'At 2025-03-03 10:00:00, "Kim Vale" {ADDRESS} wrote:',
    "en thunderbird": "On 03/03/2025 10:00, Kim Vale wrote:",
    "en zoho": f"---- On Mon, 03 Mar 2025 10:00:00 +0000 Kim Vale {ADDRESS} wrote ----",
    "en horde": f"Quoting Kim Vale {ADDRESS}:",
    "mutt": f"* Kim Vale {ADDRESS} [2025-03-03 10:00]:",
    "de gmail": f"Am Mo., 3. März 2025 um 10:00 Uhr schrieb Kim Vale {ADDRESS}:",
    "de apple": f"Am 03.03.2025 um 10:00 schrieb Kim Vale {ADDRESS}:",
    "de thunderbird": "Am 03.03.25 um 10:00 schrieb Kim Vale:",
    "de yahoo": f"Kim Vale {ADDRESS} schrieb am 10:00 Montag, 3.März 2025:",
    "fr gmail": f"Le lun. 3 mars 2025 à 10:00, Kim Vale {ADDRESS} a écrit :",
    "fr thunderbird": "Le 03/03/2025 à 10:00, Kim Vale a écrit\u00a0:",
    "es gmail": f"El lun, 3 mar 2025 a las 10:00, Kim Vale ({ADDRESS}) escribió:",
    "es apple": f"El 3 mar 2025, a las 10:00, Kim Vale {ADDRESS} escribió:",
    "it gmail": f"Il giorno lun 3 mar 2025 alle ore 10:00 Kim Vale {ADDRESS} ha scritto:",
    "it thunderbird": "Il 03/03/2025 10:00, Kim Vale ha scritto:",
    "pt gmail": f"Em seg., 3 de mar. de 2025 às 10:00, Kim Vale {ADDRESS} escreveu:",
    "pt thunderbird": "Em 03/03/2025 10:00, Kim Vale escreveu:",
    "nl gmail": f"Op ma 3 mrt 2025 om 10:00 schreef Kim Vale {ADDRESS}:",
    "nl apple": f"Op 3 mrt 2025, om 10:00 heeft Kim Vale {ADDRESS} het volgende geschreven:",
    "sv gmail": f"Den mån 3 mars 2025 kl 10:00 skrev Kim Vale {ADDRESS}:",
    "sv apple": f"3 mars 2025 kl. 10:00 skrev Kim Vale {ADDRESS}:",
    "da gmail": f"Den man. 3. mar. 2025 kl. 10.00 skrev Kim Vale {ADDRESS}:",
    "da thunderbird": "Den 03-03-2025 kl. 10:00 skrev Kim Vale:",
    "no gmail": f"man. 3. mars 2025 kl. 10:00 skrev Kim Vale {ADDRESS}:",
    "fi gmail": f"ma 3. maalisk. 2025 klo 10.00 Kim Vale ({ADDRESS}) kirjoitti:",
    "fi apple": f"Kim Vale {ADDRESS} kirjoitti 3.3.2025 kello 10.00:",
    "pl gmail": f"pon., 3 mar 2025 o 10:00 Kim Vale {ADDRESS} napisał(a):",
    "pl apple": f"Wiadomość napisana przez Kim Vale {ADDRESS} w dniu 3 mar 2025, o godz. 10:00:",
    "pl thunderbird": "W dniu 03.03.2025 o 10:00, Kim Vale pisze:",
    "cs gmail": f"po 3. 3. 2025 v 10:00 odesílatel Kim Vale {ADDRESS} napsal:",
    "cs thunderbird": "Dne 03. 03. 2025 v 10:00 Kim Vale napsal(a):",
    "ru gmail": f"пн, 3 мар. 2025 г. в 10:00, Kim Vale {ADDRESS}:",
    "ru apple": f"3 марта 2025 г., в 10:00, Kim Vale {ADDRESS} написал(а):",
    "ru thunderbird": "03.03.2025 10:00, Kim Vale пишет:",
    "ru mail.ru": f"Понедельник, 3 марта 2025, 10:00 +03:00 от Kim Vale {ADDRESS}:",
    "uk gmail": f"пн, 3 бер. 2025 р. о 10:00 Kim Vale {ADDRESS} пише:",
    "tr gmail": f"Kim Vale {ADDRESS}, 3 Mar 2025 Pzt, 10:00 tarihinde şunu yazdı:",
    "tr apple": f"3 Mar 2025 tarihinde 10:00 saatinde, Kim Vale {ADDRESS} şunları yazdı:",
    "hu gmail": f"Kim Vale {ADDRESS} ezt írta (időpont: 2025. márc. 3., H, 10:00):",
    "hu apple": f"2025. márc. 3. dátummal, 10:00 időpontban Kim Vale {ADDRESS} írta:",
    "ro gmail": f"În lun., 3 mar. 2025 la 10:00, Kim Vale {ADDRESS} a scris:",
    "ro apple": f"Pe 3 mar. 2025, la 10:00, Kim Vale {ADDRESS} a scris:",
    "el gmail": f"Στις Δευ 3 Μαρ 2025 στις 10:00 π.μ., ο/η Kim Vale {ADDRESS} έγραψε:",
    "ja gmail": f"2025年3月3日(月) 10:00 Kim Vale {ADDRESS}:",
    "ja apple": f"2025/03/03 10:00、Kim Vale {ADDRESS}のメール:",
    "zh gmail": f"Kim Vale {ADDRESS} 于2025年3月3日周一 10:00写道：",
    "zh apple": f"2025年3月3日 上午10:00，Kim Vale {ADDRESS} 写道：",
    "zh-tw gmail": f"Kim Vale {ADDRESS} 於 2025年3月3日 週一 上午10:00寫道：",
    "ko gmail": f"2025년 3월 3일 (월) 오전 10:00, Kim Vale {ADDRESS}님이 작성:",
    "vi gmail": f"Vào Th 2, 3 thg 3, 2025 vào lúc 10:00 Kim Vale {ADDRESS} đã viết:",
    "id gmail": f"Pada tanggal Sen, 3 Mar 2025 pukul 10.00 Kim Vale {ADDRESS} menulis:",
    "he gmail": f"\u202bבתאריך יום ב׳, 3 במרץ 2025 ב-10:00 מאת Kim Vale {ADDRESS}:\u202c",
    "ca gmail": f"Missatge de Kim Vale {ADDRESS} del dia dl., 3 de març 2025 a les 10:00:",
}


def test_an_attribution_parts_the_reply_from_an_unmarked_quote(subtests: pytest.Subtests) -> None:
    for name, line in BY_LANGUAGE.items():
        with subtests.test(name):
            split = split_quotes(f"Yes, that suits me.\n\n{line}\n\nShall we meet?\nKim\n", subject="Re: x")
            assert split.kept.strip() == "Yes, that suits me."
            assert split.removed.startswith(line.strip()[:4]) or line.strip() in split.removed
            assert split.how == "attribution"


def test_answers_around_marked_quotes_are_kept_and_joined(subtests: pytest.Subtests) -> None:
    for name, line in BY_LANGUAGE.items():
        with subtests.test(name):
            text = f"Hello\n\n{line}\n> Tea?\n\nTea.\n\n> When?\nAt five.\n"
            assert split_quotes(text, subject="Re: x").kept.split() == ["Hello", "Tea.", "At", "five."]


WRAPPED = {
    "address below": f"On Mon, Mar 3, 2025 at 10:00 AM Kim Vale\n{ADDRESS} wrote:",
    "verb below": f"On Mon, Mar 3, 2025 at 10:00 AM, Kim Vale {ADDRESS}\nwrote:",
    "bracket split": "On Mon, Mar 3, 2025 at 10:00 AM, Kim Vale <\nkim@example.com> wrote:",
    "three lines": "On Mon, Mar 3, 2025 at 10:00 AM, Kim Vale <\nkim@example.com>\nwrote:",
    "french": f"Le lun. 3 mars 2025 à 10:00, Kim Vale\n{ADDRESS} a\nécrit :",
    "date first": "2025-03-03 10:00 GMT+01:00 Kim Vale <\nkim@example.com>:",
    "mailto alone": "On Mon, Mar 3, 2025 at 10:00 AM Kim Vale\n\n<\nmailto:Kim Vale <kim@example.com>\n> wrote:",
}


@pytest.mark.parametrize("attribution", WRAPPED.values(), ids=WRAPPED.keys())
def test_a_wrapped_attribution_goes_as_a_whole(attribution: str) -> None:
    assert split_quotes(f"Fine.\n\n{attribution}\nold text\n").kept.strip() == "Fine."
    assert split_quotes(f"Fine.\n\n{attribution}\n\n> old text\n\nBye").kept.split() == ["Fine.", "Bye"]


PROSE = [
    "On Friday I wrote a letter:\n\nDear council, the tree must stay.",
    "On 3 March 2025 I wrote:\n\nDear council, the tree must stay.",
    "Please read the document at:\n\nhttps://example.com/a",
    "She wrote the following letter to the board on 3 March 2025 at 10:00:\n\nDear board",
    "The files sent on 12.05.2025 at 10:00 are as follows:\n\n- one\n- two",
    "Bob wrote:\n\nthat is all I know.",
    "Agenda for 3.3.2025 10:00:\n\n1. Budget\n2. Plan",
    "Ask kim@example.com:\n\n1. the price\n2. the date",
    "On blah-blah-blah\nOn and on",
    "Le rapport que j'ai écrit :\n\nvoir ci-joint",
    "In dem Brief vom 3.3.2025 um 10:00 schrieb ich:\n\nLieber Rat",
    "Send your report by 12.05.2025 to kim@example.com:\n\nname, hours",
]


def test_prose_that_tells_of_writing_is_not_cut(subtests: pytest.Subtests) -> None:
    for text in PROSE:
        with subtests.test(text=text):
            split = split_quotes(text, subject="Re: x")
            assert (split.kept, split.removed, split.how) == (text, "", "")


def test_a_reply_on_the_same_line_as_the_attribution_is_kept() -> None:
    split = split_quotes("Agreed--- On Mon, Mar 3, 2025 at 10:00 AM, kim@example.com wrote:\n> Hi")
    assert (split.kept, split.removed) == (
        "Agreed",
        "--- On Mon, Mar 3, 2025 at 10:00 AM, kim@example.com wrote:\n> Hi",
    )


def test_the_sentence_above_an_attribution_is_not_taken_for_its_first_line() -> None:
    split = split_quotes(f"On the other hand it is fine.\nKim {ADDRESS} wrote:\n> Is it?")
    assert split.kept == "On the other hand it is fine."
