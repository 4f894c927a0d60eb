"""Signatures, device lines and footers of many mail programs and languages are parted from the text."""

from __future__ import annotations

import pytest

from gaia_understanding.prepare.disclaimer import split_disclaimer
from gaia_understanding.prepare.signature import split_signature

BODY = "The blue one is fine for us, and the three of us will be there on Friday."

DEVICES = [
    "Sent from my iPhone", "Sent from my iPad", "Sent from my iPhone.", "Sent from my iPhone 6", "Sent from iPhone",
    "Sent from my Apple Watch", "Sent from my BlackBerry 10 smartphone.", "Sent via BlackBerry by AT&T",
    "Sent from my Verizon Wireless BlackBerry", "Sent from my T-Mobile 4G LTE device", "Sent from my Windows Phone",
    "Sent from Mail for Windows 10", "Sent from Mail for Windows", "Sent from Windows Mail", "Sent from Outlook",
    "Sent from Outlook for Android", "Sent from Outlook Mobile", "Sent from Yahoo Mail on Android",
    "Sent from Yahoo Mail for iPhone", "Sent from AOL Mobile Mail", "Sent from the all new AOL app for iOS",
    "Sent from my Galaxy", "Sent from my Samsung device", "Sent from Samsung Mobile", "Sent from my Pixel 3",
    "Sent from my mobile device", "Sent from my mobile", "Sent from my phone", "Sent from mobile", "Sent from my cell",
    "Sent from my LG phone", "Sent from Gmail Mobile", "Sent from Mailbox", "Sent from Mailspring", "Sent with Spark",
    "Sent via Superhuman", "Sent with Proton Mail secure email.", "Sent from ProtonMail mobile",
    "Sent from Proton Mail for iOS",
    "Sent with ProtonMail Secure Email.", "Sent from myMail for iOS", "Sent from Blue", "Sent from Front",
    "Sent from Nine",
    "Sent with Airmail", "Sent using Zoho Mail", "Sent with Missive", "Sent from Canary", "Sent with Shortwave",
    "Sent via the Samsung Galaxy S9, an AT&T 5G Evolution capable smartphone", "Sent from Spike", "Sent using Hushmail",
    "Sent from my Sony Xperia\u2122 smartphone", "Sent from my Huawei phone", "Sent from my Nokia", "Sent from TypeApp",
    "[Sent from my iPhone]", "(Sent from my iPhone)", "* Sent from my iPhone *", "--Sent from my iPhone",
    "~ Sent from my iPad ~",
    "Sent from my iPhone, please excuse typos", "Sent from my iPhone. Please excuse brevity and typos.",
    "Sent from my phone, please excuse any typos.", "Sent on the go", "Typed with thumbs on my iPhone",
    "Get Outlook for Android", "Get Outlook for iOS", "Get Outlook for Mac", "Get BlueMail for Android",
    "Von meinem iPad gesendet", "Von meinem iPhone gesendet", "Von meinem Samsung Galaxy Smartphone gesendet.",
    "Gesendet von meinem iPhone", "Gesendet mit der GMX Mail App", "Gesendet mit der Telekom Mail App",
    "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
    "Gesendet von Mail für Windows 10",
    "Von Samsung Mobile gesendet", "Von meinem Smartphone gesendet", "Gesendet von Outlook für Android",
    "Gesendet von Yahoo Mail auf Android", "Von unterwegs gesendet", "Holen Sie sich Outlook für iOS",
    "Envoyé de mon iPhone", "Envoyé de mon iPad", "Envoyé depuis mon smartphone Samsung Galaxy.",
    "Envoyé de mon mobile",
    "Envoyé à partir d\u2019Outlook pour Android", "Envoyé à partir de Yahoo Mail sur Android",
    "Télécharger Outlook pour iOS",
    "Envoyé depuis l'application Mail Orange", "Provenance : Courrier pour Windows 10",
    "Enviado desde mi iPhone", "Enviado desde mi iPad", "Enviado desde mi smartphone Samsung Galaxy.",
    "Enviado desde Yahoo Mail para Android", "Enviado desde Correo para Windows 10", "Obtener Outlook para Android",
    "Enviado do meu iPhone", "Enviado do meu iPad", "Enviado do Yahoo Mail no Android", "Enviado via iPhone",
    "Enviado de meu smartphone Samsung Galaxy.", "Enviado do Email para Windows 10", "Obter o Outlook para Android",
    "Obtenha o Outlook para iOS", "Enviado a partir do meu smartphone Samsung Galaxy.",
    "Inviato da iPhone", "Inviato da iPad", "Inviato dal mio iPhone", "Inviato da smartphone Samsung Galaxy.",
    "Inviato da Yahoo Mail su Android", "Inviato da Posta per Windows 10", "Inviato dal mio dispositivo Samsung",
    "Scarica Outlook per iOS",
    "Verstuurd vanaf mijn iPhone", "Verzonden vanaf mijn Samsung Galaxy-smartphone.", "Verstuurd vanaf mijn iPad",
    "Verzonden vanuit Mail voor Windows 10", "Outlook voor iOS downloaden", "Verzonden met de KPN Mail app",
    "Skickat från min iPhone", "Skickat från min iPad", "Skickat från min Samsung Galaxy smartphone.",
    "Skickades från min iPhone",
    "Skickat från E-post för Windows 10", "Hämta Outlook för iOS", "Skaffa Outlook för Android",
    "Sendt fra min iPhone", "Sendt fra min iPad", "Sendt fra min Samsung Galaxy smartphone.", "Hent Outlook til iOS",
    "Få Outlook for iOS", "Sendt fra Mail til Windows 10", "Sendt fra E-post for Windows", "Sendt fra mobilen min",
    "Lähetetty iPhonesta", "Lähetetty laitteesta iPhone", "Lähetetty Samsung Galaxy -älypuhelimesta.",
    "Hanki Outlook for Android",
    "Wysłane z iPhone'a", "Wysłane z mojego iPhone'a", "Wysłane z iPada", "Wysłane z telefonu Samsung Galaxy",
    "Pobierz aplikację Outlook dla systemu iOS", "Wysłano z aplikacji Poczta Wirtualna Polska",
    "Odesláno z iPhonu", "Odesláno z mého iPhonu", "Odesláno z mobilu", "Získat Outlook pro Android",
    "Odesláno ze Seznamu",
    "Odoslané z iPhonu", "Odoslané z môjho iPhonu", "Získať Outlook pre iOS",
    "Az iPhone-omról küldve", "iPhone készülékemről küldve", "Elküldve az iPhone-omról",
    "Az Outlook for iOS beszerzése",
    "Trimis de pe iPhone-ul meu", "Trimis de pe iPhone", "Trimis din Yahoo Mail pe Android",
    "Descărcați Outlook pentru iOS",
    "Отправлено с iPhone", "Отправлено с моего iPhone", "Отправлено из мобильной Яндекс.Почты",
    "Отправлено из Mail.ru для Android",
    "Отправлено из Почты Mail.ru", "Отправлено с устройства Samsung", "Скачайте Outlook для iOS",
    "Отправлено из Outlook",
    "Надіслано з iPhone", "Надіслано з мого iPhone", "Надіслано з мобільного пристрою",
    "Надіслано з Outlook для Android",
    "Изпратено от моя iPhone", "Изпратено от iPhone", "Изтеглете Outlook за iOS",
    "Στάλθηκε από το iPhone μου", "Εστάλη από το iPhone μου", "Αποστολή από το iPhone μου", "Λήψη του Outlook για iOS",
    "iPhone'umdan gönderildi", "iPad'imden gönderildi", "Samsung Galaxy akıllı telefonumdan gönderildi.",
    "iOS için Outlook'u edinin",
    "أُرسلت من الـ iPhone", "تم الإرسال من iPhone الخاص بي", "مرسل من هاتفي", "الحصول على Outlook لـ iOS",
    "أرسلت من جهاز Samsung",
    "נשלח מה-iPhone שלי", "נשלח מהאייפון שלי", "קבל את Outlook עבור iOS",
    "发自我的iPhone", "发自我的 iPhone", "从我的 iPhone 发送", "发自我的华为手机", "來自我的 iPhone",
    "從我的iPhone傳送", "从我的iPad发送",
    "获取 Outlook for iOS", "取得 iOS 版 Outlook", "发送自 Windows 10 版邮件应用", "发自网易邮箱大师",
    "從我的 Samsung 手機傳送",
    "iPhoneから送信", "iPadから送信", "私のiPhoneから送信", "Yahoo!メール for iPhoneから送信",
    "Outlook for iOS を入手", "Windows 版のメールから送信",
    "나의 iPhone에서 보냄", "내 iPhone에서 보냄", "iPhone에서 보냄", "삼성 Galaxy 스마트폰에서 보냈습니다.",
    "iOS용 Outlook 다운로드",
    "Đã gửi từ iPhone của tôi", "Được gửi từ iPhone của tôi", "Đã gửi từ iPad của tôi", "Tải Outlook cho iOS",
    "Dikirim dari iPhone saya", "Terkirim dari iPhone saya", "Dikirim dari Yahoo Mail di Android",
    "Dapatkan Outlook untuk iOS",
    "Enviat des del meu iPhone", "Poslano s mog iPhonea", "Poslano iz mojega iPhona", "Saadetud minu iPhone'ist",
]  # fmt: skip


def test_a_device_line_is_a_signature(subtests: pytest.Subtests) -> None:
    for line in DEVICES:
        with subtests.test(line=line):
            split = split_signature(
                f"{BODY}\n\n{line}\n", sender_name="Bo Berg", sender_address="bo@example.org"
            )
            assert (split.kept, split.removed) == (BODY, line)


CLOSINGS = [
    "Best regards", "Kind regards", "Warm regards", "Warmest regards", "Regards", "With best regards",
    "With kind regards",
    "Best wishes", "With best wishes", "All the best", "Best", "Cheers", "Yours sincerely", "Sincerely",
    "Sincerely yours",
    "Yours faithfully", "Yours truly", "Many thanks", "Thanks", "Thanks again", "Thanks in advance", "Thank you",
    "Thanks and regards", "Thanks & Regards", "Thank you and best regards", "Respectfully", "Cordially",
    "Take care", "Love",
    "Talk soon", "See you", "Have a nice day", "Have a great weekend", "Looking forward to hearing from you",
    "In solidarity",
    "Mit freundlichen Grüßen", "Mit freundlichem Gruß", "Freundliche Grüße", "Freundliche Grüsse", "Viele Grüße",
    "Liebe Grüße",
    "Beste Grüße", "Herzliche Grüße", "Schöne Grüße aus Berlin", "Mit besten Grüßen", "Gruß", "Grüße", "LG", "VG",
    "MfG",
    "Hochachtungsvoll", "Vielen Dank und viele Grüße", "Danke und Gruß", "Einen schönen Tag noch", "Bis bald", "Servus",
    "Mit freundlichen Gruessen", "Cordialement", "Bien cordialement", "Bien à vous", "Bien à toi", "Amicalement",
    "Sincèrement",
    "Salutations distinguées", "Meilleures salutations", "Avec mes salutations", "Très cordialement",
    "Bonne journée", "À bientôt",
    "Bonne soirée", "Bises", "Merci d'avance", "Respectueusement", "Belle journée", "Saludos", "Un saludo",
    "Saludos cordiales",
    "Un cordial saludo", "Atentamente", "Atte.", "Un abrazo", "Cordialmente", "Reciba un cordial saludo",
    "Muchas gracias", "Besos",
    "Quedo a la espera de su respuesta", "Cordiali saluti", "Distinti saluti", "Un caro saluto", "Saluti",
    "Grazie e saluti",
    "Buona giornata", "A presto", "Cordialmente", "Un abbraccio", "Grazie mille", "Atenciosamente", "Att.",
    "Abraços", "Um abraço",
    "Cumprimentos", "Com os melhores cumprimentos", "Melhores cumprimentos", "Obrigado", "Obrigada", "Cordialmente",
    "Beijinhos",
    "Grato", "Com os meus cumprimentos", "Met vriendelijke groet", "Met vriendelijke groeten", "Vriendelijke groet",
    "Groeten",
    "Groetjes", "Hartelijke groet", "Mvg", "Met hartelijke groeten", "Hoogachtend", "Alvast bedankt", "Fijne dag",
    "Gr.",
    "Med venlig hilsen", "Venlig hilsen", "Bedste hilsner", "Mange hilsner", "Kærlig hilsen", "Mvh", "Hilsen",
    "De bedste hilsner",
    "Med vänlig hälsning", "Med vänliga hälsningar", "Vänliga hälsningar", "Hälsningar", "Bästa hälsningar",
    "Vänligen", "Mvh",
    "Med vennlig hilsen", "Vennlig hilsen", "Beste hilsen", "Hilsen", "Ha en fin dag", "Ystävällisin terveisin",
    "Terveisin",
    "Parhain terveisin", "T.", "Yst. terv.", "Kiitos", "Pozdrawiam", "Z poważaniem", "Z wyrazami szacunku",
    "Serdecznie pozdrawiam",
    "Pozdrawiam serdecznie", "Łączę pozdrowienia", "Miłego dnia", "Dziękuję i pozdrawiam", "S pozdravem",
    "S přátelským pozdravem",
    "Hezký den", "Děkuji", "S úctou", "Zdravím", "S pozdravom", "S úctou", "Pekný deň", "Ďakujem", "Üdvözlettel",
    "Tisztelettel",
    "Üdv", "Köszönettel", "Szép napot", "Baráti üdvözlettel", "Cu stimă", "Cu respect", "Numai bine", "O zi bună",
    "Cu drag",
    "Vă mulțumesc", "С уважением", "С наилучшими пожеланиями", "Всего доброго", "Всего хорошего", "Хорошего дня",
    "Спасибо",
    "Заранее спасибо", "Искренне Ваш", "З повагою", "З найкращими побажаннями", "Дякую", "Гарного дня",
    "С уважение", "Поздрави",
    "Благодаря", "Хубав ден", "Με εκτίμηση", "Με φιλικούς χαιρετισμούς", "Φιλικά", "Ευχαριστώ", "Με τιμή",
    "Saygılarımla",
    "Saygılar", "İyi çalışmalar", "İyi günler", "Teşekkürler", "Selamlar", "Sevgiler", "مع أطيب التحيات",
    "مع التحية", "تحياتي",
    "مع خالص التقدير", "شكرا", "שלך", "בברכה", "תודה", "בכבוד רב", "בברכה חמה", "此致", "祝好", "谢谢", "敬上",
    "顺祝商祺",
    "祝您工作顺利", "此致敬礼",
    "謝謝", "以上、よろしくお願いいたします。", "よろしくお願いします。", "よろしくお願いいたします。", "敬具",
    "ありがとうございます。", "どうぞよろしくお願い致します。",
    "감사합니다.", "감사합니다", "고맙습니다", "Trân trọng", "Thân mến", "Xin cảm ơn", "Trân trọng cảm ơn",
    "Kính thư", "Salam",
    "Hormat saya",
    "Salam hangat", "Terima kasih", "Hormat kami", "Terima kasih dan salam",
]  # fmt: skip
NAMES = ["Bo Berg"]


def test_a_closing_and_the_name_below_are_a_signature(subtests: pytest.Subtests) -> None:
    for closing in sorted(set(CLOSINGS)):
        with subtests.test(closing=closing):
            comma = "" if closing[-1] in ".。" else ","
            block = f"{closing}{comma}\nBo Berg"
            split = split_signature(
                f"{BODY}\n\n{block}\n", sender_name="Bo Berg", sender_address="bo@example.org"
            )
            assert (split.kept, split.removed) == (BODY, block)


BLOCKS = {
    "dashes, name": "-- \nBo Berg\nTeam lead, Example Ltd.",
    "dashes, quote": "-- \nA rolling stone gathers no moss; the early bird finds the worm.",
    "dashes, links": "--\nBo Berg\nhttps://example.org/bo | @boberg\n+47 22 00 00 00",
    "three dashes": "---\nBo Berg\nExample Ltd\nbo@example.org",
    "many dashes": "-----------------------------\nBo Berg\nExample Ltd\n+47 22 00 00 00",
    "underscores, two": "__\nBo Berg\nbo@example.org",
    "underscores": "_____________________________\nBo Berg, PhD\nSenior Researcher\nUniversity of "
    "Example\nbo@example.org",
    "em dashes": "\u2014\u2014\u2014\nBo Berg\nbo@example.org",
    "stars": "**********************\nBo Berg\nExample Ltd\nTel: 22 00 00 00\n**********************",
    "equals": "=====================\nBo Berg\nExample Ltd\nTel: 22 00 00 00",
    "dash space name": "- Bo",
    "tilde": "~Bo",
    "em dash name": "\u2014 Bo Berg",
    "initial": "/Bo",
    "swedish slash": "//Bo Berg",
    "initials": "Best,\nB.",
    "pipe line": "Bo Berg | Team Lead | Example Ltd | +47 22 00 00 00",
    "pipes below": "Bo Berg\nTeam Lead | Example Ltd\nm: +47 22 00 00 00 | e: bo@example.org",
    "bold name": "*Bo Berg*\n*Team Lead*\nExample Ltd\nT: +47 22 00 00 00",
    "closing, company": "Kind regards,\n\nBo Berg\nTeam Lead\nExample Ltd\n12 High Street\nLondon SW1A "
    "1AA\nTel: 020 7946 0000\nwww.example.org",
    "closing, pronouns": "Best,\nBo Berg (he/him)\nTeam Lead, Example",
    "closing, degrees": "Sincerely,\n\nBo Berg, M.D., Ph.D.\nProfessor of Medicine\nExample University Hospital",
    "closing and phone": "Thanks,\nBo Berg\n(555) 010-0199",
    "closing and handle": "Cheers,\nBo\n@boberg",
    "closing, device": "Thanks\nBo\n\nSent from my iPhone",
    "closing, two blank": "Regards,\n\n\n\nBo Berg",
    "closing, logo": "Best regards,\n\nBo Berg\nTeam Lead\n[cid:image001.png@01CFF9E0.12345678]\nExample Ltd",
    "closing, social": "Best regards,\nBo Berg\nTeam Lead\nExample Ltd\nTwitter: @boberg\nLinkedIn: "
    "linkedin.com/in/boberg\nSkype: bo.berg",
    "de": "Mit freundlichen Grüßen\n\ni. A. Bo Berg\nVertrieb\n\nBeispiel GmbH\nHauptstraße 1\n10115 "
    "Berlin\nTel. +49 30 000000\nwww.example.org",
    "de dr": "Viele Grüße\n\nDr. Bo Berg\nLeiter Forschung",
    "fr": "Bien cordialement,\n\nBo BERG\nResponsable commercial\nExemple SARL\n12, rue de la Paix\n75002 "
    "Paris\nTél. : 01 00 00 00 00",
    "es": "Un saludo,\n\nBo Berg\nDirector de ventas\nEjemplo, S.L.\nC/ Mayor, 1\n28013 Madrid\nTlf.: 910 000 000",
    "it": "Cordiali saluti,\n\nDott. Bo Berg\nResponsabile vendite\nEsempio S.r.l.\nVia Roma 1, 00100 "
    "Roma\nTel. 06 0000000",
    "pt": "Atenciosamente,\n\nBo Berg\nGerente de Vendas\nExemplo Ltda.\n(11) 0000-0000",
    "nl": "Met vriendelijke groet,\n\nBo Berg\nAccountmanager\nVoorbeeld B.V.\nT 020 000 0000\nwww.example.org",
    "sv": "Med vänlig hälsning\n\nBo Berg\nProjektledare\nExempel AB\nTel: 08-000 00 00",
    "ru": "С уважением,\nБо Берг\nменеджер по продажам\nООО «Пример»\nтел.: +7 495 000-00-00",
    "pl": "Pozdrawiam\nBo Berg\nSpecjalista ds. sprzedaży\nPrzykład Sp. z o.o.\ntel. 22 000 00 00",
    "cs": "S pozdravem\n\nBo Berg\nobchodní zástupce\nPříklad s.r.o.\ntel.: +420 200 000 000",
    "zh": "此致\n敬礼\n\n王小明\n销售经理\n电话：010-00000000\n邮箱：bo@example.org",
    "ja": "--\n株式会社サンプル\n営業部 山田太郎\nTEL: 03-0000-0000\nE-mail: bo@example.org",
    "ja box": "━━━━━━━━━━━━━━━━━━━━\n株式会社サンプル\n営業部 山田太郎\nTEL: 03-0000-0000\n"
    "bo@example.org\n━━━━━━━━━━━━━━━━━━━━",
    "ja stars": "**********************************\n株式会社サンプル 営業部\n"
    "山田太郎\n〒100-0001 東京都千代田区1-1\nTEL: "
    "03-0000-0000\n**********************************",
    "ko": "감사합니다.\n홍길동 드림",
    "ko block": "감사합니다.\n\n홍길동\n영업팀 과장\n주식회사 예시\nTel: 02-000-0000",
    "tr": "Saygılarımla,\nBo Berg\nSatış Müdürü\nÖrnek A.Ş.\nTel: +90 212 000 00 00",
    "no closing": "Bo Berg\nTeam Lead\nExample Ltd\n+47 22 00 00 00\nbo@example.org",
    "no closing, address": "Bo Berg\nExample Ltd\n12 High Street, Springfield, IL 62701\nOffice: "
    "555-010-0100\nCell: 555-010-0101",
    "name and link": "Bo Berg\nhttps://example.org/bo",
}


def test_a_block_is_taken_whole(subtests: pytest.Subtests) -> None:
    for name, block in BLOCKS.items():
        with subtests.test(name):
            split = split_signature(
                f"Hi Ana,\n\n{BODY}\n\n{block}\n", sender_name="Bo Berg", sender_address="bo@example.org"
            )
            assert (split.kept, split.removed) == (f"Hi Ana,\n\n{BODY}", block)


UNKNOWN = [
    "dashes, name",
    "closing, company",
    "closing and phone",
    "closing, degrees",
    "de",
    "fr",
    "es",
    "it",
    "nl",
    "ru",
    "no closing",
]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_block_is_found_without_knowing_the_sender(name: str) -> None:
    split = split_signature(f"Hi Ana,\n\n{BODY}\n\n{BLOCKS[name]}\n")
    assert (split.kept, split.removed) == (f"Hi Ana,\n\n{BODY}", BLOCKS[name])


CONTENT = [
    "- milk\n- bread\n- tea",
    "-- milk\n-- bread",
    "* milk\n* bread",
    "Sent from my old address, so please update your book.",
    "Sent from the warehouse on Monday, it should arrive on Friday.",
    "I sent it from my iPhone and it never arrived.",
    "Get the milk for me?",
    "Best thing that happened all year!",
    "Best price: 20 euros",
    "Thanks to Kim, all is well.",
    "Love the new colour!",
    "Cheers for the other day, it was fun.",
    "Regards the colour: blue.",
    "All the best people will be there.",
    "Call Kim Vale, 555-010-0100",
    "The number is 555-010-0100.",
    "My address is 12 High Street, London.",
    "Kim Vale\nLee Oak\nRobin Ash\nall want to come.",
    "Berlin",
    "Blue\nRed\nGreen",
    "Monday 10:00\nFriday 16:05",
    "Total 20.00\nPaid 10.00\nDue 10.00",
    "Gracias por todo, estuvo muy bien.",
    "Danke für die Mühe, das hat geholfen.",
    "Merci de me rappeler.",
    "Yours is the blue one.",
    "See you on Friday at the station.",
    "x = a - b\ny = a -- b",
    "Username: bo\nPassword: secret1",
    "Room 12\nSecond floor",
    "What do you think?",
    "Wi-Fi: Example\nKey: 00000000",
    "Kind of you to ask.",
]


def test_the_last_words_of_the_sender_stay(subtests: pytest.Subtests) -> None:
    for text in CONTENT:
        with subtests.test(text=text):
            whole = f"{BODY}\n\n{text}"
            assert (
                split_signature(whole, sender_name="Bo Berg", sender_address="bo@example.org").kept == whole
            )


FOOTERS = [
    "This email and any attachments are confidential and intended solely for the addressee.",
    "CONFIDENTIALITY NOTICE: The contents of this email message are confidential.",
    "If you are not the intended recipient, please notify the sender immediately and delete this message.",
    "_______________________________________________\nGarden mailing list\nGarden@lists.example.org\n"
    "https://lists.example.org/mailman/listinfo/garden",
    "_______________________________________________\nGarden mailing list -- garden@lists.example.org\n"
    "To unsubscribe send an email to garden-leave@lists.example.org",
    '-- \nYou received this message because you are subscribed to the Google Groups "Garden" group.\n'
    "To unsubscribe from this group and stop receiving emails from it, send an email to "
    "garden+unsubscribe@example.org.",
    "---------------------------------------------------------------------\n"
    "To unsubscribe, e-mail: dev-unsubscribe@example.org\nFor additional commands, e-mail: dev-help@example.org",
    '--\nTo unsubscribe from this list: send the line "unsubscribe garden" in\nthe body of a message to '
    "majordomo@example.org",
    "Unsubscribe | Update your profile | Privacy policy",
    "If you no longer wish to receive these emails, you can unsubscribe here.",
    "Please consider the environment before printing this email.",
    "Please think of the environment before printing this e-mail.",
    "This message has been scanned for viruses and dangerous content by MailScanner, and is believed to be clean.",
    "This email has been checked for viruses by AVG antivirus software.\nwww.avg.com",
    "Virus-free. www.avast.com",
    "Diese E-Mail enthält vertrauliche und/oder rechtlich geschützte Informationen.",
    "Wenn Sie nicht der richtige Adressat sind oder diese E-Mail irrtümlich erhalten haben, informieren Sie "
    "bitte den Absender.",
    "Bitte denken Sie an die Umwelt, bevor Sie diese E-Mail ausdrucken.",
    "Diese E-Mail wurde von Avast Antivirus-Software auf Viren geprüft.",
    "Ce message et toutes les pièces jointes sont confidentiels et établis à l'intention exclusive de ses "
    "destinataires.",
    "Pensez à l'environnement avant d'imprimer ce message.",
    "Si vous ne souhaitez plus recevoir nos messages, vous pouvez vous désabonner.",
    "Este mensaje y sus archivos adjuntos son confidenciales y van dirigidos exclusivamente a su destinatario.",
    "Antes de imprimir este correo piense si es necesario. El medio ambiente es cosa de todos.",
    "Este correo electrónico ha sido comprobado en busca de virus por Avast.",
    "Questo messaggio e i suoi allegati sono indirizzati esclusivamente alle persone indicate e contengono "
    "informazioni riservate.",
    "Rispetta l'ambiente: non stampare questa mail se non è necessario.",
    "Esta mensagem é confidencial e destina-se exclusivamente ao seu destinatário.",
    "Antes de imprimir, pense no meio ambiente.",
    "Dit bericht kan vertrouwelijke informatie bevatten en is uitsluitend bestemd voor de geadresseerde.",
    "Detta meddelande kan innehålla konfidentiell information och är endast avsett för adressaten.",
    "Denne e-mail kan indeholde fortrolige oplysninger.",
    "Treść tej wiadomości jest poufna i przeznaczona wyłącznie dla adresata.",
    "Tato zpráva je důvěrná a je určena pouze adresátovi.",
    "Данное сообщение содержит конфиденциальную информацию и предназначено только для адресата.",
    "Bu e-posta ve ekleri gizli bilgiler içerebilir.",
    "本邮件及其附件含有保密信息，仅限于发送给上面地址中列出的个人或群组。",
    "本メールには機密情報が含まれている場合があります。",
]


def test_a_footer_is_parted_from_the_text(subtests: pytest.Subtests) -> None:
    for footer in FOOTERS:
        with subtests.test(footer=footer):
            split = split_disclaimer(f"Hi Ana,\n\n{BODY}\n\n{footer}\n")
            assert (split.kept, split.removed) == (f"Hi Ana,\n\n{BODY}", footer)
