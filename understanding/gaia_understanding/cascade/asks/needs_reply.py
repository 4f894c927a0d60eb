"""Decide if a person expects this user to answer in this thread. Entry: `decide`."""

from __future__ import annotations

from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks.acts import ActProbabilities
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds.category import CategoryFinding
from gaia_understanding.cascade.phrases import Wordlist, fold, locate

_TABLE = WordTable("gaia_understanding.cascade", "asks/needs_reply.txt")

_ANSWERABLE = frozenset({"question", "directive", "need"})
_CLOSING_CHARS = 220
_SHORT = 60
_EARLY = 40
_OPENING_CHARS, _COPY_CHARS = 120, 2_000


def decide(facts: RuleFacts, category: CategoryFinding, acts: ActProbabilities) -> bool:
    """Return True if a person waits for the user's own answer."""
    if facts.context.answered or facts.sender.is_owner or not facts.sender.address:
        return False
    if category.category != "primary" or facts.lists.automatic:
        return False
    if facts.view.has("no_reply_needed") and not facts.view.has("rsvp"):
        return False
    if facts.sender.audience == "copy" and not is_owner_named(facts):
        return False
    if on_a_list(facts) and not (facts.context.owner_in_thread and is_owner_named(facts)):
        return False
    meeting = facts.entities.meeting
    if meeting is not None and meeting.method == "REQUEST":
        return True
    if facts.view.has("rsvp"):
        return True
    if is_closing(facts, acts):
        return False
    asked = max([span.strength for span in acts.requests if span.kind in _ANSWERABLE], default=0.0)
    if asked >= (0.8 if facts.sender.audience == "many" and not is_owner_named(facts) else 0.5):
        return _wants_answer(facts, acts)
    return acts.probabilities["propose"] >= 0.6 and asked >= 0.4


def _wants_answer(facts: RuleFacts, acts: ActProbabilities) -> bool:
    """Return True if any of the requests wants an answer in words.

    An office's "please submit your reports" only wants it done; so does a person's request if it names the
    place to do it ("in the portal") or the telephone, and asks nothing else.
    """
    personal = facts.sender.kind == "person"
    for span in acts.requests:
        if span.strength < _ANSWER_FROM or span.kind not in _ANSWERABLE:
            continue
        if span.kind == "question" or "?" in span.text:
            return True
        folded = " ".join(fold(span.text).split())
        if _ANSWER_PHRASES.positions(folded):
            return True
        if personal and _ELSEWHERE.search(folded) is None:
            return True
    return False


_ANSWER_FROM = 0.5
_ELSEWHERE = _TABLE.pattern("elsewhere", r"\b(?:", r")\b")
"""The request is to be done elsewhere than in an answer."""


_ANSWER_PHRASES = Wordlist(
    "let me know; let us know; an answer; your answer; your decision; your approval by; reply; respond; get "
    "back to; confirm; rsvp; your thoughts; your "
    "input; your feedback; send me; send us; tell me; tell us; bescheid; antworten; rückmeldung; melden "
    "sie sich; melde dich; répondre; tenez-moi; tiens-moi; dites-moi; dis-moi; confirmer; responder; "
    "avísame; dígame; dime; confirma; rispondere; fammi sapere; mi faccia sapere; facci sapere; me avise; "
    "avise-me; diga-me; laat me weten; laat het me weten; laat weten; reageer"
)


_THANKS_AS_FORMULA = _TABLE.phrases("thanks_as_formula")


def on_a_list(facts: RuleFacts) -> bool:
    """Return True if the mail went to a list that the user reads, and not to the user."""
    return facts.lists.discussion or (bool(facts.lists.list_id) and facts.sender.audience == "unknown")


def asks_others(facts: RuleFacts) -> bool:
    """Return True if a person writes to someone else, and the user, whom the text does not name, only has a copy."""
    return facts.sender.audience == "copy" and facts.sender.kind == "person" and not is_owner_named(facts)


def is_owner_named(facts: RuleFacts) -> bool:
    """Return True if the text addresses the user by name: in its opening, anywhere in a copy, or as `@name`."""
    opening = facts.view.folded_body[: _COPY_CHARS if facts.sender.audience == "copy" else _OPENING_CHARS]
    for address in sorted(facts.context.owner):
        local = address.partition("@")[0]
        for part in local.replace("_", ".").replace("-", ".").split("."):
            if len(part) >= 3 and (locate(opening, part) >= 0 or f"@{part}" in facts.view.folded_body):
                return True
    recipients = (*facts.message.to[:20], *facts.message.cc[:20])
    for mailbox in recipients:
        if mailbox.address.lower() in facts.context.owner and mailbox.name:
            first = fold(mailbox.name.split()[0].strip(",\"'"))
            if len(first) >= 3 and locate(opening, first) >= 0:
                return True
    return False


def is_closing(facts: RuleFacts, acts: ActProbabilities) -> bool:
    """Return True for a short word of thanks or agreement that ends the matter."""
    text = facts.prepared.normalized
    if "thanks_only" not in facts.view.body_hits or len(text) > _CLOSING_CHARS or "?" in text:
        return False
    if acts.probabilities["request"] >= 0.6:
        return False
    if any(locate(facts.view.folded_body, formula) >= 0 for formula in _THANKS_AS_FORMULA):
        return False
    thanks = facts.view.quote("thanks_only")
    return bool(thanks) and (len(text) <= _SHORT or 0 <= facts.view.body.find(thanks) <= _EARLY)
