"""Words of speech acts (Cohen, Carvalho and Mitchell, 2004). Read by `acts` and `needs_reply`.

Requests are found by `gaia_email.extract.requests`; the lists here are the other acts.
"""

from __future__ import annotations

from gaia_email.cascade.phrases import Table

ACTS: Table = {
    "act_commit": {
        "en": "i'll; i will; we'll; we will; i am going to; i'm going to; we are going to; we're going to; "
        "i promise; we promise; count on me; i can have it; will do; leave it with me; i'll make sure; "
        "i should be able to; i plan to; i intend to; i am working on; i'm working on; i'm on it; "
        "i can make it; i would be happy to; i'd be happy to; happy to help; i'll get back to you; "
        "you'll have it; you will have it; we can have it",
        "de": "ich werde; wir werden; ich schicke; ich melde mich; wir melden uns; ich kümmere mich; "
        "ich erledige; ich sende; ich bringe; wir schicken; ich übernehme; ich rufe; versprochen; mache ich",
        "fr": "je vais; nous allons; je vous envoie; je vous enverrai; je t'envoie; je m'en occupe; "
        "je reviens vers; je ferai; nous ferons; je te rappelle; je vous rappelle; promis",
        "es": "voy a; vamos a; te envío; le envío; te enviaré; le enviaré; me encargo; te mando; lo haré; "
        "te llamo; nos ponemos; me comprometo",
        "it": "ti invio; le invio; ti mando; le mando; ti invierò; le invierò; me ne occupo; lo farò; "
        "ti richiamo; vi farò sapere; ti farò sapere; provvederò; ci penso io",
        "pt": "vou enviar; vou mandar; vamos enviar; envio-lhe; eu envio; eu cuido; trato disso; farei; "
        "te envio; te ligo; dou notícias; vou tratar",
        "nl": "ik zal; wij zullen; we zullen; ik stuur; ik ga; ik kom erop terug; ik regel; ik bel je; "
        "ik zorg; ik neem contact; komt goed",
    },
    "act_propose": {
        "en": "how about; what about; let's; shall we; i propose; i suggest; i'd suggest; i would suggest; "
        "i'd like to propose; my suggestion; we could; why don't we; does that work; would that work; "
        "does this work; work for you; works for you; would you like to; would you be interested; "
        "are you available; are you free; available sometime; when are you free; alternatively; one option; "
        "would you prefer; best for me; i recommend; i'd recommend; we propose; proposed date; "
        "would suit you; suit you; would you be up for; up for; want to grab; care to; perhaps we; maybe we",
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
        "postponed; has been cancelled; has been canceled; cancelled:; canceled:; change of plan; change of plans",
        "de": "korrektur; berichtigung; korrigierte; aktualisierte; geändert auf; verschoben auf; wurde verschoben; "
        "neuer termin; neue uhrzeit; stattdessen; überarbeitete; terminänderung; abgesagt; planänderung",
        "fr": "rectificatif; correction; version corrigée; mise à jour; reporté; reportée; déplacé au; "
        "nouvelle date; nouvel horaire; au lieu de; annulé; annulée; erratum; changement de",
        "es": "corrección; versión corregida; actualizado; actualizada; aplazado; aplazada; se ha movido; "
        "nueva fecha; nueva hora; en lugar de; cancelado; cancelada; cambio de",
        "it": "correzione; versione corretta; errata corrige; aggiornato; aggiornata; rinviato; rinviata; "
        "spostato; spostata; nuova data; nuovo orario; invece di; annullato; annullata; cambio di",
        "pt": "correção; versão corrigida; atualizado; atualizada; adiado; adiada; nova data; nova hora; "
        "em vez de; cancelado; cancelada; mudança de; retificação",
        "nl": "correctie; gecorrigeerde; bijgewerkte; verplaatst naar; verzet naar; nieuwe datum; nieuwe tijd; "
        "in plaats van; geannuleerd; afgelast; wijziging; gewijzigd; rectificatie",
    },
    "act_deliver": {
        "en": "attached; attachment; enclosed; here is; here are; here's; please find; see attached; find attached; "
        "i've attached; i have attached; i've uploaded; is attached; as requested; as promised; "
        "attaching; below is; below are; link to the; you can find; is now available; is ready; "
        "i am sending; i'm sending; forwarding; sharing",
        "de": "im anhang; anbei; beigefügt; angehängt; hier ist; hier sind; wie gewünscht; wie besprochen; "
        "anliegend; finden sie; zur info; beiliegend",
        "fr": "ci-joint; ci-joints; ci-jointe; pièce jointe; en pièce jointe; voici; veuillez trouver; "
        "comme convenu; comme demandé; vous trouverez",
        "es": "adjunto; adjunta; adjuntos; adjuntamos; aquí está; aquí tienes; aquí tiene; como solicitado; "
        "archivo adjunto; te paso; encontrará",
        "it": "in allegato; allegato; allegati; allego; ecco; come richiesto; come promesso; trova; troverà",
        "pt": "em anexo; anexo; anexado; segue; seguem; aqui está; conforme solicitado; conforme combinado; "
        "encontra em",
        "nl": "bijgevoegd; bijlage; bijgaand; hierbij; hier is; hier zijn; zoals gevraagd; zoals besproken; "
        "zoals beloofd; vind je",
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
        "en": "no need to reply; no reply needed; no reply necessary; no need to respond; no response needed; "
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
        "vous êtes invités; tu es invité",
        "es": "confirma tu asistencia; confirme su asistencia; vienes; vendrás; estás invitado; estás invitada",
        "it": "conferma la tua presenza; confermi la sua presenza; vieni; verrai; sei invitato; sei invitata",
        "pt": "confirme sua presença; confirme a sua presença; você vem; vens; está convidado; estás convidado",
        "nl": "kom je; komen jullie; ben je erbij; laat weten of je komt; je bent uitgenodigd; u bent uitgenodigd",
    },
}
