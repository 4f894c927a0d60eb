"""Needs that a message states without asking: "I was charged twice", "the report is due tomorrow". Entry: `find_needs`.

The writer of such a letter to one reader wants it put right, or wants the thing in time, though no word asks.
What happened to others, what is settled, and what the writer takes care of are not needs.
"""

from __future__ import annotations

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds.letters import is_own_word
from gaia_understanding.prepare.extract.requests import RequestSpan

_TABLE = WordTable("gaia_understanding.cascade", "asks/needs.txt")

_STRENGTH = 0.65
_READ, _SENTENCES = 1_500, 12

_HARM = _TABLE.pattern("harm")
_DUE = _TABLE.pattern("due")
_OWN = lazy_pattern(r"^(?:\W*\w+, )?(?:my|mine|mein\w*|mon|ma|mi|mio|mia|meu|minha|mijn)\b")
_SETTLED = _TABLE.pattern("settled", r"\b(?:", r")\b")
_SEEN_TO = _TABLE.pattern("seen_to")


def find_needs(facts: RuleFacts) -> tuple[RequestSpan, ...]:
    """Return the first sentence of a letter to the reader that states a need, as a request; none if it is settled."""
    view = facts.view
    if not is_own_word(facts) or facts.lists.discussion or _SETTLED.search(view.folded_body, 0, _READ):
        return ()
    for place, start in enumerate(view.starts[:_SENTENCES]):
        folded = view.folded_sentence(place)
        due = _DUE.search(folded) is not None and not (
            _OWN.match(folded) or _SEEN_TO.search(view.folded_body, 0, _READ)
        )
        if start < _READ and (due or _HARM.search(folded) is not None):
            return (
                RequestSpan(
                    text=view.sentences[place],
                    normal=folded,
                    place=place,
                    kind="need",
                    strength=_STRENGTH,
                    plain=" ".join(folded.split()),
                ),
            )
    return ()
