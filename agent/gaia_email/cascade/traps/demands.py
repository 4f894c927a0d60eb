"""Money wanted by a stranger who presses: in secret, elsewhere than before, or out of distress. Entry: `clues`.

Told by what comes together and not by the phrases of one story: money to be moved, and a reason for which nobody may
ask. How often somebody has written before says nothing; whoever is not answered writes again.
"""

from __future__ import annotations

from gaia_email.cascade.facts import Facts
from gaia_email.cascade.sender.lookalikes import is_home_of
from gaia_email.cascade.traps.evidence import Evidence
from gaia_email.cascade.view import View
from gaia_email.prepare.literal_scanner import Literals
from gaia_mail.lazy import lazy_pattern

_READ = 1_500

_SUM = (
    r"(?:(?:[$€£]|usd |eur |gbp |chf )\s?\d[\d.,']*"
    r"|\d[\d.,']*\s?(?:[$€£]|usd|eur|euros?|gbp|chf|dollars|pounds|k\b|million))"
)
_VALUE = (
    r"(?:money|funds?|wire|transfer|payment|deposit|fee|cash|invoice|balance|purchase price|bitcoins?|btc|crypto|usdt"
    r"|(?:gift |apple |steam |google play |itunes |amazon |prepaid |store |vanilla )?(?:cards?|vouchers?)|salary"
    r"|wages?"
    r"|direct deposit|pay ?roll|geld|betrag|überweisung|zahlung|guthabenkarten?|gutscheinkarten?|virement|argent"
    r"|somme"
    r"|cartes cadeaux|transferencia|dinero|pago|bonifico|soldi|denaro|transferência|dinheiro|overboeking|betaling)"
)
_MOVING = (
    r"(?:send|wire|transfer|pay|remit|settle|process|make|arrange|advance|deposit|buy|get|purchase|pick up|grab"
    r"|receive"
    r"|release|lend|loan|borrow|spot|front|move|put through|initiate|handle|execute|update|change|go to|paid|sent"
    r"|made"
    r"|wired|transferred|settled|requires?|überweis\w*|zahl\w*|schick\w*|send\w*|veranlass\w*|kauf\w*|vir\w+"
    r"|pay\w+|envoy\w+"
    r"|effectu\w+|transfier\w*|envi\w+|pagu\w+|haga|mand\w+|pagh\w+|effettu\w+|disponga|transfira|maak|betaal\w*)"
)
_MONEY = lazy_pattern(
    rf"\b{_MOVING}\b[^.!?\n]{{0,60}}?(?:\b{_VALUE}\b|{_SUM})|(?:\b{_VALUE}\b|{_SUM})[^.!?\n]{{0,50}}?\b{_MOVING}\b"
    r"|\b(?:owe|owing)\b[^.!?\n]{0,30}?\d|\bwestern union\b|\bmoneygram\b|\bgift ?cards?\b"
    r"|\bscratch\b[^.!?\n]{0,30}\bcodes?\b"
)
_MONEY_MARKS = Literals(
    "money", "fund", "wire", "transfer", "pay", "deposit", "fee", "cash", "invoice", "balance", "price", "bitcoin",
    "btc", "crypto", "usdt", "card", "voucher", "salary", "wage", "geld", "betrag", "überweis", "zahl", "gutschein",
    "virement", "argent", "somme", "dinero", "pago", "bonifico", "soldi", "denaro", "dinheiro", "overboeking",
    "betaal", "betaling", "$", "€", "£", "usd", "eur", "gbp", "dollar", "pound", "owe", "owing", "western union",
    "codes", "remit",
)  # fmt: skip
_SECRET = lazy_pattern(
    r"\bdiscre(?:et|tely|etly|te|tion)\b|\b(?:strict|absolute|utmost|complete)\w* (?:confiden|discre|secre|priva"
    r"|silen)\w+"
    r"|\bconfidential(?:ly|ity)?\b|\bbetween (?:us|you and me|the two of us)\b|\bkeep (?:it|this|that|the matter"
    r"|everything)"
    r" (?:a )?(?:secret|quiet|private|confidential|to yourself|low|under)\w*"
    r"|\b(?:don't|do not|please don't|not to|never) (?:tell|mention|discuss|speak|talk|share|inform|involve|call"
    r"|phone)\b"
    r"|\b(?:tell|inform|speak to|talk to) (?:no ?one|nobody)\b|\b(?:no ?one|nobody)(?: else)? (?:must|should|may"
    r"|can|is to)"
    r" (?:know|hear|learn)\b|\bwithout (?:telling|informing|anyone|anybody)\b|\b(?:only|solely) (?:by|via"
    r"|through) e-?mail\b"
    r"|\b(?:can't|cannot|can not|unable to|not able to) (?:talk|speak|take calls|be called|answer|use)\b"
    r"|\b(?:in|from|between) (?:a |an |back-to-back |several )?(?:meetings?|conference|session)\b|\bback-to-back\b"
    r"|\bboarding\b|\bit'?s a surprise\b|\bvertraulich\w*|\bstillschweigen\b|\b(?:sag|sprich"
    r"|reden)\w* (?:es )?(?:niemand|mit"
    r" niemand)\w*|\bconfidentiel\w*|\bn'en parlez\b|\bconfidencial\w*|\bno (?:lo )?comente\b|\briservat\w+"
    r"|\bvertrouwelijk\b"
)
_ELSEWHERE = lazy_pattern(
    r"\b(?<!your )(?:new|another|different|other|changed|updated|following|alternative|below)\b(?: \w+){0,3}?"
    r" (?:iban|bank|account"
    r"|banking|remittance|direct deposit|beneficiary|routing)\b|\b(?:iban|bank(?:ing)?|account|remittance|deposit)"
    r"(?: \w+){0,4}? (?:(?:has|have|was|were|is|been) (?:\w+ )?(?:changed|updated|replaced|moved)|below instead"
    r"|instead)\b"
    r"|\b(?:changed|switched|switching|moved) (?:\w+ ){0,2}(?:banks?|accounts?)\b|\baccount below\b"
    r"|\b(?:neue|neues|andere|geänderte)\w* (?:konto|bankverbindung|iban)\b|\bnouveau (?:compte|rib)\b"
    r"|\bnueva cuenta\b"
    r"|\bnuovo (?:conto|iban)\b|\bnova conta\b|\bnieuwe? (?:rekening|iban)\w*"
)
_DISTRESS = lazy_pattern(
    r"\b(?:stranded|stuck (?:in|at|abroad)|robbed|mugged|(?:wallet|passport|bag|cards?"
    r"|phone)(?: \w+){0,4}? (?:stolen|lost"
    r"|gone|blocked)|stolen|arrest\w*|jail|prison|bail|warrant|deported|customs|kidnap\w*|hospital|accident|surgery"
    r"|evict\w*|embassy|consulate)\b"
)
_HASTE = lazy_pattern(
    r"\b(?:urgent\w*|immediate\w*|asap|at once|right (?:now|away)|today|tonight|within (?:the|an|one|two|three"
    r"|\d+) hours?"
    r"|within the hour|before (?:noon|the end|close|lunch|\d)|by (?:noon|the end|end of|close|\d)"
    r"|end of (?:the )?day|now"
    r"|straight away|sofort|heute|umgehend|aujourd'hui|immédiatement|hoy|oggi|hoje|vandaag)\b"
)
_OFFICE = lazy_pattern(
    r"\b(?:ceo|cfo|coo|chief executive|chairman|chairwoman|chairperson|managing director|president|director|board"
    r"|executive|geschäftsführ\w+|vorstand|pdg|directeur|direktor)\b"
)


def clues(facts: Facts) -> list[Evidence]:
    """What is wanted and why one should not ask; nothing from whom the user writes to, a mailing, or a service."""
    if not _may_be(facts):
        return []
    view = facts.view
    folded = f"{view.folded_subject} . {view.folded_body[:_READ]}"
    text = f"{view.subject} . {view.body[:_READ]}"
    if not _MONEY_MARKS.stand_in(folded):
        return []
    money = _MONEY.search(folded)
    if money is None:
        return []
    secret, elsewhere, distress = _SECRET.search(folded), _ELSEWHERE.search(folded), _DISTRESS.search(folded)
    haste, office = (
        _HASTE.search(folded),
        _OFFICE.search(f"{facts.sender.name.lower()} {facts.sender.address} {folded}"),
    )
    reason = (
        elsewhere
        or (secret if secret and (haste or office) else None)
        or (distress if distress and (haste or secret) else None)
    )
    if reason is None:
        return []
    wants = " ".join(text[money.start() : money.end()].split())
    why = " ".join(text[reason.start() : reason.end()].split())
    return [
        Evidence("ask", 1.9, f"wants money moved: “{wants}”, and: “{why}”"),
        Evidence("claim", 1.3, f"you never wrote to {facts.sender.address}"),
    ]


def wants_money(view: View) -> bool:
    """Whether money is to be moved, whoever wants it and why."""
    folded = view.folded_body[:_READ]
    return _MONEY_MARKS.stand_in(folded) and _MONEY.search(folded) is not None


def _may_be(facts: Facts) -> bool:
    """Whether a stranger writes, of whom nothing proves that he is of the house."""
    who, lists, context = facts.sender, facts.lists, facts.context
    if context.written_to or context.owner_in_thread or not who.domain or is_home_of(who.domain):
        return False
    if lists.bulk or lists.discussion or lists.automatic or lists.service or lists.unsubscribe is not None:
        return False
    return not facts.shares_domain
