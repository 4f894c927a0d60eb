"""Words of signatures as data: closings, device lines, contact labels, titles, common given names. All case-folded."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.casefold().split())


def _phrases(table: str) -> frozenset[str]:
    return frozenset(" ".join(entry.split()) for entry in table.casefold().split("|"))


STRONG_CLOSING = _words(
    """
    regards regard rgds brgds kr br sincerely cordially respectfully faithfully warmly cheers wishes yours truly
    b/r k/r w/r v/r abs xoxo hugs greetings ttyl ciao cheerio namaste grüße grüßen grüsse grüssen gruss gruß
    grüßle mfg vg lg hg
    hochachtungsvoll gruesse gruessen herzlichst cordialement bien amicalement salutations sentiments bisous
    bises sincèrement respectueusement cdlt bàv saludos saludo atentamente cordialmente abrazo abrazos atte
    besos atenciosamente cumprimentos abraço abraços att cordiais atentamente beijos saluti saluto distinti
    cordialità abbracci groet groeten groetjes hoogachtend mvg vriendelijke hartelijke hälsningar hälsning mvh
    hilsen hilsner hilsning vh hälsar kveðja terveisin terv ystävällisin tervitades lugupidamisega parimat
    pozdrawiam pozdrowienia poważaniem wyrazami szacunkiem pozdravem pozdravom pozdravy úctou pozdravom pozdrav
    pozdravi poštovanjem spoštovanjem уважением приветом наилучшими пожеланиями повагою найкращими побажаннями
    уважение поздрави поштовањем saygılarımla saygılar selamlar sevgiler üdvözlettel tisztelettel üdv stimă
    cordial respect drag φιλικά εκτίμηση χαιρετισμούς 敬具 宜しくお願いします よろしくお願いします
    よろしくお願いいたします 宜しくお願い致します 敬上 此致 敬礼
    祝好 顺颂商祺 顺祝商祺 順頌商祺 此致敬礼 此致敬禮 敬啟 谨启 谨上 祝福 敬祝 드림 올림 감사합니다 고맙습니다
    trân thân salam hormat
    בברכה تحياتي التحية التحيات التقدير תודה ברכה בכבוד
    abbraccio abbracci beijinhos abrs bjs hilsninger klem klemmer varmt vänligen vänligast högaktningsfullt
    yst ystävällisesti kunnioittaen szacunku uszanowaniem ukłony zdravím zdravíme úcta köszönettel
    χαιρετισμοί τιμή благодарностью искренне щиро кр servus grüessli gruess grüssli tschüss tschüß
    早々 草々 かしこ 以上
    yhteistyöterveisin hälsn hlsn vriendelijk kærlige ärade regardz rgd brgs salutation sincèrements salut saludamos
    saludarle saludarles abraçando saudações lugupidamisega cieņu pagarbiai linkėjimais pozdravem
    """
)

WEAK_CLOSING = _words(
    """
    bests soon care later bientôt presto bald dann pronto snart ziens
    thanks thank thx tx ty thankyou love best merci danke gracias obrigado obrigada grazie bedankt dank tack tak
    takk kiitos dzięki dziękuję děkuji díky спасибо дякую teşekkürler köszönöm köszi mulțumesc mersi ευχαριστώ
    谢谢 謝謝 多谢 多謝 ありがとうございます ありがとうございました cảm terima kasih vielen xx
    ďakujem ďakujeme благодаря dziekuje dzieki dziękujemy děkujeme merci mulțumim mulţumesc multumesc mulțumesc
    obrigados grato grata agradeço agradecido agradecida gracias שוב شكرا شكراً aitäh paldies ačiū hvala gràcies
    teşekkür sağolun sağol solidarity peace
    """
)

CLOSING_FILLER = _words(
    """
    bis tot à hasta see vi ses
    best kind kindest warm warmest many with the and & all my your very so much again in advance for now you a
    lot ton bunch take care talk soon from love high friendly best good most sincere lots of sunny mit
    freundlichen freundlichem freundliche freundlicher beste besten bester viele vielen schöne schönen liebe
    lieben lieber herzliche herzlichen herzlicher herzlichem und aus nach im voraus ihr ihre dein deine euer
    eure sonnige sonnigen bien à vous à toi très meilleures meilleurs sentiments mes nos salutations distinguées
    l'expression de avec merci un una cordial cordiales atentos mis los las sus muchas con y por favor de
    antemano le les com os melhores meus um uma grande forte muito desde já e atenciosos respeitosos cordiali
    distinti cari migliori tanti i mille in anticipo con un caro met een vriendelijke hartelijke lieve beste
    alvast bij voorbaat en med vänlig vänliga venlig venlige vennlig bästa bedste beste på förhand forhånd og
    och hjertelig varma varme kære ystävällisin parhain etukäteen paljon z poważaniem wyrazami serdecznie
    pozdrowieniami góry i bardzo s přátelským srdečným pěkným pozdravem předem moc lepým lep с уважением
    наилучшими искренним заранее большое и з повагою щиро iyi en içten şimdiden çok szívélyes előre cu multă în
    avans με εκτίμηση ơn trọng xin kính vă iti îți foarte mult frumos mange kærlig kærligste kjær reciba recibe
    reciban reciba enviamos łączę łączymy przesyłam serdecznościami wyrazy φιλικούς θερμούς πολλούς σας baráti
    meleg üdvözlet hangat kami saya dan banyak sehat thư mến chào thân quý רב רבה חמה חמים שלך מראש أطيب خالص وافر
    مع فائق الاحترام 以上 以上、 何卒 どうぞ みな cordialement d'avance d’avance souhaits vœux voeux agréer veuillez
    submitted haste yours always ever l’expression l'assurance l’assurance considération haute salut
    affectueusement sinceros afectuoso afectuosos
    fuerte enorme saludos cordialísimo nossos os as aos forte grandes sinceri sentiti vivissimi cordialissimi
    jouw uw allen allemaal collegiale groene vriendelijkste kollegiale vriendelijk hartelijk
    kollegial beliebig allerbeste allerherzlichste ganz noch wünsche wünschen sommerliche winterliche
    frühlingshafte adventliche weihnachtliche moi terveisiä aurinkoisin всего самого с самыми добрыми теплыми
    пожеланиями найтеплішими добрими za lijep lijepe srdačan srdačne lep lepi sončne respectuoasă deosebită
    consideraţie considerație aleasă hjärtliga soliga somriga allra vennligste hjerteligst
    """
)

CLOSING_PHRASES = _phrases(
    """
    have a nice day | have a great day | have a good day | have a great weekend | have a nice weekend |
    have a good weekend | have a good one | have a lovely day | have a wonderful day | have a great week |
    looking forward to hearing from you | looking forward to your reply | looking forward | in solidarity |
    see you | see you soon | see you then | until then |  god bless | stay safe |
    in haste | as ever | as always | speak soon | speak to you soon | talk later | with love |
    with gratitude | with appreciation | einen schönen tag noch | schönen tag noch | schönes wochenende |
    einen schönen tag | schönen abend | einen schönen abend | ein schönes wochenende | bis dann |
    bis morgen | bis später | alles gute | alles liebe | bonne journée | bonne soirée | belle journée |
    bonne fin de journée | bon week-end | bonne semaine | à plus | à bientôt |
    dans l'attente de votre réponse | dans l'attente de vous lire | bonne réception | à demain |
    que tenga un buen día | que tengas un buen día | buen día | buenas tardes | feliz día |
    feliz fin de semana | quedo a la espera de su respuesta | quedo a su disposición | quedo atento |
    quedo atenta | hasta pronto | hasta luego | buona giornata | buona serata | buon lavoro |
    buon weekend | a presto | a dopo | resto in attesa | in attesa di un vostro riscontro | bom dia |
    boa tarde | boa noite | bom fim de semana | até breve | até logo | tenha um bom dia |
    tenha um ótimo dia | fico no aguardo | aguardo retorno | fico à disposição | fijne dag |
    fijne dag nog | fijn weekend | fijne avond | tot ziens | tot dan | tot snel | tot gauw | succes | gr |
    gr. | grt | ha en fin dag | ha en god dag | ha det bra | ha det godt | ha en trevlig dag |
    ha en bra dag | trevlig helg | god weekend | hav en god dag | fortsat god dag | rigtig god dag |
    vi ses | vi høres | vi hörs | på gensyn | god helg | hyvää päivänjatkoa | mukavaa päivää |
    hyvää viikonloppua | nähdään | t | t. | miłego dnia | miłego weekendu | dobrego dnia | do zobaczenia |
    do usłyszenia | z góry dziękuję | hezký den | pěkný den | hezký zbytek dne | hezký víkend |
    krásný den | na shledanou | mějte se | pekný deň | prajem pekný deň | príjemný deň | szép napot |
    szép napot kívánok | további szép napot | szép hétvégét | jó munkát | o zi bună | o zi frumoasă |
    zi frumoasă | numai bine | o seară plăcută | spor | всего доброго | всего хорошего | хорошего дня |
    доброго дня | хороших выходных | удачи | до встречи | до свидания | искренне ваш | искренне ваша |
    с наилучшими | ваш | гарного дня | всього найкращого | усього найкращого | на все добре | до зустрічі |
    хубав ден | приятен ден | лек ден | всичко хубаво | до скоро | καλή συνέχεια | καλημέρα |
    καλή σας ημέρα | με τιμή | τα λέμε | iyi çalışmalar | i̇yi çalışmalar | iyi günler | i̇yi günler |
    iyi günler dilerim | i̇yi günler dilerim | iyi çalışmalar dilerim | i̇yi çalışmalar dilerim |
    iyi haftalar | i̇yi haftalar | kolay gelsin | görüşmek üzere | hoşça kal | مع السلامة | يوم سعيد |
    وتفضلوا بقبول فائق الاحترام | שלך | שלכם | יום טוב | יום נעים | להתראות | שבוע טוב | 祝您工作顺利 |
    祝工作顺利 | 祝您愉快 | 祝商祺 | 祝您生活愉快 | 祝您一切顺利 | 祝顺利 | 順頌時祺 | 顺颂时祺 | 祝 商祺 |
    祝 好 | よろしくお願い致します | 宜しくお願いいたします | どうぞよろしくお願い致します |
    どうぞよろしくお願いいたします | どうぞよろしくお願いします | 何卒よろしくお願いいたします |
    何卒よろしくお願い申し上げます | 何卒宜しくお願い申し上げます | 何卒宜しくお願い致します |
    よろしくお願い申し上げます | 宜しくお願い申し上げます | 以上、よろしくお願いいたします |
    以上、よろしくお願いします | 以上、よろしくお願い致します | 以上、宜しくお願いいたします |
    以上、宜しくお願い致します | 以上です | 以上よろしくお願いします | 引き続きよろしくお願いいたします |
    それでは | では | 失礼します | 失礼いたします | 좋은 하루 되세요 | 좋은 하루 보내세요 | 수고하세요 |
    안녕히 계세요 | 감사드립니다 | 고맙습니다 | kính thư | thân mến | thân ái | trân trọng kính chào |
    chúc một ngày tốt lành | chúc bạn một ngày tốt lành | selamat bekerja | sampai jumpa |
    semoga harimu menyenangkan | adéu | fins aviat | bon dia | lijep pozdrav | lep pozdrav | ugodan dan |
    lep dan | head päeva | ilusat päeva | jauku dienu | geros dienos
    """
)
"""Whole lines that are a closing when a name stands below them; alone they may be what the sender wants to say."""

DEVICE_FREE = ("sent from my ", "sent from a ", "sent from an ")
"""Starts that make a device line even with words we do not know, when the line is short."""

DEVICE_NAMED = ("sent from ", "sent with ", "sent via ", "sent using ")
"""Starts that make a device line with the name of a program that is not in `DEVICE_WORDS`."""

DEVICE_STARTS = (
    "sent from", "sent via", "sent with", "sent using", "sent wirelessly", "sent securely", "sent by",
    "get outlook for",
    "get bluemail", "get the ", "download ", "typed on", "written on", "composed on", "via mobile", "from my ",
    "via my ", "von meinem", "von unterwegs", "gesendet von", "gesendet mit", "gesendet aus", "gesendet über",
    "diese nachricht wurde von meinem", "holen sie sich outlook", "outlook für", "envoyé de", "envoyé depuis",
    "envoyé avec", "envoyé à partir", "envoyé sans fil", "envoyé par", "envoyé via", "obtenez outlook",
    "obtenir outlook", "télécharger outlook", "téléchargez outlook", "enviado desde", "enviado con",
    "enviado mediante",
    "obtener outlook", "enviado do", "enviado de", "enviado por", "enviado com", "enviado pelo", "enviado a partir",
    "obter o outlook", "obtenha o outlook", "inviato da", "inviato con", "inviato tramite", "scarica outlook",
    "ottieni outlook", "outlook per", "verstuurd vanaf", "verstuurd met", "verzonden vanaf", "verzonden vanuit",
    "verzonden met", "outlook voor", "skickat från", "skickat med", "skaffa outlook", "hämta outlook", "sendt fra",
    "sendt via", "hent outlook", "få outlook", "last ned outlook", "lähetetty", "hanki outlook", "saadetud",
    "wysłane z", "wysłano z", "pobierz outlook", "pobierz program outlook", "odesláno z", "odoslané z",
    "získejte outlook", "отправлено с", "отправлено из", "отправлено через", "скачать outlook", "загрузить outlook",
    "надіслано з", "надіслано через", "outlook'u edinin", "sent on the go", "sent on the ", "typed with",
    "tapped on", "dictated ", "written with",
    "created with", "sent through", "message sent from", "this message was sent from", "this email was sent from my",
    "from a ", "envoyé grâce", "message envoyé", "ce message a été envoyé depuis", "provenance :", "provenance:",
    "mail envoyé", "expédié depuis", "enviado via", "enviado através", "enviada do", "enviado usando",
    "mensaje enviado",
    "mensagem enviada", "descargar outlook", "descarga outlook", "descarregar o outlook", "baixar o outlook",
    "transferir o outlook", "spedito da", "messaggio inviato", "inviata da", "download outlook", "verzonden via",
    "verstuurd via", "verstuurd vanuit", "outlook downloaden", "download outlook voor", "skickades från", "skickat via",
    "ladda ned outlook", "ladda ner outlook", "skickat av", "sendt med", "sendt av", "download outlook til",
    "sent fra", "lataa outlook", "wysłane przy", "wysłane za", "wysłano za", "wysłano przy", "wiadomość wysłana",
    "pobierz aplikację outlook", "pobierz aplikacj", "odesláno", "odoslané", "poslané z", "poslané z môjho", "získat",
    "získať", "stáhnout outlook", "stiahnuť outlook", "az outlook", "outlook for ios beszerz", "outlook beszerz",
    "iphone készülékemről", "a samsung", "az ipad-emről", "az én", "trimis via", "trimis cu", "trimis de la",
    "descărcați outlook", "obțineți", "obţineţi outlook", "скачайте outlook", "получить outlook", "написано на",
    "отправлено ", "послано с", "надіслано ", "завантажити outlook", "отримати outlook", "завантажте outlook",
    "изпратено ", "изтеглете outlook", "вземете outlook", "λήψη ", "αποκτήστε το outlook", "στάλθηκε μέσω",
    "ios için outlook", "android için outlook", "مرسل من", "مُرسل من", "أرسل من", "أُرسل من", "الحصول على outlook",
    "احصل على outlook", "קבל את outlook", "קבלו את outlook", "הורד את outlook", "נשלח ", "來自我的", "来自我的", "來自",
    "取得 ", "下载 ", "发送自", "由 ", "通过我的", "用我的", "寄件自", "outlook for ios を", "outlook for android を",
    "ios 版 outlook", "ios용", "android용", "삼성 ", "tải outlook", "gửi từ", "terkirim dari", "dapatkan outlook",
    "unduh outlook", "enviat des", "enviat des de", "poslano iz", "poslato sa", "poslato iz", "nosūtīts no",
    "išsiųsta iš", "sent úr", "bidalita nire", "elküldve", "küldve", "az iphone-omról", "trimis de pe",
    "trimis din", "obțineți outlook", "εστάλη από", "στάλθηκε από", "αποστολή από", "发自", "發自", "从我的",
    "從我的",
    "傳送自", "寄自", "获取 outlook", "나의 ", "내 ", "đã gửi từ", "được gửi từ", "dikirim dari", "נשלח מ",
    "أُرسلت من", "أرسلت من", "تم الإرسال من", "poslano z", "poslano s", "изпратено от", "послато са",
)  # fmt: skip

DEVICE_ENDS = (
    "gesendet", "gönderildi", "から送信", "より送信", "から送信されました", "傳送", "发送", "에서 보냄", "で送信",
    "lähetetty", "küldve", "edinin", "から送信しました", "から送られました", "を入手", "보냈습니다", "보냄",
    "에서 발송", "에서 전송", "다운로드",
    "beszerzése", "downloaden", "发出", "發送", "寄出", "gönderilmiştir", "gönderilmiş", "küldtem",
)  # fmt: skip

DEVICE_WORDS = (
    "iphone", "ipad", "ipod", "ios", "android", "blackberry", "samsung", "galaxy", "mobile", "mobil", "phone",
    "móvil",
    "handy", "tablet", "outlook", "windows", "mail", "htc", "nokia", "nexus", "pixel", "huawei", "xiaomi", "oneplus",
    "motorola", "verizon", "spark", "proton", "yahoo", "aol", "macbook", " mac", "watch", "thunderbird", "telefon",
    "téléphone", "teléfono", "telefone", "telefoon", "cellulare", "celular", "puhelim", "komórk", "телефон",
    "мобильн",
    "iphon", "ipad", "почт", "мобільн", "пристр", "устройств", "poczt", "posta", "courrier", "correo",
    "e-post", "seznam", "orange", "app ",
    "gmail", "airmail", "hushmail", "typeapp", "smart", "tlf", "gsm", "xperia", "lumia", "lg ", "moto", "redmi",
    "honor", "oppo", "vivo", "realme", "mi ", "surface", "kindle", "chrome", "roundcube", "webmail", "メール", "邮箱",
    "邮件", "郵件", "foxmail", "メーラー", "スマホ", "هاتف", "جوال", "אייפון", "טלפון", "נייד", "סלולרי", "điện thoại",
    "ponsel", "hp ", "thumb", "the go", "unterwegs", "mobitel", "telefón", "telefonu", "mobilu", "komórki", "κινητό",
    "携帯", "スマ", "手机", "手機", "휴대", "device", "superhuman", "tutanota", "tuta", "zoho", "sony",
    "droid", "wireless",
)  # fmt: skip

EXCUSES = ("excuse", "typo", "brevity", "brief", "pardon", "forgive", "error", "capable", "spelling", "autocorrect",
    "entschuld", "tippfehler", "kürze", "désolé", "excusez", "fautes", "disculp", "perdon", "errores", "desculp",
    "scusa", "excuus", "typefout", "ursäkt", "undskyld", "опечат", "извин")  # fmt: skip
"""What may follow a comma in a device line: `Sent from my iPhone, please excuse typos`."""

TITLE_WORDS = _words(
    """
    manager director engineer developer president vp ceo cto cfo coo cio analyst consultant recruiter assistant
    coordinator specialist officer administrator architect designer lead head professor lecturer researcher
    partner founder co-founder secretary supervisor representative executive accountant attorney lawyer
    paralegal counsel associate editor technician scientist student phd ph.d mba md chairman chairwoman
    treasurer owner broker agent inc inc. ltd ltd. llc llp corp corp. gmbh ag kg sarl sas spa s.p.a s.r.l srl bv
    nv ab oy as aps plc pty sl s.a. ltda company corporation group university institute department dept division
    college school foundation office services solutions systems technologies consulting associates international
    team desk geschäftsführer geschäftsführerin leiter leiterin abteilung vorstand directeur directrice
    responsable ingénieur gerente director jefe ingeniero direttore responsabile ingegnere diretor gerente
    engenheiro kierownik dyrektor prezes директор менеджер инженер müdür genel s.l s.l.u s.a m.d m.b.a j.d esq
    r.n p.e b.v n.v
    ltda ltda. s.r.o spol a.s o.o sp.j k.k a.ş bvba sprl eurl sasu ооо оао зао ип тов llp. pvt
    salesperson salesman saleswoman advisor adviser programmer writer journalist reporter nurse physician surgeon
    psychologist therapist teacher principal dean chancellor provost librarian curator realtor superintendent
    commissioner mayor senator treasurer controller auditor planner strategist technologist evangelist operator
    contractor electrician plumber intern trainee fellow postdoc chairperson trustee vice-president foreman
    marketing sales operations finance engineering hr procurement logistics support admin receptionist clerk
    bureau ministry agency association society centre center hospital clinic bank holdings ventures partners
    laboratory laboratories lab labs studio studios media networks software technology industries enterprises
    vertrieb assistenz sachbearbeiter sachbearbeiterin referent referentin projektleiter projektleiterin berater
    beraterin prokurist kundenservice kundenbetreuung verwaltung buchhaltung entwickler entwicklerin ingenieur
    wissenschaftlicher mitarbeiter mitarbeiterin chargé chargée chef conseiller conseillère assistante adjoint
    adjointe secrétaire comptable avocat avocate consultante commercial commerciale ventas jefa coordinadora
    coordinador asesor asesora abogado abogada profesor profesora directora ingeniera administrativo
    administrativa responsabile vendite commerciale avvocato dottore dott dott.ssa ing segreteria ufficio
    consulente amministrazione impiegato coordenador coordenadora advogado advogada analista consultor consultora
    vendas professora supervisora accountmanager medewerker adviseur hoofd afdeling projectleider verkoop
    projektledare säljare avdelningschef ekonomiansvarig handläggare direktør konsulent leder sælger
    afdelingsleder rådgiver prosjektleder daglig johtaja päällikkö asiantuntija myyntipäällikkö toimitusjohtaja
    specjalista specjalistka asystent asystentka księgowa prawnik obchodní zástupce ředitel ředitelka jednatel
    vedoucí konateľ riaditeľ igazgató vezető ügyvezető munkatárs director executiv inginer специалист руководитель
    начальник отдела бухгалтер юрист ведущий заместитель керівник спеціаліст управител διευθυντής διευθύντρια
    υπεύθυνος uzmanı yöneticisi müdürü koordinatörü 经理 总监 主管 主任 部长 董事长 总经理 销售经理 項目經理
    经理人 工程师 課長
    部長 係長 主任研究員 営業部 総務部 株式会社 有限会社 대리 과장 차장 부장 팀장 이사 대표이사 주식회사
    """
)

CONTACT_LABELS = _words(
    """
    tel telephone phone ph mobile mob cell fax office direct work home ext extension email e-mail mail web
    website www skype twitter linkedin facebook instagram github address p m f t o c d e w x voice pager hotline
    url icq jabber telefon mobil handy durchwahl büro anschrift téléphone tél portable fixe bureau teléfono
    móvil correo dirección telefone celular cellulare indirizzo telefoon mobiel adres puhelin sähköposti telefax
    faks tlf kom tel/fax тел моб факс почта сайт 电话 手机 邮箱 地址 電話 携帯 住所 전화 휴대폰 이메일 and
    """
)

ADDRESS_WORDS = _words(
    """
    street st st. avenue ave ave. road rd rd. suite ste floor fl blvd boulevard lane drive dr. way plaza square
    box p.o. building bldg str str. straße strasse platz allee weg rue place calle avenida av. via viale piazza
    rua straat laan gade gatan vägen vej katu ulica ul. ул улица
    """
)

NAME_PARTICLES = _words(
    """
    von van de da di del der den la le el al bin ben dos das du zu y e ter af av mc st and & und et
    """
)

NOT_NAMES = _words(
    """
    yes no ok okay thanks thank please hello hi dear hey fyi attached see note update summary done sure great
    regards the this that these those a an and but or if when what why how we you it is are team all everyone
    attachment attachments enclosure enclosures
    folks monday tuesday wednesday thursday friday saturday sunday january february march april june july august
    september october november december today tomorrow agenda minutes total subject date ja nein oui non sí si
    """
)

GIVEN_NAMES = _words(
    """
    aaron abby abdul abdullah abigail abraham ada adam adel adele adrian adriana agnes ahmad ahmed aidan aileen
    aisha akira al alain alan albert alberto alejandra alejandro aleksandr alena alessandro alex alexa alexander
    alexandra alexandre alexei alexis alfred alfredo ali alice alicia alina alison allan allen allison alma
    alvin amal amanda amber amelia amina amir amit amy ana anastasia anders andre andrea andreas andrei andrej
    andres andrew andrey andrzej andy angel angela angelica angelo angie anil anita anja anjali ann anna anne
    annette annie anthony antoine anton antonio anya april arash ari ariel arjun arlene armando arnold arthur
    artur arturo arun ashley ashok astrid audrey august austin ava avi axel ayesha barb barbara barry bart
    beatrice beatriz becky bella ben benjamin benny bernard bernd bernhard bert bertha beth betsy betty beverly
    bianca bill billy birgit bjorn björn bob bobby bonnie boris brad bradley brandon brenda brent brett brian
    bridget britt brooke bruce bruno bryan bryce byron caitlin caleb calvin cameron camilla camille cara carina
    carl carla carlo carlos carmen carol carole carolina caroline carolyn carrie carsten casey cassandra cathy
    cecil cecilia cedric celia celine cesar chad chandra charles charlie charlotte chelsea chen cheryl chester
    chip chloe chris christa christian christiane christina christine christoph christophe christopher chuck
    cindy claire clara clare clark claude claudia claudio claus clay clayton cliff clifford clinton clyde cody
    colin colleen connie connor conrad constance cora corey cory courtney craig cristina curt curtis cynthia
    cyril daisy dale damian damien dan dana daniel daniela daniele danielle danny darius darla darlene darrell
    darren darryl daryl dave david dawn dean deanna deb debbie deborah debra deepak della denise dennis derek
    desmond devin diana diane didier diego dieter dimitri dina dirk dmitri dmitry dolores dominic dominik
    dominique don donald donna dora doreen doris dorothy doug douglas drew duane duncan dustin dwayne dwight
    dylan earl ed eddie edgar edith edmund eduard eduardo edward edwin eileen elaine eleanor elena eli elias
    elisa elisabeth elise eliza elizabeth ella ellen ellie elliot elliott elmer elsa elvira emil emilia emilie
    emilio emily emma emmanuel enrique eric erica erich erik erika erin ernest ernesto esteban esther ethan
    eugene eva evan eve evelyn ewa fabian fabio faith farid fatima federico felicia felipe felix fernando filip
    fiona florence florian floyd frances francesca francesco francine francis francisco franco francois françois
    frank franz fred freddie frederic frederick friedrich fritz gabby gabriel gabriela gail gareth gary gavin
    gayle gene geoff geoffrey george georg georges gerald geraldine gerard gerd gerhard gert gianni gil gilbert
    gilles gina giorgio giovanni giulia gladys glen glenda glenn gloria gordon grace graham grant greg gregor
    gregory greta gretchen guido guillaume guillermo gunther gustavo guy gwen hal hank hanna hannah hannes hans
    harald harold harriet harris harry harvey hassan hayley heather hector heidi heike heinz helen helena helene
    helga helmut henri henrik henry herbert herman hilary hiroshi holger holly horst howard hubert hugh hugo
    hung ian ibrahim ida igor ilse imran ines inga inge ingo ingrid ira irene irina iris irma isaac isabel
    isabella isabelle ismail ivan ivana ivy jack jackie jackson jacob jacqueline jacques jaime jake jakob jakub
    james jamie jan jana jane janet janice janine janis jared jasmine jason jasper javier jay jayne jean
    jeanette jeanne jeannie jeff jeffrey jen jenna jennie jennifer jenny jens jeremy jerome jerry jess jesse
    jessica jesus jill jim jimmy jing jo joan joana joann joanna joanne joaquin jochen jodi jody joe joel joerg
    jörg johan johann johanna johannes john johnny jon jonas jonathan jordan jorge jose josé josef joseph
    josephine josh joshua joy joyce juan juanita judith judy julia julian juliana julie julien juliet julio
    julius jun june jürgen juergen justin justine kai kamal karen kari karin karina karl karla katarina kate
    katharina katherine kathleen kathryn kathy katie katja katrin katrina kay kayla keith kelly kelsey ken kenji
    kenneth kenny kent kerry kerstin kevin khalid kim kimberly kiran kirk kirsten klara klaus konrad krista
    kristen kristi kristian kristin kristina kristine krzysztof kumar kurt kyle lana lance lara larry lars laura
    lauren laurence laurent laurie lavon lawrence lea leah lee leila lena leo leon leona leonard leonardo leroy
    leslie lester lev lewis li liam lidia lilian lillian lily lin linda lindsay lindsey ling lionel lisa liz
    liza lloyd logan lois lola lora loren lorena lorenzo loretta lori lorna lorraine lou louis louisa louise luc
    luca lucas lucia luciano lucie lucy luigi luis luisa lukas luke luz lydia lyle lynn lynne maciej madeleine
    madison magdalena maggie mahmoud malcolm mandy manfred manoj manuel manuela mara marc marcel marcelo marcia
    marco marcos marcus margaret margarita maria marian mariana marianne marie marielle marilyn marina mario
    marion marissa marjorie mark markus marlene marsha marshall marta martha martin martina martine marty marvin
    mary maryam mason massimo mateusz mathew mathias mathieu matt matteo matthew matthias matthieu maura maureen
    maurice mauricio max maxim maxime maxine maya megan mei melanie melinda melissa melvin mercedes meredith mia
    micah michael michaela michal micheal michel michele michelle miguel mihai mike mikael mikhail mila milan
    mildred milena milton mindy ming miranda miriam misha mitch mitchell mohamed mohammad mohammed moira molly
    mona monica monika monique morgan moritz moses muhammad murray myra myriam nadia nadine nancy naomi natalia
    natalie natasha nathalie nathan nathaniel neal ned neil nell nelson nguyen nicholas nick nicola nicolas
    nicole niels nigel nikhil nikita nikolai nikolaus nils nina nino noah noel noelle nora norbert noreen norma
    norman octavio olaf ole oleg olga oliver olivia olivier ollie omar oscar oskar otto owen pablo paige pam
    pamela paola paolo pascal pat patrice patricia patrick patsy patti patty paul paula paulina pauline paulo
    pavel pedro peggy penelope penny per percy perry pete peter petr petra phil philip philippa philippe phillip
    phyllis pia pierre piotr polly pooja prakash preston priya rachel radek rafael raj raja rajesh ralf ralph
    ramesh ramon ramona randall randy raquel rashid raul ravi ray raymond rebecca regina reinhard rene renate
    renee rex rhonda ricardo richard rick ricky rita rob robbie robert roberta roberto robin rocio rod roderick
    rodney rodrigo roger rohan roland rolf roman ron ronald ronnie rosa rosalie rosario rose rosemary rosie ross
    roxanne roy ruben ruby rudolf rudy rupert russ russell rusty ruth ryan sabine sabrina sal sally salman sam
    samantha samir sammy samuel sandeep sandra sandrine sandy sanjay santiago sara sarah sascha sasha saul scott
    sean sebastian selena serena serge sergei sergey sergio seth shane shannon sharon shaun shawn sheila shelby
    sheldon shelley shelly sherman sherri sherry shirley sid sidney sigrid silke silvia simon simona simone
    sofia sofie sonia sonja sonya sophia sophie spencer stacey stacy stan stanislav stanley stavros stefan
    stefanie stella stephan stephane stephanie stephen steve steven stewart stu stuart sue suman sunil suresh
    susan susana susanna susanne susie suzanne suzy sven svetlana sybil sydney sylvia sylvie tamara tammy tanja
    tanya tara tatiana ted terence teresa teri terrence terri terry tess thelma theo theodore theresa therese
    thierry thomas thorsten tiffany tilo tim timo timothy tina tobias toby todd tom tomas tomasz tommy toni tony
    tonya torsten tracey traci tracy travis trevor tricia trish troy tyler udo ulrich ulrike ursula ute uwe
    valentin valentina valerie vanessa vera vernon veronica veronika vicki vickie vicky victor victoria vijay
    vikram viktor vince vincent vinod viola violet virginia vivian vlad vladimir wade wallace walt walter wanda
    warren wayne wei wendy werner wesley wilfred wilhelm will willem william willie wolfgang xavier xiao yan
    yang yannick yasmin yolanda yuki yuri yusuf yves yvette yvonne zach zachary zack zoe zoltan иван александр
    алексей андрей анна антон артём борис виктор владимир дарья денис дмитрий евгений екатерина елена игорь
    ирина кирилл константин ксения максим мария марина михаил наталья николай олег ольга павел роман светлана
    сергей татьяна юлия юрий олександр дмитро олена наталія андрій
    """
)
