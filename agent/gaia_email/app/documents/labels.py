"""The documents of the user's labels. Entries: `LABEL_DOCUMENTS`, `LabelRow`."""

from __future__ import annotations

from typing import TypedDict

from gaia_email.app.documents.mail_types import ThreadRow
from gaia_email.document import Count, Version


class LabelRow(TypedDict):
    """A label: its sentence, the words that it is read as, and its threads in the inbox where these were counted.

    `taken_off` counts the messages that the user said it is not for.
    """

    id: str
    name: str
    sentence: str
    position: Count
    words: list[str]
    without: list[str]
    taken_off: Count
    threads: Count | None
    unread: Count


class LabelsDocument(TypedDict):
    """What `labels` prints, in the user's order."""

    schema_version: Version
    labels: list[LabelRow]


class LabelDocument(LabelRow):
    """One label."""

    schema_version: Version


class LabelledThreadRow(TypedDict):
    """A thread with a label, and why it has it: words that were found, or that the user said so."""

    thread: ThreadRow
    because: list[str]


class LabelThreadsDocument(TypedDict):
    """The threads of the inbox that have a label, the most pressing first."""

    schema_version: Version
    label: LabelRow
    inbox: Count
    total: Count
    shown: Count
    threads: list[LabelledThreadRow]


LABEL_DOCUMENTS: dict[str, object] = {"labels": LabelsDocument, "labels-test": LabelThreadsDocument}
"""By command."""
