"""Organisational domains and free-mail providers. Entry: `organisational_domain`, `is_free_mail`.

Which names organisations register is the Public Suffix List's (https://publicsuffix.org), as its package brings it: no
network is asked. What it lacks, and where anybody can have an address, are lists in `data/`.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from gaia_email_registry.tables import read_lines

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=4096)
def organisational_domain(host: str) -> str:
    """The domain an organisation registered, of a host name in any case: `mail.example.co.uk` → `example.co.uk`.

    A name that is itself a suffix, an address literal or empty comes back as it is (lower case).
    """
    name = host.lower().strip(".")
    labels = name.split(".")
    if len(labels) <= 2 or labels[-1].isdigit() or "" in labels:
        return name
    if ".".join(labels[-2:]) in _listed("shared_hosts.txt"):
        return ".".join(labels[-3:])
    return _suffixes().privatesuffix(name) or name


def is_free_mail(domain: str) -> bool:
    """Whether anybody can have an address at `domain`, so that it says nothing about an organisation."""
    free = _listed("free_mail.txt")
    return domain in free or organisational_domain(domain) in free


def domain_of(address: str) -> str:
    """The part after the last `@`, lower case; empty when there is none."""
    return address.rpartition("@")[2].lower().strip(".>") if "@" in address else ""


@cache
def _suffixes() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(read_lines("gaia_mail", name))
