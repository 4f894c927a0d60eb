"""Checks everything that can be wrong on this machine, and suggests commands to fix it. Entry: `examine`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from gaia_email.app import App
from gaia_email.app.accounts.certificates import check_certificate, endpoints_of, trusted_by
from gaia_email.app.accounts.checks import LOCAL, CheckFinding, check_account
from gaia_email.app.accounts.mail_dns import MailDns
from gaia_email.app.accounts.provider_checks import check_clock, check_mx, web_host
from gaia_email.app.services.program_checks import clients
from gaia_email.app.services.upkeep import check_ledger
from gaia_email.document import Count, Document
from gaia_email.ledger.policy_store import explain_hold, has_ledger
from gaia_email.runs.files import has_runs
from gaia_email.triage.tiers import has_models
from gaia_email_registry.accounts import Account, read_accounts
from gaia_email_registry.errors import MailError
from gaia_email_registry.providers import Endpoint

LOCAL_SERVER = "local"
"""The server of accounts that are mail files, which have no remote server to check."""


class Examination(Document, frozen=True, kw_only=True):
    """All findings, and the number of problems."""

    wrong: Count
    findings: list[CheckFinding]


def examine(app: App, *, offline: bool = False) -> Examination:
    """Run all checks, in the order in which to fix problems. Nothing is changed.

    Args:
        app: The program, whose data directory and home are checked.
        offline: Skip checks that contact a server.
    """
    environ = app.environ
    found = [finding for check in LOCAL for finding in check(environ)]
    found += _ledger(app)
    found += _runs(environ)
    found += clients(environ)
    if not offline:
        found += asyncio.run(_accounts(environ))
    return Examination(wrong=sum(not one.ok for one in found), findings=found)


def _ledger(app: App) -> Iterator[CheckFinding]:
    if not has_ledger(app.environ):
        yield CheckFinding(check="ledger", ok=True, says="There is none yet.")
        return
    try:
        found = check_ledger(app)
    except MailError as error:
        yield CheckFinding(
            check="ledger", ok=False, says=error.message, mend=error.hint or "gaia email export"
        )
        return
    if found.intact:
        yield CheckFinding(check="ledger", ok=True, says=f"{found.events:,} events, each as it was written.")
    else:
        broken = f"Event {found.broken.seq} is broken: {found.broken.reason}." if found.broken else ""
        says = " ".join(filter(None, (broken, found.database)))
        yield CheckFinding(
            check="ledger",
            ok=False,
            says=says,
            mend="gaia email export, then put a backup back (docs/ledger.md)",
        )
    try:
        reason = explain_hold(app.environ)
    except MailError as error:
        yield CheckFinding(
            check="rules", ok=False, says=error.message, mend=error.hint or "gaia email policy list"
        )
    else:
        if reason:
            yield CheckFinding(check="switches", ok=True, says=reason)


def _runs(environ: Mapping[str, str]) -> Iterator[CheckFinding]:
    if not has_runs(environ):
        return
    from gaia_email.runs.engine import executing
    from gaia_email.runs.history import schedules

    try:
        planned = [one for one in schedules(environ) if one.active]
        with executing(environ) as nobody:
            is_worked = not nobody
    except MailError as error:
        yield CheckFinding(
            check="schedule", ok=False, says=error.message, mend=error.hint or "gaia email runs"
        )
        return
    if planned and not is_worked:
        yield CheckFinding(
            check="schedule",
            ok=False,
            says=f"{len(planned)} scheduled, and no worker runs them.",
            mend="gaia email worker",
        )
    elif planned:
        yield CheckFinding(
            check="schedule", ok=True, says=f"{len(planned)} scheduled, and a worker runs them."
        )


async def _models(environ: Mapping[str, str]) -> list[CheckFinding]:
    """Check that the language models that the user chose are available."""
    if not has_models(environ):
        return []
    from gaia_email.models.choosing import look

    try:
        found = await look(environ)
    except MailError as error:
        return [
            CheckFinding(check="models", ok=False, says=error.message, mend=error.hint or "gaia email models")
        ]
    if not found.chosen.tiers:
        return [CheckFinding(check="models", ok=True, says="No model is chosen, so none is asked.")]
    if found.missing:
        says, gets = found.missing[0]
        mend = gets or "start it, or gaia email models off"
        return [CheckFinding(check="models", ok=False, says=f"{says} The rules judge alone.", mend=mend)]
    names = ", ".join(dict.fromkeys(found.chosen.tiers.values()))
    return [CheckFinding(check="models", ok=True, says=f"{names}: there, at {found.servers[0].title}.")]


async def _accounts(environ: Mapping[str, str]) -> list[CheckFinding]:
    try:
        accounts = read_accounts(environ)
    except MailError:
        return []  # already reported
    dns = MailDns()
    found = await asyncio.gather(
        _models(environ),
        *(_account(one, dns, environ) for one in accounts),
        *(_web(root) for root in _roots(accounts, environ)),
    )
    return [finding for some in found for finding in some]


async def _account(account: Account, dns: MailDns, environ: Mapping[str, str]) -> list[CheckFinding]:
    found = [await check_account(account, environ)]
    if not account.enabled or account.server == LOCAL_SERVER:
        return found
    if account.server == "imap":
        found += await _certificates(account)
    routed = await asyncio.to_thread(check_mx, account, dns)
    return found if routed is None else [*found, routed]


async def _certificates(account: Account) -> list[CheckFinding]:
    try:
        trusting = trusted_by(account)
    except OSError:
        return []  # the login reports it
    checks = (asyncio.to_thread(check_certificate, where, trusting) for where in endpoints_of(account))
    return await asyncio.gather(*checks)


def _roots(accounts: Sequence[Account], environ: Mapping[str, str]) -> list[str]:
    """Return the web APIs of the enabled accounts, without duplicates."""
    found = (web_host(one, environ) for one in accounts if one.enabled)
    return list(dict.fromkeys(root for root in found if root is not None))


async def _web(root: str) -> list[CheckFinding]:
    """Check the certificate and clock of a web API; a plain HTTP API is a test's and has no certificate."""
    parts = urlsplit(root)
    found = [await check_clock(root)]
    if parts.scheme == "https" and parts.hostname:
        where = Endpoint(parts.hostname, parts.port or 443, "tls")
        found.append(await asyncio.to_thread(check_certificate, where))
    return [one for one in found if one is not None]
