"""Which program opens mail addresses: its accounts come first of those that are known equally well. Entry: `opener`."""

from __future__ import annotations

from gaia_email_registry.discovery.machine import Machine

_PROGRAMS = {
    "thunderbird": "Thunderbird",
    "evolution": "Evolution",
    "geary": "Geary",
    "kmail": "KMail",
    "claws-mail": "Claws Mail",
    "sylpheed": "Sylpheed",
    "mailspring": "Mailspring",
    "mutt": "mutt",
    "aerc": "aerc",
}
"""By a word of the desktop file's name."""


def opener(machine: Machine) -> str:
    """The source whose signals come first, or an empty text. Source: the MIME applications specification (XDG)."""
    for path in (machine.config("mimeapps.list"), machine.home / ".local/share/applications/mimeapps.list"):
        chosen = machine.sections(path).get("Default Applications", {}).get("x-scheme-handler/mailto", "")
        for word, source in _PROGRAMS.items():
            if word in chosen.lower():
                return source
    return ""
