"""Posts to Slack by an incoming webhook, whose address lies in the vault. Entries: `slack_post`, `keep_webhook`."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from urllib.parse import urlsplit

from gaia_email.actions.one_call import NotDone, UnclearEnd
from gaia_email.actions.reconcile import UNKNOWN
from gaia_email.automations.engine import StepWork
from gaia_email.ledger import ActionOutcome, Ledger, NewAction
from gaia_email_registry.egress.http import counted
from gaia_email_registry.errors import BadArgument, NeedsApproval, NeedsAuth, RateLimited
from gaia_email_registry.vault import open_vault

WEBHOOKS = "automation webhooks"
"""The document that says where in the vault each address is, by name."""

TIMEOUT_S = 20.0
POSTED = {"posted": True}
_TRIES = uuid.UUID("9a2d3c51-6a0e-4b7a-9b3e-2f3d9d1a6c10")


def keep_webhook(ledger: Ledger, environ: Mapping[str, str], name: str, address: str) -> None:
    """Put the address of an incoming webhook into the vault under a name.

    Raises:
        BadArgument: It is no https address.
        MailError: The vault or the ledger cannot be written.
    """
    parts = urlsplit(address)
    local = parts.hostname in ("127.0.0.1", "::1", "localhost")
    if not parts.hostname or parts.scheme not in ("https", *(("http",) if local else ())):
        raise BadArgument("The address of a webhook begins with https://.", argument="address")
    reference = open_vault(environ).put(f"automation-webhook-{name}", address)
    with ledger.write() as tx:
        known = ledger.documents.read(tx, WEBHOOKS)
        value = {**(known.value if known else {}), name: reference}
        ledger.documents.write(tx, WEBHOOKS, value, known.version if known else 0)


async def slack_post(work: StepWork) -> object:
    """Post once; where nobody knows whether that was done, it is not done again.

    Raises:
        NeedsApproval: Words of strangers would be posted, and nobody allowed that when the automation was saved.
        UnclearEnd: Nobody knows whether it was posted.
        NotDone: It was not, and may be tried again.
    """
    if work.asks:
        raise NeedsApproval(
            f"This would post words of strangers ({'; '.join(work.asks)}); allow these lines when you save it."
        )
    ledger = work.engine.ledger
    action_id = _begun(work)
    address = _address(ledger, work.engine.environ, str(work.config["webhook"]))

    def over(error: str) -> None:
        outcome = ActionOutcome(action_id=action_id, state="failed", error=error)
        with ledger.write() as tx:
            ledger.actions.settle(tx, [outcome], actor="automation")

    status, retry_after = await _posted(address, str(work.config["text"]), over)
    if status == 429:
        over("Slack asks for a pause.")
        raise RateLimited("Slack asks for a pause.", retry_after_s=retry_after)
    if status >= 500:
        over(UNKNOWN)
        raise UnclearEnd(
            f"Slack answered {status}, and nothing tells whether it posted; it is not posted again."
        )
    if status >= 300:
        over(f"Slack answered {status}.")
        raise BadArgument(f"Slack does not take it (it answered {status}).", argument="webhook")
    with ledger.write() as tx:
        ledger.actions.settle(tx, [ActionOutcome(action_id=action_id)], actor="automation")
        work.keep(tx, POSTED)
    return POSTED


def _begun(work: StepWork) -> str:
    """The id of the post's row, planned; a try that ended before without an effect is followed by another.

    Raises:
        UnclearEnd: A program died while it posted.
    """
    ledger = work.engine.ledger
    with ledger.write() as tx:
        number, found = 0, None
        while True:
            action_id = str(uuid.uuid5(_TRIES, f"{work.effect_id} {number}"))
            found = next(iter(ledger.actions.get(tx, [action_id])), None)
            if found is None or found.state != "failed" or found.error == UNKNOWN:
                break
            number += 1
        if found is not None:
            outcome = ActionOutcome(action_id=action_id, state="failed", error=UNKNOWN)
            ledger.actions.settle(tx, [outcome], actor="automation")
        else:
            payload = {"webhook": work.config["webhook"], "text": work.config["text"]}
            new = NewAction(
                account_id=work.run.account_id,
                message_id="",
                action_type="slack_post",
                payload=payload,
                run_id=work.run.run_id,
                why=work.why,
                action_id=action_id,
            )
            ledger.actions.plan(tx, [new], actor="automation")
    if found is not None:
        raise UnclearEnd(UNKNOWN)
    return action_id


def _address(ledger: Ledger, environ: Mapping[str, str], name: str) -> str:
    with ledger.read() as tx:
        known = ledger.documents.read(tx, WEBHOOKS)
    reference = known.value.get(name) if known else None
    if not isinstance(reference, str):
        raise NeedsAuth(
            f"There is no webhook {name[:40]!r}.", hint=f"gaia email automations webhook {name[:40]}"
        )
    return open_vault(environ).get(reference)


async def _posted(address: str, text: str, over: object) -> tuple[int, float]:
    """The status of the answer, and after how many seconds it may be asked again.

    Raises:
        NotDone: There was no connection.
        UnclearEnd: It broke off.
    """
    import httpx2

    assert callable(over)
    async with counted(httpx2.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False), "post") as client:
        try:
            answer = await client.post(address, json={"text": text})
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            over("Slack cannot be reached.")
            raise NotDone("Slack cannot be reached.") from None
        except httpx2.HTTPError:
            over(UNKNOWN)
            raise UnclearEnd(UNKNOWN) from None
    wait = answer.headers.get("retry-after", "")
    return answer.status_code, float(wait) if wait.isdigit() else 30.0
