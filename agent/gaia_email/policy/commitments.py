"""Finds promises in a model's sentence, so that none is sent in the user's name. Entry: `commitment_in`.

Words are compared by appearance, without accents, invisible characters or look-alike letters, so that a promise that
a reader would recognize cannot be hidden from the list.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from gaia_understanding.cascade.sender.confusables import skeleton
from gaia_understanding.cascade.tables import phrase_list

PHRASES = phrase_list(
    "i agree; we agree; agreed; i accept; we accept; accepted; i confirm; we confirm; confirmed; i approve; "
    "we approve; approved; i promise; we promise; i guarantee; we guarantee; guaranteed; i commit; we commit; "
    "i undertake; we undertake; i authorise; i authorize; we authorise; we authorize; i consent; we consent; "
    "i will; we will; i shall; we shall; i am going to; we are going to; i am able to; you can count on; "
    "count on me; count me in; count us in; it is a deal; you have my word; my word; consider it done; "
    "go ahead; please proceed; sounds good; that works; works for me; happy to; glad to; i am in; we are in; "
    "will pay; will transfer; will sign; will send; will deliver; will be there; i owe; we owe; "
    "i have paid; i have sent; i have signed; "
    "ich stimme; wir stimmen; einverstanden; ich akzeptiere; wir akzeptieren; ich bestätige; wir bestätigen; "
    "bestätigt; ich verspreche; wir versprechen; ich garantiere; wir garantieren; ich werde; wir werden; "
    "ich sage zu; wir sagen zu; zugesagt; ich überweise; wir überweisen; ich zahle; wir zahlen; abgemacht; "
    "geht klar; genehmigt; ich verpflichte; wir verpflichten; ich nehme an; wir nehmen an; das passt; "
    "je suis d'accord; nous sommes d'accord; d'accord; j'accepte; nous acceptons; je confirme; nous confirmons; "
    "confirmé; je promets; nous promettons; je garantis; nous garantissons; je vais; nous allons; je paierai; "
    "nous paierons; je m'engage; nous nous engageons; entendu; c'est convenu; j'approuve; "
    "estoy de acuerdo; estamos de acuerdo; de acuerdo; acepto; aceptamos; confirmo; confirmamos; confirmado; "
    "prometo; prometemos; garantizo; garantizamos; voy a; vamos a; pagaré; pagaremos; me comprometo; "
    "nos comprometemos; apruebo; aprobado; trato hecho; "
    "sono d'accordo; siamo d'accordo; accetto; accettiamo; confermo; confermiamo; confermato; prometto; "
    "promettiamo; garantisco; garantiamo; pagherò; pagheremo; mi impegno; ci impegniamo; approvo; approvato; "
    "affare fatto; va bene; "
    "concordo; concordamos; estou de acordo; aceito; aceitamos; vou; prometemos; garanto; garantimos; pagarei; "
    "pagaremos; comprometo-me; comprometemo-nos; aprovo; aprovado; combinado; "
    "ik ga akkoord; wij gaan akkoord; we gaan akkoord; akkoord; ik accepteer; wij accepteren; ik bevestig; "
    "wij bevestigen; bevestigd; ik beloof; wij beloven; ik garandeer; wij garanderen; ik zal; wij zullen; "
    "we zullen; ik betaal; wij betalen; afgesproken; goedgekeurd"
)
"""Phrases that commit the writer, without contractions, in the seven languages that the rules know."""

_CONTRACTIONS = (
    ("'ll", " will"),
    ("'m", " am"),
    ("'ve", " have"),
    ("'re", " are"),
    ("it's", "it is"),
)
_NOT_WORDS = re.compile(r"[^\w']+|_")


def commitment_in(sentence: str) -> str:
    """Return the first phrase of `PHRASES` found in the sentence, or an empty string."""
    words = plain_words(sentence)
    for phrase, looked_for in _phrases():
        if any(words[start : start + len(looked_for)] == looked_for for start in range(len(words))):
            return phrase
    return ""


@lru_cache(maxsize=1)
def _phrases() -> tuple[tuple[str, list[str]], ...]:
    return tuple((phrase, plain_words(phrase)) for phrase in PHRASES)


def plain_words(text: str) -> list[str]:
    """Return the words of a text by appearance: no accents, invisible characters or look-alike letters."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    visible = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    plain = re.sub("[’‘ʼ`´′]", "'", visible)
    for short, long in _CONTRACTIONS:
        plain = plain.replace(short, long)
    return [skeleton(word) for word in _NOT_WORDS.sub(" ", plain.replace("-", " ")).split()]
