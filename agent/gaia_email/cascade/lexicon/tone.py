"""Words of urgency, deadlines, reminders and greetings. Read by `urgency` and `summary`."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

TONE: Table = {
    "urgent_word": {
        "en": "urgent; urgently; asap; a.s.a.p; as soon as possible; immediately; right away; right now; "
        "time-sensitive; time sensitive; top priority; high priority; highest priority; emergency; "
        "at once; without delay; action required; need this now; immediate attention; immediate action; "
        "can't wait; cannot wait; quickly as possible",
        "de": "dringend; eilig; sofort; umgehend; schnellstmöglich; so schnell wie möglich; "
        "unverzüglich; eilt; notfall; baldmöglichst; höchste priorität",
        "fr": "urgent; urgente; en urgence; dès que possible; immédiatement; au plus vite; sans délai; "
        "le plus vite possible; tout de suite",
        "es": "urgente; urgentemente; cuanto antes; lo antes posible; inmediatamente; de inmediato; ya mismo; "
        "con urgencia",
        "it": "urgente; urgentemente; al più presto; il prima possibile; immediatamente; subito; "
        "quanto prima; con urgenza",
        "pt": "urgente; urgentemente; o mais rápido possível; o quanto antes; imediatamente; "
        "assim que possível; o mais depressa possível; com urgência",
        "nl": "dringend; spoed; zo snel mogelijk; z.s.m; zsm; onmiddellijk; direct nodig; met spoed; urgent",
    },
    "due_today": {
        "en": "today; tonight; by eod; end of day; end of the day; by cob; close of business; this afternoon; "
        "this morning; within the hour; in an hour; in the next hour; before noon; by noon; by 5pm; by 5 pm; "
        "this evening; within an hour; within 24 hours; next few hours; couple of hours; before the end of the day",
        "de": "heute; heute noch; noch heute; bis heute; heute abend; bis heute abend; innerhalb einer stunde; "
        "heute nachmittag; bis mittag; binnen 24 stunden",
        "fr": "aujourd'hui; ce soir; cet après-midi; avant ce soir; d'ici ce soir; avant midi; "
        "dans l'heure; sous 24 heures; fin de journée",
        "es": "hoy; hoy mismo; esta noche; esta tarde; antes del mediodía; en una hora; en 24 horas; "
        "fin del día; antes de que acabe el día",
        "it": "oggi; entro oggi; stasera; questo pomeriggio; entro mezzogiorno; entro un'ora; entro 24 ore; "
        "entro fine giornata; in giornata",
        "pt": "hoje; hoje mesmo; ainda hoje; esta noite; esta tarde; antes do meio-dia; até o fim do dia; "
        "dentro de uma hora; em 24 horas; até ao fim do dia",
        "nl": "vandaag; vandaag nog; vanavond; vanmiddag; voor het einde van de dag; binnen een uur; "
        "voor 12 uur; binnen 24 uur",
    },
    "due_tomorrow": {
        "any": "tomorrow; tomorrow morning; by tomorrow; bis morgen; morgen früh; demain; demain matin; "
        "d'ici demain; mañana por la mañana; para mañana; domani; entro domani; domattina; amanhã; até amanhã; "
        "morgenochtend; uiterlijk morgen; voor morgen",
    },
    "reminder": {
        "en": "reminder; second reminder; final reminder; last reminder; final notice; second notice; third notice; "
        "following up; follow up on my; following up again; just checking in; checking in on; any update on; "
        "still waiting; haven't heard back; have not heard back; did you get a chance; did you get my; "
        "gentle nudge; bumping this; overdue; past due; third time; second time",
        "de": "erinnerung; zweite erinnerung; letzte erinnerung; mahnung; letzte mahnung; nochmals nachfragen; "
        "ich warte noch; überfällig; noch keine antwort; zahlungserinnerung",
        "fr": "rappel; dernier rappel; relance; deuxième relance; je me permets de relancer; toujours pas de réponse; "
        "sans réponse de votre part; impayé; en retard",
        "es": "recordatorio; último aviso; segundo aviso; sigo esperando; no he recibido respuesta; vencido; "
        "vencida; hago seguimiento",
        "it": "promemoria; sollecito; ultimo avviso; secondo sollecito; sono in attesa; non ho ricevuto risposta; "
        "scaduto; scaduta",
        "pt": "lembrete; último aviso; segundo aviso; continuo à espera; não recebi resposta; vencido; vencida; "
        "em atraso",
        "nl": "herinnering; laatste herinnering; tweede herinnering; aanmaning; ik wacht nog; nog geen antwoord; "
        "nog niets gehoord; achterstallig",
    },
    "strong_reminder": {
        "any": "second reminder; final reminder; last reminder; final notice; third notice; third time; "
        "letzte erinnerung; zweite erinnerung; letzte mahnung; dernier rappel; deuxième relance; último aviso; "
        "segundo aviso; ultimo avviso; secondo sollecito; laatste herinnering; tweede herinnering",
    },
    "no_hurry": {
        "any": "no rush; no hurry; whenever you have time; when you get a chance; when you have a moment; "
        "at your convenience; not urgent; nothing urgent; not an emergency; no urgency; take your time; "
        "hat keine eile; eilt nicht; nicht dringend; pas urgent; rien d'urgent; sans urgence; no es urgente; "
        "sin prisa; non è urgente; senza fretta; con calma; não é urgente; sem pressa; geen haast; niet dringend",
    },
    "consequence": {
        "en": "otherwise; or else; late fee; late fees; is released; will be released; will be cancelled; "
        "will be canceled; will stop working; will be lost; we lose; you lose; lose the; lose your; lose our; "
        "to keep your; cannot come along; cannot take part; without a form; before it is too late; leave in an hour; "
        "leave in half an hour; leaving in an hour",
        "de": "sonst; andernfalls; mahngebühr; mahngebühren; wird freigegeben; verfällt; verlieren wir",
        "fr": "sinon; faute de quoi; frais de retard; sera annulé; sera annulée; sera perdue",
        "es": "de lo contrario; si no, ; recargo; se cancelará; se perderá; perderemos",
        "it": "altrimenti; in caso contrario; mora; verrà annullato; verrà annullata; perderemo",
        "pt": "caso contrário; senão; multa por atraso; será cancelado; será cancelada; perderemos",
        "nl": "anders; aanmaningskosten; wordt geannuleerd; vervalt; verliezen we",
    },
    "blocked": {
        "en": "blocked; blocking; blocker; is stuck; are stuck; we can't proceed; cannot proceed; can't continue; "
        "waiting on you; waiting for your approval; before we can; customers are affected; is broken; "
        "stranded; locked out; hospital; ambulance; accident; flight leaves; urgent care",
        "de": "blockiert; wir kommen nicht weiter; krankenhaus; unfall; warten auf dich; ausgesperrt",
        "fr": "bloqué; bloquée; bloqués; hôpital; accident; nous ne pouvons pas avancer",
        "es": "bloqueado; bloqueada; bloqueados; hospital; accidente; no podemos avanzar",
        "it": "bloccato; bloccata; bloccati; ospedale; incidente stradale; non possiamo procedere",
        "pt": "bloqueado; bloqueada; hospital; acidente; não podemos avançar",
        "nl": "geblokkeerd; ziekenhuis; ongeluk; we kunnen niet verder; buitengesloten",
    },
    "boilerplate": {
        "en": "hope you are well; hope you're well; hope this finds you; hope this email finds you; "
        "hope all is well; hope you are doing well; hope you're doing well; hope you had a; "
        "view in browser; view this email; view online; having trouble viewing; unsubscribe; "
        "click here to view; can't see this; add us to your address book; all rights reserved; "
        "thank you for your email; if you have any questions; how are you; trust this finds you; "
        "you are receiving this; you're receiving this; do not reply",
        "de": "ich hoffe, es geht; ich hoffe es geht; im browser ansehen; im browser anzeigen; abmelden; "
        "wie geht es; wie geht's; falls sie fragen haben; bei fragen",
        "fr": "j'espère que vous allez bien; j'espère que tu vas bien; voir dans le navigateur; "
        "version en ligne; se désabonner; comment allez-vous; comment vas-tu",
        "es": "espero que estés bien; espero que se encuentre bien; espero que esté bien; ver en el navegador; "
        "darse de baja; cómo estás",
        "it": "spero che tu stia bene; spero che stia bene; spero tutto bene; visualizza nel browser; come stai; "
        "come sta",
        "pt": "espero que esteja bem; espero que estejas bem; espero que tudo bem; ver no navegador; como está; "
        "como estás",
        "nl": "ik hoop dat het goed; hopelijk gaat het goed; bekijk in browser; bekijk online; hoe gaat het; "
        "afmelden",
        "ja": "お世話になっております; お世話になります; よろしくお願い; お疲れ様です; 拝啓; 敬具",
        "zh": "祝好; 此致; 敬上",
    },
}
