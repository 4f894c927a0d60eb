"""Words of speech acts (Cohen, Carvalho and Mitchell, 2004). Read by `acts` and `needs_reply`.

Requests are found by `gaia_email.extract.requests`; the lists here are the other acts.
"""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

ACTS: Table = {
    "act_commit": {
        "en": "i'll; i will; we'll; we will; i am going to; i'm going to; we are going to; we're going to; "
        "i promise; we promise; count on me; i can have it; will do it; will do that; will do so; i shall; we "
        "shall; will get back to you; you will find the amount; i take it over; i take over; i rewrite; i "
        "send; i'm sending it; "
        "ill bring; ill send; ill come; ill do; he'll swap; they'll leave; consider it done; i swear; leave it "
        "with me; i'll make sure; "
        "i should be able to; i plan to; i intend to; i am working on; i'm working on; i'm on it; "
        "i can make it; i would be happy to; i'd be happy to; happy to help; i'll get back to you; "
        "you'll have it; you will have it; we can have it",
        "de": "ich werde; wir werden; ich schicke; ich melde mich; wir melden uns; ich kümmere mich; "
        "ich erledige; ich sende; ich bringe; ich nehme mit; ich prüfe; ich besorge; ich mache das; wir "
        "kümmern uns; bekommst du; bekommen sie; wir schicken; ich übernehme; ich rufe; versprochen; mache ich",
        "fr": "je vais; nous allons; je vous envoie; je vous enverrai; je t'envoie; je m'en occupe; "
        "je reviens vers; je ferai; nous ferons; je te rappelle; je vous rappelle; promis; je prends contact; "
        "vous ferai; te ferai; je te tiens; "
        "je vous tiens; je passe; je règle ça; vous recevrez; tu recevras; "
        "je m'occupe; j'apporte; je préviens; je vous recontacte; je te recontacte; je vous confirme demain; "
        "comptez sur moi; compte sur moi; je te dis; je vous dis; je vous réponds; je te réponds; je vous le "
        "porte; je te le porte",
        "es": "voy a; vamos a; te envío; le envío; te enviaré; le enviaré; me encargo; te mando; lo haré; "
        "te llamo; nos ponemos; me comprometo; te paso el; te paso la; le paso; te lo mando; lo llevo; "
        "le llamo; recibirás; recibirá; "
        "yo me ocupo; me ocupo de; te aviso; le aviso; os aviso; te digo algo; le digo algo; te confirmo; le "
        "confirmo; prometido; te lo prometo; cuenta conmigo; cuente conmigo; yo lo llevo; te lo llevo; se lo "
        "llevo; se lo envío; se lo mando; te lo envío",
        "it": "ti invio; le invio; ti mando; le mando; ti invierò; le invierò; me ne occupo; lo farò; "
        "ti richiamo; vi farò sapere; ti farò sapere; provvederò; ci penso io; sarà disposto; ti porto; le "
        "porto; ti chiamo; la chiamo; riceverai; riceverà; "
        "penso io; mi occupo io; ti aggiorno; la aggiorno; vi aggiorno; lo faccio io; ti faccio sapere; le faccio "
        "sapere; li prendo; lo prendo io; promesso; te lo porto; glielo mando; te lo mando; le confermo entro; ti "
        "confermo entro; mi impegno",
        "pt": "vou enviar; vou mandar; vamos enviar; envio-lhe; eu envio; eu cuido; trato disso; farei; "
        "te envio; te ligo; dou notícias; vou tratar; trato dela; trato dele; levo-lha; levo-lho; levo eu; "
        "mando-te; ligo-te; ligo-lhe; "
        "vou fazer; vou ver; vou falar; vou buscar; faço isso; eu faço; eu trato; eu levo; eu aviso; aviso-te; "
        "aviso-o; aviso-a; aviso-lhe; envio-te; transfiro-te; mando-lhe; te mando; te aviso; te confirmo; "
        "confirmo-te; confirmo-lhe; prometo; prometido; fica prometido; pode deixar; deixa comigo; deixe comigo; "
        "encarrego-me; fico de; levo-te; digo-te; digo-lhe; dou-te; dou-lhe; respondo-lhe; respondo-te",
        "nl": "ik zal; wij zullen; we zullen; ik stuur; ik ga; ik kom erop terug; ik regel; ik bel je; "
        "ik zorg; ik neem contact; komt goed; ik werk het; stuur het maandag; stuur het morgen; ik breng; ik "
        "kom langs; ik neem mee; ik doe het; "
        "ik laat het je weten; ik laat het u weten; je hoort van mij; u hoort van mij; ik maak het in orde; ik "
        "maak het klaar; ik stuur je; ik stuur u; ik neem het mee; beloofd; ik pak het op; ik kijk ernaar; ik bel "
        "u",
    },
    "act_propose": {
        "en": "how about; what about; let's; shall we; i propose; i suggest; i'd suggest; i would suggest; "
        "i'd like to propose; my suggestion; we could; why don't we; does that work; would that work; "
        "does this work; work for you; works for you; would you like to; would you be interested; "
        "are you available; are you free; available sometime; when are you free; alternatively; one option; "
        "would you prefer; best for me; i recommend; i'd recommend; we propose; proposed date; "
        "would suit you; suit you; would you be up for; up for; want to grab; care to; perhaps we; maybe we; "
        "like to discuss; like to meet; like to talk; like to speak with; like to sit down; like to sit with; "
        "like to chat; we can meet; we can talk; we can discuss; we can chat; welcome to join; love to have you; "
        "glad to talk; happy to discuss; happy to talk; like to invite; extend an invitation; can talk further; "
        "like to get together; like to catch up; quick phone call; grab a coffee; grab lunch",
        "de": "wie wäre es; wie wär's; wollen wir; sollen wir; ich schlage vor; mein vorschlag; passt dir; "
        "passt ihnen; würde dir; würde ihnen; wir könnten; lass uns; lassen sie uns; hättest du; hätten sie",
        "fr": "je propose; je vous propose; je te propose; que diriez-vous; que dirais-tu; on pourrait; "
        "nous pourrions; est-ce que cela vous; ça te va; cela vous convient; êtes-vous disponible; es-tu libre; "
        "êtes-vous libre; si on",
        "es": "propongo; te propongo; le propongo; qué te parece; qué le parece; podríamos; te viene bien; "
        "le viene bien; estás libre; está disponible; estás disponible; y si; sugiero",
        "it": "propongo; ti propongo; le propongo; che ne dici; che ne dice; potremmo; ti va bene; "
        "le va bene; sei libero; sei libera; è disponibile; suggerisco; che ne pensi",
        "pt": "proponho; sugiro; que tal; o que acha; poderíamos; podíamos; fica bem; estás livre; "
        "está disponível; você está livre; dá-te jeito; te parece",
        "nl": "ik stel voor; mijn voorstel; zullen we; wat dacht je; wat vind je; schikt het; past het; "
        "komt dat uit; ben je vrij; bent u beschikbaar; we kunnen; laten we; heb je tijd",
    },
    "act_option": {
        "en": "which suits; which one suits; which day suits; which date suits; which time suits; which would suit; "
        "which works; which day works; which one do you prefer; which would you prefer; which do you prefer; "
        "which d'you want; which do you want; which is yours; which of the two; suit you; suits you; suits you better; "
        "suits you best; work on your side; works on your side; be convenient for you; be possible for you; "
        "possible for you; ok with you; okay with you; ok for you; okay for you; all right with you; "
        "all right for you; what do you say; what would you say; i would propose; i'd propose; we would propose; "
        "we'd propose; i would suggest; i'd suggest; we would suggest; we'd suggest; as an alternative; "
        "two ways; are you on board; can you live with; how about; as you like; as you prefer; my preference; "
        "our preference; i'd recommend; i'd put; i would take; say the word; do you agree; or would you rather; "
        "works for you; work for you; does that work; would that work; does this work; whichever you; "
        "we have provisionally; instead of the; what if we; what if i; i move we; any objections; objections",
        "de": "was wäre ihnen lieber; was wäre dir lieber; was ist dir lieber; was ist ihnen lieber; passt ihnen; "
        "passt dir; passt euch; welcher termin; welcher tag; ich schlage vor; ich würde vorschlagen; "
        "wir schlagen vor; mein vorschlag; unser vorschlag; wie wäre es; wie wär's; alternativ; "
        "was hältst du; was halten sie; was meinst du; was meinen sie; einverstanden",
        "fr": "je te propose; je vous propose; je propose; nous proposons; cela vous convient; ça te convient; "
        "vous conviendrait; te conviendrait; vous convient; quelle date; quel jour; si tu préfères; "
        "si vous préférez; qu'en penses-tu; qu'en pensez-vous; que diriez-vous; que dirais-tu; ça te va; ça vous va; "
        "quel créneau; quelle heure; lequel des deux; laquelle des deux; ça vous dit; ça te dit; on pourrait "
        "plutôt; si aucun des",
        "es": "te propongo; le propongo; propongo; dos opciones; te viene bien; le viene bien; os viene bien; "
        "qué prefieres; qué prefiere; cuál prefieres; qué te parece; qué le parece; qué os parece; lo que tú digas; "
        "como prefieras; como prefiera; yo voto por; "
        "qué fecha prefiere; qué fecha prefieres; qué día; qué fecha; cuál les interesa; cuál le interesa; cuál "
        "te interesa; cuál de los dos; cuál de las dos; qué hora le; qué hora te; podemos ofrecer; dos "
        "modalidades",
        "it": "ti propongo; le propongo; proporrei; proponiamo; quale preferisci; quale preferisce; "
        "quale ti blocco; avremmo libero; ti va bene; le va bene; vi va bene; che ne dici; che ne pensi; "
        "cosa ne pensa; come preferisci; come preferisce; "
        "quale giorno; quale data; che giorno; quale orario; che dici; che ne dite; cosa preferisci; cosa "
        "preferisce; potremmo mostrarle; e se andassimo; quale dei due; quale delle due",
        "pt": "proponho; propomos; vos convém; lhe convém; te convém; dá jeito; dava jeito; dá-te jeito; "
        "qual prefere; qual preferes; o que acha; o que achas; que tal; como preferir; como preferires; "
        "que dia prefere; que dia preferes; qual dia; que data prefere; que data lhe; que horário; qual horário; "
        "qual data; posso mostrar-lhe; o que preferes; o que prefere; qual das duas; qual dos dois; preferes; "
        "você prefere; fica melhor; topa",
        "nl": "ik stel voor; wij stellen voor; mijn voorstel; ons voorstel; wat heeft je voorkeur; "
        "wat heeft uw voorkeur; voorkeur van; komt dat uit; komt het uit; schikt het; schikt dat; "
        "zeg het maar; wat vind je; wat vindt u; wat dacht je; welke dag; welke datum; "
        "welk moment; welk tijdstip; of ik schuif; ga je liever; heb je liever; heeft u liever; kies maar; welke "
        "van de twee",
        "ja": "ご都合はいかが; いかがでしょうか",
    },
    "act_invite": {
        "en": "can make it; if you can come; whether you can come; whether you are coming; whether you're coming; "
        "if you are coming; if you're coming; be delighted if you; delighted to welcome you; i'd be honoured; "
        "we'd be honoured; honoured to see you; honored to see you; invited to; we invite you; i invite you; "
        "invite you to; hope you can come; hope you can make it; hope you'll come; hope you will come; "
        "come and celebrate; celebrate with us; are getting married; save the date; will you be there; "
        "are you joining; may we count on you; can we count on you; leaving do; farewell lunch; farewell party; "
        "we meet on; takes place on; kids welcome; partners are welcome; rsvp; please join us; join us for; "
        "pleasure to have you; shall we meet; has invited you; come along; you'd like to come; you would like to come; "
        "expected at; wants the client on the spot",
        "de": "laden wir dich; laden wir sie; lade dich ein; lade euch ein; herzlich eingeladen; seid ihr dabei; "
        "bist du dabei; kommst du; kommt ihr; um antwort wird gebeten; findet am",
        "fr": "je t'invite; je vous invite; nous vous invitons; êtes invités; es invité; êtes convié; "
        "serez-vous des nôtres; seras-tu; confirmer votre présence; aura lieu le; "
        "heureux de vous accueillir; heureuse de vous accueillir; heureux de vous recevoir; heureux que tu sois; "
        "heureux que vous soyez; si vous viendrez; si tu viens; vous viendrez; tu viens; combien vous serez; on "
        "se marie; plaisir de vous inviter; le plaisir de vous convier",
        "es": "te invitamos; le invitamos; te invito; os invitamos; estás invitado; estás invitada; te esperamos; "
        "os esperamos; les esperamos; confirma tu asistencia; confirmar asistencia; "
        "nos encantaría contar; nos gustaría contar; quiero celebrarlo; lo celebramos; te apuntas; os apuntáis; "
        "se apunta; vienes; vendrás; vendréis; tenemos el placer; puertas abiertas",
        "it": "ti invito; la invitiamo; vi invitiamo; ti aspettiamo; vi aspettiamo; sei invitato; sei invitata; "
        "è convocata; è convocato; conferma la presenza; "
        "lieti di averla; lieti di averti; lieti di accoglierla; piacere di invitarla; piacere di invitarti; "
        "festeggio; festeggiamo; vieni anche; ceniamo tutti; vieni",
        "pt": "convido-te; convidamos; estás convidado; está convidado; contamos contigo; contamos com; "
        "confirma a tua presença; esperamos por ti; "
        "gosto em receber; temos o prazer; teríamos muito gosto; prazer de convidar; quero festejar; vamos "
        "festejar; vens; podes vir; pode vir; vem festejar; venha festejar; gostava que viesses; gostaria que "
        "viesse; cá em casa; contamos com a sua presença",
        "nl": "ik nodig je uit; wij nodigen u uit; we nodigen je uit; ben je erbij; kom je ook; bent u van harte; "
        "je bent uitgenodigd; u bent uitgenodigd; laat weten of je komt; "
        "ga je mee; gaan jullie mee; of u komt; of je komt; of je erbij bent; van harte welkom; graag nodigen "
        "wij; lunchen we; eten we samen; vieren we; kom je",
    },
    "act_meet": {
        "en": "meeting; meet; call; catch up; catch-up; lunch; coffee; dinner; appointment; interview; "
        "get together; conference call; zoom; video call; one-on-one; 1:1; sync up; stand-up; workshop; "
        "invitation; invite; drinks; reception; hangout; discuss in person; visit",
        "de": "treffen; besprechung; termin; telefonat; telefonieren; mittagessen; kaffee; abendessen; "
        "einladung; videokonferenz; meeting; gespräch; vorstellungsgespräch",
        "fr": "réunion; rendez-vous; rencontrer; déjeuner; café; dîner; appel; visioconférence; entretien; "
        "invitation; se voir; nous voir",
        "es": "reunión; reunirnos; cita; almuerzo; café; cena; llamada; videollamada; entrevista; vernos; "
        "quedar; invitación",
        "it": "riunione; incontro; incontrarci; appuntamento; pranzo; caffè; cena; chiamata; videochiamata; "
        "colloquio; vederci; invito",
        "pt": "reunião; encontro; encontrarmo-nos; almoço; café; jantar; chamada; videochamada; entrevista; "
        "consulta; convite; nos encontrar",
        "nl": "vergadering; afspraak; afspreken; lunch; koffie; diner; overleg; gesprek; bellen; "
        "sollicitatiegesprek; uitnodiging; ontmoeten",
    },
    "act_meet_time": {
        "en": "monday; tuesday; wednesday; thursday; friday; saturday; sunday; tomorrow; tonight; next week; "
        "this week; weekend; morning; afternoon; evening; o'clock; noon; am; pm; available; availability; "
        "schedule; reschedule; scheduled; calendar; time slot; join us; join me; attend; at my office; "
        "your schedule; set up a; set up the",
        "de": "montag; dienstag; mittwoch; donnerstag; freitag; samstag; sonntag; morgen; nächste woche; uhr; "
        "nachmittag; vormittag; abend; verfügbar; vereinbaren",
        "fr": "lundi; mardi; mercredi; jeudi; vendredi; samedi; dimanche; demain; semaine prochaine; matin; "
        "après-midi; disponible; disponibilité; convenir",
        "es": "lunes; martes; miércoles; jueves; viernes; sábado; domingo; mañana; próxima semana; tarde; "
        "disponible; disponibilidad; agendar",
        "it": "lunedì; martedì; mercoledì; giovedì; venerdì; sabato; domenica; domani; prossima settimana; "
        "mattina; pomeriggio; disponibile; fissare",
        "pt": "segunda-feira; terça-feira; quarta-feira; quinta-feira; sexta-feira; amanhã; próxima semana; "
        "manhã; tarde; disponível; disponibilidade; marcar",
        "nl": "maandag; dinsdag; woensdag; donderdag; vrijdag; zaterdag; zondag; morgen; volgende week; "
        "ochtend; middag; beschikbaar; inplannen",
    },
    "act_amend": {
        "en": "correction; corrected version; corrected; updated agenda; updated invitation; updated version; "
        "revised; revised version; please disregard my previous; disregard my last; disregard the previous; "
        "instead of; has been moved to; has been rescheduled; rescheduled to; moved to; changed to; "
        "new time; new date; new location; i made a mistake; my mistake; i meant; erratum; update:; updated:; "
        "time change; room change; amended; the correct; supersedes; replaces the; has been postponed; "
        "postponed; has been cancelled; has been canceled; cancelled:; canceled:; change of plan; change of plans; "
        "has been brought forward; brought forward; has moved the; "
        "will not take place; won't take place; not take place; therefore take place; "
        "i cannot come; we cannot come; cannot come after all; can't come after all; "
        "small change; change of date; change of room; "
        "change of time; change of venue; is cancelled; is canceled; was cancelled; are cancelled; have to cancel; "
        "had to cancel; must cancel; need to cancel; won't make it; not coming; isn't coming; aren't coming; "
        "contrary to; new estimate; running late; delayed until; doesn't run; "
        "will not run; does not run; departs earlier; departs later; later by; earlier by; "
        "ignore my previous; ignore my last; ignore the previous; scratch that; withdrawn; "
        "pushed back; push back; put back; put off; called off; no training; "
        "days will change; i've changed the; i have changed the; changed this event",
        "de": "korrektur; berichtigung; korrigierte; aktualisierte; geändert auf; verschoben auf; wurde verschoben; "
        "neuer termin; neue uhrzeit; stattdessen; überarbeitete; terminänderung; abgesagt; planänderung; fällt aus; "
        "fällt leider aus; entfällt; vorverlegt; verlegt auf; findet nicht statt; muss absagen; muss leider absagen; "
        "verschiebt sich; statt wie geplant; "
        "kleine änderung; statt um; nicht in raum; sondern in; sondern am; sondern um; doch nicht; ändert sich",
        "fr": "rectificatif; correction; version corrigée; mise à jour; reporté; reportée; déplacé au; "
        "nouvelle date; nouvel horaire; au lieu de; annulé; annulée; erratum; changement de; avancé au; avancée au; "
        "décalé; décalée; n'aura pas lieu; je dois annuler; est reporté; est reportée; "
        "modifié; modifiée; inversons; finalement non; finalement ce sera; ne pourra pas avoir lieu; est déplacé; "
        "est déplacée; changement d'heure; changement d'horaire; changement de salle",
        "es": "corrección; versión corregida; actualizado; actualizada; aplazado; aplazada; se ha movido; "
        "nueva fecha; nueva hora; en lugar de; cancelado; cancelada; cambio de; se adelanta; se aplaza; se retrasa; "
        "no se celebrará; tengo que cancelar; se suspende; en vez de; "
        "cambia a; pasa a ser; al final no; ya no es; cambio de hora; cambio de sala; queda anulado; queda "
        "anulada; queda cancelado; queda aplazado",
        "it": "correzione; versione corretta; errata corrige; aggiornato; aggiornata; rinviato; rinviata; "
        "spostato; spostata; nuova data; nuovo orario; invece di; annullato; annullata; cambio di; rettifica; "
        "anticipato; anticipata; non si terrà; è rimandato; è rimandata; devo annullare; slitta a; slitta al; "
        "modifica; cambia orario; è stato spostato; è stata spostata; non è più; alla fine non; salta la; cambio "
        "di orario; cambio di aula",
        "pt": "correção; versão corrigida; atualizado; atualizada; adiado; adiada; nova data; nova hora; "
        "em vez de; cancelado; cancelada; mudança de; retificação; antecipado; antecipada; não se realiza; "
        "tenho de cancelar; tenho que cancelar; passa para; foi adiada; foi adiado; "
        "sem efeito; horário alterado; alteração de; alteração do; alteração da; foi alterado; foi alterada; foi "
        "alterado para; passou para; passou das; passou do dia; desmarcado; desmarcada; remarcado; remarcada; "
        "remarcada para; já não é; já não se; afinal não; afinal é; muda para; mudou para; fica adiado; fica "
        "adiada; fica para outra",
        "nl": "correctie; gecorrigeerde; bijgewerkte; verplaatst naar; verzet naar; nieuwe datum; nieuwe tijd; "
        "in plaats van; geannuleerd; afgelast; wijziging; gewijzigd; rectificatie; verschoven; gaat niet door; "
        "vervroegd; uitgesteld; moet afzeggen; verplaatst; "
        "vervalt; vervallen; komt te vervallen; in plaats daarvan; toch niet; is verzet; wordt verzet; geen "
        "repetitie; geen les",
    },
    "act_amend_hint": {
        "en": "starts at; take place on; take place at; will therefore; will change; after all; not the; moved "
        "the; moves to; "
        "was moved; were moved; instead on; i was wrong; forget the; will be delayed; changes from",
    },
    "act_deliver": {
        "en": "attached; attachment; enclosed; here is; here are; here's; please find; see attached; find attached; "
        "i've attached; i have attached; i've uploaded; is attached; as requested; as promised; "
        "attaching; below is; below are; link to the; you can find; is now available; is ready; "
        "i am sending; i'm sending; forwarding; sharing; here comes; here's the; you asked for; you asked me; "
        "you asked whether; you asked, so; i enclose; we enclose; have put; is in the shared; are in the shared; "
        "is in the folder; are in the folder; is now in the; is in the finance folder; in the usual; "
        "results are in; has finished; are in the post; went through it; answer to your question; to answer your; "
        "your question about; the minutes; minutes of; is published; approved and paid; was approved; is approved; "
        "keep this; for your records; your receipt; download it; you can download; transcript; below you will find",
        "de": "im anhang; anbei; beigefügt; angehängt; hier ist; hier sind; wie gewünscht; wie besprochen; "
        "anliegend; finden sie; zur info; beiliegend; "
        "hier endlich; hier der link; steht bereit; liegt bereit; schicke ich ihnen; schicke ich dir; sende ich "
        "ihnen; wie erbeten; in der anlage",
        "fr": "ci-joint; ci-joints; ci-jointe; pièce jointe; en pièce jointe; voici; veuillez trouver; "
        "comme convenu; comme demandé; vous trouverez; "
        "voilà les; voilà le; voilà la; est joint; est jointe; sont joints; je te joins; je vous joins; je vous "
        "transmets; je te transmets; est disponible; votre quittance; votre reçu; tu trouveras",
        "es": "adjunto; adjunta; adjuntos; adjuntamos; aquí está; aquí tienes; aquí tiene; como solicitado; "
        "archivo adjunto; te paso; encontrará; "
        "aquí van; aquí va; ponemos a su disposición; a su disposición la; está disponible; te envío adjunto; le "
        "remito; le remitimos; tal como pidió; como me pediste; su recibo",
        "it": "in allegato; allegato; allegati; allego; ecco; come richiesto; come promesso; trova; troverà; "
        "è disponibile; è disponibile nell; ecco a te; ecco i; ecco le; le trasmetto; ti giro; come da richiesta; "
        "ricevuta",
        "pt": "em anexo; anexo; anexado; segue; seguem; aqui está; conforme solicitado; conforme combinado; "
        "encontra em; "
        "junto a; junto o; junto envio; junto segue; envio em; remeto; remetemos; enviamos o; enviamos a; "
        "conforme pediu; como tinha pedido; como pediste; como pediu; está disponível; a fatura de; a sua fatura; "
        "aqui vai; aqui vão; aqui estão; recibo",
        "nl": "bijgevoegd; bijlage; bijgaand; hierbij; hier is; hier zijn; zoals gevraagd; zoals besproken; "
        "zoals beloofd; vind je; "
        "staat klaar; is toegevoegd; is beschikbaar; in de bijlage; stuur ik je hierbij; zoals je vroeg; zoals u "
        "vroeg; hier heb je; betaalbewijs; in bijlage",
    },
    "act_fyi": {
        "en": "fyi; for your information; just so you know; heads up; heads-up; for your awareness; "
        "just letting you know; wanted to let you know; status update; for your records; keeping you posted; "
        "no action required; no action needed; just a note",
        "de": "zur info; zur information; zur kenntnis; nur zur info; statusupdate; kein handlungsbedarf",
        "fr": "pour information; pour info; à titre d'information; aucune action; point d'étape",
        "es": "para tu información; para su información; a título informativo; no es necesario hacer nada",
        "it": "per conoscenza; per informazione; a titolo informativo; nessuna azione richiesta",
        "pt": "para conhecimento; para informação; para sua informação; nenhuma ação necessária",
        "nl": "ter informatie; ter info; ter kennisgeving; geen actie nodig",
    },
    "thanks_only": {
        "en": "thanks; thank you; thx; many thanks; great; sounds good; perfect; got it; will do; awesome; ok; "
        "okay; cheers; noted; see you; works for me; much appreciated; congratulations; well done; "
        "received; understood; all good; lovely; brilliant",
        "de": "danke; vielen dank; super; perfekt; alles klar; passt; bis dann; verstanden; herzlichen dank; prima",
        "fr": "merci; parfait; super; entendu; bien reçu; d'accord; à bientôt; c'est noté",
        "es": "gracias; perfecto; genial; de acuerdo; recibido; entendido; vale; nos vemos",
        "it": "grazie; perfetto; ottimo; va bene; ricevuto; d'accordo; a presto; benissimo",
        "pt": "obrigado; obrigada; perfeito; ótimo; combinado; recebido; entendido; até logo",
        "nl": "bedankt; dank je; dankjewel; dank u; prima; top; perfect; begrepen; tot dan; ontvangen",
    },
    "no_reply_needed": {
        "en": "no need to answer; no need to write back; "
        "no need to reply; no reply needed; no reply necessary; no need to respond; no response needed; "
        "no response necessary; no action needed; no action required; no answer needed; "
        "you don't need to do anything; you don't need to reply; don't bother replying; nothing to do; "
        "no rush and no reply; no further action",
        "de": "keine antwort nötig; keine antwort erforderlich; kein handlungsbedarf; keine aktion erforderlich; "
        "du musst nichts weiter tun; sie müssen nichts weiter tun; "
        "nichts weiter zu tun; du musst nicht antworten; sie müssen nicht antworten; brauchst nicht zu antworten",
        "fr": "pas besoin de répondre; inutile de répondre; aucune réponse; aucune action; sans réponse",
        "es": "no hace falta responder; no es necesario responder; no hace falta que respondas; "
        "no se requiere ninguna acción; no es necesaria respuesta",
        "it": "non serve rispondere; non è necessario rispondere; non occorre rispondere; "
        "nessuna azione richiesta; nessuna risposta",
        "pt": "não precisa responder; não é necessário responder; não é preciso responder; "
        "nenhuma ação necessária",
        "nl": "hoef je niet te antwoorden; geen antwoord nodig; je hoeft niet te reageren; "
        "u hoeft niet te reageren; geen actie nodig; reageren is niet nodig",
    },
    "report_words": {
        "en": "minutes of; minutes from; meeting minutes; meeting notes; notes from; notes of; recap; call notes",
        "de": "protokoll; mitschrift; notizen vom; notizen zur",
        "fr": "compte rendu; compte-rendu; notes de",
        "es": "acta de; notas de; resumen de la reunión",
        "it": "verbale; appunti",
        "pt": "ata da; notas da; resumo da reunião",
        "nl": "notulen; verslag van",
    },
    "rsvp": {
        "en": "rsvp; can you make it; will you be there; will you join; are you coming; would you like to join; "
        "hope you can come; hope you can make it; you're invited; you are invited; let me know if you can make it",
        "de": "kommst du; kommt ihr; kommen sie; bist du dabei; seid ihr dabei; um antwort wird gebeten; "
        "herzlich eingeladen",
        "fr": "merci de confirmer votre présence; serez-vous; seras-tu; tu viens; vous êtes invité; "
        "vous êtes invités; tu es invité; "
        "vous viendrez; combien vous serez; serez des nôtres",
        "es": "confirma tu asistencia; confirme su asistencia; vienes; vendrás; estás invitado; estás invitada; "
        "te apuntas; os apuntáis",
        "it": "conferma la tua presenza; confermi la sua presenza; vieni; verrai; sei invitato; sei invitata; "
        "ci sei; ci siete",
        "pt": "confirme sua presença; confirme a sua presença; você vem; vens; está convidado; estás convidado; "
        "pode vir; podes vir; se vens; se vem; se pode vir",
        "nl": "kom je; komen jullie; ben je erbij; laat weten of je komt; je bent uitgenodigd; u bent uitgenodigd; "
        "ga je mee; of u komt; of je komt; of je erbij bent",
    },
}
