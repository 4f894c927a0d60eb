"""Whether a message tries to get credentials or money under a false name. Entry: `judge`.

Independent of what kind of mail it is. Every clue has a weight and a sentence that quotes the message; clues add
up as independent ones do (1 minus the product of what is left), and asking for something multiplies with a false
name: neither is a crime alone.
"""

from __future__ import annotations

from typing import NamedTuple

from gaia_email.cascade import links
from gaia_email.cascade.confusables import mixes_scripts
from gaia_email.cascade.domains import belongs_to, brand_named
from gaia_email.cascade.facts import Facts
from gaia_email.cascade.model import Judgement
from gaia_email.cascade.phrases import Wordlist
from gaia_email.cascade.suffixes import domain_of, is_free_mail, organisational_domain
from gaia_email.cascade.tables import wordset

_DANGEROUS_ENDINGS = wordset(
    "exe scr pif com bat cmd vbs vbe js jse wsf wsh hta msi msp lnk ps1 jar iso img vhd vhdx cpl reg scf "
    "one chm"
)
_PAGE_ENDINGS = wordset("html htm shtml xhtml svg mht mhtml")
_MACRO_ENDINGS = frozenset(["docm", "xlsm", "pptm", "dotm", "xlam"])
_HARMLESS_LOOKING = wordset("pdf doc docx xls xlsx jpg png txt")
_TITLES = Wordlist(
    "ceo; cfo; coo; director; president; chairman; managing director; geschäftsführer; direktor; "
    "directeur; director general; amministratore delegato; direttore; diretor; directeur général; chief "
    "executive"
)
_CHEAP_SENDERS = wordset(
    "tk ml ga cf gq xyz top icu buzz cam click link work monster quest sbs cfd bond cyou"
)
_YES = 0.5
_ASKS = (
    ("ask_credentials", 0.55, "asks to"),
    ("ask_gift_card", 0.6, "asks for"),
    ("ask_bank_change", 0.5, "speaks of"),
    ("ask_money", 0.35, "speaks of"),
)
_ASKING = frozenset((*(feature for feature, _, _ in _ASKS), "threat_account", "secrecy"))
"""Features without any of which a mail asks for nothing that phishing wants."""
_LINK_SENTENCES = {
    "imitation": "a link leads to {target}, which imitates {shown}",
    "numeric_host": "a link leads to the bare address {target}",
    "userinfo": "a link hides that it leads to {target}",
    "punycode": "a link leads to {target}",
    "text_differs": "the link says {shown} but leads to {target}",
}
_IMITATION_VERBS = {
    "looks_like": "looks like",
    "slip": "is one letter away from",
    "borrows": "borrows the name of",
}


class _Clue(NamedTuple):
    weight: float
    reason: str


_CALM = Judgement()


def judge(facts: Facts) -> Judgement:
    """Score from 0 to 1 with reasons, heaviest first."""
    if facts.sender.is_owner:
        return _CALM
    identity = [*_sender_clues(facts), *_authentication_clues(facts)]
    link_clues = _link_clues(facts)
    asks = [] if _ASKING.isdisjoint(facts.view.counts) else _asks(facts)
    clues = [*identity, *link_clues, *_attachment_clues(facts)]
    if not clues and not asks:
        return _CALM
    named = max((clue.weight for clue in identity), default=0.0)
    led = max((clue.weight for clue in link_clues), default=0.0)
    if asks:
        strength = max(clue.weight for clue in asks)
        # An ask by itself is ordinary; it tells when the name or the link is false or the sender is new.
        support = max(named, led, _strangeness(facts))
        clues.extend(
            _Clue(weight=clue.weight * min(1.0, 0.25 + support), reason=clue.reason) for clue in asks
        )
        clues.append(_Clue(weight=strength * support * 0.6, reason=""))
    score = 1.0
    for clue in clues:
        score *= 1 - min(0.97, clue.weight)
    total = (1 - score) * _familiarity(facts, named)
    reasons = [
        clue.reason
        for clue in sorted(clues, key=lambda clue: -clue.weight)
        if clue.reason and clue.weight >= 0.1
    ]
    return Judgement(score=round(total, 3), reasons=tuple(dict.fromkeys(reasons[:5])))


def _familiarity(facts: Facts, named: float) -> float:
    """Mail that passed a trusted DMARC check, or that comes from a correspondent, is believed more."""
    factor = 1.0
    authentication = facts.authentication
    if authentication.trusted and authentication.dmarc == "pass" and named < _YES:
        factor *= 0.6
    if facts.context.written_to and authentication.dmarc != "fail" and named < _YES:
        factor *= 0.6
    if facts.lists.discussion and named < _YES:
        factor *= 0.6
    return factor


def _strangeness(facts: Facts) -> float:
    """How little is known of the sender: first contact, free mail under an office's name, a throw-away ending."""
    score = 0.1
    if facts.context.first_contact:
        score += 0.2
    if facts.sender.domain.rpartition(".")[2] in _CHEAP_SENDERS:
        score += 0.45
    if facts.sender.free_mail and facts.sender.kind != "person":
        score += 0.25
    return score


def _sender_clues(facts: Facts) -> list[_Clue]:
    who, view = facts.sender, facts.view
    clues: list[_Clue] = []
    if who.address in facts.context.owner and facts.authentication.dmarc == "fail" and not facts.lists.bulk:
        clues.append(_Clue(weight=0.6, reason=f"it uses your own address {who.address} and fails the check"))
    if facts.imitates:
        verb = _IMITATION_VERBS[facts.imitates.how]
        reason = f"the sender's domain {who.domain} {verb} {facts.imitates.real}"
        clues.append(_Clue(weight=facts.imitates.weight * 0.75, reason=reason))
    elif who.name:
        clues.extend(_name_clues(facts))
    if "@" in who.name:
        claimed = next((word.strip("<>()[]\"',;:") for word in who.name.lower().split() if "@" in word), "")
        if "@" in claimed and organisational_domain(domain_of(claimed)) != who.organisation:
            clues.append(_Clue(weight=0.55, reason=f"the name says {claimed}, the address is {who.address}"))
    if not who.name.isascii() and mixes_scripts(who.name):
        clues.append(_Clue(weight=0.5, reason=f"the name {who.name} mixes look-alike letters"))
    if facts.message.reply_to:
        clues.extend(_reply_to_clues(facts))
    threatens = not facts.imitates and view.has("threat_account")
    brand = brand_named(" ".join(view.folded_subject.split()[:8])) if threatens else None
    if brand and not brand.common and not belongs_to(who.domain, brand):
        clues.append(
            _Clue(
                weight=0.35,
                reason=f"it speaks for {_as_written(facts, brand.name)}, but comes from {who.domain}",
            )
        )
    return clues


def _name_clues(facts: Facts) -> list[_Clue]:
    who = facts.sender
    brand = brand_named(who.name)
    if brand and not belongs_to(who.domain, brand) and who.domain and brand.name not in who.organisation:
        if facts.lists.unsubscribe is not None or facts.lists.discussion or facts.lists.service:
            return [_Clue(weight=0.15, reason="")]
        weight = 0.5 if who.free_mail or not brand.common else 0.3
        return [_Clue(weight=weight, reason=f"the name says {who.name}, but it comes from {who.domain}")]
    view = facts.view
    wants = who.free_mail and (view.has("ask_money") or view.has("secrecy"))
    if wants and (_is_boss(who.name.lower()) or _name_of_colleague(facts)):
        return [_Clue(weight=0.5, reason=f"{who.name} writes from a private address, {who.address}")]
    return []


def _is_boss(name: str) -> bool:
    return bool(_TITLES.positions(name))


def _name_of_colleague(facts: Facts) -> bool:
    """Somebody with a full name, never met, on free mail, who asks a favour of an office worker."""
    owner_at_work = any(not is_free_mail(domain_of(address)) for address in facts.context.owner)
    return owner_at_work and bool(facts.context.first_contact) and len(facts.sender.name.split()) >= 2


def _reply_to_clues(facts: Facts) -> list[_Clue]:
    who, message = facts.sender, facts.message
    for mailbox in message.reply_to[:3]:
        domain = domain_of(mailbox.address)
        other = organisational_domain(domain)
        if not domain or other == who.organisation or facts.lists.bulk or facts.lists.service:
            continue
        if is_free_mail(domain) and not who.free_mail:
            return [_Clue(weight=0.35, reason=f"answers would go to {mailbox.address}, not to {who.domain}")]
        return [_Clue(weight=0.15, reason=f"answers would go to {mailbox.address}")]
    return []


def _authentication_clues(facts: Facts) -> list[_Clue]:
    result, who = facts.authentication, facts.sender
    if result.dmarc == "fail" and not facts.lists.discussion:
        return [
            _Clue(weight=0.5 if result.trusted else 0.3, reason=f"it is not proved to come from {who.domain}")
        ]
    if (
        result.trusted
        and result.spf == "fail"
        and result.dkim in ("fail", "none")
        and not facts.lists.discussion
    ):
        return [_Clue(weight=0.3, reason=f"the sending server is not one of {who.domain}")]
    return []


def _asks(facts: Facts) -> list[_Clue]:
    """What the reader is to give away, with the words that ask for it."""
    view = facts.view
    clues: list[_Clue] = []
    for feature, weight, text in _ASKS:
        if view.has(feature):
            clues.append(_Clue(weight=weight, reason=f"{text} “{_inline(view.quote(feature))}”"))
    if view.has("threat_account"):
        clues.append(_Clue(weight=0.45, reason=f"threatens: “{_inline(view.quote('threat_account'))}”"))
    if view.has("secrecy") and (view.has("ask_money") or facts.sender.free_mail):
        clues.append(_Clue(weight=0.35, reason=f"wants it quiet: “{_inline(view.quote('secrecy'))}”"))
    if clues and view.has("ask_click"):
        clues.append(_Clue(weight=0.2, reason=""))
    if view.has("security_reassurance") and not view.has("threat_account"):
        clues = [_Clue(weight=clue.weight * 0.4, reason=clue.reason) for clue in clues]
    return clues


def _link_clues(facts: Facts) -> list[_Clue]:
    if not facts.prepared.links:
        return []
    found = links.suspicious(
        facts.prepared.links,
        facts.sender.domain,
        many_links=len(facts.prepared.links) > 12 or facts.lists.bulk,
    )
    clues: list[_Clue] = []
    for finding in found:
        own = organisational_domain(finding.target) == facts.sender.organisation and not facts.imitates
        if own and finding.kind != "numeric_host":
            continue
        text = _LINK_SENTENCES.get(finding.kind, "")
        clues.append(
            _Clue(weight=finding.weight * 0.8, reason=text.format(shown=finding.shown, target=finding.target))
        )
    return clues


def _attachment_clues(facts: Facts) -> list[_Clue]:
    clues: list[_Clue] = []
    for attachment in facts.message.attachments[:30]:
        stem, _, ending = attachment.filename.lower().rpartition(".")
        if not stem:
            continue
        disguised = stem.rpartition(".")[2] in _HARMLESS_LOOKING
        name = attachment.filename
        if ending in _DANGEROUS_ENDINGS:
            clues.append(
                _Clue(weight=0.75 if disguised else 0.55, reason=f"the attachment {name} is a program")
            )
        elif ending in _PAGE_ENDINGS and not attachment.inline:
            weight = 0.45 if facts.view.has("ask_credentials") or facts.context.first_contact else 0.2
            clues.append(_Clue(weight=weight, reason=f"the attachment {name} is a web page"))
        elif ending in _MACRO_ENDINGS:
            clues.append(_Clue(weight=0.3, reason=f"the attachment {name} can run macros"))
    return clues[:2]


def _as_written(facts: Facts, name: str) -> str:
    position = facts.view.folded_subject.find(name)
    return facts.view.subject[position : position + len(name)] if position >= 0 else name


def _inline(text: str) -> str:
    return " ".join(text.split())
