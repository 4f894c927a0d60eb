"""The tools of a conversation, with typed answers; every number in a reply comes from one of them.

Entry: `ConversationTools`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from gaia_email.app import App
from gaia_email.app.documents.brief import BriefDocument
from gaia_email.app.documents.brief_parts import coverage, groups_of, heading
from gaia_email.app.documents.fields import object_of, rows_of
from gaia_email.app.documents.mail import inbox_figures, short_threads, warnings
from gaia_email.app.documents.mail_types import SectionName
from gaia_email.app.documents.short import plain, short
from gaia_email.app.documents.thread import head_row
from gaia_email.app.operations import acting, reading, replies
from gaia_email.app.operations.acting import ArchiveInput, DraftInput, TriageInput, UndoInput
from gaia_email.app.operations.day import BriefInput, brief
from gaia_email.app.operations.operation import Operation, OperationCall, OperationInput
from gaia_email.app.operations.reading import MessageInput, SearchInput
from gaia_email.app.operations.replies import ReplyByTemplateInput
from gaia_email.app.services import memory
from gaia_email.app.services.answered import exchange_with
from gaia_email.app.services.conversations import note_refused
from gaia_email.app.services.drafting import DraftRow, ReplyRequest, draft_row, written_draft
from gaia_email.app.services.reading import read_messages
from gaia_email.app.services.source import SourceSpec
from gaia_email.interfaces.chat.operations import list_rows
from gaia_email.interfaces.chat.plugged import PluginChat
from gaia_email.policy.gate import Prompt
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import MailError, ProviderError, RateLimited
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.printable import visible_text
from gaia_understanding.cascade.agree import is_clean

Json = dict[str, object]
INTERFACE = "chat"
LONGEST_TEXT = 4000
"""Maximum characters of a message's text in an answer."""
HEAD = ("id", "from", "subject", "date")
HIT = (*HEAD, "snippet")
WHY = (*HEAD, "bucket", "warnings", "priority.reason", "priority.signals")
THREAD = (*HEAD, "messages", "asked", "last_word", "total", "read")
PRESSING: tuple[SectionName, ...] = ("urgent", "actionable")
PAGE = 5
"""Rows of a list shown at once; `more` shows the next."""


class ConversationTools:
    """The tools of one conversation about one mailbox; the sorted inbox is cached until something changes."""

    def __init__(
        self, app: App, source: SourceSpec, session_id: str, prompt: Prompt | None, *, origin: RequestOrigin
    ) -> None:
        self._app = app
        self._source = source
        self._session_id = session_id
        self._prompt = prompt
        self._origin = origin
        self._inbox: Mapping[str, Any] | None = None
        self._clean: dict[str, bool] = {}

    def suspects(self, ids: Sequence[str]) -> set[str]:
        """Return the messages that no language model may be shown, including those that could not be checked."""
        fresh = [one for one in dict.fromkeys(ids) if one not in self._clean]
        try:
            found = read_messages(self._app, self._source, fresh) if fresh else []
        except MailError:
            return {one for one in ids if not self._clean.get(one)}
        self._clean |= {one.summary["id"]: is_clean(one.understood.verdict) for one in found}
        return {one for one in ids if not self._clean.get(one)}

    def _sorted(self) -> Mapping[str, Any]:
        if self._inbox is None:
            self._inbox = self._done(acting.triage, TriageInput())
        return self._inbox

    def _done(
        self, operation: Operation[Any], asked: OperationInput, *, by_person: bool = False
    ) -> Mapping[str, Any]:
        """Run an operation and return its document; the caller has already obtained any consent it needs."""
        call: OperationCall[Any] = OperationCall(
            asked=asked,
            origin=self._origin,
            by_person=by_person,
            sources=(self._source,),
            session_id=self._session_id,
            prompt=self._prompt,
        )
        return operation.run(self._app, call)

    def triage_inbox(self, bucket: SectionName, start: int) -> Json:
        """Return a page of one bucket."""
        rows = self._sorted()["buckets"][bucket]
        shown = short_threads(bucket, rows[start : start + PAGE])
        return {"bucket": bucket, "total": len(rows), **_page(shown, start)}

    def daily_summary(self) -> Json:
        """Count threads by bucket and list the first ones that need the user."""
        found = self._sorted()
        first = [row for name in PRESSING for row in short_threads(name, found["buckets"][name][:PAGE])]
        return {**inbox_figures(found), **_page(first[:PAGE], 0)}

    def daily_brief(self, kind: str = "") -> Json:
        """Return the current or the `evening` brief as groups of numbered lines; `rows` has those about messages."""
        document = cast("BriefDocument", self._done(brief, BriefInput(evening=kind == "evening")))
        groups: list[Json] = []
        rows: list[Json] = []
        for group in groups_of(document):
            lines: list[Json] = []
            for part in group.parts:
                lines.append({"text": f"{part.title}: {part.count}"})
                for one in part.lines:
                    who, what = plain(one.lead, 120), plain(one.text, 120)
                    text = " · ".join(filter(None, (who, what, plain(one.note, 120))))
                    if one.id:
                        rows.append(
                            {"n": len(rows) + 1, "id": one.id, "from": {"name": who}, "subject": what}
                        )
                    lines.append({"n": len(rows) if one.id else None, "text": text, "id": one.id})
            groups.append({"name": group.name, "lines": lines or [{"text": group.empty}]})
        told = {"heading": heading(document), "coverage": coverage(document)}
        return {**told, "problems": document["problems"], "groups": groups, "rows": rows}

    def search_mail(self, query: str, start: int) -> Json:
        """Return a page of search results, best first."""
        found = self._done(reading.search, SearchInput(query=query, limit=start + PAGE))
        told = {
            name: found[name] for name in ("query", "total", "total_is_exact", "searched", "headers_only")
        }
        rows = [short(hit, HIT) for hit in found["hits"][start:]]
        return {**told, "problem": found["problem"] or "", **_page(rows, start)}

    def newest_from(self, who: str) -> Json:
        """Return the newest message from a sender; no rows if none matches."""
        query = f'from:"{who}"' if " " in who else f"from:{who}"
        found = self._done(reading.search, SearchInput(query=query, limit=1, sort="newest"))
        return _page([short(hit, HIT) for hit in found["hits"]], 0)

    def show_email(self, message_id: str) -> Json:
        """Return a message for reading."""
        found = self._done(reading.show, MessageInput(message_id=message_id))
        text = visible_text(found["text"]["normalized"])
        return {
            **_dated(short(found, HEAD)),
            "to": [plain(person["address"], 120) for person in found["to"]],
            "bucket": found["bucket"],
            "text": text[:LONGEST_TEXT],
            "cut": max(0, len(text) - LONGEST_TEXT),
            "attachments": [plain(one["filename"], 120) for one in found["attachments"]],
            "warnings": found["warnings"],
        }

    def why(self, message_id: str) -> Json:
        """Return the reasons for a message's bucket and warnings."""
        document = self._done(reading.why, MessageInput(message_id=message_id))
        flags = {name: document["flags"][name] for name in ("phishing", "injection")}
        row = short(document, WHY)
        return {
            **_dated({name: value for name, value in row.items() if name != "priority"}),
            **object_of(row, "priority"),
            "warned_because": [
                plain(reason)
                for name in document["warnings"]
                if name in flags
                for reason in flags[name]["reasons"]
            ],
        }

    def summarize_thread(self, message_id: str) -> Json:
        """Return a short form of a conversation."""
        row = short(self._done(reading.thread, MessageInput(message_id=message_id)), THREAD)
        return {**row, "messages": [_dated(one) for one in rows_of(row, "messages")]}

    def draft_reply(self, message_id: str, say: str, *, own_words: bool = True) -> Json:
        """Draft a reply; if the words are not the user's own, it may make no promises."""
        made = self._done(acting.draft, DraftInput(message_id=message_id, say=say), by_person=own_words)
        return self._drafted({name: made[name] for name in DraftRow.__annotations__})

    def write_reply(self, message_id: str, environ: Mapping[str, str], tell: Callable[[str], None]) -> Json:
        """Draft a reply with sentences by the user's chosen model, which may be set in another data directory."""
        made = written_draft(self._app, self._source, message_id, ReplyRequest(), environ, tell=tell)
        return self._drafted(draft_row(made))

    def _drafted(self, draft: Mapping[str, Any]) -> Json:
        (answered,) = read_messages(self._app, self._source, [draft["id"]])
        row = {**_headed(answered.summary), **draft}
        flags = self._source.flags
        keep = "" if flags == "--demo" else f"gaia email draft {row['id']} --save {flags}".rstrip()
        return {**row, "keep_with": keep}

    def reply_by_template(self, message_id: str, template: str) -> Json:
        """Answer with one of the user's templates; the gate asks for confirmation."""
        sent = self._done(
            replies.reply_by_template, ReplyByTemplateInput(message_id=message_id, template=template)
        )
        return {"id": message_id, "sent": len(sent["done"]), "failed": _not_done(sent)}

    def record_refusal(self, tool: str) -> None:
        """Record that a model called a tool that the user's words do not allow."""
        note_refused(self._app, tool, session_id=self._session_id, said_in=INTERFACE)

    def heads(self, ids: Sequence[str]) -> Json:
        """Return messages as list rows, with their warnings."""
        found = read_messages(self._app, self._source, ids) if ids else []
        return _page(
            [
                {**short(head_row(one.summary), HEAD), "warnings": warnings(one.understood.verdict)}
                for one in found
            ],
            0,
        )

    def archive_all(self, ids: Sequence[str]) -> Json:
        """Archive the messages that the user agreed to."""
        archived = self._archived(ids)
        return {**self.heads(ids), "archived": len(archived["done"]), **_outcome(archived)}

    def archive(self, message_id: str) -> Json:
        """Archive one message."""
        (found,) = read_messages(self._app, self._source, [message_id])
        return {**short(head_row(found.summary), HEAD), **_outcome(self._archived([found.summary["id"]]))}

    def _archived(self, ids: Sequence[str]) -> Mapping[str, Any]:
        self._inbox = None
        try:
            return self._done(acting.archive, ArchiveInput(message_ids=list(ids)))
        except (ProviderError, RateLimited) as error:
            return {"done": [], "failed": [], "left": len(ids), "halted": "", "problem": error.message}

    def undo(self, given: str) -> Json:
        """Undo the last action, or the one with this id."""
        self._inbox = None
        undone = self._done(acting.undo, UndoInput(id=given))
        taken_back, kept = undone["taken_back"], undone["kept"]
        return {
            "meant": len(taken_back) + len(kept) + undone["left"],
            "taken_back": len(taken_back),
            "messages": list(dict.fromkeys(one["message_id"] for one in taken_back if one["message_id"])),
            "kept": [{"id": one["action"]["message_id"], "reason": one["reason"]} for one in kept],
        }

    def exchange(self, name: str) -> Json:
        """Return the last mail in each direction between the user and a person."""
        found = exchange_with(self._app, self._source, name)
        return {
            "name": name,
            "people": [plain(f"{one['name']} <{one['address']}>", 120) for one in found.people],
            "theirs": _summary(found.theirs),
            "yours": _summary(found.yours),
            "they_answered": found.they_answered,
            "searched": found.looked_at,
        }

    def remember(self, text: str) -> Json:
        """Save a sentence as a preference of the user."""
        return _sentences(memory.remember(self._app, text, said_in=INTERFACE))

    def call_plugin(self, part: PluginChat, words: str) -> Json:
        """Perform a plug-in's request."""
        return part.perform(self._app, words, origin=self._origin)

    def list_remembered(self) -> Json:
        """Return the user's saved preferences."""
        return _sentences(memory.list_preferences(self._app))

    def forget(self, number: int) -> Json:
        """Delete one saved preference."""
        return _sentences(memory.forget(self._app, number, said_in=INTERFACE))

    def operation(self, name: str) -> Json:
        """Perform the operation with this name."""
        return list_rows(self._app, self._source, name, origin=self._origin)


def _outcome(acted: Mapping[str, Any]) -> Json:
    return {"done": [one["action_id"] for one in acted["done"]], "failed": _not_done(acted)}


def _not_done(acted: Mapping[str, Any]) -> list[str]:
    """Return the reasons why actions failed or may have failed."""
    found = [one["error"] or "the mailbox did not say why" for one in acted["failed"]]
    if acted["left"] or acted["halted"]:
        found.append(acted["problem"] or acted["halted"] or "the mailbox did not answer")
    return found


def _sentences(known: Sequence[memory.Preference]) -> Json:
    rows = [{"n": n, "text": plain(one.text), "said_in": one.said_in} for n, one in enumerate(known, 1)]
    return {"total": len(rows), "sentences": rows}


def _summary(summary: Summary | None) -> Json | None:
    return None if summary is None else _headed(summary)


def _headed(summary: Summary) -> Json:
    """Return a message as a list row, with `when`."""
    return _dated(short(head_row(summary), HEAD))


def _page(rows: Sequence[Json], start: int) -> Json:
    numbered = [{**_dated(row), "n": start + place} for place, row in enumerate(rows, 1)]
    return {"shown": len(rows), "from": start, "rows": numbered}


def _dated(row: Mapping[str, object]) -> Json:
    """Add `when`: the date in this machine's time zone, formatted for display."""
    try:
        when = datetime.fromisoformat(str(row.get("date"))).astimezone().strftime("%d %b %Y %H:%M")
    except (ValueError, OverflowError):
        when = "no date"
    return {**row, "when": when}
