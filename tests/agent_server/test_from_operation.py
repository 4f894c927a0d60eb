"""Tools that are made from operations: what they take, what they answer, and what is never made one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastmcp.exceptions import ToolError

from gaia_email.app import App
from gaia_email.app.documents.short import short
from gaia_email.app.operations.deciding import resume
from gaia_email.app.operations.offers import AgentTool
from gaia_email.app.operations.operation import NoInput
from gaia_email.app.operations.policy import SetLevelInput, set_level
from gaia_email.app.operations.table import OPERATIONS
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.mcp.from_operation import OperationTool, OperationToolForm
from gaia_email.interfaces.mcp.served_mailbox import ServedMailbox
from tests.agent_server.conftest import Assistant, talk

FORMS = [OperationToolForm(one, tool) for one in OPERATIONS.values() for tool in one.tools]


@pytest.fixture
def served(sample: SourceSpec) -> ServedMailbox:
    return ServedMailbox(app=App(), source=lambda: sample)


@pytest.mark.parametrize("form", [pytest.param(one, id=one.tool.name or one.operation.name) for one in FORMS])
def test_a_tool_takes_what_its_operation_does_under_the_limits_of_a_tool(form: OperationToolForm) -> None:
    whole: dict[str, Any] = form.operation.input_schema
    assert set(form.takes.values()) <= set(whole["properties"])
    assert set(form.parameters["properties"]) == set(form.takes)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "missing required field"),
        ({"query": 7}, "Query: Expected"),
        ({"query": "a", "limit": 101}, "Limit is at most 100"),
        ({"query": "a", "limit": 0}, "Limit: Expected"),
        ({"query": "a", "offline": True}, "no parameter 'offline'"),
    ],
)
def test_what_does_not_fit_is_answered_with_what_does(
    sample: SourceSpec, arguments: dict[str, Any], said: str
) -> None:
    async def scenario(assistant: Assistant) -> None:
        called = await assistant.call("search_mail", **arguments)
        assert called.is_error
        assert said in called.text

    talk(sample, scenario)


def test_what_takes_a_person_is_never_made_a_tool_of_its_own(served: ServedMailbox) -> None:
    with pytest.raises(KeyError):
        OperationTool.of(OperationToolForm(resume, AgentTool()), served)


def test_what_takes_a_person_is_not_called_without_one(served: ServedMailbox) -> None:
    with pytest.raises(ToolError, match="user's own word"):
        asyncio.run(served.document(resume, NoInput()))
    with pytest.raises(ToolError, match="user's own word"):
        asyncio.run(served.document(set_level, SetLevelInput(cohort="newsletters", level=1)))


DOCUMENT: dict[str, Any] = {
    "id": "m1",
    "from": {"name": "A\x1b[2J\u202eB", "address": "a@one.example"},
    "rows": [{"a": 1, "b": "two\nlines", "c": None}, {"a": 2, "b": "", "c": []}],
    "text": "x" * 400,
    "left": True,
}


def test_a_selection_has_the_shape_of_its_document_and_text_in_one_line_that_is_cut() -> None:
    found = short(DOCUMENT, ("id", "rows.b", "rows.a", "text"))
    assert list(found) == ["id", "rows", "text"]
    assert found["rows"] == [{"b": "two lines", "a": 1}, {"b": "", "a": 2}]
    assert found["text"] == "x" * 299 + "…"


def test_nothing_in_a_selection_steers_who_reads_it() -> None:
    found = str(short(DOCUMENT, ("from",)))
    assert "\x1b" not in found
    assert "\u202e" not in found
    assert "a@one.example" in found


def test_a_selection_can_leave_out_what_is_empty() -> None:
    found = short(DOCUMENT, ("rows",), without_empty=True)
    assert found == {"rows": [{"a": 1, "b": "two lines"}, {"a": 2}]}


def test_a_field_that_no_document_has_is_an_error_of_the_program() -> None:
    with pytest.raises(KeyError):
        short(DOCUMENT, ("rows.d",))


@pytest.mark.parametrize("blank", ["", "null", None, ["null"], []], ids=repr)
def test_an_optional_argument_that_says_nothing_counts_as_not_given(
    sample: SourceSpec, blank: object
) -> None:
    async def scenario(assistant: Assistant) -> None:
        expected = await assistant.data("list_pending")
        assert await assistant.data("list_pending", limit=blank) == expected
        required = await assistant.call("search_mail", query=blank)
        assert required.is_error == (not isinstance(blank, str)), "a required argument is read as it is"

    talk(sample, scenario)
