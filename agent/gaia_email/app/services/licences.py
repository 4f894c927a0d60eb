"""The installed libraries that this program uses, and their licences. Entry: `licences`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from gaia_email.document import Document

DISTRIBUTION = "gaia-email"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CLASSIFIER = "License :: "
_LONGEST = 60
"""Maximum length of a licence name; a longer `License` field contains the whole text instead."""


class Licence(Document, frozen=True, kw_only=True):
    """A library; `licence` is an SPDX expression if its metadata has one, and empty if it names no licence."""

    name: str
    version: str
    licence: str
    url: str


class LicenceList(Document, frozen=True, kw_only=True):
    """Name, version, licence and home page of every library."""

    licenses: list[Licence]


def licences() -> list[Licence]:
    """Return this program and every installed library that it needs, by name."""
    found: dict[str, Licence] = {}
    wanted = [DISTRIBUTION]
    while wanted:
        name = _canonical(wanted.pop())
        if name in found:
            continue
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue  # belongs to an extra that is not installed, or to another system
        found[name] = _licence(installed)
        wanted += _requirements(installed)
    return sorted(found.values(), key=lambda one: one.name.lower())


def _requirements(installed: Distribution) -> Iterator[str]:
    """Return the requirements of a distribution; only our own extras are ever installed on purpose."""
    ours = _canonical(installed.metadata["Name"]) == DISTRIBUTION
    for line in installed.requires or ():
        match = _NAME.match(line)
        if match and (ours or "extra ==" not in line):
            yield match[0]


def _licence(installed: Distribution) -> Licence:
    said = next(filter(None, [*_fields(installed, "License-Expression"), *_fields(installed, "License")]), "")
    if not said or len(said) > _LONGEST or "\n" in said:
        classified = [line for line in _fields(installed, "Classifier") if line.startswith(_CLASSIFIER)]
        said = ", ".join(line.rpartition(" :: ")[2] for line in classified)
    name = installed.metadata["Name"]
    return Licence(name=name, version=installed.version, licence=said, url=_url(installed))


def _url(installed: Distribution) -> str:
    homes = [line.partition(", ")[2] for line in _fields(installed, "Project-URL")]
    return next(iter([*_fields(installed, "Home-page"), *homes]), "")


def _fields(installed: Distribution, name: str) -> list[str]:
    return [str(value) for value in installed.metadata.get_all(name) or ()]


def _canonical(name: str) -> str:
    """Normalize a name as PEP 503 requires."""
    return re.sub(r"[-_.]+", "-", name).lower()
