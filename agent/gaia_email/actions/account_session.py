"""Mailbox, writer, gate and ledger, opened together for actions on an account. Entry point: `open_account_session`.

One program at a time acts on an account; the lock is released when the program ends, even by a crash. Actions left
unfinished by an earlier program are settled before new ones start.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from gaia_email.actions.writing import MailWriter, OpenedMailbox, open_mailbox
from gaia_email.ledger import Ledger, NewLedgerEvent
from gaia_email.ledger.approvals import GATE_TABLE, statements_in
from gaia_email.ledger.policy_store import StoredBrakes
from gaia_email.ledger.template_files import load_templates
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.mail_copy import MailCopy
from gaia_email.policy.gate import VALID_S, Gate, GateEvent, Prompt
from gaia_email.policy.templates import Template
from gaia_email_registry.approvals import AskerApprovals, Execute
from gaia_email_registry.contract.wire import Label
from gaia_email_registry.errors import BadArgument, ProviderError
from gaia_email_registry.origin import RequestOrigin
from gaia_email_registry.paths import home
from gaia_email_registry.private_file import try_lock_file
from gaia_email_registry.servers import ServerSpec


class AccountBusy(BadArgument):
    """Another program is acting on the account; try again when it has finished."""


class Brakes(Protocol):
    """Checks that restrict the agent; each returns a sentence, or an empty string if nothing applies."""

    def explain_hold(self) -> str:
        """Return why no new run may start: stopped, paused or quiet hours."""
        ...

    def explain_halt(self) -> str:
        """Return why a current run must end: stopped. Called between any two effects."""
        ...


@dataclass(slots=True, kw_only=True)
class AccountSession:
    """An account to act on.

    Attributes:
        mail: Reads the account.
        writer: Changes it, with passes of `gate`.
        ledger: Records every action before and after.
        account: The account's address, as reported by its server.
        origin: The asker and its interface, stored with every question of the gate.
        actor: Name of the acting program in the event log: `agent` or an interface.
        brakes: The user's switches.
        templates: The user's answer templates, by name.
    """

    mail: MailClient
    writer: MailWriter
    gate: Gate
    ledger: Ledger
    account: str
    origin: RequestOrigin
    actor: str
    brakes: Brakes
    templates: Mapping[str, Template] = field(default_factory=dict[str, Template])
    _labels: dict[str, Label] | None = field(default=None)

    @property
    def copy(self) -> MailCopy:
        """The mailbox read through the ledger's copy, which is refreshed on first use."""
        return MailCopy(self.mail, self.ledger, account=self.account)

    async def labels(self, *, fresh: bool = False) -> dict[str, Label]:
        """Return every label by its case-folded name."""
        if self._labels is None or fresh:
            self._labels = {label["name"].casefold(): label for label in await self.mail.labels()}
        return self._labels

    def note(self, kind: str, payload: Mapping[str, object], *, run_id: str | None = None) -> None:
        """Write an event in a transaction of its own."""
        with self.ledger.write() as tx:
            event = NewLedgerEvent(
                kind=kind, actor=self.actor, account_id=self.account, run_id=run_id, payload=payload
            )
            self.ledger.events.append(tx, event)


@asynccontextmanager
async def open_account_session(
    spec: ServerSpec,
    ledger: Ledger,
    *,
    origin: RequestOrigin,
    prompt: Prompt | None = None,
    actor: str = "",
    brakes: Brakes | None = None,
    environ: Mapping[str, str],
) -> AsyncGenerator[AccountSession, None]:
    """Connect to a mailbox to act on it.

    Args:
        spec: The mail server.
        ledger: An open ledger; it stays open.
        origin: The asker and its interface.
        prompt: Asks the user; without one, every question is refused.
        actor: Name of the acting program in the event log; empty for the interface.
        brakes: The user's switches; None for those in the ledger, as for a run that the user starts.
        environ: Environment with `GAIA_HOME`, for the lock.

    Raises:
        BadArgument: The mailbox is read-only, or another program is acting on it.
        MailError: The server cannot be reached.
    """
    async with open_mailbox(spec) as found:
        with locked_account(home(environ), found.account):
            templates = load_templates(environ).usable
            yield session_of(
                found, ledger, origin=origin, prompt=prompt, actor=actor, brakes=brakes, templates=templates
            )


def session_of(
    found: OpenedMailbox,
    ledger: Ledger,
    *,
    origin: RequestOrigin,
    prompt: Prompt | None = None,
    actor: str = "",
    brakes: Brakes | None = None,
    templates: Mapping[str, Template] | None = None,
) -> AccountSession:
    """Return the session of an opened mailbox."""
    gate = gate_of(ledger, origin=origin, prompt=prompt, actor=actor)
    return AccountSession(
        mail=found.mail,
        writer=found.writer,
        gate=gate,
        ledger=ledger,
        account=found.account,
        origin=origin,
        actor=actor or origin.interface,
        brakes=brakes or StoredBrakes(ledger),
        templates=templates or {},
    )


class LedgerApprovals(AskerApprovals):
    """The questions of one asker in the ledger; each change is a separate transaction."""

    def __init__(self, ledger: Ledger, *, origin: RequestOrigin, run_id: str | None = None) -> None:
        super().__init__(GATE_TABLE, self._in_ledger, ledger.clock, origin=origin, run_id=run_id)
        self._ledger = ledger

    @contextmanager
    def _in_ledger(self, write: bool) -> Generator[Execute, None, None]:
        with self._ledger.write() if write else self._ledger.read() as tx:
            yield statements_in(tx)


def gate_of(
    ledger: Ledger,
    *,
    origin: RequestOrigin,
    prompt: Prompt | None = None,
    actor: str = "",
    run_id: str | None = None,
    valid_s: float = VALID_S,
) -> Gate:
    """Return a gate that stores its questions in the ledger and logs answers as events.

    A question with a `run_id` is about a call that its run makes itself once the user has agreed.
    """

    def heard(event: GateEvent) -> None:
        payload = {
            "tool": event.call.tool,
            "fingerprint": event.call.fingerprint,
            "confirmation_id": event.confirmation_id,
            "reason": event.reason,
            "cohort": event.cohort or None,
        }
        new = NewLedgerEvent(
            kind=event.kind,
            actor=event.by or actor or origin.interface,
            account_id=event.call.account,
            run_id=run_id,
            payload=payload,
        )
        with ledger.write() as tx:
            ledger.events.append(tx, new)

    kept = LedgerApprovals(ledger, origin=origin, run_id=run_id)
    return Gate(kept, prompt=prompt, heard=heard, clock=ledger.clock, valid_s=valid_s)


@contextmanager
def locked_account(data: Path, account: str) -> Generator[None, None, None]:
    """Hold the account's lock in the data directory; the system releases it if the program dies.

    Raises:
        AccountBusy: Another program holds the lock.
        ProviderError: The lock file cannot be created.
    """
    name = hashlib.sha256(account.encode()).hexdigest()[:16]
    path = data / "email" / "locks" / f"{name}.lock"
    with ExitStack() as stack:
        try:
            other = stack.enter_context(try_lock_file(path))
        except OSError as error:
            raise ProviderError(
                f"{path.parent} cannot be written ({error.strerror}), so nothing was changed; make it writable, or "
                "set GAIA_HOME to another folder."
            ) from None
        if other is not None:
            who = f" (process {other})" if other else ""
            raise AccountBusy(
                f"Another gaia email{who} is acting on {account[:200]} just now, so nothing was done. Try again when "
                "it has finished."
            )
        yield
