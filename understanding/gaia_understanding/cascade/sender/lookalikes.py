"""Detect domains that imitate another one. Entry: `imitation`.

There are three kinds of imitation: it looks the same (homographs, punycode, digits for letters), it is one
slip away (omitted, doubled, swapped or neighbouring letter, one flipped bit), or it borrows another's name
(`paypal-login.example`, `paypal.com.example.net`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from gaia_mail.domains import is_free_mail, organisational_domain
from gaia_understanding.cascade.sender.brands import Brand, brand_domains, brands
from gaia_understanding.cascade.sender.confusables import mixes_scripts, skeleton
from gaia_understanding.cascade.tables import wordset

_LURES = wordset(
    "account accounts alert alerts auth bank billing care center centre check claim client confirm "
    "customer delivery desk help helpdesk id info invoice login mail member message notice notification "
    "notifications office official online page parcel pay payment payments portal recover recovery refund "
    "renewal reset safe safety secure secured security service services sign signin sso support suspended "
    "team track tracking unlock update updates user verification verify verified wallet web tax cloud app "
    "meeting meetings docs doc document documents envelope sharing share join invite business "
    "konto kunden sicherheit compte client cuenta conta conto cliente klant package shipping express"
)
_TRAPS = wordset(
    "fee fees refund refunds rebate rebates redelivery release quota mailbox webmail kyc pushtan tan upgrade "
    "payroll staff adjustments benefits customs toll fine claims renew expiry locked limited remboursement "
    "renouvellement paquete encomenda entregas multas multa pacco toegang gegevens colis steuer freischaltung "
    "aktualisierung kundendienst appeal copyright survey reward rewards gift prize "
    "renewals registry register registrar domain domains signing signature identity handbook handbooks "
    "zugang eintrag freigabe zahlung konten bestaetigung verifizierung paket zustellung "
    "espace acces livraison reglement amende dossier taxes taxe "
    "verificacion verificar acceso datos pago pagos aviso avisos seguridad aduana tasas "
    "verifica accesso dati pagamento pagamenti sicurezza consegna giacenza dogana spese rimborso rimborsi documenti "
    "verificacao acesso dados pagamento seguranca alfandega taxa entrega reembolso atualizacao "
    "controle verificatie betaling inloggen bezorging pas teruggave"
)
_ENDINGS = wordset("com net org gov edu info example")
_CARRIERS = wordset(
    "edgesuite.net edgekey.net akamaized.net akamai.net cloudflare.net cloudfront.net amazonaws.com googleapis.com "
    "translate.goog fastly.net azureedge.net windows.net pphosted.com mimecast.com cdninstagram.com"
)
"""Hosts that carry other people's sites under their whole names."""
_OF_BRANDS = wordset("id account accounts customer customers support security online team prime bank web")
_CALLING = wordset("your dear ihr ihre votre su tu uw il tuo sua seu")
_HOUSE_WORDS = wordset(
    "mail info online service services express shipping group news post app web message messages"
)
"""Words that honest brands add to their name, too."""
_INVITING = (_LURES | _TRAPS | _ENDINGS) - _HOUSE_WORDS
_MIN_SLIP = 6
_NAME_LETTERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Imitation:
    """`real` is the domain imitated, `how` one of `looks_like`, `slip`, `borrows`; `weight` 0 to 1."""

    real: str
    how: str
    weight: float


@lru_cache(maxsize=8192)
def imitation(host: str) -> Imitation | None:
    """Return the brand's domain that `host` imitates; None if it imitates none or belongs to the brand."""
    host = host.lower().strip(".")
    domain = organisational_domain(host)
    if not domain or domain in brand_domains() or host in brand_domains() or is_free_mail(domain):
        return None
    label, _, suffix = domain.partition(".")
    if _is_national(label, suffix):
        return None
    shown = _unicode(label)
    return _looks_like(label, shown) or _borrows(host, shown, suffix) or _slip(shown)


@lru_cache(maxsize=2048)
def imitates_known(host: str, known: frozenset[str]) -> Imitation | None:
    """Return the domain known to the user that `host` imitates; None if it is one of them or unlike all."""
    domain = organisational_domain(host)
    index = _known_index(known)
    if not domain or domain in index.domains or is_free_mail(domain):
        return None
    label, _, suffix = domain.partition(".")
    shown = _unicode(label)
    real = index.skeletons.get(skeleton(shown))
    if real:
        real_label, _, real_suffix = real.partition(".")
        if real_label != label:
            return Imitation(real=real, how="looks_like", weight=0.95)
        if {suffix, real_suffix} <= {"com", "co", "cm", "om", "corn"} and len(label) >= 4:
            return Imitation(real=real, how="slip", weight=0.5)
        return None
    borrowed = _borrows_known(host, shown, index)
    if borrowed is not None:
        return borrowed
    if len(shown) >= _MIN_SLIP:
        for variant in _deletions(shown):
            real = index.deletions.get(variant, "")
            if real and one_slip(shown, real.partition(".")[0]):
                return Imitation(real=real, how="slip", weight=0.9)
    return None


@lru_cache(maxsize=2048)
def other_ending(domain: str, known: frozenset[str]) -> str:
    """Return the known domain that differs from `domain` only in its ending; empty if there is none."""
    organisation = organisational_domain(domain)
    label, _, suffix = organisation.partition(".")
    index = _known_index(known)
    if len(label) < _MIN_SLIP - 1 or organisation in index.domains:
        return ""
    real = index.skeletons.get(skeleton(label), "")
    return real if real.partition(".")[0] == label and real.partition(".")[2] != suffix else ""


@lru_cache(maxsize=2048)
def known_in_name(name: str, known: frozenset[str]) -> str:
    """Return the known domain whose own name is a word of a display name (`Northwind IT`); empty if none is."""
    labels = _known_index(known).labels if known else {}
    if not labels:
        return ""
    words = name.lower().replace(".", " ").replace("-", " ").split()[:8]
    return next((labels[word] for word in words if word in labels), "")


def _borrows_known(host: str, shown: str, index: _KnownIndex) -> Imitation | None:
    """Find the name of a known domain with a word added, or before a foreign domain.

    A host that gives each customer a place of their own (`acme.forge.example`) uses their names like this,
    too: alone before a foreign domain, a name counts only if that domain is made of words that invite trust.
    """
    parts = shown.split("-")
    pairs = ("-".join(pair) for pair in pairwise(parts))
    before = host.lower().split(".")[:-2]
    tenants = frozenset(before if _INVITING.isdisjoint((*parts, *before)) else ())
    for token in (*parts, *pairs, *before):
        for name, rest in (
            (token, ""),
            *((token[:cut], token[cut:]) for cut in range(_MIN_SLIP, len(token) - 1)),
        ):
            real = index.labels.get(name, "")
            if not real or name == shown or (rest and rest not in _LURES):
                continue
            if token in tenants and not rest:
                continue
            lured = bool(rest) or any(other in _LURES or other in _TRAPS for other in shown.split("-"))
            return Imitation(real=real, how="borrows", weight=0.85 if lured else 0.6)
    return None


@dataclass(frozen=True, slots=True)
class _KnownIndex:
    domains: frozenset[str]
    skeletons: dict[str, str]
    deletions: dict[str, str]
    labels: dict[str, str]


@lru_cache(maxsize=4)
def _known_index(known: frozenset[str]) -> _KnownIndex:
    domains = sorted(
        {organisational_domain(domain) for domain in known if domain and not is_free_mail(domain)}
    )
    skeletons: dict[str, str] = {}
    deletions: dict[str, str] = {}
    for domain in domains:
        label = domain.partition(".")[0]
        skeletons.setdefault(skeleton(label), domain)
        if len(label) >= _MIN_SLIP:
            for variant in _deletions(label):
                deletions.setdefault(variant, domain)
    labels = {
        label: domain
        for domain in reversed(domains)
        if len(label := domain.partition(".")[0]) >= _MIN_SLIP and label not in _LURES and label not in _TRAPS
    }
    return _KnownIndex(frozenset(domains), skeletons, deletions, labels)


@lru_cache(maxsize=4096)
def find_brand(name: str) -> Brand | None:
    """Return the brand that a display name claims to be (`PayPal Support`); None if it names none.

    A brand that is also an ordinary word counts only as the whole name or before a word of service.
    """
    words = [word.strip(".,:;!()[]\"'®™") for word in name.lower().split()[:8]]
    table = brands()
    for index, word in enumerate(words):
        following = words[index + 1 :]
        for candidate in (word, word + (following[0] if following else "")):
            brand = table.get(candidate) or _by_skeleton().get(skeleton(candidate))
            if brand and len(candidate) > 2 and (not brand.common or not following or following[0] in _LURES):
                return brand
    return None


@lru_cache(maxsize=1024)
def brand_spoken_for(text: str) -> Brand | None:
    """Return the one brand that a folded text speaks for; None if it speaks for none or for several.

    Inside a text, a brand counts only next to a word of service (`your apple id`, `dear paypal member`);
    before a `|` (the subject) and after the last one (the end) it may be alone, unless it is also an ordinary
    word.
    """
    words = [word.strip(".,:;!?()[]\"'®™*") for word in text.split()]
    table = brands()
    found: dict[str, Brand] = {}
    inner = words.index("|") if "|" in words else 0
    outer = len(words) - 1 - words[::-1].index("|") if "|" in words else 0
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        brand = table.get(word) or table.get(word + following)
        if brand is None or len(word) < 3:
            continue
        called = following in (_OF_BRANDS if brand.common else _LURES)
        called = called or (not brand.common and words[index - 1] in _CALLING)
        if called or (not brand.common and not inner < index < outer):
            found[brand.name] = brand
    families = {min(brand.domains): brand for brand in found.values()}
    return next(iter(families.values())) if len(families) == 1 else None


@lru_cache(maxsize=4096)
def is_home_of(domain: str) -> bool:
    """Return True if a known brand really sends mail from `domain`."""
    organisation = organisational_domain(domain)
    label, _, suffix = organisation.partition(".")
    home = organisation in brand_domains() or domain in brand_domains() or _is_national(label, suffix)
    return home and not is_free_mail(organisation)


@lru_cache(maxsize=4096)
def lures_in(domain: str) -> int:
    """Count the words that invite trust in a registered name: two in `parcel-fee-pay.example`."""
    label = domain.partition(".")[0]
    tokens = [token for token in label.split("-") if token]
    if len(tokens) < 2:
        return 0
    return sum(token in _LURES or token in _TRAPS for token in tokens)


@lru_cache(maxsize=2048)
def invites(domain: str, name: str) -> str:
    """Return the word of trust that a domain adds to the sender's name: `renewals` in `acme-renewals.example`.

    Empty if the name has the word, too, or if the rest of the domain is not the name. `name` is lower case.
    """
    tokens = [token for token in domain.partition(".")[0].split("-") if token]
    words = "".join(char if char.isalnum() else " " for char in name).split()[:6]
    added = [token for token in tokens if (token in _LURES or token in _TRAPS) and token not in words]
    rest = "".join(token for token in tokens if token not in added)
    if not added or len(rest) < _NAME_LETTERS:
        return ""
    joined = {
        "".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, len(words) + 1)
    }
    return added[-1] if rest in joined else ""


def belongs_to(domain: str, brand: Brand) -> bool:
    """Return True if mail from `domain` can really be from the brand."""
    organisation = organisational_domain(domain)
    if organisation in brand.domains or domain in brand.domains:
        return True
    label, _, suffix = organisation.partition(".")
    return label == brand.name and _is_national(label, suffix)


def one_slip(one: str, other: str) -> bool:
    """Return True if one insertion, omission, replacement or swap of neighbours makes `one` into `other`."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    if one[1:] == other[1:] or one[1:] == other or one == other[1:]:
        return True
    return len(one) > 1 and one[:2] == other[1::-1] and one[2:] == other[2:]


def _deletions(label: str) -> list[str]:
    return [label, *(label[:index] + label[index + 1 :] for index in range(len(label)))]


def _unicode(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, OverflowError, ValueError):
        return label


def _is_national(label: str, suffix: str) -> bool:
    """Return True for `amazon.de`, `paypal.co.uk`: the exact name under a country that is not sold as generic."""
    country = suffix.rpartition(".")[2]
    generic = country in ("tk", "ml", "ga", "cf", "gq", "cc", "ws", "pw", "co", "me", "su", "to")
    return label in brands() and len(country) == 2 and not generic


@lru_cache(maxsize=1)
def _by_skeleton() -> dict[str, Brand]:
    found = {skeleton(label): brand for label, brand in _home_labels().items()}
    return found | {skeleton(name): brand for name, brand in brands().items() if len(name) > 3}


@lru_cache(maxsize=1)
def _home_labels() -> dict[str, Brand]:
    """Return the longer names among the brands' domains that are not names of brands: `steamcommunity`."""
    return {
        label: brand
        for brand in brands().values()
        for domain in sorted(brand.domains)
        if len(label := domain.partition(".")[0]) > _MIN_SLIP and label not in brands()
    }


@lru_cache(maxsize=1)
def _by_deletion() -> dict[str, Brand]:
    found: dict[str, Brand] = {}
    for name, brand in brands().items():
        if len(name) >= _MIN_SLIP:
            for variant in _deletions(name):
                found.setdefault(variant, brand)
    return found


def _home(brand: Brand) -> str:
    preferred = f"{brand.name}.com"
    return (
        preferred
        if preferred in brand.domains
        else min(brand.domains, key=lambda domain: (len(domain), domain))
    )


def _looks_like(label: str, shown: str) -> Imitation | None:
    if mixes_scripts(shown):
        brand = _by_skeleton().get(skeleton(shown))
        return Imitation(real=_home(brand) if brand else shown, how="looks_like", weight=0.9)
    if shown in brands() or shown in _home_labels():
        return None
    brand = _by_skeleton().get(skeleton(shown))
    if brand and (shown != label or len(brand.name) >= 5 or not shown.isalpha()):
        return Imitation(real=_home(brand), how="looks_like", weight=0.9)
    return None


def _borrows(host: str, shown: str, suffix: str) -> Imitation | None:
    table = brands()
    tokens = shown.split("-")
    subdomains = host.split(".")[:-2]
    if len(subdomains) >= 2 and any(
        f"{first}.{second}" in brand_domains() for first, second in pairwise(subdomains)
    ):
        return Imitation(real=".".join(subdomains[:2]), how="borrows", weight=0.85)
    nested = _find_subdomain(subdomains, domain=organisational_domain(host))
    if nested is not None:
        return nested
    for token in tokens:
        brand, lure = _brand_in(token)
        if brand is None:
            continue
        lures = lure + sum(other in _LURES for other in tokens if other != token)
        if brand.name != token and token[len(brand.name) :] in _HOUSE_WORDS and len(tokens) == 1:
            return Imitation(real=_home(brand), how="borrows", weight=0.45)
        disguised = token not in table and not token.startswith(brand.name)
        if disguised or lures or (len(tokens) > 1 and not brand.common):
            return Imitation(real=_home(brand), how="borrows", weight=0.85 if lures or disguised else 0.45)
        if (
            not brand.common
            and suffix not in ("com", "org", "net")
            and token == brand.name
            and len(token) > 4
        ):
            return Imitation(real=_home(brand), how="borrows", weight=0.35)
    return _borrows_in_parts(tokens) if len(tokens) > 1 else None


def _borrows_in_parts(tokens: list[str]) -> Imitation | None:
    """Find a misspelt brand with a lure (`netfllx-billing`), or one cut in two (`wells-fargo-alerts`)."""
    table = brands()
    if any(token in _LURES for token in tokens):
        for token in tokens:
            slipped = _slip(token) if len(token) >= _MIN_SLIP and token not in _LURES else None
            if slipped:
                return Imitation(real=slipped.real, how="borrows", weight=0.75)
    joined = "".join(tokens)
    if joined in table and not table[joined].common:
        return Imitation(real=_home(table[joined]), how="borrows", weight=0.5)
    joined_brand, lure = _brand_in("".join(tokens[:2])) if len(tokens) > 2 else (None, 0)
    if joined_brand and (lure or any(token in _LURES for token in tokens[2:])):
        return Imitation(real=_home(joined_brand), how="borrows", weight=0.8)
    return None


def _find_subdomain(subdomains: list[str], domain: str) -> Imitation | None:
    """Find a whole address before the real one (`bank.com.pay.example`), or a brand with a lure before it."""
    if domain in _CARRIERS:
        return None
    for before, label in pairwise(subdomains):
        if label in _ENDINGS and len(before) > 2 and before != "www":
            return Imitation(real=f"{before}.{label}", how="borrows", weight=0.8)
    parts = domain.partition(".")[0].split("-")
    trap = len(parts) > 1 and any(part in _LURES or part in _TRAPS or part in _ENDINGS for part in parts)
    for label in subdomains[:3]:
        if trap and label in brands():
            return Imitation(real=_home(brands()[label]), how="borrows", weight=0.8)
        tokens = label.split("-")
        if len(tokens) > 1 and any(token in _LURES for token in tokens):
            brand = next((brands()[token] for token in tokens if token in brands()), None)
            if brand and not brand.common:
                return Imitation(real=_home(brand), how="borrows", weight=0.7)
    return None


def _brand_in(token: str) -> tuple[Brand | None, int]:
    """Return the brand that a part of a label is, begins with or ends with; and 1 if the rest is a lure."""
    table = brands()
    if token in table:
        return table[token], 0
    brand = _by_skeleton().get(skeleton(token)) if len(token) > 3 else None
    if brand:
        return brand, 0
    for cut in range(3, len(token) - 1):
        head, tail = token[:cut], token[cut:]
        for name, rest in ((head, tail), (tail, head)):
            if rest in _LURES and (found := table.get(name) or _by_skeleton().get(skeleton(name))):
                return found, 1
    return None, 0


def _slip(shown: str) -> Imitation | None:
    if len(shown) < _MIN_SLIP - 1 or shown in brands():
        return None
    for variant in _deletions(shown):
        brand = _by_deletion().get(variant)
        if brand and one_slip(shown, brand.name) and not (brand.common and len(brand.name) < 7):
            return Imitation(real=_home(brand), how="slip", weight=0.55)
    return None
