"""Measure how much a message looks like unsolicited mass mail, 0 to 1. Entry: `score`.

Schemes are recognised by their words, senders by what their tools do to headers and text. Points add up and
go through a logistic curve, so that one clue never decides and three do.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.traps import windfalls
from gaia_understanding.cascade.traps.generators import is_publication
from gaia_understanding.cascade.traps.origin import find_disguises
from gaia_understanding.cascade.view import HEAD

# feature: points for the first phrase, for each further one, and how many further ones count
_WORDS: tuple[tuple[str, float, float, int], ...] = (
    ("spam_advance_fee", 0.4, 0.8, 5),
    ("spam_pills", 1.2, 0.8, 4),
    ("spam_adult", 0.9, 0.9, 4),
    ("spam_money", 0.9, 0.7, 5),
    ("spam_credit", 0.6, 0.7, 5),
    ("spam_casino", 0.7, 0.8, 4),
    ("spam_bulk_tools", 1.2, 0.8, 4),
    ("spam_hype", 0.25, 0.35, 8),
    ("spam_removal", 0.3, 0.35, 4),
    ("spam_removal_strong", 1.3, 0.5, 3),
    ("spam_salutation", 0.8, 0.2, 2),
    ("spam_crypto", 1.5, 1.2, 3),
    ("spam_outreach", 0.9, 0.6, 4),
    ("spam_supplier", 0.3, 0.5, 4),
    ("spam_vanity", 0.3, 0.7, 4),
    ("spam_job", 0.5, 0.6, 3),
    ("spam_dating", 0.4, 0.7, 4),
    ("spam_prize", 0.5, 0.6, 3),
    ("spam_loan", 0.5, 0.6, 4),
    ("spam_fortune", 0.2, 0.6, 5),
    ("spam_profit", 0.2, 0.5, 4),
    ("spam_stock", 0.5, 0.7, 4),
    ("spam_miracle", 0.3, 0.6, 4),
    ("spam_contact", 0.2, 0.4, 3),
)
SCHEMES = frozenset(feature for feature, _, _, _ in _WORDS)
_PLAIN = frozenset(
    ("spam_pills", "spam_adult", "spam_money", "spam_credit", "spam_casino", "spam_bulk_tools")
)
"""Schemes that only spam names in a subject."""
_LEAVING = frozenset(("spam_removal", "spam_removal_strong"))
_TELLING = 0.4
TELLING_SCHEMES = frozenset(feature for feature, first, _, _ in _WORDS if first >= _TELLING) - _LEAVING
"""Schemes of which one phrase is more telling than the words of friends and colleagues."""
_SAME_WORDS = 0.8
"""The points that unsubscribe instructions may add beyond the other schemes: honest mailings have them, too."""
_FORTUNE = 0.8
"""The least score of a fortune offered by an unknown sender: nobody asked for it, and it goes to thousands."""
_THRESHOLD = 2.7
_DOUBTFUL = 1.0
_OBFUSCATED = lazy_pattern(
    r"(?:v(?<!\wv)[\W_]?[i1!|][\W_]?[a@4][\W_]?g[\W_]?r[\W_]?[a@4]|c[i1!|](?<!\wc.)[a@4]l[i1!|]s"
    r"|v(?<!\wv)[\W_]{1,2}i[\W_]{1,2}a[\W_]{1,2}g|m(?=[\W_]?0)(?<!\wm)[\W_]?0[\W_]?r[\W_]?t[\W_]?g[\W_]?a[\W_]?g[\W_]?e"
    r"|fr(?<!\wfr)[e3]{2}[0-9]|p[o0]rn(?<!\wp.rn)[0-9]?|s[e3]x(?<!\ws.x)x{1,2}|l[o0]an(?<!\wl.an)[s5]?\d)\b"
)  # One or more letters precede the lookbehind for a word's beginning, so that the search can skip quickly.
_TRAILING_TOKEN = lazy_pattern(
    r"\s(?:\[?[A-Za-z]{0,3}\d{3,}[A-Za-z0-9-]*\]?|[a-z]{6,12}\d{2,}|[bcdfghjklmnpqrstvwxz]{5,})$"
)
_GAP_TOKEN = lazy_pattern(r"\S {4,}\S{3,20}$")
_RANDOM_LOCAL = lazy_pattern(
    r"^(?:[a-z]{2,12}\d{4,}[a-z0-9]*|[a-z]*\d[a-z]+\d[a-z0-9]*|[bcdfghjklmnpqrstvwxz]{6,})$"
)
_FORGED_DATE = lazy_pattern(r"[-+](?<!\S.)(?:1[5-9]|[2-9]\d)\d\d|0(?<!\S.)\d{3}\b")
_SPAM_TOOLS = (
    "the bat!",
    "massmail",
    "bulk",
    "mmailer",
    "gomail",
    "group mail",
    "advanced mass",
    "ez mail",
    "dm mailer",
)


def score(facts: RuleFacts) -> float:
    """Return 0 to 1; from 0.5 the message is more likely unsolicited than not."""
    if facts.sender.is_owner:
        return 0.0
    points = _word_points(facts) + _shape_points(facts) + _header_points(facts)
    points *= _trust(facts)
    if points > _DOUBTFUL and is_publication(facts):
        points *= 0.6
    points -= 0.8 * (facts.is_reply and bool(facts.message.references))
    said = round(1 / (1 + exp(-1.6 * (points - _THRESHOLD))), 3) if points > 0 else 0.0
    return max(said, _FORTUNE) if windfalls.clues(facts) else said


def _word_points(facts: RuleFacts) -> float:
    view = facts.view
    counts, subject = view.counts, view.subject_hits
    points = leaving = 0.0
    if not SCHEMES.isdisjoint(counts):
        for feature, first, further, most in _WORDS:
            if feature in counts:
                value = first + further * min(most, counts[feature] - 1)
                if feature in _LEAVING:
                    leaving += value
                else:
                    points += value
    points += min(leaving, _SAME_WORDS + points)
    if not _PLAIN.isdisjoint(subject):
        points += 0.8
    if "spam_tagged" in subject:
        points += 2.5
    if _OBFUSCATED.search(view.folded_subject) or _OBFUSCATED.search(view.folded_body[:200]):
        points += 1.5
    return points


def _shape_points(facts: RuleFacts) -> float:
    view, prepared = facts.view, facts.prepared
    subject, body = view.subject, view.body
    points = 0.0
    if subject.isupper() and sum(map(str.isalpha, subject)) >= 8:
        points += 0.7
    if len(body) > 200 and view.capitals() > 0.3 * min(HEAD, len(body)):
        points += 0.8
    points += 0.3 * min(2, subject.count("!")) + 0.5 * ("$" in subject) + 0.7 * _shouts(body)
    points += 0.7 * bool(_TRAILING_TOKEN.search(subject, max(0, subject.rfind(" ")))) + 1.5 * bool(
        "    " in subject and _GAP_TOKEN.search(subject)
    )
    links = bool(prepared.links)
    if prepared.text_from == "html" and not facts.message.text:
        points += 0.5
        if len(body) < 120 and facts.message.html and links:
            points += 0.8
    if view.count("cat_promotion") >= 2 and facts.lists.unsubscribe is None and facts.sender.kind == "person":
        points += 0.6
    if links and not body.strip():
        points += 0.7
    points += 1.3 * len(find_disguises(view))
    return points


def _shouts(body: str) -> bool:
    # One character is found much more quickly than two, and is seldom there.
    return ("$" in body and "$$" in body) or ("!" in body and "!!!" in body)


def _header_points(facts: RuleFacts) -> float:
    message, who, lists = facts.message, facts.sender, facts.lists
    headers = message.headers
    points = 0.0
    if "@" not in who.address:
        points += 0.8
    if _is_random(who.address) and (who.free_mail or not lists.bulk):
        points += 0.7 if who.free_mail else 0.4
    if not (message.to or message.cc) or (
        facts.context.owner and who.audience == "unknown" and not lists.bulk
    ):
        points += 0.2
    dated = headers.get("date")
    if dated is None or _FORGED_DATE.search(dated[:60]):
        points += 0.5
    received = "\n".join(headers.get_all("received")[:8])
    if "may be forged" in received or "unknown [" in received or "(unknown" in received:
        points += 0.4
    if "@" not in message.message_id:
        points += 0.3
    if lists.mailer and any(tool in lists.mailer.lower() for tool in _SPAM_TOOLS):
        points += 0.8
    if facts.authentication.dmarc == "fail":
        points += 0.8
    answers = headers.get("reply-to") if who.free_mail and not lists.bulk else None
    if answers is not None and who.address not in answers.lower():
        points += 0.4
    return points


@lru_cache(maxsize=4096)
def _is_random(address: str) -> bool:
    """Return True if the local part looks generated in bulk."""
    return _RANDOM_LOCAL.match(address.partition("@")[0]) is not None


def _trust(facts: RuleFacts) -> float:
    """Return a factor below 1 for mail that its sender has a right to send: known people, real lists, proof."""
    factor = 1.0
    context, lists = facts.context, facts.lists
    if context.written_to or context.owner_in_thread:
        factor *= 0.2
    if lists.unsubscribe is not None or (lists.list_id and lists.discussion):
        factor *= 0.55
    elif lists.bulk:
        factor *= 0.8
    if facts.authentication.trusted and facts.authentication.dmarc == "pass":
        factor *= 0.7
    if facts.is_reply and facts.prepared.quoted:
        factor *= 0.5
    return factor
