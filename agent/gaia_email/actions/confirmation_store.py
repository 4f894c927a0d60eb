"""The gate's confirmations in the ledger: they outlive a program and are used once. Entry: `LedgerConfirmations`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Literal

from typing_extensions import override

from gaia_email.ledger import Ledger, NewConfirmation
from gaia_email.policy.gate import Confirmation, Confirmations
from gaia_email.policy.question import CallQuestion
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.errors import BadArgument
from gaia_email_registry.origin import RequestOrigin


class LedgerConfirmations(Confirmations):
    """Confirmations in the ledger; each change is one transaction."""

    def __init__(self, ledger: Ledger, *, origin: RequestOrigin, run_id: str | None = None) -> None:
        self._ledger = ledger
        self._origin = origin
        self._run_id = run_id

    @override
    def add(self, confirmation: Confirmation) -> None:
        call = confirmation.call
        new = NewConfirmation(
            confirmation_id=confirmation.confirmation_id,
            fingerprint=call.fingerprint,
            account_id=call.account,
            tool=call.tool,
            arguments=call.arguments,
            shown=asdict(confirmation.question),
            expires_at=confirmation.expires_at,
            run_id=self._run_id,
            origin=self._origin,
        )
        with self._ledger.write() as tx:
            self._ledger.confirmations.add(tx, new)

    @override
    def get(self, confirmation_id: str) -> Confirmation | None:
        """Read a confirmation, and check that its call is the one that was stored.

        Raises:
            BadArgument: It is not.
        """
        with self._ledger.read() as tx:
            row = self._ledger.confirmations.get(tx, confirmation_id)
        if row is None:
            return None
        call = ToolCall.kept(row.account_id, row.tool, row.arguments, row.shown.get("risk"))
        if call.fingerprint != row.fingerprint:
            raise BadArgument("The call that was to be confirmed is not as it was kept; ask for it again.")
        return Confirmation(
            confirmation_id=row.confirmation_id,
            call=call,
            question=CallQuestion(
                account=call.account,
                tool=call.tool,
                risk=call.risk,
                dry_run=str(row.shown.get("dry_run", "")),
                cohort=str(row.shown.get("cohort", "")),
            ),
            state=row.state,
            expires_at=row.expires_at,
        )

    @override
    def answer(self, confirmation_id: str, state: Literal["granted", "refused"], *, by: str) -> bool:
        with self._ledger.write() as tx:
            return self._ledger.confirmations.answer(tx, confirmation_id, state, by=by)

    @override
    def use(self, confirmation_id: str, fingerprint: str) -> bool:
        with self._ledger.write() as tx:
            return self._ledger.confirmations.use(tx, confirmation_id, fingerprint)
