"""Organisational domains and free-mail providers. Entry: `organisational_domain`, `is_free_mail`.

Registered domains come from the Public Suffix List (https://publicsuffix.org) as shipped with its package, without
network access. Lists in `data/` add missing suffixes and the domains at which anyone can have an address.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from gaia_email_registry.tables import read_lines

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=4096)
def organisational_domain(host: str) -> str:
    """Return the domain an organisation registered for a host name: `mail.example.co.uk` → `example.co.uk`.

    A public suffix, an address literal or an empty name is returned unchanged, in lower case.
    """
    name = host.lower().strip(".")
    labels = name.split(".")
    if len(labels) <= 2 or labels[-1].isdigit() or "" in labels:
        return name
    if ".".join(labels[-2:]) in _read_list("shared_hosts.txt"):
        return ".".join(labels[-3:])
    return _suffixes().privatesuffix(name) or name


def is_free_mail(domain: str) -> bool:
    """Return True if anyone can have an address at `domain`, so that it does not identify an organisation."""
    free = _read_list("free_mail.txt")
    return domain in free or organisational_domain(domain) in free


def domain_of(address: str) -> str:
    """Return the part after the last `@` in lower case; empty if there is none."""
    return address.rpartition("@")[2].lower().strip(".>") if "@" in address else ""


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


@cache
def _read_list(name: str) -> frozenset[str]:
    return frozenset(read_lines("gaia_mail", name))
