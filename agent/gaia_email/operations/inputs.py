"""What inputs of operations share: ids, times, limits, each described once for help, schema and tool."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

MessageId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=500,
        description="Id of a message, as a listing shows it, or an unambiguous beginning of it.",
    ),
]
SeveralMessageIds = Annotated[
    list[MessageId], Meta(min_length=1, max_length=500, description="Ids of messages.")
]
Since = Annotated[
    str,
    Meta(
        max_length=40,
        description="Only from then on: a span such as 7d or 12h, or a date such as 2026-11-02; empty for all.",
    ),
]
RowLimit = Annotated[int, Meta(ge=1, le=1000, description="At most so many rows.")]
BucketLimit = Annotated[
    int, Meta(ge=0, le=10_000, description="At most so many threads a bucket; 0 for all.")
]
KnownIdText = Annotated[
    str, Meta(max_length=200, description="An id, or the beginning of one, as a list shows it.")
]
