"""The choice of a language: the setting's, else the browser's preference. Entry: `chosen_language`."""

from __future__ import annotations

from collections.abc import Mapping

from gaia_email.app.languages.speaking import LANGUAGES, Language

MOST_CHARS = 1_000
"""Maximum number of characters of a header that are read."""


_BY_TAG: Mapping[str, Language] = {str(one): one for one in LANGUAGES}


def chosen_language(setting: str, accept_language: str) -> Language:
    """Return the language of `GAIA_LANGUAGE`, else the best of an `Accept-Language` header (RFC 9110 section 12.5.4).

    Regions are ignored: `de-AT` is German. Without a match, the language is English.
    """
    wanted = [(setting, 2.0), *(_weighted(one) for one in accept_language[:MOST_CHARS].split(","))]
    for tag, weight in sorted(wanted, key=lambda one: -one[1]):
        primary = tag.strip().casefold().replace("_", "-").partition("-")[0]
        if weight > 0 and (found := _BY_TAG.get(primary)):
            return found
    return "en"


def _weighted(part: str) -> tuple[str, float]:
    """Return a language range with its quality value; an invalid value counts as 0."""
    tag, _, quality = part.partition(";")
    name, _, value = quality.replace(" ", "").partition("=")
    if not name:
        return tag, 1.0
    try:
        return tag, min(1.0, float(value)) if name == "q" else 0.0
    except ValueError:
        return tag, 0.0
