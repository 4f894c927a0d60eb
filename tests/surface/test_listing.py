"""What is listed: parity with the table both ways, exact schemas, a byte ceiling, a snapshot."""

from __future__ import annotations

import asyncio
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from jsonschema import Draft202012Validator, validate

from gaia_email_registry.contract import inputs, wire
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.errors import BadArgument
from gaia_imap_mcp.abilities import IMAP_CAPABILITIES, WITHOUT_SENDING
from gaia_local_mcp.abilities import MAILDIR_CAPABILITIES
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.surface.call import handler_of
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import NEUTRAL, create_server, neutral
from tests.contract.memory import MemoryMailbox

SHARED = Path(__file__).resolve().parents[3] / "shared" / "spec" / "gongrzhe_tools.json"
ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = Path(__file__).parent / "tools.json"


def listed(mailbox: Any, settings: SurfaceSettings | None = None, mode: Any = "auto") -> list[dict[str, Any]]:
    async def main() -> list[dict[str, Any]]:
        async with Client(create_server(mailbox, settings), mode=mode) as client:
            result = await client.list_tools_mcp()
            dumped = result.model_dump(by_alias=True, exclude_none=True, mode="json")
            tools: list[dict[str, Any]] = dumped["tools"]
            return tools

    return asyncio.run(asyncio.wait_for(main(), 20))


def size(tools: list[dict[str, Any]]) -> int:
    message = {"jsonrpc": "2.0", "id": 2, "result": {"tools": tools}}
    return len(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode())


def test_the_table_and_the_server_name_the_same_tools(mailbox: Any, mode: Any) -> None:
    assert [tool["name"] for tool in listed(mailbox, mode=mode)] == list(TOOLS)


def test_every_tool_has_a_handler_that_reads_its_input() -> None:
    for spec in TOOLS.values():
        handler = handler_of(spec)
        assert handler.model is getattr(inputs, spec.input)
        assert handler.function.__name__ == spec.name
        assert hasattr(wire, spec.output)


def test_annotations_follow_the_tier(mailbox: Any) -> None:
    for tool in listed(mailbox):
        spec = TOOLS[tool["name"]]
        hints = tool["annotations"]
        assert spec.risk in ("read", "write", "destructive")
        assert hints.get("readOnlyHint", False) == (spec.risk == "read")
        assert hints.get("destructiveHint", spec.risk == "read") == (spec.risk in ("destructive", "read"))
        assert hints.get("idempotentHint", False) == (spec.idempotent and spec.risk != "read")


def test_capabilities_of_the_table_exist_and_missing_ones_hide_their_tools(mailbox: Any) -> None:
    assert {spec.capability for spec in TOOLS.values()} - {""} <= {str(item) for item in Capability}
    mailbox._capabilities = frozenset()
    assert [tool["name"] for tool in listed(mailbox)] == [
        name for name, spec in TOOLS.items() if not spec.capability
    ]


def test_only_gmail_is_told_of_gmail(mailbox: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "gmail" not in json.dumps(listed(mailbox)).lower()
    monkeypatch.setattr(MemoryMailbox, "provider", "gmail")
    tools = {tool["name"]: tool["description"] for tool in listed(mailbox)}
    assert tools["list_email_labels"] == "Retrieves all available Gmail labels"


def test_every_text_that_names_gmail_has_a_neutral_one() -> None:
    text = files("gaia_email_registry.contract").joinpath("schemas.json").read_text(encoding="utf-8")
    told = [text, *(spec.description for spec in TOOLS.values())]
    assert any("Gmail" in each for each in told)
    assert not any("gmail" in neutral(each).lower() for each in told)
    assert all(any(said in each for each in told) for said in NEUTRAL), "none is left over"


def names_types_and_limits(schema: Any) -> Any:
    """A schema without its texts, which ours may give in fewer words."""
    return json.loads(json.dumps(schema), object_hook=_without_texts)


def _without_texts(schema: dict[str, Any]) -> dict[str, Any]:
    texts = {"$schema"} | ({"description"} if isinstance(schema.get("description"), str) else set[str]())
    return {name: value for name, value in schema.items() if name not in texts}


def test_the_convention_is_published_with_its_names_types_and_limits(
    mailbox: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not SHARED.exists():
        pytest.skip("the specification is not here")
    monkeypatch.setattr(MemoryMailbox, "provider", "gmail")
    extra = {"confirm", "raw", "maxBodyLength", "pageToken", "permanent", "perMessage"}
    extra |= {"from", "signature", "dryRun", "unusedOnly"}
    ours = {tool["name"]: tool["inputSchema"] for tool in listed(mailbox)}
    for tool in json.loads(SHARED.read_text()):
        schema = ours[tool["name"]]
        known = tool["inputSchema"].get("properties", {})
        assert set(schema["properties"]) - set(known) <= extra
        kept = {name: value for name, value in schema["properties"].items() if name in known}
        published = names_types_and_limits({**schema, "properties": kept})
        assert published == names_types_and_limits(tool["inputSchema"])


def test_the_list_is_as_it_was(mailbox: Any) -> None:
    """A change of the tool surface is a change of a public interface; update tools.json on purpose."""
    assert listed(mailbox) == json.loads(SNAPSHOT.read_text())


@pytest.mark.parametrize("accounts", [1, 3])
def test_no_tool_takes_a_choice_of_schemas_that_strict_clients_refuse(mailbox: Any, accounts: int) -> None:
    given = mailbox if accounts == 1 else {f"me{number}@example.org": mailbox for number in range(accounts)}
    tools = listed(given)
    assert {tool["name"] for tool in tools} == set(TOOLS)
    for tool in tools:
        told = json.dumps(tool["inputSchema"])
        assert tool["inputSchema"]["type"] == "object"
        assert not any(word in told for word in ('"anyOf"', '"oneOf"', '"allOf"', '"not"')), tool["name"]


def test_the_list_stays_below_its_ceilings(mailbox: Any) -> None:
    whole = listed(mailbox)
    assert all("outputSchema" in tool for tool in whole)
    assert size(whole) <= 32_000
    several = listed({f"person{number}@company.example": mailbox for number in range(4)})
    assert len(several) == len(whole) and size(several) <= 32_000
    core = listed(mailbox, SurfaceSettings(enabled_tools=("core",)))
    assert len(core) == 19
    assert not any("outputSchema" in tool for tool in core)
    assert size(core) <= 10_000


def test_schemas_are_valid_and_answers_match_them(mailbox: Any, ask_once: Any) -> None:
    schemas = {tool["name"]: tool["outputSchema"] for tool in listed(mailbox)}
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    calls: list[tuple[str, dict[str, object]]] = [
        ("list_emails", {}),
        ("read_emails", {"ids": ["m1", "m2"]}),
        ("sync_emails", {}),
        ("server_status", {}),
        ("archive_email", {"ids": ["m1"]}),
        ("read_email", {"messageId": "nope"}),
    ]
    for name, arguments in calls:
        validate(ask_once(name, **arguments).structured_content, schemas[name])


def test_names_and_groups_select_tools(mailbox: Any) -> None:
    some = listed(mailbox, SurfaceSettings(enabled_tools=("read_email", "server_status")))
    assert [tool["name"] for tool in some] == ["read_email", "server_status"]
    reading = listed(mailbox, SurfaceSettings(enabled_tools=("read",)))
    assert {TOOLS[tool["name"]].risk for tool in reading} == {"read"}
    with pytest.raises(BadArgument, match="nope"):
        create_server(mailbox, SurfaceSettings(enabled_tools=("nope",)))


@pytest.mark.parametrize(
    ("capabilities", "count"),
    [
        (frozenset(Capability), 19),
        (IMAP_CAPABILITIES, 14),
        (WITHOUT_SENDING, 13),
        (MAILDIR_CAPABILITIES, 13),
        (frozenset[Capability](), 4),
    ],
    ids=["gmail", "imap", "imap-without-smtp", "maildir", "mbox"],
)
def test_core_is_what_the_mailbox_can_do_of_the_convention_and_the_docs_say_how_much(
    capabilities: frozenset[Capability], count: int
) -> None:
    tools = listed(MemoryMailbox(capabilities=capabilities), SurfaceSettings(enabled_tools=("core",)))
    assert len(tools) == count
    docs = (ROOT / "docs" / "clients.md").read_text(encoding="utf-8")
    said = " ".join(docs.split()).partition("all 19 on Gmail,")[2]
    assert count == 19 or str(count) in said[:200]
