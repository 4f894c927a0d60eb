"""Whole messages of many mail programs, taken through quotes, disclaimer and signature without knowing the sender."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.disclaimer import split_disclaimer
from gaia_understanding.prepare.quotes import split_quotes
from gaia_understanding.prepare.signature import split_signature

WHOLE = {
    "gmail top": (
        "Works for me.\n\nOn Tue, Feb 4, 2020 at 9:12 AM Iris Holt <iris@example.net> wrote:\n\n"
        "> Can we move it?\n>\n> Iris\n>\n-- \nJon Dale\nExample Labs\n",
        "Works for me.",
    ),
    "gmail top, signature above": (
        "Works for me.\n\n--\nJon Dale\nExample Labs\n555 010 0199\n\n"
        "On Tue, Feb 4, 2020 at 9:12 AM Iris Holt <\niris@example.net> wrote:\n\n> Can we move it?\n",
        "Works for me.",
    ),
    "iphone": (
        "Works for me.\n\nSent from my iPhone\n\n"
        "> On Feb 4, 2020, at 9:12 AM, Iris Holt <iris@example.net> wrote:\n> \n> \ufeffCan we move it?\n",
        "Works for me.",
    ),
    "iphone, no blank": (
        "Works for me\nSent from my iPhone\n> On Feb 4, 2020, at 9:12 AM, Iris Holt <iris@example.net> wrote:\n"
        "> Can we?\n",
        "Works for me",
    ),
    "iphone de": (
        "Passt mir gut.\n\nVon meinem iPhone gesendet\n\n"
        "> Am 04.02.2020 um 09:12 schrieb Iris Holt <iris@example.net>:\n> \n> Geht das?\n",
        "Passt mir gut.",
    ),
    "iphone fr": (
        "Cela me va.\n\nEnvoyé de mon iPhone\n\n"
        "> Le 4 févr. 2020 à 09:12, Iris Holt <iris@example.net> a écrit :\n> \n> Ça va ?\n",
        "Cela me va.",
    ),
    "iphone ja": (
        "大丈夫です。\n\niPhoneから送信\n\n2020/02/04 9:12、Iris Holt <iris@example.net>のメール:\n\n"
        "> 移動できますか。\n",
        "大丈夫です。",
    ),
    "iphone zh": (
        "可以。\n\n发自我的 iPhone\n\n> 在 2020年2月4日，09:12，Iris Holt <iris@example.net> 写道：\n> \n"
        "> 可以改时间吗？\n",
        "可以。",
    ),
    "outlook": (
        "Works for me.\n\nJon\n\nFrom: Iris Holt <iris@example.net>\nSent: Tuesday, February 4, 2020 9:12 AM\n"
        "To: Jon Dale <jon@example.com>\nSubject: Move\n\nCan we move it?\n\nIris\n",
        "Works for me.",
    ),
    "outlook app": (
        "Works for me.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n"
        "From: Iris Holt <iris@example.net>\nSent: Tuesday, February 4, 2020 9:12:00 AM\n"
        "To: Jon Dale <jon@example.com>\nSubject: Move\n\nCan we move it?\n",
        "Works for me.",
    ),
    "outlook mail": (
        "Works for me.\n\nSent from Mail<https://go.microsoft.com/fwlink/?LinkId=550986> for Windows 10\n\n"
        "From: Iris Holt<mailto:iris@example.net>\nSent: Tuesday, February 4, 2020 9:12 AM\n"
        "To: Jon Dale<mailto:jon@example.com>\nSubject: Move\n\nCan we move it?\n",
        "Works for me.",
    ),
    "outlook de, signature": (
        "Passt mir gut.\n\nMit freundlichen Grüßen\n\nJon Dale\nVertrieb\nBeispiel GmbH\nTel. 030 0000000\n\n"
        "Von: Iris Holt <iris@example.net>\nGesendet: Dienstag, 4. Februar 2020 09:12\nAn: Jon Dale\n"
        "Betreff: Termin\n\nGeht das?\n",
        "Passt mir gut.",
    ),
    "outlook mac": (
        'Works for me.\n\nOn 2/4/20, 9:12 AM, "Iris Holt" <iris@example.net> wrote:\n\n    Can we move it?\n'
        "    \n    Iris\n",
        "Works for me.",
    ),
    "yahoo": (
        "Works for me.\n\nSent from Yahoo Mail on Android \n \n"
        "  On Tue, Feb 4, 2020 at 9:12 AM, Iris Holt<iris@example.net> wrote:   Can we move it?\n\n  \n",
        "Works for me.",
    ),
    "yahoo web": (
        " Works for me.\n"
        "    On Tuesday, February 4, 2020, 09:12:00 AM EST, Iris Holt <iris@example.net> wrote:  \n \n"
        " Can we move it?\n  ",
        "Works for me.",
    ),
    "aol": (
        "\nWorks for me.\n\n\n-----Original Message-----\nFrom: Iris Holt <iris@example.net>\n"
        "To: jon <jon@example.com>\nSent: Tue, Feb 4, 2020 9:12 am\nSubject: Move\n\n\nCan we move it?\n",
        "Works for me.",
    ),
    "samsung": (
        "Works for me.\n\n\nSent from my Samsung Galaxy smartphone.\n"
        "-------- Original message --------From: Iris Holt <iris@example.net> Date: 2/4/20  9:12 "
        "AM  (GMT-05:00) To: jon@example.com Subject: Move Can we move it?\n",
        "Works for me.",
    ),
    "blackberry": (
        "Works for me\nSent from my BlackBerry® wireless device\n\n-----Original Message-----\n"
        "From: Iris Holt <iris@example.net>\nDate: Tue, 4 Feb 2020 09:12:00 \nTo: <jon@example.com>\n"
        "Subject: Move\n\nCan we move it?\n",
        "Works for me",
    ),
    "thunderbird bottom": (
        "On 04/02/2020 09:12, Iris Holt wrote:\n> Can we move it?\n>\n> Iris\n\nWorks for me.\n\n-- \n"
        "Jon Dale\n",
        "Works for me.",
    ),
    "thunderbird inline": (
        "On 04/02/2020 09:12, Iris Holt wrote:\n> Hi Jon,\n>\n> can we move it?\n\nYes.\n\n> And the room?\n\n"
        "Room 3 is free.\n\n> Regards,\n> Iris\n\n",
        "Yes.\n\nRoom 3 is free.",
    ),
    "evolution": (
        "On Tue, 2020-02-04 at 09:12 +0000, Iris Holt wrote:\n> Can we move it?\n\nWorks for me.\n\nJon\n",
        "Works for me.",
    ),
    "notes": (
        "Works for me.\n\n\n\nFrom:\u0009Iris Holt <iris@example.net>\nTo:\u0009jon@example.com\n"
        "Date:\u000902/04/2020 09:12 AM\nSubject:\u0009Move\n\n\n\nCan we move it?\n",
        "Works for me.",
    ),
    "proton": (
        "Works for me.\n\nSent with [Proton Mail](https://proton.me/) secure email.\n\n"
        "------- Original Message -------\n"
        "On Tuesday, February 4th, 2020 at 9:12 AM, Iris Holt <iris@example.net> wrote:\n\n> Can we move it?\n",
        "Works for me.",
    ),
    "proton new": (
        "Works for me.\n\nSent from Proton Mail for iOS.\n\n-------- Original Message --------\n"
        "On Tuesday, 02/04/20 at 09:12 Iris Holt <iris@example.net> wrote:\nCan we move it?\n",
        "Works for me.",
    ),
    "superhuman": (
        "Works for me.\n\nSent via Superhuman ( https://sprh.mn/?vip=jon@example.com )\n\n"
        "On Tue, Feb 04, 2020 at 9:12 AM, Iris Holt < iris@example.net > wrote:\n\n> \n> Can we move it?\n> \n",
        "Works for me.",
    ),
    "spark": (
        "Works for me.\n\nJon\nOn 4 Feb 2020, 09:12 +0100, Iris Holt <iris@example.net>, wrote:\n"
        "> Can we move it?\n",
        "Works for me.",
    ),
    "zoho": (
        "Works for me.\n\n\n\n"
        "---- On Tue, 04 Feb 2020 09:12:00 +0100 Iris Holt <iris@example.net> wrote ---\n\nCan we move it?\n",
        "Works for me.",
    ),
    "roundcube": (
        "Works for me.\n\nOn 2020-02-04 09:12, Iris Holt wrote:\n> Can we move it?\n\n---\nJon Dale\n"
        "jon@example.com\n",
        "Works for me.",
    ),
    "mail.ru": (
        "Мне подходит.\n\n  \n>Вторник, 4 февраля 2020, 9:12 +03:00 от Iris Holt <iris@example.net>:\n> \n"
        ">Можно перенести?\n \n--\nJon Dale\n",
        "Мне подходит.",
    ),
    "yandex": (
        'Мне подходит.\n \n04.02.2020, 09:12, "Iris Holt" <iris@example.net>:\n> Можно перенести?\n \n \n'
        "-- \nJon Dale\n",
        "Мне подходит.",
    ),
    "qq": (
        "可以。\n\n\n------------------ 原始邮件 ------------------\n"
        '发件人: "Iris Holt"<iris@example.net>; \n发送时间: 2020年2月4日(星期二) 上午9:12\n'
        '收件人: "Jon"<jon@example.com>; \n主题: 时间\n\n\n可以改时间吗？\n',
        "可以。",
    ),
    "163": (
        '可以。\n\n\n\n\n\n\nAt 2020-02-04 09:12:00, "Iris Holt" <iris@example.net> wrote:\n'
        ">Can we move it?\n",
        "可以。",
    ),
    "naver": (
        '괜찮습니다.\n\n-----Original Message-----\nFrom: "Iris Holt"<iris@example.net> \n'
        "To: <jon@example.com>; \nCc: \nSent: 2020-02-04 (화) 09:12:00\nSubject: 시간\n\n옮길 수 있을까요?\n",
        "괜찮습니다.",
    ),
    "zendesk": (
        "Works for me.\n\n##- Please type your reply above this line -##\n\n"
        "Your request (12) has been updated.\n",
        "Works for me.",
    ),
    "help scout": (
        "Works for me.\n\nOn Tue, Feb 4, 2020 at 9:12 AM Support <help@example.net> wrote:\n\n"
        "> --- Please reply above this line ---\n>\n> Can we move it?\n",
        "Works for me.",
    ),
    "github": (
        "Works for me.\n\n\u2014\nReply to this email directly or view it on GitHub\n"
        "<https://github.com/x/y/issues/1#issuecomment-2>.\n",
        "Works for me.",
    ),
    "github new": (
        "Works for me.\n\n\u2014\n"
        "Reply to this email directly, view it on GitHub <https://github.com/x/y/pull/1>, or unsubscribe\n"
        "<https://github.com/notifications/unsubscribe-auth/AAA>.\n"
        "You are receiving this because you were mentioned.\nMessage ID: <x/y/pull/1/c2@github.com>\n",
        "Works for me.",
    ),
    "mailman": (
        "Works for me.\n\nJon\n_______________________________________________\nplan mailing list\n"
        "plan@lists.example.net\nhttps://lists.example.net/mailman/listinfo/plan\n",
        "Works for me.",
    ),
    "google groups": (
        "Works for me.\n\n-- \n"
        'You received this message because you are subscribed to the Google Groups "plan" group.\n'
        "To unsubscribe from this group and stop receiving emails from it, send an email to "
        "plan+unsubscribe@googlegroups.com.\n"
        "To view this discussion on the web visit https://groups.google.com/d/msgid/plan/1%40example.com.\n",
        "Works for me.",
    ),
    "disclaimer": (
        "Works for me.\n\nBest regards,\n\nJon Dale\nProject Manager\n\n"
        "This e-mail and any files transmitted with it are confidential and intended solely\n"
        "for the use of the individual or entity to whom they are addressed.\n",
        "Works for me.",
    ),
    "disclaimer, then quote": (
        "Works for me.\n\n"
        "This message is confidential. If you are not the intended recipient, please delete it.\n\n"
        "From: Iris Holt\nSent: 04 February 2020 09:12\nTo: Jon Dale\nSubject: Move\n\nCan we move it?\n",
        "Works for me.",
    ),
    "forward": (
        "FYI - what do you think?\n\n---------- Forwarded message ---------\n"
        "From: Iris Holt <iris@example.net>\nDate: Tue, Feb 4, 2020 at 9:12 AM\nSubject: Move\n"
        "To: Jon Dale <jon@example.com>\n\n\nCan we move it?\n",
        "FYI - what do you think?",
    ),
    "forward apple": (
        "See below.\n\nJon\n\nBegin forwarded message:\n\n> From: Iris Holt <iris@example.net>\n"
        "> Subject: Move\n> Date: 4 February 2020 at 09:12:00 CET\n> To: Jon Dale <jon@example.com>\n> \n"
        "> Can we move it?\n",
        "See below.",
    ),
    "bullets": (
        "Notes:\n\n- room 3\n- at nine\n- bring tea\n\n* and milk\n\n"
        "On Tue, Feb 4, 2020 at 9:12 AM Iris <iris@example.net> wrote:\n> Can we?\n",
        "Notes:\n\n- room 3\n- at nine\n- bring tea\n\n* and milk",
    ),
    "code": (
        "Run this:\n\n    if a > b:\n        x = y >> 2\n\n$ ls > out.txt\n\nand send me out.txt.\n",
        "Run this:\n\n    if a > b:\n        x = y >> 2\n\n$ ls > out.txt\n\nand send me out.txt.",
    ),
    "sentence on": (
        "On the other hand, we could wait.\n\nOn Tuesday I am away.\n\n"
        "On Tue, Feb 4, 2020 at 9:12 AM, Iris wrote:\n> Can we?\n",
        "On the other hand, we could wait.\n\nOn Tuesday I am away.",
    ),
    "two dashes in prose": (
        "It works -- at last -- and so\n-- I think -- we can go.\n",
        "It works -- at last -- and so\n-- I think -- we can go.",
    ),
    "signature of dashes and name": (
        "Works for me.\n\n--Jon\n",
        "Works for me.",
    ),
    "closing": (
        "Works for me.\n\nBest regards,\nJon Dale\nExample Labs\n",
        "Works for me.",
    ),
    "no quote": (
        "Works for me. See you there on Tuesday at 9:12.",
        "Works for me. See you there on Tuesday at 9:12.",
    ),
    "quote with wrapped lines": (
        "Works for me.\n\nOn Tue, Feb 4, 2020 at 9:12 AM, Iris Holt wrote:\n\n"
        "> This is a quoted line that is so long that the program of Iris\nbroke it\n> and went on here.\n",
        "Works for me.",
    ),
    "attribution under text": (
        "Works.\nOn Tue, Feb 4, 2020 at 9:12 AM, Iris Holt <iris@example.net> wrote:\n\nCan we?\n",
        "Works.",
    ),
    "html remains": (
        "Works for me.\n\n*From:* Iris Holt [mailto:iris@example.net <iris@example.net>]\n"
        "*Sent:* Tuesday, February 04, 2020 9:12 AM\n*To:* jon@example.com\n*Subject:* Move\n\n\n\nCan we?\n",
        "Works for me.",
    ),
    "front": (
        "Works for me.\n\nJon\n\n\nOn February 4, 2020, 9:12 AM EST iris@example.net wrote:\n\nCan we?\n",
        "Works for me.",
    ),
    "basecamp": (
        "Works for me.\n\n--- write ABOVE THIS LINE to post a reply ---\n\nIris wrote: Can we?\n",
        "Works for me.",
    ),
    "hidden": (
        "Works for me.\n\nOn Tue, Feb 4, 2020 at 9:12 AM Iris Holt <iris@example.net> wrote:\n"
        "[Quoted text hidden]\n",
        "Works for me.",
    ),
    "gmail app": (
        "Works for me.\n\nOn Tue, 4 Feb 2020, 09:12 Iris Holt, <iris@example.net> wrote:\n\n> Can we move it?\n"
        ">\n",
        "Works for me.",
    ),
    "gmail app de": (
        "Passt.\n\nIris Holt <iris@example.net> schrieb am Di., 4. Feb. 2020, 09:12:\n\n> Geht das?\n>\n",
        "Passt.",
    ),
    "gmail app fr": (
        "Ça va.\n\nLe mar. 4 févr. 2020, 09:12, Iris Holt <iris@example.net> a écrit :\n\n> Ça va ?\n>\n",
        "Ça va.",
    ),
    "gmail app it": (
        "Va bene.\n\nIl Mar 4 Feb 2020, 09:12 Iris Holt <iris@example.net> ha scritto:\n\n> Va bene?\n>\n",
        "Va bene.",
    ),
    "gmail app sv": (
        "Det går bra.\n\nDen tis 4 feb. 2020 09:12Iris Holt <iris@example.net> skrev:\n\n> Går det?\n>\n",
        "Det går bra.",
    ),
    "gmail app nl": (
        "Prima.\n\nOp di 4 feb. 2020 09:12 schreef Iris Holt <iris@example.net>:\n\n> Kan dat?\n>\n",
        "Prima.",
    ),
    "android": (
        'Works.\nOn Feb 4, 2020 9:12 AM, "Iris Holt" <iris@example.net> wrote:\n\n> Can we?\n>\n',
        "Works.",
    ),
    "android, no verb mark": (
        "Works.\n\nIris Holt <iris@example.net> wrote:\n\n>Can we?\n",
        "Works.",
    ),
    "kontact de": (
        "Passt.\n\nAm Dienstag, 4. Februar 2020, 09:12:00 CET schrieb Iris Holt:\n> Geht das?\n\n",
        "Passt.",
    ),
    "rule and date": (
        "Works.\n\n________________________________\nVon: Iris Holt\nGesendet: 04.02.2020 09:12\nAn: Jon\n\n"
        "Geht das?\n",
        "Works.",
    ),
    "gmx": (
        'Passt.\n\nGesendet: Dienstag, 04. Februar 2020 um 09:12 Uhr\nVon: "Iris Holt" <iris@example.net>\n'
        "An: jon@example.com\nBetreff: Termin\n\nGeht das?\n",
        "Passt.",
    ),
    "web.de": (
        "Passt.\n\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.\n\n"
        "Am 04.02.20, 09:12 schrieb Iris <iris@example.net>:\n> Geht das?\n",
        "Passt.",
    ),
    "seznam": (
        "Hodí se.\n\n\n---------- Původní e-mail ----------\nOd: Iris <iris@example.net>\n"
        'Komu: jon@example.com\nDatum: 4. 2. 2020 9:12:00\nPředmět: Termín\n"Jde to?\n"',
        "Hodí se.",
    ),
    "wp.pl": (
        "Pasuje.\n\nDnia 4 lutego 2020 09:12 Iris Holt <iris@example.net> napisał(a):\n\nMożna?\n",
        "Pasuje.",
    ),
    "onet": (
        "Pasuje.\n\nW dniu 2020-02-04 09:12:00 użytkownik Iris Holt <iris@example.net> napisał:\n> Można?\n",
        "Pasuje.",
    ),
    "libero": (
        "Va bene.\n\n\n>----Messaggio originale----\n>Da: iris@example.net\n>Data: 4-feb-2020 9.12\n"
        ">A: <jon@example.com>\n>Ogg: Ora\n>\n>Va bene?\n",
        "Va bene.",
    ),
    "orange": (
        'Ça va.\n\n\n\n\n> Message du 04/02/20 09:12\n> De : "Iris Holt" <iris@example.net>\n'
        "> A : jon@example.com\n> Copie à : \n> Objet : Heure\n> \n> Ça va ?\n",
        "Ça va.",
    ),
    "sfr": (
        "Ça va.\n\n========================================\nMessage du : 04/02/2020 09:12\n"
        'De : "Iris Holt" <iris@example.net>\nA : jon@example.com\nCopie à : \nSujet : Heure\n\nÇa va ?\n',
        "Ça va.",
    ),
    "terra": (
        "Certo.\n\nEm 04/02/2020 09:12, Iris Holt < iris@example.net > escreveu:\nPode ser?\n",
        "Certo.",
    ),
    "uol": (
        'Certo.\n\nDe: "Iris Holt" <iris@example.net>\nEnviada: 2020/02/04 09:12:00\nPara: jon@example.com\n'
        "Assunto: Hora\n \nPode ser?\n",
        "Certo.",
    ),
    "cc list": (
        "Works.\n\nFrom: Iris Holt <iris@example.net>\nSent: Tuesday, February 4, 2020 9:12 AM\n"
        "To: A <a@example.net>; B <b@example.net>; C <c@example.net>;\nD <d@example.net>; E <e@example.net>\n"
        "Cc: F <f@example.net>\nSubject: Move\nImportance: High\n\nCan we?\n",
        "Works.",
    ),
    "thanks and sentence": (
        "Thanks for the update, I will read it tonight.\n\nThanks,\nJon Dale\n",
        "Thanks for the update, I will read it tonight.",
    ),
    "question at end": (
        "Hi Iris,\n\ncould you call me?\n\nMany thanks\nJon Dale\n+44 20 7946 0000\n",
        "Hi Iris,\n\ncould you call me?",
    ),
}


def flat(text: str) -> str:
    return " ".join(text.split())


def test_what_the_sender_newly_wrote_is_left(subtests: pytest.Subtests) -> None:
    for name, (text, wanted) in WHOLE.items():
        with subtests.test(name):
            kept = split_signature(split_disclaimer(split_quotes(text, subject="Re: Move").kept).kept).kept
            assert flat(kept) == flat(wanted)
