"""Post to Slack by an incoming webhook whose address is in the vault. Entries: `slack_post`, `post_test`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from gaia_email.actions.one_call import CallAnswer, NotDone, UnclearEnd
from gaia_email.actions.reconcile import UNKNOWN
from gaia_email.actions.unseen import make_unseen
from gaia_email.ledger import Ledger, NewAction, NewLedgerEvent, Selection
from gaia_email_automations.engine import ACTOR, StepWork
from gaia_email_registry.errors import BadArgument, NeedsAuth, RateLimited
from gaia_email_registry.vault import open_vault

if TYPE_CHECKING:
    from sqlalchemy import Connection

SLACK_POSTED = "slack.posted"
"""The event for an automation's post that Slack accepted."""

WEBHOOK_KEPT = "webhook.kept"

WEBHOOKS = "automation webhooks"
"""The document that maps webhook names to their vault references."""

TEST_TEXT = "This is a test message of gaia email. It was asked for, and nothing needs to be done."

TIMEOUT_S = 20.0
POSTED = {"posted": True}


def keep_webhook(ledger: Ledger, environ: Mapping[str, str], name: str, address: str) -> None:
    """Store the address of an incoming webhook in the vault under a name.

    Raises:
        BadArgument: It is not an https address.
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
        ledger.events.append(tx, NewLedgerEvent(kind=WEBHOOK_KEPT, actor="user", payload={"name": name}))


def webhooks_kept(ledger: Ledger) -> list[str]:
    """Return the names of the webhooks whose addresses are in the vault."""
    with ledger.read() as tx:
        known = ledger.documents.read(tx, WEBHOOKS)
    return sorted(known.value) if known else []


def drop_webhook(ledger: Ledger, environ: Mapping[str, str], name: str) -> None:
    """Delete a webhook, with its address in the vault.

    Raises:
        NeedsAuth: There is none with this name.
        MailError: The vault or the ledger cannot be written.
    """
    _address(ledger, environ, name)
    with ledger.write() as tx:
        known = ledger.documents.read(tx, WEBHOOKS)
        value = dict(known.value) if known else {}
        reference = value.pop(name, None)
        ledger.documents.write(tx, WEBHOOKS, value, known.version if known else 0)
    if isinstance(reference, str):
        open_vault(environ).remove(reference)


async def post_test(ledger: Ledger, environ: Mapping[str, str], name: str) -> None:
    """Post a test message to a webhook, at the user's request.

    Raises:
        NeedsAuth: There is no webhook with this name.
        UnclearEnd: It is unknown if the message was posted.
        MailError: It was not posted.
    """
    address = _address(ledger, environ, name)

    async def post() -> CallAnswer:
        await _post(address, TEST_TEXT)
        return POSTED

    new = NewAction(
        account_id="slack",
        message_id="",
        action_type="slack_post",
        payload={"webhook": name, "text": TEST_TEXT},
        why="You asked for a test message.",
        user_confirmed=True,
    )
    await make_unseen(ledger, environ, new, post, lambda tx, answer: None, actor="user")


async def slack_post(work: StepWork) -> object:
    """Post once; if the outcome is unknown, it is not repeated.

    Raises:
        NeedsApproval: Untrusted text would be posted, which the user did not allow when saving the automation.
        UnclearEnd: It is unknown if the message was posted.
        MailError: It was not posted.
    """
    work.need_no_question()
    engine, text = work.engine, str(work.config["text"])
    address = _address(engine.ledger, engine.environ, str(work.config["webhook"]))

    async def post() -> CallAnswer:
        await _post(address, text)
        return POSTED

    new = NewAction(
        account_id=work.run.account_id,
        message_id="",
        action_type="slack_post",
        payload={"webhook": work.config["webhook"], "text": text},
        run_id=work.run.run_id,
        why=work.why,
        action_id=work.effect_id,
    )

    def keep_post(tx: Connection, answer: CallAnswer) -> None:
        work.keep(tx, answer)
        done = engine.ledger.actions.select(tx, Selection(run_id=new.run_id, types=("slack_post",)))
        event = NewLedgerEvent(
            kind=SLACK_POSTED,
            actor=ACTOR,
            run_id=new.run_id,
            action_id=done[-1].action_id,
            payload={"webhook": new.payload["webhook"]},
        )
        engine.ledger.events.append(tx, event)

    return await make_unseen(engine.ledger, engine.environ, new, post, keep_post, actor=ACTOR)


def _address(ledger: Ledger, environ: Mapping[str, str], name: str) -> str:
    with ledger.read() as tx:
        known = ledger.documents.read(tx, WEBHOOKS)
    reference = known.value.get(name) if known else None
    if not isinstance(reference, str):
        raise NeedsAuth(
            f"There is no webhook {name[:40]!r}.", hint=f"gaia email automations webhook {name[:40]}"
        )
    return open_vault(environ).get(reference)


async def _post(address: str, text: str) -> None:
    """Ask Slack to post.

    Raises:
        NotDone: There was no connection.
        RateLimited: Slack asks for a pause.
        BadArgument: Slack rejects it.
        UnclearEnd: The request was interrupted, and it is unknown if the message was posted.
    """
    status, retry_after = await _posted(address, text)
    if status == 429:
        raise RateLimited("Slack asks for a pause.", retry_after_s=retry_after)
    if status >= 500:
        raise UnclearEnd(UNKNOWN)
    if status >= 300:
        raise BadArgument(f"Slack does not take it (it answered {status}).", argument="webhook")


async def _posted(address: str, text: str) -> tuple[int, float]:
    """Return the status of the answer, and the seconds to wait before another request."""
    import httpx2

    from gaia_email_registry.egress.http import open_client

    async with open_client("post", timeout=TIMEOUT_S) as client:
        try:
            answer = await client.post(address, json={"text": text})
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            raise NotDone("Slack cannot be reached.") from None
        except httpx2.HTTPError:
            raise UnclearEnd(UNKNOWN) from None
    wait = answer.headers.get("retry-after", "")
    return answer.status_code, float(wait) if wait.isdigit() else 30.0
