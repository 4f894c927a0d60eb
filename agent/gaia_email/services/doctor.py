"""Looks at everything that can be wrong on this side, and names the command that mends it. Entry: `examine`."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from gaia_email.accounts.certificates import check_certificate, endpoints_of
from gaia_email.accounts.checks import LOCAL, Finding, check_account
from gaia_email.policy_store import has_ledger, held
from gaia_email.runs.files import has_runs
from gaia_email.services.upkeep import check_ledger
from gaia_email_registry.accounts import Account, read_accounts
from gaia_email_registry.client_files import CLIENTS, client_file
from gaia_email_registry.errors import MailError

OURS = "gaia-"
"""What the names of our programs begin with."""


def examine(environ: Mapping[str, str] = os.environ, *, offline: bool = False) -> list[Finding]:
    """Everything that was looked at, in the order in which one would mend it. Nothing is changed.

    Args:
        environ: Whose data directory and home are looked at.
        offline: Whether no server is asked.
    """
    found = [finding for check in LOCAL for finding in check(environ)]
    found += _ledger(environ)
    found += _runs(environ)
    found += _clients(environ)
    if not offline:
        found += asyncio.run(_accounts(environ))
    return found


def _ledger(environ: Mapping[str, str]) -> Iterator[Finding]:
    if not has_ledger(environ):
        yield Finding(check="ledger", ok=True, says="There is none yet.")
        return
    try:
        found = check_ledger()
    except MailError as error:
        yield Finding(check="ledger", ok=False, says=error.message, mend=error.hint or "gaia email export")
        return
    if found.intact:
        yield Finding(check="ledger", ok=True, says=f"{found.events:,} events, each as it was written.")
    else:
        broken = f"Event {found.broken[0]} is broken: {found.broken[1]}." if found.broken else ""
        says = " ".join(filter(None, (broken, found.database)))
        yield Finding(
            check="ledger",
            ok=False,
            says=says,
            mend="gaia email export, then put a backup back (docs/ledger.md)",
        )
    try:
        reason = held(environ)
    except MailError as error:
        yield Finding(
            check="rules", ok=False, says=error.message, mend=error.hint or "gaia email policy list"
        )
    else:
        if reason:
            yield Finding(check="switches", ok=True, says=reason)


def _runs(environ: Mapping[str, str]) -> Iterator[Finding]:
    if not has_runs(environ):
        return
    from gaia_email.runs.engine import executing
    from gaia_email.runs.history import schedules

    try:
        planned = [one for one in schedules(environ) if one.active]
        with executing(environ) as nobody:
            is_worked = not nobody
    except MailError as error:
        yield Finding(check="schedule", ok=False, says=error.message, mend=error.hint or "gaia email runs")
        return
    if planned and not is_worked:
        yield Finding(
            check="schedule",
            ok=False,
            says=f"{len(planned)} scheduled, and no worker runs them.",
            mend="gaia email worker",
        )
    elif planned:
        yield Finding(check="schedule", ok=True, says=f"{len(planned)} scheduled, and a worker runs them.")


def _clients(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether the programs that MCP clients start for us are still where their files say."""
    home = Path(environ.get("HOME") or Path.home())
    for name, client in CLIENTS.items():
        for entry, command in _entries(client_file(name, home, sys.platform), client.section):
            if not Path(command).name.startswith(OURS):
                continue
            if shutil.which(command, path=environ.get("PATH")) is None:
                yield Finding(
                    check=client.title,
                    ok=False,
                    says=f"Its server {entry} starts {command}, which is not there.",
                    mend=f"gaia email servers install {name}",
                )
            else:
                yield Finding(check=client.title, ok=True, says=f"Its server {entry} can be started.")


def _entries(path: Path, section: str) -> Iterator[tuple[str, str]]:
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        servers = kept.get(section, {})
        yield from ((str(name), str(one["command"])) for name, one in servers.items() if "command" in one)
    except (OSError, ValueError, AttributeError, TypeError, KeyError):
        return  # another program's file, in whatever state it is


async def _accounts(environ: Mapping[str, str]) -> list[Finding]:
    try:
        accounts = read_accounts(environ)
    except MailError:
        return []  # told already
    found = await asyncio.gather(*(_account(one) for one in accounts))
    return [finding for some in found for finding in some]


async def _account(account: Account) -> list[Finding]:
    found = [await check_account(account)]
    if account.enabled and account.server == "imap":
        found += await asyncio.gather(
            *(asyncio.to_thread(check_certificate, where) for where in endpoints_of(account))
        )
    return found
