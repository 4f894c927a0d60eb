"""Find the few triggers, out of very many, that an event could match. Entries: `TriggerIndex`, `event_payload`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from gaia_email.app.json_values import kind_of
from gaia_email.ledger import LedgerEvent
from gaia_email_automations.filters import (
    MISSING,
    EventFilterRule,
    FilterWarnings,
    Scalar,
    compile_filter,
    value_at,
)
from gaia_email_automations.inputs import iso
from gaia_email_automations.store import StoredTrigger
from gaia_email_registry.errors import BadArgument


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSubscription:
    """An event trigger in the form used for matching; `account_id` is the account whose events it may see."""

    trigger_id: str
    account_id: str
    event_type: str
    filters: Mapping[str, Any] = field(default_factory=dict[str, Any])


def subscription_of(trigger: StoredTrigger) -> EventSubscription:
    """Return the subscription of a stored event trigger."""
    return EventSubscription(
        trigger_id=trigger.trigger_id,
        account_id=trigger.account_id,
        event_type=str(trigger.config["event_type"]),
        filters=trigger.config.get("filters", {}),
    )


def event_payload(event: LedgerEvent) -> dict[str, Any]:
    """Return an event's fields by name; `type` is its kind, `at` its time in ISO 8601."""
    return {
        "type": event.kind,
        "seq": event.seq,
        "at": iso(event.at),
        "actor": event.actor,
        "account_id": event.account_id,
        "message_id": event.message_id,
        "run_id": event.run_id,
        "session_id": event.session_id,
        "action_id": event.action_id,
        "sender": event.sender,
        "subject": event.subject,
        "payload": event.payload,
    }


@dataclass(slots=True)
class _Bucket:
    """The triggers of one account and event type: by a required value at a path, and all others."""

    by_value: dict[str, dict[str, dict[Scalar, list[str]]]] = field(default_factory=dict[str, Any])
    rest: list[str] = field(default_factory=list[str])


class TriggerIndex:
    """Event triggers by account, event type and one equality each.

    Attributes:
        broken: Triggers with an invalid filter, and the error; they match nothing and do not affect others.
        unlike: Number of comparisons of different kinds for each trigger, by id.
    """

    def __init__(self, subscriptions: Iterable[EventSubscription]) -> None:
        self.broken: dict[str, str] = {}
        self.unlike: dict[str, int] = {}
        self._rules: dict[str, EventFilterRule] = {}
        self._buckets: dict[str, dict[str, _Bucket]] = {}
        for one in subscriptions:
            try:
                self._add(one, compile_filter(one.filters))
            except BadArgument as error:
                self.broken[one.trigger_id] = error.message

    def _add(self, one: EventSubscription, rule: EventFilterRule) -> None:
        self._rules[one.trigger_id] = rule
        bucket = self._buckets.setdefault(one.event_type, {}).setdefault(one.account_id, _Bucket())
        path, value = next(iter(rule.equalities.items()), ("", None))
        if not path:
            bucket.rest.append(one.trigger_id)
            return
        values = bucket.by_value.setdefault(path, {}).setdefault(kind_of(value), {})
        values.setdefault(value, []).append(one.trigger_id)

    def matching(self, event: Mapping[str, Any]) -> list[str]:
        """Return the ids of the triggers that match an event, in the order they were given."""
        found: list[str] = []
        for trigger_id in self._candidates(event):
            warned = FilterWarnings()
            if self._rules[trigger_id].matches(event, warned):
                found.append(trigger_id)
            if warned.unlike:
                self.unlike[trigger_id] = self.unlike.get(trigger_id, 0) + warned.unlike
        return found

    def _candidates(self, event: Mapping[str, Any]) -> Iterator[str]:
        kind, account = str(event["type"]), event.get("account_id")
        parts = kind.split(".")
        for name in (kind, *(".".join((*parts[:end], "*")) for end in range(len(parts) - 1, 0, -1))):
            by_account = self._buckets.get(name, {})
            for bucket in (
                by_account.values() if account is None else filter(None, (by_account.get(account),))
            ):
                for path, by_kind in bucket.by_value.items():
                    yield from self._equal(value_at(event, path.split(".")), by_kind)
                yield from bucket.rest

    def _equal(self, found: Any, by_kind: Mapping[str, Mapping[Scalar, list[str]]]) -> list[str]:
        """Return the triggers that require exactly this value; those that require another kind are counted."""
        if found is MISSING:
            return []
        kind = kind_of(found)
        for other in (values for asked, values in by_kind.items() if asked != kind):
            for trigger_id in (one for ids in other.values() for one in ids):
                self.unlike[trigger_id] = self.unlike.get(trigger_id, 0) + 1
        return by_kind[kind].get(found, []) if kind in by_kind else []
