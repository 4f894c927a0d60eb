"""The words by which mail programs announce a quoted message, as data; read by the `quotes_*` modules.

All entries are case-folded. Facts observed from the output of mail programs in their translations.
"""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.casefold().split())


HEADER_KEYS: dict[str, str] = {
    "from": """from|von|de|da|van|från|fra|lähettäjä|od|nadawca|odesílatel|odosielateľ|от|от кого|від|від кого|
        kimden|gönderen|feladó|de la|expeditor|από|差出人|送信者|送信元|发件人|寄件者|寄件人|發件人|보낸사람|
        보낸 사람|
        보낸이|từ|người gửi|dari|expéditeur|remitente|mittente|absender|afzender|avsändare|afsender|avsender|saatja|
        pošiljatelj|מאת|من|จาก|remetente|remitent|siuntėjas|nuo|no|frá|od koga|šalje|saatnud|đến từ|pengirim""",
    "date": """date|datum|data|fecha|dato|päivämäärä|päiväys|дата|tarih|dátum|ημερομηνία|日付|日時|日期|时间|날짜|
        ngày|tanggal|תאריך|التاريخ|วันที่|date and time|message du|kuupäev|datums|dagsetning|dags|čas""",
    "sent": """sent|gesendet|gesendet am|envoyé|envoyé le|envoyé à|enviado|enviado el|enviado em|enviada em|enviada|
        inviato|inviato il|data invio|verzonden|skickat|sendt|lähetetty|wysłano|wysłane|odesláno|odoslané|
        отправлено|надіслано|gönderildi|gönderme tarihi|elküldve|küldve|trimis|στάλθηκε|αποστολή|送信日時|发送时间|
        發送時間|傳送時間|寄件日期|보낸 날짜|보낸날짜|đã gửi|dikirim|sent on|sent at|date sent|
        נשלח|تم الإرسال|تاريخ الإرسال|ส่ง|изпратено|изпратено на|poslano|poslato|poslané|saadetud|išsiųsta|nosūtīts|
        enviat|sent date|lähetysaika|päivä|lähetetty klo|verstuurd|versendet|versandt|verzonden op|skickat den|
        sendt den|odesláno dne|wysłano dnia|trimis la|data wysłania|дата отправки|отправлен|послано""",
    "to": """to|an|à|a|para|aan|till|til|vastaanottaja|do|dla|komu|кому|kime|alıcı|címzett|către|catre|προς|宛先|
        收件人|收件者|받는사람|받는 사람|받는이|đến|tới|kepada|untuk|אל|إلى|ถึง|destinataire|destinatario|empfänger|
        per a|kam|za|до|prima|primatelj|adressaat|saaja|kellele|cãtre|destinatário|mottaker|modtager|mottagare|
        ontvanger|odbiorca|adresat|příjemce|получатель|одержувач|получател|παραλήπτης|penerima|người nhận|recipient""",
    "cc": """cc|c.c.|kopie|kopie (cc)|copie à|copie|copia|копия|копія|bilgi|másolatot kap|másolat|κοιν.|κοινοποίηση|
        kopia|kopi|kopio|dw|参照|抄送|副本|참조|cco|bcc|đồng gửi|tembusan|reply-to|répondre à|antwort an|
        responder a|importance|wichtigkeit|attachments|anlagen|message-id|in-reply-to|references|mime-version|
        content-type|x-mailer|
        user-agent|list-id|delivered-to|priority|organization|organisation|reply to|sender|bijlagen|bijlage|allegati|
        adjuntos|datos adjuntos|anexos|pièces jointes|pièce jointe|bilagor|vedlegg|vedhæftede filer|liitteet|
        załączniki|přílohy|prílohy|вложения|вкладення|ekler|附件|添付ファイル|첨부|prioriteit|priorité|
        importancia|importanza|prioridad|prioridade|prioritet|ważność|důležitost|vigtighed|viktighet|prioritas|
        kopija|másolatot kap|dw|udw|skrytá kopie|скрытая копия|kopii|koopia|copies|copies à|mailed-by|signed-by|
        betreff der nachricht|return-path|received""",
    "subject": """subject|betreff|objet|sujet|asunto|oggetto|assunto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|
        тема|konu|tárgy|subiect|θέμα|件名|主题|主旨|主題|標題|제목|chủ đề|tiêu đề|perihal|subjek|נושא|الموضوع|
        เรื่อง|assumpte|teema|zadeva|naslov|относно|efni|ogg|pavadinimas|тема письма|tytuł|rubrik|vec|
        betr""",
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
    izvirno sporočilo|оригинално съобщение|algne kiri|algkiri|missatge original|mensaxe orixinal|
    reply message|original text|originalmail|originalnachricht der mail|original nachricht|mail original|
    e-mail d'origine|
    e-mail initial|courriel original|courriel initial|mail d'origine|texte d'origine|e-mail originale|mail originale|
    email originale|email original|e-mail original|mensaje inicial|texto original|original meddelelse|
    oprindelig e-mail|oprindelige meddelelse|original besked|opprinnelig e-post|opprinnelig mail|original e-post|
    ursprungligt mejl|ursprungligt e-postmeddelande|ursprungligt mail|ursprunglig e-post|originalt meddelande|
    alkuperäinen sähköposti|alkuperäinen sähköpostiviesti|alkuperäinen posti|
    pierwotna wiadomość|oryginalny e-mail|oryginalny list|treść oryginalnej wiadomości|původní e-mailová zpráva|
    původní mail|pôvodný e-mail|pôvodný mail|pôvodná e-mailová správa|originálna správa|eredeti e-mail|eredeti email|
    mesajul inițial|mesaj iniţial|mesaj iniţial|e-mail original|исходный текст|исходное сообщение письма|
    оригинал сообщения|оригинальное письмо|изначальное сообщение|початковий лист|оригінал повідомлення|
    оригинално писмо|първоначално съобщение|оригиналното съобщение|изходно съобщение|оригинална порука|
    изворна порука|orijinal e-posta|özgün e-posta|asıl ileti|orjinal mesaj|orjinal ileti|
    αρχικό e-mail|αρχικό email|μήνυμα προέλευσης|رسالة أصلية|الرسالة الاصلية|النص الأصلي|البريد الأصلي|
    ההודעה המקורית|דואר מקורי|پیام اصلی|原始信件|原始邮件信息|原信|原文|原邮件内容|原始消息|回复的原邮件|
    回复的原件|回复邮件|
    原始メッセージ|元メール|元のメッセージ内容|オリジナル メッセージ|원본 이메일|원본이메일|원본메시지|원문|원래 메시지|
    email gốc|tin gốc|thông điệp gốc|nội dung gốc|pesan awal|email asli|mesej asal|surat asli|
    izvorno sporočilo|izvorni e-mail|originalno sporočilo|originaali sõnum|algne sõnum|originalus laiškas|
    originalus pranešimas|pradinis laiškas|sākotnējais ziņojums|oriģinālais ziņojums|upprunaleg skilaboð|
    upphaflegur póstur|missatge inicial|jatorrizko mezua
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
    proslijeđena poruka|posredovano sporočilo|препратено съобщение|edastatud kiri|missatge reenviat|
    end forwarded message|end of forwarded message|end forwarded text|forwarded e-mail|forwarded|
    weitergeleitete mail|weitergeleitete e-mail|weitergeleitete email|ende der weitergeleiteten nachricht|
    message transféré de|courriel transféré|mail transféré|e-mail transféré|fin du message transféré|
    fin du message réexpédié|correo reenviado|mensaje remitido|fin del mensaje reenviado|mail inoltrata|
    e-mail inoltrata|messaggio inoltrato da|fine messaggio inoltrato|e-mail encaminhado|e-mail encaminhada|
    mensagem original encaminhada|fim da mensagem encaminhada|doorgestuurde e-mail|doorgestuurde mail|
    doorgezonden bericht|einde doorgestuurd bericht|vidarebefordrad e-post|vidarebefordrat e-postmeddelande|
    vidarebefordrat mail|start på vidarebefordrat brev|börjar vidarebefordrat brev|videresendt mail|
    videresendt e-mail|begynnelse på videresendt melding|start på videresendt melding|slut på videresendt besked|
    edelleenlähetetty viesti|edelleen lähetetty sähköposti|välitetty sähköposti|
    przekazany e-mail|przekazany list|wiadomość przesłana dalej|przesłana dalej wiadomość|
    koniec przekazywanej wiadomości|
    přeposlaný e-mail|přeposlaný mail|přeposlaná e-mailová zpráva|preposlaný e-mail|začiatok preposlanej správy|
    továbbított e-mail|továbbított üzenet kezdete|mesaj redirectionat|început mesaj redirecționat|mesaj înaintat|
    începutul mesajului redirecționat|
    перенаправленное сообщение|переадресованное письмо|пересылаемое письмо|начало пересылаемого сообщения|
    начало пересланного сообщения|конец пересылаемого сообщения|конец переадресованного сообщения|
    перенаправлене повідомлення|пересланий лист|початок переадресованого повідомлення|початок пересланого повідомлення|
    препратен имейл|препратено писмо|начало на препратеното съобщение|прослеђена порука|
    προωθημένο email|προωθημένο e-mail|προωθούμενο μήνυμα|έναρξη προωθημένου μηνύματος|
    iletilen e-posta|yönlendirilmiş ileti|yönlendirilen mesaj|yönlendirilmiş e-posta|iletilmiş ileti|
    iletilmiş iletinin başlangıcı|iletilen mesaj|iletilen iletinin başlangıcı|
    رسالة مُعاد توجيهها|رسالة محولة|الرسالة المعاد توجيهها|بداية الرسالة المعاد توجيهها|رسالة تمت إعادة توجيهها|
    بدء الرسالة المعاد توجيهها|דואר שהועבר|תחילת ההודעה שהועברה|הודעה מועברת|پیام ارسال‌شده|پیام بازارسال‌شده|
    开始转发的邮件|转发信息|转发消息|转发的信息|转发邮件信息|轉寄的訊息|轉寄訊息|轉寄信件|已轉寄的郵件|已轉寄郵件|
    開始轉寄的郵件|已转发邮件|被转发邮件|転送メール|転送メッセージの開始|転送された電子メール|
    転送されたメッセージここから|
    전달된 이메일|전달 메시지|전달 메일|전달된메일|전달하는 메시지|chuyển tiếp thư|thư chuyển tiếp|
    tin nhắn được chuyển tiếp|
    email được chuyển tiếp|email chuyển tiếp|tin nhắn đã chuyển tiếp|pesan diteruskan|email diteruskan|email terusan|
    awal pesan terusan|mulai pesan terusan|mesej dimajukan|proslijeđeni e-mail|početak proslijeđene poruke|
    prosljeđena poruka|prosleđena poruka|posredovano e-sporočilo|začetek posredovanega sporočila|edasisaadetud kiri|
    edastatud sõnum|persiųstas laiškas|persiųstas pranešimas|persiunčiamas laiškas|pārsūtīts ziņojums|
    pārsūtītais ziņojums|áframsendur póstur|áframsend skilaboð|inici del missatge reenviat|missatge tramès|
    mensaxe reenviada|birbidalitako mezua|ข้อความที่ส่งต่อ
"""

FORWARDED_BY = ("forwarded by ", "weitergeleitet von ", "transféré par ", "reenviado por ", "inoltrato da ",
    "forwarded message from ", "forwarded message by ", "forwarded mail from ", "weitergeleitete nachricht von ",
    "doorgestuurd door ", "videresendt af ", "videresendt av ", "vidarebefordrat av ", "encaminhado por ",
    "message transféré de ", "mensaje reenviado de ", "messaggio inoltrato da ", "przekazane przez ", "переслано ",
    "end forwarded message")  # fmt: skip
"""Lotus Notes puts the forwarder and the time on the dashed line."""

ABOVE_LINE = _words(
    """
    above|line über|zeile oberhalb|zeile über|linie oberhalb|linie darüber|zeile au-dessus|ligne dessus|ligne
    encima|línea encima|linea arriba|línea acima|linha sopra|riga sopra|linea sopra|linea boven|regel boven|lijn
    ovanför|raden över|raden ovanför|linjen över|linjen over|linje over|linjen over|linjen ovenfor|linjen yläpuol|viiva
    yläpuol|rivi powyżej|lini powyżej|wiersz nad|linii nad|řádk nad|čár nad|riadk felett|vonal fölé|sor deasupra|lini
    выше|лини над|линией выше|строк вище|рядк над|ліні üst|satır üzerin|satır üst|çizgi πάνω|γραμμή επάνω|γραμμή
    以上|行 上方|线 上方|線 以上|线 より上|行 より上|線 위에|줄 위에|선 trên|dòng di|baris
    """
)
"""Two words that a help desk's line holds with one of `ANSWER_STEMS`: "Please reply above this line"."""

ANSWER_STEMS = tuple(
    sorted(
        _words(
            """
    repl answer respon write type post text enter antwort répon respuesta escrib scriv rispo respost digite
    antwoord reageer typ schrijf svar skriv besvar vastau kirjoita odpowie odpisz napisz odpov odpíš napíš
    válasz írj răspun scrie ответ напиш відпов напис отговор απάντη απαντή yanıt cevap yaz 返信 回复 回覆
    答复 回信 답장 회신 trả balas
    """
        )
    )
)

BELOW_LINE = ("do not write below this line", "do not reply below this line", "do not edit below this line")

HIDDEN_QUOTE = (
    "[quoted text hidden]",
    "- show quoted text -",
    "- hide quoted text -",
    "[zitierter text ausgeblendet]",
    "[texte des messages précédents masqué]",
    "[el texto citado está oculto]",
    "[testo tra virgolette nascosto]",
    "[texto das mensagens anteriores oculto]",
    "[tekst geciteerd]",
    "[quoted text clipped]",
    "[message clipped]",
    "- mostrar texto citado -",
    "- afficher le texte des messages précédents -",
    "- zitierten text anzeigen -",
    "- mostra testo citato -",
    "- tekst uit oorspronkelijk bericht weergeven -",
    "- ocultar texto das mensagens anteriores -",
    "- показать цитируемый текст -",
    "- 显示引用文字 -",
    "- 引用テキストを表示 -",
)

VERBS = """
    wrote writes written schrieb schreibt geschrieben schrieben écrit ecrit écrivait escribió escribio escribe escrito
    scritto scrisse scrive escreveu escreve escribiu escriure escrit escrigué schreef geschreven schrijft skrev
    skriver
    skrevet skrivit skrifaði ritaði kirjoitti kirjoittaa kirjutas napisał napisała napisano napisana pisze napsal
    napsala píše napísal napísala написал написала пишет писал писала написав написав(ла) пише писав написа
    писали писав(ла) писали пишете пиша napisao napisala napisal piše yazdı yazmış írta írt írja scris έγραψε
    εγραψε έγραφε viết menulis كتب كتبت
    كتابة نوشت כתב כתבה rašė rakstīja idatzi skribis skrifar sinulat लिखा نوشته yazmış yazdılar napisao/la
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
    "쓴 글",
    "님의 말",
    "さんは書",
    "さんが書",
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
    return frozenset(
        entry.strip() for entry in table.casefold().replace("\u0307", "").split("|") if entry.strip()
    )


ORIGINAL_PHRASES = phrases(ORIGINAL_MESSAGE)
FORWARD_PHRASES = phrases(FORWARDED_MESSAGE)
HEADER_KINDS: dict[str, str] = {
    key: kind for kind, table in HEADER_KEYS.items() for key in sorted(phrases(table))
}
VERB_SET = _words(VERBS)
WEAK_VERB_SET = _words(WEAK_VERBS)
