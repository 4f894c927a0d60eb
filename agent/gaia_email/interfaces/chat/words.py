"""Renders a tool's answer as text for the user; every number comes from that answer. Entry point: `render_text`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from gaia_email.app.documents.cards.wording import HEADINGS
from gaia_email.app.documents.fields import list_of, object_of, rows_of, texts_of
from gaia_email.app.documents.mail_types import SectionName
from gaia_email.interfaces.chat.plugged import chat_parts

Json = Mapping[str, object]
NAMES: Mapping[SectionName, str] = {
    "urgent": "urgent",
    "actionable": "for you to do or answer",
    "informational": "worth knowing",
    "suspicious": "suspicious",
    "low_priority": "low priority",
}


def render_text(render: str, data: Json) -> str:
    """Render the answer as text."""
    if own := _RENDERERS.get(render):
        return own(data)
    return next(part.text(data) for part in chat_parts().values() if part.render == render)


def collect_ids(data: Json) -> list[str]:
    """Return the ids of the messages in an answer."""
    found = [str(data["id"])] if data.get("id") else []
    for key in ("rows", "messages", "asked"):
        found += [str(row["id"]) for row in rows_of(data, key) if row.get("id")]
    found += [str(row["id"]) for key in ("theirs", "yours") if (row := object_of(data, key))]
    return list(dict.fromkeys([*found, *texts_of(data, "messages")]))


def _of(number: object, thing: str) -> str:
    """Return a number with its noun: `1 message`, `2 messages`."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _is(number: object) -> str:
    return "is" if number == 1 else "are"


def _match(number: object) -> str:
    return "matches" if number == 1 else "match"


def _who(row: Json) -> str:
    person = object_of(row, "from")
    return str(person.get("name") or person.get("address") or "(no sender)")


def _lines(rows: Sequence[Json], *, below: bool = True) -> list[str]:
    found: list[str] = []
    for row in rows:
        marks = texts_of(row, "warnings")
        warned = f"  ⚠ {', '.join(marks)}" if marks else ""
        subject = row.get("subject") or "(no subject)"
        head = f"{row.get('n'):>3}  {_who(row)} · {subject} · {row.get('when')}{warned}"
        if not below:
            found.append(f"{head}  [{row.get('id')}]")
            continue
        why = row.get("reason") or row.get("snippet") or ""
        found += [head, f"     {why}  [{row.get('id')}]"]
    return found


def _rest(data: Json) -> list[str]:
    total, first, shown = data.get("total"), data.get("from"), data.get("shown")
    if not isinstance(total, int) or not isinstance(first, int) or not isinstance(shown, int):
        return []
    return ["'more' shows the next."] if first + shown < total else []


def _bucket(data: Json) -> str:
    bucket = cast("SectionName", data["bucket"])
    rows = rows_of(data)
    head = f"{HEADINGS[bucket][0]} {_of(data['total'], 'thread')} {_is(data['total'])} {NAMES[bucket]}"
    if not rows:
        return f"{head}."
    if data["from"] or data["shown"] != data["total"]:
        head += f", here are {data['shown']}"
    return "\n".join([f"{head}:", *_lines(rows), *_rest(data)])


def _bucket_count(data: Json) -> str:
    bucket = cast("SectionName", data["bucket"])
    return f"{_of(data['total'], 'thread')} of your inbox {_is(data['total'])} {NAMES[bucket]}."


def _day(data: Json) -> str:
    parts = [f"{HEADINGS[bucket][0]} {data[bucket]} {NAMES[bucket]}" for bucket in NAMES]
    tail = f"{_of(data['threads'], 'thread')} of {_of(data['messages'], 'message')}"
    tail += f", unsure about {data['unsure']}" if data["unsure"] else ""
    tail += f", could not read {data['unreadable']}" if data["unreadable"] else ""
    return "\n".join([" · ".join(parts), f"{tail}.", *_lines(rows_of(data))])


def _brief(data: Json) -> str:
    lines = [f"{data['heading']}: {data['coverage']}.", *texts_of(data, "problems")]
    for group in rows_of(data, "groups"):
        lines += ["", str(group["name"])]
        for row in rows_of(group, "lines"):
            number = f"{row['n']:>3}  " if row.get("n") else "     " if "n" in row else "  "
            lines.append(f"{number}{row['text']}" + (f"  [{row['id']}]" if row.get("id") else ""))
    return "\n".join(lines)


def _count(data: Json) -> str:
    at_least = "" if data["total_is_exact"] else "at least "
    return f"{at_least}{_of(data['total'], 'message')} {_match(data['total'])} {data['query']}. {_covers(data)}".strip()


def _search(data: Json) -> str:
    rows = rows_of(data)
    if not rows:
        return f"Nothing {'more ' if data['from'] else ''}matches {data['query']}. {_covers(data)}".strip()
    at_least = "" if data["total_is_exact"] else "at least "
    head = f"{at_least}{_of(data['total'], 'message')} {_match(data['total'])} {data['query']}"
    if data["from"] or data["shown"] != data["total"]:
        head += f", here are {data['shown']}"
    return "\n".join([f"{head}. {_covers(data)}".strip(), *_lines(rows), *_rest(data)])


def _covers(data: Json) -> str:
    text = f"I looked through {_of(data['searched'], 'message')}"
    if data["headers_only"]:
        text += f", of {data['headers_only']} only at the headers"
    return f"{text}. {data['problem']}".rstrip() if data["problem"] else f"{text}."


def _message(data: Json) -> str:
    warned, files = texts_of(data, "warnings"), texts_of(data, "attachments")
    lines = [f"{_who(data)} · {data['subject'] or '(no subject)'} · {data['when']}  [{data['id']}]"]
    if warned:
        lines.append(f"⚠ looks like {', '.join(warned)}: follow no link and no order in it.")
    lines += ["", *(f"│ {line}" for line in str(data["text"]).splitlines())]
    if data["cut"]:
        lines.append(f"({data['cut']} more characters)")
    if files:
        lines.append(f"attached: {', '.join(files)}")
    return "\n".join(lines)


def _why(data: Json) -> str:
    lines = [f"{_who(data)} · {data['subject'] or '(no subject)'}  [{data['id']}]"]
    lines.append(f"is {NAMES[cast('SectionName', data['bucket'])]}: {data['reason']}")
    for signal in rows_of(data, "signals"):
        evidence = f' "{signal["evidence"]}"' if signal.get("evidence") else ""
        lines.append(f"  {signal['weight']:+} {signal['name']}{evidence}")
    lines += [f"  ⚠ {reason}" for reason in texts_of(data, "warned_because")]
    return "\n".join(lines)


def _summary(data: Json) -> str:
    lines = [f"{data['subject'] or '(no subject)'}: {_of(data['total'], 'message')}"]
    if data["read"] != data["total"]:
        lines[0] += f", of which I read {data['read']}"
    for row in rows_of(data, "messages"):
        who = "you" if row.get("own") else _who(row)
        lines.append(f"  {row['when']} {who}: {row['line']}  [{row['id']}]")
    for item in rows_of(data, "asked"):
        due = f" (by {item['due']})" if item.get("due") else ""
        lines.append(f"  asked: {item['text']}{due}  [{item['id']}]")
    if data.get("last_word"):
        lines.append(f"The last word is from {data['last_word']}.")
    return "\n".join(lines)


def _draft(data: Json) -> str:
    lines = [
        f"A reply to {data['to']}, not sent and not kept:",
        "",
        *(f"│ {one}" for one in draft_head(data)),
        "│",
        *(f"│ {one}" for one in str(data["body"]).splitlines()),
    ]
    if data["questions_left_out"]:
        lines.append(f"({data['questions_left_out']} more questions)")
    lines += draft_notes(data)
    if data["keep_with"]:
        lines += ["", f"To keep it as a draft: {data['keep_with']}"]
    return "\n".join(lines)


def draft_head(data: Mapping[str, object]) -> list[str]:
    """Return the recipients and the subject of a draft."""
    named = (("To", data["to"] or "(nobody)"), ("Cc", data["cc"]), ("Subject", data["subject"]))
    return [f"{name}: {value}" for name, value in named if value]


def draft_notes(data: Mapping[str, object]) -> list[str]:
    """Return notes for the reader of a draft."""
    notes: list[str] = [str(data["no_reply"])] if data["no_reply"] else []
    for one in rows_of(data, "others"):
        if warned := texts_of(one, "warnings"):
            address = object_of(one, "from").get("address")
            notes.append(f"{address} in this conversation looks like {' and '.join(warned)}.")
    if checked := texts_of(data, "to_check"):
        names = "it names" if len(checked) == 1 else "they name"
        notes.append(f"Look at what follows [check]: {names} something that the conversation does not.")
    if data.get("withheld"):
        notes.append(
            "A sentence that promised or advised something or held a link was left out; only you can write that."
        )
    if data["by"] != "rules, no model":
        notes.append(f"Written by {data['by']}; read it before you send it.")
    return notes


def _undone(data: Json) -> str:
    lines = [f"Taken back: {data['taken_back']} of {_of(data['meant'], 'action')}."]
    lines += [f"  left as it is: {row['reason']}  [{row['id']}]" for row in rows_of(data, "kept")]
    return "\n".join(lines)


def _archived(data: Json) -> str:
    if failed := list_of(data, "failed"):
        return f"It could not be archived: {failed[0]}"
    if not data["done"]:
        return f"It was not in the inbox: {data['subject']}  [{data['id']}]"
    return f"Archived: {_who(data)} · {data['subject']}  [{data['id']}]. 'undo' takes it back."


def _archived_all(data: Json) -> str:
    done = len(list_of(data, "done"))
    lines = (
        [f"Archived: {_of(done, 'message')}. 'undo' takes it back."]
        if done
        else ["None of them was in the inbox."]
    )
    return "\n".join([*lines, *(f"  It could not be archived: {one}" for one in list_of(data, "failed"))])


def _cited(data: Json) -> str:
    return "\n".join(_lines(rows_of(data), below=False))


def _sent(data: Json) -> str:
    if failed := list_of(data, "failed"):
        return f"It was not sent, or nobody knows: {failed[0]}"
    return f"Sent, as you agreed.  [{data['id']}]"


def _answered(data: Json) -> str:
    who, theirs, yours = data["name"], object_of(data, "theirs"), object_of(data, "yours")
    looked = f"I looked through {_of(data['searched'], 'message')}."
    if not theirs:
        return f"No: there is no mail from {who}. {looked}"
    last = f"{theirs['subject'] or '(no subject)'} · {theirs['when']}  [{theirs['id']}]"
    if not yours:
        return f"You have not written to {who}. The last mail from there: {last}. {looked}"
    if data["they_answered"]:
        return f"Yes, {who} wrote after your last mail ({yours['when']}): {last}. {looked}"
    return f"Not since your mail of {yours['when']}  [{yours['id']}]. The last from {who}: {last}. {looked}"


def _did_i(data: Json) -> str:
    who, theirs, yours = data["name"], object_of(data, "theirs"), object_of(data, "yours")
    looked = f"I looked through {_of(data['searched'], 'message')}."
    if not theirs:
        return f"There is no mail from {who}. {looked}"
    last = f"{theirs['subject'] or '(no subject)'} · {theirs['when']}  [{theirs['id']}]"
    if yours and not data["they_answered"]:
        return f"Yes, you wrote after it ({yours['when']}  [{yours['id']}]): {last}. {looked}"
    return f"No, not since {last}. {looked}"


def _memory(data: Json) -> str:
    rows = rows_of(data, "sentences")
    if not rows:
        return "I remember nothing about how you like things."
    return "\n".join(f"{row['n']:>3}  {row['text']}  (said in {row['said_in']})" for row in rows)


def _table(data: Json) -> str:
    lines = [f"{row['n']:>3}  {row['text']}" for row in rows_of(data, "lines")]
    if data["total"] != data["shown"]:
        lines.append(f"These are {data['shown']} of {data['total']}.")
    return "\n".join([str(data["heading"]), *(lines or ["There is nothing to show."])])


_RENDERERS: dict[str, Callable[[Json], str]] = {
    "bucket": _bucket,
    "bucket_count": _bucket_count,
    "day": _day,
    "brief": _brief,
    "count": _count,
    "search": _search,
    "message": _message,
    "why": _why,
    "summary": _summary,
    "draft": _draft,
    "undone": _undone,
    "archived": _archived,
    "archived_all": _archived_all,
    "cited": _cited,
    "sent": _sent,
    "answered": _answered,
    "did_i_answer": _did_i,
    "memory": _memory,
    "table": _table,
}
