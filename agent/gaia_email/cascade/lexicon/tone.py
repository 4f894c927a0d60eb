"""Words of urgency, deadlines, reminders and greetings. Read by `urgency` and `summary`."""

from __future__ import annotations

from gaia_email.cascade.phrases import Table
from gaia_email.cascade.tables import phrase_list

_PLANNED = (
    "scheduled maintenance; planned maintenance; geplante wartung; maintenance programmée; mantenimiento programado; "
    "manutenzione programmata; manutenção programada; gepland onderhoud"
)
PLANNED_WORK = frozenset(phrase_list(_PLANNED))
"""Those of `no_hurry` that announce work on a system."""


def _hours(leads: str, hours: str) -> str:
    """Every lead with every hour, as phrases: "by noon", "at two"."""
    return "; ".join(f"{lead.replace('_', ' ')} {hour}" for lead in leads.split() for hour in hours.split())


TONE: Table = {
    "due_hour": {
        "en": "within the hour; in an hour; within an hour; in the next hour; next half hour; in half an hour; "
        "minutes ago; in ten minutes; in five minutes; in fifteen minutes; in twenty minutes; "
        "in thirty minutes; in 5 minutes; in 10 minutes; in 15 minutes; in 20 minutes; in 30 minutes; in 45 minutes; "
        "in 5 min; in 10 min; in 15 min; in 30 min; in two hours; within two hours; in an hour and; an hour from now; "
        "an hour left; minutes left; right this minute; this very moment; as we speak; is due now; by then; "
        "before then",
        "de": "in einer stunde; in einer halben stunde; in 10 minuten; in 15 minuten; in 30 minuten; vor 10 minuten; "
        "in zehn minuten; in zwei stunden; bis dahin",
        "fr": "dans une heure; dans une demi-heure; dans 10 minutes; dans dix minutes; d'ici une heure; dans l'heure; "
        "dans deux heures; d'ici là",
        "es": "en media hora; en diez minutos; en 10 minutos; dentro de una hora; en dos horas",
        "it": "tra un'ora; fra un'ora; tra mezz'ora; fra mezz'ora; tra dieci minuti; tra 10 minuti; tra due ore",
        "pt": "daqui a uma hora; em meia hora; daqui a pouco; em dez minutos; em 10 minutos; em duas horas; até lá",
        "nl": "over een uur; over een half uur; over tien minuten; over 10 minuten; over twee uur",
    },
    "clock_word": {
        "en": _hours(
            "at by before until till at_around at_about",
            "one two three four five six seven eight nine ten eleven twelve noon midday midnight",
        )
        + "; half past; quarter past; quarter to; at half; by half; the stroke of; twelve noon",
        "de": _hours(
            "um bis vor ab gegen", "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf mittag"
        )
        + "; um halb; bis halb",
        "fr": "à midi; avant midi; à minuit; avant minuit; une heure; deux heures; trois heures; "
        "quatre heures; cinq heures; six heures; sept heures; huit heures; neuf heures; dix heures; onze heures",
        "es": _hours("a_las antes_de_las", "dos tres cuatro cinco seis siete ocho nueve diez once doce")
        + "; al mediodía; a medianoche; a la una; antes del mediodía",
        "it": _hours("alle entro_le dalle", "due tre quattro cinque sei sette otto nove dieci undici")
        + "; a mezzogiorno; entro mezzogiorno; a mezzanotte; all'una",
        "pt": _hours("às até_às antes_das", "duas três quatro cinco seis sete oito nove dez onze")
        + "; ao meio-dia; até ao meio-dia; à meia-noite",
        "nl": _hours("om voor tot", "een twee drie vier vijf zes zeven acht negen tien elf twaalf")
        + "; om half; voor half",
    },
    "waiting": {
        "en": "standing in front of; standing outside; standing here; standing at; stands at; i'm standing; "
        "we are standing; are standing; is sitting in; is sitting at; are sitting in; sitting on the; i'm sat; "
        "i'm outside; we're outside; i am outside; outside the door; outside the gate; outside the hall; "
        "at reception; in reception; here in reception; in the lobby; in the foyer; am at the gate; is at the gate; "
        "i'm at the gate; standing at the gate; waiting at the gate; at the door; "
        "is here at; is here for; is here and; is here to see you; are here to see you; shall i send him; "
        "shall i send her; "
        "send him up; send her up; send them up; sitting here; doesn't let him in; don't let him in; won't let us in; "
        "has been stuck; is held at customs; are held at customs; held up at; are here and; waiting for your ok; "
        "wait for your ok; waiting for you; "
        "are waiting in; is waiting in; i'm waiting in; waiting in the; waiting outside; waiting here; "
        "i can't get in; cannot get in; can't get in; nobody there; nobody is there; there is nobody; no sign of; "
        "you're not here; not on the list; won't unload; already queuing; are queuing; queue is; "
        "picking up the phone; doesn't pick up; isn't picking up; not picking up; does not pick up; "
        "could not reach you; can't reach you; cannot reach you; couldn't reach you; tried to call you; "
        "tried your cell; tried calling; tried your phone; straight to voicemail; only you can; only you have",
        "de": "hängt man in der warteschleife; sitzen da; warten seit; wartet seit; lässt ihn nicht rein; "
        "stehe vor; stehen vor; steht vor; warte hier; warten hier; wartet unten; am empfang; an der rezeption; "
        "komme nicht rein; kommen nicht rein; vor der tür; nicht erreichbar; geht nicht ran; kann dich nicht "
        "erreichen; "
        "kann sie nicht erreichen; nur du kannst; nur sie können",
        "fr": "ne le laisse pas entrer; ne la laisse pas entrer; coincé; coincée; est devant; sommes devant; "
        "je suis devant; devant la porte; à l'accueil; s'impatiente; attend en bas; "
        "vous attend; t'attend; ne répond pas; impossible de vous joindre; impossible de te joindre",
        "es": "estoy en la puerta; estamos en la puerta; en recepción; esperando fuera; está esperando; "
        "no contesta; no puedo entrar; te espero en; solo tú; sólo tú",
        "it": "sono davanti; siamo davanti; in portineria; alla reception; sta aspettando; aspetta che; "
        "non risponde; non riesco a entrare; solo tu; solo lei",
        "pt": "estou à porta; estamos à porta; na recepção; na receção; à espera; não atende; só você; só tu; "
        "não consigo entrar; cê tá onde",
        "nl": "sta voor de; staan voor de; sta met; bij de receptie; aan de balie; wacht beneden; neemt niet op; "
        "kan er niet in; alleen jij",
    },
    "hazard": {
        "en": "smell of gas; smells of gas; gas smell; gas leak; burst pipe; water coming; water is coming; "
        "flooding; is flooded; is leaking; leaking through; smoke from; is on fire; caught fire; fire alarm; "
        "threw up; vomited; has a fever; high fever; fever of; has fallen; fell in; fell down; fell off; unconscious; "
        "bleeding; emergency room; taken to hospital; to the hospital; in the ambulance; ambulance is; "
        "heart attack; a stroke; allergic reaction; not breathing; broke her; broke his; "
        "police are; the police is; search warrant; break-in; broken into; ransomware; clicked on; "
        "is missing since; has disappeared; ran away; killed again; data is gone; degrees and rising; and rising; "
        "won't lock; will not lock; will be towed; being towed; shut the water; production is; line is stopped; "
        "line is down; nobody can log in; can't log in; cannot log in; system is down; everything is down; "
        "error rate; went down; is offline; are offline; loses power; no power; spoil; won't survive; not survive",
        "de": "gasgeruch; riecht nach gas; wasserrohrbruch; wasser läuft; rauch; brennt; feueralarm; erbrochen; "
        "fieber; gestürzt; bewusstlos; blutet; notaufnahme; rettungswagen; ins krankenhaus; polizei ist; "
        "eingebrochen; nichts geht mehr; kommt keiner mehr; kein warmwasser; kein warmes wasser; kein strom; "
        "geht gar nichts; niemand kommt ins; steht seit; stehen seit; steht still; maschine steht; anlage steht",
        "fr": "odeur de gaz; fuite d'eau; fuite de gaz; ça coule; inondé; inondation; fumée; en feu; a vomi; "
        "de la fièvre; est tombé; est tombée; inconscient; saigne; aux urgences; ambulance; police est; "
        "cambriolage; cambriolé; plus rien ne marche; à l'arrêt",
        "es": "olor a gas; fuga de agua; fuga de gas; inundado; inundada; inundación; humo; ardiendo; ha "
        "vomitado; fiebre; se ha caído; "
        "inconsciente; sangra; urgencias; ambulancia; preanestesia; no funciona nada; está parado; parado desde",
        "it": "odore di gas; perdita d'acqua; fuga di gas; allagato; allagata; allagamento; fumo; in fiamme; "
        "ha vomitato; la febbre; febbre; "
        "fermo in dogana; ferma in dogana; è fermo; è caduto; è caduta; svenuto; svenuta; sanguina; pronto soccorso; "
        "ambulanza; in infermeria; tutto fermo",
        "pt": "cheiro a gás; cheiro de gás; fuga de água; vazamento; inundado; inundada; fumo; fumaça; a "
        "arder; vomitou; febre; "
        "caiu; desmaiou; sangra; urgências; pronto-socorro; ambulância; não funciona nada; travou; retida",
        "nl": "gaslucht; gaslek; waterlekkage; lekkage; rook; in brand; overgegeven; koorts; gevallen; bewusteloos; "
        "bloedt; spoedeisende; ambulance; ziek gemeld; niets werkt; draait blind; komen er geen; ligt stil; staat stil",
    },
    "urgent_word": {
        "en": "urgent; urgently; asap; a.s.a.p; as soon as possible; immediately; right away; right now; "
        "time-sensitive; time sensitive; top priority; high priority; highest priority; emergency; "
        "at once; without delay; action required; need this now; immediate attention; immediate action; "
        "this can't wait; it can't wait; this cannot wait; it cannot wait; quickly as possible; straight away; "
        "straightaway; as soon as you see this; as soon as you get in; as soon as you get this; the minute you get; "
        "the moment you see this; by return; need it now; as fast as you can; quickly whether; no time to lose",
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
        "ja": "至急; 緊急; 大至急; 本日中; 今日中; 早急に; 今すぐ",
        "zh": "紧急; 緊急; 马上; 馬上; 立即; 立刻; 尽快; 今天之内; 加急",
        "nl": "dringend; spoed; meteen; per direct; zo snel mogelijk; z.s.m; zsm; onmiddellijk; direct nodig; "
        "met spoed; urgent",
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
        "ja": "本日; 今日中; 今日の; 今夜",
        "zh": "今天; 今日; 今晚",
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
        "any": f"{_PLANNED}; "
        "no rush; no hurry; whenever you have time; when you get a chance; when you have a moment; "
        "at your convenience; when you have a minute; when you get a minute; when you get a moment; "
        "when you have time; "
        "when you get time; when you find a moment; if you have time; whenever suits; whenever it suits; no stress; "
        "not time-critical; not time critical; not pressing; in no rush; in no hurry; "
        "wenn du zeit hast; wenn sie zeit haben; bei gelegenheit; keine eile; kein stress; quand tu as un moment; "
        "quand vous aurez un moment; quand vous avez un moment; quand tu auras le temps; rien ne presse; "
        "cuando puedas; "
        "cuando pueda; cuando tengas un momento; quando hai tempo; quando ha tempo; quando puoi con calma; "
        "quando puder; quando tiver tempo; als je tijd hebt; als u tijd heeft; wanneer het uitkomt; "
        "whenever you get a gap; whenever you get a chance; whenever you get a minute; whenever you get to it; "
        "whenever you can; when you get to it; if you get a chance; in your own time; nobody is waiting; "
        "nobody's waiting; no one is waiting; no one's waiting; nobody is blocked; nobody's blocked; "
        "no one is blocked; no one's blocked; not blocking;"
        " no deadline; it can wait; this can wait; that can wait; can wait until; "
        "can wait till; no particular rush; in no particular hurry; there is time; there's time; plenty of time; "
        "doesn't have to be today; needn't be today; "
        "not urgent; nothing urgent; not an emergency; no urgency; take your time; "
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
        "stranded; locked out; waiting on your; until you sign; until you approve; until you confirm; without "
        "your approval; without your signature; in hospital; at the hospital; ambulance; accident; flight "
        "leaves; urgent care",
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
