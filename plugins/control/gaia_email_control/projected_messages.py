"""Notifications to the owner as messages with deliveries. Entry points: `note_told`, `brief_told`, `post_told`.

Notes and alerts of the Agent Inbox and briefs are delivered to the owner on this machine's web pages; posts of
plug-ins go to a channel, such as a Slack webhook, which is a binding of the Agent Inbox. No text from mail is included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gaia_email_control.deliveries import delivery_after, plan_deliveries
from gaia_email_control.identities import LocalIdentities
from gaia_email_control.projecting import inbox_message, note_message
from gaia_email_control.records import (
    ControlBinding,
    ControlDelivery,
    ControlDeliveryAttempt,
    ControlDeliveryTarget,
    ControlMessage,
)
from gaia_email_control.vocabulary import AttemptStatus, DeliveryReason

if TYPE_CHECKING:
    from gaia_email.ledger import LedgerEvent, LoggedAction, PendingItem
    from gaia_email.runs.activities import PluginChannels

BRIEF_MADE: Final = "brief.made"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldMessage:
    """A message, its delivery, and the attempts, oldest first."""

    message: ControlMessage
    delivery: ControlDelivery
    attempts: tuple[ControlDeliveryAttempt, ...]


def note_told(item: PendingItem, who: LocalIdentities) -> ToldMessage:
    """Return a note or an alert: sent when created, acknowledged when the owner saw it."""
    tries: list[tuple[AttemptStatus, float]] = [("sent", item.created_at)]
    if item.state in ("approved", "rejected"):
        tries.append(("acknowledged", max(item.answered_at or 0.0, item.created_at)))
    return _told(note_message(item, item.why, who), _to_owner(who), "conversation_visibility", tries)


def brief_told(event: LedgerEvent, who: LocalIdentities) -> ToldMessage:
    """Return the message about a scheduled brief; use `summarize` to get the brief itself."""
    made, urgent = event.payload.get("kind") or "brief", event.payload.get("urgent") or 0
    message = inbox_message(
        f"brief:{event.run_id or event.seq}",
        f"A brief was made ({made}); urgent threads: {urgent}.",
        event.at,
        who,
        {"runId": event.run_id, "accountId": event.payload.get("account")},
    )
    return _told(message, _to_owner(who), "conversation_visibility", [("sent", event.at)])


def post_told(action: LoggedAction, channels: PluginChannels, who: LocalIdentities) -> ToldMessage:
    """Return the message about a post to a channel, without its text."""
    name = str(action.action_payload.get("webhook", ""))
    message = inbox_message(
        action.action_id,
        f"A post to the {channels.title} {name}.",
        action.timestamp,
        who,
        {"runId": action.run_id},
        policy="best_effort",
    )
    target = ControlDeliveryTarget.of(
        id=name, kind="webhook", transport="webhook", binding_id=channel_binding(channels, name, who).id
    )
    tries: list[tuple[AttemptStatus, float]] = []
    if action.state != "planned":
        tries = [("failed" if action.state == "failed" else "sent", action.settled_at or action.timestamp)]
    return _told(message, target, "bridge_outbound", tries, error=action.error)


def channel_binding(channels: PluginChannels, name: str, who: LocalIdentities) -> ControlBinding:
    """Return the binding of a plug-in's channel by its name, without its address."""
    return ControlBinding.of(
        id=f"{channels.platform}:{name}",
        conversation_id=who.inbox_id,
        platform=channels.platform,
        mode="outbound",
        external_channel_id=name,
    )


def _to_owner(who: LocalIdentities) -> ControlDeliveryTarget:
    return ControlDeliveryTarget.of(id=who.owner_id, kind="participant", transport="http")


def _told(
    message: ControlMessage,
    target: ControlDeliveryTarget,
    reason: DeliveryReason,
    tries: Sequence[tuple[AttemptStatus, float]],
    *,
    error: str | None = None,
) -> ToldMessage:
    (planned,) = plan_deliveries(message, [target], reason=reason)
    attempts = tuple(
        ControlDeliveryAttempt.of(
            id=f"{planned.id}:{number}",
            delivery_id=planned.id,
            attempt=number,
            status=status,
            error=error if status == "failed" else None,
            created_at=round(at * 1000),
        )
        for number, (status, at) in enumerate(tries, 1)
    )
    status = delivery_after(planned, attempts, most=1)
    delivery = ControlDelivery.from_wire({**planned.to_wire(), "status": status})
    return ToldMessage(message=message, delivery=delivery, attempts=attempts)
