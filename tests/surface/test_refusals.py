"""What a server was told to refuse is refused at the tool call, by the tool and its arguments, and nothing happens."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from gaia_email_registry.contract.tools import TOOLS
from gaia_mail_mcp.mailbox import Capability
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface import refusals
from gaia_mail_mcp.surface.approval.settings import CALLER, ApprovalSettings
from gaia_mail_mcp.surface.call import Surface, handler_of
from gaia_mail_mcp.surface.dispatch import call_tool, reply_of
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.server import listed_tools
from tests.contract.memory import Delivery, MemoryMailbox
from tests.contract.suite import an_event
from tests.mailbox_wrapper import MailboxWrapper

Values = Mapping[str, object]

FREE = SurfaceSettings(approval=CALLER, allow_permanent_delete=True)
READ_ONLY = replace(FREE, read_only=True)
NO_SEND = replace(FREE, no_send=True)
NO_DELETE = replace(FREE, allow_permanent_delete=False)

MAIL: Values = {"to": ["cy@example.com"], "subject": "Hi", "body": "Hello"}
IDS: Values = {"message_ids": ["m1"]}
TRIP: Values = {"title": "Trip", "start": "2090-01-01T08:00:00"}
AWAY: Values = {"enabled": True, "subject": "Away", "body": "Until Monday"}
FORWARDING: Values = {"criteria": {"from": "bo"}, "action": {"forward": "bo@example.net"}}

NO_SENDING = "This server was started with --no-send; save a draft instead and send it yourself."
NO_ANSWERING = "This server was started with --no-send; an automatic answer would send."
NO_INVITING = "This server was started with --no-send, so it tells nobody about events."
QUIETLY = {"argument": "notify", "hint": "Set notify to false."}

LEAVES: Mapping[str, tuple[str, Values, Mapping[str, str]]] = {
    "a new mail": ("send_email", MAIL, {"message": NO_SENDING}),
    "a draft that is sent": ("send_draft", {"draft_id": "r1"}, {"message": NO_SENDING}),
    "a reply": ("reply_to_email", {"message_id": "m1", "body": "Yes"}, {"message": NO_SENDING}),
    "a mail passed on": ("forward_email", {"message_id": "m1", "to": ["a@b.co"]}, {"message": NO_SENDING}),
    "leaving a list": ("unsubscribe", {"message_id": "m2"}, {"message": NO_SENDING}),
    "a filter that forwards": (
        "create_filter",
        FORWARDING,
        {"message": NO_SENDING, "argument": "action.forward"},
    ),
    "an automatic answer": ("set_vacation", AWAY, {"message": NO_ANSWERING}),
    "an event with guests": (
        "create_calendar_event",
        {**TRIP, "attendees": ["cy@example.com"]},
        {"message": NO_INVITING, "argument": "attendees"},
    ),
    "an answer to an invitation": (
        "respond_to_invitation",
        {"event_id": "meeting", "response": "accepted", "notify": True},
        {"message": NO_INVITING, **QUIETLY},
    ),
    "an event called off": (
        "delete_calendar_event",
        {"event_id": "meeting", "notify": True},
        {"message": NO_INVITING, **QUIETLY},
    ),
}
"""What tells anybody else anything, and the error of a server that does not send."""

NO_DELETION = {
    "message": "This server does not delete for good; nothing was deleted. Leave permanent out to use Trash.",
    "argument": "permanent",
    "hint": "Start the server with --allow-permanent-delete to allow it.",
}
FOR_GOOD: Mapping[str, tuple[str, Values, Mapping[str, str]]] = {
    "a message": ("delete_email", {"messageId": "m1", "permanent": True}, NO_DELETION),
    "messages": ("batch_delete_emails", {"messageIds": ["m1"], "permanent": True}, NO_DELETION),
}

STAYS: Mapping[str, tuple[str, Values]] = {
    "a draft": ("draft_email", MAIL),
    "a changed draft": ("update_draft", {"draft_id": "r1", "body": "Else"}),
    "a deleted draft": ("delete_draft", {"draft_id": "r1"}),
    "labels of a message": ("modify_email", {"messageId": "m1", "addLabelIds": ["STARRED"]}),
    "labels of messages": ("batch_modify_emails", {"messageIds": ["m1"], "addLabelIds": ["STARRED"]}),
    "a message to Trash": ("delete_email", {"messageId": "m1"}),
    "messages to Trash": ("batch_delete_emails", {"messageIds": ["m1"]}),
    "a label": ("create_label", {"name": "New"}),
    "a label renamed": ("update_label", {"id": "Label_1", "name": "New"}),
    "a label removed": ("delete_label", {"id": "Label_1"}),
    "a label got": ("get_or_create_label", {"name": "New"}),
    "a filter": ("create_filter", {"criteria": {"from": "bo"}, "action": {"removeLabelIds": ["INBOX"]}}),
    "a filter removed": ("delete_filter", {"filterId": "f1"}),
    "a filter of a template": (
        "create_filter_from_template",
        {"template": "fromSender", "parameters": {"senderEmail": "a@example.com", "archive": True}},
    ),
    "archived": ("archive_email", IDS),
    "trashed": ("trash_email", IDS),
    "out of Trash": ("untrash_email", {"message_ids": ["m3"]}),
    "read": ("mark_read", IDS),
    "starred": ("star_email", IDS),
    "snoozed": ("snooze_email", {**IDS, "until": "2999-01-01T00:00:00Z"}),
    "spam": ("report_spam", {**IDS, "phishing": True}),
    "an automatic answer switched off": ("set_vacation", {"enabled": False}),
    "an event alone": ("create_calendar_event", TRIP),
    "an answer that nobody hears": (
        "respond_to_invitation",
        {"event_id": "meeting", "response": "accepted", "notify": False},
    ),
    "an event removed quietly": ("delete_calendar_event", {"event_id": "meeting", "notify": False}),
    "pushed news": ("watch_mailbox", {"watch": True}),
    "pushed news ended": ("watch_mailbox", {"watch": False}),
    "a file saved": ("download_attachment", {"messageId": "m2", "attachmentId": "1", "savePath": "."}),
}
"""What changes something and leaves the mailbox to its owner."""

CHANGES: Mapping[str, tuple[str, Values]] = {
    **STAYS,
    **{name: case[:2] for name, case in (*LEAVES.items(), *FOR_GOOD.items())},
}

CallPath = Callable[[Surface, str, Values], Coroutine[Any, Any, tuple[bool, Mapping[str, Any]]]]


async def _called(surface: Surface, tool: str, arguments: Values) -> tuple[bool, Mapping[str, Any]]:
    result = await call_tool(surface, tool, arguments)
    return result.is_error, cast("Mapping[str, Any]", result.structured_content)


async def _embedded(surface: Surface, tool: str, arguments: Values) -> tuple[bool, Mapping[str, Any]]:
    reply = await reply_of(surface, tool, arguments)
    return reply.failed, reply.data


async def _asking(surface: Surface, tool: str, arguments: Values) -> tuple[bool, Mapping[str, Any]]:
    """On a server that asks a person: a question would need a client, which is not here."""
    surface.settings = replace(surface.settings, approval=ApprovalSettings())
    return await _called(surface, tool, arguments)


PATHS: Mapping[str, CallPath] = {"served": _called, "embedded": _embedded, "asking": _asking}


@pytest.fixture(params=PATHS)
def path(request: pytest.FixtureRequest) -> CallPath:
    return PATHS[request.param]


@pytest.fixture
def filled(mailbox: MemoryMailbox) -> MemoryMailbox:
    """With a draft, a label, a filter, a message in Trash, an event and an automatic answer that is off."""

    async def fill() -> None:
        await mailbox.create_draft(b"To: cy@example.com\r\nSubject: Draft\r\n\r\nx\r\n", None)
        await mailbox.create_label("Garden", {})
        await mailbox.create_filter({"from": "ann"}, {"addLabelIds": ["STARRED"]})
        await mailbox.trash([mailbox.put(b"Subject: Old\r\n\r\nx\r\n")])
        mailbox.put_event(an_event("meeting", attendees=["me@example.org", "boss@example.net"]))

    asyncio.run(fill())
    return mailbox


class Tried:
    """One call on a filled mailbox: what it answered, and whether anything came of it."""

    def __init__(self, filled: MemoryMailbox, dump: Callable[[], object], outside: list[list[Any]]) -> None:
        self._filled, self._dump, self._outside = filled, dump, outside

    def __call__(
        self, path: CallPath, settings: SurfaceSettings, tool: str, arguments: Values
    ) -> tuple[bool, Mapping[str, Any]]:
        surface = Surface(source=MailboxSource.of(self._filled), settings=settings)
        return asyncio.run(path(surface, tool, arguments))

    def picture(self) -> object:
        """The mailbox, and all that left it."""
        return self._dump(), [list(left) for left in self._outside]


@pytest.fixture
def tried(
    filled: MemoryMailbox, dump: Callable[[], object], sent: list[Delivery], unsubscribed: list[str]
) -> Tried:
    return Tried(filled, dump, [sent, unsubscribed, filled.notices, filled.reported])


def check_refused(
    tried: Tried, path: CallPath, settings: SurfaceSettings, case: tuple[str, Values], body: Mapping[str, str]
) -> None:
    before = tried.picture()
    failed, data = tried(path, settings, *case)
    assert failed
    assert data["error"] == {"kind": "needs_approval", **body}
    assert tried.picture() == before


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_read_only_refuses_every_change_and_says_how_to_allow_it(
    tried: Tried, path: CallPath, name: str
) -> None:
    body = {
        "message": "This server is read-only; nothing was changed.",
        "hint": "start it without --read-only to allow changes",
    }
    check_refused(tried, path, READ_ONLY, CHANGES[name], body)


@pytest.mark.parametrize("name", LEAVES)
def test_what_does_not_send_refuses_everything_that_leaves(tried: Tried, path: CallPath, name: str) -> None:
    tool, arguments, body = LEAVES[name]
    check_refused(tried, path, NO_SEND, (tool, arguments), body)


@pytest.mark.parametrize("name", FOR_GOOD)
def test_what_does_not_delete_refuses_to(tried: Tried, path: CallPath, name: str) -> None:
    tool, arguments, body = FOR_GOOD[name]
    check_refused(tried, path, NO_DELETE, (tool, arguments), body)


@pytest.mark.parametrize("name", [*LEAVES, *FOR_GOOD])
def test_without_the_restriction_it_is_done(tried: Tried, name: str) -> None:
    before = tried.picture()
    failed, data = tried(_called, FREE, *CHANGES[name])
    assert not failed, data
    assert tried.picture() != before


@pytest.mark.parametrize("name", [name for name in STAYS if name != "a file saved"])
def test_what_neither_sends_nor_deletes_does_the_rest(tried: Tried, name: str) -> None:
    settings = replace(NO_SEND, allow_permanent_delete=False)
    failed, data = tried(_called, settings, *STAYS[name])
    assert not failed, data


def test_a_filter_that_forwards_may_be_tried_where_nothing_is_sent(tried: Tried, path: CallPath) -> None:
    before = tried.picture()
    failed, data = tried(path, NO_SEND, "create_filter", {**FORWARDING, "dryRun": True})
    assert not failed and data["matches"] == 0
    assert tried.picture() == before


def test_a_reply_that_is_only_stored_is_refused_with_the_tool_that_stores(
    tried: Tried, path: CallPath
) -> None:
    """Neither tool is listed where nothing is sent; `draft_email` is."""
    for tool in ("reply_to_email", "forward_email"):
        arguments: Values = {
            **CHANGES["a reply" if tool.startswith("reply") else "a mail passed on"][1],
            "draft": True,
        }
        check_refused(tried, path, NO_SEND, (tool, arguments), {"message": NO_SENDING})


def test_what_is_switched_off_twice_says_the_widest_reason(tried: Tried, path: CallPath) -> None:
    settings = replace(NO_SEND, read_only=True)
    _, data = tried(path, settings, "send_email", MAIL)
    assert "read-only" in data["error"]["message"]


def test_a_tool_without_a_row_is_refused(tried: Tried, path: CallPath) -> None:
    before = tried.picture()
    failed, data = tried(path, FREE, "empty_trash", {})
    assert failed
    assert data["error"] == {"kind": "provider", "message": "There is no tool 'empty_trash' here."}
    assert tried.picture() == before


def test_a_handler_without_a_row_does_not_run(
    tried: Tried, path: CallPath, monkeypatch: pytest.MonkeyPatch
) -> None:
    send_email = handler_of(TOOLS["send_email"])
    monkeypatch.setattr("gaia_mail_mcp.surface.sending.new_tool", send_email, raising=False)
    before = tried.picture()
    failed, data = tried(path, FREE, "new_tool", MAIL)
    assert failed and "There is no tool" in data["error"]["message"]
    assert tried.picture() == before


def test_every_tool_that_changes_something_is_tried_here() -> None:
    """A tool that is added has to be sorted into what leaves, what deletes and what stays."""
    assert {tool for tool, _ in CHANGES.values()} == {
        spec.name for spec in TOOLS.values() if spec.risk != "read"
    }


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        (FREE, frozenset[Capability]()),
        (READ_ONLY, frozenset(Capability)),
        (NO_SEND, frozenset({Capability.SEND, Capability.UNSUBSCRIBE})),
        (NO_DELETE, frozenset({Capability.DELETE})),
    ],
)
def test_what_is_refused_is_no_capability(settings: SurfaceSettings, missing: frozenset[Capability]) -> None:
    every = frozenset(Capability)
    assert refusals.allowed_capabilities(settings, every) == every - missing


@pytest.mark.parametrize(
    ("settings", "missing"),
    [
        (FREE, set[str]()),
        (READ_ONLY, {spec.name for spec in TOOLS.values() if spec.risk != "read"}),
        (NO_SEND, {"send_email", "send_draft", "reply_to_email", "forward_email", "unsubscribe"}),
        (NO_DELETE, set[str]()),
    ],
)
def test_what_is_always_refused_is_not_listed(
    mailbox: MemoryMailbox, settings: SurfaceSettings, missing: set[str]
) -> None:
    assert {spec.name for spec in listed_tools(mailbox, settings)} == set(TOOLS) - missing


CALLERS: Mapping[str, str] = {
    "sending": "send send_draft unsubscribe create_draft",
    "drafts": "create_draft update_draft delete_draft",
    "moving": "trash untrash delete snooze report_phishing",
    "writes": "modify snooze",
    "labels": "create_label update_label delete_label",
    "filters": "create_filter delete_filter",
    "vacation": "set_vacation",
    "calendar": "create_event respond delete_event",
    "sync": "watch unwatch",
}
"""The modules of handlers, and the methods of a mailbox that change something which they call."""

READING = frozenset(
    {
        *("search", "read", "thread", "attachment", "labels", "drafts", "filters", "send_as", "vacation"),
        *("changes", "cursor", "wait", "status", "connect", "aclose"),
        *("account", "provider", "capabilities"),
        *("calendar_zone", "events", "event", "invitation", "busy", "answering"),
    }
)
"""What a mailbox has that changes nothing."""

SURFACE = Path(refusals.__file__).parent


def _calls(tree: ast.AST) -> set[str]:
    """The methods that are awaited: every method of a mailbox that does something is asynchronous."""
    return {
        node.value.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Await)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute)
    }


def test_only_handlers_change_a_mailbox_and_only_a_call_runs_them() -> None:
    """Nothing but the tool call stands between a program and a mailbox: whoever calls another way is found here."""
    changing = {name for names in CALLERS.values() for name in names.split()}
    assert {name for name in vars(MailboxWrapper) if not name.startswith("_")} == changing | READING, (
        "a new method"
    )
    calling: dict[str, set[str]] = {}
    binding: dict[str, set[str]] = {}
    for file in SURFACE.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if found := _calls(tree) & changing:
            calling[file.stem] = found
        if bound := _bound_by_name(tree):
            binding[file.stem] = bound
    assert calling == {module: set(names.split()) for module, names in CALLERS.items()}
    assert binding == {"dispatch": {"handler_of"}, "resources": {"list_emails", "read_email", "get_thread"}}
    assert {TOOLS[name].risk for name in binding["resources"]} == {"read"}


def _bound_by_name(tree: ast.AST) -> set[str]:
    """Tools, or what finds the handler of any, whose handler is given arguments."""
    owners = (
        node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "bind"
    )
    names = {ast.unparse(owner).partition("(")[0] for owner in owners}
    return names & {"handler_of", *TOOLS}
