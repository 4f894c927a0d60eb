"""What asking looks like in German, French, Spanish, Italian, Portuguese and Dutch.

The tables are read by `requests` exactly as the English one in `request_rules`.
"""

from __future__ import annotations

from gaia_email.extract.request_rule import Rule, anywhere, opening
from gaia_email.extract.request_rules_east import CHINESE, JAPANESE

GERMAN: tuple[Rule, ...] = (
    anywhere(
        "courtesy",
        0.2,
        "kein nicht frage zöger geht info kenntnis gern jederzeit",
        r"keine (?:antwort|aktion|rückmeldung|handlung) (?:\w{1,10} )?(?:nötig|erforderlich|notwendig)",
        r"(?:brauchst|brauchen|musst|müssen) (?:du|sie )?(?:\w{1,12} ){0,2}nicht(?:s)? (?:zu "
        r")?(?:tun|antworten)",
        r"(?:bei|für) (?:rück|weitere )?fragen|(?:noch |irgendwelche |weitere )fragen (?:haben|hast|habt)",
        r"fragen (?:haben|hast)|zögern? sie nicht|antworten sie (?:bitte )?nicht|wie geht(?:'s|s| es)",
        r"nur zur info|zur (?:info|kenntnis)|(?:gern|gerne|jederzeit) (?:an )?(?:mich|uns) (?:wenden|melden)",
    ),
    anywhere(
        "promotion",
        0.2,
        "abmelde abbestell klick jetzt browser newsletter",
        r"abmelden|abbestellen|hier klicken|klicken sie hier|im browser (?:ansehen|anzeigen|öffnen)",
        r"jetzt (?:kaufen|bestellen|sichern|shoppen|entdecken|anmelden|registrieren|testen|zugreifen)",
    ),
    anywhere("courtesy", 0.35, "bitte", r"bitte (?:sehr|schön|beachten|entschuldig)"),
    anywhere("directive", 0.92, "bitte ersuch", r"bitte\b|(?:ich|wir) (?:bitten?|ersuchen?)\b"),
    anywhere(
        "directive",
        0.9,
        "kan können könn würd wär mag mög dürf",
        r"(?:kannst|könntest|würdest|wärst|magst) du\b|(?:könnt|könntet|würdet|wärt) ihr\b",
        r"(?:können|könnten|würden|wären|möchten|dürfte|dürften|könnte|kann) (?:sie|wir|ich"
        r"|jemand)\b[^.!]*\??",
        r"wäre (?:\w{1,10} )?(?:nett|schön|super|toll|prima|hilfreich|klasse|dankbar),? wenn",
    ),
    anywhere(
        "directive",
        0.85,
        "brauch benötig lass sag gib schick sende meld gebt geben teil",
        r"(?:ich|wir) (?:brauche|bräuchte|benötige)n? (?:\w{1,12} )?(?:von|deine?|ihre?|eure?|bis|noch)\b",
        r"lass(?:t|en sie)? (?:es )?(?:mich|uns) (?:bitte )?wissen|sag(?:t|en sie)? (?:mir|uns)",
        r"(?:gib|gebt|geben sie|schick|schickt|schicken sie|sende|senden sie|teilen sie) (?:es )?(?:mir|uns)",
        r"melde dich\b|melden sie sich\b",
    ),
    anywhere(
        "need",
        0.72,
        "muss müss soll vergiss vergess denk erforderlich",
        r"(?:du|sie|ihr) (?:musst|müssen|müsst|solltest|sollten|solltet)\b|(?:musst|müssen"
        r"|müsst) (?:du|sie|ihr)",
        r"muss bis\b|müssen bis\b|vergiss nicht|vergessen sie nicht|denk(?:t|e|en sie)? (?:dr|dar)an",
        r"(?:antwort|rückmeldung|bestätigung|handlung) (?:ist )?(?:erforderlich|nötig)",
    ),
    opening(
        "directive",
        0.7,
        r"(?:prüfe|prüf|schicke?|sende|rufe?|lies|überprüfe|bestätige|unterschreibe?|bringe?|hole?|kauf|mach"
        r"|trage?|füge|erstelle|antworte|buche|reserviere|lass uns|lasst uns|vergiss)\b(?! (?:ich|wir)\b)",
        r"(?:prüfen|schicken|senden|rufen|bestätigen|überprüfen|unterschreiben|füllen|antworten|beachten"
        r"|überweisen|zahlen|bezahlen|aktualisieren|reichen|geben|nehmen|bringen|laden) sie\b",
    ),
    anywhere(
        "need",
        0.68,
        "fehl wart freue bescheid bitte_um gebeten zahlbar dankbar brauche_ich brauchen_wir erwarte",
        r"(?:mir|uns|es) fehl(?:t|en)\b|fehl(?:t|en) (?:mir|uns|noch)\b",
        r"wart(?:e|en|et) (?:\w{1,12} )?auf (?:dich|sie|euch|deine?n?|ihre?n?|eure?n?)\b",
        r"(?:freue|freuen) (?:mich|uns) (?:auf|über) (?:deine|ihre|eure|eine) (?:antwort|rückmeldung|zusage|nachricht)",
        r"(?:gib|gebt|geben sie|sag|sagt) (?:\w{1,10} )?bescheid|um (?:\w{1,12} )?(?:antwort|rückmeldung"
        r"|bestätigung|freigabe)"
        r" (?:bis|wird gebeten)|zahlbar (?:bis|innerhalb)|wäre(?:n)? (?:\w{1,10} )?dankbar",
        r"brauche ich (?:noch|von|dein|ihr|eur|bis)|brauchen wir (?:noch|von|dein|ihr|eur|bis)",
    ),
    anywhere(
        "question", 0.8, "?", r"(?:du|dir|dich|dein\w{0,2}|sie|ihnen|ihr\w{0,2}|wir|uns)\b[^.!]*\?\W{0,5}$"
    ),
    anywhere("question", 0.65, "?", r"\w[^?]*\?\W{0,5}$"),
)

FRENCH: tuple[Rule, ...] = (
    anywhere(
        "courtesy",
        0.2,
        "aucun pas question hésit ça info",
        r"aucune (?:action|réponse) (?:n'est )?(?:requise|nécessaire|attendue)",
        r"(?:pas|inutile) (?:besoin )?de répondre|ne (?:pas )?répond(?:re|ez) pas|(?:des|toute"
        r"|autres) questions?\b",
        r"n'hésite[zs]? pas|(?:comment )?ça va\b|comment allez[- ]vous|pour (?:info|information)\b",
    ),
    anywhere(
        "promotion",
        0.2,
        "désabonn désinscri cliquez navigateur profitez découvrez achetez commandez",
        r"(?:vous |se )?(?:désabonner|désinscrire)|cliquez ici|dans (?:votre|le) navigateur",
        r"profitez(?:-en)?\b|découvrez\b|achetez (?:maintenant)?|commandez maintenant",
    ),
    anywhere(
        "directive",
        0.92,
        "merci_de plaît plait veuill prièr pri svp stp",
        r"merci (?:de|d')(?! (?:votre|ta|ton|vos|tes|l'|la|le|cette|ce|avoir|m'avoir|nous avoir)\b)",
        r"s'il (?:vous|te) pla[iî]t|\bsvp\b|\bstp\b|veuillez(?! (?:agréer|recevoir|trouver|accepter|croire))",
        r"(?:je|nous) (?:vous |te )?(?:prie|prions|demande|demandons)(?! d'(?:agréer|accepter))|prière de",
    ),
    anywhere(
        "directive",
        0.9,
        "pourri pouvez peux peut pouvons serai ferai",
        r"(?:pourriez|pouvez|voudriez|auriez|seriez|sauriez|avez)[- ]vous\b|(?:pourrais|peux"
        r"|voudrais|aurais)[- ]tu",
        r"tu (?:peux|pourrais)\b|vous (?:pouvez|pourriez)\b[^.!]*\?|(?:peut|pourrait)[- ]on"
        r"|(?:pouvons|pourrions)-nous",
        r"ce serait (?:\w{1,10} )?(?:bien|gentil|super|sympa|utile|parfait) (?:si|de|que)",
        r"serais? (?:très )?reconnaissante? (?:si|de)|est-ce que (?:tu|vous) (?:peux|pouvez|pourri)",
    ),
    anywhere(
        "directive",
        0.85,
        "besoin dis tien fai envoi donne rappel confirm",
        r"(?:j'ai|j'aurais|nous avons|nous aurions|on a) besoin (?:de (?:ton|ta|tes|votre|vos)"
        r"|que (?:tu|vous))",
        r"(?:dis|dites|tiens|tenez|envoie|envoyez|donne|donnez|fais|faites|rappelle|rappelez)[- ](?:le[- ])?"
        r"(?:moi|nous)\b",
        r"confirme[zr]?[- ](?:moi|nous)",
    ),
    anywhere(
        "need",
        0.72,
        "dev doi faut oubli requis nécessaire",
        r"(?:vous|tu) (?:devez|dois|devriez|devrais)\b|il (?:faut|faudrait) que (?:tu|vous)\b|il vous faut\b",
        r"n'oublie[zs]? pas|(?:réponse|action|confirmation|validation) (?:est )?(?:requise"
        r"|nécessaire|attendue)",
    ),
    opening(
        "directive",
        0.7,
        r"(?:envoyez|vérifiez|confirmez|répondez|signez|complétez|remplissez|ajoutez|corrigez|relisez|appelez"
        r"|préparez|validez|mettez|réservez|transmettez|payez|réglez|envoie|vérifie|confirme|réponds|relis"
        r"|appelle|prépare|réserve|prends|apporte|apportez|pense à|pensez à)\b",
    ),
    anywhere(
        "need",
        0.68,
        "manque faut_que attend retour réponse renvoie renvoy est_à sont_à compte_sur te_va vous_convient",
        r"il (?:me|nous|ne me) manque\b|il faut que (?:quelqu'un|vous|tu|on)\b",
        r"(?:j'attends|nous attendons|en attente de|dans l'attente de) (?:votre|vos|ton|ta|tes|un|une)\b",
        r"(?:un|une) (?:simple |petit |petite |rapide )?(?:retour|réponse|mot|confirmation)\b[^.!?]{0,40}\b"
        r"(?:suffi\w+|serait|avant|d'ici|de votre part|de ta part)",
        r"renvo(?:ie|yez)[- ](?:le|la|les|moi|nous)\b|(?:est|sont) à (?:régler|payer|retourner|compléter"
        r"|signer|renvoyer)\b",
        r"(?:je|nous) compt(?:e|ons) sur (?:toi|vous|ta|votre)\b",
    ),
    anywhere("question", 0.8, "?", r"(?:tu|te|toi|ton|ta|tes|vous|votre|vos|on|nous)\b[^.!]*\?\W{0,5}$"),
    anywhere("question", 0.65, "?", r"\w[^?]*\?\W{0,5}$"),
)

SPANISH: tuple[Rule, ...] = (
    anywhere(
        "courtesy",
        0.2,
        "no_ ningun duda pregunta qué_tal cómo info",
        r"no (?:es necesari[oa]|hace falta|se requiere)\b|ninguna acción|no responda[ns]? a este",
        r"(?:cualquier|alguna|tienes?|otra) (?:duda|pregunta|consulta)s?\b|no dud(?:e|es) en"
        r"|¿?qué tal\b|¿?cómo est[aá]s?\b",
        r"para (?:tu|su) (?:información|conocimiento)",
    ),
    anywhere(
        "promotion",
        0.2,
        "baja clic navegador compra descubre aprovecha suscri",
        r"darse de baja|date de baja|(?:haz|haga) clic|en (?:tu|su|el) navegador|cancelar (?:la"
        r"|tu|su) suscripción",
        r"compra ahora|descubre\b|aprovecha\b",
    ),
    anywhere(
        "directive",
        0.92,
        "favor porfa ruego rogamos",
        r"por ?fa(?:vor)?\b|(?:le |te |les |os )?(?:ruego|rogamos)\b",
    ),
    anywhere(
        "directive",
        0.9,
        "pod pued pod podr import gustar agradec ser",
        r"¿?(?:me |nos )?(?:podrías?|podría|podrían|puedes?|pueden|podéis|podemos|podríamos)\b[^.!]*\?",
        r"(?:podrías|podría usted|puedes|podéis|pueden) \w+(?:ar|er|ir)(?:me|nos|lo|la|le|les|los|las){0,2}\b",
        r"te importaría|le importaría|(?:te|le|os|les) agradecer(?:ía|íamos|é|emos)|se agradece\b",
        r"sería (?:\w{1,10} )?(?:bueno|genial|ideal|útil|estupendo) (?:si|que)",
    ),
    anywhere(
        "directive",
        0.85,
        "necesit avís dime díga envía mánda confirm dame conf cuént indíq hágal llám respónd remít",
        r"(?:necesito|necesitamos|necesitaría) (?:que|tu|su|vuestr\w)\b|(?:me|nos) (?:avisas?"
        r"|dices?|confirmas?)\b",
        r"avís(?:a|e)(?:me|nos)|(?:dime|díganos|dígame|envíame|envíenos|envíeme|mándame|mándanos|confírmame"
        r"|confírmanos|dame|cuéntame|hazme saber|háganos saber)\b",
        r"(?:indíque|confírme|llám[ae]|respónd[ae]|remíta|hága)(?:me|nos|lo|la|noslo|melo)\b",
    ),
    anywhere(
        "need",
        0.72,
        "deb tien olvid recuerd requier necesari",
        r"(?:debes?|deben|debéis|tienes? que|tienen que|tenéis que|deberías?|deberían)\b",
        r"no (?:te )?olvid(?:es|e|éis)|recuerd(?:a|e|en) \w+(?:ar|er|ir)|se requiere (?:tu|su)",
    ),
    opening(
        "directive",
        0.7,
        r"(?:envía|envíe|envíen|revisa|revise|revisen|confirma|confirme|confirmen|firma|firme"
        r"|responde|responda"
        r"|llama|llame|completa|complete|rellena|rellene|añade|añada|prepara|prepare|manda|mande|comprueba"
        r"|compruebe|actualiza|actualice|reserva|reserve|paga|pague|trae|traiga|adjunta|adjunte)\b",
    ),
    anywhere(
        "need",
        0.68,
        "falta espera contesta pendiente sin_completar fecha_límite hay_que responde aguardo",
        r"(?:me|nos) falta(?:n)?\b|falta(?:n)? (?:tu|su|vuestr\w|la|el) \w+",
        r"(?:quedo|quedamos|estamos|estoy)?,? ?a la espera de|espero (?:tu|su|vuestr\w) (?:respuesta|confirmación|ok)",
        r"contéstame|contesta(?:me)? (?:a este|cuanto|por)|(?:tienes|tiene) (?:\w+ ){0,3}(?:pendiente|sin completar)",
        r"fecha límite\b|hay que (?:firmar|pagar|enviar|entregar|confirmar|completar)",
    ),
    anywhere(
        "question",
        0.8,
        "?",
        r"(?:tú|te|ti|tu|tus|usted|ustedes|su|sus|os|nos|est[aá]s|tienes?|quier\w{1,4}|vas"
        r"|vienes)\b[^.!]*\?\W{0,5}$",
    ),
    anywhere("question", 0.65, "?", r"\w[^?]*\?\W{0,5}$"),
)

ITALIAN: tuple[Rule, ...] = (
    anywhere(
        "courtesy",
        0.2,
        "non_ nessun domand esit come info",
        r"non (?:è necessari[oa]|serve|occorre)\b|nessuna (?:azione|risposta)|non (?:rispondere|risponda)",
        r"(?:altre |qualsiasi |eventuali )?domande\b|non esit(?:are|i|ate)|come (?:stai|sta|va)\b"
        r"|per (?:tua|sua) info",
    ),
    anywhere(
        "promotion",
        0.2,
        "disiscri clicca browser acquista scopri approfitta",
        r"(?:dis|annulla l')iscri\w+|clicca(?:re)? qui|nel (?:tuo )?browser|acquista ora|scopri\b|approfitta",
    ),
    anywhere(
        "directive",
        0.92,
        "favore cortesia prego preg pregh",
        r"per (?:favore|cortesia|piacere)\b|(?:ti|vi|la|le) (?:prego|preghiamo|chiedo"
        r"|chiediamo)\b|si prega di",
    ),
    anywhere(
        "directive",
        0.9,
        "pot puo può poss sarebb dispiac riesc",
        r"(?:mi |ci |ce lo )?(?:potresti|potrebbe|potreste|puoi|può|potete|possiamo|potremmo"
        r"|riesci|riuscite)\b[^.!]*\?",
        r"(?:potresti|potrebbe|potreste|puoi|potete) \w+(?:are|ere|ire|armi|arci|ermi|erci|irmi"
        r"|irci|arlo|arla)\b",
        r"ti dispiac|le dispiac|sarebbe (?:\w{1,10} )?(?:bello|utile|ideale|possibile|ottimo)"
        r"|(?:ti|vi|le) sarei grat",
    ),
    anywhere(
        "directive",
        0.85,
        "bisogno serve fammi facci faccia mandami inviami dimmi dacci confermami tienimi conferma",
        r"(?:ho|abbiamo|avrei|avremmo) bisogno (?:che|del tuo|della tua|del suo|della sua|dei "
        r"tuoi|delle tue|di te)\b",
        r"(?:fammi|facci|fatemi|fateci|mi faccia|ci faccia) sapere|(?:mandami|mandaci|inviami"
        r"|inviaci|dimmi|dacci"
        r"|confermami|confermaci|tienimi|mandatemi|inviatemi)\b|mi (?:confermi|mandi|invii)\b",
    ),
    anywhere(
        "need",
        0.72,
        "dev dov dimentic ricord richiest necessar",
        r"(?:devi|deve|dovete|dovresti|dovrebbe|dovreste)\b|non dimenticare|ricorda(?:ti|rsi"
        r"|te)? di|è richiest",
    ),
    opening(
        "directive",
        0.7,
        r"(?:invia|inviate|controlla|controllate|verifica|verificate|conferma|confermate|firma"
        r"|firmate|rispondi"
        r"|chiama|compila|compilate|aggiungi|prepara|manda|prenota|paga|porta|leggi|rivedi|aggiorna)\b",
    ),
    anywhere(
        "need",
        0.68,
        "manca attend aspett gradirei gradiremmo invitiamo carica resto",
        r"(?:mi|ci) manca(?:no)?\b|manca(?:no)? (?:la|il|lo|l'|i|le|solo|ancora)\b",
        r"(?:attendo|attendiamo|aspetto|aspettiamo|resto in attesa|in attesa) (?:di )?(?:un |una |il "
        r"|la )?(?:tu\w|su\w|"
        r"vostr\w|riscontro|risposta|conferma|cortese)",
        r"gradire(?:i|mmo)\b|(?:la|ti|vi) invitiamo a (?!visitare|scoprire)|caric(?:a|ala|alo|hi|ate)\b",
        r"aspetta che (?:qualcuno|tu|lei)\b",
    ),
    anywhere(
        "question",
        0.8,
        "?",
        r"(?:tu|ti|te|tuo|tua|lei|le|suo|sua|voi|vi|vostr\w|noi|ci|hai|sei|vuoi|vieni"
        r"|avete)\b[^.!]*\?\W{0,5}$",
    ),
    anywhere("question", 0.65, "?", r"\w[^?]*\?\W{0,5}$"),
)

PORTUGUESE: tuple[Rule, ...] = (
    anywhere(
        "courtesy",
        0.2,
        "não dúvida pergunta tudo info nenhum",
        r"não (?:é necessári[oa]|precisa (?:responder|fazer)|responda)\b|nenhuma ação|(?:qualquer"
        r"|alguma|tiver) dúvidas?",
        r"(?:outras|mais) (?:dúvidas|perguntas|questões)|não hesite|tudo bem\?|como (?:está"
        r"|vai)\b|para (?:sua )?informação",
    ),
    anywhere(
        "promotion",
        0.2,
        "cancelar clique navegador compre descubra aproveite",
        r"cancelar (?:a )?(?:inscrição|subscrição|assinatura)|clique aqui|no (?:seu )?navegador"
        r"|compre (?:já|agora)|descubra|aproveite",
    ),
    anywhere(
        "directive",
        0.92,
        "favor solicit agrade peço pede queir",
        r"(?:por|faz|se faz) favor\b|(?<!nunca )(?<!não )(?:solicito|solicitamos|peço|pedimos|pede-se|solicita-se)\b"
        r"|agrade(?:ço|cia|cíamos|cemos) (?:se|que)\b|solicitar a (?:v\.|vossa)|queiram? \w+[aei]r\b",
    ),
    anywhere(
        "directive",
        0.9,
        "pod poss consegu import ser",
        r"(?:você |tu |o senhor |a senhora )?(?:me |nos )?(?:poderia|poderias|pode|podes|podem"
        r"|podemos|poderíamos|podia|consegue|consegues)\b[^.!]*\?",
        r"(?:poderia|poderias|pode|podes|podem) (?:me |nos |por favor )?\w+(?:ar|er|ir)(?:-me|-nos)?\b",
        r"(?:se )?importa(?:ria)? de|seria (?:\w{1,10} )?(?:bom|ótimo|ideal|possível|útil) (?:se|que)",
    ),
    anywhere(
        "directive",
        0.85,
        "precis -me -nos me_ nos_ deix",
        r"(?:preciso|precisamos|precisava|precisávamos) (?:que|do (?:seu|teu)|da (?:sua|tua)|de (?:você|ti|vocês))\b"
        r"|(?:me|nos) (?:avis[ae]|dig[ao]|confirm[ae]|envi[ae]|mand[ae]|lig[ue]{1,2}|respond[ae]|indi(?:ca|que))\b",
        r"(?:avis[ae]|dig[ao]|diz|envi[ae]|mand[ae]|confirm[ae]|lig(?:a|ue)|respond[ae]|telefon[ae]|traga|traz|mostr[ae]"
        r"|escrev[ae]|ajud[ae]|expli(?:ca|que)|indi(?:ca|que)|inform[ae]|pass[ae]|empreste|reserv[ae])-(?:me|nos|lhe)\b"
        r"|(?:deixe|deixa)-?(?: me|-me) saber",
    ),
    anywhere(
        "need",
        0.72,
        "dev tem_ tens_ esque lembr necessári",
        r"(?:você |vocês )?(?:deve|deves|devem|deveria|deverias) \w+(?:ar|er|ir)\b|(?:tem|tens"
        r"|têm) (?:que|de) \w+r\b|não (?:se )?esqueç|lembre(?:-se)? de",
    ),
    opening(
        "directive",
        0.7,
        r"(?:envie|envia|revise|reveja|verifique|confirme|confirma|assine|assina|responda|responde|ligue|liga"
        r"|preencha|adicione|prepare|prepara|mande|atualize|reserve|pague|traga|anexe|entre|venha|escolha|complete"
        r"|indique|informe|aprove|devolva|transfira|diga|leia|consulte)\b",
    ),
    anywhere(
        "need",
        0.68,
        "falta aguard preciso diz-me diz_só espera só_você só_tu precisamos",
        r"(?:falta|faltam)(?:-me|-nos)? (?:a |o |as |os |só |apenas )?(?:sua|seu|tua|teu|assinatura"
        r"|confirmação|resposta)\b",
        r"(?:fico|ficamos|estou|estamos) (?:a aguardar|à espera|no aguardo)|aguard(?:o|amos) (?:a |o )?(?:sua"
        r"|seu|tua|teu|"
        r"resposta|retorno|confirmação)",
        r"precis(?:o|amos) (?:que|d[aoe])\b|diz-me|diz só|só (?:você|tu) (?:tem|tens|pode|podes)\b",
    ),
    anywhere(
        "question",
        0.8,
        "?",
        r"(?:você|vocês|tu|te|ti|seu|sua|teu|tua|nós|quer|queres|tem|tens|vai|vais|está"
        r"|estás|a senhora|o senhor)\b[^.!]*\?\W{0,5}$",
    ),
    anywhere("question", 0.65, "?", r"\w[^?]*\?\W{0,5}$"),
)

DUTCH: tuple[Rule, ...] = (
    anywhere(
        "courtesy",
        0.2,
        "geen niet vra aarzel hoe info",
        r"geen (?:actie|antwoord|reactie) (?:nodig|vereist)|(?:hoef|hoeft) (?:je|u )?(?:\w{1,12} "
        r"){0,2}niet|niet (?:te )?(?:antwoorden|beantwoorden)",
        r"(?:nog |verdere |andere )?vragen (?:heb|hebt|heeft|hebben)|(?:bij|voor|heb je|heeft u) "
        r"(?:nog )?(?:verdere )?vragen|aarzel niet",
        r"hoe gaat het|ter info|ter kennisgeving",
    ),
    anywhere(
        "promotion",
        0.2,
        "afmeld klik browser bestel_nu koop_nu ontdek uitschrij",
        r"afmelden|uitschrijven|klik hier|in (?:je|uw) browser|bestel nu|koop nu|ontdek\b",
    ),
    anywhere(
        "directive",
        0.92,
        "alsjeblieft alstublieft aub svp graag gelieve verzoek",
        r"alsjeblieft|alstublieft|\baub\b|\bsvp\b|a\.u\.b|graag (?=[^.]*\b(?:je|jij|jullie|u|uw"
        r"|jouw|voor|even|laten|bevestig|reactie|antwoord)\b)|gelieve\b|verzoek (?:ik|wij|u)"
        r"|verzoeken (?:wij|u)",
    ),
    anywhere(
        "directive",
        0.9,
        "kun kan zou wil",
        r"(?:kun|kan|kunt|zou|wil|wilt) (?:je|jij|u|jullie|iemand|ik|we|wij)\b|(?:kunnen|zouden"
        r"|willen) (?:jullie|we|wij|ze)\b",
    ),
    anywhere(
        "directive",
        0.85,
        "laat geef stuur nodig meld bevestig hoor",
        r"laat (?:het )?(?:me|mij|ons|even)\b[^.]{0,20}\bweten|(?:geef|stuur|meld|bevestig|bel) "
        r"(?:het )?(?:me|mij|ons|even)\b|(?:ik|we|wij) (?:heb|hebben) (?:nog )?(?:je|jouw|uw"
        r"|jullie)\b[^.]*nodig|(?:hoor|horen) (?:ik |wij |we )?(?:het )?graag",
    ),
    anywhere(
        "need",
        0.72,
        "moet vergeet denk vereist nodig dien",
        r"(?:je|jij|u|jullie) (?:moet|moeten|dient|dienen)\b|vergeet niet|denk (?:je )?(?:er)?aan"
        r"|(?:antwoord|reactie|bevestiging) (?:is )?(?:vereist|nodig)",
    ),
    opening(
        "directive",
        0.7,
        r"(?:stuur|controleer|bevestig|onderteken|beantwoord|bel|vul|voeg|bereid|betaal|boek"
        r"|reserveer|neem|breng|lees|check|geef|zorg|kijk)\b",
    ),
    anywhere(
        "need",
        0.68,
        "mis ontbreek wacht zeg_het retour ontvang graag weten",
        r"(?:ik|we|wij) mis(?:sen)? (?:nog )?(?:de|het|je|jouw|uw|alleen)\b|ontbreekt (?:nog|alleen)|ontbreken nog",
        r"wacht(?:en)? (?:nog )?op (?:je|jou|jouw|u|uw|jullie)\b|zeg het maar"
        r"|(?:getekend )?retour\b(?=[^.]*(?:graag|$))",
        r"ontvang(?:en)? (?:ik|wij|we) (?:\w+ )?graag|graag (?:voor|vóór|uiterlijk|even|een reactie|je|uw)\b"
        r"|laat (?:het )?(?:maar |even )?weten",
    ),
    anywhere("question", 0.8, "?", r"(?:je|jij|jou|jouw|u|uw|jullie|we|wij|ons)\b[^.!]*\?\W{0,5}$"),
    anywhere("question", 0.65, "?", r"\w[^?]*\?\W{0,5}$"),
)

INTERNATIONAL: dict[str, tuple[Rule, ...]] = {
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
    "ja": JAPANESE,
    "zh": CHINESE,
}
