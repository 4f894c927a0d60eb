"""What anybody would say of a plain message, the shipped model says as well: people and machines, seven languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gaia_understanding.cascade.builtin_tier import BuiltinTier
from gaia_understanding.cascade.verdict import Bucket, Context
from gaia_understanding.prepare.model import Prepared

OWNER = "robin@home.example"
MakeMail = Callable[..., Prepared]
NEEDED = frozenset({"urgent", "actionable"})
KNOWN = Context(owner=frozenset({OWNER}), received_before=4, written_to=3, first_contact=False)
STRANGER = Context(owner=frozenset({OWNER}), first_contact=True)

PEOPLE: list[tuple[Bucket, str, str, str]] = [
    (
        "urgent",
        "en",
        "Server down",
        "The production server is down and customers cannot order. Can you look at it right now?",
    ),
    (
        "urgent",
        "en",
        "Meeting moved",
        "The meeting has been moved to 2 pm today. Please confirm right away that you can make it.",
    ),
    (
        "urgent",
        "en",
        "Contract",
        "I need your signature on the contract by 5 pm today, otherwise we lose the deal.",
    ),
    (
        "urgent",
        "en",
        "Locked out",
        "I am locked out and standing at the door. Please call me back immediately!",
    ),
    (
        "urgent",
        "de",
        "Dringend",
        "Kannst du mich bitte sofort anrufen? Der Kunde wartet und die Anlage steht still.",
    ),
    (
        "urgent",
        "fr",
        "Urgent",
        "Peux-tu m'appeler tout de suite ? Le serveur est en panne et les clients attendent.",
    ),
    (
        "urgent",
        "es",
        "Urgente",
        "¿Puedes llamarme ahora mismo? El servidor se ha caído y los clientes están esperando.",
    ),
    ("urgent", "it", "Urgente", "Puoi chiamarmi subito? Il server è fermo e i clienti stanno aspettando."),
    ("urgent", "nl", "Dringend", "Kun je me meteen bellen? De server ligt plat en de klanten wachten."),
    (
        "urgent",
        "pt",
        "Urgente",
        "Podes ligar-me imediatamente? O servidor está em baixo e os clientes estão à espera.",
    ),
    ("actionable", "en", "Report", "Could you send me your comments on the report by the end of next week?"),
    (
        "actionable",
        "en",
        "Dinner",
        "Would you like to have dinner with us on Saturday next week? Let me know.",
    ),
    (
        "actionable",
        "en",
        "Question about the invoice",
        "Which cost centre should I put on the invoice? No hurry.",
    ),
    (
        "actionable",
        "en",
        "Review",
        "When you have time, can you review the attached draft and tell me what you think?",
    ),
    (
        "actionable",
        "de",
        "Bericht",
        "Könntest du mir bis Ende nächster Woche deine Anmerkungen zum Bericht schicken?",
    ),
    (
        "actionable",
        "fr",
        "Rapport",
        "Pourrais-tu m'envoyer tes remarques sur le rapport d'ici la fin de la semaine prochaine ?",
    ),
    (
        "actionable",
        "es",
        "Informe",
        "¿Podrías enviarme tus comentarios sobre el informe antes de que acabe la próxima semana?",
    ),
    (
        "actionable",
        "it",
        "Relazione",
        "Potresti mandarmi le tue osservazioni sulla relazione entro la fine della prossima settimana?",
    ),
    (
        "actionable",
        "nl",
        "Rapport",
        "Zou je me voor het eind van volgende week je opmerkingen over het rapport kunnen sturen?",
    ),
    (
        "actionable",
        "pt",
        "Relatório",
        "Poderias enviar-me os teus comentários sobre o relatório até ao fim da próxima semana?",
    ),
    ("informational", "en", "Re: Printer", "Thanks, that worked!"),
    ("informational", "en", "Minutes", "Here are the minutes of yesterday's meeting, for your records."),
    ("informational", "en", "Trip", "We arrived safely, the hotel is lovely and the weather is great."),
    ("informational", "en", "Figures", "I will send you the figures on Friday."),
    ("informational", "de", "Protokoll", "Anbei das Protokoll der Sitzung von gestern, nur zur Information."),
    ("informational", "fr", "Compte rendu", "Voici le compte rendu de la réunion d'hier, pour information."),
    ("informational", "es", "Acta", "Te adjunto el acta de la reunión de ayer, para tu información."),
    ("informational", "it", "Verbale", "Ecco il verbale della riunione di ieri, per conoscenza."),
    ("informational", "nl", "Notulen", "Hierbij de notulen van de vergadering van gisteren, ter informatie."),
    ("informational", "pt", "Ata", "Segue a ata da reunião de ontem, para conhecimento."),
]

AUTOMATIC = (("Auto-Submitted", "auto-generated"),)
BULK = (
    ("List-Unsubscribe", "<https://shop.example/u>"),
    ("Precedence", "bulk"),
    ("List-Id", "<news.shop.example>"),
)
MACHINES: list[tuple[Bucket, str, str, str, str, tuple[tuple[str, str], ...]]] = [
    (
        "urgent",
        "en",
        "alerts@monitor.example",
        "[CRITICAL] db-1 production: down",
        "db-1 in production is down since 09:12. You are on call.",
        AUTOMATIC,
    ),
    (
        "urgent",
        "en",
        "billing@host.example",
        "Payment failed: service stops today",
        "Your payment failed. Update your card today or your website goes offline tonight.",
        AUTOMATIC,
    ),
    (
        "actionable",
        "en",
        "noreply@host.example",
        "Your password expires in 7 days",
        "Your password expires in 7 days. Please change it before then in your account.",
        AUTOMATIC,
    ),
    (
        "actionable",
        "en",
        "notifications@forge.example",
        "[app] Review requested: Fix login (#41)",
        "Ann Lee requested your review on pull request #41.",
        AUTOMATIC,
    ),
    (
        "actionable",
        "en",
        "noreply@login.example",
        "Your verification code",
        "Your verification code is 482913. It expires in 10 minutes.",
        AUTOMATIC,
    ),
    (
        "informational",
        "en",
        "noreply@parcels.example",
        "Your parcel is on its way",
        "Your parcel will arrive on Friday. You can follow it online.",
        AUTOMATIC,
    ),
    (
        "informational",
        "en",
        "receipts@shop.example",
        "Your receipt from Shop",
        "Thank you for your payment of $24.50. Your receipt is attached.",
        AUTOMATIC,
    ),
    (
        "informational",
        "en",
        "alerts@monitor.example",
        "[RESOLVED] db-1 production",
        "db-1 recovered at 09:40. No action is required.",
        AUTOMATIC,
    ),
    (
        "informational",
        "de",
        "noreply@pakete.example",
        "Ihr Paket ist unterwegs",
        "Ihr Paket kommt voraussichtlich am Freitag an.",
        AUTOMATIC,
    ),
    (
        "informational",
        "fr",
        "noreply@colis.example",
        "Votre colis est en route",
        "Votre colis arrivera vendredi.",
        AUTOMATIC,
    ),
    (
        "low_priority",
        "en",
        "news@shop.example",
        "Last chance: 50% off everything",
        "Last chance! 50% off all shoes, ends tonight. Shop now. Unsubscribe.",
        BULK,
    ),
    (
        "low_priority",
        "en",
        "letters@kettle.example",
        "The Sunday letter: tea and rain",
        "This week: how to store oolong, and five books we loved. Unsubscribe.",
        BULK,
    ),
    (
        "low_priority",
        "de",
        "news@laden.example",
        "Nur heute: 30 % Rabatt",
        "Nur noch heute 30 % Rabatt auf alles. Jetzt einkaufen! Abmelden.",
        BULK,
    ),
    (
        "low_priority",
        "fr",
        "news@boutique.example",
        "Dernières heures : -50 %",
        "Profitez de -50 % sur toute la boutique jusqu'à ce soir. Se désabonner.",
        BULK,
    ),
    (
        "low_priority",
        "es",
        "news@tienda.example",
        "Última oportunidad: 50 % de descuento",
        "Solo hoy, 50 % de descuento en toda la tienda. Darse de baja.",
        BULK,
    ),
]


@pytest.mark.parametrize(("bucket", "language", "subject", "text"), PEOPLE)
def test_what_people_write_ends_in_the_right_bucket(
    mail: MakeMail, bucket: Bucket, language: str, subject: str, text: str
) -> None:
    verdict = BuiltinTier().judge(mail(text, subject=subject, language=language), KNOWN)
    assert verdict.bucket == bucket, verdict.priority.reason
    assert verdict.content_category == "primary"


@pytest.mark.parametrize(("bucket", "language", "sender", "subject", "text", "headers"), MACHINES)
def test_what_machines_send_ends_in_the_right_bucket(
    mail: MakeMail,
    bucket: Bucket,
    language: str,
    sender: str,
    subject: str,
    text: str,
    headers: tuple[tuple[str, str], ...],
) -> None:
    name = sender.partition("@")[2].partition(".")[0].title()
    prepared = mail(text, subject=subject, sender=sender, name=name, language=language, headers=headers)
    verdict = BuiltinTier().judge(prepared, STRANGER)
    assert verdict.bucket == bucket, verdict.priority.reason
    assert not verdict.needs_reply


@pytest.mark.parametrize(
    ("language", "subject", "text"),
    [(language, subject, text) for bucket, language, subject, text in PEOPLE if bucket in NEEDED],
)
@pytest.mark.parametrize("context", [STRANGER, Context()], ids=["a stranger", "nobody knows"])
def test_a_plain_request_stays_one_whoever_sends_it(
    mail: MakeMail, context: Context, language: str, subject: str, text: str
) -> None:
    prepared = mail(text, subject=subject, language=language, sender="ann.lee@lees.example", name="Ann Lee")
    verdict = BuiltinTier().judge(prepared, context)
    assert verdict.bucket in NEEDED, verdict.priority.reason
    assert verdict.content_category == "primary"
    assert verdict.flags.spam < 0.5


@pytest.mark.parametrize(
    ("language", "subject", "text"),
    [(language, subject, text) for bucket, language, subject, text in PEOPLE if bucket == "actionable"],
)
def test_a_plain_request_expects_an_answer(mail: MakeMail, language: str, subject: str, text: str) -> None:
    assert BuiltinTier().judge(mail(text, subject=subject, language=language), KNOWN).needs_reply


QUESTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        ("", "Offer", "Price list", "Question", "Hello", "Sale of the flat", "Job"),
        (
            "Could you let me know if the room is still free in May?",
            "I saw your flat online. Is it still available?",
            "Are you free for a call next Tuesday?",
        ),
    ),
    "de": (
        ("", "Angebot", "Frage", "Wohnung"),
        ("Können Sie mir bitte ein Angebot schicken?", "Hätten Sie am Dienstag Zeit für ein Telefonat?"),
    ),
    "fr": (
        ("", "Votre offre", "Question"),
        ("L'appartement est-il encore libre ?", "Êtes-vous disponible mardi pour un appel ?"),
    ),
    "es": (
        ("", "Oferta", "Pregunta"),
        ("¿Sigue libre el piso?", "¿Tiene tiempo el martes para una llamada?"),
    ),
    "it": (
        ("", "Offerta", "Domanda"),
        ("L'appartamento è ancora libero?", "Ha tempo martedì per una chiamata?"),
    ),
    "nl": (
        ("", "Offerte", "Vraag"),
        (
            "Kunt u mij voor volgende week vrijdag uw offerte sturen?",
            "Heeft u dinsdag tijd voor een telefoontje?",
        ),
    ),
    "pt": (
        ("", "Proposta", "Pergunta"),
        ("O apartamento ainda está livre?", "Tem tempo na terça-feira para uma chamada?"),
    ),
}


def _well_taken(mail: MakeMail, context: Context) -> float:
    """The share of the questions that stay a person's questions."""
    right = [
        verdict.bucket in NEEDED and verdict.content_category == "primary"
        for language, (subjects, texts) in QUESTIONS.items()
        for subject in subjects
        for text in texts
        for prepared in [mail(text, subject=subject, language=language, sender="ann.lee@lees.example")]
        for verdict in [BuiltinTier().judge(prepared, context)]
    ]
    assert len(right) >= 50
    return sum(right) / len(right)


def test_a_short_question_of_somebody_known_is_never_worthless(mail: MakeMail) -> None:
    assert _well_taken(mail, KNOWN) == 1.0


@pytest.mark.parametrize(
    ("context", "floor"), [(STRANGER, 0.65), (Context(), 0.35)], ids=["a stranger", "nobody"]
)
def test_a_strangers_short_questions_stay_what_they_are(
    mail: MakeMail, context: Context, floor: float
) -> None:
    assert _well_taken(mail, context) >= floor


@pytest.mark.parametrize("context", [STRANGER, Context()], ids=["a stranger", "nobody knows"])
def test_a_strangers_short_question_is_hardly_ever_taken_for_advertising(
    mail: MakeMail, context: Context
) -> None:
    assert _well_taken(mail, context) >= 0.97


@pytest.mark.parametrize("more", ["", " Thanks, Ann", " How was your weekend?", " Did my draft reach you?"])
@pytest.mark.parametrize("day", ["tomorrow", "Friday", "next week"])
@pytest.mark.parametrize("thing", ["report", "contract", "slides"])
def test_what_a_person_plainly_tells_the_user_to_do_is_to_be_done(
    mail: MakeMail, thing: str, day: str, more: str
) -> None:
    for told in (
        f"Please send me the {thing} by {day}.",
        f"Could you send me the {thing} by {day}, please?",
        f"I need your comments on the {thing} by {day}.",
    ):
        prepared = mail(told + more, subject=f"The {thing}", sender="ann.lee@lees.example")
        assert BuiltinTier().judge(prepared, KNOWN).bucket in NEEDED, told + more
