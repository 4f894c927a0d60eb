"""The connected mail accounts: `accounts.json` in the data directory. Entries: `read_accounts`, `find_account`.

The file contains no secrets: `secret` is a reference that `secret_source.read_secret` resolves. Accounts with a login
forwarded by a host are listed after those in the file, but only in the process that received the login
(`forwarded.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, get_args

from gaia_email_registry import clock, paths
from gaia_email_registry.errors import BadArgument, NeedsApproval, NeedsAuth, NotFound, ProviderError
from gaia_email_registry.private_file import lock_file, write_private

SCHEMA_VERSION = 1

AccountLimit = Literal["read_only", "no_send"]
"""Limits that a user can set for the agent on one account: no changes, or no sending."""

LIMITS: tuple[AccountLimit, ...] = get_args(AccountLimit)
FORWARDED = "forwarded:"
CONNECT_HINT = "gaia email connect --email you@example.org connects an account."


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A connected account.

    Attributes:
        id: Value of `--account` and of the `account` field in messages; the address unless it is taken.
        provider: A preset of `providers.py`, or `other`.
        server: Which of our servers opens it.
        settings: Options of that server, by setting name without `GAIA_`, lower case.
        secret: A reference such as `vault:…` or `command:…`; empty if there is none. `forwarded:…` if a host has the
            login; such an account is never written to disk.
        enabled: True if programs may open it; a disabled account keeps its data and has no connection.
        added_at: RFC 3339.
        aliases: The owner's other addresses, lower case; None if the owner was not yet asked about them.
    """

    id: str
    provider: str
    address: str
    server: str
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    secret: str = ""
    enabled: bool = True
    added_at: str = ""
    aliases: tuple[str, ...] | None = None

    @property
    def is_forwarded(self) -> bool:
        """True if a host has its login, so that the account exists only in memory."""
        return self.secret.startswith(FORWARDED)


_FORWARDED_ACCOUNTS: dict[Path, tuple[Account, ...]] = {}
"""Forwarded accounts of this process, by data directory."""


def accounts_file(environ: Mapping[str, str]) -> Path:
    """Return the path of `accounts.json`, which may not exist."""
    return paths.home(environ) / "accounts.json"


def read_accounts(environ: Mapping[str, str]) -> tuple[Account, ...]:
    """Return every account in the order of connection; forwarded accounts come last.

    Raises:
        BadArgument: The file is malformed; the error names the place.
        ProviderError: The file cannot be read, or was written by a newer gaia-email.
    """
    kept = _kept_accounts(environ)
    known = {account.id for account in kept}
    forwarded = _FORWARDED_ACCOUNTS.get(paths.home(environ), ())
    return (*kept, *(account for account in forwarded if account.id not in known))


def _kept_accounts(environ: Mapping[str, str]) -> tuple[Account, ...]:
    """Return the accounts in the file; none if there is no file."""
    path = accounts_file(environ)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ProviderError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadArgument(f"{path} is not UTF-8 text.") from None
    try:
        return _parse(text)
    except BadArgument as error:
        raise BadArgument(f"{path}: {error.message}") from None
    except ProviderError as error:
        raise ProviderError(f"{path}: {error.message}") from None


def find_account(
    name: str | None, environ: Mapping[str, str], *, server: str | None = None, disabled_too: bool = False
) -> Account:
    """Return the account with this id or address; without a name, the only enabled one (for `server`).

    Args:
        name: Id or address of the account.
        environ: Locates `accounts.json`.
        server: Without a name, only accounts of this server count.
        disabled_too: Also return a disabled account if it is named: to show it, not to open it.

    Raises:
        NeedsAuth: No account is connected, or none by that name.
        NeedsApproval: The named account is disabled.
        BadArgument: No name was given and there are several accounts.
    """
    found = read_accounts(environ)
    if name:
        wanted = name.casefold()
        for account in found:
            if wanted in (account.id.casefold(), account.address.casefold()):
                if not account.enabled and not disabled_too:
                    raise _off(account)
                return account
        known = f" Connected are: {_names(found)}." if found else ""
        raise NeedsAuth(
            f"No account {name[:80]!r} is connected.{known}", argument="account", hint=CONNECT_HINT
        )
    served = [account for account in found if server in (None, account.server)]
    enabled = [account for account in served if account.enabled]
    if not enabled and served:
        raise _off(served[0])
    if not enabled:
        raise NeedsAuth("No account is connected.", hint=CONNECT_HINT)
    if len(enabled) > 1:
        raise BadArgument(f"Name one of your accounts: {_names(enabled)}.", argument="account")
    return enabled[0]


def addresses_in(name: str) -> tuple[str, ...]:
    """Return the user's address if it is the name of a mailbox or the last folder in the name."""
    last = name.rpartition("/")[2]
    return (last,) if "@" in last else ()


def store_account(account: Account, environ: Mapping[str, str]) -> None:
    """Add an account, or replace the one with its id.

    A replaced account keeps its limits, and its aliases unless new ones are given.

    Raises:
        ProviderError: The file cannot be written.
        BadArgument: The existing file is damaged; it is left unchanged.
    """

    def change(accounts: list[Account]) -> None:
        positions = [position for position, other in enumerate(accounts) if other.id == account.id]
        if positions:
            before = accounts[positions[0]]
            kept = before.aliases if account.aliases is None else account.aliases
            settings = {**_limits(before), **account.settings}
            accounts[positions[0]] = replace(account, aliases=kept, settings=settings)
        else:
            accounts.append(account)

    _change(change, environ)


def remove_account(account_id: str, environ: Mapping[str, str]) -> None:
    """Remove an account from the list. The caller removes its secret."""

    def change(accounts: list[Account]) -> None:
        accounts[:] = [account for account in accounts if account.id != account_id]

    _change(change, environ)


def check_enabled(account_id: str, environ: Mapping[str, str]) -> None:
    """Raise an error if the account exists and is disabled.

    Raises:
        NeedsApproval: The account is disabled.
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    for account in read_accounts(environ):
        if account.id == account_id and not account.enabled:
            raise _off(account)


def limits_of(account_id: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the limits that the user set on an account, as options of its server; empty if it is not connected.

    Raises:
        ProviderError, BadArgument: The list of accounts cannot be read.
    """
    found = [one for one in read_accounts(environ) if one.id == account_id]
    return _limits(found[0]) if found else {}


def set_limit(name: str, limit: AccountLimit, on: bool, environ: Mapping[str, str]) -> Account:
    """Set or lift a limit on what the agent may do with an account; return the updated account.

    Raises:
        NotFound: No account of that name is connected.
        ProviderError: The file cannot be written.
        BadArgument: The existing file is damaged; it is left unchanged.
    """
    wanted, changed = name.casefold(), list[Account]()

    def change(accounts: list[Account]) -> None:
        for position, account in enumerate(accounts):
            if wanted in (account.id.casefold(), account.address.casefold()):
                settings = {key: value for key, value in account.settings.items() if key != limit}
                changed.append(replace(account, settings=settings | ({limit: "true"} if on else {})))
                accounts[position] = changed[0]
                return
        raise NotFound(
            f"No account {name[:80]!r} is connected.",
            argument="account",
            hint="gaia email accounts lists them.",
        )

    _change(change, environ)
    return changed[0]


def _limits(account: Account) -> dict[str, str]:
    return {name: "true" for name in LIMITS if account.settings.get(name) == "true"}


def set_enabled(name: str | None, enabled: bool, environ: Mapping[str, str]) -> tuple[Account, ...]:
    """Enable or disable an account, or every account if no name is given; return the changed ones.

    Raises:
        NotFound: No account of that name is connected.
        ProviderError: The file cannot be written.
        BadArgument: The existing file is damaged; it is left unchanged.
    """
    wanted = name.casefold() if name else None
    changed: list[Account] = []

    def change(accounts: list[Account]) -> None:
        meant = [
            position
            for position, account in enumerate(accounts)
            if wanted is None or wanted in (account.id.casefold(), account.address.casefold())
        ]
        if not meant:
            raise NotFound(
                f"No account {name[:80]!r} is connected." if name else "No account is connected.",
                argument="account",
                hint="gaia email accounts lists them.",
            )
        for position in meant:
            if accounts[position].enabled is not enabled:
                accounts[position] = replace(accounts[position], enabled=enabled)
                changed.append(accounts[position])

    _change(change, environ)
    return tuple(changed)


def _off(account: Account) -> NeedsApproval:
    return NeedsApproval(
        f"{account.id} is switched off.",
        argument="account",
        hint=f"gaia email enable --account {account.id} switches it on.",
    )


def now_text() -> str:
    """Return the current time in the form of `added_at`."""
    return clock.utc_now().isoformat(timespec="seconds").replace("+00:00", "Z")


def _change(change: Callable[[list[Account]], None], environ: Mapping[str, str]) -> None:
    path = accounts_file(environ)
    try:
        with lock_file(path):
            accounts = list(read_accounts(environ))
            before = [account for account in accounts if not account.is_forwarded]
            change(accounts)
            kept = [account for account in accounts if not account.is_forwarded]
            if kept != before:
                write_private(path, _text(kept).encode())
            _FORWARDED_ACCOUNTS[paths.home(environ)] = tuple(
                account for account in accounts if account.is_forwarded
            )
    except OSError as error:
        raise ProviderError(f"{path} cannot be written: {error.strerror}.") from None


def _text(accounts: Sequence[Account]) -> str:
    rows = [
        {
            "id": account.id,
            "provider": account.provider,
            "address": account.address,
            "server": account.server,
            "settings": dict(account.settings),
            "secret": account.secret,
            "enabled": account.enabled,
            "added_at": account.added_at,
            **({} if account.aliases is None else {"aliases": list(account.aliases)}),
        }
        for account in accounts
    ]
    document = {"schema_version": SCHEMA_VERSION, "accounts": rows}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _parse(text: str) -> tuple[Account, ...]:
    try:
        document: object = json.loads(text)
    except (ValueError, RecursionError):
        raise BadArgument("this is not JSON.") from None
    table = _object(document, "the file")
    version = table.get("schema_version")
    if not isinstance(version, int) or version < 1:
        raise BadArgument("schema_version must be a number.")
    if version > SCHEMA_VERSION:
        raise ProviderError("it was written by a newer gaia-email; update this one.")
    rows = table.get("accounts")
    if not isinstance(rows, list):
        raise BadArgument("accounts must be a list.")
    items: list[object] = rows  # pyright: ignore[reportUnknownVariableType]
    return tuple(_account(number, _object(row, f"account {number}")) for number, row in enumerate(items, 1))


def _account(number: int, row: Mapping[str, object]) -> Account:
    def text(name: str, *, needed: bool = False) -> str:
        given = row.get(name, "")
        if not isinstance(given, str) or (needed and not given.strip()):
            raise BadArgument(f"account {number}: {name} must be a text.")
        return given

    settings = _object(row.get("settings", {}), f"settings of account {number}")
    if not all(isinstance(item, str) for item in settings.values()):
        raise BadArgument(f"account {number}: settings must hold texts only.")
    aliases = row.get("aliases")
    if aliases is not None and not (
        isinstance(aliases, list) and all(isinstance(one, str) for one in aliases)  # pyright: ignore[reportUnknownVariableType]
    ):
        raise BadArgument(f"account {number}: aliases must be a list of texts.")
    return Account(
        aliases=None if aliases is None else tuple(map(str, aliases)),  # pyright: ignore[reportUnknownArgumentType]
        id=text("id", needed=True),
        provider=text("provider", needed=True),
        address=text("address", needed=True),
        server=text("server", needed=True),
        settings={key: str(item) for key, item in settings.items()},
        secret=text("secret"),
        enabled=row.get("enabled", True) is not False,
        added_at=text("added_at"),
    )


def _object(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadArgument(f"{what} must be an object in braces.")
    found: dict[str, object] = value  # pyright: ignore[reportUnknownVariableType]
    return found


def _names(accounts: Sequence[Account]) -> str:
    return ", ".join(account.id for account in accounts)
