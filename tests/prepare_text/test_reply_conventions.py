"""Replies as mail programs of many makers and languages write them are parted from the mail they answer."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.quotes import split_quotes

DATED = {
    "gmail en, old": "On Thu, Nov 6, 2014 at 4:05 PM, Ana Lopes <ana@example.org> wrote:",
    "gmail en, on behalf": "On Thu, 6 Nov 2014 at 16:05 Ana Lopes via Tasks <tasks@example.org> wrote:",
    "gmail en, no name": "On Thu, Nov 6, 2014 at 4:05 PM <ana@example.org> wrote:",
    "gmail en, zone": "2014-11-06 16:05 GMT+01:00 Ana Lopes <ana@example.org>:",
    "gmail, mailto": "On Thu, Nov 6, 2014 at 4:05 PM Ana Lopes <ana@example.org<mailto:ana@example.org>> wrote:",
    "gmail, markdown link": "On Thu, Nov 6, 2014 at 4:05 PM Ana Lopes "
    "<[ana@example.org](mailto:ana@example.org)> wrote:",
    "apple en": "On Nov 6, 2014, at 4:05 PM, Ana Lopes <ana@example.org> wrote:",
    "apple en, no break": "On Nov 6, 2014, at 4:05\u202fPM, Ana Lopes\u00a0<ana@example.org> wrote:",
    "apple en, brackets": "On 06/11/2014, at 16:05, \"Ana Lopes\" <ana@example.org> wrote:",
    "ios, unquoted name": "On 6 Nov 2014, at 16:05, \u2018Ana Lopes\u2019 via Board <board@example.org> wrote:",
    "windows mail": "On Thursday, November 6, 2014 16:05, Ana Lopes <ana@example.org> wrote:",
    "windows live": "On 11/6/2014 4:05 PM, ana@example.org wrote:",
    "outlook mac": "On 11/6/14, 4:05 PM, \"Ana Lopes\" <ana@example.org> wrote:",
    "outlook mac, on behalf": "On 11/6/14, 4:05 PM, \"board on behalf of Ana Lopes\" <board@example.org> wrote:",
    "entourage": "On 6/11/14 16:05, \"Lopes, Ana\" <ana@example.org> wrote:",
    "thunderbird iso": "On 2014-11-06 16:05, Ana Lopes wrote:",
    "thunderbird, zone": "On 06.11.2014 16:05 CET, Ana Lopes wrote:",
    "yahoo zone": "On Thursday, 6 November 2014, 16:05:09 GMT+1, Ana Lopes <ana@example.org> wrote:",
    "aol": "On Thursday, November 6, 2014 Ana Lopes <ana@example.org> wrote:",
    "superhuman": "On Thu, Nov 06, 2014 at 4:05 PM, Ana Lopes < ana@example.org > wrote:",
    "hey": "On November 6, 2014, Ana Lopes <ana@example.org> wrote:",
    "front": "On November 6, 2014, 4:05 PM GMT+1 ana@example.org wrote:",
    "missive": "On Nov 6, 2014 at 4:05 PM, Ana Lopes <ana@example.org>, wrote:",
    "mailspring": "On Nov 6 2014, at 4:05 pm, Ana Lopes <ana@example.org> wrote:",
    "fastmail": "On Thu, 6 Nov 2014, at 4:05 PM, Ana Lopes wrote:",
    "evolution": "On Thu, 2014-11-06 at 16:05 +0100, Ana Lopes wrote:",
    "kmail": "On Thursday, 6 November 2014 16:05:09 CET Ana Lopes wrote:",
    "mutt": "On Thu, Nov 06, 2014 at 04:05:09PM +0100, Ana Lopes wrote:",
    "gnus": "On Thu, Nov 06 2014 at 16:05:09 +0100, Ana Lopes <ana@example.org> wrote:",
    "alpine": "On Thu, 6 Nov 2014, Ana Lopes wrote:",
    "roundcube": "On 2014-11-06 16:05, Ana Lopes <ana@example.org> wrote:",
    "notes": "Ana Lopes <ana@example.org> wrote on 11/06/2014 04:05:09 PM:",
    "notes org": "Ana Lopes/Berlin/Example wrote on 06.11.2014 16:05:09:",
    "name first": "Ana Lopes <ana@example.org> wrote on Thu, 6 Nov 2014 16:05:09 +0100:",
    "name first, at": "Ana Lopes wrote at 2014-11-06 16:05:",
    "sparrow": "On Thursday, November 6, 2014 at 4:05 PM, Ana Lopes wrote:",
    "github": "On Thu, Nov 6, 2014 at 16:05 ana-l ***@***.***> wrote:",
    "writes": "On Thu, 06 Nov 2014 16:05:09 +0100, Ana Lopes <ana@example.org> writes:",
    "said": "On 06/11/14 16:05, Ana Lopes <ana@example.org> said:",
    "underscores": "__On Thu, Nov 6, 2014 at 4:05 PM, Ana Lopes <ana@example.org> wrote:__",
    "bold": "*On Thu, Nov 6, 2014 at 4:05 PM, Ana Lopes <ana@example.org> wrote:*",
    "de apple, day names": "Am Donnerstag, 6. November 2014 um 16:05 schrieb Ana Lopes <ana@example.org>:",
    "de apple, comma": "Am 06.11.2014 um 16:05 schrieb Ana Lopes <ana@example.org<mailto:ana@example.org>>:",
    "de gmail, old": "Am 6. November 2014 um 16:05 schrieb Ana Lopes <ana@example.org>:",
    "de thunderbird": "Am 06.11.2014 um 16:05 schrieb ana@example.org:",
    "de web.de": "Am Donnerstag, den 06.11.2014, 16:05 +0100 schrieb Ana Lopes:",
    "de ausgang": "Ana Lopes <ana@example.org> hat am 6. November 2014 um 16:05 geschrieben:",
    "de ox": "Ana Lopes <ana@example.org> hat am 06.11.2014 16:05 CET geschrieben:",
    "de notes": "Ana Lopes schrieb am 06.11.2014 16:05:09:",
    "de yahoo": "Am Donnerstag, 6. November 2014, 16:05:09 MEZ hat Ana Lopes <ana@example.org> Folgendes geschrieben:",
    "de outlook mac": "Am 06.11.14, 16:05 schrieb \"Ana Lopes\" <ana@example.org>:",
    "fr gmail, old": "Le 6 novembre 2014 16:05, Ana Lopes <ana@example.org> a écrit :",
    "fr apple": "Le 6 nov. 2014 à 16:05, Ana Lopes <ana@example.org> a écrit :",
    "fr yahoo": "Le jeudi 6 novembre 2014 à 16:05:09 UTC+1, Ana Lopes <ana@example.org> a écrit :",
    "fr ox": "Le 06/11/2014 16:05 CET, Ana Lopes <ana@example.org> a écrit :",
    "fr thunderbird, day": "Le jeu. 06/11/2014 à 16:05, ana@example.org a écrit :",
    "fr ca": "Le 2014-11-06 à 16 h 05, Ana Lopes a écrit :",
    "fr straight": "Le 06/11/14 à 16h05, Ana Lopes a ecrit:",
    "es gmail, old": "El 6 de noviembre de 2014, 16:05, Ana Lopes<ana@example.org> escribió:",
    "es gmail, day": "El jue., 6 nov. 2014 a las 16:05, Ana Lopes (<ana@example.org>) escribió:",
    "es gmail, la": "El jue, 6 nov 2014 a la(s) 4:05 p.m., Ana Lopes (ana@example.org) escribió:",
    "es apple": "El 06/11/2014, a las 16:05, Ana Lopes <ana@example.org> escribió:",
    "es thunderbird": "El 06/11/2014 a las 16:05, Ana Lopes escribió:",
    "es yahoo": "El jueves, 6 de noviembre de 2014, 16:05:09 CET, Ana Lopes <ana@example.org> escribió:",
    "it apple": "Il giorno 06 nov 2014, alle ore 16:05, Ana Lopes <ana@example.org> ha scritto:",
    "it apple, new": "Il giorno 6 nov 2014, alle 16:05, Ana Lopes ha scritto:",
    "it gmail, old": "Il 06 novembre 2014 16:05, Ana Lopes <ana@example.org> ha scritto:",
    "it yahoo": "Il giovedì 6 novembre 2014, 16:05:09 CET, Ana Lopes <ana@example.org> ha scritto:",
    "it ios": "Il giorno 06/nov/2014, alle ore 16:05, Ana Lopes ha scritto:",
    "pt br gmail": "Em qui, 6 de nov de 2014 16:05, Ana Lopes <ana@example.org> escreveu:",
    "pt br old": "Em 6 de novembro de 2014 16:05, Ana Lopes <ana@example.org> escreveu:",
    "pt pt gmail": "Ana Lopes <ana@example.org> escreveu no dia quinta, 6/11/2014 à(s) 16:05:",
    "pt apple": "Em 06/11/2014, à(s) 16:05, Ana Lopes <ana@example.org> escreveu:",
    "pt pt apple": "No dia 06/11/2014, às 16:05, Ana Lopes <ana@example.org> escreveu:",
    "pt thunderbird": "Em 06-11-2014 16:05, Ana Lopes escreveu:",
    "pt pt thunderbird": "Às 16:05 de 06/11/2014, Ana Lopes escreveu:",
    "nl gmail, old": "Op 6 november 2014 16:05 schreef Ana Lopes <ana@example.org>:",
    "nl thunderbird": "Op 6-11-2014 om 16:05 schreef Ana Lopes:",
    "nl ios": "Op 6 nov. 2014 om 16:05 heeft Ana Lopes <ana@example.org> het volgende geschreven:",
    "nl yahoo": "Op donderdag 6 november 2014 16:05:09 CET schreef Ana Lopes <ana@example.org>:",
    "nl ox": "Op 6 november 2014 om 16:05 schreef Ana Lopes <ana@example.org>:",
    "da gmail, old": "Den 6. november 2014 kl. 16.05 skrev Ana Lopes <ana@example.org>:",
    "da apple": "Den 06/11/2014 kl. 16.05 skrev Ana Lopes <ana@example.org>:",
    "da ios": "> Den 6. nov. 2014 kl. 16.05 skrev Ana Lopes <ana@example.org>:".lstrip("> "),
    "sv apple": "6 nov 2014 kl. 16:05 skrev Ana Lopes <ana@example.org>:",
    "sv thunderbird": "Den 2014-11-06 kl. 16:05, skrev Ana Lopes:",
    "sv thunderbird old": "Ana Lopes skrev 2014-11-06 16:05:",
    "sv yahoo": "Den torsdag 6 november 2014 16:05:09 CET, Ana Lopes <ana@example.org> skrev:",
    "no apple": "6. nov. 2014 kl. 16:05 skrev Ana Lopes <ana@example.org>:",
    "no thunderbird": "Den 06.11.2014 16:05, skrev Ana Lopes:",
    "no gmail old": "Den 6. november 2014 kl. 16:05 skrev Ana Lopes <ana@example.org> følgende:",
    "fi thunderbird": "6.11.2014 16:05, Ana Lopes kirjoitti:",
    "fi gmail": "to 6. marrask. 2014 klo 16.05 Ana Lopes <ana@example.org> kirjoitti:",
    "fi old": "Ana Lopes kirjoitti 6.11.2014 kello 16:05:",
    "pl gmail old": "W dniu 6 listopada 2014 16:05 użytkownik Ana Lopes <ana@example.org> napisał:",
    "pl gmail": "czw., 6 lis 2014, 16:05 użytkownik Ana Lopes <ana@example.org> napisał:",
    "pl outlook": "Dnia 6 listopada 2014 16:05 Ana Lopes <ana@example.org> napisał(a):",
    "pl apple": "> Wiadomość napisana przez Ana Lopes w dniu 06.11.2014, o godz. 16:05:".lstrip("> "),
    "cs gmail": "čt 6. 11. 2014 v 16:05 odesílatel Ana Lopes <ana@example.org> napsal:",
    "cs apple": "6. 11. 2014 v 16:05, Ana Lopes <ana@example.org>:",
    "cs seznam": "---------- Původní e-mail ----------",
    "sk gmail": "št 6. 11. 2014 o 16:05 Ana Lopes <ana@example.org> napísal(a):",
    "sk thunderbird": "Dňa 6. 11. 2014 o 16:05 Ana Lopes napísal(a):",
    "hu gmail old": "2014. november 6. 16:05 Ana Lopes írta, <ana@example.org>:",
    "hu thunderbird": "2014.11.06. 16:05 keltezéssel, Ana Lopes írta:",
    "hu gmail": "Ana Lopes <ana@example.org> ezt írta (időpont: 2014. nov. 6., Cs 16:05):",
    "ro thunderbird": "Pe 06.11.2014 16:05, Ana Lopes a scris:",
    "ro gmail": "joi, 6 nov. 2014 la 16:05, Ana Lopes <ana@example.org> a scris:",
    "ro yahoo": "Pe joi, 6 noiembrie 2014, 16:05:09 EET, Ana Lopes <ana@example.org> a scris:",
    "ru gmail old": "6 ноября 2014 г., 16:05 пользователь Ana Lopes <ana@example.org> написал:",
    "ru gmail": "чт, 6 нояб. 2014 г. в 16:05, Ana Lopes <ana@example.org>:",
    "ru yandex": "06.11.2014, 16:05, \"Ana Lopes\" <ana@example.org>:",
    "ru mail.ru": "Thu, 6 Nov 2014 16:05:09 +0300 от Ana Lopes <ana@example.org>:",
    "ru mail.ru, ru": "Четверг,  6 ноября 2014, 16:05 +03:00 от Ana Lopes <ana@example.org>:",
    "ru apple": "6 нояб. 2014 г., в 16:05, Ana Lopes <ana@example.org> написал(а):",
    "uk gmail": "чт, 6 лист. 2014 р. о 16:05 Ana Lopes <ana@example.org> пише:",
    "uk old": "6 листопада 2014 р. 16:05 Ana Lopes <ana@example.org> написав:",
    "uk thunderbird": "06.11.14 16:05, Ana Lopes пише:",
    "uk ukr.net": "6 листопада 2014, 16:05:09, від \"Ana Lopes\" <ana@example.org>:",
    "bg gmail": "На чт, 6.11.2014 г. в 16:05 Ana Lopes <ana@example.org> написа:",
    "bg thunderbird": "На 6.11.2014 г. в 16:05, Ana Lopes написа:",
    "bg abv": "На 06.11.2014 16:05, Ana Lopes <ana@example.org> пише:",
    "el thunderbird": "Στις 06/11/2014 16:05, ο/η Ana Lopes έγραψε:",
    "el apple": "Στις 6 Νοε 2014, στις 16:05, ο χρήστης Ana Lopes <ana@example.org> έγραψε:",
    "el gmail": "Στις Πέμ, 6 Νοε 2014 στις 4:05 μ.μ., ο χρήστης Ana Lopes <ana@example.org> έγραψε:",
    "tr gmail": "Ana Lopes <ana@example.org>, 6 Kas 2014 Per, 16:05 tarihinde şunu yazdı:",
    "tr gmail old": "6 Kasım 2014 16:05 tarihinde Ana Lopes <ana@example.org> yazdı:",
    "tr thunderbird": "6.11.2014 16:05 tarihinde Ana Lopes yazdı:",
    "tr apple": "Ana Lopes <ana@example.org> şunları yazdı (6 Kas 2014 16:05):",
    "ar gmail": "في الخميس، ٦ نوفمبر ٢٠١٤ في ٤:٠٥ م تمت كتابة ما يلي بواسطة Ana Lopes <ana@example.org>:",
    "ar latin digits": "في 6 نوفمبر 2014، الساعة 16:05، كتب Ana Lopes <ana@example.org>:",
    "ar thunderbird": "في 6/11/2014 16:05، كتب Ana Lopes:",
    "he gmail": "בתאריך יום ה׳, 6 בנוב׳ 2014 ב-16:05 מאת Ana Lopes <ana@example.org>:",
    "he apple": "ב-6 בנוב׳ 2014, בשעה 16:05, Ana Lopes <ana@example.org> כתב/ה:",
    "he thunderbird": "בתאריך 06/11/2014 16:05, Ana Lopes כתב:",
    "fa gmail": "در تاریخ پنجشنبه ۶ نوامبر ۲۰۱۴،\u200f ۱۶:۰۵ Ana Lopes <ana@example.org> نوشت:",
    "zh gmail old": "在 2014年11月6日 下午4:05，Ana Lopes <ana@example.org>写道：",
    "zh gmail": "Ana Lopes <ana@example.org> 于2014年11月6日周四 16:05写道：",
    "zh apple": "> 在 2014年11月6日，16:05，Ana Lopes <ana@example.org> 写道：".lstrip("> "),
    "zh thunderbird": "在 2014/11/6 16:05, Ana Lopes 写道:",
    "zh 163": "在 2014-11-06 16:05:09，\"Ana Lopes\" <ana@example.org> 写道：",
    "zh outlook": "Ana Lopes 於 2014/11/6 下午 04:05 寫道:",
    "zh yahoo": "在 2014年11月6日 星期四 下午04:05:09 [CST]， Ana Lopes <ana@example.org> 寫道：",
    "ja gmail": "2014年11月6日(木) 16:05 Ana Lopes <ana@example.org>:",
    "ja gmail old": "2014年11月6日 16:05 Ana Lopes <ana@example.org>:",
    "ja thunderbird": "On 2014/11/06 16:05, Ana Lopes wrote:",
    "ja thunderbird native": "2014/11/06 16:05、Ana Lopes さんは書きました:",
    "ja ios": "2014/11/06 16:05、Ana Lopes <ana@example.org>のメール:",
    "ja wrote": "2014/11/06 午後4:05、Ana Lopes <ana@example.org> のメッセージ:",
    "ko gmail": "2014년 11월 6일 (목) 오후 4:05, Ana Lopes <ana@example.org>님이 작성:",
    "ko apple": "2014. 11. 6. 오후 4:05, Ana Lopes <ana@example.org> 작성:",
    "ko thunderbird": "2014-11-06 16:05에 Ana Lopes 이(가) 쓴 글:",
    "vi gmail": "Vào Th 5, 6 thg 11, 2014 vào lúc 16:05 Ana Lopes <ana@example.org> đã viết:",
    "vi old": "Vào 16:05 Ngày 06 tháng 11 năm 2014, Ana Lopes <ana@example.org> đã viết:",
    "vi thunderbird": "Vào 06/11/2014 16:05, Ana Lopes viết:",
    "id gmail": "Pada Kam, 6 Nov 2014 pukul 16.05 Ana Lopes <ana@example.org> menulis:",
    "id old": "Pada 6 November 2014 16.05, Ana Lopes <ana@example.org> menulis:",
    "id yahoo": "Pada Kamis, 6 November 2014 16.05.09 WIB, Ana Lopes <ana@example.org> menulis:",
    "th gmail": "เมื่อ พฤ. 6 พ.ย. 2014 เวลา 16:05 Ana Lopes <ana@example.org> เขียนว่า:",
    "et gmail": "Kuupäev N, 6. november 2014 kell 16:05 kirjutas Ana Lopes <ana@example.org>:",
    "lt gmail": "2014-11-06, kt, 16:05 Ana Lopes <ana@example.org> rašė:",
    "lv gmail": "ceturtd., 2014. g. 6. nov., plkst. 16:05 — lietotājs Ana Lopes (<ana@example.org>) rakstīja:",
    "hr gmail": "čet, 6. stu 2014. u 16:05 Ana Lopes <ana@example.org> napisao je:",
    "sl gmail": "V V čet., 6. nov. 2014 ob 16:05 je oseba Ana Lopes <ana@example.org> napisala:",
    "sr gmail": "чет, 6. нов 2014. у 16:05 Ana Lopes <ana@example.org> је написао/ла:",
    "ca gmail": "El dj., 6 de nov. 2014, 16:05, Ana Lopes <ana@example.org> va escriure:",
}  # fmt: skip


def test_an_announcement_parts_the_answer_from_the_text_below(subtests: pytest.Subtests) -> None:
    for name, line in DATED.items():
        with subtests.test(name):
            split = split_quotes(
                f"The blue one is fine for us.\n\n{line}\n\nWhich colour?\n\nAna\n", subject="Re: x"
            )
            assert split.kept.strip() == "The blue one is fine for us."
            assert line in split.removed


def test_an_answer_below_an_announced_quote_is_kept(subtests: pytest.Subtests) -> None:
    for name, line in DATED.items():
        with subtests.test(name):
            split = split_quotes(f"{line}\n\n> Which colour?\n> Ana\n\nThe blue one.\n", subject="Re: x")
            assert split.kept.strip() == "The blue one."


def test_an_announcement_directly_under_the_answer_is_found(subtests: pytest.Subtests) -> None:
    for name, line in DATED.items():
        with subtests.test(name):
            split = split_quotes(
                f"Hello Ana,\nthe blue one is fine\n{line}\n> Which colour?\n", subject="Re: x"
            )
            assert split.kept.strip() == "Hello Ana,\nthe blue one is fine"


QUOTED_ONLY = {
    "name alone": "Ana Lopes wrote:",
    "quoted name": '"Ana Lopes" wrote:',
    "address alone": "ana@example.org wrote:",
    "name and address": "Ana Lopes <ana@example.org> writes:",
    "day only": "On Thursday, Ana Lopes wrote:",
    "in article": "In article <7f3@news.example.org>, Ana Lopes <ana@example.org> wrote:",
    "ru bat": "Вы писали 6 ноября 2014 г., 16:05:09:",
    "the bat": "Thursday, November 6, 2014, 4:05:09 PM, you wrote:",
    "thus spoke": "Thus spoke Ana Lopes (ana@example.org):",
    "quoting": "Quoting Ana Lopes <ana@example.org>:",
    "zitat": "Zitat von Ana Lopes <ana@example.org>:",
    "de": "Ana Lopes schrieb:",
    "fr": "Ana Lopes a écrit :",
    "es": "Ana Lopes escribió:",
    "it": "Ana Lopes ha scritto:",
    "pt": "Ana Lopes escreveu:",
    "nl": "Ana Lopes schreef:",
    "sv": "Ana Lopes skrev:",
    "fi": "Ana Lopes kirjoitti:",
    "pl": "Ana Lopes pisze:",
    "cs": "Ana Lopes napsal(a):",
    "ru": "Ana Lopes пишет:",
    "hu": "Ana Lopes írta:",
    "ro": "Ana Lopes a scris:",
    "tr": "Ana Lopes yazmış:",
    "el": "Ο/Η Ana Lopes έγραψε:",
    "zh": "Ana Lopes 写道:",
    "ja": "Ana Lopes さんは書きました:",
}


def test_an_announcement_without_a_date_counts_above_marked_lines(subtests: pytest.Subtests) -> None:
    for name, line in QUOTED_ONLY.items():
        with subtests.test(name):
            text = f"Hello,\n\n{line}\n> Which colour?\n\nBlue.\n\n> How many?\n\nThree.\n"
            assert split_quotes(text, subject="Re: x").kept.split() == ["Hello,", "Blue.", "Three."]


WRAPPED = {
    "gmail": "On Thu, Nov 6, 2014 at 4:05 PM, Ana Lopes <ana.lopes@lists.example.org>\nwrote:",
    "gmail 3": "On Thu, Nov 6, 2014 at 4:05 PM, Ana Maria Gomes Lopes <\nana.lopes@lists.example.org>\nwrote:",
    "gmail indented": "  On Thu, Nov 6, 2014 at 4:05 PM, Ana Lopes\n  <ana@example.org> wrote:",
    "name broken": "On Thu, Nov 6, 2014 at 4:05 PM Ana\nLopes <ana@example.org> wrote:",
    "time below": "On Thursday, November 6, 2014 at\n4:05 PM, Ana Lopes <ana@example.org> wrote:",
    "weekday above": "On Thu,\nNov 6, 2014 at 4:05 PM, Ana Lopes <ana@example.org> wrote:",
    "date broken": "On Thu, Nov 6,\n2014 at 4:05 PM Ana Lopes <ana@example.org> wrote:",
    "blank in between": "On Thu, Nov 6, 2014 at 4:05 PM Ana Lopes <ana@example.org>\n\nwrote:",
    "mailto": "On Nov 6, 2014, at 4:05 PM, Ana Lopes <ana@example.org\n<mailto:ana@example.org>> wrote:",
    "de": "Am Do., 6. Nov. 2014 um 16:05 Uhr schrieb Ana Lopes <\nana@example.org>:",
    "de 2": "Am 06.11.2014 um 16:05 schrieb Ana Lopes\n<ana@example.org>:",
    "fr": "Le jeu. 6 nov. 2014 à 16:05, Ana Lopes <ana@example.org> a\nécrit :",
    "fr 2": "Le 6 novembre 2014 16:05, Ana Lopes <\nana@example.org> a écrit :",
    "es": "El jue, 6 nov 2014 a las 16:05, Ana Lopes (<ana@example.org>)\nescribió:",
    "it": "Il giorno gio 6 nov 2014 alle ore 16:05 Ana Lopes <\nana@example.org> ha scritto:",
    "it 2": "Il giorno 6 novembre 2014 16:05, Ana Lopes <ana@example.org> ha\nscritto:",
    "pt": "Em qui., 6 de nov. de 2014 às 16:05, Ana Lopes <ana@example.org>\nescreveu:",
    "nl": "Op do 6 nov 2014 om 16:05 schreef Ana Lopes <\nana@example.org>:",
    "nl 2": "Op 6 nov. 2014, om 16:05 heeft Ana Lopes <ana@example.org> het\nvolgende geschreven:",
    "sv": "Den tors 6 nov. 2014 kl 16:05 skrev Ana Lopes <\nana@example.org>:",
    "pl": "czw., 6 lis 2014 o 16:05 Ana Lopes <ana@example.org>\nnapisał(a):",
    "cs": "čt 6. 11. 2014 v 16:05 odesílatel Ana Lopes <ana@example.org>\nnapsal:",
    "ru": "чт, 6 нояб. 2014 г. в 16:05, Ana Lopes\n<ana@example.org>:",
    "ru 2": "6 ноября 2014 г., 16:05 пользователь Ana Lopes <\nana@example.org> написал:",
    "hu": "Ana Lopes <ana@example.org> ezt írta (időpont: 2014. nov. 6., Cs,\n16:05):",
    "tr": "Ana Lopes <ana@example.org>, 6 Kas 2014 Per, 16:05 tarihinde\nşunu yazdı:",
    "el": "Στις Πέμ 6 Νοε 2014 στις 4:05 μ.μ., ο/η Ana Lopes\n<ana@example.org> έγραψε:",
    "zh": "Ana Lopes <ana@example.org> 于2014年11月6日周四\n16:05写道：",
    "ko": "2014년 11월 6일 (목) 오후 4:05, Ana Lopes <ana@example.org>\n님이 작성:",
    "vi": "Vào Th 5, 6 thg 11, 2014 vào lúc 16:05 Ana Lopes <ana@example.org>\nđã viết:",
    "he": "בתאריך יום ה׳, 6 בנוב׳ 2014 ב-16:05 מאת Ana Lopes <\nana@example.org>:",
    "fi": "to 6. marrask. 2014 klo 16.05 Ana Lopes (ana@example.org)\nkirjoitti:",
    "da": "Den tor. 6. nov. 2014 kl. 16.05 skrev Ana Lopes\n<ana@example.org>:",
    "ro": "joi, 6 nov. 2014 la 16:05, Ana Lopes <ana@example.org> a\nscris:",
}


def test_a_wrapped_announcement_leaves_no_rest(subtests: pytest.Subtests) -> None:
    for marked in [False, True]:
        for name, lines in WRAPPED.items():
            with subtests.test(name, marked=marked):
                mark = "> " if marked else ""
                split = split_quotes(f"Blue, please.\n\n{lines}\n\n{mark}Which colour?\n", subject="Re: x")
                assert split.kept.strip() == "Blue, please."


def test_all_own_lines_between_quotes_are_kept_in_order() -> None:
    text = (
        "Hi Ana,\n\nOn 6 Nov 2014, at 16:05, Ana Lopes wrote:\n\n> Which colour?\n\nBlue.\n\n> How many?\n> "
        "And when?\n\n"
        "Three.\nOn Friday.\n\n> Thanks\n\nYou are welcome.\n"
    )
    wanted = ["Hi Ana,", "Blue.", "Three.", "On Friday.", "You are welcome."]
    assert [line for line in split_quotes(text, subject="Re: x").kept.splitlines() if line] == wanted


def test_quotes_of_quotes_go_with_their_announcements() -> None:
    text = (
        "> On 6 Nov 2014, at 16:05, Ana Lopes wrote:\n>\n>> On 5 Nov 2014, Bo Berg wrote:\n>>> Blue?\n>> Or "
        "red?\n> Red.\n\n"
        "Then red it is.\n"
    )
    assert split_quotes(text, subject="Re: x").kept.strip() == "Then red it is."


def test_an_indented_mark_is_a_mark() -> None:
    text = "Blue.\n\nOn 6 Nov 2014, at 16:05, Ana Lopes wrote:\n\n  > Which colour?\n  >\n  > Ana\n"
    assert split_quotes(text, subject="Re: x").kept.strip() == "Blue."


def test_marks_without_a_space_are_marks() -> None:
    assert split_quotes("Blue.\n\n>Which colour?\n>Ana\n", subject="Re: x").kept.strip() == "Blue."


def test_a_conversation_of_three_is_cut_at_the_newest_announcement() -> None:
    text = (
        "Fine.\n\nOn Thu, Nov 6, 2014 at 4:05 PM Ana Lopes <ana@example.org> wrote:\n\nRed?\n\n"
        "On Wed, Nov 5, 2014 at 1:15 PM Bo Berg <bo@example.org> wrote:\n\nBlue?\n"
    )
    assert split_quotes(text, subject="Re: x").kept.strip() == "Fine."


def test_a_signature_between_answer_and_quote_stays_for_the_signature_step() -> None:
    text = "Blue.\n\n-- \nBo Berg\n\nOn 6 Nov 2014, at 16:05, Ana Lopes wrote:\n> Which?\n"
    assert split_quotes(text, subject="Re: x").kept.strip() == "Blue.\n\n-- \nBo Berg"


PROSE = [
    "On Monday, Bob wrote a great report.\nIt is on the shared drive.",
    "On Monday, Bob wrote:\n\nIt is a great report and you should read it.",
    "As I wrote on 6 November 2014, the price is fixed.",
    "In his letter of 6 November 2014 the minister wrote:\n\nThe tree must stay. I doubt that.",
    "Here is what she wrote:\n\nI am leaving.",
    "From: the team\n\nThank you all for a great year.",
    "A note from the team: we are moving.\nTo: be announced.",
    "Notes from today:\n\nDate: to be fixed\nPlace: Hall 2",
    "The function is a -> b -> c.\n-> see below\n=> so it is fine",
    "Steps:\n1. Open File > Export\n2. Choose PDF",
    "2 > 1\nand 3 > 2",
    "Shopping:\n- milk\n- bread\n-- but not the white one\n- tea",
    "--- a/file.py\n+++ b/file.py\n@@ -1 +1 @@\n-old\n+new",
    "Part one\n\n* * *\n\nPart two",
    "Part one\n\n___\n\nPart two",
    "Part one\n==========\n\nPart two",
    "Subject: the cat\n\nShe was sighted on Thursday at 10:00.",
    "To: do\n- milk\n- bread",
    "Original message was lost, please send it again.",
    "The meeting is on 6 November 2014 at 16:05:\n\n- budget\n- plan",
    "On 6 November 2014 at 16:05 we meet with Ana (ana@example.org) for lunch.",
    "Contact Ana Lopes <ana@example.org>\n\nfor the keys.",
    "Participants (6.11.2014, 16:05):\n\nAna, Bo, Kim",
    "El informe que escribió Ana el 6 de noviembre de 2014:\n\nes muy bueno.",
    "Am Montag schrieb Bo einen Bericht.\nEr liegt im Ordner.",
    "Le 6 novembre 2014, Ana a écrit un rapport.\nIl est joint.",
    "I forwarded message 3 to Bo.",
    "Flight on 06.11.2014:\n\nFrom: Berlin 10:00\nTo: Paris 12:00\nSeat: 12A",
    "Von: Berlin\nNach: Paris\nam 6.11.2014",
    "$ cat < in.txt > out.txt\n$ echo done",
    "Everyone at the office said:\n\nwell done.",
    "The log says 2014-11-06 16:05:09 error in main.py:\n\nTraceback follows.",
    "Reminder: 10:00 dentist, 16:05 train:\n\ndo not forget.",
]


def test_own_words_are_never_taken_for_a_quote(subtests: pytest.Subtests) -> None:
    for text in PROSE:
        with subtests.test(text=text):
            assert split_quotes(text, subject="Re: x").kept == text
