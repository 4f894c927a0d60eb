"""Prints this program's libraries and their licences. Entry: `print_licences`."""

from __future__ import annotations

from gaia_email.app.services.licences import LicenceList, licences
from gaia_email.document import answer_of
from gaia_email.interfaces.cli.output import console, write_json
from gaia_mail.printable import visible


def print_licences(*, as_json: bool) -> None:
    """Print one line per library, or one JSON document."""
    found = licences()
    if as_json:
        write_json(answer_of(LicenceList(licenses=found)))
        return
    width = max(len(one.name) + len(one.version) for one in found) + 2
    for one in found:
        said = one.licence or f"not said; see {one.url}"
        console().print(
            visible(f"{f'{one.name} {one.version}':{width}} {said}"), soft_wrap=True, markup=False
        )
