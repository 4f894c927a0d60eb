"""Header blocks, separators and forwards of many mail programs and languages are parted from the new text."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.quotes import split_quotes

BLOCKS = {
    "outlook, addresses": "From: Ana Lopes <ana@example.org>\nSent: Thursday, November 6, 2014 4:05 PM\n"
    "To: Bo Berg <bo@example.org>; Kim Vale <kim@example.org>\nCc: Lee <lee@example.org>\nSubject: RE: Colour",
    "outlook, long list": "From: Ana Lopes <ana@example.org>\nSent: Thursday, November 6, 2014 4:05 PM\n"
    "To: Bo Berg <bo@example.org>;\n Kim Vale <kim@example.org>;\n Lee Oak <lee@example.org>\nSubject: Colour",
    "outlook, blank between": "From: Ana Lopes\n\nSent: Thursday, November 6, 2014 4:05 PM\n\nTo: Bo "
    "Berg\n\nSubject: Colour",
    "outlook, importance": "From: Ana Lopes\nSent: Thursday, November 6, 2014 4:05 PM\nTo: Bo Berg\nSubject: Colour\n"
    "Importance: High",
    "outlook, attachments": "From: Ana Lopes\nSent: 06 November 2014 16:05\nTo: Bo Berg\nSubject: Colour\n"
    "Attachments: colours.pdf",
    "outlook mac": "From: Ana Lopes <ana@example.org>\nDate: Thursday, 6 November 2014 at 16:05\n"
    "To: Bo Berg <bo@example.org>\nSubject: Colour",
    "outlook mac, bold": "*From: *Ana Lopes <ana@example.org>\n*Date: *Thursday, 6 November 2014 at 16:05\n"
    "*To: *Bo Berg <bo@example.org>\n*Subject: *Colour",
    "outlook, double stars": "**From:** Ana Lopes <ana@example.org>\n**Sent:** 06 November 2014 16:05\n"
    "**To:** Bo Berg\n**Subject:** Colour",
    "outlook, tabs": "From:\tAna Lopes\nSent:\tThursday, November 6, 2014 4:05 PM\nTo:\tBo Berg\nSubject:\tColour",
    "outlook, no subject": "From: Ana Lopes <ana@example.org>\nSent: Thursday, November 6, 2014 4:05 PM\nTo: Bo Berg",
    "outlook web": "________________________________\nFrom: Ana Lopes <ana@example.org>\n"
    "Sent: Thursday, November 6, 2014 4:05:09 PM\nTo: Bo Berg\nSubject: Re: Colour",
    "outlook app": "________________________________\nFrom: Ana Lopes <ana@example.org>\n"
    "Sent: Thursday, November 6, 2014 4:05 PM\nTo: bo@example.org\nSubject: Re: Colour",
    "windows phone": "________________________________\nFrom: Ana Lopes<mailto:ana@example.org>\n"
    "Sent: \u200e11/\u200e6/\u200e2014 4:05 PM\nTo: Bo Berg<mailto:bo@example.org>\nSubject: RE: Colour",
    "mailto": "From: Ana Lopes [mailto:ana@example.org] On Behalf Of Board\nSent: Thursday, November 06, 2014 4:05 PM\n"
    "To: 'Bo Berg'\nSubject: Colour",
    "hotmail": "Date: Thu, 6 Nov 2014 16:05:09 +0100\nFrom: ana@example.org\nTo: bo@example.org\nSubject: Colour",
    "hotmail, subject first": "Subject: Colour\nFrom: ana@example.org\nDate: Thu, 6 Nov 2014 16:05:09 +0100\n"
    "To: bo@example.org",
    "hotmail, from first": "From: ana@example.org\nTo: bo@example.org\nSubject: RE: Colour\nDate: Thu, 6 Nov "
    "2014 16:05:09 +0000",
    "yahoo": "________________________________\n From: Ana Lopes <ana@example.org>\n To: Bo Berg <bo@example.org> \n"
    "Sent: Thursday, November 6, 2014 4:05 PM\n Subject: Re: Colour\n ",
    "aol": "-----Original Message-----\nFrom: Ana Lopes <ana@example.org>\nTo: bo <bo@example.org>\n"
    "Sent: Thu, Nov 6, 2014 4:05 pm\nSubject: Colour",
    "oe": "----- Original Message ----- \nFrom: \"Ana Lopes\" <ana@example.org>\nTo: <bo@example.org>\n"
    "Sent: Thursday, November 06, 2014 4:05 PM\nSubject: Colour",
    "zimbra": "----- Original Message -----\nFrom: \"Ana Lopes\" <ana@example.org>\nTo: \"Bo Berg\" <bo@example.org>\n"
    "Sent: Thursday, November 6, 2014 4:05:09 PM\nSubject: Re: Colour",
    "zimbra, short": "From: \"Ana Lopes\" <ana@example.org>\nTo: \"Bo Berg\" <bo@example.org>\n"
    "Cc: \"Kim\" <kim@example.org>\nSent: Thursday, November 6, 2014 4:05:09 PM\nSubject: Re: Colour",
    "notes": "From:\tAna Lopes/Berlin/Example\nTo:\tBo Berg/Oslo/Example@Example\nCc:\t\nDate:\t11/06/2014 04:05 PM\n"
    "Subject:\tColour",
    "notes, spaced": "From:        Ana Lopes <ana@example.org>\nTo:        Bo Berg <bo@example.org>\n"
    "Date:        06/11/2014 16:05\nSubject:        Colour",
    "samsung": "-------- Original message --------\nFrom: Ana Lopes <ana@example.org> \nDate: 06/11/2014  "
    "16:05  (GMT+01:00) \n"
    "To: bo@example.org \nSubject: Colour ",
    "htc": "----- Reply message -----\nFrom: \"Ana Lopes\" <ana@example.org>\nTo: \"Bo Berg\" <bo@example.org>\n"
    "Subject: Colour\nDate: Thu, Nov 6, 2014 4:05 PM",
    "blackberry": "From: Ana Lopes\nSent: Thursday, November 6, 2014 4:05 PM\nTo: Bo Berg\nReply To: Ana "
    "Lopes\nSubject: Colour",
    "blackberry, sender": "-----Original Message-----\nFrom: Ana Lopes <ana@example.org>\nSender: board@example.org\n"
    "Date: Thu, 6 Nov 2014 16:05:09 \nTo: <bo@example.org>\nReply-To: ana@example.org\nSubject: Colour",
    "proton": "------- Original Message -------\nOn Thursday, November 6th, 2014 at 4:05 PM, Ana Lopes "
    "<ana@example.org> wrote:",
    "proton old": "\u2010\u2010\u2010\u2010\u2010\u2010\u2010 Original Message "
    "\u2010\u2010\u2010\u2010\u2010\u2010\u2010\n"
    "On Thursday, November 6, 2014 4:05 PM, Ana Lopes <ana@example.org> wrote:",
    "sent on": "From: Ana Lopes\nSent on: Thursday, November 6, 2014 4:05 PM\nTo: Bo Berg\nSubject: Colour",
    "de bold": "*Von:* Ana Lopes [mailto:ana@example.org]\n*Gesendet:* Donnerstag, 6. November 2014 16:05\n"
    "*An:* Bo Berg\n*Cc:* Kim\n*Betreff:* AW: Farbe",
    "de date": "Von: Ana Lopes <ana@example.org>\nDatum: Donnerstag, 6. November 2014 um 16:05\nAn: Bo "
    "Berg\nBetreff: Farbe",
    "de gmx": "Gesendet: Donnerstag, 06. November 2014 um 16:05 Uhr\nVon: \"Ana Lopes\" <ana@example.org>\n"
    "An: bo@example.org\nBetreff: Farbe",
    "de notes": "Von:\tAna Lopes/Berlin\nAn:\tBo Berg/Oslo\nDatum:\t06.11.2014 16:05\nBetreff:\tFarbe",
    "de samsung": "-------- Ursprüngliche Nachricht --------\nVon: Ana Lopes <ana@example.org> \n"
    "Datum: 06.11.14 16:05 (GMT+01:00) \nAn: bo@example.org \nBetreff: Farbe ",
    "fr date": "De : Ana Lopes <ana@example.org>\nDate : jeudi, 6 novembre 2014 à 16:05\nÀ : Bo Berg\nObjet : Couleur",
    "fr bold": "*De :* Ana Lopes [mailto:ana@example.org]\n*Envoyé :* jeudi 6 novembre 2014 16:05\n*À :* Bo Berg\n"
    "*Cc :* Kim\n*Objet :* Couleur",
    "fr zimbra": "De: \"Ana Lopes\" <ana@example.org>\nÀ: \"Bo Berg\" <bo@example.org>\n"
    "Envoyé: Jeudi 6 Novembre 2014 16:05:09\nObjet: Couleur",
    "fr orange": "> Message du 06/11/14 16:05\n> De : \"Ana Lopes\" <ana@example.org>\n> A : bo@example.org\n> "
    "Copie à : \n"
    "> Objet : Couleur\n>",
    "es web": "De: Ana Lopes <ana@example.org>\nEnviado: jueves, 6 de noviembre de 2014 16:05\n"
    "Para: Bo Berg <bo@example.org>\nAsunto: Color",
    "es date": "De: Ana Lopes <ana@example.org>\nFecha: jueves, 6 de noviembre de 2014, 16:05\nPara: Bo "
    "Berg\nAsunto: Color",
    "it date": "Da: Ana Lopes <ana@example.org>\nData: giovedì 6 novembre 2014 16:05\nA: Bo Berg\nOggetto: Colore",
    "it libero": "----Messaggio originale----\nDa: ana@example.org\nData: 6-nov-2014 16.05\nA: "
    "<bo@example.org>\nOgg: Colore",
    "pt br": "De: Ana Lopes [mailto:ana@example.org] \nEnviada em: quinta-feira, 6 de novembro de 2014 16:05\n"
    "Para: Bo Berg\nAssunto: Cor",
    "pt pt": "De: Ana Lopes <ana@example.org>\nEnviado: 6 de novembro de 2014 16:05\nPara: Bo Berg\nAssunto: Cor",
    "pt date": "De: Ana Lopes <ana@example.org>\nData: quinta-feira, 6 de novembro de 2014 16:05\nPara: "
    "Bo\nAssunto: Cor",
    "nl date": "Van: Ana Lopes <ana@example.org>\nDatum: donderdag 6 november 2014 om 16:05\nAan: Bo\nOnderwerp: Kleur",
    "da date": "Fra: Ana Lopes <ana@example.org>\nDato: torsdag den 6. november 2014 kl. 16.05\nTil: Bo\nEmne: Farve",
    "no web": "Fra: Ana Lopes <ana@example.org>\nSendt: torsdag 6. november 2014 16:05\nTil: Bo\nEmne: Farge",
    "sv date": "Från: Ana Lopes <ana@example.org>\nDatum: torsdag, 6 november 2014 16:05\nTill: Bo\nÄmne: Färg",
    "fi date": "Lähettäjä: Ana Lopes <ana@example.org>\nPäivämäärä: torstai 6. marraskuuta 2014 klo 16.05\n"
    "Vastaanottaja: Bo\nAihe: Väri",
    "pl date": "Od: Ana Lopes <ana@example.org>\nData: czwartek, 6 listopada 2014 16:05\nDo: Bo\nTemat: Kolor",
    "pl send": "From: Ana Lopes <ana@example.org>\nSent: czwartek, 6 listopada 2014 16:05\nTo: Bo\nSubject: Kolor",
    "cs seznam": "---------- Původní e-mail ----------\nOd: Ana Lopes <ana@example.org>\nKomu: bo@example.org\n"
    "Datum: 6. 11. 2014 16:05:09\nPředmět: Barva",
    "cs seznam, new": "---------- Původní e-mail ----------\nOd: Ana Lopes <ana@example.org>\nKomu: bo@example.org\n"
    "Datum: 6. 11. 2014 16:05:09\nPředmět: Re: Barva",
    "sk": "Od: Ana Lopes <ana@example.org>\nOdoslané: štvrtok 6. novembra 2014 16:05\nKomu: Bo\nPredmet: Farba",
    "sk centrum": "______________________________________________________________\n> Od: Ana Lopes <ana@example.org>\n"
    "> Komu: bo@example.org\n> Dátum: 06.11.2014 16:05\n> Predmet: Farba\n>",
    "hu date": "Feladó: Ana Lopes <ana@example.org>\nDátum: 2014. november 6., csütörtök 16:05\nCímzett: "
    "Bo\nTárgy: Szín",
    "hu from": "From: Ana Lopes\nSent: 2014. november 6. 16:05\nTo: Bo\nSubject: Szín",
    "ro": "De la: Ana Lopes <ana@example.org>\nData: joi, 6 noiembrie 2014 la 16:05\nCătre: Bo\nSubiect: Culoare",
    "ro cedilla": "De la: Ana Lopes\nTrimis: 6 noiembrie 2014 16:05\nCãtre: Bo\nSubiect: Culoare",
    "ru date": "От: Ana Lopes <ana@example.org>\nДата: четверг, 6 ноября 2014 г. в 16:05\nКому: Bo\nТема: Цвет",
    "ru bold": "*От:* Ana Lopes\n*Отправлено:* четверг, 6 ноября 2014 г. 16:05\n*Кому:* Bo\n*Копия:* Kim\n*Тема:* Цвет",
    "ru whom": "От кого: Ana Lopes <ana@example.org>\nКому: bo@example.org\nДата: Четверг, 6 ноября 2014 "
    "16:05\nТема: Цвет",
    "uk": "Від: Ana Lopes <ana@example.org>\nДата: четвер, 6 листопада 2014 р. о 16:05\nКому: Bo\nТема: Колір",
    "bg": "От: Ana Lopes <ana@example.org>\nИзпратено: четвъртък, 6 ноември 2014 г. 16:05\nДо: Bo\nОтносно: Цвят",
    "bg abv": "-------- Оригинално писмо --------\nОт: Ana Lopes ana@example.org\nОтносно: Цвят\nДо: bo@example.org\n"
    "Изпратено на: 06.11.2014 16:05",
    "el": "Από: Ana Lopes <ana@example.org>\nΗμερομηνία: Πέμπτη 6 Νοεμβρίου 2014 στις 4:05 μ.μ.\nΠρος: Bo\nΘέμα: Χρώμα",
    "tr date": "Kimden: Ana Lopes <ana@example.org>\nTarih: 6 Kasım 2014 Perşembe 16:05\nKime: Bo\nKonu: Renk",
    "tr sender": "Gönderen: Ana Lopes <ana@example.org>\nGönderildi: 6 Kasım 2014 Perşembe 16:05\nKime: "
    "Bo\nBilgi: Kim\nKonu: Renk",
    "ar": "من: Ana Lopes <ana@example.org>\nتاريخ الإرسال: ٦ نوفمبر ٢٠١٤ ٠٤:٠٥ م\nإلى: Bo Berg\nالموضوع: لون",
    "ar date": "من: Ana Lopes <ana@example.org>\nالتاريخ: 6 نوفمبر 2014 16:05\nإلى: Bo Berg\nالموضوع: لون",
    "he": "מאת: Ana Lopes <ana@example.org>\nנשלח: יום חמישי 06 נובמבר 2014 16:05\nאל: Bo Berg\nנושא: צבע",
    "zh": "发件人: Ana Lopes <ana@example.org>\n发送时间: 2014年11月6日 16:05\n收件人: Bo\n抄送: Kim\n主题: 颜色",
    "zh date": "发件人: Ana Lopes <ana@example.org>\n日期: 2014年11月6日 星期四 16:05\n收件人: Bo\n主题: 颜色",
    "zh qq": "------------------&nbsp;原始邮件&nbsp;------------------\n发件人: \"Ana Lopes\"<ana@example.org>; \n"
    "发送时间: 2014年11月6日(星期四) 下午4:05\n收件人: \"Bo\"<bo@example.org>; \n主题: 颜色",
    "zh foxmail": "发件人： Ana Lopes\n发送时间： 2014-11-06 16:05\n收件人： Bo\n主题： 颜色",
    "zh tw": "寄件者: Ana Lopes <ana@example.org>\n寄件日期: 2014年11月6日 下午 04:05\n收件者: Bo\n主旨: 顏色",
    "zh tw, spaced": "寄件者： Ana Lopes\n傳送時間： 2014年11月6日 16:05\n收件者： Bo\n副本： Kim\n主旨： 顏色",
    "ja outlook": "From: Ana Lopes <ana@example.org>\nSent: Thursday, November 6, 2014 4:05 PM\nTo: Bo\nSubject: 色",
    "ja": "差出人: Ana Lopes <ana@example.org>\n送信日時: 2014年11月6日 16:05\n宛先: Bo\nCC: Kim\n件名: 色",
    "ja date": "差出人: Ana Lopes <ana@example.org>\n日付: 2014年11月6日 木曜日 16:05\n宛先: Bo\n件名: 色",
    "ko": "보낸 사람: Ana Lopes <ana@example.org>\n보낸 날짜: 2014년 11월 6일 목요일 오후 4:05\n"
    "받는 사람: Bo\n참조: Kim\n제목: 색",
    "ko naver": "-----Original Message-----\nFrom: \"Ana Lopes\"<ana@example.org>\nTo: <bo@example.org>\nCc:\n"
    "Sent: 2014-11-06 (목) 16:05:09\nSubject: 색",
    "ko daum": "--------- 원본 메일 ---------\n보낸사람: Ana Lopes <ana@example.org>\n받는사람: Bo <bo@example.org>\n"
    "날짜: 2014년 11월 06일 목요일, 16시 05분 09초 +0900\n제목: 색",
    "vi": "Từ: Ana Lopes <ana@example.org>\nNgày: Thứ Năm, 6 tháng 11, 2014 lúc 16:05\nTới: Bo\nChủ đề: Màu",
    "vi sent": "Từ: Ana Lopes <ana@example.org>\nĐã gửi: Thứ Năm, 06 Tháng Mười Một 2014 4:05 CH\nTới: "
    "Bo\nTiêu đề: Màu",
    "id": "Dari: Ana Lopes <ana@example.org>\nDikirim: Kamis, 06 November 2014 16:05\nKepada: Bo\nPerihal: Warna",
    "id mac": "Dari: Ana Lopes <ana@example.org>\nTanggal: Kamis, 6 November 2014 16.05\nKepada: Bo\nSubjek: Warna",
    "th": "จาก: Ana Lopes <ana@example.org>\nส่ง: 6 พฤศจิกายน 2014 16:05\nถึง: Bo\nเรื่อง: สี",
    "lt": "Nuo: Ana Lopes <ana@example.org>\nIšsiųsta: 2014 m. lapkričio 6 d. 16:05\nKam: Bo\nTema: Spalva",
    "et": "Saatja: Ana Lopes <ana@example.org>\nSaadetud: neljapäev, 6. november 2014 16:05\nAdressaat: "
    "Bo\nTeema: Värv",
    "hr": "Od: Ana Lopes <ana@example.org>\nPoslano: 6. studenog 2014. 16:05\nPrima: Bo\nPredmet: Boja",
    "sl": "Od: Ana Lopes <ana@example.org>\nPoslano: četrtek, 06. november 2014 16:05\nZa: Bo\nZadeva: Barva",
    "is": "Frá: Ana Lopes <ana@example.org>\nSent: 6. nóvember 2014 16:05\nTil: Bo\nEfni: Litur",
}  # fmt: skip


def test_a_pasted_header_ends_the_new_text(subtests: pytest.Subtests) -> None:
    for name, block in BLOCKS.items():
        with subtests.test(name):
            split = split_quotes(f"Blue, please.\n\n{block}\n\nWhich colour?\n\nAna\n", subject="Re: x")
            assert split.kept.strip() == "Blue, please."


def test_a_pasted_header_directly_below_the_text_ends_it(subtests: pytest.Subtests) -> None:
    for name, block in BLOCKS.items():
        with subtests.test(name):
            split = split_quotes(f"Hi Ana,\nblue please\n{block}\nWhich colour?\n", subject="Re: x")
            assert split.kept.strip() == "Hi Ana,\nblue please"


SEPARATORS = [
    "-----Original Message-----", "----- Original Message -----", "---- Original Message ----",
    "--- Original Message ---",
    "--------- Original Message ----------", "-------- Original message --------", "-----original message-----",
    "=====Original Message=====", "*-----Original Message-----*", "  -----Original Message-----",
    "-- Original Message --",
    "-------- Original Email --------", "-----Original mail-----", "----- Reply message -----", "---Original---",
    "\u2014\u2014\u2014 Original Message \u2014\u2014\u2014", "________ Original Message ________",
    "-----Ursprüngliche Nachricht-----", "-------- Originalnachricht --------", "--- Ursprüngliche Nachricht ---",
    "-------- Original-Nachricht --------", "---------- Ursprüngliche Nachricht ----------", "----- Originalmail -----",
    "-----Message d'origine-----", "-------- Message d\u2019origine --------", "-------- Message original --------",
    "----- Mail original -----", "----- Message original -----", "----- E-mail d'origine -----",
    "-----Mensaje original-----", "-------- Mensaje original --------", "----- Mensaje Original -----",
    "----- Mensaje original -----", "----- Correo original -----", "-----Missatge original-----",
    "-----Messaggio originale-----", "-------- Messaggio originale --------", "----Messaggio originale----",
    "-----Mensagem original-----", "-----Mensagem Original-----", "-------- Mensagem original --------",
    "-----Oorspronkelijk bericht-----", "-------- Oorspronkelijk bericht --------", "-----Origineel bericht-----",
    "-----Oprindelig meddelelse-----", "-------- Oprindelig besked --------", "-----Original meddelelse-----",
    "-----Ursprungligt meddelande-----", "-------- Originalmeddelande --------",
    "-------- Ursprungligt meddelande --------",
    "-----Opprinnelig melding-----", "-------- Opprinnelig melding --------", "-----Opprinnelig e-post-----",
    "-----Alkuperäinen viesti-----", "-------- Alkuperäinen viesti --------", "----- Alkuperäinen viesti -----",
    "-----Wiadomość oryginalna-----", "-------- Oryginalna wiadomość --------", "-------- Pierwotna wiadomość --------",
    "-------- Wiadomość oryginalna --------", "-----Původní zpráva-----", "-------- Původní zpráva --------",
    "---------- Původní e-mail ----------", "---------- Původní zpráva ----------",
    "-------- Originální zpráva --------",
    "-----Pôvodná správa-----", "-------- Pôvodná správa --------", "----- Pôvodný e-mail -----",
    "-----Eredeti üzenet-----", "-------- Eredeti üzenet --------", "----- Eredeti üzenet -----",
    "-----Mesaj original-----", "-------- Mesaj original --------", "-----Mesajul original-----",
    "-----Исходное сообщение-----", "-------- Исходное сообщение --------", "-------- Оригинальное сообщение --------",
    "-------- Исходное письмо --------", "-----Original Message-----", "-----Вихідне повідомлення-----",
    "-------- Оригінальне повідомлення --------", "-----Оригинално съобщение-----",
    "-------- Оригинално писмо --------",
    "-----Αρχικό μήνυμα-----", "-------- Αρχικό μήνυμα --------", "-----Özgün İleti-----",
    "-------- Orijinal mesaj --------", "-----Orijinal İleti-----", "-----الرسالة الأصلية-----",
    "-------- الرسالة الأصلية --------", "-----رسالة أصلية-----", "-----הודעה מקורית-----",
    "-------- הודעה מקורית --------",
    "-----邮件原件-----", "-------- 原始邮件 --------", "------------------ 原始邮件 ------------------",
    "-----原始邮件-----",
    "-----原始郵件-----", "-------- 原始信件 --------", "-------- 原始訊息 --------", "-----原始メッセージ-----",
    "-----元のメッセージ-----", "-------- 元のメッセージ --------", "----- 元のメール -----",
    "-----オリジナルメッセージ-----",
    "-----원본 메시지-----", "-------- 원본 메시지 --------", "--------- 원본 메일 ---------",
    "-------- 원본 이메일 --------",
    "-----Thư gốc-----", "-------- Tin nhắn gốc --------", "-------- Thư gốc --------", "-----Pesan Asli-----",
    "-------- Pesan asli --------", "-------- Izvorna poruka --------", "-----Izvirno sporočilo-----",
    "-------- Algne kiri --------", "-----Originalus pranešimas-----", "-----Sākotnējais ziņojums-----",
    "## Please do not write below this line ##", "##- Please type your reply above this line -##",
    "## In replies all text above this line is added to the ticket ##", "-- Reply ABOVE THIS LINE to add a note --",
    "----------- Reply above this line -----------", "--------------- Please reply above this line ---------------",
    "=== Please enter your reply above this line ===", "***** Reply above this line *****",
    "-*-*- Reply above this line -*-*-",
    "##- Bitte geben Sie Ihre Antwort über dieser Zeile ein. -##",
    "##- Veuillez saisir votre réponse au-dessus de cette ligne -##",
    "##- Por favor, escriba su respuesta por encima de esta línea -##",
    "##- Escribe tu respuesta por encima de esta línea -##",
    "##- Digite sua resposta acima desta linha -##", "##- Inserire la risposta sopra questa riga -##",
    "##- Typ uw antwoord boven deze regel -##", "##- Skriv ditt svar ovanför den här raden -##",
]  # fmt: skip


def test_a_separator_line_ends_the_new_text(subtests: pytest.Subtests) -> None:
    for line in SEPARATORS:
        with subtests.test(line=line):
            split = split_quotes(f"Blue, please.\n\n{line}\n\nWhich colour?\nAna\n", subject="Re: x")
            assert split.kept.strip() == "Blue, please."


FORWARDS = [
    "---------- Forwarded message ----------", "---------- Forwarded message ---------",
    "-------- Forwarded Message --------",
    "----- Forwarded Message -----", "------- Forwarded Message -------", "Begin forwarded message:",
    "--- Forwarded message ---",
    "---- Forwarded message ----", "----- Forwarded message from Ana Lopes <ana@example.org> -----",
    "----- Weitergeleitete Nachricht -----", "Anfang der weitergeleiteten Nachricht:",
    "-------- Weitergeleitete Nachricht --------", "---------- Weitergeleitete Nachricht ---------",
    "---------- Message transféré ----------", "---------- Forwarded message ---------\n",
    "Début du message réexpédié :",
    "Début du message transféré :", "-------- Message transféré --------", "-------- Message transféré --------\n",
    "---------- Mensaje reenviado ----------", "-------- Mensaje reenviado --------", "Inicio del mensaje reenviado:",
    "---------- Messaggio inoltrato ----------", "-------- Messaggio Inoltrato --------", "Inizio messaggio inoltrato:",
    "---------- Mensagem encaminhada ----------", "-------- Mensagem encaminhada --------",
    "Início da mensagem encaminhada:", "Início da mensagem reencaminhada:", "---------- Doorgestuurd bericht ---------",
    "-------- Doorgestuurd bericht --------", "Begin doorgestuurd bericht:", "-------- Videresendt besked --------",
    "Start på videresendt besked:", "---------- Forwarded message ---------",
    "---------- Vidarebefordrat meddelande ----------",
    "-------- Vidarebefordrat meddelande --------", "Vidarebefordrat brev:", "---------- Videresendt melding ---------",
    "-------- Videresendt melding --------", "Videresendt melding:", "Välitetty viesti alkaa:",
    "---------- Edelleenlähetetty viesti ---------", "-------- Välitetty viesti --------",
    "---------- Forwarded message ---------", "-------- Przekazana wiadomość --------",
    "Początek przekazywanej wiadomości:",
    "-------- Přeposlaná zpráva --------", "Začátek přeposlané zprávy:", "---------- Forwarded message ---------",
    "-------- Preposlaná správa --------", "-------- Továbbított üzenet --------", "Továbbított levél kezdete:",
    "-------- Mesaj redirecționat --------", "---------- Mesaj redirecționat ---------",
    "---------- Пересылаемое сообщение ----------", "-------- Перенаправленное сообщение --------",
    "Начало переадресованного сообщения:", "-------- Пересылаемое сообщение  --------",
    "-------- Переслане повідомлення --------", "---------- Препратено съобщение ----------",
    "-------- Препратено съобщение --------", "-------- Προωθημένο μήνυμα --------",
    "---------- Προωθημένο μήνυμα ---------",
    "-------- İletilmiş Mesaj --------", "-------- Yönlendirilmiş İleti --------", "İletilmiş iletinin başlangıcı:",
    "---------- Forwarded message ---------", "-------- הודעה שהועברה --------", "---------- הודעה שהועברה ---------",
    "-------- رسالة معاد توجيهها --------", "---------- رسالة مُعاد توجيهها ---------",
    "---------- 转发的邮件 ----------", "-------- 转发的消息 --------", "-------- 轉寄郵件 --------",
    "开始转发的邮件：",
    "-------- 転送メッセージ --------", "---------- 転送されたメッセージ ---------", "転送されたメッセージ:",
    "-------- 전달된 메시지 --------", "---------- 전달된 메일 ---------", "-------- Thư đã chuyển tiếp --------",
    "-------- Chuyển tiếp thư --------", "-------- Pesan diteruskan --------", "Begin forwarded message:\n",
    "-------- Pesan Terusan --------", "-----Forwarded by Ana Lopes/Berlin on 11/06/2014 04:05PM-----",
]  # fmt: skip
HEAD = "From: Ana Lopes <ana@example.org>\nDate: Thu, Nov 6, 2014 at 4:05 PM\nSubject: Colour\nTo: <bo@example.org>"


def test_a_forward_with_nothing_above_is_its_own_text(subtests: pytest.Subtests) -> None:
    for line in sorted({line.strip() for line in FORWARDS}):
        with subtests.test(line=line):
            split = split_quotes(f"{line}\n{HEAD}\n\n\nThe hall is painted blue.\n", subject="Fwd: Colour")
            assert split.kept.strip() == "The hall is painted blue."


def test_a_forward_below_a_note_is_not_the_note(subtests: pytest.Subtests) -> None:
    for line in sorted({line.strip() for line in FORWARDS}):
        with subtests.test(line=line):
            split = split_quotes(
                f"See what Ana says.\n\n{line}\n\nThe hall is blue.\n", subject="Fwd: Colour"
            )
            assert split.kept.strip() == "See what Ana says."


@pytest.mark.parametrize("name", ["de gmx", "zh", "ru bold", "outlook web", "it date"])
def test_a_forwarded_header_block_alone_leaves_the_forwarded_text(name: str) -> None:
    split = split_quotes(f"{BLOCKS[name]}\n\nThe hall is painted blue.\n", subject="WG: x")
    assert split.kept.strip() == "The hall is painted blue."


def test_the_closing_line_of_a_forward_by_mutt_goes_with_it() -> None:
    text = (
        f"----- Forwarded message from Ana <ana@example.org> -----\n\n{HEAD}\n\nThe hall is blue.\n\n"
        "----- End forwarded message -----\n"
    )
    assert split_quotes(text, subject="Fwd: x").kept.strip() == "The hall is blue."


def test_a_comment_below_a_closed_forward_is_kept() -> None:
    text = f"------- Forwarded Message\n\n{HEAD}\n\nBlue.\n\n------- End of Forwarded Message\n\nI like it.\n"
    assert split_quotes(text, subject="Fwd: x").kept.split() == ["Blue.", "I", "like", "it."]
