"""Mail that people pass on for luck or fun, or that offers their things to many. Entry: `find`.

It has no headers of mailings, and its urgency and its requests ("send this to ten friends today!!") are meant
for nobody in particular. If the sender asks the user for anything else with it, it does not count as such
mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ahocorasick_rs import AhoCorasick

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.asks.acts import ActProbabilities
from gaia_understanding.cascade.asks.needs_reply import is_owner_named
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.kinds.letters import is_letter, is_own_word, is_passed_on
from gaia_understanding.cascade.phrases import Wordlist, fold, locate, tokens_of

_TABLE = WordTable("gaia_understanding.cascade", "traps/pastime.txt")

PastimeKind = Literal["chain", "fun", "sale", "event"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pastime:
    """The kind of such mail, and its evidence: the subject, or a sentence of the message."""

    kind: PastimeKind
    evidence: str


_ASKED = 0.5
_READ = 3_000
_SHORT = 400
"""The most characters that a sender adds to mail passed on for fun."""
_OPENING = 120
_AGAIN = lazy_pattern(r"\b(?:fwd?|wg|tr|rv|enc|doorst)\s?:")
_QUOTED = lazy_pattern(r"^[ \t]*>[> \t]*", re.MULTILINE)
_CHAINED = _TABLE.words("chained")
_PASSING = _TABLE.words("passing")
"""Words for the recipients and, in English, for what to do; mail without them contains no chain wish."""
_CHAIN = _TABLE.pattern("chain")
"""A wish that addresses any recipient: so many others, everyone one knows, the chain itself."""
_CHAIN_VERBS = _TABLE.word_list("chain_verbs")
"""Every match of `_CHAIN` begins with one of these, or with a longer word."""
_FUN = Wordlist(
    "joke; jokes; lol; rofl; lmao; haha; hahaha; hahahaha; hehe; hehehe; teehee; funny; hilarious; humor; "
    "humour; giggle; giggles; chuckle; a good laugh; for a laugh; need a laugh; you laugh; made me laugh; "
    "had to laugh; "
    "pass a smile; a smile for; warm fuzzy; "
    "walks into a bar; walk into a bar; walked into a bar; knock knock; punch line; punchline; st. peter; "
    "pearly gates; you might be a redneck; blonde joke; lawyer joke; top 10 signs; top ten signs; top 10 reasons; "
    "top ten reasons; "
    "horoscope; horoscopes; your fortune; your lucky; guardian angel; thought for the day; thought of the day; "
    "zum schmunzeln; zum lachen; witz; witze; lustig; horoskop; pour rire; blague; blagues; rigolo; mdr; horoscopo; "
    "horóscopo; chiste; chistes; para reír; jajaja; barzelletta; barzellette; da ridere; oroscopo; piada; piadas; "
    "kkkk; rsrs; mop; moppen; grappig; om te lachen; horoscoop; 😂; 🤣"
)
_SIGNS = _TABLE.words("signs")
_ZODIAC = 3
_SALE = Wordlist(
    "for sale; selling my; selling our; selling a; i'm selling; i am selling; we're selling; we are selling; "
    "giving away; free to a good home; free to good home; to give away; zu verkaufen; verkaufe; verkaufen unser; "
    "zu verschenken; à vendre; je vends; à donner; se vende; vendo; en venta; vendesi; in vendita; regalo; vende-se; "
    "à venda; te koop; gratis af te halen; verkoop mijn"
)
_EVENT = Wordlist(
    "walk-ins welcome; walk ins welcome; all are welcome; all welcome; everyone is welcome; everyone welcome; "
    "everybody is welcome; everybody welcome; free admission; admission is free; open to all; bring the whole family; "
    "bring your family; bring the kids; bring a friend; raffle; raffle tickets; sweepstake; sweepstakes; bake sale; "
    "fundraiser; silent auction; doors open at; tickets at the door; tickets on sale; come one, come all; "
    "eintritt frei; jeder ist willkommen; alle sind willkommen; tombola; entrée libre; entrée gratuite; "
    "ouvert à tous; tous bienvenus; entrada libre; entrada gratuita; todos bienvenidos; ingresso libero; "
    "ingresso gratuito; tutti benvenuti; aperto a tutti; entrada franca; todos bem-vindos; toegang gratis; "
    "iedereen is welkom; rifa; lotteria"
)
"""Anyone is welcome, and nobody is missed."""
_CHEER = lazy_pattern(r"!!|[\U0001f300-\U0001faff]|[:;]-?[)D]")
_NESTED = lazy_pattern(r"^[ \t]*>[ \t]*>", re.MULTILINE)
_LAUGHTER = frozenset("😂🤣")
_GLUED = frozenset("‘‚→©‹›")
"""Marks between words that the reading leaves attached to them."""
_SALE_WORDS = frozenset({"selling", "fs", "sale", "verkaufe", "vendo", "koop", "vends"})
_SALE_AT_FRONT = ("selling ", "fs:", "for sale", "verkaufe ", "vendo ", "te koop", "vends ")
_TERMS = Wordlist(
    "pick up; pickup; pick-up; collect; collection only; best offer; obo; asking; firm; negotiable; good condition; "
    "mint condition; barely used; hardly used; like new; mileage; miles; ono; abholung; abholen; vb; "
    "verhandlungsbasis; guter zustand; bon état; à débattre; à venir chercher; buen estado; recoger; negociable; "
    "buone condizioni; ritiro; "
    "trattabile; bom estado; ophalen; afhalen; goede staat; vraagprijs; first come"
)


def find(facts: RuleFacts, acts: ActProbabilities) -> Pastime | None:
    """Find mail passed on for luck or fun, or offered to many; None if it asks the user for something.

    Only mail written by people is examined, not what software or a mailing sends.
    """
    if facts.context.owner_in_thread or facts.lists.automatic or facts.message.calendars:
        return None
    if facts.sender.kind == "machine" or facts.sender.is_owner:
        return None
    subject, body = facts.view.folded_subject, facts.view.folded_body[:_READ]
    passed_on = is_passed_on(facts)
    quoted = fold(_QUOTED.sub("", facts.prepared.quoted[:_READ])) if passed_on else ""
    kind, words = _kind(facts, subject, body, quoted, passed_on=passed_on)
    if not kind or _asks_user(facts, acts, kind):
        return None
    return Pastime(kind=kind, evidence=_verbatim(facts, words))


def _kind(
    facts: RuleFacts, subject: str, body: str, quoted: str, *, passed_on: bool
) -> tuple[PastimeKind | Literal[""], str]:
    """Return the kind, and the text that shows it; both empty if there is none."""
    whole = f"{subject} \n{body}"
    tokens = _heard(facts, subject, body, quoted) & telling_words()
    chained, passing, telling = _gates()
    own = is_own_word(facts)
    if not own and tokens & chained and (passed_on or facts.prepared.language != "en" or tokens & passing):
        for part in (whole, quoted):
            chain = _chain(" ".join(part.split())) if part else ""
            if chain:
                return "chain", chain
    if not passed_on and tokens.isdisjoint(telling) and not (_LAUGHTER & facts.view.wide):
        return "", ""
    if facts.is_reply:
        return "", ""
    brief = len(facts.prepared.normalized) <= _SHORT
    fun = _fun(facts, subject, body, quoted, passed_on=passed_on, brief=brief)
    if fun is not None:
        return "fun", fun
    if _sells(facts, subject, body):
        return "sale", subject
    aside = facts.sender.audience in ("many", "unknown") or facts.sender.kind == "role"
    at = _EVENT.positions(whole) if brief and aside else []
    return ("event", whole[at[0] :].split(maxsplit=1)[0]) if at else ("", "")


def _fun(
    facts: RuleFacts, subject: str, body: str, quoted: str, *, passed_on: bool, brief: bool
) -> str | None:
    """Return the text that shows that it is for fun, empty if several do; None if it is not for fun.

    A laugh in the sender's own words is only their tone. The subject shows what a mail is, and so does mail
    that was forwarded more than once.
    """
    if is_own_word(facts):
        return None
    again = passed_on and _goes_round(facts, subject)
    inside = again or (brief and not passed_on and not is_letter(facts))
    for part, read in ((subject, brief or passed_on), (body, inside), (quoted, again)):
        if read and part and (at := _FUN.positions(part)):
            return part[at[0] :].split(maxsplit=1)[0]
    words = frozenset(f"{body} {quoted}".replace(":", " ").split()) if passed_on else frozenset[str]()
    if len(_SIGNS & words) >= _ZODIAC:
        return ""
    return "" if passed_on and brief and _handed_round(facts, subject) else None


@lru_cache(maxsize=1)
def _gates() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the words without which no text is searched: of chains, of English chain verbs, and of all others.

    Forwarded mail is searched for the others in any case, and so is mail with a laughing face.
    """
    lists = [word.decode() for wordlist in (_FUN, _SALE, _EVENT) for word in wordlist.words()]
    return frozenset(_CHAINED), frozenset(_PASSING), _SALE_WORDS.union(lists)


@lru_cache(maxsize=1)
def telling_words() -> frozenset[str]:
    """Return the words that `find` needs noted while a message is read."""
    return frozenset[str]().union(*_gates())


def _heard(facts: RuleFacts, subject: str, body: str, quoted: str) -> frozenset[str]:
    """Return the words of subject, body and quoted text, at least those of `telling_words`.

    The words of the body were noted when it was read, unless it contains a mark that the reading takes for
    part of a word.
    """
    reading = facts.reading
    if quoted or "@" in body or "^" in body or len(facts.view.body) > len(reading.text):
        return _words_of(f"{subject} \n{body} {quoted}")
    if not _GLUED.isdisjoint(facts.view.wide):
        return _words_of(f"{subject} \n{body}")
    return reading.known | _words_of(subject)


def _words_of(folded: str) -> frozenset[str]:
    return frozenset([token.decode() for token in tokens_of(folded)])


def _chain(text: str) -> str:
    """Return the first text that wishes to be passed on; tried only at one of its verbs."""
    for start in sorted({start for _, start, _ in _verbs()(text, overlapping=True)}):
        match = _CHAIN.match(text, start)
        if match is not None:
            return match[0]
    return ""


@lru_cache(maxsize=1)
def _verbs() -> Callable[..., list[tuple[int, int, int]]]:
    return AhoCorasick(_CHAIN_VERBS).find_matches_as_indexes


def _handed_round(facts: RuleFacts, subject: str) -> bool:
    """Return True for cheerful mail forwarded again and again, without a file: it is for nobody in particular."""
    return (
        _goes_round(facts, subject)
        and _CHEER.search(_whole(facts)) is not None
        and not facts.message.attachments
        and not facts.shares_domain
    )


def _goes_round(facts: RuleFacts, subject: str) -> bool:
    """Return True if it was forwarded more than once."""
    return len(_AGAIN.findall(subject)) > 1 or _NESTED.search(_whole(facts)) is not None


def _whole(facts: RuleFacts) -> str:
    prepared = facts.prepared
    return f"{facts.message.subject}\n{prepared.normalized[:_READ]}\n{prepared.quoted[:_READ]}"


def _sells(facts: RuleFacts, subject: str, body: str) -> bool:
    """Return True for a person's own thing, offered to several: named early, with terms or a price."""
    if facts.sender.audience == "me" and not (facts.lists.list_id or subject.startswith("[")):
        return False
    bare = subject.partition("] ")[2] or subject
    offered = bare.startswith(_SALE_AT_FRONT) or bool(_SALE.positions(f"{bare}\n{body[:_OPENING]}"))
    return offered and (
        bool(facts.entities.money) or any(map(str.isdigit, body)) or bool(_TERMS.positions(body))
    )


def _asks_user(facts: RuleFacts, acts: ActProbabilities, kind: PastimeKind) -> bool:
    """Return True if the user is asked something other than what everyone is told."""
    asked = [span for span in acts.requests if span.strength >= _ASKED]
    if kind == "chain":
        return any(span.kind == "question" for span in asked) and is_owner_named(facts)
    return (
        bool(asked)
        or facts.view.has("due_today")
        or (is_owner_named(facts) and locate(facts.view.folded_body, "you") >= 0)
    )


def _verbatim(facts: RuleFacts, words: str) -> str:
    """Return the sentence that contains the text, if the message has one; else the subject."""
    if words and words not in facts.view.folded_subject:
        for sentence in facts.view.sentences:
            if words in " ".join(fold(sentence).split()):
                return sentence
    return facts.message.subject
