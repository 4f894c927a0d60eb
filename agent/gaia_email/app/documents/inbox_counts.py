"""How many threads each section has, without the threads. Entry: `inbox_counts_document`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from gaia_email.app.documents.mail_types import BucketCounts, SectionName
from gaia_email.document import Version


class InboxCountsDocument(TypedDict):
    """`counts` is empty where the inbox was not listed yet."""

    schema_version: Version
    counts: dict[str, BucketCounts]


def inbox_counts_document(counts: Mapping[SectionName, BucketCounts]) -> InboxCountsDocument:
    """The document of these counts."""
    return {"schema_version": 1, "counts": {str(name): one for name, one in counts.items()}}
