"""`why`, `show` and `policy explain`: look one message up, then print it. Entry point: `print_found`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from gaia_email.app import App
from gaia_email.documents.mail import show_document, why_document
from gaia_email.interfaces.cli.options import field_list
from gaia_email.interfaces.cli.output import chosen_format, write_rows
from gaia_email.interfaces.cli.session import user_rules
from gaia_email.services.reading import read_message
from gaia_email.services.source import SourceSpec
from gaia_email.triage.inbox import FoundMessage

WHY_COLUMNS = (
    "id",
    "bucket",
    "priority.score",
    "priority.reason",
    "confidence",
    "cohort",
    "from.address",
    "subject",
)
View = Literal["why", "show", "explain"]
SHOW_COLUMNS = ("id", "bucket", "date", "from.address", "subject", "text.normalized")


def print_found(
    app: App,
    view: View,
    message_id: str,
    source: SourceSpec,
    *,
    as_json: bool,
    as_jsonl: bool,
    fields: str,
) -> None:
    """Look the message up in its source again and print it.

    Raises:
        MailError: There is no such message, or the source cannot be read.
    """
    form = chosen_format(as_json, as_jsonl, fields)
    entities = view == "show" and form in ("json", "jsonl")
    found = read_message(app, source, message_id, rules=user_rules(app), entities=entities)
    if form == "card":
        _print_card(view, found, source)
        return
    document, columns = _document(view, found)
    write_rows(document, [document], columns, form, field_list(fields))


def _document(view: View, found: FoundMessage) -> tuple[Mapping[str, object], tuple[str, ...]]:
    if view == "explain":
        from gaia_email.documents.policy import EXPLAIN_COLUMNS, explain_document

        return explain_document(found), EXPLAIN_COLUMNS
    return (why_document(found), WHY_COLUMNS) if view == "why" else (show_document(found), SHOW_COLUMNS)


def _print_card(view: View, found: FoundMessage, source: SourceSpec) -> None:
    if view == "explain":
        from gaia_email.interfaces.cli.policy_card import print_explanation

        print_explanation(found)
        return
    from gaia_email.interfaces.cli import detail_card

    (detail_card.print_why if view == "why" else detail_card.print_show)(found, source)
