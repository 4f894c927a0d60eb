"""How many threads each bucket has, without the threads. Entry: `inbox_counts_document`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from gaia_email.app.documents.mail_types import BucketCounts
from gaia_email.app.documents.typed import Version

if TYPE_CHECKING:
    from gaia_email.cascade.verdict import Bucket


class InboxCountsDocument(TypedDict):
    """`counts` is empty where the inbox was not listed yet."""

    schema_version: Version
    counts: dict[str, BucketCounts]


def inbox_counts_document(counts: Mapping[Bucket, BucketCounts]) -> InboxCountsDocument:
    """The document of these counts."""
    return {"schema_version": 1, "counts": {str(bucket): one for bucket, one in counts.items()}}
