"""Words of several languages that use cases need. Entry: `REPLY_CHIPS`."""

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
"""Short answers to choose from, by language."""
