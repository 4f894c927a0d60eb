"""The tools that change something. Entry point: `add_writing_tools`.

A model's call is not the user's word. What changes mail, teaches, lets the agent do more, or answers what waits is
asked of the person through the client; where that cannot be, it waits in the Agent Inbox.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from pydantic import Field

from gaia_email.app import App
from gaia_email.app.documents.classify import Json
from gaia_email.app.documents.short import plain, short
from gaia_email.app.operations import acting, answering, deciding
from gaia_email.app.operations.acting import CorrectInput, TriageInput
from gaia_email.app.operations.answering import ApproveInput, RejectInput
from gaia_email.app.operations.operation import NoInput
from gaia_email.app.services.drafting import Length, ReplyRequest, draft_for, draft_row, save_draft
from gaia_email.app.services.history import actions_to_undo, undo_named
from gaia_email.app.services.policy_changes import plan_level, save_change
from gaia_email.app.services.questions import undo_question
from gaia_email.app.services.reading import read_inbox, read_message
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.triage_run import RunListener, has_acted, planned_in, run_triage
from gaia_email.app.services.voice import Tone
from gaia_email.cascade.verdict import Bucket
from gaia_email.interfaces.mcp import waiting
from gaia_email.interfaces.mcp.apps import INBOX_CARD
from gaia_email.interfaces.mcp.automation_tools import add_automation_tools
from gaia_email.interfaces.mcp.consent import consent, put, refused, waits
from gaia_email.interfaces.mcp.from_operation import add_operation_tools
from gaia_email.interfaces.mcp.inbox_answers import sorted_inbox
from gaia_email.interfaces.mcp.reading_tools import Few
from gaia_email.interfaces.mcp.served_mailbox import (
    CLIENT,
    DESTRUCTIVE,
    INTERFACE,
    OBJECT,
    REPEATABLE,
    WRITE,
    ServedMailbox,
    answer,
)

MessageId = Annotated[
    str, Field(description="Id of a message, as a listing or another tool gave it.", max_length=500)
]
ItemId = Annotated[str, Field(description="Id of what waits, from list_pending.", max_length=200)]


def add_writing_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    """Give the server the tools that change something, of a mailbox."""
    _add_triage(server, served)
    _add_answers(server, served)
    _add_undo(server, served)
    _add_message_tools(server, served)
    _add_policy(server, served)
    _add_switches(server, served)
    add_automation_tools(server, served)


def _add_triage(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=REPEATABLE, output_schema=OBJECT, app=INBOX_CARD)
    async def triage_inbox(context: Context, apply: bool = False, limit: Few = 10) -> ToolResult:
        """The inbox in four buckets with a reason for every thread.

        `apply` also does what the user's levels allow (labels, archive; all undoable), asking before the first time.
        """
        if apply and not await served.run(has_acted) and planned_in(await served.run(read_inbox)):
            stopped = await consent(served, context, "triage_inbox", {"apply": True}, _first_question)
            if stopped is not None:
                return stopped
        run: Json = {}
        if apply:
            run = await served.change(_apply)
        document = await served.document(acting.triage, TriageInput(limit=limit))
        return answer({**sorted_inbox(document), **run})


def _first_question(app: App, source: SourceSpec) -> str:
    lines = ["This would be the first triage that acts on this mailbox. At the user's levels it would:"]
    planned = planned_in(read_inbox(app, source))
    lines += [f"  {count:,} × {action} ({cohort})" for (cohort, action), count in planned.most_common()]
    return "\n".join([*lines, "All of it can be undone."])


def _apply(app: App, source: SourceSpec) -> Json:
    report = run_triage(app, source, None, RunListener(), origin=CLIENT)
    return {
        "run": {
            "id": report.run_id,
            "done": len(report.applied.done),
            "failed": len(report.applied.failed),
            "asked": report.asked,
            "undo": {"tool": "undo", "id": report.run_id},
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
    """What waits already is not put up a second time: without a person to ask it waits on."""
    whole, text = await served.run(lambda app, source: waiting.asked_about(app, given, yes=yes))
    said = await put(served, context, text)
    if said is None:
        return waits()
    if said is False:
        return refused()
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
        meant = await served.run(lambda app, source: actions_to_undo(app, source, id, origin=CLIENT))
        ids = frozenset(action.action_id for action in meant)

        def question(app: App, source: SourceSpec) -> str:
            now = actions_to_undo(app, source, id, origin=CLIENT)
            return undo_question(now)

        stopped = await consent(served, context, "undo", {"id": id, "of": sorted(ids)}, question)
        return stopped or answer(await served.change(lambda app, source: _undone(app, source, id, ids)))


def _undone(app: App, source: SourceSpec, given: str | None, meant: frozenset[str]) -> Json:
    result = undo_named(app, source, given, origin=CLIENT, meant=meant)
    if result.problem is not None and not result.taken_back:
        raise result.problem
    return {
        "meant": result.meant,
        "taken_back": [action.action_id for action in result.taken_back],
        "kept": [{"id": one.action.action_id, "reason": one.reason} for one in result.kept],
        "left": len(result.left),
    }


def _add_message_tools(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def draft_reply(
        id: MessageId,
        context: Context,
        tone: Tone = "usual",
        length: Length = "medium",
        language: Literal["", "en", "de", "fr", "es", "it", "pt", "nl"] = "",
        say: Annotated[str, Field(description="What it should say; no promises.", max_length=4000)] = "",
        save: bool = False,
    ) -> ToolResult:
        """A reply with the user's own greeting and sign-off around the questions asked. Sends nothing.

        `save` asks the user whether to keep it as a draft in the mailbox.
        """
        request = ReplyRequest(tone=tone, length=length, language=language, answer=say)
        draft = await served.run(lambda app, source: draft_for(app, source, id, request, own_words=False))
        row = draft_row(draft)
        if not save:
            return answer({**row, "saved": False})
        text = f"Keep this draft to {row['to']} (subject: {row['subject']})? It is not sent.\n\n{row['body']}"
        given = {"id": id, "tone": tone, "length": length, "language": language, "say": say}
        stopped = await consent(
            served, context, "draft_reply", given, lambda app, source: text, **row, saved=False
        )
        if stopped is not None:
            return stopped
        action = await served.change(lambda app, source: save_draft(app, source, draft, origin=CLIENT))
        return answer({**row, "saved": True, "action": action})

    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def correct(id: MessageId, bucket: Bucket, context: Context) -> ToolResult:
        """Ask the user whether a message belongs in another bucket. Nothing is learned before they say yes."""
        stopped = await consent(
            served,
            context,
            "correct",
            {"id": id, "bucket": bucket},
            lambda app, source: _correction_question(app, source, id, bucket),
        )
        if stopped is not None:
            return stopped
        asked = CorrectInput(message_id=id, bucket=bucket)
        return answer(
            short(await served.document(acting.correct, asked, by_person=True), ("id", "was", "bucket"))
        )


def _correction_question(app: App, source: SourceSpec, message_id: str, bucket: Bucket) -> str:
    found = read_message(app, source, message_id)
    sender = found.summary["from"]
    return (
        f"Does this message belong in {bucket}? It is in {found.understood.verdict.bucket} now; "
        "what resembles it follows once two of your answers agree.\n"
        f"  {plain(sender['name'], 60)} <{plain(sender['address'], 120)}> · {plain(found.summary['subject'], 160)}"
    )


def _add_policy(server: FastMCP[None], served: ServedMailbox) -> None:
    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def set_policy(
        cohort: Annotated[str, Field(max_length=100)],
        level: Annotated[int, Field(ge=0, le=5)],
        context: Context,
    ) -> ToolResult:
        """Change a cohort's level. What lets the agent do more is asked of the user; less is done at once."""
        planned = await served.run(lambda app, source: plan_level(app, cohort, level))
        before, after = planned.change.before, planned.change.after
        if planned.looser:
            tried = planned.tried
            text = (
                f"Let the agent do more by itself for {cohort}: {before} → {after}? "
                f"Of {tried.total:,} past messages it would have done {tried.newly_applied:,} more by itself."
            )
            given = {"cohort": cohort, "level": level}
            stopped = await consent(served, context, "set_policy", given, lambda app, source: text)
            if stopped is not None:
                return stopped
        saved = await served.run(lambda app, source: save_change(app, planned, agreed=True, actor=INTERFACE))
        return answer(
            {
                "done": True,
                "cohort": cohort,
                "before": before,
                "after": after,
                "version": saved.policy_version,
            }
        )


def _add_switches(server: FastMCP[None], served: ServedMailbox) -> None:
    add_operation_tools(server, served, "restrain")

    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def resume(context: Context) -> ToolResult:
        """Ask the user whether a pause or stop shall end."""
        text = "Let the agent work again (end the pause or stop)?"
        stopped = await consent(served, context, "resume", {}, lambda app, source: text)
        if stopped is not None:
            return stopped
        document = await served.document(deciding.resume, NoInput(), by_person=True)
        return answer(short(document, deciding.pause.tools[0].fields))
