"""The scorecard: the public form of the results of `gaia email eval`. Entries: `Scorecard`, `read_scorecard`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from gaia_email_registry.errors import BadArgument, NotFound
from gaia_understanding.cascade.verdict import Bucket

DataPart = Literal["train", "dev", "test", "all"]
ComparisonOutcome = Literal["better", "worse", "no difference"]

_Json: TypeAlias = "dict[str, _Json] | list[_Json] | str | float | bool | None"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Share(_Model):
    """`count` of `of` messages, with Wilson's 95 % interval."""

    value: float
    low: float
    high: float
    count: int
    of: int


class Estimate(_Model):
    """A figure that is no share, with a 95 % interval from resampling."""

    value: float
    low: float
    high: float


class ClassScore(_Model):
    """One class of several. A share is null where nothing was said or labelled so."""

    messages: int
    precision: Share | None
    recall: Share | None
    f1: Estimate


class Choice(_Model):
    """A label with several classes. `confusion[labelled][said]` counts messages.

    A message with a second label that is right too counts under the one that was said.
    """

    messages: int
    accuracy: Share
    macro_f1: Estimate
    classes: dict[str, ClassScore]
    confusion: dict[str, dict[str, int]]


class BucketChoice(Choice):
    """The buckets; `within_one` is right or next to it."""

    within_one: Share


class YesNo(_Model):
    """A label that is yes or no."""

    messages: int
    accuracy: Share
    precision: Share | None
    recall: Share | None
    f1: Estimate | None


class Flag(_Model):
    """A warning: how many of those it is for were found, how many of the others got it."""

    found: Share | None
    false_alarms: Share | None


class Bin(_Model):
    """Messages with a confidence from `low` to `high`: what was said on average, and how many were right."""

    low: float
    high: float
    said: float
    right: Share


class Calibration(_Model):
    """Comparison of stated confidence with the share that was right.

    `error` is the expected calibration error in ten bins; `brier` the mean squared distance of confidence and truth.
    """

    error: Estimate
    brier: Estimate
    bins: tuple[Bin, ...]


class Baseline(_Model):
    """Buckets right by a trivial rule."""

    accuracy: Share
    macro_f1: Estimate


class Latency(_Model):
    """Milliseconds a message, from raw bytes to verdict."""

    median_ms: float
    p95_ms: float
    slowest_ms: float


class Row(_Model):
    """One message's outcome, for a later comparison; holds nothing of the message."""

    name: str
    right: bool
    bucket: Bucket


class Difference(_Model):
    """A figure in two runs over the same messages; `p` only where the test has one."""

    old: float
    new: float
    change: Estimate
    p: float | None
    outcome: ComparisonOutcome


class Paired(_Model):
    """Two runs, message by message. Old answers are held against today's labels."""

    messages: int
    relabelled: int
    accuracy: Difference
    macro_f1: Difference
    repaired: tuple[str, ...]
    broken: tuple[str, ...]


class Moved(_Model):
    """A figure that has left its old interval."""

    name: str
    old: float
    low: float
    high: float
    new: float
    outcome: ComparisonOutcome


class Comparison(_Model):
    """This run against an older one. `paired` is null when the older one kept no rows of the same messages."""

    outcome: ComparisonOutcome
    paired: Paired | None
    moved: tuple[Moved, ...]


class Section(_Model):
    """One part of the labelled messages, scored. What nobody labelled is null."""

    part: DataPart
    labels: str
    """A digest of names and labels, equal if two scorecards cover the same messages."""
    messages: int
    groups: int
    failed: int
    tiers: dict[str, int]
    buckets: BucketChoice | None
    category: Choice | None
    act: Choice | None
    cohort: Choice | None
    needs_reply: YesNo | None
    intent: YesNo | None
    spam: Flag | None
    phishing: Flag | None
    injection: Flag | None
    calibration: Calibration | None
    languages: dict[str, Share]
    sources: dict[str, Share]
    baselines: dict[str, Baseline]
    latency: Latency | None
    comparison: Comparison | None
    rows: tuple[Row, ...]


class Scorecard(_Model):
    """The whole document."""

    schema_version: Literal[1] = 1
    parts: tuple[Section, ...]

    def part(self, name: DataPart) -> Section | None:
        """Return the section of that part, or None if missing."""
        return next((section for section in self.parts if section.part == name), None)

    def to_json(self) -> str:
        """Return the document in ASCII with one leaf object per line, so that diffs stay small."""
        return _text(self.model_dump(mode="json"), 0) + "\n"


def _text(value: _Json, depth: int) -> str:
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and not _is_leaf(value.values()):
        lines = [f"{inner}{json.dumps(key)}: {_text(item, depth + 1)}" for key, item in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{outer}}}"
    if isinstance(value, list) and not _is_leaf(value):
        lines = [f"{inner}{_text(item, depth + 1)}" for item in value]
        return "[\n" + ",\n".join(lines) + f"\n{outer}]"
    return json.dumps(value)


def _is_leaf(items: Iterable[_Json]) -> bool:
    return not any(isinstance(item, (dict, list)) for item in items)


def read_scorecard(path: Path) -> Scorecard:
    """Read a stored scorecard.

    Raises:
        NotFound: The file does not exist.
        BadArgument: It is not a scorecard of this version.
    """
    try:
        return Scorecard.model_validate_json(path.read_bytes())
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}.") from error
    except ValidationError as error:
        raise BadArgument(
            f"{path} is no scorecard that this version can read.",
            hint=f"write one with the old code: gaia email eval --json --out {path}",
        ) from error


def scorecard_schema() -> dict[str, object]:
    """Return the JSON Schema of the document."""
    schema = Scorecard.model_json_schema(mode="serialization")
    for one in (schema, *schema["$defs"].values()):
        del one["title"]
        for field in one["properties"].values():
            field.pop("title", None)
    return schema
