"""A labelled message, `LabelledMessage`, and the part of the data it belongs to, `part_of`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal

from gaia_understanding.cascade.verdict import Bucket, Category, Cohort, Context, SpeechAct

Part = Literal["train", "dev", "test"]
PARTS: tuple[Part, ...] = ("train", "dev", "test")
TRAIN_SHARE, DEV_SHARE = 70, 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The labels of a message; None if not labelled, and then not scored.

    Attributes:
        buckets: Every bucket that is right, the best one first; empty when not labelled.
    """

    buckets: tuple[Bucket, ...] = ()
    category: Category | None = None
    act: SpeechAct | None = None
    needs_reply: bool | None = None
    cohort: Cohort | None = None
    intent: bool | None = None
    spam: bool | None = None
    phishing: bool | None = None
    injection: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMessage:
    """One labelled message.

    Attributes:
        name: Unique within its source.
        source: The set it comes from.
        group: Messages of one group (a template, a thread) always belong to the same part.
        raw: RFC 5322 bytes.
        context: Knowledge from the surrounding mailbox.
        language: ISO 639-1, as labelled; empty when not.
        tags: The difficulties of the message, in terms of the label guide.
    """

    name: str
    source: str
    group: str
    raw: bytes
    context: Context
    labels: Labels
    language: str = ""
    tags: tuple[str, ...] = field(default=())

    @property
    def part(self) -> Part:
        """The part of the message: train, dev or the locked test part."""
        return part_of(self.group)


def part_of(group: str) -> Part:
    """Return the part of a group: 70 % train, 15 % dev, 15 % test, by a hash of its name alone.

    So adding a message never changes another message's part, and nobody chooses what is hard to test.
    """
    share = int.from_bytes(hashlib.blake2b(group.encode(), digest_size=8).digest(), "big") % 100
    if share < TRAIN_SHARE:
        return "train"
    return "dev" if share < TRAIN_SHARE + DEV_SHARE else "test"
