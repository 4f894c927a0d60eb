"""A conversation: takes a line from the user, emits events. Entry point: `Session.say`.

If the grammar does not know a line, it goes to the language model that the user chose, if any (`loop`). The words of
the line alone decide which tools it may use (`grammar`, `binding`); the shown messages resolve its references
(`references`); the tools' answers decide the reply (`words`, `grounding`). The text of mail decides none of these.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

from gaia_email.app import App
from gaia_email.app.documents.fields import rows_of, texts_of
from gaia_email.app.documents.talk_events import (
    ErrorEvent,
    FinalEvent,
    NeedsInput,
    StatusEvent,
    TalkEvent,
    ToolCallEvent,
    ToolResultEvent,
    usage,
)
from gaia_email.app.services.turns import noted_turn
from gaia_email.interfaces.chat.asking import NO, YES, TellingPrompt, archive_proposed
from gaia_email.interfaces.chat.grammar import Request, examples, may_be_a_question, parse, render_of, suggest
from gaia_email.interfaces.chat.grounding import SUSPECT, UNSUPPORTED
from gaia_email.interfaces.chat.plugged import chat_parts
from gaia_email.interfaces.chat.references import ShownMessage, ShownToUser, chosen_of, options_of, people_of
from gaia_email.interfaces.chat.resuming import as_left, page_of, shown_of
from gaia_email_registry.errors import MailError, NeedsApproval
from gaia_email_registry.origin import RequestOrigin

if TYPE_CHECKING:
    from gaia_email.app.documents.mail_types import SectionName
    from gaia_email.app.services.conversations import Conversation
    from gaia_email.app.services.source import SourceSpec
    from gaia_email.interfaces.chat.loop import TurnOutcome
    from gaia_email.interfaces.chat.tools import ConversationTools
    from gaia_email.policy.gate import Prompt

Json = dict[str, object]
MOST_LINE, MOST_CITED = 500, 8
ABOUT_ONE = frozenset({"show", "why", "summarise", "draft", "reply", "archive"})
CHANGING = frozenset({"archive", "forget", "remember", "reply_by_template", "undo"})
"""Tools that change the mailbox or the user's saved preferences."""
PAGED = frozenset({"bucket", "search"})


class Session:
    """One conversation about one mailbox.

    Args:
        app: The running program; for a sample mailbox, the one with the sample's data directory.
        source: The mailbox.
        emit: Receives every event in order; the last one for a line is `final`, `needs_input` or `error`.
        prompt: Asks the user on behalf of the gate; without one, every action that needs a confirmation is refused.
        environ: Environment that names the language model, since a demo's own data directory has none; None for the
            program's.
        resumed: The conversation to continue; nothing in it is repeated.
        need_person: Called with the tool and its arguments before any change; raises `NeedsApproval` unless a person
            writes the lines.
        store: Saves the conversation before and after each line and returns its version; None to save it in the ledger
            as the latest one about the mailbox.
        origin: The asker and its interface.
    """

    def __init__(
        self,
        app: App,
        source: SourceSpec,
        emit: Callable[[TalkEvent], None],
        prompt: Prompt | None = None,
        environ: Mapping[str, str] | None = None,
        resumed: Conversation | None = None,
        need_person: Callable[[str, Json], None] = lambda tool, arguments: None,
        store: Callable[[Conversation], int] | None = None,
        *,
        origin: RequestOrigin,
    ) -> None:
        self._app, self._source, self._origin = app, source, origin
        self.session_id = resumed.session_id if resumed else str(uuid.uuid4())
        self._emit = emit
        self._environ = app.environ if environ is None else environ
        self._need_person = need_person
        self._store = store
        self._prompt = None if prompt is None else TellingPrompt(prompt, emit, self.session_id)
        self._shown = ShownToUser()
        self._made: ConversationTools | None = None
        self._page: tuple[Request, int] | None = None
        self._open: tuple[Request, tuple[ShownMessage, ...]] | None = None
        self._proposed: tuple[str, ...] = ()
        self._line = ""
        self._lines: tuple[str, ...] = ()
        self._version = 0
        self._most_steps: int | None = None
        self._usage = usage(0, 0)
        self._busy = threading.Lock()
        if resumed is not None:
            self._shown, self._page = shown_of(resumed), page_of(resumed)
            self._lines, self._version = resumed.lines, resumed.version

    @property
    def _tools(self) -> ConversationTools:
        if self._made is None:
            from gaia_email.interfaces.chat.tools import ConversationTools

            self._made = ConversationTools(
                self._app, self._source, self.session_id, self._prompt, origin=self._origin
            )
        return self._made

    def recall(self, lines: Sequence[str]) -> None:
        """Set the user's earlier lines, oldest first."""
        self._lines = tuple(" ".join(line.split())[:MOST_LINE] for line in lines)

    def say(self, line: str, *, most_steps: int | None = None, turn_id: str | None = None) -> bool:
        """Answer one line; return False if it ends the conversation.

        Args:
            line: The user's line.
            most_steps: Maximum number of language model calls; None for the default.
            turn_id: The id of this turn in the event log, which contains none of its text; None for a new id, empty if
                the turn is recorded elsewhere.

        Raises:
            KeyboardInterrupt: The user stopped it; an `error` event is emitted first.
        """
        if not self._busy.acquire(blocking=False):
            busy = "Your last line is still being answered; say this again after it."
            self._emit(ErrorEvent(detail=busy, status=1))
            return True
        self._most_steps, self._usage = most_steps, usage(0, 0)
        with noted_turn(self._app, self._source, self.session_id, turn_id) as failed:
            try:
                self._keep(unanswered=line)
                goes_on = self._answer(line)
                self._lines = (*self._lines, " ".join(line.split())[:MOST_LINE])
                self._keep()
                return goes_on
            except MailError as error:
                failed()
                hint = f" {error.hint}" if error.hint else ""
                status = 5 if isinstance(error, NeedsApproval) else 1
                self._emit(ErrorEvent(detail=f"{error.message}{hint}", status=status))
                return True
            except KeyboardInterrupt:
                self._emit(ErrorEvent(detail="Stopped; nothing more is done.", status=130))
                raise
            finally:
                self._busy.release()

    def _answer(self, line: str) -> bool:
        proposed, self._proposed = self._proposed, ()
        self._line = line
        if proposed and line.strip().casefold().rstrip(".!") in YES:
            self._archive_agreed(proposed)
            return True
        request, self._open = self._answer_of(line) or parse(line), None
        if proposed and request is None and line.strip().casefold().rstrip(".!") in NO:
            self._final("Left as they are.")
        elif request is None and self._has_model():
            self._by_model(line)
        elif request is None:
            self._final(f"I do not understand that without a language model. {suggest(line)}")
        elif request.kind == "quit":
            self._final("Goodbye.")
            return False
        elif request.kind == "help":
            self._final("You can say:\n" + "\n".join(f"  {one}" for one in examples()))
        else:
            self._do(request)
        return True

    def _keep(self, unanswered: str = "") -> None:
        if self._store is None and (self._source.kind == "demo" or self._source.is_sample):
            return
        line = " ".join(unanswered.split())[:MOST_LINE]
        left = as_left(self.session_id, self._shown, self._page, self._lines, line, self._version)
        if self._store is not None:
            self._version = self._store(left)
            return
        from gaia_email.app.services.conversations import keep

        self._version = keep(self._app, self._source, left)

    def _has_model(self) -> bool:
        from gaia_email.triage.tiers import has_models

        return has_models(self._environ) and find_spec("openai") is not None

    def _by_model(self, line: str) -> None:
        """Answer with the model that the user chose, using the tools bound by the line."""
        from gaia_email.interfaces.chat.loop import MOST_STEPS, Loop

        def resolve(words: str) -> str:
            return self._shown.resolve(words).id

        loop = Loop(
            self._tools, self._emit, resolve, self._environ, most_steps=self._most_steps or MOST_STEPS
        )
        try:
            outcome = loop.run(line, listed=tuple(self._shown.listed), earlier=self._lines[-3:])
            self._usage = usage(loop.tokens_in, loop.tokens_out)
        except MailError as error:
            hint = f" ({error.hint})" if error.hint else ""
            self._final(
                f"I do not understand that, and the language model did not help: {error.message}{hint} {suggest(line)}"
            )
            return
        if outcome.archive:
            self._propose(outcome.archive)
        elif outcome.answer:
            self._tell_words(outcome)
        elif outcome.last is not None:
            render, data = outcome.last
            self._show(data)
            if outcome.problem:
                self._emit(StatusEvent(message=f"{outcome.problem} This is what was found until then."))
            after = self._of_suspects(outcome)
            self._tell(data, render, before=UNSUPPORTED if outcome.left_out else "", after=after)
        else:
            self._final(f"Neither I nor the language model can do that. {suggest(line)}")

    def _show(self, data: Json) -> None:
        """Record the messages that the user now sees."""
        if "from" in data and "id" in data:
            self._shown.look_at(data)
        elif rows := rows_of(data):
            self._shown.show_list(rows)

    def _tell_words(self, outcome: TurnOutcome) -> None:
        """Show a model's supported sentences with the cited messages below."""
        heads = self._tools.heads(outcome.cites[:MOST_CITED])
        if rows := rows_of(heads):
            self._shown.show_list(rows)
        from gaia_email.interfaces.chat.words import render_text

        parts = [outcome.answer, *([render_text("cited", heads)] if rows else [])]
        if outcome.left_out:
            parts.append("(What no message bears out was left out.)")
        self._final("\n".join(parts) + self._of_suspects(outcome), cites=list(outcome.cites))

    def _of_suspects(self, outcome: TurnOutcome) -> str:
        """Return the program's note about suspect messages that no model was shown; empty if there are none."""
        from gaia_email.interfaces.chat.words import render_text

        listed = outcome.suspects[:MOST_CITED]
        return f"\n{SUSPECT}\n{render_text('cited', self._tools.heads(listed))}" if listed else ""

    def _propose(self, ids: tuple[str, ...]) -> None:
        """Ask whether to archive the messages a model selected; only the user's next line can agree."""
        from gaia_email.interfaces.chat.words import render_text

        heads = self._tools.heads(ids)
        listing = render_text("cited", heads)
        self._shown.show_list(rows_of(heads))
        self._proposed = ids
        for event in archive_proposed(self.session_id, len(ids), listing):
            self._emit(event)

    def _archive_agreed(self, ids: tuple[str, ...]) -> None:
        data = self._call("archive", "archived_all", {"ids": list(ids)}, lambda: self._tools.archive_all(ids))
        self._tell(data, "archived_all")

    def _answer_of(self, line: str) -> Request | None:
        """Return the open request with the choice made in this line; None if there is none."""
        if self._open is None:
            return None
        request, choices = self._open
        chosen = chosen_of(choices, line)
        return replace(request, about=chosen) if chosen else None

    def _do(self, request: Request) -> None:
        start = 0
        if request.kind == "more":
            if self._page is None:
                self._final("There is no list to go on with.")
                return
            request, start = self._page
        if request.kind in PAGED:
            self._list(request, start)
        elif request.kind in ABOUT_ONE:
            self._about_one(request)
        else:
            self._whole(request)

    def _list(self, request: Request, start: int) -> None:
        from gaia_email.interfaces.chat.tools import PAGE

        if request.kind == "bucket":
            bucket = cast("SectionName", request.extra)
            data = self._call(
                "triage_inbox",
                "bucket",
                {"bucket": bucket, "start": start},
                lambda: self._tools.triage_inbox(bucket, start),
            )
        else:
            query = request.about
            data = self._call(
                "search_mail",
                "search",
                {"query": query, "start": start},
                lambda: self._tools.search_mail(query, start),
            )
        if (
            request.kind == "search"
            and data["total"] == 0
            and may_be_a_question(request)
            and self._has_model()
        ):
            self._by_model(self._line)
            return
        self._page = (request, start + PAGE)
        earlier = self._shown.listed if start else []
        self._shown.show_list(rows_of(data))
        self._shown.listed = [*earlier, *self._shown.listed]
        self._tell(data, request.kind)

    def _about_one(self, request: Request) -> None:
        message_id = self._meant(request)
        if not message_id:
            return
        match request.kind:
            case "why":
                data = self._call("why", "why", {"id": message_id}, lambda: self._tools.why(message_id))
            case "summarise":
                data = self._call(
                    "summarize_thread",
                    "summary",
                    {"id": message_id},
                    lambda: self._tools.summarize_thread(message_id),
                )
            case "draft":
                data = self._call(
                    "draft_reply",
                    "draft",
                    {"id": message_id, "say": request.extra},
                    lambda: self._drafted(message_id, request.extra),
                )
            case "reply":
                arguments: Json = {"id": message_id, "template": request.extra}
                data = self._call(
                    "reply_by_template",
                    "sent",
                    arguments,
                    lambda: self._tools.reply_by_template(message_id, request.extra),
                )
            case "archive":
                data = self._call(
                    "archive", "archived", {"id": message_id}, lambda: self._tools.archive(message_id)
                )
            case _:
                data = self._call(
                    "show_email", "message", {"id": message_id}, lambda: self._tools.show_email(message_id)
                )
        if "from" in data:
            self._shown.look_at(data)
        self._tell(data, render_of(request.kind))

    def _drafted(self, message_id: str, say: str) -> Json:
        """Draft a reply in the user's own words; without any, the chosen model writes it."""
        if say or not self._has_model():
            return self._tools.draft_reply(message_id, say)

        def tell(text: str) -> None:
            self._emit(StatusEvent(message=text))

        try:
            return self._tools.write_reply(message_id, self._environ, tell)
        except MailError as error:
            tell(f"The language model did not help: {error.message}")
            return self._tools.draft_reply(message_id, "")

    def _meant(self, request: Request) -> str:
        """Return the id for a reference; empty if it is ambiguous or unknown, which is then said or asked."""
        meant = self._shown.resolve(request.about)
        if meant.id:
            return meant.id
        if meant.newest_of:
            data = self._call(
                "newest_from",
                "search",
                {"who": meant.newest_of},
                lambda: self._tools.newest_from(meant.newest_of),
            )
            if rows := rows_of(data):
                return str(rows[0]["id"])
            self._final(f"I found no mail from {meant.newest_of}.")
            return ""
        if meant.several:
            self._ask(request, meant.several)
            return ""
        if request.about:
            self._final(
                f"I do not know which message {request.about!r} is: nothing like it was shown. "
                f"Try 'search {request.about}', or say the number of one that is listed."
            )
        else:
            self._final("Which message? Say its number, such as 'show 1', or search for it first.")
        return ""

    def _ask(self, request: Request, several: tuple[ShownMessage, ...]) -> None:
        self._open = (request, several)
        self._emit(
            NeedsInput(
                run_id=self.session_id,
                request_id=str(uuid.uuid4()),
                question=f"Which one do you mean by {request.about!r}?",
                options=options_of(several),
            )
        )

    def _whole(self, request: Request) -> None:
        tools, about = self._tools, request.about
        match request.kind:
            case "day":
                data = self._call("daily_summary", "day", {}, tools.daily_summary)
                self._shown.show_list(rows_of(data))
                self._page = (Request(kind="bucket", extra="urgent"), 0)
            case "brief":
                data = self._call("daily_brief", "brief", {"kind": about}, lambda: tools.daily_brief(about))
                self._shown.show_list(rows_of(data))
            case "count":
                self._count(request)
                return
            case "undo":
                data = self._call("undo", "undone", {"id": about}, lambda: tools.undo(about))
            case "answered" | "did_i_answer":
                data = self._call("exchange", request.kind, {"name": about}, lambda: tools.exchange(about))
                if self._several_people(request, data):
                    return
            case "remember":
                text = request.extra
                data = self._call("remember", "memory", {"text": text}, lambda: tools.remember(text))
            case "plugged":
                part = chat_parts()[request.extra]
                data = self._call(
                    part.tool, part.render, {"words": about}, lambda: tools.call_plugin(part, about)
                )
                self._tell(data, part.render)
                return
            case "operation":
                data = self._call(about, "table", {}, lambda: tools.operation(about))
            case "forget":
                number = int("".join(filter(str.isdigit, about)))
                data = self._call("forget", "memory", {"number": number}, lambda: tools.forget(number))
            case _:
                data = self._call("remembered", "memory", {}, tools.list_remembered)
        self._tell(data, render_of(request.kind))

    def _count(self, request: Request) -> None:
        tools, query = self._tools, request.about
        if request.extra:
            bucket = cast("SectionName", request.extra)
            data = self._call(
                "triage_inbox",
                "bucket",
                {"bucket": bucket, "start": 0},
                lambda: tools.triage_inbox(bucket, 0),
            )
            self._tell(data, "bucket_count")
        elif query:
            asked: Json = {"query": query, "start": 0}
            data = self._call("search_mail", "search", asked, lambda: tools.search_mail(query, 0))
            self._tell(data, "count")
        else:
            self._tell(self._call("daily_summary", "day", {}, tools.daily_summary), "day")

    def _several_people(self, request: Request, data: Json) -> bool:
        people = texts_of(data, "people")
        if len(people) == 1:
            return False
        if not people:
            self._final(f"I know nobody called {request.about} in {data['searched']} messages.")
            return True
        self._ask(request, people_of(people))
        return True

    def _call(self, tool: str, render: str, args: Json, work: Callable[[], Json]) -> Json:
        if tool in CHANGING:
            self._need_person(tool, args)
        self._emit(ToolCallEvent(tool=tool, args=args))
        data = work()
        self._emit(ToolResultEvent(tool=tool, render=render, data=data))
        return data

    def _tell(self, data: Json, render: str, *, before: str = "", after: str = "") -> None:
        from gaia_email.interfaces.chat.words import collect_ids, render_text

        self._final(f"{before}{render_text(render, data)}{after}", cites=collect_ids(data))

    def _final(self, answer: str, cites: list[str] | None = None) -> None:
        self._emit(FinalEvent(answer=answer, usage=self._usage, cites=cites or []))
