"""Prints the libraries this program runs with, and their licences. Entry: `print_licences`."""

from __future__ import annotations

from dataclasses import asdict

from gaia_email.app.documents.upkeep import licences_document
from gaia_email.app.services.licences import licences
from gaia_email.interfaces.cli.output import console, write_json
from gaia_mail.printable import visible


def print_licences(*, as_json: bool) -> None:
    """A line a library, or one JSON document."""
    found = licences()
    if as_json:
        write_json(licences_document([asdict(one) for one in found]))
        return
    width = max(len(one.name) + len(one.version) for one in found) + 2
    for one in found:
        said = one.licence or f"not said; see {one.url}"
        console().print(
            visible(f"{f'{one.name} {one.version}':{width}} {said}"), soft_wrap=True, markup=False
        )
