"""Webhooks of automations: `POST /v1/automations/{id}/fire`, each with its own token. Entry: `AutomationWebhooks`.

The token opens only this path, and none of our other credentials does. The body is a JSON object. For a day, the same
`Idempotency-Key` header, or `idempotency_key` in the body, gives the same run. The program that executes runs finds it
in the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from gaia_email.interfaces.http.answering import Answering, body_of, document
from gaia_email.interfaces.http.rates import HttpRate, HttpRates
from gaia_email.interfaces.http.refusal import HttpRefusal
from gaia_email_automations.signatures import check_signature
from gaia_email_automations.webhooks import FiredWebhooks
from gaia_email_registry.errors import BadArgument, NeedsApproval, NeedsAuth

if TYPE_CHECKING:
    from gaia_email_automations.dispatching import DispatchedRun
    from gaia_email_automations.store import StoredTrigger

MOST_BYTES = 256 << 10
MOST_KEY = 200
BY_TOKEN = HttpRate(at_once=60, per_s=1.0)
"""Rate of one token: sixty a minute."""

BY_ACCOUNT = HttpRate(at_once=600, per_s=600 / 3600)
"""Rate of one account: six hundred an hour."""


class AutomationWebhooks:
    """The route that fires webhooks.

    Args:
        answering: The server's `Answering`.
    """

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self._rates = HttpRates({"token": BY_TOKEN, "account": BY_ACCOUNT})
        self._webhooks = FiredWebhooks(answering.app)

    def close(self) -> None:
        """Close what was opened; calling it twice is harmless."""
        self._webhooks.close()

    async def fire(self, request: Request) -> Response:
        """Create a run from the request; answer 202 with its URL."""
        automation_id: str = request.path_params["automation_id"]
        trigger = await self._answering.turn(lambda: self._trigger(automation_id, _token(request)))
        self._rates.take(trigger.trigger_id, "token", "")
        self._rates.take(trigger.account_id, "account", "")
        raw = await request.body()
        if len(raw) > MOST_BYTES:
            raise HttpRefusal(413, "too_large", f"The body has more than {MOST_BYTES:,} bytes.")
        if trigger.config.get("signature") == "standard-webhooks":
            try:
                check_signature(
                    _token(request).encode(), request.headers, raw, now=self._answering.app.clock()
                )
            except NeedsAuth as error:
                raise HttpRefusal(401, "bad_signature", error.message, hint=error.hint or "") from None
        payload = await body_of(request)
        key = _key(request, payload)
        made = await self._answering.turn(lambda: self._fired(trigger, payload, key))
        url = f"/v1/automations/runs/{made.run.run_id}"
        told = {"run_id": made.run.run_id, "status": made.run.status, "url": url, "is_new": made.is_new}
        return document(told, status=202)

    def _trigger(self, automation_id: str, token: str) -> StoredTrigger:
        """Return the automation's webhook for this token.

        Raises:
            HttpRefusal: The token is not valid for this automation, or the webhook does not exist.
        """
        found = self._webhooks.trigger(automation_id, token)
        if found is None:
            self._rates.count_failure()
            raise HttpRefusal(
                401,
                "needs_credentials",
                "The token is not valid for this automation.",
                hint="gaia email automations token makes a new one.",
            )
        return found

    def _fired(self, trigger: StoredTrigger, payload: dict[str, Any], key: str) -> DispatchedRun:
        try:
            return self._webhooks.fire(trigger, payload, key)
        except NeedsApproval as error:
            raise HttpRefusal(409, "switched_off", error.message) from None


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _key(request: Request, payload: dict[str, Any]) -> str:
    given: object = request.headers.get("idempotency-key") or payload.get("idempotency_key") or ""
    if not isinstance(given, str) or len(given) > MOST_KEY:
        raise BadArgument(
            f"An idempotency key is a text of at most {MOST_KEY} characters.", argument="/idempotency_key"
        )
    return given
