"""Names that phishing likes to borrow, and their owners' domains (`data/brands.txt`). Used by `lookalikes`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from gaia_email_registry.tables import read_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Brand:
    """A brand; `common` is True if its name is also an ordinary word."""

    name: str
    domains: frozenset[str]
    common: bool


@lru_cache(maxsize=1)
def brands() -> dict[str, Brand]:
    """Return brand name (lower case, no spaces) → brand."""
    found: dict[str, Brand] = {}
    for line in read_lines("gaia_understanding.cascade", "brands.txt"):
        name, _, rest = line.partition(":")
        words = rest.split()
        domains = frozenset(word for word in words if word != "~")
        if name in found:
            domains |= found[name].domains
        found[name] = Brand(name=name, domains=domains, common="~" in words)
    return found


@lru_cache(maxsize=1)
def brand_domains() -> frozenset[str]:
    """Return every real domain of every brand."""
    return frozenset(domain for brand in brands().values() for domain in brand.domains)
