"""Searches a machine for mail accounts and ranks the results. Entry: `discover`.

All collectors run in parallel; a failing or late one loses only its own results.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from gaia_email_registry.discovery import (
    apple_mail,
    declared,
    desktop_mail,
    gnome,
    himalaya,
    mutt,
    terminal_mail,
    thunderbird,
)
from gaia_email_registry.discovery.machine import AccountTrace, Confidence, Machine
from gaia_email_registry.providers import AccountServers, provider_of

DEADLINE_S = 1.5

Collector = Callable[[Machine], Iterable[AccountTrace]]

COLLECTORS: tuple[Collector, ...] = (
    declared.mcp_clients,
    apple_mail.collect,
    thunderbird.collect,
    gnome.online_accounts,
    gnome.evolution,
    desktop_mail.collect,
    terminal_mail.collect,
    mutt.collect,
    himalaya.collect,
    declared.environment,
    declared.git,
)

_ORDER: dict[Confidence, int] = {"very high": 0, "high": 1, "medium": 2}

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
"""Programs that handle mailto links, by a word in the name of their desktop file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountCandidate:
    """An account that can be connected.

    Attributes:
        address: Its address.
        provider: The provider's id; empty if the domain alone does not identify it.
        confidence: Confidence of the best trace.
        signals: All traces, the best first.
        servers: The mail servers in the best trace that has any; None if no trace has any.
        aliases: Other addresses of its owner, from all traces.
    """

    address: str
    provider: str
    confidence: Confidence
    signals: tuple[AccountTrace, ...]
    servers: AccountServers | None = None
    aliases: tuple[str, ...] = ()


def discover(
    machine: Machine, collectors: Sequence[Collector] = COLLECTORS, deadline_s: float = DEADLINE_S
) -> tuple[AccountCandidate, ...]:
    """Return the accounts on a machine, the likeliest first. Sends nothing and never raises."""
    found: list[list[AccountTrace]] = [[] for _ in collectors]
    threads = [
        threading.Thread(target=_collect, args=(collector, machine, signals), daemon=True)
        for collector, signals in zip(collectors, found, strict=True)
    ]
    until = time.monotonic() + deadline_s
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
    return _rank([signal for signals in found for signal in tuple(signals)], _opener(machine))


def _opener(machine: Machine) -> str:
    """Return the program that handles mailto links, or an empty string (XDG MIME applications specification)."""
    for path in (machine.config("mimeapps.list"), machine.home / ".local/share/applications/mimeapps.list"):
        chosen = machine.sections(path).get("Default Applications", {}).get("x-scheme-handler/mailto", "")
        for word, source in _PROGRAMS.items():
            if word in chosen.lower():
                return source
    return ""


def _collect(collector: Collector, machine: Machine, signals: list[AccountTrace]) -> None:
    try:
        signals.extend(collector(machine))
    except Exception:  # another program's file may be damaged in any way; the other collectors continue
        return


def _rank(signals: Sequence[AccountTrace], first: str) -> tuple[AccountCandidate, ...]:
    """Return one candidate per address, the likeliest first.

    Sorts by the best trace, then candidates of the mailto program first, then by number of programs, then in discovery
    order.
    """
    by_address: dict[str, list[AccountTrace]] = {}
    for signal in signals:
        by_address.setdefault(signal.address.casefold(), []).append(signal)
    candidates = [_candidate(group) for name, group in by_address.items() if not _only_alias(name, signals)]
    return tuple(
        sorted(
            candidates,
            key=lambda one: (
                _ORDER[one.confidence],
                first not in {signal.source for signal in one.signals},
                -len({signal.source for signal in one.signals}),
            ),
        )
    )


def _only_alias(name: str, signals: Sequence[AccountTrace]) -> bool:
    """Return True if a program lists it as an alias, and none reads mail there."""
    read = any(
        one.address.casefold() == name and one.servers is not None and one.servers.imap is not None
        for one in signals
    )
    return not read and any(name == alias.casefold() for one in signals for alias in one.aliases)


def _servers(signals: Sequence[AccountTrace]) -> AccountServers | None:
    known = [one.servers for one in signals if one.servers is not None]
    reading = next((one for one in known if one.imap is not None), None)
    sending = next((one.smtp for one in known if one.smtp is not None), None)
    return replace(reading, smtp=reading.smtp or sending) if reading else next(iter(known), None)


def _candidate(group: Sequence[AccountTrace]) -> AccountCandidate:
    best_first = sorted(dict.fromkeys(group), key=lambda signal: _ORDER[signal.confidence])
    address = best_first[0].address
    known = provider_of(address)
    return AccountCandidate(
        address=address,
        provider=known.id if known else "",
        confidence=best_first[0].confidence,
        signals=tuple(best_first),
        servers=_servers(best_first),
        aliases=tuple(dict.fromkeys(alias for one in best_first for alias in one.aliases)),
    )
