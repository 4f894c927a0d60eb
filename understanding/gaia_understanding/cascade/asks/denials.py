"""Find the message's own statement that nothing is asked of the reader. Entry: `own_words`.

Only the message may say so: a reason reports what was seen, and does not deny what was not found.
"""

from __future__ import annotations

from gaia_understanding.cascade.phrases import Wordlist, locate
from gaia_understanding.cascade.tables import phrase_list
from gaia_understanding.cascade.view import PhraseView

_FEATURES = ("no_reply_needed", "alert_calm")
_SAID = frozenset(
    phrase_list(
        "no need to answer; no need to write back; no need to reply; no reply needed; no reply necessary; "
        "no need to respond; no response needed; no response necessary; no action needed; no action required; "
        "no action is required; no action is needed; no answer needed; you don't need to do anything; "
        "you don't need to reply; don't bother replying; you need do nothing; "
        "there is nothing you need to do; there's nothing you need to do; there is nothing to do; "
        "keine antwort nötig; keine antwort erforderlich; kein handlungsbedarf; keine aktion erforderlich; "
        "du musst nichts weiter tun; sie müssen nichts weiter tun; nichts weiter zu tun; du musst nicht antworten; "
        "sie müssen nicht antworten; brauchst nicht zu antworten; sie müssen nichts tun; du musst nichts tun; "
        "pas besoin de répondre; inutile de répondre; no hace falta responder; no es necesario responder; "
        "no hace falta que respondas; no se requiere ninguna acción; no es necesario hacer nada; "
        "non serve rispondere; non è necessario rispondere; non occorre rispondere; nessuna azione richiesta; "
        "non devi fare nulla; não precisa responder; não é necessário responder; não é preciso responder; "
        "nenhuma ação necessária; não precisa fazer nada; hoef je niet te antwoorden; geen antwoord nodig; "
        "je hoeft niet te reageren; u hoeft niet te reageren; geen actie nodig; reageren is niet nodig; "
        "je hoeft niets te doen"
    )
)
"""The phrases of `_FEATURES` that can mean nothing else."""
_TURNS = Wordlist(
    "if; unless; until; once; when; but; however; except; otherwise; only; should; provided; assuming; "
    "falls; wenn; sofern; solange; sobald; aber; sondern; jedoch; nur; außer; sollten; mais; sauf; lorsque; dès; "
    "quand; pero; salvo; cuando; siempre que; ma; però; quando; salvo; purché; mas; exceto; caso; desde que; maar; "
    "tenzij; wanneer; zodra; indien; mits; si; se; als"
)
"""In a sentence with one of these, the statement is conditional, or something is wanted after all."""


def own_words(view: PhraseView) -> str:
    """Return the statement as written; empty if there is none, or only a conditional one."""
    for feature in _FEATURES:
        for text, folded, hits in (
            (view.subject, view.folded_subject, view.subject_hits),
            (view.body, view.folded_body, view.body_hits),
        ):
            for phrase in hits.get(feature, ()):
                place = locate(folded, phrase) if phrase in _SAID else -1
                if place >= 0 and not _TURNS.positions(_sentence(view, folded, place)):
                    return text[place : place + len(phrase)]
    return ""


def _sentence(view: PhraseView, folded: str, place: int) -> str:
    """Return the folded sentence around a place; if it was not read, the text near the place."""
    if folded is view.folded_subject:
        return folded
    index = view.sentence_at(place)
    return view.folded_sentence(index) if index >= 0 else folded[max(0, place - 120) : place + 160]
