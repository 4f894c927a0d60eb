"""Compare the sender that a message claims with the one that sent it. Entry: `clues`."""

from __future__ import annotations

from functools import lru_cache

from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import Wordlist
from gaia_understanding.cascade.sender.brands import Brand
from gaia_understanding.cascade.sender.confusables import mixes_scripts, skeleton
from gaia_understanding.cascade.sender.lookalikes import (
    Imitation,
    belongs_to,
    brand_spoken_for,
    find_brand,
    imitates_known,
    is_home_of,
    known_in_name,
    lures_in,
    other_ending,
)
from gaia_understanding.cascade.sender.sender import organisations
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.traps import impersonation, lures
from gaia_understanding.cascade.traps.evidence import ANSWERS_ELSEWHERE, EVEN, UNPROVED, Evidence
from gaia_understanding.cascade.traps.orders import TITLES

_CHEAP_SENDERS = wordset(
    "tk ml ga cf gq xyz top icu buzz cam click link work monster quest sbs cfd bond cyou"
)
_IMITATION_VERBS = {
    "looks_like": "looks like",
    "slip": "is one letter away from",
    "borrows": "borrows the name of",
}
_IMITATION_WEIGHT = 2.7
_LONG_ENOUGH = 5
_CERTAIN = 0.9
_OFFICES = Wordlist(
    "admin; administrator; help desk; helpdesk; service desk; it department; it support; it service; it-service; "
    "webmail; mail delivery; system administrator; postmaster; "
    "exchange; mail server; email support; mailbox; voicemail; voice mail; hr; hr department; human resources; "
    "payroll; hr payroll; accounts receivable; accounts payable; accounts department; finance department; "
    "message center; "
    "personalabteilung; buchhaltung; ressources humaines; comptabilité; recursos humanos; contabilidad; risorse umane; "
    "amministrazione; contabilità; contabilidade; personeelszaken; boekhouding; administratie"
)
_WORD = lazy_pattern(r"[^\W_]+")
_TAIL = 100
_HEAD = 320


def clues(facts: RuleFacts, *, pressed: bool) -> list[Evidence]:
    """Return what is false or unusual about the sender; `pressed` is True if the text asks or threatens."""
    who = facts.sender
    found: list[Evidence] = []
    imitated = facts.imitates or _own_organisation(facts)
    if imitated:
        reason = f"the sender's domain {who.domain} {_IMITATION_VERBS[imitated.how]} {imitated.real}"
        damning = imitated.how == "looks_like" and imitated.weight >= _CERTAIN
        weight = EVEN + 0.1 if damning else max(imitated.weight * _IMITATION_WEIGHT, 1.2)
        found.append(Evidence("claim", weight, reason))
    elif who.name:
        found.extend(_name_clues(facts) or _misspelt(facts))
    if "@" in who.name:
        found.extend(_address_as_name(facts))
    if not who.name.isascii() and mixes_scripts(who.name):
        found.append(Evidence("claim", 2.0, f"the name {who.name} mixes look-alike letters"))
    if facts.message.reply_to:
        found.extend(_reply_to_clues(facts))
    found.extend(_authentication_clues(facts))
    if not imitated and facts.context.known_domains and not facts.context.written_to:
        real = other_ending(who.domain, facts.context.known_domains)
        if real:
            found.append(
                Evidence("claim", 1.1, f"the sender's domain {who.domain} has another ending than {real}")
            )
    if pressed:
        found.extend(_strangeness(facts))
        if not imitated:
            found.extend(impersonation.clues(facts, homes(facts)))
        if not any(clue.weight >= 1 for clue in found):
            found.extend(_spoken_for(facts))
    return found


def claimed_brand(facts: RuleFacts, *, pressed: bool) -> Brand | None:
    """Return the brand that the display name claims, or the subject and text of a mail that presses."""
    view = facts.view
    named = find_brand(facts.sender.name) if facts.sender.name else None
    if named is not None or not pressed:
        return named
    body = view.folded_body
    return brand_spoken_for(
        f"{view.folded_subject} | {body[:_HEAD]} | {body[-_TAIL:] if len(body) > _HEAD else ''}"
    )


def is_stranger_to(facts: RuleFacts, brand: Brand) -> bool:
    """Return True if the sender's domain is neither the brand's nor one with its name that imitates nobody."""
    who = facts.sender
    return not belongs_to(who.domain, brand) and (
        facts.imitates is not None or brand.name not in who.organisation
    )


def _own_organisation(facts: RuleFacts) -> Imitation | None:
    """Return the imitation if a sender outside the user's organisation imitates the user's own domain."""
    who, context = facts.sender, facts.context
    if not who.domain or who.free_mail or context.written_to:
        return None
    return _imitates_home(who.domain, homes(facts))


def homes(facts: RuleFacts) -> frozenset[str]:
    """Return the user's own domains; the recipients' if the user's addresses are not known."""
    return organisations(
        facts.context.owner or frozenset([mailbox.address for mailbox in facts.message.to[:3]])
    )


@lru_cache(maxsize=2048)
def _imitates_home(domain: str, own: frozenset[str]) -> Imitation | None:
    organisation = organisational_domain(domain)
    if organisation in own:
        return None
    for home in sorted(own):
        label = home.partition(".")[0]
        if is_free_mail(home):
            continue
        if len(label) >= _LONG_ENOUGH and label in domain and label not in domain.split("."):
            return Imitation(real=home, how="borrows", weight=0.75)
    return imitates_known(domain, own)


def _name_clues(facts: RuleFacts) -> list[Evidence]:
    who = facts.sender
    brand = find_brand(who.name)
    if brand and who.domain and not belongs_to(who.domain, brand) and brand.name not in who.organisation:
        reason = f"the name says {who.name}, but it comes from {who.domain}"
        if facts.lists.discussion:
            return [Evidence("claim", 0.4)]
        weight = 1.8 if who.free_mail or not brand.common else 1.2 if who.kind == "person" else 1.5
        believed = facts.lists.unsubscribe is not None or facts.lists.service
        return [Evidence("claim", weight * (0.6 if believed else 1), reason)]
    real = ""
    if not facts.context.written_to:
        real = known_in_name(who.name, facts.context.known_domains) or known_in_name(who.name, homes(facts))
    if real and real != who.organisation:
        crowd = facts.lists.bulk or facts.lists.discussion or facts.lists.service
        reason = f"the name says {who.name}, but it comes from {who.domain}, not from {real}"
        return [Evidence("claim", 0.4 if crowd else 1.5, reason)]
    wants = who.free_mail and lures.wants_favour(facts)
    if (
        wants
        and not facts.context.written_to
        and (TITLES.positions(_person_words(facts)) or _colleague(facts))
    ):
        return [Evidence("claim", 1.5, f"{who.name} writes from a private address, {who.address}")]
    return []


def _misspelt(facts: RuleFacts) -> list[Evidence]:
    """Find a domain that is the sender's name in look-alike letters: "Monarch Bank" from `rnonarchbank.example`."""
    label = facts.sender.organisation.partition(".")[0].replace("-", "")
    if len(label) < _LONG_ENOUGH:
        return []
    shape, joined = skeleton(label), ""
    for word in _WORD.findall(facts.sender.name.lower())[:4]:
        joined += word
        if joined.isascii() and joined != label and skeleton(joined) == shape:
            who = facts.sender
            reason = f"the sender's domain {who.domain} looks like {who.name} and is written otherwise"
            return [Evidence("claim", EVEN + 0.1, reason)]
    return []


def _person_words(facts: RuleFacts) -> str:
    local = facts.sender.address.partition("@")[0]
    words = "".join(char if char.isalpha() else " " for char in local[:80])
    return f"{facts.sender.name.lower()} {words} {facts.view.folded_body[-_TAIL:]}"


def _colleague(facts: RuleFacts) -> bool:
    """Return True for a full name that asks a favour of an office worker."""
    owner_at_work = any(not is_free_mail(domain_of(address)) for address in facts.context.owner)
    return owner_at_work and len(facts.sender.name.split()) >= 2


def _address_as_name(facts: RuleFacts) -> list[Evidence]:
    who = facts.sender
    claimed = next((word.strip("<>()[]\"',;:") for word in who.name.lower().split() if "@" in word), "")
    other = organisational_domain(domain_of(claimed)) if "@" in claimed else ""
    if "." in other and other != who.organisation and not facts.lists.discussion:
        return [Evidence("claim", 1.9, f"the name says {claimed}, the address is {who.address}")]
    return []


def _reply_to_clues(facts: RuleFacts) -> list[Evidence]:
    who = facts.sender
    for mailbox in facts.message.reply_to[:3]:
        domain = domain_of(mailbox.address)
        other = organisational_domain(domain)
        if not domain or other == who.organisation or facts.lists.bulk or facts.lists.service:
            continue
        reason = f"{ANSWERS_ELSEWHERE} to {mailbox.address}, not to {who.domain}"
        local, own = mailbox.address.lower().partition("@")[0], who.address.partition("@")[0]
        if len(own) > 4 and own.rstrip("0123456789") in local and who.kind == "person":
            return [Evidence("claim", 1.4, reason)]
        if is_free_mail(domain) and not who.free_mail:
            inside = who.organisation in homes(facts) and lures.wants_favour(facts)
            return [Evidence("claim", 1.5 if inside else 0.9, reason)]
        return [Evidence("claim", 0.4, reason)]
    return []


def _authentication_clues(facts: RuleFacts) -> list[Evidence]:
    result, who = facts.authentication, facts.sender
    if facts.lists.discussion:
        return []
    own = who.address in facts.context.owner
    if result.dmarc == "fail" or (own and result.spf == "fail"):
        weight = 1.7 if result.trusted else 1.3
        if own and not facts.lists.bulk:
            return [
                Evidence("claim", weight + 0.4, f"it uses your own address {who.address} and fails the check")
            ]
        return [Evidence("claim", weight, f"{UNPROVED} to come from {who.domain}")]
    if result.spf in ("fail", "softfail") and result.dkim in ("fail", "none"):
        weight = 0.9 if result.trusted else 0.6
        return [Evidence("claim", weight, f"the sending server is not one of {who.domain}")]
    return []


def _strangeness(facts: RuleFacts) -> list[Evidence]:
    """Return signs that the sender who wants something is unknown: a cheap ending, a name made of lures."""
    who = facts.sender
    found: list[Evidence] = []
    if facts.is_reply and facts.context.first_contact and not facts.context.owner_in_thread:
        found.append(Evidence("claim", 0.7, f"it poses as an answer, but you never wrote to {who.address}"))
    answered = facts.context.written_to or facts.context.owner_in_thread
    if facts.is_stranger or (facts.context.received_before and not answered):
        found.append(Evidence("claim", 0.3))
    if who.domain.rpartition(".")[2] in _CHEAP_SENDERS:
        found.append(
            Evidence("claim", 1.3, f"the sender's domain {who.domain} is of a kind that costs nothing")
        )
    if facts.imitates is None and who.organisation and not is_home_of(who.domain):
        tempting = lures_in(who.organisation)
        if tempting:
            reason = f"the sender's domain {who.domain} is made of words that invite trust"
            found.append(Evidence("claim", 0.5 if tempting == 1 else 1.1, reason if tempting > 1 else ""))
    if who.name and _OFFICES.positions(who.name.lower()) and who.organisation not in homes(facts):
        found.append(
            Evidence("claim", 0.8, f"{who.name} is not of your own organisation, but of {who.domain}")
        )
    if who.free_mail and who.kind != "person":
        found.append(Evidence("claim", 0.8, f"an office writes from a private address, {who.address}"))
    return found


def _spoken_for(facts: RuleFacts) -> list[Evidence]:
    who = facts.sender
    if facts.lists.bulk or facts.lists.discussion or not who.domain:
        return []
    brand = claimed_brand(facts, pressed=True)
    if brand is None or belongs_to(who.domain, brand) or brand.name in who.organisation:
        return []
    return [
        Evidence("claim", 1.1, f"it speaks for {_as_written(facts, brand.name)}, but comes from {who.domain}")
    ]


def _as_written(facts: RuleFacts, name: str) -> str:
    view = facts.view
    for folded, text in ((view.folded_subject, view.subject), (view.folded_body, view.body)):
        position = folded.find(name)
        if position >= 0:
            return text[position : position + len(name)]
    return name
