"""What a conversation can do, as tools of typed answers; each number that is said comes from one.

Entry: `ConversationTools`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from gaia_email.actions.applying import AppliedActions
from gaia_email.app import App
from gaia_email.app.documents.brief import brief_document
from gaia_email.app.documents.brief_parts import coverage, groups_of, heading
from gaia_email.app.documents.classify import clean
from gaia_email.app.documents.fields import object_of, rows_of
from gaia_email.app.documents.mail import inbox_figures, short_threads, warnings, why_document
from gaia_email.app.documents.mail_types import SectionName
from gaia_email.app.documents.search import hit_row
from gaia_email.app.documents.short import plain, short
from gaia_email.app.documents.thread import head_row
from gaia_email.app.operations.acting import TriageInput, triage
from gaia_email.app.operations.operation import OperationCall
from gaia_email.app.services import memory
from gaia_email.app.services.answered import exchange_with
from gaia_email.app.services.answering import send_from_template
from gaia_email.app.services.brief import make_brief
from gaia_email.app.services.conversations import note_refused
from gaia_email.app.services.drafting import DraftedReply, ReplyRequest, draft_for, draft_row, written_draft
from gaia_email.app.services.history import undo_named
from gaia_email.app.services.moving import archive_messages
from gaia_email.app.services.reading import read_message, read_messages
from gaia_email.app.services.searching import SearchRequest, search_mail
from gaia_email.app.services.source import SourceSpec
from gaia_email.app.services.threads import read_thread, thread_document
from gaia_email.cascade.agree import is_clean
from gaia_email.interfaces.chat.automating import proposed
from gaia_email.interfaces.chat.operations import listed
from gaia_email.policy.gate import Prompt
from gaia_email_registry.contract.wire import Summary
from gaia_email_registry.errors import MailError
from gaia_email_registry.origin import RequestOrigin
from gaia_mail.printable import visible_text

Json = dict[str, object]
INTERFACE = "chat"
LONGEST_TEXT = 4000
"""Characters of a message's text that are said."""
HEAD = ("id", "from", "subject", "date")
HIT = (*HEAD, "snippet")
WHY = (*HEAD, "bucket", "warnings", "priority.reason", "priority.signals")
THREAD = (*HEAD, "messages", "asked", "last_word", "total", "read")
PRESSING: tuple[SectionName, ...] = ("urgent", "actionable")
PAGE = 5
"""Rows a list shows at once; `more` goes on."""


class ConversationTools:
    """The tools of one conversation on one mailbox; the sorted inbox is kept until something changes."""

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
        """Those of these messages that no language model may be shown; what cannot be judged is one."""
        fresh = [one for one in dict.fromkeys(ids) if one not in self._clean]
        try:
            found = read_messages(self._app, self._source, fresh) if fresh else []
        except MailError:
            return {one for one in ids if not self._clean.get(one)}
        self._clean |= {one.summary["id"]: is_clean(one.understood.verdict) for one in found}
        return {one for one in ids if not self._clean.get(one)}

    def _sorted(self) -> Mapping[str, Any]:
        if self._inbox is None:
            call = OperationCall(asked=TriageInput(), origin=self._origin, sources=(self._source,))
            self._inbox = triage.run(self._app, call)
        return self._inbox

    def triage_inbox(self, bucket: SectionName, start: int) -> Json:
        """A page of one bucket."""
        rows = self._sorted()["buckets"][bucket]
        shown = short_threads(bucket, rows[start : start + PAGE])
        return {"bucket": bucket, "total": len(rows), **_page(shown, start)}

    def daily_summary(self) -> Json:
        """How many threads are in which bucket, and the first of those that need the user."""
        found = self._sorted()
        first = [row for name in PRESSING for row in short_threads(name, found["buckets"][name][:PAGE])]
        return {**inbox_figures(found), **_page(first[:PAGE], 0)}

    def daily_brief(self, kind: str = "") -> Json:
        """The brief of the hour, or the `evening` one, in groups of numbered lines; `rows` are those of messages."""
        made = make_brief(self._app, [self._source], kind="evening" if kind == "evening" else None)
        document = brief_document(made)
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
        """A page of what a search finds, best first."""
        answer = search_mail(self._app, self._source, SearchRequest(query=query, limit=start + PAGE))
        rows = [short(hit_row(hit), HIT) for hit in answer.found.hits[start:]]
        return {
            "query": query,
            "total": answer.found.total,
            "total_is_exact": answer.found.exact,
            "searched": answer.messages,
            "headers_only": answer.headers_only,
            "problem": answer.problem,
            **_page(rows, start),
        }

    def newest_from(self, who: str) -> Json:
        """The newest message of somebody; none where nobody fits."""
        query = f'from:"{who}"' if " " in who else f"from:{who}"
        answer = search_mail(self._app, self._source, SearchRequest(query=query, limit=1, newest=True))
        return _page([short(hit_row(hit), HIT) for hit in answer.found.hits], 0)

    def show_email(self, message_id: str) -> Json:
        """A message for reading."""
        found = read_message(self._app, self._source, message_id)
        text = visible_text(clean(found.understood.prepared.normalized))
        return {
            **_headed(found.summary),
            "to": [plain(person.address, 120) for person in found.understood.message.to],
            "bucket": found.understood.verdict.bucket,
            "text": text[:LONGEST_TEXT],
            "cut": max(0, len(text) - LONGEST_TEXT),
            "attachments": [plain(one.filename, 120) for one in found.understood.message.attachments],
            "warnings": warnings(found.understood.verdict),
        }

    def why(self, message_id: str) -> Json:
        """What decided about a message."""
        document = why_document(read_message(self._app, self._source, message_id))
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
        """A conversation in short."""
        row = short(thread_document(read_thread(self._app, self._source, message_id)), THREAD)
        return {**row, "messages": [_dated(one) for one in rows_of(row, "messages")]}

    def draft_reply(self, message_id: str, say: str, *, own_words: bool = True) -> Json:
        """A reply to finish; words that are not the user's own may promise nothing."""
        return self._drafted(
            draft_for(self._app, self._source, message_id, ReplyRequest(answer=say), own_words=own_words)
        )

    def write_reply(self, message_id: str, environ: Mapping[str, str], tell: Callable[[str], None]) -> Json:
        """A reply to finish, with sentences of the model that the user chose."""
        return self._drafted(
            written_draft(self._app, self._source, message_id, ReplyRequest(), environ, tell=tell)
        )

    def _drafted(self, draft: DraftedReply) -> Json:
        row = {**_headed(draft.found.summary), **draft_row(draft)}
        flags = self._source.flags
        keep = "" if flags == "--demo" else f"gaia email draft {row['id']} --save {flags}".rstrip()
        return {**row, "keep_with": keep}

    def reply_by_template(self, message_id: str, template: str) -> Json:
        """Answer with the user's own template; the gate asks."""
        applied = send_from_template(
            self._app,
            self._source,
            message_id,
            template,
            prompt=self._prompt,
            origin=self._origin,
            session_id=self._session_id,
        )
        return {"id": message_id, "sent": len(applied.done), "failed": _not_done(applied)}

    def refused(self, tool: str) -> None:
        """Write down that a model called what the user's words do not allow."""
        note_refused(self._app, tool, session_id=self._session_id, said_in=INTERFACE)

    def heads(self, ids: Sequence[str]) -> Json:
        """Messages as a listing names them, with what the reader is warned of."""
        found = read_messages(self._app, self._source, ids) if ids else []
        return _page(
            [
                {**short(head_row(one.summary), HEAD), "warnings": warnings(one.understood.verdict)}
                for one in found
            ],
            0,
        )

    def archive_all(self, ids: Sequence[str]) -> Json:
        """Take out of the inbox what the user agreed to."""
        applied = archive_messages(
            self._app, self._source, ids, origin=self._origin, session_id=self._session_id
        )
        self._inbox = None
        return {
            **self.heads(ids),
            "archived": len(applied.done),
            "done": [one.action_id for one in applied.done],
            "failed": _not_done(applied),
        }

    def archive(self, message_id: str) -> Json:
        """Take a message out of the inbox."""
        whole = read_message(self._app, self._source, message_id).summary
        applied = archive_messages(
            self._app, self._source, [whole["id"]], origin=self._origin, session_id=self._session_id
        )
        self._inbox = None
        return {
            **short(head_row(whole), HEAD),
            "done": [one.action_id for one in applied.done],
            "failed": _not_done(applied),
        }

    def undo(self, given: str) -> Json:
        """Take back what was done last, or what an id names."""
        result = undo_named(self._app, self._source, given or None, origin=self._origin)
        self._inbox = None
        if result.problem is not None and not result.taken_back:
            raise result.problem
        return {
            "meant": result.meant,
            "taken_back": len(result.taken_back),
            "messages": list(dict.fromkeys(one.message_id for one in result.taken_back if one.message_id)),
            "kept": [{"id": one.action.message_id, "reason": one.reason} for one in result.kept],
        }

    def exchange(self, name: str) -> Json:
        """The last mail each way with somebody."""
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
        """Keep a sentence of the user's."""
        return _sentences(memory.remember(self._app, text, said_in=INTERFACE))

    def propose(self, words: str) -> Json:
        """Put an automation up as a question of the Agent Inbox."""
        return proposed(self._app, words, origin=self._origin)

    def remembered(self) -> Json:
        """What the user asked to remember."""
        return _sentences(memory.remembered(self._app))

    def forget(self, number: int) -> Json:
        """Delete one of these."""
        return _sentences(memory.forget(self._app, number, said_in=INTERFACE))

    def operation(self, name: str) -> Json:
        """Perform an operation that a phrase asks for."""
        return listed(self._app, self._source, name, origin=self._origin)


def _not_done(applied: AppliedActions) -> list[str]:
    """Why something was not done, or is not known to be."""
    found = [one.error or "the mailbox did not say why" for one in applied.failed]
    if applied.left or applied.halted:
        found.append(
            applied.problem.message if applied.problem else applied.halted or "the mailbox did not answer"
        )
    return found


def _sentences(known: Sequence[memory.Preference]) -> Json:
    rows = [{"n": n, "text": plain(one.text), "said_in": one.said_in} for n, one in enumerate(known, 1)]
    return {"total": len(rows), "sentences": rows}


def _summary(summary: Summary | None) -> Json | None:
    return None if summary is None else _headed(summary)


def _headed(summary: Summary) -> Json:
    """A message as a listing names it, with `when`."""
    return _dated(short(head_row(summary), HEAD))


def _page(rows: Sequence[Json], start: int) -> Json:
    numbered = [{**_dated(row), "n": start + place} for place, row in enumerate(rows, 1)]
    return {"shown": len(rows), "from": start, "rows": numbered}


def _dated(row: Mapping[str, object]) -> Json:
    """With `when`: its date in this machine's time zone, as it is said."""
    try:
        when = datetime.fromisoformat(str(row.get("date"))).astimezone().strftime("%d %b %Y %H:%M")
    except (ValueError, OverflowError):
        when = "no date"
    return {**row, "when": when}
