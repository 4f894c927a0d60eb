"""The effect of approving an item, and the exact messages. Entry points: `PendingProposal`, `ProposalTarget`.

A proposal is fixed when it is created: its fingerprint covers the account, the change, and the state of each message.
Any difference at approval makes it another proposal, which the user has not approved.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Literal, TypeGuard, get_args

from gaia_email.actions.change import exclusive_labels_of
from gaia_email.ledger import Json, PendingItem
from gaia_email.ledger.text import to_json
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import BadArgument
from gaia_understanding.cascade.verdict import BUCKETS, Bucket

Doing = Literal["archive", "label", "confirm", "tell"]
"""Archive with labels, add labels, only confirm the bucket, or nothing (a report of something done)."""

EDITS = ("bucket", "archive")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalTarget:
    """A message in its state at the time of the proposal. `labels` are IDs, `seal` covers what cannot change."""

    message_id: str
    labels: tuple[str, ...]
    seal: str
    name: str
    address: str
    subject: str
    date: str

    @classmethod
    def of(cls, summary: Summary) -> ProposalTarget:
        """Build the target from the message's listing."""
        return cls(
            message_id=summary["id"],
            labels=tuple(sorted(summary["labels"])),
            seal=seal_of(summary),
            name=summary["from"]["name"],
            address=summary["from"]["address"],
            subject=summary["subject"],
            date=summary["date"],
        )

    def was_changed(self, now: Summary) -> bool:
        """Return True if the message differs or was moved; reading or starring it does not count."""
        return seal_of(now) != self.seal or exclusive_labels_of(now["labels"]) != exclusive_labels_of(
            self.labels
        )


def seal_of(summary: Summary) -> str:
    """Return a digest of the fields that never change for a message."""
    fixed = [summary["message_id"], summary["from"], summary["subject"], summary["date"], summary["size"]]
    return hashlib.sha256(to_json(fixed).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingProposal:
    """A proposal.

    Attributes:
        doing: The effect of approval.
        bucket: The agent's bucket for the thread.
        names: Labels to add to its messages.
        level: The effective level of the proposal.
        asked: The reason for asking, one sentence.
        targets: The messages; the first one is shown.
    """

    doing: Doing
    bucket: Bucket
    names: tuple[str, ...] = ()
    level: int = 0
    asked: str = ""
    targets: tuple[ProposalTarget, ...] = ()

    @property
    def changes_mail(self) -> bool:
        """True if approval changes a mailbox."""
        return self.doing in ("archive", "label")

    def fingerprint(self, account: str) -> str:
        """Return the SHA-256 of everything that approval covers."""
        exact = [
            account,
            self.doing,
            self.bucket,
            list(self.names),
            [[target.message_id, list(target.labels), target.seal] for target in self.targets],
        ]
        return hashlib.sha256(to_json(exact).encode()).hexdigest()

    def to_json(self, account: str) -> dict[str, object]:
        """Return the proposal as stored in the ledger."""
        return {**asdict(self), "fingerprint": self.fingerprint(account)}

    @staticmethod
    def of(item: PendingItem) -> PendingProposal:
        """Read the proposal of a stored item.

        Raises:
            BadArgument: It was altered or is damaged.
        """
        kept = item.proposal
        targets = kept.get("targets")
        try:
            found = PendingProposal(
                doing=_doing(kept.get("doing")),
                bucket=bucket_of(kept.get("bucket")),
                names=_texts(kept.get("names")),
                level=int(str(kept.get("level", 0))),
                asked=str(kept.get("asked", "")),
                targets=tuple(_target(target) for target in targets) if isinstance(targets, list) else (),
            )
        except (TypeError, KeyError, ValueError):
            raise _damaged(item) from None
        if found.fingerprint(item.account_id) != kept.get("fingerprint"):
            raise _damaged(item)
        return found

    def edit(self, edits: Mapping[str, object]) -> PendingProposal:
        """Return the proposal with edits: another `bucket` (low priority is archived), or `archive` true or false.

        Raises:
            BadArgument: A field cannot be edited, or a value is invalid.
        """
        unknown = [name for name in edits if name not in EDITS]
        if unknown:
            raise BadArgument(
                f"{unknown[0][:40]!r} cannot be edited; {' and '.join(EDITS)} can.", argument="edits"
            )
        if edits and self.doing == "tell":
            raise BadArgument(
                "This is about no mail; it is answered as it is, with yes or no.", argument="edits"
            )
        changed = self
        if "bucket" in edits:
            bucket = bucket_of(edits["bucket"])
            names = tuple(f"gaia/{bucket}" if name == f"gaia/{self.bucket}" else name for name in self.names)
            doing: Doing = (
                self.doing if not self.changes_mail else ("archive" if bucket == "low_priority" else "label")
            )
            changed = replace(changed, bucket=bucket, names=names, doing=doing)
        if "archive" in edits:
            if not isinstance(edits["archive"], bool):
                raise BadArgument("archive is true or false.", argument="edits")
            if not self.changes_mail:
                raise BadArgument(
                    "This proposes no change of the message that could be edited.", argument="edits"
                )
            changed = replace(changed, doing="archive" if edits["archive"] else "label")
        return changed


def bucket_of(value: object) -> Bucket:
    """Return `value` if it is a bucket.

    Raises:
        BadArgument: It is not a bucket.
    """
    if isinstance(value, str) and _is_bucket(value):
        return value
    raise BadArgument(
        f"{str(value)[:40]!r} is not a bucket; buckets are {', '.join(BUCKETS)}.", argument="bucket"
    )


def _is_bucket(value: str) -> TypeGuard[Bucket]:
    return value in BUCKETS


def _doing(value: object) -> Doing:
    for known in get_args(Doing):
        if value == known:
            return known  # type: ignore[no-any-return]
    raise ValueError


def _target(value: Json) -> ProposalTarget:
    if not isinstance(value, dict):
        raise TypeError
    words = {name: str(value[name]) for name in ("message_id", "seal", "name", "address", "subject", "date")}
    return ProposalTarget(labels=_texts(value.get("labels")), **words)


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _damaged(item: PendingItem) -> BadArgument:
    return BadArgument(
        f"The proposal {item.item_id[:8]} is not as it was made, so it cannot be approved.", argument="id"
    )
