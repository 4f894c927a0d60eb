"""Demands that phishing makes, and the pressure behind them. Entry: `clues`."""

from __future__ import annotations

import re

from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import locate
from gaia_understanding.cascade.tables import word_list, wordset
from gaia_understanding.cascade.traps.evidence import Evidence
from gaia_understanding.cascade.view import PhraseView
from gaia_understanding.prepare.literal_scanner import LiteralScanner

_TABLE = WordTable("gaia_understanding.cascade", "traps/lures.txt")

_STRONG = wordset(
    "ask_credentials ask_money ask_gift_card ask_bank_change threat_account secrecy extortion call_back stranded "
    "staff_data scan_code"
)
_WEAK = wordset("pretext nobodys_greeting file_password")
_GIVING = _TABLE.pattern("giving", r"\b(?:", r")")
"""Verbs of giving and confirming that are near an object of `own_data`."""
_BEFORE, _BEHIND = 60, 40
_STOP = lazy_pattern(r"[.!?:;]\s")
_VERBS = word_list("verif confirm updat validat activat restor provid enter submit renew complet")
_VERB_MARKS = LiteralScanner(*(verb.encode() for verb in _VERBS))
_DEMAND = _TABLE.pattern("demand")
_SWITCH = _TABLE.pattern("switch")
_DEAR = _TABLE.pattern("dear", r"\bdear (?:[\w&.'®™-]{1,20} ){1,5}?(?:", r")\b")
_BLANKS = _TABLE.pattern("blanks", r"\b(?:", r")\s{0,2}:", flags=re.IGNORECASE)
_BLANK_WORDS = ("pass", "contraseña", "senha", "wachtwoord")
"""Every match of `_BLANKS` contains one of these."""
_FAVOURS = frozenset({"ask_money", "ask_bank_change", "ask_gift_card", "secrecy", "staff_data"})
_HEAD = 400
_OFTEN = 5
_WHOSE = (" your ", " our ", " the online ", " of ")
_READ = 4_000
_MENACING = ("threat_account", "pretext", "nobodys_greeting", "short_time", "ask_click")
_MOOD = (("pretext", 0.5), ("short_time", 0.4), ("ask_click", 0.3))
_READERS = wordset("you your deine ihre ihr votre su tu tua sua je uw")
_LITTLE = 0.8
"""The most that the mood of a text weighs; honest machines write like that, too."""
_SUMS = (
    ("ask_gift_card", 1.7, "asks for"),
    ("ask_bank_change", 1.7, "speaks of"),
    ("ask_money", 1.0, "speaks of"),
)


def extorts(view: PhraseView) -> bool:
    """Return True if someone claims to have something of the reader's and wants money; news about that does not."""
    if view.count("extortion") < 2 or not view.has("ransom"):
        return False
    said = (*view.subject_hits.get("extortion", ()), *view.body_hits.get("extortion", ()))
    return any(not _READERS.isdisjoint(phrase.split()) for phrase in said)


def wants_favour(facts: RuleFacts) -> bool:
    """Return True if the mail is about money, secrets or staff data, like mail of a false colleague."""
    return not _FAVOURS.isdisjoint(facts.view.counts) or bool(_switch(facts))


def pays_others(view: PhraseView) -> bool:
    """Return True if cards are to be bought, or money is to go to another account: asking again proves nothing."""
    return view.has("ask_gift_card") or view.has("ask_bank_change")


def concerns(facts: RuleFacts) -> bool:
    """Return True if the text contains any words that phishing needs; most mail has none and is not examined."""
    counts = facts.view.counts
    if not _STRONG.isdisjoint(counts):
        return True
    return bool(facts.prepared.links or facts.message.attachments) and not _WEAK.isdisjoint(counts)


def clues(facts: RuleFacts) -> list[Evidence]:
    """Return what the reader is to give away and the threats made, with the text that says so."""
    view = facts.view
    found = [*_credentials(view), *_money(facts)]
    if not _STRONG.isdisjoint(view.counts):
        found.extend(_schemes(view))
    if view.has("threat_account"):
        more = 0.3 if view.count("threat_account") > 1 else 0.0
        found.append(Evidence("ask", 1.0 + more, f"threatens: “{_quote(view, 'threat_account')}”"))
    leads = bool(facts.prepared.links or facts.message.attachments)
    if not found and not (leads and not _WEAK.isdisjoint(view.counts)):
        return []
    found.append(
        Evidence("ask", min(_LITTLE, sum([weight for feature, weight in _MOOD if view.has(feature)])))
    )
    greeting = _greeting(view)
    if greeting:
        found.append(Evidence("ask", 0.5, f"speaks to nobody by name: “{greeting}”"))
    return found


def _credentials(view: PhraseView) -> list[Evidence]:
    body = view.folded_body
    if view.has("short_time") and any(map(body.__contains__, _BLANK_WORDS)) and _BLANKS.search(body):
        return [Evidence("ask", 1.9, "has a line to fill your password in")]
    if view.has("ask_credentials"):
        more = 0.3 if view.count("ask_credentials") > 1 else 0.0
        return [Evidence("ask", 1.4 + more, _asks(_quote(view, "ask_credentials")))]
    if view.counts.keys().isdisjoint(_MENACING):
        return []
    for folded, text in ((view.folded_subject, view.subject), (view.folded_body, view.body)):
        demand = _demand(folded)
        if demand:
            return [Evidence("ask", 1.2, _asks(_inline(text[demand[0] : demand[1]])))]
    given = _given(view)
    return [Evidence("ask", 1.2, _asks(given))] if given else []


def _asks(words: str) -> str:
    """Return a demand in the mail's own words, which may name only the thing: asks for “your credentials”."""
    return f"asks {'for' if words.lower().startswith(('your ', 'my ', 'the ')) else 'to'} “{words}”"


def _given(view: PhraseView) -> str:
    """Return the text that wants the reader's own data or card confirmed or handed over; else empty."""
    folded, body = view.folded_body, view.body
    for phrase in view.body_hits.get("own_data", ())[:_OFTEN]:
        at = locate(folded, phrase)
        end = at + len(phrase)
        before = folded[max(0, at - _BEFORE) : at]
        stop = max([match.end() for match in _STOP.finditer(before)], default=0)
        verb = _GIVING.search(before, stop)
        if verb is not None:
            return _inline(body[at - len(before) + verb.start() : end])
        behind = _STOP.split(folded[end : end + _BEHIND])[0]
        if _GIVING.search(behind):
            return _inline(body[at : end + len(behind)])
    return ""


def _demand(folded: str) -> tuple[int, int] | None:
    """Return the span of a text like `update the details of your account`, searched for only at its verb."""
    if not any(map(folded.__contains__, _WHOSE)):
        return None
    present = frozenset(_VERB_MARKS.found_in(folded[:_READ].encode("utf-8", "replace")))
    for verb in _VERBS:
        if verb.encode() not in present:
            continue
        at = folded.find(verb, 0, _READ)
        for _ in range(_OFTEN):
            if at < 0:
                break
            match = _DEMAND.match(folded, at)
            if match is not None:
                return match.span()
            at = folded.find(verb, at + 1, _READ)
    return None


def _greeting(view: PhraseView) -> str:
    if view.has("nobodys_greeting"):
        return _quote(view, "nobodys_greeting")
    head = view.folded_body[:_HEAD]
    match = _DEAR.search(head) if "dear" in head else None
    return _inline(view.body[match.start() : match.end()]) if match else ""


def _money(facts: RuleFacts) -> list[Evidence]:
    view = facts.view
    found: list[Evidence] = []
    for feature, weight, text in _SUMS:
        if view.has(feature):
            found.append(Evidence("ask", weight, f"{text} “{_quote(view, feature)}”"))
            break
    if not view.has("ask_bank_change"):
        switch = _switch(facts)
        if switch:
            found = [Evidence("ask", 1.5, f"asks to “{switch}”")]
    quiet = view.count("secrecy")
    if quiet and (found or facts.sender.free_mail or quiet > 1):
        reason = f"wants it quiet or quick: “{_quote(view, 'secrecy')}”"
        found.append(Evidence("ask", 1.0 if quiet > 1 else 0.7, reason))
    return found


def _switch(facts: RuleFacts) -> str:
    """Return the text in which a person wants their wages sent to another account."""
    view = facts.view
    if facts.sender.kind != "person" or not ("bank" in view.folded_body or "deposit" in view.folded_body):
        return ""
    match = _SWITCH.search(view.folded_body)
    return _inline(view.body[match.start() : match.end()]) if match else ""


def _schemes(view: PhraseView) -> list[Evidence]:
    """Find whole stories that only deceivers tell; several parts of one must be present."""
    found: list[Evidence] = []
    if extorts(view):
        reason = f"threatens: “{_quote(view, 'extortion')}”, for “{_quote(view, 'ransom')}”"
        found.append(Evidence("ask", 3.2, reason))
    if view.has("ask_gift_card") and view.has("secrecy"):
        reason = f"wants “{_quote(view, 'ask_gift_card')}” bought, quietly or quickly"
        found.append(Evidence("ask", 3.1, reason))
    if view.has("call_back") and view.has("auto_renewal"):
        found.append(Evidence("ask", 1.3, f"asks to call about a charge: “{_quote(view, 'auto_renewal')}”"))
    if view.has("stranded"):
        more = view.count("stranded") > 1
        found.append(
            Evidence("ask", 2.4 if more else 1.2, f"asks for help with “{_quote(view, 'stranded')}”")
        )
    if view.has("scan_code") and view.has("sign_in_words"):
        hurried = view.has("short_time") or view.has("ask_credentials")
        reason = f"wants “{_quote(view, 'scan_code')}”, which leads where no filter looks"
        found.append(Evidence("ask", 1.9 if hurried else 1.4, reason))
    if view.has("staff_data"):
        more = view.count("staff_data") > 1
        found.append(Evidence("ask", 2.2 if more else 1.2, f"asks for “{_quote(view, 'staff_data')}”"))
    return found


def _quote(view: PhraseView, feature: str) -> str:
    return _inline(view.quote(feature))


def _inline(text: str) -> str:
    return " ".join(text.split())
