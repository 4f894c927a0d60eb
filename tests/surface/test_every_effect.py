"""A question says every effect: another value of any field of any tool makes another question, at both gates."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import pytest
from pydantic import BaseModel

from gaia_email.actions.call_facts import read_facts
from gaia_email.mailbox.client import MailClient
from gaia_email.mailbox.tool_calls import OwnSession
from gaia_email.policy.facts import missing_facts
from gaia_email.policy.question import question
from gaia_email_registry.calls import ToolCall
from gaia_email_registry.contract import inputs
from gaia_email_registry.contract.tools import TOOLS
from gaia_email_registry.contract.wire import SendAs
from gaia_email_registry.errors import BadArgument
from gaia_mail.asking.arguments import RENDERERS, leaves
from gaia_mail_mcp.source import MailboxSource
from gaia_mail_mcp.surface.approval.settings import ApprovalSettings
from gaia_mail_mcp.surface.call import Surface, handler_of
from gaia_mail_mcp.surface.embedded import EmbeddedTools
from gaia_mail_mcp.surface.options import SurfaceSettings
from gaia_mail_mcp.surface.questions.plan import plan
from tests.contract.memory import MemoryMailbox
from tests.contract.suite import an_event
from tests.surface.conftest import PLAIN, WITH_FILE

Values = dict[str, Any]

NEVER_ASKED = {
    "draft_email": "a new draft is seen by nobody",
    "create_label": "a new label changes no message",
    "update_label": "its answer brings the name back",
    "get_or_create_label": "a new label changes no message",
    "download_attachment": "writes only below the folder that was named for it",
    "watch_mailbox": "the provider tells this server that something happened",
}
"""Tools that write and never ask, with the reason."""

ANYWHERE = {
    "confirm": "the answer to the question itself",
    "batchSize": "how many messages a request to the provider holds",
    "dryRun": "with it nothing is asked, since nothing is made",
    "draft": "with it nothing is asked, since nothing is sent",
}
OF_A_TOOL = {
    ("delete_label", "unusedOnly"): "refuses more than without it, and then nothing is asked",
    ("set_vacation", "enabled"): "switched off nothing is asked",
}
"""Fields without an effect of their own, with the reason."""

MAIL: Values = {
    "to": ["cy@example.com"],
    "subject": "Hi",
    "body": "Hello",
    "htmlBody": "<p>Hello there</p>",
    "mimeType": "multipart/alternative",
}
MANY = ["m1", "m2"]
TIME, LATER = "2090-01-01T08:00:00+00:00", "2090-01-02T08:00:00+00:00"
IDS: Values = {"ids": MANY}

BASES: Mapping[str, Values] = {
    "send_email": MAIL,
    "reply_to_email": {"message_id": "m1", "body": "Yes"},
    "forward_email": {"message_id": "m1", "to": ["cy@example.com"], "body": "See below"},
    "send_draft": {"draft_id": "r1"},
    "update_draft": {"draft_id": "r1"},
    "delete_draft": {"draft_id": "r1"},
    "modify_email": {"messageId": "m1"},
    "batch_modify_emails": {"messageIds": MANY},
    "delete_email": {"messageId": "m1"},
    "batch_delete_emails": {"messageIds": MANY},
    "delete_label": {"id": "Label_1"},
    "create_filter": {
        "criteria": {"from": "a@example.com", "size": 10},
        "action": {"addLabelIds": ["STARRED"]},
    },
    "create_filter_from_template": {"template": "fromSender", "parameters": {"senderEmail": "a@example.com"}},
    "delete_filter": {"filterId": "f1"},
    "archive_email": IDS,
    "trash_email": IDS,
    "untrash_email": IDS,
    "mark_read": IDS,
    "star_email": IDS,
    "report_spam": IDS,
    "snooze_email": {**IDS, "until": TIME},
    "unsubscribe": {"message_id": "m2"},
    "set_vacation": {
        "enabled": True,
        "subject": "Away",
        "body": "Until Monday",
        "html_body": "<p>Until Monday</p>",
    },
    "create_calendar_event": {
        "title": "Trip",
        "start": "2090-01-01T08:00:00",
        "attendees": ["cy@example.com"],
    },
    "respond_to_invitation": {"event_id": "meeting", "response": "declined", "propose_start": TIME},
    "delete_calendar_event": {"event_id": "meeting"},
}
"""A call of each tool that can ask."""

UNASKED_BASES: Mapping[str, Values] = {
    "draft_email": MAIL,
    "create_label": {"name": "Later"},
    "get_or_create_label": {"name": "Later"},
    "update_label": {"id": "Label_1", "name": "Sooner"},
    "download_attachment": {"messageId": "m1", "attachmentId": "1"},
    "watch_mailbox": {},
}
"""A call of each tool that only the agent's gate asks about."""

AGENT_BASES: Mapping[str, Values] = {**BASES, **UNASKED_BASES}

_TEMPLATE: Mapping[str, tuple[str, Values]] = {
    "senderEmail": ("fromSender", {"senderEmail": "b@example.com"}),
    "archive": ("fromSender", {"senderEmail": "a@example.com", "archive": True}),
    "labelIds": ("fromSender", {"senderEmail": "a@example.com", "labelIds": ["Label_1"]}),
    "subjectText": ("withSubject", {"subjectText": "sale"}),
    "markAsRead": ("withSubject", {"subjectText": "sale", "markAsRead": True}),
    "searchText": ("containingText", {"searchText": "sale"}),
    "markImportant": ("containingText", {"searchText": "sale", "markImportant": True}),
    "listIdentifier": ("mailingList", {"listIdentifier": "dev"}),
    "sizeInBytes": ("largeEmails", {"sizeInBytes": 5_000}),
}
"""Parameter → the template that looks at it, and a call with it; for its base the value is the other one below."""

_OTHER: Values = {
    "senderEmail": "c@example.com",
    "archive": False,
    "labelIds": ["STARRED"],
    "subjectText": "offer",
    "markAsRead": False,
    "searchText": "offer",
    "markImportant": False,
    "listIdentifier": "users",
    "sizeInBytes": 9_000,
}

VALUES: Mapping[tuple[str, str], object] = {
    ("send_email", "threadId"): "190dfe7ca9d40c59",
    ("send_email", "inReplyTo"): "<one@example.com>",
    ("send_email", "mimeType"): "text/html",
    ("send_email", "from"): "sales@example.org",
    ("reply_to_email", "from"): "sales@example.org",
    ("forward_email", "from"): "sales@example.org",
    ("update_draft", "from"): "sales@example.org",
    ("update_draft", "raw"): "VG86IGV2aWxAZXhhbXBsZS5uZXQNClN1YmplY3Q6IEhpDQoNCm1pbmUNCg",
    ("create_filter", "criteria.sizeComparison"): "larger",
    ("create_filter", "action.forward"): "x@example.net",
    ("create_filter_from_template", "template"): "withAttachments",
    ("delete_label", "id"): "Label_2",
    ("delete_filter", "filterId"): "f2",
    ("snooze_email", "until"): LATER,
    ("set_vacation", "start"): TIME,
    ("set_vacation", "end"): LATER,
    ("create_calendar_event", "start"): "2090-01-01T08:30:00",
    ("create_calendar_event", "end"): "2090-01-01T11:00:00",
    ("create_calendar_event", "time_zone"): "Asia/Tokyo",
    ("respond_to_invitation", "response"): "tentative",
    ("respond_to_invitation", "propose_start"): LATER,
    ("respond_to_invitation", "propose_end"): LATER,
    ("draft_email", "from"): "sales@example.org",
    ("draft_email", "mimeType"): "text/html",
    ("draft_email", "threadId"): "190dfe7ca9d40c59",
    ("draft_email", "inReplyTo"): "<one@example.com>",
    ("draft_email", "raw"): "VG86IGV2aWxAZXhhbXBsZS5uZXQNClN1YmplY3Q6IEhpDQoNCm1pbmUNCg",
    **{
        (tool, field): value
        for tool in ("create_label", "get_or_create_label", "update_label")
        for field, value in (("messageListVisibility", "hide"), ("labelListVisibility", "labelHide"))
    },
    ("update_label", "id"): "Label_2",
    ("batch_modify_emails", "perMessage"): {"m2": {"add": ["TRASH"]}},
    ("batch_modify_emails", "perMessage.add"): {"m2": {"add": ["SPAM"]}},
    ("batch_modify_emails", "perMessage.remove"): {"m2": {"remove": ["INBOX"]}},
    ("batch_modify_emails", "perMessage.snooze_until"): {"m2": {"snooze_until": TIME}},
}
"""Values of fields that take not just any."""

ALONE: Mapping[tuple[str, str], Values] = {
    ("respond_to_invitation", "notify"): {"event_id": "meeting", "response": "declined"},
    ("respond_to_invitation", "message_id"): {"message_id": "m3", "response": "declined"},
    ("respond_to_invitation", "event_id"): {"event_id": "other", "response": "declined"},
    ("reply_to_email", "auto_submitted"): {"message_id": "m1", "body": "Yes"},
    ("draft_email", "raw"): {"to": [], "subject": "", "body": ""},
}
"""Bases for fields that do not go with the others."""


def fields_of(tool: str) -> Iterator[tuple[str, Any]]:
    """Every argument of a tool with its type, those of objects in it with a dot."""
    model = getattr(inputs, TOOLS[tool].input)
    yield from _fields(model, "")


def _fields(model: type[BaseModel], before: str) -> Iterator[tuple[str, Any]]:
    for name, field in model.model_fields.items():
        path = before + (field.alias or name)
        inner = [
            kind
            for kind in _kinds(field.annotation)
            if isinstance(kind, type) and issubclass(kind, BaseModel)
        ]
        if not inner or path == "perMessage":
            yield path, field.annotation
        for kind in inner:
            yield from _fields(kind, f"{path}.")


def _kinds(annotation: Any) -> Iterator[Any]:
    if get_origin(annotation) is None:
        yield annotation
    for part in get_args(annotation):
        yield from _kinds(part)


def other_value(annotation: Any, before: object) -> object:
    """Another value of a field's type."""
    kinds = set(_kinds(annotation))
    first = get_args(annotation)[0] if get_origin(annotation) in (Union, UnionType) else annotation
    if bool in kinds:
        return not before
    if get_origin(first) is list or get_origin(get_args(first)[0] if get_args(first) else first) is list:
        return ["new@example.net"]
    if float in kinds or int in kinds:
        return 77
    return "something else"


def calls_for(tool: str, path: str, annotation: Any) -> tuple[Values, Values]:
    """Two calls that differ in that one field."""
    base: Values = dict(ALONE.get((tool, path), AGENT_BASES[tool]))
    if path.startswith("parameters."):
        name = path.partition(".")[2]
        template, given = _TEMPLATE[name]
        return (
            {"template": template, "parameters": given},
            {"template": template, "parameters": {**given, name: _OTHER[name]}},
        )
    outer, _, inner = path.partition(".")
    if outer == "perMessage":
        return base, {**base, outer: VALUES[tool, path]}
    if inner:
        value = VALUES.get((tool, path), other_value(annotation, base[outer].get(inner)))
        return base, {**base, outer: {**base[outer], inner: value}}
    if (tool, path) == ("respond_to_invitation", "message_id"):
        return {**base, path: "m4"}, base
    before = base.get(path)
    if before is None and bool in set(_kinds(annotation)):
        model: type[BaseModel] = getattr(inputs, TOOLS[tool].input)
        before = next(
            field.default for name, field in model.model_fields.items() if path in (name, field.alias)
        )
    value = _another(tool, path, before) or VALUES.get((tool, path), other_value(annotation, before))
    if (tool, path) == ("create_filter_from_template", "template"):
        return base, {"template": value, "parameters": base["parameters"]}
    return base, {**base, path: value}


def _another(tool: str, path: str, before: object) -> object:
    """Another message, draft or file where a field names one."""
    if path in ("messageIds", "ids"):
        return ["m1"]
    if path in ("messageId", "message_id"):
        return "m5" if tool == "unsubscribe" else "m2"
    if path == "draft_id":
        return "r2"
    if path == "event_id" and tool != "create_calendar_event":
        return "other" if before == "meeting" else "meeting"
    if path == "attachments":
        return ["notes.txt"]
    if path in ("to", "cc", "bcc", "attendees") and tool != "create_filter":
        return ["new@example.net"]
    return None


SOON = dt.datetime(2026, 2, 1, tzinfo=dt.UTC).timestamp()
"""Some weeks before the events."""

INVITATION = (
    b"From: boss@example.com\r\nTo: me@example.org\r\nSubject: Come\r\nMIME-Version: 1.0\r\n"
    b"Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:%s@example.com\r\n"
    b"END:VEVENT\r\nEND:VCALENDAR\r\n"
)
DRAFT = b"From: me@example.org\r\nTo: bo@example.net\r\nSubject: %s\r\n\r\nby hand\r\n"


async def surface_over(folder: Path) -> Surface:
    """An account that holds two of everything a call could be about."""
    mailbox = MemoryMailbox()
    mailbox.put(PLAIN.replace(b"\n", b"\r\n"), ("INBOX", "UNREAD"))
    mailbox.put(WITH_FILE.replace(b"\n", b"\r\n"), ("INBOX", "STARRED"))
    mailbox.put(INVITATION % b"meeting", ("INBOX",))
    mailbox.put(INVITATION % b"other", ("INBOX",))
    mailbox.put(
        WITH_FILE.replace(b"\n", b"\r\n").replace(b"u=1", b"u=2").replace(b"<two@", b"<five@"), ("INBOX",)
    )
    mailbox.put_event(an_event("meeting", attendees=["me@example.org", "boss@example.com"]))
    mailbox.put_event(an_event("other", title="Other", attendees=["me@example.org", "chief@example.com"]))
    me: SendAs = {"address": "me@example.org", "name": "Me", "signature": "Me", "default": True}
    sales: SendAs = {"address": "sales@example.org", "name": "Sales", "signature": "", "default": False}
    mailbox.senders = [me, sales]
    for name in ("Work", "Home"):
        await mailbox.create_label(name, {})
    for who in ("a@example.com", "b@example.com"):
        await mailbox.create_filter({"from": who}, {"addLabelIds": ["STARRED"]})
    for subject in (b"One", b"Two"):
        await mailbox.create_draft(DRAFT % subject, None)
    (folder / "notes.txt").write_bytes(b"notes\n")
    settings = SurfaceSettings(allow_permanent_delete=True, attachment_dir=folder)
    return Surface(source=MailboxSource.of(mailbox), settings=settings)


def asked(surface: Surface, tool: str, arguments: Values) -> str:
    bound = handler_of(TOOLS[tool]).bind(surface, arguments)
    assert not bound.dropped
    return asyncio.run(plan(surface, tool, bound)).question.text


CASES = [
    (tool, path, annotation)
    for tool in BASES
    for path, annotation in fields_of(tool)
    if path not in ANYWHERE and (tool, path) not in OF_A_TOOL
]


@pytest.mark.parametrize(
    ("tool", "path", "annotation"), CASES, ids=[f"{tool}-{path}" for tool, path, _ in CASES]
)
def test_another_value_of_a_field_makes_another_question(
    tool: str, path: str, annotation: Any, tmp_path: Path
) -> None:
    surface = asyncio.run(surface_over(tmp_path))
    first, second = calls_for(tool, path, annotation)
    assert asked(surface, tool, first) != asked(surface, tool, second)
    assert asked(surface, tool, first) == asked(surface, tool, first)


def asked_by_agent(surface: Surface, tool: str, arguments: Values) -> str:
    """The agent's question, from the facts of the same mailbox; everything that a person is shown."""
    settings = SurfaceSettings(
        allow_permanent_delete=True,
        attachment_dir=surface.settings.attachment_dir,
        approval=ApprovalSettings(way="caller"),
    )
    mail = MailClient(OwnSession(EmbeddedTools(surface.source, settings)))
    call = ToolCall.of("me@example.org", tool, arguments)
    facts = asyncio.run(read_facts(mail, call, now=SOON))
    assert not missing_facts(call, facts)
    return question(call, facts).plain_text()


AGENT_CASES = [
    (tool, path, annotation)
    for tool in AGENT_BASES
    for path, annotation in fields_of(tool)
    if path != "confirm"
]


@pytest.mark.parametrize(
    ("tool", "path", "annotation"), AGENT_CASES, ids=[f"{tool}-{path}" for tool, path, _ in AGENT_CASES]
)
def test_another_value_of_a_field_makes_another_question_of_the_agent(
    tool: str, path: str, annotation: Any, tmp_path: Path
) -> None:
    surface = asyncio.run(surface_over(tmp_path))
    first, second = calls_for(tool, path, annotation)
    assert asked_by_agent(surface, tool, first) != asked_by_agent(surface, tool, second)
    assert asked_by_agent(surface, tool, first) == asked_by_agent(surface, tool, first)


def test_every_field_of_every_tool_that_writes_has_a_renderer_and_no_other() -> None:
    fields = {
        tool: {path.replace("perMessage.", "perMessage.*.") for path, _ in fields_of(tool)}
        - {"confirm", "perMessage"}
        for tool, spec in TOOLS.items()
        if spec.risk != "read"
    }
    assert fields == {tool: set(renderers) for tool, renderers in RENDERERS.items()}


def test_a_tool_or_an_argument_without_a_renderer_is_refused_by_both_gates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    surface = asyncio.run(surface_over(tmp_path))
    calls = [(tool, path) for tool, given in BASES.items() for path, _ in leaves(given)]
    assert len(calls) > 40
    for tool, path in calls:
        without = {key: renderer for key, renderer in RENDERERS[tool].items() if key != path}
        for table in (
            {**RENDERERS, tool: without},
            {key: RENDERERS[key] for key in RENDERERS if key != tool},
        ):
            monkeypatch.setattr("gaia_mail.asking.arguments.RENDERERS", table)
            with pytest.raises(BadArgument, match="cannot show"):
                asked(surface, tool, BASES[tool])
            with pytest.raises(BadArgument, match="cannot show"):
                asked_by_agent(surface, tool, BASES[tool])
            monkeypatch.undo()


def test_every_tool_that_writes_is_looked_at() -> None:
    writing = {name for name, spec in TOOLS.items() if spec.risk != "read"}
    assert writing == {*BASES, *NEVER_ASKED} == set(AGENT_BASES)


def test_every_exception_is_a_field_that_there_is() -> None:
    everything = {(tool, path) for tool in AGENT_BASES for path, _ in fields_of(tool)}
    assert set(ANYWHERE) <= {path for _, path in everything}
    assert {*OF_A_TOOL, *VALUES, *ALONE} <= everything


def test_each_change_names_its_messages(tmp_path: Path) -> None:
    surface = asyncio.run(surface_over(tmp_path))
    own = {"m1": {"add": ["TRASH"]}, "m2": {"add": ["TRASH", "Label_1"], "snooze_until": TIME}}
    given: Values = {"messageIds": ["m1", "m2", "m3"], "removeLabelIds": ["UNREAD"], "perMessage": own}
    first, second = (
        "- Lunch on Friday, from Ann Lee <ann@example.com> (INBOX)",
        "- Your invoice, from billing@example.com",
    )
    text = asked(surface, "batch_modify_emails", given)
    assert text.startswith("Change 3 messages in these ways?\nMove to Trash: 2 messages\n")
    trash = text.partition("Move to Trash: 2 messages\n")[2]
    assert trash.startswith(first) and trash.splitlines()[1].startswith(second)
    assert f"Add Work and take out of the inbox until {TIME}: 1 message\n{second}" in text
    assert "Mark as read: 3 messages\n" in text
