"""Multilingual words for use cases. Entries: `REPLY_CHIPS`, `FILLING_WORDS`, `EXCEPTING_WORDS`."""

from __future__ import annotations

REPLY_CHIPS: dict[str, tuple[str, ...]] = {
    "en": ("Thank you.", "Yes, that works.", "No, that does not work for me.", "Could you tell me more?"),
    "de": ("Vielen Dank.", "Ja, das passt.", "Nein, das passt leider nicht.", "Können Sie mehr dazu sagen?"),
    "fr": (
        "Merci.",
        "Oui, cela me convient.",
        "Non, cela ne me convient pas.",
        "Pouvez-vous m'en dire plus ?",
    ),
    "es": ("Gracias.", "Sí, me va bien.", "No, no me va bien.", "¿Podría contarme más?"),
    "it": ("Grazie.", "Sì, va bene.", "No, non va bene.", "Potrebbe dirmi di più?"),
    "pt": ("Obrigado.", "Sim, pode ser.", "Não, não pode ser.", "Pode dizer-me mais?"),
    "nl": ("Dank u wel.", "Ja, dat is goed.", "Nee, dat schikt niet.", "Kunt u er meer over zeggen?"),
}
"""Short answers to choose from, by language code."""

_FILLING = (
    "a about all also an and any anything are as at be by can do e-mail e-mails email emails every everything for "
    "from has have i in into is it like mail mails me message messages my of on or our related sent some such "
    "that the their them there these they this to us we what when where which who with you your "
    "aber alle alles als am an auch auf aus bei das dem den der des die ein eine einem einen einer für im in ist "
    "mail mails mein meine meiner mit nachricht nachrichten oder sind sowie über um und uns unser unsere vom von "
    "was wenn wer wie zu zum zur "
    "au aux avec ce ces cette dans de des du en est et la le les ma mes message messages mon nos notre ou par pour "
    "que qui sa ses son sont sur tous tout un une "
    "con correo correos de del el en es esta este la las lo los mensaje mensajes mi mis o para por que se son "
    "sobre su sus todo todos un una y "
    "al alla alle che con da dei del della delle di e ed gli i il in la le lo messaggi messaggio mia mie mio nel "
    "o per posta si sono su sui tutti tutto un una"
)
FILLING_WORDS = frozenset(_FILLING.split())
"""Words of a label's description that carry no information about its mail."""

_EXCEPTING = "not except without but no nicht außer ohne kein keine sauf sans pas excepto sin salvo no tranne senza non"
EXCEPTING_WORDS = frozenset(_EXCEPTING.split())
"""Words of a label's description that introduce exceptions."""
