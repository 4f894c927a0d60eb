"""Which provider an address belongs to, and how its servers are reached. Entries: `provider_of`, `PROVIDERS`.

Hosts and ports are those that the providers publish for mail programs. An address at a domain of one's own says
nothing here: then DNS may say who takes in its mail (`provider_of_mx`), or the servers are named by hand.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Literal

Security = Literal["tls", "starttls", "none"]
Kind = Literal["imap", "smtp"]

PORTS: dict[tuple[Kind, Security], int] = {
    ("imap", "tls"): 993,
    ("imap", "starttls"): 143,
    ("imap", "none"): 143,
    ("smtp", "tls"): 465,
    ("smtp", "starttls"): 587,
    ("smtp", "none"): 25,
}
"""The usual port of a server, by what it serves and how it is encrypted (RFC 8314, RFC 6409)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server: `security` is TLS from the first byte, STARTTLS, or none (loopback only)."""

    host: str
    port: int
    security: Security


@dataclass(frozen=True, slots=True, kw_only=True)
class Servers:
    """Where the mail of one account is.

    Attributes:
        imap: Where it is read; None where that is not said.
        smtp: Where it is sent; None where that is not said.
        user: Who logs in; empty where that is the address.
    """

    imap: Endpoint | None = None
    smtp: Endpoint | None = None
    user: str = ""

    def settings(self) -> dict[str, str]:
        """The same as the settings of an account whose servers were named by hand."""
        told = self.login()
        for kind, endpoint in (("imap", self.imap), ("smtp", self.smtp)):
            if endpoint is not None:
                told |= {
                    f"{kind}_host": endpoint.host,
                    f"{kind}_port": str(endpoint.port),
                    f"{kind}_security": endpoint.security,
                }
        return told

    def login(self) -> dict[str, str]:
        """Of those settings the one that a provider's preset does not say."""
        return {"imap_user": self.user} if self.user else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A mail provider.

    Attributes:
        id: The name that `--provider` takes.
        title: Its name.
        domains: Domains of its addresses; one with a leading dot stands for every name below it.
        imap: Where mail is read.
        smtp: Where mail is sent.
        files_sent: Whether its SMTP server puts what is sent into Sent itself.
        note: What to know before connecting, in a sentence; empty when the usual password does.
        mx: Who takes in mail for the domains of others: hosts of these names, and below them.
    """

    id: str
    title: str
    domains: tuple[str, ...]
    imap: Endpoint
    smtp: Endpoint
    files_sent: bool = False
    note: str = ""
    mx: tuple[str, ...] = ()


def provider_of(address: str) -> Provider | None:
    """The provider of an address by its domain, or None."""
    domain = address.rpartition("@")[2].strip().strip(".").casefold()
    if not domain:
        return None
    found = _BY_DOMAIN.get(domain)
    if found is not None:
        return found
    for suffix, provider in _BY_SUFFIX.items():
        if domain.endswith(suffix):
            return provider
    return None


def provider_of_mx(host: str) -> Provider | None:
    """The provider that takes in mail at a host, or None; for domains of one's own that are its customers'."""
    name = f".{host.strip('.').casefold()}"
    return next((one for one in _TABLE if any(name.endswith(f".{mx}") for mx in one.mx)), None)


def provider_of_server(host: str) -> Provider | None:
    """The provider whose IMAP server that is, or None."""
    return next((one for one in _TABLE if one.imap.host == host.strip(".").casefold()), None)


def is_loopback(host: str) -> bool:
    """Whether that is this machine, by its name alone; only there may a connection go without encryption."""
    if host.casefold() in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _tls(host: str, port: int = 993) -> Endpoint:
    return Endpoint(host, port, "tls")


def _smtps(host: str) -> Endpoint:
    return Endpoint(host, 465, "tls")


def _starttls(host: str, port: int = 587) -> Endpoint:
    return Endpoint(host, port, "starttls")


_APP_PASSWORD = "{} wants an app password here, not the one of its web page: {}."
_OAUTH = "Microsoft takes no passwords over IMAP any more: give an access token with --auth oauth."

_TABLE = (
    Provider(
        id="gmail",
        title="Gmail",
        domains=("gmail.com", "googlemail.com"),
        imap=_tls("imap.gmail.com"),
        smtp=_smtps("smtp.gmail.com"),
        files_sent=True,
        note=_APP_PASSWORD.format("Google", "myaccount.google.com/apppasswords")
        + " --provider gmail logs in at Google instead.",
        mx=("google.com", "googlemail.com"),
    ),
    Provider(
        id="outlook",
        title="Outlook.com",
        domains=(
            "outlook.com", "outlook.de", "outlook.fr", "outlook.es", "outlook.it",
            "hotmail.com", "hotmail.co.uk", "hotmail.de", "hotmail.fr", "hotmail.es", "hotmail.it",
            "live.com", "live.co.uk", "live.de", "live.fr", "live.nl", "msn.com",
        ),
        imap=_tls("outlook.office365.com"),
        smtp=_starttls("smtp-mail.outlook.com"),
        files_sent=True,
        note=_OAUTH,
    ),
    Provider(
        id="microsoft365",
        title="Microsoft 365",
        domains=(".onmicrosoft.com",),
        imap=_tls("outlook.office365.com"),
        smtp=_starttls("smtp.office365.com"),
        files_sent=True,
        note=_OAUTH,
        mx=("mail.protection.outlook.com", "mx.microsoft"),
    ),
    Provider(
        id="yahoo",
        title="Yahoo Mail",
        domains=(
            "yahoo.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr", "yahoo.es", "yahoo.it", "yahoo.ca",
            "yahoo.com.br", "yahoo.com.au", "yahoo.co.in", "yahoo.in", "ymail.com", "rocketmail.com",
        ),
        imap=_tls("imap.mail.yahoo.com"),
        smtp=_smtps("smtp.mail.yahoo.com"),
        note=_APP_PASSWORD.format("Yahoo", "Account Security, Generate app password"),
    ),
    Provider(
        id="aol",
        title="AOL Mail",
        domains=("aol.com", "aim.com"),
        imap=_tls("imap.aol.com"),
        smtp=_smtps("smtp.aol.com"),
        note=_APP_PASSWORD.format("AOL", "Account Security, Generate app password"),
    ),
    Provider(
        id="verizon",
        title="Verizon",
        domains=("verizon.net",),
        imap=_tls("imap.aol.com"),
        smtp=_smtps("smtp.verizon.net"),
        note=_APP_PASSWORD.format("Verizon", "AOL's Account Security, Generate app password"),
    ),
    Provider(
        id="fastmail",
        title="Fastmail",
        domains=("fastmail.com", "fastmail.fm", "fastmail.de", "fastmail.net", "messagingengine.com"),
        imap=_tls("imap.fastmail.com"),
        smtp=_smtps("smtp.fastmail.com"),
        note=_APP_PASSWORD.format("Fastmail", "Settings, Privacy & Security, App passwords"),
        mx=("messagingengine.com",),
    ),
    Provider(
        id="icloud",
        title="iCloud Mail",
        domains=("icloud.com", "me.com", "mac.com"),
        imap=_tls("imap.mail.me.com"),
        smtp=_starttls("smtp.mail.me.com"),
        note=_APP_PASSWORD.format("Apple", "account.apple.com, App-Specific Passwords"),
        mx=("mail.icloud.com",),
    ),
    Provider(
        id="gmx",
        title="GMX",
        domains=("gmx.net", "gmx.de", "gmx.at", "gmx.ch"),
        imap=_tls("imap.gmx.net"),
        smtp=_smtps("mail.gmx.net"),
        note="GMX lets mail programs in once POP3 and IMAP are switched on in its mail settings.",
    ),
    Provider(
        id="gmx.com",
        title="GMX.com",
        domains=("gmx.com", "gmx.us", "gmx.co.uk"),
        imap=_tls("imap.gmx.com"),
        smtp=_smtps("mail.gmx.com"),
        note="GMX lets mail programs in once POP3 and IMAP are switched on in its mail settings.",
    ),
    Provider(
        id="web.de",
        title="WEB.DE",
        domains=("web.de",),
        imap=_tls("imap.web.de"),
        smtp=_starttls("smtp.web.de"),
        note="WEB.DE lets mail programs in once POP3 and IMAP are switched on in its mail settings.",
    ),
    Provider(
        id="t-online",
        title="Telekom Mail",
        domains=("t-online.de", "magenta.de"),
        imap=_tls("secureimap.t-online.de"),
        smtp=_smtps("securesmtp.t-online.de"),
        note="Telekom wants the password for mail programs here, from its customer centre.",
    ),
    Provider(
        id="zoho",
        title="Zoho Mail",
        domains=("zoho.com", "zohomail.com"),
        imap=_tls("imap.zoho.com"),
        smtp=_smtps("smtp.zoho.com"),
        mx=("zoho.com",),
    ),
    Provider(
        id="zoho.eu",
        title="Zoho Mail (Europe)",
        domains=("zoho.eu", "zohomail.eu"),
        imap=_tls("imap.zoho.eu"),
        smtp=_smtps("smtp.zoho.eu"),
        mx=("zoho.eu",),
    ),
    Provider(
        id="yandex",
        title="Yandex Mail",
        domains=("yandex.ru", "yandex.com", "yandex.by", "yandex.kz", "ya.ru"),
        imap=_tls("imap.yandex.com"),
        smtp=_smtps("smtp.yandex.com"),
        note=_APP_PASSWORD.format("Yandex", "id.yandex.com, App passwords"),
        mx=("yandex.net", "yandex.ru"),
    ),
    Provider(
        id="mail.ru",
        title="Mail.ru",
        domains=("mail.ru", "inbox.ru", "list.ru", "bk.ru", "internet.ru"),
        imap=_tls("imap.mail.ru"),
        smtp=_smtps("smtp.mail.ru"),
        note=_APP_PASSWORD.format("Mail.ru", "account.mail.ru, Passwords for external applications"),
        mx=("mail.ru",),
    ),
    Provider(
        id="mailbox.org",
        title="mailbox.org",
        domains=("mailbox.org",),
        imap=_tls("imap.mailbox.org"),
        smtp=_smtps("smtp.mailbox.org"),
        mx=("mailbox.org",),
    ),
    Provider(
        id="posteo",
        title="Posteo",
        domains=("posteo.de", "posteo.net", "posteo.org", "posteo.eu", "posteo.at", "posteo.ch"),
        imap=_tls("posteo.de"),
        smtp=_smtps("posteo.de"),
    ),
    Provider(
        id="proton",
        title="Proton Mail",
        domains=("proton.me", "protonmail.com", "protonmail.ch", "pm.me"),
        imap=_starttls("127.0.0.1", 1143),
        smtp=_starttls("127.0.0.1", 1025),
        files_sent=True,
        note="Proton Mail needs Proton Bridge running on this machine; the password is the one Bridge shows.",
        mx=("protonmail.ch",),
    ),
    Provider(
        id="runbox",
        title="Runbox",
        domains=("runbox.com",),
        imap=_tls("mail.runbox.com"),
        smtp=_smtps("mail.runbox.com"),
        mx=("runbox.com",),
    ),
    Provider(
        id="orange",
        title="Orange",
        domains=("orange.fr", "wanadoo.fr"),
        imap=_tls("imap.orange.fr"),
        smtp=_smtps("smtp.orange.fr"),
    ),
    Provider(
        id="free.fr",
        title="Free",
        domains=("free.fr",),
        imap=_tls("imap.free.fr"),
        smtp=_smtps("smtp.free.fr"),
    ),
    Provider(
        id="laposte",
        title="La Poste",
        domains=("laposte.net",),
        imap=_tls("imap.laposte.net"),
        smtp=_smtps("smtp.laposte.net"),
    ),
    Provider(
        id="seznam",
        title="Seznam",
        domains=("seznam.cz", "email.cz", "post.cz"),
        imap=_tls("imap.seznam.cz"),
        smtp=_smtps("smtp.seznam.cz"),
    ),
    Provider(
        id="comcast",
        title="Xfinity",
        domains=("comcast.net",),
        imap=_tls("imap.comcast.net"),
        smtp=_smtps("smtp.comcast.net"),
    ),
)  # fmt: skip

PROVIDERS = {provider.id: provider for provider in _TABLE}
"""Every provider by its id."""

_BY_DOMAIN = {
    domain: provider
    for provider in _TABLE
    for domain in provider.domains
    if not domain.startswith(".")
}  # fmt: skip
_BY_SUFFIX = {
    domain: provider for provider in _TABLE for domain in provider.domains if domain.startswith(".")
}
