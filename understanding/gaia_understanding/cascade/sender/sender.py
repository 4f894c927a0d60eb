"""The sender of a message (a person, a role address, or a machine) and its audience. Entry: `read`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from gaia_mail.domains import domain_of, is_free_mail, organisational_domain
from gaia_mail.lazy import lazy_pattern
from gaia_mail.mime.model import ParsedMessage
from gaia_understanding.cascade.sender.lists import ListFacts
from gaia_understanding.cascade.tables import wordset
from gaia_understanding.prepare.extract.first_names import FIRST_NAMES

SenderKind = Literal["person", "role", "machine"]
Audience = Literal["me", "few", "many", "copy", "unknown"]

_MACHINE_PARTS = wordset(
    "noreply no-reply no_reply donotreply do-not-reply do_not_reply nepasrepondre noresponder "
    "nichtantworten notification notifications notify notifier alert alerts alarm mailer-daemon "
    "mailerdaemon postmaster bounce bounces newsletter newsletters news digest updates update "
    "auto-confirm autoconfirm confirm confirmation receipt receipts invoice invoices billing statements "
    "orders order shipping shipment tracking delivery robot bot ci cd jenkins jira gitlab github cron "
    "root daemon system automated automatic automailer mailer monitoring monitor nagios grafana pagerduty "
    "reminder reminders calendar-notification verify verification security account accounts password "
    "service-update reports report backup messages-noreply marketing promo promotions offers deals "
    "campaign crm ebill ebilling payments booking bookings reservations reservation buildbot builds "
    "deploy sentry statuspage status rechnung bestellung versand benachrichtigung factures commande "
    "commandes facturas pedidos fatture ordini faturas bestelling factuur dse uber "
    "zabbix prometheus alertmanager opsgenie datadog uptime heartbeat watchdog scanner reporter sensor "
    "travelalerts outages census "
    "mitteilung mitteilungen meldung meldungen buchung bestellungen versandinfo statusmeldung avis alerte alertes "
    "avisos aviso alerta alertas notificaciones notificacion boletin pedido confirmacion avvisi avviso notifiche "
    "notifica bollette ordine notificacoes encomenda encomendas meldingen melding bestellingen berichten"
)
_ROLE_PARTS = wordset(
    "info hello hi hallo hola bonjour ciao team support help helpdesk contact contacts kontakt sales "
    "office admin administration hr jobs careers recruiting recruitment events event press media feedback "
    "service services customerservice customer-service kundenservice welcome community membership members "
    "reception booking legal accounting finance accountspayable payroll it it-support itsupport sysadmin "
    "webmaster editor editors enquiries inquiries mail post office buero sekretariat secretariat project "
    "success care product rewards loyalty listings workshops webinars webinar register registration rsvp "
    "appointments frontdesk benefits onboarding servicedesk facilities operations communications comms "
    "subscriptions referrals speakers exhibitors dispatch scheduling claims insights guest leasing licensing licences "
    "renewals domains memberships donations tickets documents submissions permits libraries library visitor visitors "
    "kunden personal verwaltung buchhaltung termine anmeldung sicherheit abo compte securite facturation adherents "
    "accueil rdv rendezvous clientele citas seguridad facturacion atencion clientes cuenta reservas secretaria "
    "servicio servicios servizio servizi sicurezza fatturazione assistenza clienti prenotazioni conto segreteria "
    "seguranca faturacao atendimento apoio conta klantenservice facturatie beveiliging afspraken klanten"
)
_MACHINE_INSIDE = (
    "noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "notification", "mailer-daemon", "newsletter",
    "auto-confirm", "automated", "bounce", "noresponder", "nepasrepondre", "unsubscribe", "invitations",
)  # fmt: skip
_MACHINE_NAMES = lazy_pattern(
    r"\b(?:no[- ]?reply|do not reply|notifications?|alerts?|mailer|daemon|newsletter|digest|weekly|daily|bot|robot|"
    r"billing|receipts?|monitoring|security team|automated|deals|offers|store|shop)\b",
    re.IGNORECASE,
)
_ROLE_NAMES = lazy_pattern(
    r"\b(?:team|support|service|services|department|office|center|centre|club|foundation|inc|ltd|gmbh|llc|bank|"
    r"marketing|customer|sales|hr|admin|group|committee|society|school|kundenservice|verein|organizers?|desk|"
    r"hotels?|dental|clinic|hospital|pharmacy|university|college|library|museum|alliance|association|council|forum|"
    r"conference|summit|awards?|registration|registrar|airlines?|airways|insurance|magazine|rewards|events|academy|"
    r"institute|operations|portal|benefits|onboarding|communications|newsroom)\b",
    re.IGNORECASE,
)
_PLAIN_WORD = lazy_pattern(r"[^\W\d_]+")
_INITIAL = lazy_pattern(r"[^\W\d_]\. ?[^\W\d_]")
_NAME_LETTERS = 4
_SPLIT = lazy_pattern(r"[._+\-]|\d+")
_FEW = 4


@dataclass(slots=True, kw_only=True)
class MessageSender:
    """The `From` of a message.

    Attributes:
        address: Lower case, empty if there is none.
        name: The display name as written.
        domain: Lower case.
        organisation: The organisational domain.
        free_mail: True if anyone can get an address there.
        kind: The kind of sender that address and name suggest, before the text is read.
        audience: The user alone, among a few, among many, or only as a copy.
        recipients: The number of addresses in To and Cc.
        is_owner: True if the user wrote it.
    """

    address: str
    name: str
    domain: str
    organisation: str
    free_mail: bool
    kind: SenderKind
    audience: Audience
    recipients: int
    is_owner: bool


def read(message: ParsedMessage, lists: ListFacts, owner: frozenset[str]) -> MessageSender:
    """Judge sender and recipients by the headers alone."""
    mailbox = message.sender
    address = mailbox.address.lower() if mailbox else ""
    name = mailbox.name if mailbox else ""
    domain, organisation, free_mail, kind = _known(address, name[:120])
    return MessageSender(
        address=address,
        name=name,
        domain=domain,
        organisation=organisation,
        free_mail=free_mail,
        kind="machine" if lists.automatic else kind,
        audience=_audience(message, owner),
        recipients=len(message.to) + len(message.cc),
        is_owner=bool(address) and address in owner,
    )


@lru_cache(maxsize=64)
def organisations(addresses: frozenset[str]) -> frozenset[str]:
    """Return the organisational domains of addresses."""
    return frozenset(organisational_domain(domain_of(address)) for address in addresses)


@lru_cache(maxsize=4096)
def _known(address: str, name: str) -> tuple[str, str, bool, SenderKind]:
    """Return what depends on address and name only: domain, organisational domain, free mail, kind."""
    domain = domain_of(address)
    organisation, free_mail = organisational_domain(domain), is_free_mail(domain)
    local = address.partition("@")[0][:80]
    kind = kind_of(local, name)
    if kind == "person" and not free_mail and _is_firm(name, local, organisation):
        kind = "role"
    return domain, organisation, free_mail, kind


def _is_firm(name: str, local: str, organisation: str) -> bool:
    """Return True if a name is all in its own domain and not a given name (`Casa Rosa <avisos@casa-rosa.example>`).

    A family name in the domain shows nothing: people own firms. Only people have initials.
    """
    if _INITIAL.match(name):
        return False
    label = organisation.partition(".")[0].replace("-", "")
    words = [word for word in _PLAIN_WORD.findall(strip_accents(name)) if len(word) >= _NAME_LETTERS]
    if not words or not all(map(label.__contains__, words)):
        return False
    first = _SPLIT.split(local)[0]
    return first not in words and FIRST_NAMES.isdisjoint((first, *words[:2]))


def strip_accents(text: str) -> str:
    """Return the text in lower case, without accents."""
    if text.isascii():
        return text.lower()
    marked = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in marked if not unicodedata.combining(letter))


def kind_of(local: str, name: str) -> SenderKind:
    """Return the kind of sender that a local part and a display name suggest."""
    if any(part in local for part in _MACHINE_INSIDE) or local in _MACHINE_PARTS:
        return "machine"
    if local in _ROLE_PARTS:
        return "machine" if _MACHINE_NAMES.search(name) else "role"
    parts = [part for part in _SPLIT.split(local) if part]
    if any(part in _MACHINE_PARTS for part in parts):
        return (
            "machine"
            if len(parts) == 1 or any(part in _ROLE_PARTS for part in parts) or not _personal(name)
            else "role"
        )
    if parts and all(part in _ROLE_PARTS for part in parts):
        return "role"
    if _MACHINE_NAMES.search(name) and not _personal(name):
        return "machine"
    return "role" if _ROLE_NAMES.search(name) else "person"


def _personal(name: str) -> bool:
    """Return True for two to four capitalised words that do not name an office."""
    words = name.split()
    return (
        2 <= len(words) <= 4
        and all(word[:1].isupper() for word in words)
        and not _MACHINE_NAMES.search(name)
        and not _ROLE_NAMES.search(name)
    )


def _audience(message: ParsedMessage, owner: frozenset[str]) -> Audience:
    total = len(message.to) + len(message.cc)
    if not owner:
        return "me" if total == 1 else "few" if 1 < total <= _FEW else "many" if total else "unknown"
    if not owner.isdisjoint([mailbox.address.lower() for mailbox in message.to[:200]]):
        return "me" if total == 1 else "few" if total <= _FEW else "many"
    if not owner.isdisjoint([mailbox.address.lower() for mailbox in message.cc[:200]]):
        return "copy"
    return "unknown"
