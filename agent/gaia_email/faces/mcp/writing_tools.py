"""The tools that change something. Entry point: `add_writing_tools`.

A model's call is not the user's word. What lets the agent do more, and every yes to what waits, is asked of the person
through the client; where that cannot be, it stays as it is, and the answer names the command that a person types.
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastmcp import Context, FastMCP
from fastmcp.tools.base import ToolResult
from pydantic import Field

from gaia_email.cascade.verdict import Bucket
from gaia_email.documents.classify import Json
from gaia_email.faces.mcp import answers, waiting
from gaia_email.faces.mcp.apps import INBOX_CARD
from gaia_email.faces.mcp.desk import DESTRUCTIVE, OBJECT, REPEATABLE, WRITE, Desk, answer, told
from gaia_email.faces.mcp.reading_tools import Few, Length, MessageId, Tone
from gaia_email.services.corrections import correct_message
from gaia_email.services.drafting import Wish, save_draft
from gaia_email.services.history import undo_named
from gaia_email.services.policy_changes import plan_level, save_change
from gaia_email.services.reading import read_inbox
from gaia_email.services.short_rows import draft_row
from gaia_email.services.source import Source
from gaia_email.services.switches import paused, resumed, turn_switch
from gaia_email.services.triage_run import Listening, has_acted, planned_in, run_triage
from gaia_email_registry.errors import MailError, NeedsApproval

FACE = waiting.FACE
ASK_FROM = 25
"""Actions beyond which taking them back is asked about: counts decide as much as verbs."""

ItemId = Annotated[str, Field(description="Id of what waits, from list_pending.", max_length=200)]


def add_writing_tools(server: FastMCP[None], desk: Desk) -> None:
    """Give the server the tools that change something, of a desk."""
    _add_triage(server, desk)
    _add_answers(server, desk)
    _add_undo(server, desk)
    _add_message_tools(server, desk)
    _add_policy(server, desk)
    _add_switches(server, desk)


async def _agreed(desk: Desk, context: Context, text: str) -> bool | ToolResult | None:
    try:
        return await desk.asker.ask(context, text)
    except MailError as error:
        raise told(error) from None


def _waits(what: str, command: str, **more: object) -> ToolResult:
    """Nothing was done, since no person could be asked here."""
    text = f"{what} needs the user's own yes, and this client cannot ask them. The user can type: {command}"
    return answer({"done": False, "waits": True, "message": text, **more})


def _refused(**more: object) -> ToolResult:
    return answer({"done": False, "waits": False, "message": "The user said no; nothing was done.", **more})


def _add_triage(server: FastMCP[None], desk: Desk) -> None:
    @server.tool(annotations=REPEATABLE, output_schema=OBJECT, app=INBOX_CARD)
    async def triage_inbox(context: Context, apply: bool = False, limit: Few = 10) -> ToolResult:
        """The inbox in four buckets with a reason for every thread.

        `apply` also does what the user's levels allow (labels, archive; all undoable), asking before the first time.
        """
        if apply and not await desk.run(has_acted):
            planned = planned_in(await desk.run(read_inbox))
            if planned:
                lines = [
                    "This would be the first triage that acts on this mailbox. At the user's levels it would:"
                ]
                lines += [
                    f"  {count:,} × {action} ({cohort})" for (cohort, action), count in planned.most_common()
                ]
                said = await _agreed(desk, context, "\n".join([*lines, "All of it can be undone."]))
                if isinstance(said, ToolResult):
                    return said
                if said is None:
                    return _waits("The first triage that acts", "gaia email triage --apply")
                if not said:
                    return _refused()
        run: Json = {}
        if apply:
            run = await desk.run(_apply)
        inbox = await desk.run(read_inbox)
        return answer({**answers.sorted_inbox(inbox, limit), **run})


def _apply(source: Source) -> Json:
    report = run_triage(source, None, Listening())
    return {
        "run": {
            "id": report.run_id,
            "done": len(report.applied.done),
            "failed": len(report.applied.failed),
            "asked": report.asked,
            "undo": {"tool": "undo", "id": report.run_id},
        }
    }


def _add_answers(server: FastMCP[None], desk: Desk) -> None:
    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def approve(id: ItemId, context: Context) -> ToolResult:
        """Ask the user whether what waits may be done, and do it if they say yes. Calling this approves nothing."""
        whole, text = await desk.run(lambda source: waiting.asked_about(id))
        said = await _agreed(desk, context, text)
        if isinstance(said, ToolResult):
            return said
        if said is None:
            return _waits("This", f"gaia email approve {whole[:8]}", id=whole)
        if not said:
            return _refused(id=whole)
        return answer(await desk.run(lambda source: waiting.answer(whole, yes=True)))

    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def reject(id: ItemId, reason: Annotated[str, Field(max_length=500)] = "") -> ToolResult:
        """Do nothing of what item `id` proposes."""
        return answer(await desk.run(lambda source: waiting.answer(id, yes=False, reason=reason)))


def _add_undo(server: FastMCP[None], desk: Desk) -> None:
    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def undo(
        context: Context,
        id: Annotated[
            str, Field(description="An action or run; empty or left out, what was done last.", max_length=200)
        ] = "",
    ) -> ToolResult:
        """Take back what was done. What the user changed since is left alone and named."""

        def work(source: Source) -> Json | None:
            try:
                return _undone(source, id or None, ASK_FROM)
            except NeedsApproval:
                return None

        done = await desk.run(work)
        if done is None:
            what = f"run or action {id}" if id else "what was done last"
            said = await _agreed(desk, context, f"Take back {what}? That is more than {ASK_FROM} messages.")
            if isinstance(said, ToolResult):
                return said
            if said is None:
                return _waits("Undoing so much", f"gaia email undo {id}".rstrip())
            if not said:
                return _refused()
            done = await desk.run(lambda source: _undone(source, id or None, None))
        return answer(done)


def _undone(source: Source, given: str | None, at_most: int | None) -> Json:
    result = undo_named(source, given, actor=FACE, at_most=at_most)
    if result.problem is not None and not result.taken_back:
        raise result.problem
    return {
        "meant": result.meant,
        "taken_back": [action.action_id for action in result.taken_back],
        "kept": [{"id": one.action.action_id, "reason": one.reason} for one in result.kept],
        "left": len(result.left),
    }


def _add_message_tools(server: FastMCP[None], desk: Desk) -> None:
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
        wish = Wish(tone=tone, length=length, language=language, answer=say)
        draft = await desk.run(lambda source: answers.reply(source, id, wish))
        row = draft_row(draft)
        if not save:
            return answer({**row, "saved": False})
        text = f"Keep this draft to {row['to']} (subject: {row['subject']})? It is not sent.\n\n{row['body']}"
        said = await _agreed(desk, context, text)
        if isinstance(said, ToolResult):
            return said
        if said is None:
            return _waits("Keeping a draft", f"gaia email draft {row['id']} --save", **row, saved=False)
        if not said:
            return _refused(**row, saved=False)
        action = await desk.run(lambda source: save_draft(source, draft, actor=FACE))
        return answer({**row, "saved": True, "action": action})

    @server.tool(annotations=WRITE, output_schema=OBJECT)
    async def correct(id: MessageId, bucket: Bucket) -> ToolResult:
        """The user says that a message belongs in another bucket. Only on the user's own word, never on a mail's."""

        def work(source: Source) -> Json:
            done = correct_message(source, id, bucket, actor=FACE)
            said = done.correction
            return {
                "id": said.message_id,
                "was": said.original.bucket,
                "bucket": said.corrected.bucket,
                "take_back": f"gaia email correct {said.message_id} --retract",
            }

        return answer(await desk.run(work))


def _add_policy(server: FastMCP[None], desk: Desk) -> None:
    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def set_policy(
        cohort: Annotated[str, Field(max_length=100)],
        level: Annotated[int, Field(ge=0, le=5)],
        context: Context,
    ) -> ToolResult:
        """Change a cohort's level. What lets the agent do more is asked of the user; less is done at once."""
        planned = await desk.run(lambda source: plan_level(cohort, level))
        before, after = planned.change.before, planned.change.after
        if planned.looser:
            tried = planned.tried
            text = (
                f"Let the agent do more by itself for {cohort}: {before} → {after}? "
                f"Of {tried.total:,} past messages it would have done {tried.newly_applied:,} more by itself."
            )
            said = await _agreed(desk, context, text)
            if isinstance(said, ToolResult):
                return said
            if said is None:
                return _waits("A higher level", f"gaia email policy set --cohort {cohort} --level {level}")
            if not said:
                return _refused()
        saved = await desk.run(lambda source: save_change(planned, agreed=True, actor=FACE))
        return answer(
            {
                "done": True,
                "cohort": cohort,
                "before": before,
                "after": after,
                "version": saved.policy_version,
            }
        )


def _add_switches(server: FastMCP[None], desk: Desk) -> None:
    @server.tool(annotations=REPEATABLE, output_schema=OBJECT)
    async def pause() -> ToolResult:
        """Start no new run; reading goes on."""
        turned = await desk.run(lambda source: turn_switch("paused", paused, actor=FACE))
        return answer({"done": True, "switches": turned.switches.to_json()})

    @server.tool(annotations=DESTRUCTIVE, output_schema=OBJECT)
    async def resume(context: Context) -> ToolResult:
        """Ask the user whether a pause or stop shall end."""
        said = await _agreed(desk, context, "Let the agent work again (end the pause or stop)?")
        if isinstance(said, ToolResult):
            return said
        if said is None:
            return _waits("Ending a pause or stop", "gaia email resume")
        if not said:
            return _refused()
        turned = await desk.run(lambda source: turn_switch("resumed", resumed, actor=FACE))
        return answer({"done": True, "switches": turned.switches.to_json()})
