"""Checks for problems on this machine, one function each. Entries: `CheckFinding`, `LOCAL`, `check_account`.

A check yields its findings, good or bad, and raises nothing: a failed check is a finding itself.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from gaia_email.app.accounts.connect_files import files_of
from gaia_email.document import Document
from gaia_email.mailbox.client import open_mail
from gaia_email.mailbox.ref import MailboxRef
from gaia_email_registry import settings
from gaia_email_registry.accounts import Account, read_accounts
from gaia_email_registry.egress.rows import ledger_file
from gaia_email_registry.errors import MailError, NeedsAuth
from gaia_email_registry.paths import home
from gaia_email_registry.private_file import open_to_others
from gaia_email_registry.vault import KeyringVault

LEAST_FREE = 200_000_000
"""Minimum free bytes on the data directory's disk; the copy of a mailbox grows by some kilobytes per message."""

_PRIVATE = frozenset({".json", ".jsonl", ".db", ".sqlite"})

MOST_AHEAD_S = 120.0
"""Maximum number of seconds that the newest of our own records may be ahead of the clock."""


class CheckFinding(Document, frozen=True, kw_only=True):
    """One finding.

    Attributes:
        check: The subject of the check, in a word or two.
        ok: True if everything is as it should be.
        says: The finding, as a sentence.
        mend: The remedy: a command or an instruction; empty if none is needed.
    """

    check: str
    ok: bool
    says: str
    mend: str = ""


Check = Callable[[Mapping[str, str]], Iterator[CheckFinding]]


def data_directory(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check that the data directory is writable, has space, and is private."""
    place = home(environ)
    if not place.exists():
        yield CheckFinding(check="data directory", ok=True, says=f"{place} is made when something is kept.")
        return
    if not os.access(place, os.W_OK | os.X_OK):
        yield CheckFinding(
            check="data directory", ok=False, says=f"{place} cannot be written.", mend=f"chmod u+rwx {place}"
        )
        return
    free = shutil.disk_usage(place).free
    if free < LEAST_FREE:
        yield CheckFinding(
            check="disk",
            ok=False,
            says=f"Only {free // 1_000_000:,} MB are free where {place} is.",
            mend="gaia email purge --mail deletes the copy of mail; the next search makes it again",
        )
    else:
        yield CheckFinding(check="disk", ok=True, says=f"{free // 1_000_000:,} MB are free where {place} is.")


def file_modes(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check that others on this machine cannot read our files."""
    place = home(environ)
    if not place.exists():
        return
    files = (path for path in (place, *sorted(place.rglob("*"))) if not path.is_symlink())
    exposed = [path for path in files if _is_exposed(path)]
    if not exposed:
        yield CheckFinding(check="file modes", ok=True, says=f"Only you can read what is in {place}.")
    for path in exposed[:5]:
        yield CheckFinding(
            check="file modes",
            ok=False,
            says=f"Others on this machine can read {path}.",
            mend=f"chmod go-rwx {path}",
        )


def _is_exposed(path: Path) -> bool:
    """True for directories, and for files with secrets, mail, connections or actions, that others can read."""
    private = path.name.startswith("vault") or path.name == "http-token" or path.suffix in _PRIVATE
    try:
        return (path.is_dir() or private) and open_to_others(path)
    except OSError:
        return False


def egress(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check that connections can be counted and recorded."""
    path = ledger_file(environ)
    if path.exists() and not (path.is_file() and os.access(path, os.R_OK | os.W_OK)):
        yield CheckFinding(
            check="egress ledger",
            ok=False,
            says=f"Connections are not written down: {path} cannot be written.",
            mend=f"chmod u+rw {path}" if path.is_file() else f"move {path} away",
        )
    elif home(environ).exists():
        yield CheckFinding(
            check="egress ledger", ok=True, says="Every connection is written down: gaia email egress."
        )


def passwords(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check that passwords can be read from the place where they are stored."""
    choice = settings.value("GAIA_VAULT", {}, environ) or "auto"
    keyring = KeyringVault()
    if choice == "file" or (choice == "auto" and not keyring.available()):
        why = "GAIA_VAULT=file" if choice == "file" else "there is no keyring here"
        yield CheckFinding(
            check="passwords",
            ok=True,
            says=f"They are kept in an encrypted file in {home(environ)}, its key beside it ({why}).",
        )
        return
    if not keyring.available():
        yield CheckFinding(
            check="passwords",
            ok=False,
            says="GAIA_VAULT=keyring, but there is no keyring here.",
            mend="unset GAIA_VAULT, and connect the accounts again",
        )
        return
    try:
        keyring.get(f"{KeyringVault.PREFIX}gaia-email-doctor")
    except NeedsAuth:
        yield CheckFinding(
            check="passwords", ok=True, says="They are kept in the system's keyring, which answers."
        )
    except MailError as error:
        yield CheckFinding(
            check="passwords", ok=False, says=error.message, mend=error.hint or "unlock the keyring"
        )
    else:
        yield CheckFinding(
            check="passwords", ok=True, says="They are kept in the system's keyring, which answers."
        )


def clock(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check that this machine's clock is not behind our own records; deadlines and undo rely on it."""
    place = home(environ) / "email"
    newest = max((path.stat().st_mtime for path in place.glob("*.db")), default=0.0)
    ahead = newest - time.time()
    if ahead > MOST_AHEAD_S:
        yield CheckFinding(
            check="clock",
            ok=False,
            says=f"The ledger was written {ahead / 60:.0f} minutes in the future by this clock.",
            mend="set the clock of this machine (timedatectl set-ntp true)",
        )
    else:
        yield CheckFinding(check="clock", ok=True, says="The clock is not behind anything that was recorded.")


def accounts_list(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    """Check that the list of accounts can be read and is not empty."""
    try:
        found = read_accounts(environ)
    except MailError as error:
        yield CheckFinding(
            check="accounts",
            ok=False,
            says=error.message,
            mend=error.hint or "mend the file, or connect again",
        )
        return
    if not found:
        yield CheckFinding(
            check="accounts", ok=True, says="No mailbox is connected yet.", mend="gaia email connect"
        )
        return
    off = [one.id for one in found if not one.enabled]
    told = f"; {', '.join(off)} switched off" if off else ""
    yield CheckFinding(check="accounts", ok=True, says=f"{len(found)} connected{told}.")


LOCAL: tuple[Check, ...] = (data_directory, file_modes, egress, passwords, clock, accounts_list)
"""Checks that contact nobody."""


def _again(account: Account) -> str:
    """Return the command that renews the account's login."""
    if account.is_forwarded:
        return f"have the host that forwarded the login of {account.address} forward it again"
    return f"gaia email connect --email {account.address}"


async def check_account(account: Account, environ: Mapping[str, str]) -> CheckFinding:
    """Check that the account can be opened now; contacts its server, and changes nothing."""
    name = f"login {account.id}"
    if not account.enabled:
        return CheckFinding(check=name, ok=True, says="It is switched off, and was not asked.")
    place = files_of(account) or MailboxRef(kind="account", path=account.id, server=account.server)
    try:
        async with open_mail(place.reading(environ)) as mail:
            status = await mail.status()
    except MailError as error:
        again = _again(account) if account.secret else ""
        mend = again if isinstance(error, NeedsAuth) else error.hint or again
        return CheckFinding(check=name, ok=False, says=error.message, mend=mend or "try again later")
    if status["errors"] or not status["connected"]:
        says = "; ".join(status["errors"]) or "The server does not answer."
        return CheckFinding(check=name, ok=False, says=says, mend=_again(account))
    return CheckFinding(check=name, ok=True, says="The mailbox opens.")
