"""The libraries this program runs with, and their licences, as they are installed. Entry: `licences`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution

from gaia_email.document import Document

DISTRIBUTION = "gaia-email"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_CLASSIFIER = "License :: "
_LONGEST = 60
"""A `License` field is longer where it holds the whole text instead of a name."""


class Licence(Document, frozen=True, kw_only=True):
    """One library: `licence` is an SPDX expression where its metadata has one; empty where they say nothing."""

    name: str
    version: str
    licence: str
    url: str


class LicenceList(Document, frozen=True, kw_only=True):
    """Name, version, licence and page of every library."""

    licenses: list[Licence]


def licences() -> list[Licence]:
    """This program, and every library that it needs and that is installed, by name."""
    found: dict[str, Licence] = {}
    wanted = [DISTRIBUTION]
    while wanted:
        name = _canonical(wanted.pop())
        if name in found:
            continue
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue  # of an extra that is not installed, or for another system
        found[name] = _licence(installed)
        wanted += _requirements(installed)
    return sorted(found.values(), key=lambda one: one.name.lower())


def _requirements(installed: Distribution) -> Iterator[str]:
    """What it needs itself; of extras, only ours are ever installed on purpose."""
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
    """As PEP 503 writes it."""
    return re.sub(r"[-_.]+", "-", name).lower()
