"""The reason an account last failed, kept until it works again. Entries: `noting`, `failures`."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaia_email.app.documents.states import StateName
from gaia_email.document import clean
from gaia_email.ledger import NewLedgerEvent
from gaia_email.ledger.failures import LedgerUnusable
from gaia_email_registry.accounts import Account, find_account, read_accounts
from gaia_email_registry.errors import MailError, NeedsAuth, NotFound, ProviderError, RateLimited
from gaia_email_registry.secret_source import read_secret

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from gaia_email.ledger import Ledger

FAILED, ANSWERED = "account.failed", "account.answered"
"""Events: an account could not be read; it can be read again."""

_DOCUMENT = "failure/"
MOST_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFailure:
    """The reason an account cannot be read, since when (epoch seconds), and the original error text."""

    state: StateName
    since: float
    said: str


@contextmanager
def noting(ledger: Ledger, account: str, environ: Mapping[str, str]) -> Generator[None]:
    """Record that an account cannot be read if the block fails for that reason, or that it works again.

    Raises:
        MailError: The block's own error.
    """
    try:
        yield
    except LedgerUnusable:
        raise
    except (NeedsAuth, RateLimited, ProviderError) as error:
        with suppress(MailError):
            _note(
                ledger,
                account,
                AccountFailure(state=_state(error, account, environ), since=0, said=error.message),
            )
        raise
    with suppress(MailError):
        _note(ledger, account, None)


def failures(ledger: Ledger, tx: Connection, accounts: Iterable[str]) -> Mapping[str, AccountFailure]:
    """Return the current failures, by the account's address."""
    return {name: found for name in accounts if (found := _read(ledger, tx, name)[0]) is not None}


def _note(ledger: Ledger, account: str, failure: AccountFailure | None) -> None:
    with ledger.read() as tx:
        known, _ = _read(ledger, tx, account)
    is_known = known is not None and failure is not None and known.state == failure.state
    if is_known or (known is None and failure is None):
        return
    value: dict[str, object] = {}
    if failure is not None:
        value = {"state": failure.state, "since": ledger.clock(), "said": clean(failure.said)[:MOST_CHARS]}
    with ledger.write() as tx:
        _, version = _read(ledger, tx, account)
        ledger.documents.write(tx, _DOCUMENT + account, value, version)
        kind = ANSWERED if failure is None else FAILED
        payload = {} if failure is None else {"state": failure.state}
        ledger.events.append(
            tx, NewLedgerEvent(kind=kind, actor="agent", account_id=account, payload=payload)
        )


def _read(ledger: Ledger, tx: Connection, account: str) -> tuple[AccountFailure | None, int]:
    document = ledger.documents.read(tx, _DOCUMENT + account)
    if document is None:
        return None, 0
    state, since = _states().get(str(document.value.get("state"))), document.value.get("since")
    if state is None or not isinstance(since, int | float):
        return None, document.version
    return AccountFailure(
        state=state, since=since, said=str(document.value.get("said", ""))
    ), document.version


def _states() -> Mapping[str, StateName]:
    return {
        "token_expired": "token_expired",
        "throttled": "throttled",
        "provider_unreachable": "provider_unreachable",
        "vault_unusable": "vault_unusable",
    }


def _state(error: MailError, account: str, environ: Mapping[str, str]) -> StateName:
    if isinstance(error, RateLimited):
        return "throttled"
    with suppress(MailError):
        if not _opens_vault(_account(account, environ), environ):
            return "vault_unusable"
    return "token_expired" if isinstance(error, NeedsAuth) else "provider_unreachable"


def _account(address: str, environ: Mapping[str, str]) -> Account:
    found = [one for one in read_accounts(environ) if one.address == address]
    return found[0] if found else find_account(address, environ)


def _opens_vault(account: Account, environ: Mapping[str, str]) -> bool:
    """Return True if the account's secret can be read, or is not in the vault."""
    if not (account.secret or "").startswith("vault:"):
        return True
    try:
        read_secret(account.secret or "", environ)
    except (NeedsAuth, NotFound):  # nothing is stored for it
        return True
    except MailError:
        return False
    return True
