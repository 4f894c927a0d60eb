"""Find faults of links without following them: the place that they show, and the one they lead to.

Entry: `suspicious`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlsplit

from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_understanding.cascade.sender.lookalikes import imitation
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.prepare.model import Link

_SHORTENERS = wordset(
    "bit.ly tinyurl.com t.co goo.gl ow.ly is.gd buff.ly cutt.ly rebrand.ly shorturl.at rb.gy tiny.cc "
    "bl.ink t.ly s.id lnkd.in v.gd qr.ae short.io shorte.st adf.ly"
)
_CHEAP = wordset(
    "tk ml ga cf gq xyz top icu buzz cam rest click link work monster quest sbs cfd bond cyou lol zip mov "
    "country stream download racing win loan men gdn kim science party review trade date faith accountant "
    "cricket"
)
_HOSTED = wordset(
    "forms.gle typeform.com jotform.com formspree.io wufoo.com weebly.com wixsite.com 000webhostapp.com web.app "
    "firebaseapp.com workers.dev pages.dev glitch.me ngrok.io ngrok-free.app duckdns.org blogspot.com ipfs.io "
    "r2.dev repl.co"
)
"""Hosts on which anyone can publish a page; all have two labels."""
_FORM_HOSTS = frozenset({"docs.google.com", "forms.office.com"})
_FORMS = ("/forms", "forms.office.com")
_SHOWN_HOST = lazy_pattern(
    r"^(?:https?://)?((?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12})(?:[/:?#]|$)", re.IGNORECASE
)
_NUMERIC = lazy_pattern(r"^(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{1,8}|\d{8,10})$|^\[")
_CREDENTIAL_PATH = lazy_pattern(
    r"(?:login|signin|sign-in|verify|webscr|account|secure|update|password|credential|wallet)"
)
_FILE_ENDINGS = wordset("pdf doc docx xls xlsx zip txt png jpg html htm py js md csv eml")
_COUNTERS = wordset(
    "list-manage.com sendgrid.net rs6.net awstrack.me mailchimp.com mandrillapp.com hubspotlinks.com mlsend.com "
    "exacttarget.com sparkpostmail.com mailgun.org cmail19.com cmail20.com createsend.com klclick.com "
    "constantcontact.com sailthru.com mktomail.com eloqua.com responsys.net pardot.com returnpath.net "
    "sendinblue.com brevo.com mailjet.com customeriomail.com intercom-mail.com substack.com beehiiv.com "
    "urldefense.com safelinks.protection.outlook.com outlook.com proofpoint.com mimecast.com w3.org "
    "facebook.com twitter.com x.com instagram.com linkedin.com youtube.com pinterest.com tiktok.com "
    "apple.com microsoft.com google.com zoom.us eventbrite.com stripe.com docusign.net github.com"
)
"""Hosts that count clicks for honest senders or that everyone links to."""
_TENANTS = (".sharepoint.com", ".service-now.com", ".zendesk.com", ".atlassian.net", ".salesforce.com")
_CALL = lazy_pattern(
    r"click|here|log ?in|sign|verif|confirm|updat|restor|unlock|activ|review|view|open|download|release|keep|pay|"
    r"continue|access|claim|schedule|cancel|respond|get |resolv|secure|appeal|http|www\.|jetzt|hier|bestätig|"
    r"aktualis|cliquez|accéder|confirmer|aqu[ií]|acceder|accedi|clicca|\bqui\b|acess|klik|bekijk|bevestig|inloggen",
    re.IGNORECASE,
)
_LEAVING = lazy_pattern(
    r"unsubscri|abmelden|abbestell|désinscri|désabonn|darse de baja|disiscri|afmelden|uitschrijven|"
    r"cancelar a subscri|opt.out|email preferences",
    re.IGNORECASE,
)
_PROGRAMS = frozenset({".exe", ".msi", ".scr", ".hta", ".iso", ".vbs", ".apk", ".bat"})
_MANY = 15
_LAST = 6
_ENOUGH = 3
_LIMIT = 60
_MAX_URL = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFinding:
    """One suspicion: `kind` names it, `weight` is 0 to 1, `shown` and `target` are text of the message."""

    kind: str
    weight: float
    shown: str
    target: str


def host_of(url: str) -> str:
    """Return the host of a URL, lower case; empty if it is not a web address. A name before `@` is not the host."""
    return _host_at(_beginning(url))


def _beginning(url: str) -> str:
    """Return a URL up to the `/` that begins its path, which decides its target; all of it without a path."""
    authority = url.find("//", 5)
    path = url.find("/", authority + 2, _MAX_URL) if authority > 0 else -1
    return url[: path + 1] if path > 0 else url[:_MAX_URL]


@lru_cache(maxsize=4096)
def _host_at(beginning: str) -> str:
    if beginning[:5].lower() not in ("http:", "https"):
        return ""
    try:
        host = urlsplit(beginning).hostname or ""
    except ValueError:
        return ""
    return host.lower().rstrip(".")


def suspicious(links: tuple[Link, ...], sender_domain: str, *, many_links: bool) -> tuple[LinkFinding, ...]:
    """Return the faults of the first links, the worst of each kind, in order of discovery."""
    found: dict[str, LinkFinding] = {}
    beginning = host = ""
    judged: LinkFinding | None = None
    for link in links[:_LIMIT]:
        url, text = link.url, link.text
        # Most links of a mailing lead to one host, which is complete only at the third slash.
        if beginning.count("/") < 3 or not url.startswith(beginning):
            beginning = _beginning(url)
            host = _host_at(beginning)
            judged = _host(host) if host else None
        if not host:
            continue
        if judged is None and "@" not in url and host not in _FORM_HOSTS and "." not in text:
            continue
        for finding in (_target(link, host, judged), _text(text, host, sender_domain, many_links)):
            if finding and finding.weight > (found[finding.kind].weight if finding.kind in found else 0):
                found[finding.kind] = finding
    return tuple(found.values())


def _target(link: Link, host: str, judged: LinkFinding | None) -> LinkFinding | None:
    if judged is None:
        if "@" in link.url[:300] and "@" in link.url.partition("//")[2].partition("/")[0]:
            return LinkFinding(kind="userinfo", weight=0.5, shown=link.text, target=host)
        if host in _FORM_HOSTS and any(form in link.url[:300].lower() for form in _FORMS):
            return LinkFinding(kind="hosted_form", weight=0.2, shown=link.text, target=host)
        return None
    if judged.kind in ("hosted_form", "cheap_domain") and _CREDENTIAL_PATH.search(link.url[8:300].lower()):
        return replace(judged, weight=judged.weight + 0.2)
    return judged


@lru_cache(maxsize=4096)
def _host(host: str) -> LinkFinding | None:
    """Return the worst fault of a host, whatever the text of the link."""
    if _NUMERIC.match(host):
        return LinkFinding(kind="numeric_host", weight=0.45, shown=host, target=host)
    copied = imitation(host)
    if copied:
        return LinkFinding(kind="imitation", weight=copied.weight, shown=copied.real, target=host)
    if "xn--" in host:
        return LinkFinding(kind="punycode", weight=0.3, shown=host, target=host)
    domain = organisational_domain(host)
    if domain in _SHORTENERS:
        return LinkFinding(kind="shortener", weight=0.2, shown=host, target=host)
    if ".".join(host.rsplit(".", 2)[-2:]) in _HOSTED:
        return LinkFinding(kind="hosted_form", weight=0.2, shown=host, target=host)
    if host.rpartition(".")[2] in _CHEAP:
        return LinkFinding(kind="cheap_domain", weight=0.2, shown=host, target=host)
    return None


def _text(text: str, host: str, sender_domain: str, many_links: bool) -> LinkFinding | None:
    """Find a link whose text is another address; click counters of mail services do that in honest mail, too."""
    if "." not in text:
        return None
    match = _SHOWN_HOST.match(text.strip()[:300])
    if match is None:
        return None
    shown = match[1].lower()
    if shown.rpartition(".")[2] in _FILE_ENDINGS or "@" in text:
        return None
    if organisational_domain(shown) == organisational_domain(host) or is_free_mail(shown):
        return None
    sender = organisational_domain(sender_domain)
    counted = organisational_domain(host) == sender or organisational_domain(shown) == sender or many_links
    return LinkFinding(kind="text_differs", weight=0.12 if counted else 0.4, shown=shown, target=host)


def leading_away(links: tuple[Link, ...], organisation: str) -> str:
    """Return the first host that the reader is called to, except the sender's and click counters; else empty."""
    few = len(links) <= _ENOUGH
    beginning = ""
    for link in links[:_LIMIT]:
        if beginning and link.url.startswith(beginning):
            continue
        host = host_of(link.url)
        if not host:
            continue
        other = organisational_domain(host)
        if other == organisation or other in _COUNTERS or host in _COUNTERS or host.endswith(_TENANTS):
            beginning = _beginning(link.url)
        elif few or _CALL.search(link.text, 0, 120):
            return host
    return ""


def carries_reader(links: tuple[Link, ...], homes: set[str]) -> bool:
    """Return True if the part of a link after `#` or `=` is an address at one of the reader's own domains."""
    for link in links[:_LIMIT]:
        if "@" not in link.url:
            continue
        tail = link.url[-200:].lower()
        domain = domain_of(tail) if "@" in tail else ""
        if domain in homes and organisational_domain(host_of(link.url)) != organisational_domain(domain):
            return not tail.startswith("mailto:") and host_of(link.url) != ""
    return False


def writes_to(links: tuple[Link, ...]) -> str:
    """Return the first free-mail address that a link writes to; else empty."""
    for link in links[:_LIMIT]:
        if link.url[:7].lower() == "mailto:" and is_free_mail(domain_of(link.url[7:200].partition("?")[0])):
            return link.url[7:200].partition("?")[0]
    return ""


def look_like_mailing(links: tuple[Link, ...]) -> bool:
    """Return True for the links of mail sent to many: very many, or a way to unsubscribe."""
    return len(links) > _MANY or any(_LEAVING.search(link.text, 0, 80) for link in links[-_LAST:])


def gives_program(links: tuple[Link, ...]) -> str:
    """Return the first link that fetches a program; else empty."""
    return next((link.url for link in links[:_LIMIT] if link.url[-4:].lower() in _PROGRAMS), "")


def runs_code(links: tuple[Link, ...]) -> bool:
    """Return True if a link is itself a page (`data:`)."""
    return any(link.url[:9].lower() == "data:text" for link in links[:_LIMIT])
