"""Accounts that browsers are signed in to, read only if the user enables it. Entry: `collect`.

Chromium and its derivatives name each profile's account in `Local State`, Firefox in `signedInUser.json`. No history,
cookie or stored login is opened.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from gaia_email_registry.discovery.machine import AccountTrace, Machine

_CHROMIUM: Mapping[str, Mapping[str, str]] = {
    "linux": {
        "Chrome": ".config/google-chrome",
        "Chromium": ".config/chromium",
        "Chromium (Snap)": "snap/chromium/common/chromium",
        "Brave": ".config/BraveSoftware/Brave-Browser",
        "Edge": ".config/microsoft-edge",
        "Vivaldi": ".config/vivaldi",
    },
    "darwin": {
        "Chrome": "Library/Application Support/Google/Chrome",
        "Chromium": "Library/Application Support/Chromium",
        "Brave": "Library/Application Support/BraveSoftware/Brave-Browser",
        "Edge": "Library/Application Support/Microsoft Edge",
        "Vivaldi": "Library/Application Support/Vivaldi",
    },
    "win32": {
        "Chrome": "AppData/Local/Google/Chrome/User Data",
        "Chromium": "AppData/Local/Chromium/User Data",
        "Brave": "AppData/Local/BraveSoftware/Brave-Browser/User Data",
        "Edge": "AppData/Local/Microsoft/Edge/User Data",
        "Vivaldi": "AppData/Local/Vivaldi/User Data",
    },
}
_FIREFOX: Mapping[str, tuple[str, ...]] = {
    "linux": (
        ".mozilla/firefox",
        "snap/firefox/common/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/.mozilla/firefox",
    ),
    "darwin": ("Library/Application Support/Firefox/Profiles",),
    "win32": ("AppData/Roaming/Mozilla/Firefox/Profiles",),
}


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the account of every profile that has one."""
    for source, folder in _CHROMIUM.get(machine.platform, _CHROMIUM["linux"]).items():
        path = machine.home / folder / "Local State"
        profiles = _within(_object(machine, path), "profile", "info_cache")
        for profile in profiles.values():
            yield from _signed_in(machine, source, path, _within(profile).get("user_name"))
    for folder in _FIREFOX.get(machine.platform, _FIREFOX["linux"]):
        for path in machine.files(machine.home / folder, "*/signedInUser.json"):
            account = _within(_object(machine, path), "accountData")
            yield from _signed_in(machine, "Firefox", path, account.get("email"))


def _object(machine: Machine, path: Path) -> object:
    try:
        return json.loads(machine.read(path) or "{}")
    except (ValueError, RecursionError):
        return {}


def _within(value: object, *names: str) -> Mapping[str, object]:
    """Return the nested object under these names; empty if there is none."""
    for name in names:
        value = cast("Mapping[str, object]", value).get(name) if isinstance(value, dict) else None
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def _signed_in(machine: Machine, source: str, path: Path, name: object) -> tuple[AccountTrace, ...]:
    return machine.signals(source, path, name, confidence="medium") if isinstance(name, str) else ()
