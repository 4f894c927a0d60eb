"""Judge if a message tries to get credentials or money under a false name. Entry: `judge`.

This does not depend on the kind of mail. The claimed sender (`claims`), the demands (`lures`), the targets of
links (`links`) and the attachments are separate evidence and add up (`evidence`); signs of honesty are
subtracted.
"""

from __future__ import annotations

from gaia_mail.domains import domain_of, organisational_domain
from gaia_mail.word_table import WordTable
from gaia_understanding.cascade.facts import RuleFacts
from gaia_understanding.cascade.sender.lookalikes import belongs_to, is_home_of
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.cascade.traps import claims, demands, impersonation, links, lures, orders, windfalls
from gaia_understanding.cascade.traps.evidence import Evidence, judgement
from gaia_understanding.cascade.verdict import Suspicion

_TABLE = WordTable("gaia_understanding.cascade", "traps/phishing.txt")

_DANGEROUS_ENDINGS = _TABLE.words("dangerous_endings")
_ARCHIVE_ENDINGS = wordset("zip rar 7z gz ace arj z cab tar tgz r00")
_PAGE_ENDINGS = wordset("html htm shtml xhtml svg mht mhtml")
_MACRO_ENDINGS = frozenset(["docm", "xlsm", "pptm", "dotm", "xlam"])
_HARMLESS_LOOKING = wordset("pdf doc docx xls xlsx jpg png txt")
_SCRIPTS_OF_PROGRAMMERS = frozenset(["js", "bat", "cmd", "ps1", "jar", "reg", "com"])
_KEYS = _TABLE.phrases("keys")
_CLAIMED = 1.0
_PRESSED = 0.9
_BAIT = 1.9
"""The weight of an attachment that is to be opened whatever the text says."""
_REPEATED = -0.2
"""The reduction for a sender who has written before but whom the user never answered."""
_FEW_LINKS = 8
_LINK_CLUES = {
    "imitation": (2.6, "a link leads to {target}, which imitates {shown}"),
    "numeric_host": (3.3, "a link leads to the bare address {target}"),
    "userinfo": (2.4, "a link hides that it leads to {target}"),
    "punycode": (2.4, "a link leads to {target}"),
    "text_differs": (3.0, "the link says {shown} but leads to {target}"),
    "shortener": (1.6, "a shortened link hides where it leads"),
    "hosted_form": (2.6, "a link leads to {target}, where anybody can put a page"),
    "cheap_domain": (2.4, "a link leads to {target}"),
}
_CALM = Suspicion()


def judge(facts: RuleFacts) -> Suspicion:
    """Return a score from 0 to 1 with reasons, heaviest first."""
    if facts.sender.is_owner and not lures.extorts(facts.view):
        return _CALM
    wanted = lures.clues(facts) if lures.concerns(facts) else []
    if orders.orders(facts):
        wanted += orders.clues(facts, claims.homes(facts))
    demanded = demands.clues(facts) or windfalls.clues(facts)
    wanted += demanded
    files = _attachment_clues(facts)
    pressed = sum(clue.weight for clue in wanted) >= _PRESSED or any(clue.weight >= _BAIT for clue in files)
    clues = [*claims.clues(facts, pressed=pressed), *_link_clues(facts), *files, *wanted]
    if not clues and not (facts.prepared.links and is_home_of(facts.sender.domain)):
        return _CALM
    claimed = sum(clue.weight for clue in clues if clue.kind == "claim")
    if facts.prepared.links:
        clues.extend(_leading_away(facts, pressed=pressed))
        if wanted:
            clues.extend(_strange_links(facts))
    if not clues:
        return _CALM
    clues.extend(_believable(facts, claimed, clues, again=not demanded))
    return judgement(clues)


def _believable(facts: RuleFacts, claimed: float, clues: list[Evidence], *, again: bool) -> list[Evidence]:
    """Return the signs of honesty; few of them count if the name is false.

    `again` is True if earlier mail counts for the sender, which is never much: templates return, too.
    """
    view, context, result = facts.view, facts.context, facts.authentication
    found: list[Evidence] = []
    if lures.extorts(view):
        return found
    led_away = any(clue.kind == "target" and clue.weight >= 0.8 for clue in clues)
    if view.has("warns_of_fraud") and not led_away:
        found.append(Evidence("calm", -1.3))
    if view.has("by_paper"):
        found.append(Evidence("calm", -0.9))
    if view.has("security_reassurance"):
        found.append(Evidence("calm", -1.2 if claimed < _CLAIMED else -0.5))
    if claimed >= _CLAIMED:
        return found
    if context.written_to:
        found.append(Evidence("calm", -1.4))
    elif context.received_before and again and not lures.pays_others(view):
        found.append(Evidence("calm", _REPEATED))
    if result.trusted and result.dmarc == "pass":
        found.append(Evidence("calm", -0.8))
    if facts.lists.discussion:
        found.append(Evidence("calm", -1.6))
    elif (
        facts.lists.bulk
        or facts.lists.unsubscribe is not None
        or links.look_like_mailing(facts.prepared.links)
    ):
        found.append(Evidence("calm", -1.5))
    carries = any(clue.kind == "file" and clue.weight >= 1 for clue in clues)
    if not led_away and not carries and (is_home_of(facts.sender.domain) or is_colleague(facts)):
        found.append(Evidence("calm", -1.5))
    return found


def is_colleague(facts: RuleFacts) -> bool:
    """Return True if the sender's address is in the user's own organisation."""
    who = facts.sender
    return not who.free_mail and any(
        organisational_domain(domain_of(address)) == who.organisation for address in facts.context.owner
    )


def _link_clues(facts: RuleFacts) -> list[Evidence]:
    if not facts.prepared.links:
        return []
    bulk = len(facts.prepared.links) > 12 or facts.lists.bulk
    clues: list[Evidence] = []
    for finding in links.suspicious(facts.prepared.links, facts.sender.domain, many_links=bulk):
        own = organisational_domain(finding.target) == facts.sender.organisation and not facts.imitates
        if own and finding.kind != "numeric_host":
            continue
        scale, text = _LINK_CLUES[finding.kind]
        reason = text.format(shown=finding.shown, target=finding.target)
        clues.append(Evidence("target", finding.weight * scale, reason))
    return clues


def _leading_away(facts: RuleFacts, *, pressed: bool) -> list[Evidence]:
    """Judge where the reader is to click: at the sender's, at the brand it speaks for, or elsewhere."""
    who, found = facts.sender, facts.prepared.links
    brand = claims.claimed_brand(facts, pressed=pressed)
    posing = brand is not None and claims.is_stranger_to(facts, brand)
    at_home = is_home_of(who.domain) and not _is_proven(facts)
    if not (pressed or posing or at_home):
        return []
    crowd = facts.lists.bulk or facts.lists.unsubscribe is not None or links.look_like_mailing(found)
    if crowd and not posing:
        return []
    clues: list[Evidence] = []
    away = links.leading_away(found, "" if posing else who.organisation)
    if away and brand and belongs_to(away, brand):
        return [Evidence("calm", -0.8)]
    if away and at_home and len(found) <= _FEW_LINKS and not crowd:
        clues.append(Evidence("claim", 1.3, f"it says it is from {who.domain}, which nothing proves"))
    if away:
        weight = 0.8 if crowd else 1.8 if at_home else 1.3 if brand else 0.8
        instead = "" if posing else f", not to {who.domain}"
        clues.append(Evidence("target", weight, f"its link leads to {away}{instead}"))
    writes_to = links.writes_to(found) if posing or at_home else ""
    if writes_to:
        clues.append(Evidence("target", 1.6, f"a link writes to {writes_to}"))
    return clues


def _strange_links(facts: RuleFacts) -> list[Evidence]:
    """Find links that carry the reader's address, a program or a whole page, in mail that is not sent to many."""
    found = facts.prepared.links
    if facts.lists.bulk or facts.lists.unsubscribe is not None or links.look_like_mailing(found):
        return []
    clues: list[Evidence] = []
    home = {domain_of(mailbox.address) for mailbox in facts.message.to[:3]}
    if links.carries_reader(found, home):
        clues.append(Evidence("target", 1.1, "a link carries your own address to a page of strangers"))
    program = links.gives_program(found)
    if program:
        clues.append(Evidence("target", 1.5, f"a link fetches the program {program[-80:]}"))
    if links.runs_code(found):
        clues.append(Evidence("target", 1.5, "a link holds a page instead of an address"))
    clues.extend(impersonation.near_links(facts, claims.homes(facts)))
    return clues


def _is_proven(facts: RuleFacts) -> bool:
    result = facts.authentication
    return result.trusted and (result.dmarc == "pass" or "pass" in (result.spf, result.dkim))


def _attachment_clues(facts: RuleFacts) -> list[Evidence]:
    if not facts.message.attachments:
        return []
    clues: list[Evidence] = []
    strange = facts.context.first_contact is not False and not is_colleague(facts)
    for attachment in facts.message.attachments[:30]:
        stem, _, ending = attachment.filename.lower().rpartition(".")
        if not stem:
            continue
        disguised = stem.rpartition(".")[2] in _HARMLESS_LOOKING
        name = attachment.filename
        baited = strange or facts.sender.kind != "person"
        if ending in _DANGEROUS_ENDINGS and (disguised or strange or ending not in _SCRIPTS_OF_PROGRAMMERS):
            clues.append(Evidence("file", 3.4 if disguised else 2.2, f"the attachment {name} is a program"))
        elif ending in _PAGE_ENDINGS and not attachment.inline:
            weight = 2.0 if disguised else 1.5 if baited else 0.4
            if baited and any(word in facts.view.folded_body for word in _KEYS):
                weight += 1.0
            clues.append(Evidence("file", weight, f"the attachment {name} is a web page"))
        elif ending in _MACRO_ENDINGS:
            clues.append(Evidence("file", 1.3 if strange else 0.5, f"the attachment {name} can run macros"))
        elif ending in _ARCHIVE_ENDINGS and strange and facts.view.has("file_password"):
            clues.append(
                Evidence("file", 2.1, f"the attachment {name} is locked, and its key stands beside it")
            )
        elif ending in _ARCHIVE_ENDINGS and strange and lures.concerns(facts):
            clues.append(Evidence("file", 0.8, f"the attachment {name} hides what is in it"))
    return clues[:2]
