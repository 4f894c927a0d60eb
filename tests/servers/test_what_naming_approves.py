"""Naming a server approves nothing of one that is no mailbox, and never a tool that may destroy something."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from gaia_email.ledger import open_ledger
from gaia_email.mailbox.known_tools import record_listing
from gaia_email_registry.capabilities import ToolForm, ToolListing
from gaia_email_registry.contract.tools import TOOLS

READING = ("server_status", "list_emails", "read_emails", "list_email_labels")
"""What makes a server a mailbox."""

MILD = {"destructiveHint": False}
NOTHING: Mapping[str, bool] = {}


@pytest.fixture(autouse=True)
def home_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GAIA_HOME", str(tmp_path / "home"))
    assert os.environ["GAIA_HOME"]


def form(annotations: Mapping[str, bool] = NOTHING, *, takes: Sequence[str] = ()) -> ToolForm:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in takes}}
    return ToolForm(description="A tool.", input_schema=schema, output_schema=None, annotations=annotations)


def approved(forms: Mapping[str, ToolForm]) -> set[str]:
    """What a first look at a server with these tools approves."""
    with open_ledger() as ledger:
        known = record_listing(ledger, "post", ToolListing(forms=forms), now=1.0)
    return {tool for tool, one in known.items() if one.approval_state == "approved"}


def test_of_a_mailbox_what_reads_and_what_says_that_it_destroys_nothing_is_approved() -> None:
    forms = {name: form(MILD) for name in TOOLS}
    assert approved(forms) == {name for name, tool in TOOLS.items() if tool.risk != "destructive"}


def test_a_tool_that_changes_mail_and_does_not_say_that_it_destroys_nothing_is_not() -> None:
    forms = {name: form() for name in TOOLS}
    assert approved(forms) == {name for name, tool in TOOLS.items() if tool.risk == "read"}


@pytest.mark.parametrize(
    ("tool", "hints"),
    [
        ("list_emails", {"destructiveHint": True}),
        ("archive_email", {"readOnlyHint": True, "destructiveHint": True}),
        ("archive_email", {"readOnlyHint": True}),
        ("delete_email", {"readOnlyHint": True, "destructiveHint": False}),
    ],
)
def test_what_a_tool_says_of_itself_makes_it_stricter_only(tool: str, hints: Mapping[str, bool]) -> None:
    forms = {**{name: form() for name in READING}, tool: form(hints)}
    assert approved(forms) == set(READING) - {tool}


def test_of_a_server_that_is_no_mailbox_nothing_is() -> None:
    forms = {name: form(MILD) for name in (*READING[:-1], "archive_email", "weather")}
    assert approved(forms) == set()


def test_a_server_that_searches_and_reads_is_a_mailbox() -> None:
    forms = {
        "search_emails": form(takes=("query", "maxResults")),
        "read_email": form(takes=("messageId",)),
        "send_email": form(takes=("to", "subject", "body")),
        "modify_email": form(MILD, takes=("messageId",)),
        "weather": form(),
    }
    assert approved(forms) == {"search_emails", "read_email", "modify_email"}
