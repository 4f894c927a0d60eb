"""Words of signatures as data: closings, device lines, contact labels, titles, common given names. All case-folded."""

from __future__ import annotations


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


STRONG_CLOSING = _words(
    """
    regards regard rgds brgds kr br sincerely cordially respectfully faithfully warmly cheers wishes yours truly
    xoxo hugs greetings ttyl ciao cheerio namaste grüße grüßen grüsse grüssen gruss gruß grüßle mfg vg lg hg
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
    祝好 顺颂商祺 드림 올림 감사합니다 trân thân salam hormat בברכה تحياتي
    """
)

WEAK_CLOSING = _words(
    """
    bests soon care later bientôt presto bald dann pronto snart ziens
    thanks thank thx tx ty thankyou love best merci danke gracias obrigado obrigada grazie bedankt dank tack tak
    takk kiitos dzięki dziękuję děkuji díky спасибо дякую teşekkürler köszönöm köszi mulțumesc mersi ευχαριστώ
    谢谢 謝謝 多谢 ありがとうございます cảm terima kasih vielen xx
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
    avans με εκτίμηση ơn trọng xin kính
    """
)

DEVICE_FREE = ("sent from my ", "sent from a ", "sent from an ")
"""Starts that make a device line even with words we do not know, when the line is short."""

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
    "надіслано з", "надіслано через", "outlook'u edinin", "elküldve", "küldve", "az iphone-omról", "trimis de pe",
    "trimis din", "obțineți outlook", "εστάλη από", "στάλθηκε από", "αποστολή από", "发自", "發自", "从我的",
    "從我的",
    "傳送自", "寄自", "获取 outlook", "나의 ", "내 ", "đã gửi từ", "được gửi từ", "dikirim dari", "נשלח מ",
    "أُرسلت من", "أرسلت من", "تم الإرسال من", "poslano z", "poslano s", "изпратено от", "послато са",
)  # fmt: skip

DEVICE_ENDS = (
    "gesendet", "gönderildi", "から送信", "より送信", "から送信されました", "傳送", "发送", "에서 보냄", "で送信",
    "lähetetty", "küldve", "edinin",
)  # fmt: skip

DEVICE_WORDS = (
    "iphone", "ipad", "ipod", "ios", "android", "blackberry", "samsung", "galaxy", "mobile", "mobil", "phone",
    "móvil",
    "handy", "tablet", "outlook", "windows", "mail", "htc", "nokia", "nexus", "pixel", "huawei", "xiaomi", "oneplus",
    "motorola", "verizon", "spark", "proton", "yahoo", "aol", "macbook", " mac", "watch", "thunderbird", "telefon",
    "téléphone", "teléfono", "telefone", "telefoon", "cellulare", "celular", "puhelim", "komórk", "телефон",
    "мобильн",
    "携帯", "スマ", "手机", "手機", "휴대", "device", "superhuman", "tutanota", "tuta", "zoho", "sony",
    "droid", "wireless",
)  # fmt: skip

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
    engenheiro kierownik dyrektor prezes директор менеджер инженер müdür genel
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
