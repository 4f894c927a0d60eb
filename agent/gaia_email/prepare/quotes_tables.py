"""The words by which mail programs announce a quoted message, as data; read by the `quotes_*` modules.

All entries are case-folded. Facts observed from the output of mail programs in their translations.
"""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


HEADER_KEYS: dict[str, str] = {
    "from": """from|von|de|da|van|från|fra|lähettäjä|od|nadawca|odesílatel|odosielateľ|от|от кого|від|від кого|
        kimden|gönderen|feladó|de la|expeditor|από|差出人|送信者|送信元|发件人|寄件者|寄件人|發件人|보낸사람|
        보낸 사람|
        보낸이|từ|người gửi|dari|expéditeur|remitente|mittente|absender|afzender|avsändare|afsender|avsender|saatja|
        pošiljatelj|מאת|من|จาก|remetente|remitent|siuntėjas|no""",
    "date": """date|datum|data|fecha|dato|päivämäärä|päiväys|дата|tarih|dátum|ημερομηνία|日付|日時|日期|时间|날짜|
        ngày|tanggal|תאריך|التاريخ|วันที่|date and time""",
    "sent": """sent|gesendet|gesendet am|envoyé|envoyé le|envoyé à|enviado|enviado el|enviado em|enviada em|enviada|
        inviato|inviato il|data invio|verzonden|skickat|sendt|lähetetty|wysłano|wysłane|odesláno|odoslané|
        отправлено|надіслано|gönderildi|gönderme tarihi|elküldve|küldve|trimis|στάλθηκε|αποστολή|送信日時|发送时间|
        發送時間|傳送時間|寄件日期|보낸 날짜|보낸날짜|đã gửi|dikirim|sent on|sent at|נשלח|تم الإرسال""",
    "to": """to|an|à|a|para|aan|till|til|vastaanottaja|do|dla|komu|кому|kime|alıcı|címzett|către|catre|προς|宛先|
        收件人|收件者|받는사람|받는 사람|받는이|đến|tới|kepada|untuk|אל|إلى|ถึง|destinataire|destinatario|empfänger|
        per a|kam|za""",
    "cc": """cc|c.c.|kopie|kopie (cc)|copie à|copie|copia|копия|копія|bilgi|másolatot kap|másolat|κοιν.|κοινοποίηση|
        kopia|kopi|kopio|dw|参照|抄送|副本|참조|cco|bcc|đồng gửi|tembusan|reply-to|répondre à|antwort an|
        responder a|importance|wichtigkeit|attachments|anlagen|message-id|in-reply-to|references|mime-version|
        content-type|x-mailer|
        user-agent|list-id|delivered-to|priority|organization|organisation""",
    "subject": """subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|
        тема|konu|tárgy|subiect|θέμα|件名|主题|主旨|主題|標題|제목|chủ đề|tiêu đề|perihal|subjek|נושא|الموضوع|
        เรื่อง|assumpte|teema|zadeva|naslov|относно""",
}

ORIGINAL_MESSAGE = """
    original message|original appointment|original email|original e-mail|original mail|original|original-message|
    ursprüngliche nachricht|originalnachricht|original-nachricht|ursprüngliche e-mail|ursprüngliche mail|
    message d'origine|message d’origine|message original|message initial|courriel d'origine|mensaje original|
    mensaje de origen|correo original|messaggio originale|messaggio di origine|mensagem original|e-mail original|
    oorspronkelijk bericht|oorspronkelijke bericht|origineel bericht|ursprungligt meddelande|originalmeddelande|
    ursprungsmeddelande|oprindelig meddelelse|oprindelig besked|oprindelig mail|opprinnelig melding|
    original melding|opprinnelig meddelelse|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|
    originální zpráva|původní zpráva|původní e-mail|pôvodná správa|исходное сообщение|оригинальное сообщение|
    исходное письмо|первоначальное сообщение|оригінальне повідомлення|початкове повідомлення|вихідне повідомлення|
    özgün ileti|orijinal mesaj|orijinal ileti|özgün mesaj|eredeti üzenet|eredeti levél|mesaj original|
    mesajul original|mesaj inițial|αρχικό μήνυμα|πρωτότυπο μήνυμα|元のメッセージ|元のメール|
    オリジナルメッセージ|原始邮件|原始郵件|原邮件|原始訊息|邮件原件|원본 메시지|원본 메일|원본메일|thư gốc|
    tin nhắn gốc|pesan asli|הודעה מקורית|الرسالة الأصلية|ข้อความต้นฉบับ|izvorna poruka|originalna poruka|
    izvirno sporočilo|оригинално съобщение|algne kiri|algkiri|missatge original|mensaxe orixinal
"""

FORWARDED_MESSAGE = """
    forwarded message|forwarded mail|forwarded email|begin forwarded message|start of forwarded message|
    begin forwarded text|start forwarded message|
    weitergeleitete nachricht|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|
    message transféré|message transmis|message réexpédié|début du message réexpédié|début du message transféré|
    mensaje reenviado|inicio del mensaje reenviado|messaggio inoltrato|inizio messaggio inoltrato|
    mensagem encaminhada|mensagem reencaminhada|início da mensagem encaminhada|início da mensagem reencaminhada|
    doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|vidarebefordrat brev|
    vidarebefordrat mejl|videresendt besked|videresendt meddelelse|start på videresendt besked|
    videresendt melding|videresendt e-post|välitetty viesti|välitetty viesti alkaa|edelleen lähetetty viesti|
    wiadomość przekazana dalej|przekazana wiadomość|przekazywana wiadomość|przesłana wiadomość|
    początek przekazywanej wiadomości|přeposlaná zpráva|začátek přeposlané zprávy|preposlaná správa|
    пересылаемое сообщение|пересланное сообщение|начало переадресованного сообщения|пересланное письмо|
    переадресованное сообщение|переслане повідомлення|переадресоване повідомлення|yönlendirilen ileti|
    iletilmiş mesaj|iletilen ileti|yönlendirilmiş ileti başlangıcı|yönlendirilmiş mesaj|továbbított üzenet|
    továbbított levél|továbbított levél kezdete|a továbbított levél kezdete|mesaj redirecționat|
    mesaj redirecţionat|mesaj transmis|προωθημένο μήνυμα|αρχή προωθημένου μηνύματος|転送メッセージ|
    転送されたメッセージ|転送されたメール|转发的邮件|转发邮件|开始转发邮件|转发的消息|轉寄的郵件|轉寄郵件|
    開始轉寄郵件|전달된 메일|전달된 메시지|전달된 메시지 시작|thư được chuyển tiếp|thư đã chuyển tiếp|
    bắt đầu thư được chuyển tiếp|pesan terusan|pesan yang diteruskan|הודעה שהועברה|رسالة معاد توجيهها|
    proslijeđena poruka|posredovano sporočilo|препратено съобщение|edastatud kiri|missatge reenviat
"""

FORWARDED_BY = ("forwarded by ", "weitergeleitet von ", "transféré par ", "reenviado por ", "inoltrato da ")
"""Lotus Notes puts the forwarder and the time on the dashed line."""

REPLY_ABOVE = (
    "reply above this line",
    "your reply above this line",
    "write above this line",
    "reply above the line",
    "antworten sie oberhalb dieser linie",
    "antwort oberhalb dieser linie",
    "antwort bitte über diese linie",
    "répondre au-dessus de cette ligne",
    "répondez au-dessus de cette ligne",
    "responda por encima de esta línea",
    "responda acima desta linha",
    "rispondi sopra questa riga",
    "reageer boven deze lijn",
)

HIDDEN_QUOTE = (
    "[quoted text hidden]",
    "- show quoted text -",
    "- hide quoted text -",
    "[zitierter text ausgeblendet]",
    "[texte des messages précédents masqué]",
    "[el texto citado está oculto]",
    "[testo tra virgolette nascosto]",
)

VERBS = """
    wrote writes written schrieb schreibt geschrieben schrieben écrit ecrit écrivait escribió escribio escribe escrito
    scritto scrisse scrive escreveu escreve escribiu escriure escrit escrigué schreef geschreven schrijft skrev
    skriver
    skrevet skrivit skrifaði ritaði kirjoitti kirjoittaa kirjutas napisał napisała napisano napisana pisze napsal
    napsala píše napísal napísala написал написала пишет писал писала написав написав(ла) пише писав написа
    пиша napisao napisala napisal piše yazdı yazmış írta írt írja scris έγραψε εγραψε έγραφε viết menulis كتب كتبت
    كتابة نوشت כתב כתבה rašė rakstīja idatzi
"""

WEAK_VERBS = "sent said says asked asks replied responded commented stated sendte skickade stuurde sendete"
"""Verbs of ordinary prose: they announce a quote only with an address or with `>` lines below."""

CJK_VERBS = (
    "写道",
    "寫道",
    "写到",
    "寫到",
    "のメール",
    "書きました",
    "書いた",
    "wrote",
    "작성",
    "썼습니다",
    "님이 씀",
    "เขียน",
)

QUOTING = (
    "quoting ",
    "zitat von ",
    "citando ",
    "citando a ",
    "citát ",
    "citat ",
    "citerar ",
    "quoting",
    "citação de ",
    "excerpts from ",
    "in reply to ",
    "scrive ",
    "selon ",
)

PRONOUNS = _words(
    """
    i you he she we they who it ich du er sie wir ihr j'ai ai je tu il elle nous vous yo tú io ho lei noi ik jij
    wij jag jeg vi hen ja ty my я ты мы он она ви ми
    """
)
"""Someone telling of a letter ("On 3 March I wrote:") names no other sender."""

OPENERS = _words(
    """
    on am at le el il op den em w dne dňa v pe în in στις na vào på pada в у във la ngày σε au lu ma me je ve sa
    di do za lø sø mo mi fr so ti a
    """
)
"""First words of an attribution that opens with its date."""


def phrases(table: str) -> frozenset[str]:
    """The entries of a `|`-separated table, white space around them dropped."""
    return frozenset(entry.strip() for entry in table.split("|") if entry.strip())


ORIGINAL_PHRASES = phrases(ORIGINAL_MESSAGE)
FORWARD_PHRASES = phrases(FORWARDED_MESSAGE)
HEADER_KINDS: dict[str, str] = {
    key: kind for kind, table in HEADER_KEYS.items() for key in sorted(phrases(table))
}
VERB_SET = frozenset(VERBS.split())
WEAK_VERB_SET = frozenset(WEAK_VERBS.split())
