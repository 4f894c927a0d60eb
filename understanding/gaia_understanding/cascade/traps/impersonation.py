"""Roles in which an unknown sender poses: the user's office, family, a firm with a similar name. Entry: `clues`.

None of this is evidence alone. It adds to a mail that asks or threatens.
"""

from __future__ import annotations

from gaia_mail.domains import is_free_mail, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.phrases import Wordlist
from gaia_understanding.cascade.sender.confusables import skeleton
from gaia_understanding.cascade.sender.lookalikes import invites, is_home_of, one_slip
from gaia_understanding.cascade.sender.sender import strip_accents
from gaia_understanding.cascade.traps import lures
from gaia_understanding.cascade.traps.evidence import Evidence
from gaia_understanding.cascade.traps.links import host_of

_STAFF = Wordlist(
    "staff; all staff; employees; all employees; colleagues; hr; hr department; human resources; people team; payroll; "
    "personnel; it department; it support; it service; help desk; helpdesk; service desk; administrator; "
    "mitarbeiter; personalabteilung; kollegen; collaborateurs; salariés; ressources humaines; personal; empleados; "
    "recursos humanos; dipendenti; ufficio del personale; risorse umane; colaboradores; medewerkers; personeelszaken"
)
_PROPERTY = Wordlist("domain; domains; dominio; domínio; domaine; domein; website; registry")
_OF_PROPERTY = Wordlist("domain; domains; registry; register; registrar; names; hosting; firmenregister")
_ADDRESS = lazy_pattern(r"[/@]|\w\.\w")
_WORDS = lazy_pattern(r"[^\W\d_]+")
_LONG_ENOUGH, _SIGNED, _HEAD, _LINKS = 5, 160, 240, 8
_ADDRESSED = 60


def clues(facts: RuleFacts, homes: frozenset[str]) -> list[Evidence]:
    """Return what is unusual about a sender who asks or threatens; `homes` are the user's own domains."""
    who = facts.sender
    met = facts.context.first_contact is False and not (facts.is_stranger and lures.wants_favour(facts))
    if met or not who.domain or who.organisation in homes:
        return []
    found = [*_in_other_letters(facts), *_for_the_office(facts, homes)]
    if facts.view.has("family") and who.free_mail and _calls_family(facts):
        found.append(
            Evidence("claim", 1.1, f"it speaks as one of your family, but you never wrote to {who.address}")
        )
    if not who.free_mail and facts.imitates is None and not is_home_of(who.domain):
        added = invites(who.organisation, strip_accents(who.name[:100]))
        if added:
            reason = f"the sender's domain {who.domain} is the name with “{added}” added, which invites trust"
            found.append(Evidence("claim", 1.1, reason))
    return found


def near_links(facts: RuleFacts, homes: frozenset[str]) -> list[Evidence]:
    """Find links one letter away from the sender's domain, or to a foreign page with the user's own name."""
    own = facts.sender.organisation
    label = own.partition(".")[0]
    hosts = dict.fromkeys(map(host_of, [link.url for link in facts.prepared.links[:_LINKS]]))
    for host in hosts:
        there = organisational_domain(host) if host else ""
        if not there or there == own or there in homes:
            continue
        other = there.partition(".")[0]
        if (
            other != label
            and min(len(label), len(other)) > _LONG_ENOUGH
            and (one_slip(other, label) or skeleton(other) == skeleton(label))
        ):
            return [Evidence("target", 2.6, f"its link leads to {host}, which is one letter away from {own}")]
        for home in sorted(homes):
            name = home.partition(".")[0]
            if (
                len(name) > _LONG_ENOUGH
                and name in host
                and name not in host.split(".")
                and not is_free_mail(home)
            ):
                return [
                    Evidence("target", 1.8, f"its link leads to {host}, which bears your own name, {name}")
                ]
    return []


def _in_other_letters(facts: RuleFacts) -> list[Evidence]:
    """Find a domain that reads like the name at the end of its text, in other letters: `acrne-legal` of Acme Legal."""
    who, view = facts.sender, facts.view
    label = who.organisation.partition(".")[0]
    parts = [part for part in label.split("-") if part]
    if who.free_mail or len(label) < _LONG_ENOUGH or not parts:
        return []
    end = f"{view.folded_body[-_SIGNED:]} {facts.prepared.signature[:_SIGNED].lower()} {who.name.lower()}"
    said = [word for word in end.split() if _ADDRESS.search(word) is None]
    words = {word for word in _WORDS.findall(" ".join(said)) if word.isascii()}
    shapes = {skeleton(word): word for word in sorted(words)}
    read = [part if part in words else shapes.get(skeleton(part), "") for part in parts]
    if "" in read or read == parts:
        return []
    named = "-".join(read)
    return [
        Evidence("claim", 2.6, f"the sender's domain {who.domain} is written like {named}, in other letters")
    ]


def _for_the_office(facts: RuleFacts, homes: frozenset[str]) -> list[Evidence]:
    """Find an outsider who addresses staff in the name of their organisation, or writes about the user's domain."""
    who, view = facts.sender, facts.view
    if is_home_of(who.domain) or facts.lists.bulk or facts.lists.discussion:
        return []
    head = f"{view.folded_subject} {view.folded_body[:_HEAD]}"
    for home in sorted(homes):
        name = home.partition(".")[0]
        if is_free_mail(home) or len(name) < _LONG_ENOUGH or name not in f"{head} {who.name.lower()}":
            continue
        if _STAFF.positions(f"{who.name.lower()} {head}"):
            return [Evidence("claim", 1.5, f"it speaks for {name}, but comes from {who.domain}")]
        property_of = _PROPERTY.positions(head) or _OF_PROPERTY.positions(who.name.lower())
        if home in head and property_of and _leads_out(facts, homes):
            return [
                Evidence("claim", 1.0, f"it speaks of your {home}, but you never dealt with {who.domain}")
            ]
    return []


def _leads_out(facts: RuleFacts, homes: frozenset[str]) -> bool:
    hosts = map(host_of, [link.url for link in facts.prepared.links[:_LINKS]])
    return any(host and organisational_domain(host) not in homes for host in hosts)


def _calls_family(facts: RuleFacts) -> bool:
    """Return True if the subject or the first words call the reader mother, father or the like."""
    view = facts.view
    if "family" in view.subject_hits:
        return True
    opening = view.folded_body[:_ADDRESSED]
    return any(phrase in opening for phrase in view.body_hits.get("family", ()))
