"""What drafts, starters and differences of automations show a person. Entries: `print_draft`, `print_starters`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from gaia_mail.printable import visible

if TYPE_CHECKING:
    from gaia_email.interfaces.cli.from_operation import OperationAnswer

SIGNS = {"add": "+", "remove": "-", "replace": "~"}


def _say(text: str) -> None:
    click.echo(visible(text.replace("\n", " ")))


def print_draft(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """A draft, and what to type next."""
    _say(f"{document['name']} · draft {document['id']} by {document['by']}, until {document['expires_at']}")
    for line in document["summary"]:
        _say(f"  {line}")
    _changes(document["changes"])
    for one in document["errors"]:
        _say(f"  {one['pointer'] or '/'}: {one['message']}")
    for note in document["notes"]:
        _say(f"  note: {note}")
    if review := document["review"]:
        _say(f"  {review['by']} says: {review['summary']}")
    _say("  worth checking:")
    for check in document["checks"]:
        remark = f" ({check['remark']})" if check["remark"] else ""
        _say(f"    {check['says']}{remark}")
    for one in document["warnings"]:
        _say(f"    {one['pointer']}: {one['message']}")
    questions: Any = document["questions"]["properties"]
    for name in document["missing"]:
        question = questions[name]
        options = f" One of: {', '.join(map(str, question['enum']))}." if "enum" in question else ""
        _say(f"  open: {question['title']}{options}")
        _say(f"    gaia email automations refine {document['id']} --set {name}=VALUE")
    if document["is_complete"]:
        _say(f"  gaia email automations save {document['id']}")


def _changes(changes: Sequence[Mapping[str, Any]]) -> None:
    for one in changes:
        value = "" if one["op"] == "remove" else f" {json.dumps(one['value'], ensure_ascii=False)[:200]}"
        _say(f"  {SIGNS.get(one['op'], one['op'])} {one['path'] or '/'}{value}")


def print_drafts(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Every draft on a line."""
    for one in document["drafts"]:
        left = f", {one['missing']} open" if one["missing"] else ""
        _say(f"{one['id']}  {one['name']} (by {one['by']}{left}), until {one['expires_at']}")
    if not document["drafts"]:
        _say("there are no drafts; gaia email automations propose makes one.")


def print_starters(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """Every starter with what it asks."""
    for one in document["starters"]:
        _say(f"{one['name']}: {one['says']}")
        for question in one["asks"]:
            _say(f"    {question}")
    _say("gaia email automations propose --starter NAME")


def print_difference(document: Mapping[str, Any], answer: OperationAnswer) -> None:
    """What was changed."""
    _changes(document["changes"])
    if not document["changes"]:
        _say("nothing was changed.")
