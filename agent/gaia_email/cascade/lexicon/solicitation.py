"""Words of strangers who sell, lend, hire or promise in series, in seven languages. Read by `spam`.

Each scheme needs words that honest sellers, banks and friends seldom use; what they do use weighs little alone.
"""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

SOLICITATION: Table = {
    "spam_outreach": {
        "en": "guest post; guest posts; guest posting; link insertion; link insertions; do-follow; dofollow; "
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
        "appointments; leave out; our price list; portfolio with past work",
        "de": "seite 1 bei google; auf seite 1; backlinks; webseite wird nicht gefunden; bei google kaum gefunden; "
        "suchmaschinenoptimierung; garantiert auf seite",
        "fr": "première page de google; 1ère page de google; page de google; bien référencé; mal référencé; "
        "référencement naturel; visité votre site; visitant votre site",
        "es": "primera página de google; primera en google; primeros en google; posicionamos; "
        "diseñamos su página web; "
        "posicionamiento seo; página web profesional",
        "it": "prima pagina di google; prima pagina in; in prima pagina; posizionamento su google; "
        "visitato il suo sito; il suo sito ha vari errori",
        "pt": "primeira página do google; topo do google; lista com milhões; milhões de e-mails; "
        "e-mails atualizados; "
        "lista de e-mails; divulgue sua empresa",
        "nl": "pagina 1 van google; pagina 1 in google; op pagina 1; scoort slecht in google; "
        "zoekmachineoptimalisatie",
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
        "freight rate; lower than your present supplier; cheaper than your present; 代开发票; 发票",
    },
    "spam_vanity": {
        "en": "eminent; esteemed; greetings of the day; inaugural issue; upcoming issue; manuscript; mini review; "
        "mini opinion; article processing charge; processing charge; honorable speaker; keynote speaker; "
        "compliments of the season; who's who; potential candidate; crystal trophy; logo pack; winner's package; "
        "has been nominated; has been selected as; nominated for best; best in class; coat of arms; "
        "trademark registration; internet keyword; applied to register; did you receive our previous",
    },
    "spam_job": {
        "en": "work from home; part-time job; part time job; part-time jobs; no experience required; "
        "no experience needed; no experience; paid same day; per day from; usd daily; daily pay; mystery shopper; "
        "simple tasks; liking videos; per assignment; weekly pay; we saw your resume; your resume online; "
        "like youtube videos; process payments; tired of living",
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
        "wait for your letter; secret admirer; is she cheating; is he cheating; undetectable; someone u know",
        "de": "was lockeres; meine bilder; ich bin online; sexkontakte; neu in deiner stadt",
        "fr": "rencontre coquine; mes photos; femme seule; être aimé; retour affectif; voyance; désenvoûtement; "
        "marabout",
        "es": "mis fotos; busco hombre; chica sola",
        "it": "le mie foto; cerco uomo",
        "pt": "minhas fotos; procuro homem",
        "nl": "mijn foto's; zoek een man",
    },
    "spam_prize": {
        "en": "you've won; you have won; you won; winner of the; is the winner; lucky winner; lucky people; "
        "claim your; "
        "claim now; claim my; your reward; unclaimed; prize jackpot; fantastic prize; gift card is about; "
        "giveaway; giving away; gold coin; free bottle; you've been selected; you have been selected; "
        "you've been chosen; you have been chosen; been selected to; just pay shipping; only pay shipping; "
        "stand a chance; eligible to claim; entitled to update; you are giving; donate the sum; donation of; "
        "ur entitled; u r entitled; txt; loyalty program; spots are limited; only 17 bottles; prizes left",
        "de": "herzlichen glückwunsch; sie haben gewonnen; du hast gewonnen; gewonnen; preis sichern; "
        "gewinn sichern; "
        "nur versandkosten; freispiele; ohne einzahlung; gratis anmelden",
        "fr": "vous avez gagné; félicitations; tours gratuits; sans dépôt; votre bonus; don de la somme; "
        "bonus de bienvenue; tentez de gagner",
        "es": "ha ganado; has ganado; felicidades; reclamar el premio; tiradas gratis; sin depósito; su premio; "
        "notificación de premio",
        "it": "hai vinto; ha vinto; congratulazioni; giri gratis; senza deposito; bonus senza; ritira il premio",
        "pt": "você ganhou; parabéns; resgate seu prêmio; rodadas grátis; sem depósito",
        "nl": "je hebt gewonnen; u heeft gewonnen; gefeliciteerd; claim mijn; claim je; gratis spins; "
        "alleen verzendkosten; geselecteerd uit",
    },
    "spam_loan": {
        "en": "urgent loan; loan offer; we offer loans; personal loans; business loans; business loan; "
        "no collateral; "
        "credit check; bad credit; funds in your account; approved for; approved up to; pre-approved; "
        "debt forgiven; debt forgiveness; debt relief; back taxes; hardship program; fresh start program; "
        "get covered; factory warranty; vehicle's warranty; no upfront; fund projects; per annum; "
        "willing to fund; investment company; score doesn't matter; bank statements; no win no fee; "
        "you could be owed; still be owed; entitled to compensation; significant compensation; timeshare; "
        "mis-sold; free consultation; social security back; free quote",
        "de": "ohne schufa; kredit über; kredite von; sofortkredit; geldsorgen; schuldenfrei; auszahlung in 24",
        "fr": "offre de prêt; prêt entre; prêts de; interdit bancaire; taux de 2; à 1 €; droits cpf; "
        "pompe à chaleur; isolation à; droits à la formation; éligibilité",
        "es": "préstamo aprobado; préstamos sin; sin aval; con asnef; sin nómina; dinero urgente; préstamos de",
        "it": "offerta di prestito; prestiti da; cattivi pagatori; protestati; concedo prestiti",
        "pt": "empréstimo aprovado; negativado; sem consulta ao; spc/serasa; empréstimo para",
        "nl": "zonder bkr; bkr-toetsing; geld nodig; lening tot; wij lenen",
    },
    "spam_fortune": {
        "en": "next of kin; beneficiary; late client; late husband; deceased; widow; god bless; million dollars; "
        "million euro; million usd; atm card; courier; i seek your consent; 50/50; risk free; beloved; cancer; "
        "charity work; donate; confidence; barrister; attorney to; with full name; your full name; gold dust; "
        "stolen crypto; certified hackers; offshore; compensation; transfer of; legal heir; pounds; dear friend",
        "de": "nachlass; begünstigter; ohne erben; verstorbenen; millionen euro; streng vertraulich; witwe; notar",
        "fr": "don de; legs; maladie incurable; succession; dieu vous bénisse; confidentiel; veuve; héritier",
        "es": "fallecido; herederos; beneficiario; sin riesgo; viuda; millones de; propuesta confidencial; "
        "datos personales",
        "it": "vedova; malata; eredità; dio la benedica; milioni di euro; carissimo; donare",
        "pt": "falecido; herdeiro; herança; sigilo absoluto; milhões de; viúva",
        "nl": "weduwe; erfenis; miljoen euro; begunstigde; strikt vertrouwelijk; schenken; goede doelen",
    },
    "spam_profit": {
        "en": "a day; per day; a week; weekly; trading account; trading bot; a.i. that; signals; presale; airdrop; "
        "connect wallet; btc back; 100x; double immediately; profits guaranteed; guaranteed profits; forex; "
        "binary option; minimum start; minimum deposit; deposit 250; from $250; financial advice; telegram; "
        "withdraw any time; withdraw anytime; crowd; hot alert; price target; day target; strong buy; "
        "about to explode; symbol; huge news; volume alert; fixed match; fixed matches; correct score; loophole; "
        "no website; a month with; went from broke; pre-activated; zero taxes",
        "de": "am tag; euro am tag; einsatz; millionär; banken sind schockiert; banken verbieten; plätze frei",
        "fr": "par jour; grosse somme; devenir riche; gains garantis; cryptomonnaie",
        "es": "a la semana; beneficio garantizado; depósito mínimo; robot de trading; gana siempre; "
        "inversión segura",
        "it": "al giorno; guadagno garantito; deposito minimo; robot di trading",
        "pt": "por dia; método secreto; lucro garantido; sem vender",
        "nl": "per dag; winst gegarandeerd; ai-robot; bitcoin systeem; geld terug",
    },
    "spam_miracle": {
        "en": "without diet; melt fat; belly fat; gummies; gummy; big pharma; doctors hate; doctors stunned; "
        "doctor reveals; "
        "doctors say; metformin; blood sugar; while you sleep; trick; they do not want you; "
        "did not want you to know; "
        "ban this; discreet package; discreet shipping; shipped worldwide; soft tabs; no doctor visit; "
        "meds online; "
        "generic; over the counter; replica; replica watches; same movement; hearing aid; power bill; "
        "kills your appetite; as seen on; joint pain; chronic pain; contractors are furious; power companies hate",
        "de": "potenzmittel; rezeptfrei; ohne rezept; diskrete lieferung; abnehmen; ohne diät",
        "fr": "sans régime; la graisse fond; brûle-graisse; ventre plat; sans ordonnance; médecins détestent",
        "es": "sin receta; sin dieta; quema grasa; adiós barriga; clínicas ocultan; envío discreto",
        "it": "senza dieta; brucia grassi; i medici nascondono; senza ricetta; dimagrire",
        "pt": "sem academia; seca barriga; emagreça; emagrecer; elimine; sem receita",
        "nl": "zonder recept; zonder dieet; afvallen; artsen haten",
    },
    "spam_contact": {
        "en": "whatsapp; telegram; icq; wechat; skype id; contact me on; add me on; your phone number; "
        "phone/whatsapp; "
        "good number to call; best number to call; best time to call; suitable time to call; reply with full name; "
        "reply with your; reply yes; reply no; reply stop; send your name; name, country; full name and; "
        "reply to this address; write me only; contact only; call toll free; operators standing by; "
        "text stop; stop to opt out; to stop reply; reply with remove; reply out",
        "de": "nur an diese adresse; bitte ihre nummer; mit name, adresse; namen, betrag und telefonnummer",
        "fr": "contactez-moi par; indiquer votre numéro; nom, adresse et téléphone; vos nom, adresse",
        "es": "responda con nombre; mande su teléfono; escríbenos por; escríbeme",
        "it": "contattatemi; scrivici su; mi lascia un numero",
        "pt": "chame no; responda com nome; para sair da lista",
        "nl": "stuur naam; graag uw telefoonnummer; neem contact met mij",
        "other": "пишите в телеграм; 微信; 微信同号",
    },
}
