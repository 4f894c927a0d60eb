"""Plan the deliveries of a message and evaluate attempts. Entry points: `plan_deliveries`, `delivery_after`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaia_email_control.records import (
    ControlDelivery,
    ControlDeliveryAttempt,
    ControlDeliveryTarget,
    ControlMessage,
)
from gaia_email_control.refusals import delivery_refusal
from gaia_email_control.vocabulary import DeliveryReason, DeliveryStatus
from gaia_email_registry.errors import BadArgument


def plan_deliveries(
    message: ControlMessage, targets: Iterable[ControlDeliveryTarget], *, reason: DeliveryReason
) -> list[ControlDelivery]:
    """Return one delivery of a message for each target and transport, under the message's own policy.

    A delivery's id is made from those of the message, the target and the transport, so planning again gives the same
    id.

    Raises:
        BadArgument: A target or transport is not supported; nothing is planned then.
    """
    planned: dict[str, ControlDelivery] = {}
    for target in targets:
        if refusal := delivery_refusal(target.kind, target.transport):
            raise BadArgument(refusal, argument="transport")
        made = ControlDelivery.of(
            id=f"{message.id}:{target.id}:{target.transport}",
            message_id=message.id,
            target_id=target.id,
            target_kind=target.kind,
            transport=target.transport,
            reason=reason,
            policy=message.policy,
            status="pending",
            binding_id=target.binding_id,
        )
        planned.setdefault(made.id, made)
    return list(planned.values())


def delivery_after(
    delivery: ControlDelivery, attempts: Sequence[ControlDeliveryAttempt], *, most: int
) -> DeliveryStatus:
    """Return the status of a delivery after these attempts, oldest first.

    Args:
        delivery: The planned delivery. A cancelled one stays cancelled.
        attempts: The attempts at this delivery.
        most: Failures after which it has failed for good. Under `best_effort` and `ephemeral` the first is final.
    """
    if delivery.status == "cancelled" or not attempts:
        return delivery.status
    statuses = [attempt.status for attempt in attempts]
    if "acknowledged" in statuses:
        return "acknowledged"
    if "sent" in statuses and delivery.policy != "must_ack":
        return "sent"
    if statuses[-1] == "sent":
        return "sent"
    tried_again = delivery.policy in ("must_ack", "durable") and statuses.count("failed") < most
    return "pending" if tried_again else "failed"
