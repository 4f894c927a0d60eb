"""Operations on webhooks of Slack, and their cards among the integrations. All of them need the user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta

from gaia_email.app import App
from gaia_email.app.languages.speaking import N_
from gaia_email.app.operations.operation import OperationCall, OperationInput, operation
from gaia_email.app.services.integrations import Integration
from gaia_email.document import Document
from gaia_email.ledger.policy_store import has_ledger
from gaia_email_automations.slack import webhooks_kept

WebhookName = Annotated[
    str,
    Meta(
        max_length=40,
        pattern=r"^[a-z][a-z0-9_-]{0,39}$",
        description="Name for automations: lower case letters, digits, - and _.",
    ),
]


class WebhookInput(OperationInput, frozen=True, kw_only=True):
    """A webhook of Slack."""

    name: WebhookName


class SlackWebhooks(Document, frozen=True, kw_only=True):
    """The Slack webhooks whose addresses are in the vault, by name; `posted` is the one that a test posted to."""

    webhooks: list[str]
    posted: str


class KeepWebhookInput(WebhookInput, frozen=True, kw_only=True):
    """A webhook of Slack, and its address."""

    address: Annotated[
        str, Meta(min_length=8, max_length=2_000, description="As Slack gives it, over https; for the vault.")
    ]


@operation(
    path="PUT /v1/email/webhooks/{name}",
    example={"name": "team", "address": "hooks.slack.com"},
    risk="person",
)
def keep_webhook(app: App, call: OperationCall[KeepWebhookInput]) -> SlackWebhooks:
    """Put the address of an incoming webhook of Slack into the vault, for automations to post to by its name.

    Raises:
        BadArgument: It is no https address.
        MailError: The vault or the ledger cannot be written.
    """
    from gaia_email_automations.webhooks import keep_slack_webhook

    keep_slack_webhook(app, call.asked.name, call.asked.address.strip())
    return _webhooks(app)


@operation(
    path="POST /v1/email/webhooks/{name}/test",
    example={"name": "nobody"},
    risk="person",
)
def test_webhook(app: App, call: OperationCall[WebhookInput]) -> SlackWebhooks:
    """Post a test message to a webhook of Slack, once.

    Raises:
        NeedsAuth: There is none of that name.
        MailError: It was not posted, or nobody knows.
    """
    import asyncio

    from gaia_email_automations.slack import post_test

    with app.ledger() as ledger:
        asyncio.run(post_test(ledger, app.environ, call.asked.name))
    return _webhooks(app, posted=call.asked.name)


@operation(
    path="DELETE /v1/email/webhooks/{name}",
    example={"name": "nobody"},
    risk="person",
)
def remove_webhook(app: App, call: OperationCall[WebhookInput]) -> SlackWebhooks:
    """Forget a webhook of Slack, with its address.

    Raises:
        NeedsAuth: There is none of that name.
        MailError: The vault or the ledger cannot be written.
    """
    from gaia_email_automations.slack import drop_webhook

    with app.ledger() as ledger:
        drop_webhook(ledger, app.environ, call.asked.name)
    return _webhooks(app)


def _webhooks(app: App, *, posted: str = "") -> SlackWebhooks:
    from gaia_email_automations.slack import webhooks_kept

    with app.ledger(read_only=True) as ledger:
        return SlackWebhooks(webhooks=webhooks_kept(ledger), posted=posted)


def slack_integrations(app: App) -> Iterator[Integration]:
    """Return the webhooks as integrations."""
    if not has_ledger(app.environ):
        return
    with app.ledger(read_only=True) as ledger:
        names = webhooks_kept(ledger)
    for name in names:
        yield Integration(
            id=f"slack:{name}",
            kind="slack",
            name=name,
            value=N_("Posts what your automations say to Slack"),
            says=N_("Its address is in the vault."),
            scopes=["post to one channel; it reads nothing"],
        )
