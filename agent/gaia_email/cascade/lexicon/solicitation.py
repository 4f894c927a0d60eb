"""Words of strangers who sell, lend, hire or promise in series, in seven languages. Read by `spam`.

Each scheme needs words that honest sellers, banks and friends seldom use; what they do use weighs little alone.
"""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

SOLICITATION: Table = {
    "spam_outreach": {
        "en": "get a link added; add a link to; link added on your; link to our site; a link on your page; links from "
        "dr; dr40+; dr50+; dr60+; dr70+; in exchange for a link; link placement; link exchange; three-way link; "
        "did you see my email from; did you get my last email; my previous emails; still haven't heard back; have"
        " not heard back from you; reply with a number; reply with 1; reply 1, 2; just reply with the number; "
        "reply with the option; should i stop; stay away; trapped under; chased by; kidnapped; permission to "
        "close; close the loop; my last email; last time i reach out; this will be my last; rather not hear from "
        "me; don't want to hear from me; no thanks and i; ranking on page; seo expert; seo consultant; "
        "guest post; guest posts; guest posting; link insertion; link insertions; do-follow; dofollow; "
        "backlink; "
        "backlinks; da/dr; sponsored post; sponsored article; 1st page of google; first page on google; "
        "page of google; "
        "top of google; top of search engine; seo packages; seo services; seo package; ranking on google; "
        "not ranking; "
        "rank higher; redesign website; website redesign; redesign your website; mobile app development; "
        "develop app; "
        "found your website; visited your website; checked your website; through your website; "
        "errors in your website; "
        "errors on your website; free website audit; digital marketing services; smm panel; real followers; "
        "5-star reviews; 5 star reviews; negative reviews; explainer video; explainer videos; clipping path; "
        "image editing service; featured in forbes; verified contacts; email list; attendees list; attendee list; "
        "business email database; b2b contacts; data entry; virtual assistant; hire dedicated; exclusive leads; "
        "appointments; leave out; our price list; portfolio with past work; "
        "google ranking; your ranking; affordable seo; free audit; free audit report; seo audit; seo plans; "
        "issues on your site; issues on your website; your site is not; your website is not; rank on google; "
        "organic traffic; link building; high da; logo design; design logos; we design logos; unlimited "
        "revisions; web development company; web design services; development team in india; offshore "
        "development; white label; lead generation; qualified leads; decision makers; mailing list of; list "
        "of companies; targeted contacts; opt-in contacts; promote your business; promote your app; social "
        "media marketing services; grow your instagram; instagram followers; real likes; youtube views; app "
        "installs; influencer shoutout; press release distribution; get featured in; wikipedia page; "
        "trustpilot reviews; google reviews; whiteboard video; leading it company; web development; redesign or; "
        "website or mobile app; on autopilot; only pay for results; floating this to the top; bumping this up; "
        "if you're not the right person; not the right person; who should i talk to; 15-min chat; 15 min chat; "
        "15-minute chat; worth a quick chat; worth a chat; close your file; vetted developers; qualified calls; "
        "acquiring the attendees",
        "de": "antworten sie einfach mit 1; antworten sie mit der zahl; soll ich ihre akte; mein letzter versuch; "
        "letzte e-mail von mir; noch nichts von ihnen gehört; backlink auf ihrer; link auf ihrer seite; ihre "
        "konkurrenz rankt; google-platz 1; seo-experte; rufen wir sie gern; kostenlose analyse ihrer; "
        "falls sie nicht zuständig; nicht der richtige ansprechpartner; leiten sie mich gern; für 15 minuten; "
        "auf 15 minuten; seite 1 bei google; auf seite 1; backlinks; webseite wird nicht gefunden; "
        "bei google kaum gefunden; "
        "suchmaschinenoptimierung; garantiert auf seite; "
        "google-ranking; ihre webseite; neue webseite ab; firmenadressen; adressdatenbank; mehr kunden über; "
        "leads für",
        "fr": "première position sur google; n'apparaît pas sur google; n'apparaît pas sur la première; mots-clés; "
        "consultant seo; expert seo; audit gratuit de votre site; répondez simplement 1; répondez par un chiffre;"
        " dernier message de ma part; lien sur votre site; sans engagement; "
        "première page de google; 1ère page de google; page de google; bien référencé; mal référencé; "
        "référencement naturel; visité votre site; visitant votre site; "
        "création de site; site internet à partir de; fichier d'entreprises; base de données emails; votre "
        "référencement",
        "es": "no aparece en google; no sale en la primera página; no sale en google; primera página de google para; "
        "palabras clave; consultor seo; experto en seo; sin permanencia; auditoría gratuita de su; le viene bien "
        "que le llame; responda con un número; mi último correo; un enlace en su web; posicionar su web; "
        "primera página de google; primera en google; primeros en google; posicionamos; "
        "diseñamos su página web; "
        "posicionamiento seo; página web profesional; "
        "diseño web desde; base de datos de empresas; su página web no; visibilidad en google; creación de "
        "páginas web",
        "it": "non compare su google; non appare su google; prima pagina di google per; parole chiave; consulente seo; "
        "esperto seo; senza vincoli; risponda con un numero; la mia ultima mail; un link sul suo sito; analisi "
        "gratuita del suo; "
        "prima pagina di google; prima pagina in; in prima pagina; posizionamento su google; "
        "visitato il suo sito; il suo sito ha vari errori; "
        "creazione siti web; sito web a partire da; database aziende; visibilità su google; indicizzazione",
        "pt": "não aparece no google; primeira página do google para; palavras-chave; consultor seo; especialista em "
        "seo; sem fidelização; responda com um número; o meu último e-mail; um link no seu site; análise gratuita"
        " do seu; "
        "primeira página do google; topo do google; lista com milhões; milhões de e-mails; "
        "e-mails atualizados; "
        "lista de e-mails; divulgue sua empresa; "
        "criação de sites; seu site não; banco de dados de empresas; aparecer no google",
        "nl": "niet in google; eerste pagina van google; zoekwoorden; seo-specialist; seo-expert; zonder contract; "
        "antwoord met een cijfer; mijn laatste mail; een link op uw site; gratis analyse van uw; "
        "pagina 1 van google; pagina 1 in google; op pagina 1; scoort slecht in google; "
        "zoekmachineoptimalisatie; "
        "website laten maken; uw website scoort; hoger in google; bedrijvenbestand",
        "other": "массовая рассылка; база email; рассылка по вашей базе",
    },
    "spam_supplier": {
        "en": "we are manufacturer; we are a manufacturer; we are factory; we are a factory; "
        "we are specialized in; "
        "we specialize in the production; this is amy from; from shenzhen; from ningbo; from guangzhou; from yiwu; "
        "dear purchasing manager; dear manager; purchasing manager; e-catalog; our catalog; our catalogue; "
        "catalog send; "
        "free sample; free samples; moq; any inquiry; any inquiries; your inquiry; send us your drawing; "
        "in the line of; glad to learn; glad to contact you; nice day; good day; b.rgds; best rgds; fcl/lcl; "
        "freight rate; lower than your present supplier; cheaper than your present; 代开发票; 发票; "
        "professional manufacturer; leading manufacturer; manufacturer of; manufacturer in china; we are one "
        "of the leading; our factory; best quotation; best price; competitive price; kindly contact us; "
        "iso9001; oem/odm; oem and odm; sample available; samples available; mass production; for your "
        "reference; our products; product list; hope to cooperate; long-term cooperation; long term "
        "cooperation; cooperate with you; sir/madam; trade assurance; export manager; sales manager; one-stop "
        "solution; fob price",
    },
    "spam_vanity": {
        "en": "eminent; esteemed; greetings of the day; inaugural issue; upcoming issue; manuscript; mini review; "
        "mini opinion; article processing charge; processing charge; honorable speaker; keynote speaker; "
        "compliments of the season; who's who; potential candidate; crystal trophy; logo pack; winner's package; "
        "has been nominated; has been selected as; nominated for best; best in class; coat of arms; "
        "trademark registration; internet keyword; applied to register; did you receive our previous; "
        "immense pleasure; great pleasure to invite; call for speakers; world congress; global summit; "
        "international conference on; register early; eminent speakers; your expertise; keynote; proceedings; "
        "indexed in; impact factor; rapid publication; peer-reviewed open access; editorial board member; "
        "join our editorial; rapid peer review; submit your manuscript; short article; awaiting your "
        "positive; prestigious award; annual awards; award ceremony; your nomination",
    },
    "spam_job": {
        "en": "work from home; part-time job; part time job; part-time jobs; no experience required; "
        "no experience needed; no experience; paid same day; per day from; usd daily; daily pay; mystery shopper; "
        "simple tasks; liking videos; per assignment; weekly pay; we saw your resume; your resume online; "
        "like youtube videos; process payments; tired of living; "
        "earn up to; earn money; get paid daily; paid daily; daily at home; no skills required; online job; "
        "limited slots; limited seats; flexible hours; hiring now; immediate start; no interview; payment "
        "processing; shipping manager; reship; copy paste; ad posting; home typing; from your phone; per hour "
        "from home; be your own boss; side income; second income",
        "de": "heimarbeit; von zu hause; nebenjob; keine vorkenntnisse; zahlungen weiterleiten",
        "fr": "travail à domicile; gagnez de l'argent; sans expérience; revenus complémentaires",
        "es": "trabajo desde casa; trabaja desde casa; sin experiencia; desde tu móvil; dinero desde casa",
        "it": "lavoro da casa; guadagna; nessuna esperienza; mettere mi piace",
        "pt": "renda extra; ganhe r$; sem sair de casa; trabalhe em casa; por dia em casa",
        "nl": "thuiswerk; verdien; geen ervaring nodig; bijverdienen",
    },
    "spam_dating": {
        "en": "serious man; serious relationship; single woman; i am single; my photos; send you my foto; "
        "my private photos; "
        "private photo; private photos; private pictures; your profile; dating portal; dating site; "
        "dating service; "
        "looking for fun; no strings; near you; lonely; write me; my personal email; "
        "wait for your letter; secret admirer; is she cheating; is he cheating; undetectable; someone u know; "
        "good man; nice man; honest man; looking for a man; russian girl; ukrainian; from ukraine; from "
        "russia; more pictures; my pictures; my photo; see my photos; lonely woman; beautiful women; single "
        "ladies; asian women; foreign brides; chat with me; waiting for your answer; answer me; hot women; "
        "naughty; hookup; casual encounters; cheating wives; discreet affair; private webcam; nude; married "
        "women; your secret admirer",
        "de": "was lockeres; meine bilder; ich bin online; sexkontakte; neu in deiner stadt; "
        "heiße frauen; einsame frauen; private bilder; ohne verpflichtung; treffen ohne; seitensprung",
        "fr": "rencontre coquine; mes photos; femme seule; être aimé; retour affectif; voyance; désenvoûtement; "
        "marabout; "
        "femmes célibataires; rencontres sans; plan cul; photos privées; femmes mariées",
        "es": "mis fotos; busco hombre; chica sola; "
        "mujeres solteras; chicas calientes; citas sin compromiso; fotos privadas",
        "it": "le mie foto; cerco uomo; donne single; incontri senza; foto private; ragazze calde",
        "pt": "minhas fotos; procuro homem; mulheres solteiras; encontros sem; fotos íntimas",
        "nl": "mijn foto's; zoek een man; geile vrouwen; single vrouwen; sexdate; vrouwen in de buurt",
    },
    "spam_prize": {
        "en": "you've won; you have won; you won; winner of the; is the winner; lucky winner; lucky people; "
        "claim your; "
        "claim now; claim my; your reward; unclaimed; prize jackpot; fantastic prize; gift card is about; "
        "giveaway; giving away; gold coin; free bottle; you've been selected; you have been selected; "
        "you've been chosen; you have been chosen; been selected to; just pay shipping; only pay shipping; "
        "stand a chance; eligible to claim; entitled to update; you are giving; donate the sum; donation of; "
        "ur entitled; u r entitled; txt; loyalty program; spots are limited; only 17 bottles; prizes left; "
        "complimentary; hotel stay; free stay; you have qualified; you qualify; you may have won; prize "
        "winner; winning number; claims agent; our annual draw; email address won; online draw; won the; cash "
        "prize; instant win; free iphone; free samsung; claim your prize; claim your gift; mystery box; "
        "reward points expiring; before the offer; while supplies; confirm your shipping; free cruise; free "
        "vacation",
        "de": "herzlichen glückwunsch; sie haben gewonnen; du hast gewonnen; gewonnen; preis sichern; "
        "gewinn sichern; "
        "nur versandkosten; freispiele; ohne einzahlung; gratis anmelden; "
        "glückwunsch; sie wurden ausgewählt; gratis iphone; gewinncode; losnummer; willkommensbonus",
        "fr": "vous avez gagné; félicitations; tours gratuits; sans dépôt; votre bonus; don de la somme; "
        "bonus de bienvenue; tentez de gagner; "
        "vous avez été sélectionné; heureux gagnant; cadeau gratuit; tirage au sort; euros offerts; € offerts",
        "es": "ha ganado; has ganado; felicidades; reclamar el premio; tiradas gratis; sin depósito; su premio; "
        "notificación de premio; "
        "ha sido seleccionado; has sido seleccionado; giros gratis; regalo gratis; bono de bienvenida; bono "
        "de; ganador",
        "it": "hai vinto; ha vinto; congratulazioni; giri gratis; senza deposito; bonus senza; ritira il premio; "
        "sei stato selezionato; è stato selezionato; premio gratuito; bonus di benvenuto; vincitore",
        "pt": "você ganhou; parabéns; resgate seu prêmio; rodadas grátis; sem depósito; "
        "você foi selecionado; foi sorteado; prêmio; ganhador; bônus de boas-vindas",
        "nl": "je hebt gewonnen; u heeft gewonnen; gefeliciteerd; claim mijn; claim je; gratis spins; "
        "alleen verzendkosten; geselecteerd uit; "
        "u bent geselecteerd; je bent geselecteerd; gratis iphone; welkomstbonus; winnaar; prijs claimen",
    },
    "spam_loan": {
        "en": "urgent loan; loan offer; we offer loans; personal loans; business loans; business loan; "
        "no collateral; "
        "credit check; bad credit; funds in your account; approved for; approved up to; pre-approved; "
        "debt forgiven; debt forgiveness; debt relief; back taxes; hardship program; fresh start program; "
        "get covered; factory warranty; vehicle's warranty; no upfront; fund projects; per annum; "
        "willing to fund; investment company; score doesn't matter; bank statements; no win no fee; "
        "you could be owed; still be owed; entitled to compensation; significant compensation; timeshare; "
        "mis-sold; free consultation; social security back; free quote; "
        "same day funding; business funding; no credit; fico; merchant cash advance; working capital; funding "
        "approved; stop creditor calls; creditor calls; debts in half; your debts; reduce what you owe; "
        "consolidate debt; credit score doesn't; bad credit ok; cash advance; guaranteed approval; easy "
        "approval; approval guaranteed; loans from; interest rate of; apply with; bank instrument; bg/sblc; "
        "sblc; project funding; student loan forgiveness; mortgage rates; refinance; auto insurance; car "
        "insurance quotes; home warranty; medicare plans; solar program; extended warranty",
        "de": "ohne schufa; kredit über; kredite von; sofortkredit; geldsorgen; schuldenfrei; auszahlung in 24; "
        "trotz negativer schufa; negativer schufa; trotz schufa; barkredit; geld morgen; kredit trotz; antrag "
        "online; ohne bürgen; umschulden",
        "fr": "droits à formation; compte formation; vos droits formation; non utilisés; seront perdus; prise en "
        "charge; pris en charge; tablette offerte; ordinateur offert; conseiller vous rappelle; répondez oui; "
        "dossier incomplet; choisissez votre formation; reste à charge; panneaux solaires; sans avance de frais; "
        "financé à 100; prime de l'état; bilan gratuit; "
        "offre de prêt; prêt entre; prêts de; interdit bancaire; taux de 2; à 1 €; droits cpf; "
        "pompe à chaleur; isolation à; droits à la formation; éligibilité; "
        "crédit rapide; prêt sans; sans justificatif; rachat de crédit; particulier à particulier; argent "
        "rapide",
        "es": "préstamo aprobado; préstamos sin; sin aval; con asnef; sin nómina; dinero urgente; préstamos de; "
        "dinero rápido; crédito rápido; préstamo rápido; sin comprobación; aunque esté en",
        "it": "offerta di prestito; prestiti da; cattivi pagatori; protestati; concedo prestiti; "
        "prestito veloce; prestiti veloci; senza busta paga; anche protestati; soldi subito",
        "pt": "empréstimo aprovado; negativado; sem consulta ao; spc/serasa; empréstimo para; "
        "dinheiro rápido; crédito rápido; sem burocracia; mesmo negativado; crédito aprovado",
        "nl": "zonder bkr; bkr-toetsing; geld nodig; lening tot; wij lenen; "
        "snel geld; direct geld; ook met bkr; zonder toetsing",
    },
    "spam_fortune": {
        "en": "next of kin; beneficiary; late client; late husband; deceased; widow; god bless; million dollars; "
        "million euro; million usd; atm card; courier; i seek your consent; 50/50; risk free; beloved; cancer; "
        "charity work; donate; confidence; barrister; attorney to; with full name; your full name; gold dust; "
        "stolen crypto; certified hackers; offshore; compensation; transfer of; legal heir; pounds; dear friend; "
        "contract fund; overdue fund; overdue payment; fund has been approved; inheritance fund; your fund; "
        "fund release; immediate transfer; reconfirm your; your banking information; million united; us$10; "
        "abandoned sum; dormant account; unclaimed sum; deposit box; trunk box; foreign partner; business "
        "partner; investment in your country; your country; confidential matter; urgent assistance; honest "
        "person; trusted person; i am contacting you; i got your contact; your kind attention; permit me to "
        "introduce; introduce myself; i am mr; i am mrs; i am dr; i am barrister; gold and diamonds; refugee; "
        "orphan; military officer; syria; afghanistan; united nations; diplomat",
        "de": "mein vermögen; spende meines; vermögen spenden; unheilbar krank; keine erben; keine kinder; witwe des; "
        "waisenkinder; gott segne; vertrauenswürdige person; "
        "nachlass; begünstigter; ohne erben; verstorbenen; millionen euro; streng vertraulich; witwe; notar",
        "fr": "don de mes biens; faire don de; donation de mes; léguer; ma fortune; atteinte d'un cancer; atteint d'un "
        "cancer; gravement malade; phase terminale; mes jours sont comptés; sans héritier; sans enfant; sans "
        "enfants; veuve; veuf; œuvres caritatives; orphelins; personne de confiance; que dieu; je vous ai choisi;"
        " votre contact sur internet; par la grâce de dieu; "
        "don de; legs; maladie incurable; succession; dieu vous bénisse; confidentiel; veuve; héritier",
        "es": "donar mis bienes; donación de mis bienes; mi fortuna; enfermedad terminal; cáncer terminal; sin "
        "herederos; sin hijos; viuda de; huérfanos; obras de caridad; persona de confianza; dios le bendiga; "
        "fallecido; herederos; beneficiario; sin riesgo; viuda; millones de; propuesta confidencial; "
        "datos personales",
        "it": "donare i miei beni; donazione dei miei beni; mia fortuna; malattia terminale; senza eredi; senza figli; "
        "vedova di; orfani; opere di carità; persona di fiducia; dio la benedica; "
        "vedova; malata; eredità; dio la benedica; milioni di euro; carissimo; donare",
        "pt": "doar os meus bens; doar meus bens; doação dos meus bens; minha fortuna; doença terminal; sem herdeiros; "
        "sem filhos; viúva de; órfãos; obras de caridade; pessoa de confiança; deus o abençoe; "
        "falecido; herdeiro; herança; sigilo absoluto; milhões de; viúva",
        "nl": "weduwe; erfenis; miljoen euro; begunstigde; strikt vertrouwelijk; schenken; goede doelen",
    },
    "spam_profit": {
        "en": "a day; per day; a week; weekly; trading account; trading bot; a.i. that; signals; presale; airdrop; "
        "connect wallet; btc back; 100x; double immediately; profits guaranteed; guaranteed profits; forex; "
        "binary option; minimum start; minimum deposit; deposit 250; from $250; financial advice; telegram; "
        "withdraw any time; withdraw anytime; crowd; hot alert; price target; day target; strong buy; "
        "about to explode; symbol; huge news; volume alert; fixed match; fixed matches; correct score; loophole; "
        "no website; a month with; went from broke; pre-activated; zero taxes; "
        "10x; loading up on; insiders; don't miss it; penny stock; trading at; this stock; stock pick; next "
        "big; huge gains; massive gains; guaranteed profit; guaranteed returns; passive income; roi; daily "
        "profit; crypto signals; bitcoin trading; mining investment; cloud mining; free bitcoin; double your "
        "money; investment platform; account manager; minimum investment; ico; nft drop; free mint; whitelist "
        "spot; retire early; make money online; money machine; autopilot",
        "de": "am tag; euro am tag; einsatz; millionär; banken sind schockiert; banken verbieten; plätze frei; "
        "bitcoin; passives einkommen; reich werden; garantierte gewinne; gewinn garantiert; trading-roboter",
        "fr": "par jour; grosse somme; devenir riche; gains garantis; cryptomonnaie",
        "es": "a la semana; beneficio garantizado; depósito mínimo; robot de trading; gana siempre; "
        "inversión segura",
        "it": "al giorno; guadagno garantito; deposito minimo; robot di trading",
        "pt": "por dia; método secreto; lucro garantido; sem vender",
        "nl": "per dag; winst gegarandeerd; ai-robot; bitcoin systeem; geld terug",
    },
    "spam_stock": {
        "en": "set to explode; about to explode; ready to explode; going to explode; poised to explode; "
        "poised to move; "
        "5-day target; 5 day target; day target; short term target; get in before; get in now; get in early; "
        "before the news gets out; gonna be huge; going to be huge; huge news; breaking news on; watch it trade; "
        "trade alert; trade on monday; on monday morning; on your radar; hot pick; stock alert; penny stock; "
        "otc; pink sheets; publisher was paid; was paid for this; compensated for this; explosive growth; "
        "this one is going; load up on; don't miss this one; next 10x; 10-bagger; insider tip; sub-penny",
        "de": "geheimtipp; kursziel in; vor dem ausbruch; wird explodieren; kursrakete",
        "fr": "va exploser; objectif de cours; à saisir avant; valeur à suivre de près",
        "es": "va a explotar; antes de que suba; objetivo a cinco días",
        "it": "sta per esplodere; prima che salga; obiettivo a cinque giorni",
        "pt": "vai explodir; antes que suba",
        "nl": "gaat ontploffen; koersdoel; voordat het nieuws",
    },
    "spam_miracle": {
        "en": "without diet; melt fat; belly fat; gummies; gummy; big pharma; doctors hate; doctors stunned; "
        "doctor reveals; "
        "doctors say; metformin; blood sugar; while you sleep; trick; they do not want you; "
        "did not want you to know; "
        "ban this; discreet package; discreet shipping; shipped worldwide; soft tabs; no doctor visit; "
        "meds online; "
        "generic; over the counter; replica; replica watches; same movement; hearing aid; power bill; "
        "kills your appetite; as seen on; joint pain; chronic pain; contractors are furious; power companies hate; "
        "kitchen spice; stop taking this; cardiologist; blood pressure; blood sugar levels; big secret; weird "
        "trick; simple trick; one trick; 5-second; 6-second; 30-second; short video; watch the video; before "
        "it is taken down; miracle; breakthrough; perfect clones; rolex; cartier; breitling; viagra; cialis; "
        "levitra; kamagra; tramadol; xanax; ozempic; semaglutide; hair loss; tinnitus; toenail fungus; "
        "neuropathy; prostate; memory loss; testosterone; lose weight; flat stomach; all natural; boost your; "
        "free trial bottle; pay only shipping; worldwide free delivery; cbd",
        "de": "potenzmittel; rezeptfrei; ohne rezept; diskrete lieferung; abnehmen; ohne diät; "
        "abnehmpillen; kilo abnehmen; wundermittel; natürliches mittel; ärzte sind; bauchfett",
        "fr": "sans régime; la graisse fond; brûle-graisse; ventre plat; sans ordonnance; médecins détestent; "
        "maigrir; perdez du ventre; perdez; kilos en; cette tisane; remède naturel; achetées; offertes; "
        "commandez vite",
        "es": "sin receta; sin dieta; quema grasa; adiós barriga; clínicas ocultan; envío discreto; "
        "bajar de peso; pierda peso; perder peso; remedio natural; kilos en; lleve 3; llévese",
        "it": "senza dieta; brucia grassi; i medici nascondono; senza ricetta; dimagrire; "
        "perdere peso; perdi peso; rimedio naturale; kg in; chili in",
        "pt": "sem academia; seca barriga; emagreça; emagrecer; elimine; sem receita; "
        "perder peso; perca peso; remédio natural; kg em; quilos em",
        "nl": "zonder recept; zonder dieet; afvallen; artsen haten; "
        "kilo in; natuurlijk middel; buikvet; wondermiddel; val af",
    },
    "spam_contact": {
        "en": "whatsapp; telegram; icq; wechat; skype id; contact me on; add me on; your phone number; "
        "phone/whatsapp; "
        "good number to call; best number to call; best time to call; suitable time to call; reply with full name; "
        "reply with your; reply yes; reply no; reply stop; send your name; name, country; full name and; "
        "reply to this address; write me only; contact only; call toll free; operators standing by; "
        "text stop; stop to opt out; to stop reply; reply with remove; reply out; "
        "reply for a quote; reply if you; reply to learn; reply with your number; call now; call today; "
        "contact us now; order today; order now; act now; register now; sign up now; limited offer; limited "
        "time; offer ends; whatsapp us; add our; for more details contact; kindly reply; get back to me; send "
        "your details; send your names; send me your; awaiting your reply; awaiting your response; "
        "satisfaction guaranteed; 100% satisfaction; risk-free; no obligation; free consultation; without "
        "obligation",
        "de": "nur an diese adresse; bitte ihre nummer; mit name, adresse; namen, betrag und telefonnummer",
        "fr": "contactez-moi par; indiquer votre numéro; nom, adresse et téléphone; vos nom, adresse",
        "es": "responda con nombre; mande su teléfono; escríbenos por; escríbeme",
        "it": "contattatemi; scrivici su; mi lascia un numero",
        "pt": "chame no; responda com nome; para sair da lista",
        "nl": "stuur naam; graag uw telefoonnummer; neem contact met mij",
        "other": "пишите в телеграм; 微信; 微信同号",
    },
}
