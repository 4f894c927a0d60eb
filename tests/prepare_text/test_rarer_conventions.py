"""Rarer ways of announcing a quote, of signing, and of quoting in HTML are understood too."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.html.read import read_html
from gaia_understanding.prepare.quotes import split_quotes
from gaia_understanding.prepare.signature import split_signature

ANSWER = "Test answer."
BODY = "Hello,\n\nthe plan is fine with us and we can start on Monday."

ANNOUNCEMENTS = {
    "colon name": ("On Tue, Mar 4, 2014 at 5:06 AM, Team: Support <help@example.net> wrote:"),
    "bracket name": ("On Tue, Mar 4, 2014 at 5:06 AM, Ana [Sales] <ana@example.net> wrote:"),
    "emoji": ("On Tue, Mar 4, 2014 at 5:06 AM Ana 🌷 <ana@example.net> wrote:"),
    "dots": ("On Tue, Mar 4, 2014 at 5:06 AM, life is good. be well <ana@example.net> wrote:"),
    "title": ("On Tue, Mar 4, 2014 at 5:06 AM, Dr. Ana Lopes, Ph.D. <ana@example.net> wrote:"),
    "question in name": ("On Tue, Mar 4, 2014 at 5:06 AM, Who? <ana@example.net> wrote:"),
    "4 lines": ("On Tue, Mar 4, 2014\nat 5:06 AM, Ana Lopes\n<ana@example.net>\nwrote:"),
    "long name wrap": (
        "On Tue, Mar 4, 2014 at 5:06 AM, The Very Long Name of an Organisation in the City\n"
        "of Example (no-reply) <notifications+abcdef0123456789@mail.example.net>\nwrote:"
    ),
    "two mailto": (
        'On Mar 4, 2014, at 5:06 AM, "Ana Lopes" <ana@example.net<mailto:ana@example.net>> wrote:'
    ),
    "angle http": ("On Tue, Mar 4, 2014 at 5:06 AM, Ana Lopes <http://example.net/ana> wrote:"),
    "no space date": ("On 3/4/14,5:06 AM,Ana Lopes wrote:"),
    "24h sec": ("On 2014-03-04 05:06:07 +0000, Ana Lopes said:"),
    "iso T": ("On 2014-03-04T05:06:07Z, Ana Lopes wrote:"),
    "fr space": ("Le 4 mars 2014 05:06, Ana Lopes <ana@example.net> a écrit :"),
    "fr nbsp": ("Le mar. 4 mars 2014 à 05:06, Ana Lopes <ana@example.net> a\u00a0écrit\u00a0:"),
    "fr wrap": ("Le mar. 4 mars 2014 à 05:06, Ana Lopes <ana@example.net> a\n écrit :"),
    "fr outlook com": ("Le mardi 4 mars 2014, Ana Lopes <ana@example.net> a écrit :"),
    "de gesendet": ("Am Dienstag, 4. März 2014 schrieb Ana Lopes :"),
    "de 05.06": ("Am 4. März 2014 05:06:07 MEZ schrieb Ana Lopes <ana@example.net>:"),
    "k9 en": ("On March 4, 2014 5:06:07 AM CET, Ana Lopes <ana@example.net> wrote:"),
    "k9 uk": ("On 4 March 2014 05:06:07 GMT+00:00, Ana Lopes <ana@example.net> wrote:"),
    "k9 fr": ("Le 4 mars 2014 05:06:07 GMT+01:00, Ana Lopes <ana@example.net> a écrit :"),
    "k9 es": ("El 4 de marzo de 2014 5:06:07 CET, Ana Lopes <ana@example.net> escribió:"),
    "sv old": ("4 mars 2014 05:06 skrev Ana Lopes <ana@example.net>:"),
    "da tb": ("Den 04/03/14 kl. 05.06 skrev Ana Lopes:"),
    "nl heeft": ("Op dinsdag 4 maart 2014 heeft Ana Lopes <ana@example.net> het volgende geschreven:"),
    "nl heeft2": ("Op 4 maart 2014 05:06 heeft Ana Lopes<ana@example.net> het volgende geschreven:"),
    "es escribi": ("El mar, 04-03-2014 a las 05:06 +0100, Ana Lopes escribió:"),
    "es dia": ("El día 4 de marzo de 2014, 5:06, Ana Lopes <ana@example.net> escribió:"),
    "it dia": ("In data martedì 4 marzo 2014 05:06:07 CET, Ana Lopes ha scritto:"),
    "it nome": ("Ana Lopes ha scritto il 04/03/2014 alle 05:06:"),
    "pt dia": ("Em terça-feira, 4 de março de 2014, Ana Lopes <ana@example.net> escreveu:"),
    "pt 2": ("No dia 4 de março de 2014 às 05:06, Ana Lopes <ana@example.net> escreveu:"),
    "pl": ("W dniu wtorek, 4 marca 2014 Ana Lopes <ana@example.net> napisał(a):"),
    "pl2": ('4 mar 2014 05:06 "Ana Lopes" <ana@example.net> napisał(a):'),
    "cs": ("Dne 4. března 2014 5:06 Ana Lopes <ana@example.net> napsal(a):"),
    "cs2": ("Dne úterý 4. března 2014 5:06:07 CET, Ana Lopes napsal(a):"),
    "ru": ("вторник, 4 марта 2014 г. пользователь Ana Lopes <ana@example.net> написал:"),
    "ru2": ("4 марта 2014 г. 5:06:07 GMT+03:00, Ana Lopes <ana@example.net> пишет:"),
    "uk": ("вівторок, 4 березня 2014 р. користувач Ana Lopes <ana@example.net> написав:"),
    "ja": ("2014年3月4日火曜日、Ana Lopes<ana@example.net>さんは書きました:"),
    "ja2": ("2014年3月4日 5:06、Ana Lopes <ana@example.net> のメール:"),
    "zh": ("Ana Lopes <ana@example.net>于2014年3月4日 周二05:06写道："),
    "zh2": ("在 2014年3月4日星期二，Ana Lopes <ana@example.net> 写道："),
    "zh3": ("於 2014年3月4日 上午5:06，Ana Lopes <ana@example.net> 寫道："),
    "ko": ("2014년 3월 4일 화요일, Ana Lopes<ana@example.net>님이 작성한 메시지:"),
    "ko2": ("2014년 3월 4일 오전 5:06, Ana Lopes <ana@example.net>님의 말:"),
    "ko3": ("On 2014년 3월 4일 (화) at 오전 5:06 Ana Lopes <ana@example.net> wrote:"),
    "ja3": ("On 2014年3月4日(火) 5:06 Ana Lopes <ana@example.net> wrote:"),
    "he": ("ב-4 במרץ 2014 בשעה 5:06, מאת Ana Lopes \u200f<ana@example.net>:\u200f"),
    "ar": ("بتاريخ 4 مارس 2014، كتب Ana Lopes <ana@example.net>:"),
    "tr": ("4 Mart 2014 Salı tarihinde Ana Lopes <ana@example.net> yazdı:"),
    "hu": ("Ana Lopes <ana@example.net> ezt írta (2014. március 4. kedd):"),
    "hu2": ("2014. március 4. 5:06 napon Ana Lopes <ana@example.net> írta:"),
    "el": ("Στις Τρίτη, 4 Μαρτίου 2014, ο χρήστης Ana Lopes <ana@example.net> έγραψε:"),
    "vi": ("Vào Thứ Ba, 4 tháng 3, 2014, Ana Lopes <ana@example.net> đã viết:"),
    "id": ("Pada Selasa, 04 Maret 2014, Ana Lopes <ana@example.net> menulis:"),
    "fi": ("4. maaliskuuta 2014 5.06 Ana Lopes <ana@example.net> kirjoitti:"),
    "ro": ("În data de 4 martie 2014, 05:06, Ana Lopes <ana@example.net> a scris:"),
    "ro2": ("La mar., 4 mar. 2014, 05:06 Ana Lopes <ana@example.net> a scris:"),
    "bg": ("На 4 март 2014 г. 5:06 Ana Lopes <ana@example.net> написа:"),
    "hr": ("Dana 4. ožujka 2014. 05:06 Ana Lopes <ana@example.net> je napisao/la:"),
    "sr": ("Дана 4. март 2014. 05:06 Ana Lopes <ana@example.net> је написао/ла:"),
    "lt": ("2014 m. kovo 4 d. 05:06 Ana Lopes <ana@example.net> rašė:"),
    "is": ("Þann þri., 4. mar. 2014 kl. 05:06 skrifaði Ana Lopes <ana@example.net>:"),
    "gl": ("O mar., 4 de mar. de 2014 ás 05:06, Ana Lopes (<ana@example.net>) escribiu:"),
    "eu": ("Igorlea Ana Lopes (ana@example.net) hau idatzi du (2014 mar. 4, ar. (05:06)):"),
    "eo": ("Je 2014-03-04 05:06, Ana Lopes skribis:"),
    "ms": ("Pada Sel, 4 Mac 2014 5:06 pagi, Ana Lopes <ana@example.net> menulis:"),
    "tl": ("Noong Mar, Mar 4, 2014 nang 5:06 AM, sinulat ni Ana Lopes <ana@example.net>:"),
    "hi": ("मंगल, 4 मार्च 2014 को 5:06 am बजे को Ana Lopes <ana@example.net> ने लिखा:"),
    "slack": ("On Tue, Mar 4, 2014 at 5:06 AM, Ana Lopes (Example) <reply+abc@mail.example.net> wrote:"),
    "reply to all": ("On Tue, Mar 4, 2014 at 5:06 AM, <ana@example.net> wrote:"),
    "quoted addr": ("On Tue, Mar 4, 2014 at 5:06 AM, 'Ana Lopes' via List <list@example.net> wrote:"),
    "at domain": ("On Tue, Mar 4, 2014 at 5:06 AM, ana@example.net <ana@example.net> wrote:"),
    "sent by": (
        "Sent: Tuesday, March 04, 2014 5:06 AM\nFrom: Ana Lopes <ana@example.net>\nTo: jon@example.com\n"
        "Subject: Re: x"
    ),
    "header lower": (
        "from: Ana Lopes <ana@example.net>\ndate: Tue, Mar 4, 2014 at 5:06 AM\nto: jon@example.com\nsubject: x"
    ),
    "gmail print": (
        "from:\u0009Ana Lopes <ana@example.net>\nto:\u0009jon@example.com\n"
        "date:\u0009Tue, Mar 4, 2014 at 5:06 AM\nsubject:\u0009x\nmailed-by:\u0009example.net"
    ),
    "header indented": ("  From: Ana Lopes\n  Sent: Tuesday, March 4, 2014 5:06 AM\n  To: Jon\n  Subject: x"),
    "header one star": (
        "*From: *Ana Lopes <ana@example.net>\n*Sent: *Tuesday, March 4, 2014 5:06 AM\n*To: *Jon\n*Subject: *x"
    ),
    "short dashes": ("--- Original message ---\nFrom: Ana Lopes"),
    "eq": ("=== Original Message ==="),
    "colon sep": ("-----Original Message-----:"),
    "lower": ("----original message----"),
    "spaces": ("-----  Original  Message  -----"),
    "From only": ("From: Ana Lopes <ana@example.net>\nDate: Tuesday, March 4, 2014"),
    "ro head": ("De la: Ana\nTrimis: marți, 4 martie 2014 05:06\nCătre: Jon\nSubiect: x"),
    "bullet date": ("* On 4 Mar 2014 05:06, Ana Lopes wrote:"),
    "tilde": ("~~~~~ Original Message ~~~~~"),
    "star sep": ("*** Original Message ***"),
    "forward dashes": ("-------- Forwarded by Ana Lopes on 04.03.2014 05:06 --------"),
    "teams": ("Ana Lopes <ana@example.net> 2014-03-04 05:06:"),
}


def test_a_rarer_announcement_ends_the_answer(subtests: pytest.Subtests) -> None:
    for below in ["\n\nOld text.\nAna\n", "\n\n> Old text.\n> Ana\n", "\n> Old text.\n"]:
        for name, lines in ANNOUNCEMENTS.items():
            with subtests.test(name, below=below):
                assert split_quotes(f"{ANSWER}\n\n{lines}{below}", subject="Re: x").kept.strip() == ANSWER


SIGNED = [
    "--\nana",
    "-- \nana\nexample.net",
    "Thanks!\nAna",
    "Thanks!\n\nAna Lopes",
    "thanks,\nana",
    "Thanks -- Ana",
    "Thank you!\nAna Lopes\n555-010-0199",
    "Ana Lopes\nAccountant",
    "Ana\n555-010-0199",
    "ana lopes",
    "-Ana",
    "- Ana",
    "-- Ana",
    "--Ana Lopes",
    "\u2014Ana",
    "~ Ana",
    "*Ana Lopes*",
    "Ana Lopes.",
    "Regards,\nAna Lopes\nVP of Sales, Example Inc.\n(555) 010-0199 x12",
    "Regards\nAna",
    "Rgds,\nAna",
    "BR,\nAna",
    "B/R\nAna",
    "KR\nAna",
    "Sincerely,\n\nAna Lopes\n\nExample Inc.\n\n1 Main St\n\nSpringfield",
    "Best,\n\nAna\n\n---\nAna Lopes\nExample Inc",
    "Cheers,\n\nA",
    "Cheers\nAna x",
    "xx Ana",
    "Love, Ana",
    "Yours, Ana",
    "Best regards, Ana",
    "Kind regards Ana Lopes",
    "Cheers, Ana!",
    "Thanks & regards,\nAna Lopes\nExample Inc | Springfield",
    "Ana Lopes\nExample Inc.\nMobile: +1 555 010 0199\nFax: +1 555 010 0198",
    "Ana Lopes | Example Inc\n+1 555 010 0199",
    "Ana Lopes, CEO\nana@example.net",
    "Dr. Ana Lopes\nDepartment of Biology\nExample University\nhttp://example.edu/~ana",
    "ANA LOPES\nEXAMPLE INC\n+1 555 010 0199",
    "Ana Lopes <ana@example.net>",
    "ana@example.net",
    "Sent from my iPhone\nAna",
    "Best,\nAna\n\nSent from my BlackBerry",
    "_____\nAna Lopes\n555-010-0199",
    "__________________\nAna",
    "***\nAna Lopes\nExample Inc",
    'Ana Lopes\n"Be the change"\nwww.example.net',
    'Best,\nAna Lopes\n\n"The only way out is through." - Robert Frost',
    "Hugs\nAna",
    "Take care,\nAna",
    "Peace,\nAna",
    "Later,\nAna",
    "Have a great day!\nAna",
    "Looking forward,\nAna",
    "Warmly,\nAna Lopes (she/her)",
    "Respectfully submitted,\nAna Lopes",
    "Yours in haste,\nAna",
    "Med vänliga hälsningar / Best regards,\nAna Lopes",
    "Mit freundlichen Grüßen / Kind regards\n\nAna Lopes\nExample AG",
    "Cordialement / Regards\nAna Lopes",
    "Mit freundlichen Grüßen\nIhre Ana Lopes",
    "Viele Grüße, Ana",
    "LG Ana",
    "VG\nAna",
    "Gruß Ana",
    "Liebe Grüße\nDeine Ana",
    "Cordialement,\nAna LOPES\nTél : 01 00 00 00 00",
    "Un saludo.\nAna",
    "Saludos, Ana",
    "Saluti,\nAna",
    "Ciao, Ana",
    "Ciao\nAna",
    "Abs,\nAna",
    "Att,\nAna Lopes",
    "Groetjes Ana",
    "Groet,\nAna",
    "Mvh Ana",
    "Mvh\nAna Lopes",
    "Hilsen Ana",
    "Terveisin Ana",
    "Pozdrawiam,\nAna Lopes\ntel. 600 000 000",
    "S pozdravem Ana Lopes",
    "С уважением, Ana",
    "--\nС уважением,\nАна Лопес",
    "Üdv,\nAna",
    "Saygılarımla\nAna Lopes",
    "Με εκτίμηση,\nΆνα",
    "祝好\nAna",
    "谢谢！\nAna",
    "よろしくお願いします。\n\nAna",
    "감사합니다.\nAna 드림",
    "Trân trọng,\nAna",
    "Salam,\nAna",
]


def test_a_short_signature_of_the_sender_is_taken_whole(subtests: pytest.Subtests) -> None:
    for block in SIGNED:
        with subtests.test(block=block):
            split = split_signature(
                f"{BODY}\n\n{block}\n", sender_name="Ana Lopes", sender_address="ana@example.net"
            )
            assert (split.kept, split.removed) == (BODY, block)


MARKUP = {
    "icloud": (
        "<html><body>Works for me.<br><br><div>On Feb 4, 2020, at 9:12 AM, Iris Holt "
        '&lt;iris@example.net&gt; wrote:<br><br></div><blockquote type="cite"><div>Can we move '
        "it?</div></blockquote></body></html>"
    ),
    "ios": (
        '<html><body dir="auto"><div dir="ltr">Works for me.<br><br>Sent from my iPhone</div><div '
        'dir="ltr"><br><blockquote type="cite">On Feb 4, 2020, at 9:12 AM, Iris Holt '
        'wrote:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">Can we move '
        "it?</div></blockquote></body></html>"
    ),
    "outlook app": (
        '<html><body><div>Works for me.</div><div id="ms-outlook-mobile-signature"><div>Get <a '
        'href="https://aka.ms/o0ukef">Outlook for iOS</a></div></div><hr '
        'style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> '
        "Iris<br><b>Sent:</b> Tuesday<br></div><div>Can we move it?</div></body></html>"
    ),
    "outlook 2013 plain border": (
        "<div class=WordSection1><p class=MsoNormal>Works for me.<o:p></o:p></p><p "
        'class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid '
        '#E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class=MsoNormal><b>From:</b> Iris '
        "[mailto:iris@example.net] <br><b>Sent:</b> Tuesday, February 4, 2020 9:12 "
        "AM<br><b>To:</b> Jon<br><b>Subject:</b> Move</p></div></div><p class=MsoNormal>Can we "
        "move it?</p></div>"
    ),
    "outlook fr, no border": (
        "<div><p>Works for me.</p><p><b>De :</b> Iris<br><b>Envoyé :</b> mardi 4 février 2020 "
        "09:12<br><b>À :</b> Jon<br><b>Objet :</b> Heure</p><p>Can we move it?</p></div>"
    ),
    "outlook ru": (
        "<div>Works for me.</div><div><b>От:</b> Iris<br><b>Отправлено:</b> 4 февраля 2020 г. "
        "9:12<br><b>Кому:</b> Jon<br><b>Тема:</b> Время</div><div>Can we move it?</div>"
    ),
    "yahoo app": (
        'Works for me.<br><br><div id="ymail_android_signature"><a '
        'href="https://go.onelink.me/1">Sent from Yahoo Mail on Android</a></div><br><blockquote '
        'style="margin:0 0 20px 0"><div style="font-family:Roboto"><div>On Tue, Feb 4, 2020 at '
        "9:12 AM, Iris Holt</div><div>&lt;iris@example.net&gt; wrote:</div></div><div "
        'style="padding:10px">Can we move it?</div></blockquote>'
    ),
    "aol": (
        '<div style="color:black;font:10pt arial">Works for me.<br><br><br>-----Original '
        "Message-----<br>From: Iris &lt;iris@example.net&gt;<br>To: jon "
        "&lt;jon@example.com&gt;<br>Sent: Tue, Feb 4, 2020 9:12 am<br>Subject: Move<br><br><div "
        'id="aolmail_1">Can we move it?</div></div>'
    ),
    "aol app": (
        'Works for me.<div id="aolmail_app">Sent from the all new AOL app for iOS</div><br><p>On '
        "Tuesday, February 4, 2020, 9:12 AM, Iris Holt &lt;iris@example.net&gt; "
        "wrote:</p><blockquote><p>Can we move it?</p></blockquote>"
    ),
    "samsung": (
        '<div dir="auto">Works for me.</div><div><br></div><div id="composer_signature" '
        'dir="auto">Sent from my Samsung Galaxy smartphone.</div><div><br></div><div '
        'style="font-size:100%"><!-- originalMessage --><div>-------- Original message '
        "--------</div><div>From: Iris &lt;iris@example.net&gt; </div><div>Date: 2/4/20  9:12 AM  "
        "(GMT-05:00) </div><div>To: jon@example.com </div><div>Subject: Move "
        "</div><div><br></div></div>Can we move it?"
    ),
    "notes": (
        "<font size=2>Works for me.</font><br><br><br><font size=1 color=#5f5f5f>From: &nbsp; "
        "&nbsp;</font><font size=1>Iris &lt;iris@example.net&gt;</font><br><font size=1 "
        "color=#5f5f5f>To: &nbsp; &nbsp;</font><font size=1>jon@example.com</font><br><font size=1 "
        "color=#5f5f5f>Date: &nbsp; &nbsp;</font><font size=1>04/02/2020 09:12</font><br><font "
        "size=1 color=#5f5f5f>Subject: &nbsp; &nbsp;</font><font size=1>Move</font><br><hr "
        "noshade><br><font size=2>Can we move it?</font>"
    ),
    "superhuman": (
        '<div><div>Works for me.</div><br><div class="gmail_signature">Sent via <a '
        'href="https://sprh.mn">Superhuman</a></div><br><div><div class="gmail_quote">On Tue, Feb '
        "04, 2020 at 9:12 AM, Iris <span>&lt;<a>iris@example.net</a>&gt;</span> "
        'wrote:<br><blockquote class="gmail_quote">Can we move it?</blockquote></div></div></div>'
    ),
    "front": (
        '<div>Works for me.</div><br><div><blockquote type="cite" class="front-blockquote">On '
        "February 4, 2020, 9:12 AM EST <a>iris@example.net</a> wrote:<br><br>Can we move it?</blockquote></div>"
    ),
    "hey": (
        '<div class="trix-content"><div>Works for me.</div><br><blockquote>On February 4, 2020, '
        "Iris &lt;iris@example.net&gt; wrote:<div>Can we move it?</div></blockquote></div>"
    ),
    "missive": (
        '<div>Works for me.</div><br><div class="missive_quote"><div>On Feb 4, 2020 at 9:12 AM, '
        "Iris &lt;iris@example.net&gt;, wrote:</div><blockquote>Can we move it?</blockquote></div>"
    ),
    "zendesk": (
        "<p>Works for me.</p><div>##- Please type your reply above this line -##</div><p>Can we move it?</p>"
    ),
    "qq": (
        "<div>Works for me.</div><div><br></div><div "
        'style="font-size:12px">------------------&nbsp;原始邮件&nbsp;------------------</div><div '
        'style="background:#efefef"><div><b>发件人:</b>&nbsp;"Iris"&lt;iris@example.net&gt;;</div><div'
        "><b>发送时间:</b>&nbsp;2020年2月4日(星期二) "
        '上午9:12</div><div><b>收件人:</b>&nbsp;"Jon";</div><div><b>主题:</b>&nbsp;时间</div></div><div>Can '
        "we move it?</div>"
    ),
    "163": (
        '<div>Works for me.</div><br><p>在 2020-02-04 09:12:00，"Iris" &lt;iris@example.net&gt; '
        '写道：</p><blockquote id="isReplyContent" style="PADDING-LEFT:1ex">Can we move it?</blockquote>'
    ),
    "foxmail": (
        '<div>Works for me.</div><hr style="width:210px"><div>Jon</div><blockquote '
        'style="margin-left:0.5em"><div>&nbsp;</div><div style="border:none;border-top:solid '
        '#B5C4DF 1.0pt"><div><b>发件人：</b>&nbsp;Iris</div><div><b>发送时间：</b>&nbsp;2020-02-04 '
        "09:12</div><div><b>收件人：</b>&nbsp;Jon</div><div><b>主题：</b>&nbsp;时间</div></div><div>Can we "
        "move it?</div></blockquote>"
    ),
    "naver": (
        "<p>Works for me.</p><div>-----Original Message-----<br><b>From:</b> "
        '"Iris"&lt;iris@example.net&gt;<br><b>To:</b> '
        "&lt;jon@example.com&gt;<br><b>Cc:</b><br><b>Sent:</b> 2020-02-04 (화) 09:12:00 "
        "(GMT+09:00)<br><b>Subject:</b> 시간<br></div><div>Can we move it?</div>"
    ),
    "mail.ru": (
        '<div>Works for me.</div><div data-signature-widget="container">--<br>Jon</div><blockquote '
        'style="border-left:1px solid #0857A6;margin:10px;padding:0 0 0 10px">Вторник, 4 февраля '
        "2020, 9:12 +03:00 от Iris &lt;iris@example.net&gt;:<br><div>Can we move it?</div></blockquote>"
    ),
    "seznam": (
        "<div>Works for me.</div><aside>---------- Původní e-mail ----------<br>Od: Iris<br>Komu: "
        "jon@example.com<br>Datum: 4. 2. 2020 9:12:00<br>Předmět: Čas</aside><blockquote "
        'data-email="iris@example.net">Can we move it?</blockquote>'
    ),
    "inline div": (
        "<div>Works for me.</div><div>On Tue, 4 Feb 2020 at 09:12, Iris Holt "
        '&lt;iris@example.net&gt; wrote:</div><div style="border-left:2px solid '
        '#ccc;padding-left:5px">Can we move it?</div>'
    ),
    "fr zimbra": (
        '<div>Works for me.</div><hr id="zwchr"><blockquote style="border-left:2px solid '
        '#1010FF"><b>De: </b>"Iris"<br><b>À: </b>"Jon"<br><b>Envoyé: </b>Mardi 4 Février 2020 '
        "09:12:00<br><b>Objet: </b>Heure<br></blockquote><blockquote>Can we move it?</blockquote>"
    ),
    "plain br": (
        "Works for me.<br><br>Am 04.02.2020 um 09:12 schrieb Iris Holt:<br>&gt; Can we move it?<br>"
    ),
    "outlook table de": (
        "<div>Works for "
        "me.</div><hr><table><tr><td>Von:</td><td>Iris</td></tr><tr><td>Gesendet:</td><td>04.02.2020 "
        "09:12</td></tr><tr><td>An:</td><td>Jon</td></tr><tr><td>Betreff:</td><td>Zeit</td></tr></t"
        "able><div>Can we move it?</div>"
    ),
    "forward note": (
        '<div dir="ltr">Works for me.<br><br><div class="gmail_quote"><div '
        'class="gmail_attr">---------- Forwarded message ---------<br>From: <b>Iris</b><br>Date: '
        "Tue<br>Subject: Move<br>To: Jon<br></div><br>Can we move it?</div></div>"
    ),
    "bottom": (
        '<div>On 04/02/2020 09:12, Iris Holt wrote:<br></div><blockquote type="cite">Can we move '
        "it?</blockquote><p>Works for me.</p>"
    ),
}


def test_quoted_mail_in_markup_is_not_the_answer(subtests: pytest.Subtests) -> None:
    for name, markup in MARKUP.items():
        with subtests.test(name):
            found = read_html(markup, reply=True, forward=False)
            kept = split_signature(split_quotes(found.new, subject="Re: Move").kept).kept
            assert kept.split() == ["Works", "for", "me."]
