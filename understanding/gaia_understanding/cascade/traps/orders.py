"""Orders to move money from a false boss or payee with a new account. Entry: `clues`.

Such mail has no link and no attachment, and often no false domain either. It is recognised by the order, the
haste or the secrecy, and by the lack of any proof of its sender: neither from the receiving server nor from a
letter of the user's own. The number of earlier letters proves nothing; a fraud who gets no answer writes
again.
"""

from __future__ import annotations

from gaia_mail.domains import domain_of, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import Wordlist, locate
from gaia_understanding.cascade.sender.lookalikes import is_home_of
from gaia_understanding.cascade.traps.evidence import Evidence
from gaia_understanding.cascade.view import PhraseView

_TABLE = WordTable("gaia_understanding.cascade", "traps/orders.txt")

TITLES = Wordlist(
    "ceo; cfo; coo; director; president; chairman; managing director; geschäftsführer; direktor; "
    "directeur; director general; amministratore delegato; direttore; diretor; directeur général; chief "
    "executive; principal; headteacher; dean; founder; managing partner; geschäftsführerin; direktorin; vorstand; "
    "directrice; directora; direttrice; diretora; algemeen directeur; pdg; chairwoman; treasurer; head of finance; "
    "finance director; vice president; superintendent; rector; pastor"
)
"""Titles of people whose orders are followed."""

_PRESSING = frozenset(("in_haste", "keep_quiet", "secrecy", "ask_bank_change"))
_ORDER = _TABLE.pattern("order")
_BILLS = Wordlist(
    "invoice; invoices; rechnung; rechnungen; facture; factures; factura; facturas; fattura; fatture; fatura; faturas; "
    "factuur; facturen; contract; vertrag; contrat; contrato; contratto"
)
_INTRODUCES = _TABLE.pattern("introduces", r"\b(?:", r")\s")
_WANTED = Wordlist(
    "please; kindly; pay; remit; transfer; send; settle; wire; use; update; direct; bitte; zahlen; überweisen; merci; "
    "veuillez; réglez; por favor; pague; transfiera; utilice; per favore; cortesemente; paghi; utilize; gelieve; "
    "graag; betaal; gebruik"
)
_OURS = _TABLE.words("ours")
_PAID = _TABLE.words("paid")
"""Local parts of payees; they look like machines and are often used by people."""
_NAMED = lazy_pattern(
    r"[^\W\d_]+(?: (?:executive|director|directeur|general|général|delegato|geral|partner|president|of finance)\b)?"
)
_NOT_LETTERS = lazy_pattern(r"[\W\d_]+")
_NUMBER = lazy_pattern(r"[\d.,]*")
_INITIALS = 3
_READ = 1_500
_HEAD, _TAIL, _SIGNED, _INTRODUCED, _BEFORE = 100, 160, 160, 40, 25
_LINES, _SHORT_LINE = 3, 60


def orders(facts: RuleFacts) -> bool:
    """Return True if the text may order money moved, quickly, quietly or elsewhere; most mail has no words for it."""
    counts = facts.view.counts
    return "moves_money" in counts and not _PRESSING.isdisjoint(counts)


def clues(facts: RuleFacts, homes: frozenset[str]) -> list[Evidence]:
    """Return the order and its claimed author; nothing for a correspondent or a proven member of the house.

    `homes` are the user's own domains. Neither exception applies if answers go elsewhere.
    """
    who, view = facts.sender, facts.view
    if not orders(facts) or not who.domain:
        return []
    inside = who.organisation in homes and not who.free_mail
    away = _answers_away(facts)
    if not away and (facts.context.written_to or (inside and _is_proven(facts))):
        return []
    if view.has("ask_bank_change") and not inside and not facts.context.written_to:
        return _elsewhere(facts)
    order = _order(facts) if who.kind != "machine" else ""
    claim = _in_a_boss_name(facts, inside=inside, away=away) if order else None
    return [claim, Evidence("ask", 1.3, f"orders: “{order}”")] if claim else []


def _is_proven(facts: RuleFacts) -> bool:
    """Return True if a trusted server confirms that the mail comes from the domain it names."""
    result = facts.authentication
    return result.trusted and result.dmarc == "pass"


def _answers_away(facts: RuleFacts) -> str:
    """Return an address of another organisation that answers would go to; empty if there is none."""
    for mailbox in facts.message.reply_to[:3]:
        domain = domain_of(mailbox.address)
        if domain and organisational_domain(domain) != facts.sender.organisation:
            return mailbox.address
    return ""


def _elsewhere(facts: RuleFacts) -> list[Evidence]:
    """Find a sender who wants to be paid to another account, except a machine that means the reader's own."""
    who, view, lists = facts.sender, facts.view, facts.lists
    if (
        lists.bulk
        or lists.automatic
        or lists.service
        or lists.unsubscribe is not None
        or is_home_of(who.domain)
    ):
        return []
    if not _WANTED.positions(view.folded_body[:_READ]):
        return []
    if who.kind != "person":
        parts = _NOT_LETTERS.sub(" ", who.address.partition("@")[0]).split()
        if (who.kind == "machine" and _PAID.isdisjoint(parts)) or not _speaks_of_theirs(view):
            return []
    return [Evidence("claim", 1.3, f"it wants money sent elsewhere, and you never wrote to {who.address}")]


def _speaks_of_theirs(view: PhraseView) -> bool:
    for folded, hits in ((view.folded_subject, view.subject_hits), (view.folded_body, view.body_hits)):
        for phrase in hits.get("ask_bank_change", ()):
            at = locate(folded, phrase)
            if not _OURS.isdisjoint(folded[max(0, at - _BEFORE) : at + len(phrase)].split()):
                return True
    return False


def _in_a_boss_name(facts: RuleFacts, *, inside: bool, away: str) -> Evidence | None:
    who, view = facts.sender, facts.view
    local = _NOT_LETTERS.sub(" ", who.address.partition("@")[0][:80])
    quiet = view.has("keep_quiet") or view.has("secrecy")
    title = _title(f"{who.name.lower()} | {local}")
    if not title:
        if facts.lists.bulk or facts.lists.discussion or not (quiet or inside or who.free_mail):
            return None
        title = _title(_read_signature(facts))
        if not title:
            return None
    if inside:
        doubt = (
            f"its answers would go to {away}" if away else f"nothing proves that it comes from {who.domain}"
        )
        return Evidence("claim", 1.8, f"it gives orders as {title}, and {doubt}")
    if not (quiet or who.free_mail) and _BILLS.positions(f"{view.folded_subject} {view.folded_body[:_READ]}"):
        return None
    return Evidence(
        "claim", 1.8, f"it gives orders as {title}, but comes from {who.address}, whom you never wrote to"
    )


def _read_signature(facts: RuleFacts) -> str:
    """Return the text in which senders introduce themselves: first words, short last lines, and the signature."""
    body = facts.view.folded_body
    introduced = _INTRODUCES.search(body[:_HEAD])
    parts = [facts.prepared.signature[:_SIGNED].lower()]
    if introduced is not None:
        parts.append(body[introduced.end() : introduced.end() + _INTRODUCED].partition(".")[0])
    for line in body[-_TAIL:].rstrip().rsplit("\n", _LINES)[-_LINES:]:
        last = line.rpartition(". ")[2].rstrip()
        if len(last) <= _SHORT_LINE and not last.endswith((".", "!", "?")):
            parts.append(last)
    return " | ".join(parts)


def _title(words: str) -> str:
    found = TITLES.positions(words)
    match = _NAMED.match(words, found[0]) if found else None
    if match is None:
        return ""
    return match[0].upper() if len(match[0]) <= _INITIALS else match[0]


def _order(facts: RuleFacts) -> str:
    """Return the text that orders money moved, as written; empty if there is none."""
    view = facts.view
    for folded, text in ((view.folded_body[:_READ], view.body), (view.folded_subject, view.subject)):
        match = _ORDER.search(folded)
        if match is not None:
            number = _NUMBER.match(folded, match.end())
            end = number.end() if number and folded[match.end() - 1].isdigit() else match.end()
            return " ".join(text[match.start() : end].rstrip(".,").split())
    return ""
