"""Accounts of mutt and neomutt, and of the files they source. Entry: `collect`.

Nothing is run, so output of commands, in backticks or after `source "command|"`, is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from gaia_email_registry.discovery.machine import AccountTrace, Machine, first_address
from gaia_email_registry.discovery.servers import endpoint_of_url, servers

MOST_DEEP = 5
MOST_FILES = 20

_LINE = re.compile(r"^[ \t]*(set|source)[ \t]+(.+)$", re.MULTILINE)
_VALUE = r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[^\s\"'#;]+"
_SET = re.compile(rf"([A-Za-z_][\w-]*)[ \t]*=[ \t]*({_VALUE})")
_FIRST = re.compile(_VALUE)
_NAME = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_WHERE_MAIL_IS = ("folder", "spoolfile", "spool_file")


def collect(machine: Machine) -> Iterator[AccountTrace]:
    """Yield the account of the first file, then those of the files it sources."""
    home, config = machine.home, machine.config
    for path in (
        home / ".muttrc",
        home / ".mutt/muttrc",
        home / ".neomuttrc",
        config("mutt", "muttrc"),
        config("neomutt", "neomuttrc"),
    ):
        files: dict[Path, dict[str, str]] = {}
        _read(machine, path, files, 0)
        own = [file for file, values in files.items() if _address(values)]
        together = {name: value for values in files.values() for name, value in values.items()}
        for file in own:
            yield from _account(machine, file, together if len(own) == 1 else files[file])


def _read(machine: Machine, path: Path, files: dict[Path, dict[str, str]], depth: int) -> None:
    """Read a file and the files it sources, each once, up to a sensible depth."""
    if depth > MOST_DEEP or len(files) >= MOST_FILES or path in files:
        return
    values = files.setdefault(path, {})
    for command, rest in _LINE.findall(machine.read(path)):
        if command == "set":
            for name, value in _SET.findall(rest):
                if "`" not in value:
                    values[name] = _NAME.sub(
                        lambda found: values.get(found[1] or found[2], ""), value.strip("\"'")
                    )
        elif (file := _FIRST.match(rest)) and "|" not in rest and "`" not in rest:
            name = file.group().strip("\"'")
            under_home = machine.home / name[2:] if name.startswith("~/") else path.parent / name
            _read(machine, under_home, files, depth + 1)


def _address(values: Mapping[str, str]) -> str:
    return first_address(values.get(name, "") for name in ("from", "imap_user"))


def _account(machine: Machine, path: Path, values: Mapping[str, str]) -> Iterator[AccountTrace]:
    places = [endpoint_of_url("imap", values.get(name, "")) for name in _WHERE_MAIL_IS]
    imap, in_url = next((place for place in places if place[0]), (None, ""))
    smtp, _ = endpoint_of_url("smtp", values.get("smtp_url", ""))
    told = servers(imap, smtp, values.get("imap_user") or in_url)
    yield from machine.signals("mutt", path, _address(values), servers=told)
