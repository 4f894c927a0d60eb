"""What a message wants from the reader that phishing wants, too, and how it presses. Entry: `clues`."""

from __future__ import annotations

import re

from gaia_email.cascade.clue import Clue
from gaia_email.cascade.facts import Facts
from gaia_email.cascade.tables import wordset
from gaia_email.cascade.view import View
from gaia_mail_mcp.mime.lazy import lazy_pattern

_FEATURES = wordset(
    "ask_credentials ask_money ask_gift_card ask_bank_change threat_account secrecy pretext extortion "
    "call_back stranded staff_data nobodys_greeting"
)
_VERBS = (
    "verif",
    "confirm",
    "updat",
    "validat",
    "re-enter",
    "reactivat",
    "restor",
    "provide",
    "submit",
    "renew",
)
_DEMAND = lazy_pattern(
    r"\b(?:re-?)?(?:verif(?:y|ying)|confirm(?:ing)?|updat(?:e|ing)|validat(?:e|ing)|activat(?:e|ing)|enter|"
    r"restor(?:e|ing)|provid(?:e|ing)|submit|renew)\s(?:[a-z'-]{1,15}\s){0,4}?"
    r"(?:accounts?|identity|information|informations|details|data|records?|mailbox|password|passcode|credentials|"
    r"billing|payment method|credit card|debit card|card|cards|pin|wallets?|ownership|membership|access)\b"
)
_BLANKS = lazy_pattern(
    r"\b(?:pass\s?word|passwort|mot de passe|contraseña|senha|wachtwoord)\s{0,2}:", re.IGNORECASE
)
_MOOD = (("pretext", 0.5), ("short_time", 0.4), ("ask_click", 0.3))
_LITTLE = 0.8
"""What the mood of a text weighs at most; honest machines write like that, too."""
_SUMS = (
    ("ask_gift_card", 1.7, "asks for"),
    ("ask_bank_change", 1.7, "speaks of"),
    ("ask_money", 1.0, "speaks of"),
)


def extorts(view: View) -> bool:
    """Whether somebody claims to have watched the reader and wants to be paid."""
    return view.count("extortion") > 1 and view.has("ransom")


def concerns(view: View) -> bool:
    """Whether the text holds any words that phishing needs; most mail holds none and is not looked at further."""
    return not _FEATURES.isdisjoint(view.counts)


def clues(facts: Facts) -> list[Clue]:
    """What the reader is to give away and what is held over them, with the words that say it."""
    view = facts.view
    found = [*_credentials(view), *_money(facts), *_schemes(view)]
    threat = view.has("threat_account")
    if threat:
        more = 0.3 if view.count("threat_account") > 1 else 0.0
        found.append(Clue("ask", 1.0 + more, f"threatens: “{_inline(view.quote('threat_account'))}”"))
    if not found and not (view.has("pretext") and (facts.prepared.links or facts.message.attachments)):
        return []
    found.append(Clue("ask", min(_LITTLE, sum(weight for feature, weight in _MOOD if view.has(feature)))))
    if view.has("nobodys_greeting"):
        found.append(
            Clue("ask", 0.5, f"speaks to nobody by name: “{_inline(view.quote('nobodys_greeting'))}”")
        )
    return found


def _credentials(view: View) -> list[Clue]:
    if _BLANKS.search(view.folded_body) and view.has("short_time"):
        return [Clue("ask", 1.9, "has a line to fill your password in")]
    if view.has("ask_credentials"):
        more = 0.3 if view.count("ask_credentials") > 1 else 0.0
        return [Clue("ask", 1.4 + more, f"asks to “{_inline(view.quote('ask_credentials'))}”")]
    for folded, text in ((view.folded_subject, view.subject), (view.folded_body, view.body)):
        match = _DEMAND.search(folded) if any(verb in folded for verb in _VERBS) else None
        if match is not None:
            return [Clue("ask", 1.2, f"asks to “{_inline(text[match.start() : match.end()])}”")]
    return []


def _money(facts: Facts) -> list[Clue]:
    view = facts.view
    found: list[Clue] = []
    for feature, weight, text in _SUMS:
        if view.has(feature):
            found.append(Clue("ask", weight, f"{text} “{_inline(view.quote(feature))}”"))
            break
    quiet = view.count("secrecy")
    if quiet and (found or facts.sender.free_mail or quiet > 1):
        reason = f"wants it quiet or quick: “{_inline(view.quote('secrecy'))}”"
        found.append(Clue("ask", 1.0 if quiet > 1 else 0.7, reason))
    return found


def _schemes(view: View) -> list[Clue]:
    """Whole stories that are told only to deceive: several parts of one must be there."""
    found: list[Clue] = []
    if extorts(view):
        found.append(
            Clue("ask", 3.2, f"threatens: “{_inline(view.quote('extortion'))}”, for “{view.quote('ransom')}”")
        )
    if view.has("call_back") and view.has("auto_renewal"):
        found.append(
            Clue("ask", 1.3, f"asks to call about a charge: “{_inline(view.quote('auto_renewal'))}”")
        )
    if view.has("stranded"):
        more = view.count("stranded") > 1
        found.append(
            Clue("ask", 2.4 if more else 1.2, f"asks for help with “{_inline(view.quote('stranded'))}”")
        )
    if view.has("staff_data"):
        more = view.count("staff_data") > 1
        found.append(Clue("ask", 2.2 if more else 1.2, f"asks for “{_inline(view.quote('staff_data'))}”"))
    return found


def _inline(text: str) -> str:
    return " ".join(text.split())
