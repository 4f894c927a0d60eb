"""Announcements with digits of other scripts, and those broken over lines: the author's words stay, all else goes."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.quotes import split_quotes

WHO = "Kim Vale <kim@example.com>"
NATIVE_DIGITS = {
    "Arabic": f"في الثلاثاء، ٣ مارس ٢٠٢٦ في ١٠:٠٠ ص تمت كتابة ما يلي بواسطة {WHO}:",
    "Arabic, short": f"بتاريخ ٣ مارس ٢٠٢٦، كتب {WHO}:",
    "Arabic, no address": "في ٣ مارس ٢٠٢٦ ١٠:٠٠، كتب Kim Vale:",
    "Persian": f"در تاریخ سه‌شنبه ۳ مارس ۲۰۲۶،‏ ۱۰:۰۰ {WHO} نوشت:",
    "Persian, no address": "در ۳ مارس ۲۰۲۶ ۱۰:۰۰، Kim Vale نوشت:",
    "Urdu": f"بروز منگل، ۳ مارچ، ۲۰۲۶ کو ۱۰:۰۰ بجے {WHO} نے لکھا:",
    "Bengali": f"মঙ্গল, ৩ মার্চ, ২০২৬ তারিখে ১০:০০ AM টায় এ {WHO} লিখেছেন:",
    "Marathi": f"मंगळ, ३ मार्च, २०२६ रोजी १०:०० AM वाजता {WHO} ने लिहिले:",
    "Hindi": f"मंगल, ३ मार्च २०२६ को १०:०० am बजे को {WHO} ने लिखा:",
    "Nepali": f"मङ्गल, ३ मार्च २०२६ मा १०:०० बजे {WHO} ले लेख्नुभयो:",
    "Gujarati": f"મંગળ, ૩ માર્ચ, ૨૦૨૬ ના રોજ ૧૦:૦૦ AM વાગ્યે {WHO} એ લખ્યું:",
    "Tamil": f"செவ்., 3 மார்., 2026, ௧௦:௦௦ அன்று, {WHO} எழுதியது:",
    "Thai": f"เมื่อ อ. ๓ มี.ค. ๒๐๒๖ ๑๐:๐๐ {WHO} เขียนว่า:",
    "Burmese": f"၂၀၂၆၊ မတ် ၃ ရက် ၁၀:၀၀ {WHO} က ရေးသားခဲ့သည်:",
    "Khmer": f"នៅ​ថ្ងៃ អង្គារ ៣ មីនា ២០២៦ ម៉ោង ១០:០០ {WHO} បាន​សរសេរ:",
    "full width, Japanese": f"２０２６年３月３日(火) １０:００ {WHO}:",
    "full width, Chinese": f"{WHO} 于２０２６年３月３日周二 １０：００写道：",
}
WRAPPED = {
    "de": "Am Di., 3. März 2026 um 10:00 Uhr schrieb Kim Vale <kim@example.com\n>:",
    "de, three lines": "Am Di., 3. März 2026 um 10:00 Uhr schrieb Kim Vale via Support Team for the\nNorth <\n"
    "kim.vale.with.a.long.address@example.com\n>:",
    "de, verb": "Am Di., 3. März 2026 um 10:00 Uhr schrieb\nKim Vale <kim@example.com>:",
    "no": "ons. 26. aug. 2026 kl. 14:05 skrev Kim Vale Support <kim@example.com\n>:",
    "sv": "Den tis 3 mars 2026 kl 10:00 skrev Kim Vale Support <kim@example.com\n>:",
    "da": "Den tirs. 3. mar. 2026 kl. 10.00 skrev Kim Vale Support <kim@example.com\n>:",
    "da, address": "Den tirs. 3. mar. 2026 kl. 10.00 skrev Kim Vale Support <\nkim@example.com>:",
    "nl": "Op di 3 mrt 2026 om 10:00 schreef Kim Vale Support <kim@example.com\n>:",
    "pl": "wt., 3 mar 2026 o 10:00 Kim Vale Support <kim@example.com\n> napisał(a):",
    "pl, verb": "wt., 3 mar 2026 o 10:00 Kim Vale Support <kim@example.com>\nnapisał(a):",
    "ru": "вт, 3 мар. 2026 г. в 10:00, Kim Vale Support <kim@example.com\n>:",
    "ru, date": "вт, 3 мар. 2026 г.\nв 10:00, Kim Vale Support <kim@example.com>:",
    "uk": "вт, 3 бер. 2026 р. о 10:00 Kim Vale Support <kim@example.com\n> пише:",
    "en": "On Tue, Mar 3, 2026 at 10:00 AM Kim Vale Support <kim@example.com\n> wrote:",
    "en, address": "On Tue, Mar 3, 2026 at 10:00 AM Kim Vale Support <\nkim@example.com> wrote:",
    "en, colon": "On Tue, Mar 3, 2026 at 10:00 AM Kim Vale Support <kim@example.com>\nwrote\n:",
    "fr": "Le mar. 3 mars 2026 à 10:00, Kim Vale Support <kim@example.com\n> a écrit :",
    "fr, verb": "Le mar. 3 mars 2026 à 10:00, Kim Vale Support <kim@example.com> a\nécrit :",
    "es": "El mar, 3 mar 2026 a las 10:00, Kim Vale Support (<kim@example.com\n>) escribió:",
    "it": "Il giorno mar 3 mar 2026 alle ore 10:00 Kim Vale Support <kim@example.com\n> ha scritto:",
    "pt": "Em ter., 3 de mar. de 2026 às 10:00, Kim Vale Support <kim@example.com\n> escreveu:",
    "ro": "mar., 3 mar. 2026 la 10:00, Kim Vale Support <kim@example.com\n> a scris:",
    "ca": "Missatge de Kim Vale Support <kim@example.com\n> del dia dt., 3 de març 2026 a les 10:00:",
    "cs": "út 3. 3. 2026 v 10:00 odesílatel Kim Vale Support <kim@example.com\n> napsal:",
    "sk": "ut 3. 3. 2026 o 10:00 Kim Vale Support <kim@example.com\n> napísal(a):",
    "hr": "uto, 3. ožu 2026. u 10:00 Kim Vale Support <kim@example.com\n> napisao je:",
    "sl": "V V tor., 3. mar. 2026 ob 10:00 je oseba Kim Vale Support <kim@example.com\n> napisala:",
    "bg": "На вт, 3.03.2026 г. в 10:00 Kim Vale Support <kim@example.com\n> написа:",
    "fi": "ti 3. maalisk. 2026 klo 10.00 Kim Vale Support (kim@example.com\n) kirjoitti:",
    "et": "Kim Vale Support (<kim@example.com\n>) kirjutas kuupäeval T, 3. märts 2026 kell 10:00:",
    "lv": "otrd., 2026. g. 3. marts, plkst. 10:00 — lietotājs Kim Vale Support (<kim@example.com\n>) rakstīja:",
    "lt": "2026-03-03, an, 10:00 Kim Vale Support <kim@example.com\n> rašė:",
    "hu": "Kim Vale Support <kim@example.com\n> ezt írta (időpont: 2026. márc. 3., K, 10:00):",
    "el": "Στις Τρί 3 Μαρ 2026 στις 10:00 π.μ., ο/η Kim Vale Support <\nkim@example.com> έγραψε:",
    "tr": "Kim Vale Support <kim@example.com\n>, 3 Mar 2026 Sal, 10:00 tarihinde şunu yazdı:",
    "vi": "Vào Th 3, 3 thg 3, 2026 vào lúc 10:00 Kim Vale Support <kim@example.com\n> đã viết:",
    "id": "Pada tanggal Sel, 3 Mar 2026 pukul 10.00 Kim Vale Support <kim@example.com\n> menulis:",
    "ja": "2026年3月3日(火) 10:00 Kim Vale Support <kim@example.com\n>:",
    "ko": "2026년 3월 3일 (화) 오전 10:00, Kim Vale Support <kim@example.com\n>님이 작성:",
    "zh": "Kim Vale Support <kim@example.com\n> 于2026年3月3日周二 10:00写道：",
}
QUOTES = {
    "marked": "\n\n> Hello,\n>\n> the old plan was fine with us.\n",
    "marked at once": "\n> Hello,\n> the old plan was fine with us.\n",
    "unmarked": "\n\nHello,\n\nthe old plan was fine with us.\n",
}


@pytest.mark.parametrize("own", ["OK.", "Yes, I agree.", "تم.", "Fine with me,\nsee you at 5."])
def test_the_answer_above_an_announcement_with_native_digits_is_all_that_stays(
    own: str, subtests: pytest.Subtests
) -> None:
    for script, announcement in NATIVE_DIGITS.items():
        for how, quote in QUOTES.items():
            with subtests.test(script=script, quote=how):
                assert split_quotes(f"{own}\n\n{announcement}{quote}").kept.strip() == own


def test_an_announcement_broken_at_its_address_goes_as_a_whole(subtests: pytest.Subtests) -> None:
    for language, announcement in WRAPPED.items():
        for how, quote in QUOTES.items():
            with subtests.test(language=language, quote=how):
                assert split_quotes(f"Fine with me.\n\n{announcement}{quote}").kept.strip() == "Fine with me."


@pytest.mark.parametrize(
    "announcement",
    [
        "Yngre dagar, Kim Vale <kim@example.com> skrev:",
        "Kim Vale <kim@example.com> wrote:",
        "ᠭᠤᠷᠪᠠ ᠑᠐:᠐᠐ Kim Vale <kim@example.com>:",
        "߃ ߡߊ߬ߙߌ߬ ߂߀߂߆ Kim Vale <kim@example.com>:",
    ],
)
@pytest.mark.parametrize("own", ["OK.", "No.", "Yes,", "Tomorrow, 3 pm", "Danke,\nbis 5."])
def test_whatever_announces_the_quote_the_words_above_it_are_never_lost(announcement: str, own: str) -> None:
    for gap in ("\n\n", "\n\n\n"):
        assert own in split_quotes(f"{own}{gap}{announcement}\n\n> old\n> words\n").kept


def test_a_mark_that_closes_no_address_still_quotes() -> None:
    text = "Fine.\n\nSee <kim@example.com>\n> the list:\n> one\n\nBye"
    assert "the list" in split_quotes(text).removed
