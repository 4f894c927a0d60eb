"""The tools that change something. Entry point: `add_writing_tools`.

A model's call is not the user's consent. The client asks the user before anything that changes mail, teaches the agent,
lets it do more, or answers a waiting item; if the client cannot ask, the question waits in the Agent Inbox.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from msgspec.structs import replace
from pydantic import Field

from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.short import short
from gaia_email.app.operations import acting, answering, deciding
from gaia_email.app.operations.acting import CorrectInput, DraftInput, TriageInput, UndoInput
from gaia_email.app.operations.answering import ApproveInput, RejectInput
from gaia_email.app.operations.operation import NoInput
from gaia_email.app.operations.policy import SetLevelInput, set_level
from gaia_email.app.operations.questions import correct_question, triage_question, undo_question
from gaia_email.app.operations.replies import keep_reply
from gaia_email.app.services.drafting import DraftRow, Length
from gaia_email.app.services.questions import draft_question
from gaia_email.app.services.voice import Tone
from gaia_email.interfaces.mcp.apps import INBOX_CARD
from gaia_email.interfaces.mcp.consent import consent, put, report_refusal, waits
from gaia_email.interfaces.mcp.from_operation import add_operation_tools
from gaia_email.interfaces.mcp.inbox_answers import sorted_inbox
from gaia_email.interfaces.mcp.reading_tools import Few
from gaia_email.interfaces.mcp.served_mailbox import (
    DESTRUCTIVE,
    OBJECT,
    REPEATABLE,
    WRITE,
    ServedMailbox,
    answer,
)
from gaia_email.interfaces.mcp.waiting import asked_about
from gaia_email.plugins import load_parts
from gaia_understanding.cascade.verdict import Bucket

MessageId = Annotated[
    str, Field(description="Id of a message, as a listing or another tool gave it.", max_length=500)
]
ItemId = Annotated[str, Field(description="Id of what waits, from list_pending.", max_length=200)]


def add_writing_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    """Add the tools that change something to the server."""
    _add_triage(server, served)
    _add_answers(server, served)
    _add_undo(server, served)
    _add_message_tools(server, served)
    _add_policy(server, served)
    _add_switches(server, served)
    for add_tools in load_parts("mcp_tools"):
        add_tools(server, served)


def _add_triage(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=REPEATABLE, output_schema=OBJECT, app=INBOX_CARD)
    async def triage_inbox(context: Context, apply: bool = False, limit: Few = 10) -> ToolResult:
        """The inbox in four buckets with a reason for every thread.

        `apply` also does what the user's levels allow (labels, archive; all undoable), asking before the first time.
        """
        run: Json = {}
        if apply:

            async def question() -> str:
                asked = await served.document(triage_question, TriageInput())
                return str(asked["question"])

            if await question():
                stopped = await consent(served, context, "triage_inbox", {"apply": True}, question)
                if stopped is not None:
                    return stopped
            run = _run(await served.run_unasked(acting.triage, TriageInput(apply=True)))
        document = await served.document(acting.triage, TriageInput(limit=limit))
        return answer({**sorted_inbox(document), **run})


def _run(document: Mapping[str, Any]) -> Json:
    return {
        "run": {
            "id": document["run_id"],
            "done": len(document["done"]),
            "failed": len(document["failed"]),
            "asked": document["asked"],
            "undo": {"tool": "undo", "id": document["run_id"]},
        }
    }


def _add_answers(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def approve(id: ItemId, context: Context) -> ToolResult:
        """Ask the user whether what waits may be done, and do it if they say yes. Calling this approves nothing."""
        return await _answered(served, context, id, yes=True)

    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def reject(
        id: ItemId, context: Context, reason: Annotated[str, Field(max_length=500)] = ""
    ) -> ToolResult:
        """Ask the user whether nothing shall be done of what item `id` proposes. Calling this rejects nothing."""
        return await _answered(served, context, id, yes=False, reason=reason)


async def _answered(
    served: ServedMailbox, context: Context, given: str, *, yes: bool, reason: str = ""
) -> ToolResult:
    """Answer a waiting item; if nobody can be asked, it stays waiting and is not queued a second time."""
    whole, text = await asked_about(served, given, yes=yes)
    said = await put(served, context, text)
    if said is None:
        return waits()
    if said is False:
        return report_refusal()
    if said is not True:
        return said
    if yes:
        document = await served.document(answering.approve, ApproveInput(ids=[whole]), by_person=True)
    else:
        document = await served.document(
            answering.reject, RejectInput(ids=[whole], reason=reason), by_person=True
        )
    return answer(short(document["items"][0], ("id", "result", "counts", "reason", "actions")))


def _add_undo(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def undo(
        context: Context,
        id: Annotated[
            str, Field(description="An action or run; empty or left out, what was done last.", max_length=200)
        ] = "",
    ) -> ToolResult:
        """Ask the user whether to take back what was done. What they changed since is left alone and named."""
        wanted = UndoInput(id=id)
        asked = await served.document(undo_question, wanted)

        async def question() -> str:
            now = await served.document(undo_question, wanted)
            return str(now["question"])

        meant = sorted(one["id"] for one in asked["about"])
        stopped = await consent(served, context, "undo", {"id": id, "of": meant}, question)
        return stopped or answer(
            _undone(
                await served.document(acting.undo, wanted, by_person=True, confirm=lambda now: now == asked)
            )
        )


def _undone(document: Mapping[str, Any]) -> Json:
    taken_back, kept, left = document["taken_back"], document["kept"], document["left"]
    return {
        "meant": len(taken_back) + len(kept) + left,
        "taken_back": [action["action_id"] for action in taken_back],
        "kept": [{"id": one["action"]["action_id"], "reason": one["reason"]} for one in kept],
        "left": left,
    }


def _add_message_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def draft_reply(
        id: MessageId,
        context: Context,
        tone: Tone = "usual",
        length: Length = "medium",
        language: Literal["", "en", "de", "fr", "es", "it", "pt", "nl"] = "",
        say: Annotated[str, Field(description="Content of the reply; no promises.", max_length=4000)] = "",
        save: bool = False,
    ) -> ToolResult:
        """A reply with the user's own greeting and sign-off around the questions asked. Sends nothing.

        `save` asks the user whether to keep it as a draft in the mailbox.
        """
        wanted = DraftInput(message_id=id, tone=tone, length=length, language=language, say=say)
        document = await served.document(acting.draft, wanted)
        row = {name: document[name] for name in DraftRow.__annotations__}
        if not save:
            return answer({**row, "saved": False})
        text = draft_question("", cast("DraftRow", row))["question"]

        async def repeat_question() -> str:
            return text

        given = {"id": id, "tone": tone, "length": length, "language": language, "say": say}
        stopped = await consent(served, context, "draft_reply", given, repeat_question, **row, saved=False)
        if stopped is not None:
            return stopped
        # Not as the user: the words are a model's, which may promise nothing.
        kept = await served.run_unasked(keep_reply, wanted, confirm=lambda now: now["question"] == text)
        return answer({**row, "saved": True, "action": kept["action_id"]})

    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def correct(id: MessageId, bucket: Bucket, context: Context) -> ToolResult:
        """Ask the user whether a message belongs in another bucket. Nothing is learned before they say yes."""
        wanted = CorrectInput(message_id=id, bucket=bucket)

        async def question() -> str:
            asked = await served.document(correct_question, wanted)
            return str(asked["question"])

        stopped = await consent(served, context, "correct", {"id": id, "bucket": bucket}, question)
        if stopped is not None:
            return stopped
        return answer(
            short(await served.document(acting.correct, wanted, by_person=True), ("id", "was", "bucket"))
        )


def _add_policy(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def set_policy(
        cohort: Annotated[str, Field(max_length=100)],
        level: Annotated[int, Field(ge=0, le=5)],
        context: Context,
    ) -> ToolResult:
        """Change a cohort's level. What lets the agent do more is asked of the user; less is done at once."""
        wanted = SetLevelInput(cohort=cohort, level=level)
        tried = await served.document(set_level, replace(wanted, dry_run=True))
        before, after = tried["change"]["from"], tried["change"]["to"]
        if tried["needs_yes"]:
            past = tried["backtest"]
            text = (
                f"Let the agent do more by itself for {cohort}: {before} → {after}? "
                f"Of {past['total']:,} past messages it would have done {past['newly_applied']:,} more by itself."
            )

            async def question() -> str:
                return text

            given = {"cohort": cohort, "level": level}
            stopped = await consent(served, context, "set_policy", given, question)
            if stopped is not None:
                return stopped
        saved = await served.run_unasked(set_level, wanted, confirm=lambda now: now == tried)
        return answer(
            {"done": True, "cohort": cohort, "before": before, "after": after, "version": saved["version"]}
        )


def _add_switches(server: FastMCP[None], served: ServedMailbox) -> None:
    add_operation_tools(server, served, "restrain")

    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def resume(context: Context) -> ToolResult:
        """Ask the user whether a pause or stop shall end."""

        async def question() -> str:
            return "Let the agent work again (end the pause or stop)?"

        stopped = await consent(served, context, "resume", {}, question)
        if stopped is not None:
            return stopped
        document = await served.document(deciding.resume, NoInput(), by_person=True)
        return answer(short(document, deciding.pause.tools[0].fields))
