"""Names that phishing likes to borrow, and their owners' domains (`data/brands.txt`). Read by `lookalikes`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gaia_email_registry.tables import read_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """A brand: `common` when its name is an ordinary word, too."""

    name: str
    domains: frozenset[str]
    common: bool


@lru_cache(maxsize=1)
def brands() -> dict[str, Brand]:
    """Brand name (lower case, no spaces) → brand."""
    found: dict[str, Brand] = {}
    for line in read_lines("gaia_email.cascade", "brands.txt"):
        name, _, rest = line.partition(":")
        words = rest.split()
        domains = frozenset(word for word in words if word != "~")
        if name in found:
            domains |= found[name].domains
        found[name] = Brand(name=name, domains=domains, common="~" in words)
    return found


@lru_cache(maxsize=1)
def brand_domains() -> frozenset[str]:
    """Every real domain of every brand."""
    return frozenset(domain for brand in brands().values() for domain in brand.domains)
